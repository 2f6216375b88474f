#include "beliefs/segments.hpp"

#include <algorithm>

namespace nonosat {
namespace {

// Sorts the values from index `first` on, and removes repeated ones; returns their number.
template <class Value>
size_t keep_distinct(std::vector<Value>& values, size_t first) {
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, values.end());
  values.erase(std::unique(begin, values.end()), values.end());
  return values.size() - first;
}

// Returns the index of a value among ascending ones.
template <class Value>
int32_t index_of(std::span<const Value> values, const Value& value) {
  const auto at = std::lower_bound(values.begin(), values.end(), value);
  return static_cast<int32_t>(at - values.begin());
}

}  // namespace

bool Segments::fits(const Plan& plan) {
  return std::all_of(plan.blocks.begin(), plan.blocks.end(),
                     [](const Block& block) { return block.length > 0; });
}

void Segments::clear() {
  segments_.clear();
  blocks_.clear();
  sizes_.clear();
  colours_.clear();
  sets_.clear();
}

bool Segments::add(const Plan& plan, const Word* may, std::span<const Window> windows) {
  const int num_words = words_for(plan.length);
  const auto is_open = [&](int cell) -> bool {
    const Word open = values_left(may, plan.num_colours + 1, num_words, cell / kWordBits).several;
    return open >> (cell % kWordBits) & 1;
  };
  const size_t before = segments_.size();
  int next = 0;  // cell
  for (size_t first = 0, end = 0; first < windows.size(); first = end) {
    end = first + 1;
    while (end < windows.size() &&
           windows[end].first <= windows[end - 1].last_end + plan.separated[end - 1]) {
      ++end;
    }
    const int from = windows[first].first, to = windows[end - 1].last_end + 1;
    int num_open = 0;
    for (int cell = from; cell < to; ++cell) num_open += is_open(cell);
    for (; next < from && !is_open(next); ++next) {
    }
    if (next < from) break;
    next = to;
    if (num_open == 0) continue;
    append(plan, windows, first, end);
    append_sets(segments_.back(), plan, may);
  }
  while (next < plan.length && !is_open(next)) ++next;
  if (next == plan.length) return true;
  if (segments_.size() > before) {
    blocks_.resize(segments_[before].blocks_at);
    sizes_.resize(segments_[before].sizes_at);
    colours_.resize(segments_[before].colours_at);
    sets_.resize(segments_[before].sets_at);
    segments_.resize(before);
  }
  return false;
}

// Appends the segment of blocks first..end - 1, without the sets of its cells.
void Segments::append(const Plan& plan, std::span<const Window> windows, size_t first, size_t end) {
  SumSegment segment{};
  segment.from = windows[first].first;
  segment.num_cells = windows[end - 1].last_end + 1 - segment.from;
  segment.blocks_at = blocks_.size();
  segment.num_blocks = end - first;
  segment.sets_at = sets_.size();
  append_planes(segment, std::span(plan.blocks).subspan(first, end - first));
  const auto planes = colours(segment);
  const auto all_sizes = sizes(segment);
  int32_t offset = 0;
  for (size_t b = first; b < end; ++b) {
    const auto [length, colour] = plan.blocks[b];
    const int32_t origin = segment.from + offset;
    const SegmentSize size{index_of(planes, colour), length};
    const bool separated = b + 1 == end || plan.separated[b];
    blocks_.push_back({length, offset, windows[b].first - origin, windows[b].last - origin,
                       index_of(all_sizes, size), separated});
    offset += length + separated;
  }
  segment.slack = segment.num_cells + 1 - offset;
  segments_.push_back(segment);
}

// Appends the planes and the sizes of a segment's blocks.
void Segments::append_planes(SumSegment& segment, std::span<const Block> blocks) {
  segment.colours_at = colours_.size();
  for (const Block& block : blocks) colours_.push_back(block.colour);
  segment.num_colours = keep_distinct(colours_, segment.colours_at);
  segment.sizes_at = sizes_.size();
  for (const Block& block : blocks) {
    sizes_.push_back({index_of(colours(segment), block.colour), block.length});
  }
  segment.num_sizes = keep_distinct(sizes_, segment.sizes_at);
}

// Appends the sets of a segment's cells: those that may be empty, and, for each plane, those that
// may have its colour.
void Segments::append_sets(const SumSegment& segment, const Plan& plan, const Word* may) {
  const int num_cells = segment.num_cells;
  const auto allows = [&](const Word* plane, int cell, bool outside) -> unsigned {
    return cell < 0 || cell >= num_cells ? outside : has_bit(plane, segment.from + cell);
  };
  unsigned set = 0b1111;
  for (int cell = -kMargin; cell < num_cells + kMargin; ++cell) {
    set = set >> 1 | allows(may, cell + 3, true) << 3;
    sets_.push_back(static_cast<uint8_t>(set));
  }
  for (const int32_t colour : colours(segment)) {
    const Word* filled = may + static_cast<size_t>(colour) * words_for(plan.length);
    for (int cell = 0; cell < num_cells; cell += 4) {
      set = 0;
      for (int i = 0; i < 4; ++i) set |= allows(filled, cell + i, false) << i;
      sets_.push_back(static_cast<uint8_t>(set));
    }
  }
}

}  // namespace nonosat
