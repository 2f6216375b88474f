#include "count/component.hpp"

#include <algorithm>
#include <utility>

#include "cost.hpp"

namespace nonosat {

namespace {

// True for a row of a rectangle, and for every lane.
template <class AnyBoard>
bool is_row(const AnyBoard& board, int line) {
  if constexpr (AnyBoard::kIsRectangle) return line < board.height();
  return true;
}

// Resets the places of some cells at its end, also if memory ran out in between.
class Places {
 public:
  Places(std::vector<int32_t>& place_of, const std::vector<int>& cells)
      : place_of_(place_of), cells_(cells) {}
  ~Places() {
    for (const int cell : cells_) place_of_[cell] = -1;
  }
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;

 private:
  std::vector<int32_t>& place_of_;
  const std::vector<int>& cells_;
};

}  // namespace

size_t owned_bytes(const Strips& strips) {
  size_t num_bytes = sizeof(*strips);
  for (const Strip& strip : *strips) {
    const Segment& segment = *strip.segment;
    num_bytes += sizeof(Strip) + sizeof(Segment) + segment.nodes.size() * sizeof(Node) +
                 8 * segment.places.size();
  }
  return num_bytes;
}

std::vector<uint64_t> Component::key() const {
  std::vector<uint64_t> key;
  key.reserve(rows.size() + columns.size());
  for (const Strip& strip : rows) key.push_back(strip.id);
  for (const Strip& strip : columns) key.push_back(strip.id);
  return key;
}

SharedStrips::SharedStrips(size_t max_bytes) : numbers_(max_bytes / 2) {
  while (shards_.size() < kShards) {
    shards_.push_back(std::make_unique<Shard>(max_bytes / 2 / kShards));
  }
}

template <class AnyBoard>
Strips SharedStrips::of(const AnyBoard& board, int line, Watch& watch) {
  const int num_words = board.num_values() * words_for(board.plan(line).length);
  std::vector<uint64_t> key{static_cast<uint64_t>(line)};
  key.insert(key.end(), board.planes(line), board.planes(line) + num_words);
  watch.work(cost::kComponentLine);
  Shard& shard = *shards_[line % kShards];
  {
    const std::lock_guard lock(shard.mutex);
    if (const Strips* known = shard.strips.find(key)) return *known;
  }
  Strips strips = make(board, line, watch);
  const std::lock_guard lock(shard.mutex);
  return *shard.strips.put(std::move(key), std::move(strips));
}

// Makes the strips of a line, each with the number of its segment.
template <class AnyBoard>
Strips SharedStrips::make(const AnyBoard& board, int line, Watch& watch) {
  int index = line;
  if constexpr (AnyBoard::kIsRectangle) index -= is_row(board, line) ? 0 : board.height();
  std::vector<Strip> strips;
  for (Segment& segment : segments_of(board.plan(line), board.planes(line), watch)) {
    const uint64_t id = number_of(segment.key(line));
    strips.push_back({std::make_shared<const Segment>(std::move(segment)), line, index, id});
  }
  return std::make_shared<const std::vector<Strip>>(std::move(strips));
}

// Returns the number of the segment with this key: that of an equal earlier one that is not
// forgotten, or the next one.
uint64_t SharedStrips::number_of(std::vector<int32_t> key) {
  const std::lock_guard lock(mutex_);
  if (const uint64_t* known = numbers_.find(key)) return *known;
  return *numbers_.put(std::move(key), next_++);
}

template <class AnyBoard>
Splitter<AnyBoard>::Splitter(AnyBoard& board, SharedStrips& shared)
    : board_(board), shared_(shared), place_of_(board.num_cells(), -1) {}

// Returns the root of a place's component (union-find with path halving).
template <class AnyBoard>
int Splitter<AnyBoard>::find(int at) {
  while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
  return at;
}

// Merges all cells of a strip into one component, whose root is its first place.
template <class AnyBoard>
void Splitter<AnyBoard>::join(const Strip& strip) {
  const auto place = [&](int at) {
    return place_of_[board_.cell_in(strip.line, strip.segment->places[at])];
  };
  for (int i = 1; i < strip.segment->num_cells(); ++i) {
    const int one = find(place(0)), other = find(place(i));
    parent_[std::max(one, other)] = std::min(one, other);
  }
}

// Returns the strips of all lines that contain one of the cells, rows first.
template <class AnyBoard>
std::vector<Strip> Splitter<AnyBoard>::strips_through(const std::vector<int>& cells, Watch& watch) {
  std::vector<int> lines;
  for (const int cell : cells) {
    board_.for_lines_of(cell, [&](int line) { lines.push_back(line); });
  }
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  std::vector<Strip> strips;
  for (const int line : lines) {
    const Strips all = shared_.of(board_, line, watch);
    strips.insert(strips.end(), all->begin(), all->end());
  }
  return strips;
}

template <class AnyBoard>
std::vector<Component> Splitter<AnyBoard>::split(const std::vector<int>& cells, Watch& watch) {
  std::vector<int> open;
  for (const int cell : cells) {
    if (board_.num_left(cell) > 1) open.push_back(cell);
  }
  watch.work(cost::kComponentCell * static_cast<int64_t>(cells.size()));
  std::vector<Strip> strips = strips_through(open, watch);
  parent_.resize(open.size());
  const Places places(place_of_, open);
  for (size_t at = 0; at < open.size(); ++at) {
    place_of_[open[at]] = parent_[at] = static_cast<int32_t>(at);
  }
  // Each strip lies entirely inside one component, or outside of `cells`.
  std::erase_if(strips, [&](const Strip& strip) {
    return place_of_[board_.cell_in(strip.line, strip.segment->places[0])] < 0;
  });
  for (const Strip& strip : strips) join(strip);
  std::vector<Component> components;
  std::vector<int> component_of(open.size());
  for (size_t at = 0; at < open.size(); ++at) {
    const int root = find(static_cast<int>(at));
    if (root == static_cast<int>(at)) {
      component_of[at] = static_cast<int>(components.size());
      components.emplace_back();
    }
    components[component_of[root]].cells.push_back(open[at]);
  }
  for (Strip& strip : strips) {
    const int root = find(place_of_[board_.cell_in(strip.line, strip.segment->places[0])]);
    Component& mine = components[component_of[root]];
    (is_row(board_, strip.line) ? mine.rows : mine.columns).push_back(std::move(strip));
  }
  std::stable_sort(components.begin(), components.end(), [](const auto& one, const auto& other) {
    return one.cells.size() < other.cells.size();
  });
  return components;
}

template class Splitter<Board>;
template class Splitter<LaneBoard>;

}  // namespace nonosat
