#include "count/frontier.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cost.hpp"

namespace nonosat {
namespace {

constexpr uint32_t kFree = 0;

// One cell of the sequence: its layers in the current strip and in the crossing strip.
struct Step {
  const Segment* along;
  const Segment* across;
  int along_layer, across_layer;
  int field;  // of the crossing line
};

// Bits of a state for the diagram state of one line; none if there is only one diagram state.
struct Field {
  int word = 0, shift = 0, bits = 0;

  int get(const uint64_t* state) const {
    return bits ? static_cast<int>(state[word] >> shift & ((uint64_t{1} << bits) - 1)) : 0;
  }
  void flip(uint64_t* state, int from, int to) const {
    if (bits) state[word] ^= static_cast<uint64_t>(from ^ to) << shift;
  }
};

// Hash table of states with their counts: `words` of a state, followed by `count_words` of its
// count.
class Table {
 public:
  Table(int words, int count_words)
      : words_(words), entry_words_(words + count_words), slots_(1024, kFree) {}

  int entry_words() const { return entry_words_; }
  size_t size() const { return entries_.size() / entry_words_; }
  size_t num_bytes() const { return 8 * entries_.capacity() + 4 * slots_.size(); }
  const uint64_t* entry(size_t at) const { return &entries_[at * entry_words_]; }

  void clear() {
    entries_.clear();
    std::fill(slots_.begin(), slots_.end(), kFree);
  }

  // Adds `count` to the count of a state, which is initially 0. The sum must fit into the words of
  // a count: see count_words.
  void add(const uint64_t* state, const uint64_t* count) {
    if (2 * size() >= slots_.size()) grow();
    uint32_t& slot = find(state);
    if (slot == kFree) {
      const size_t end = entries_.size();
      entries_.resize(end + entry_words_);
      std::copy_n(state, words_, &entries_[end]);
      std::copy_n(count, entry_words_ - words_, &entries_[end + words_]);
      slot = static_cast<uint32_t>(size());
      return;
    }
    uint64_t* sum = &entries_[(slot - 1) * static_cast<size_t>(entry_words_) + words_];
    bool carry = false;
    for (int i = 0; i < entry_words_ - words_; ++i)
      sum[i] = add_with_carry(sum[i], count[i], carry);
  }

 private:
  // Returns the slot of a state, or the free slot for it (open addressing, linear probing). Slots
  // hold the number of an entry, plus 1.
  uint32_t& find(const uint64_t* state) {
    uint64_t hash = 0;
    for (int i = 0; i < words_; ++i) {
      hash = (hash ^ state[i]) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 32;
    }
    const size_t mask = slots_.size() - 1;
    for (size_t at = hash * 0xff51afd7ed558ccdu >> 20 & mask;; at = (at + 1) & mask) {
      const uint32_t slot = slots_[at];
      if (slot == kFree || std::equal(state, state + words_, entry(slot - 1))) return slots_[at];
    }
  }

  void grow() {
    slots_.assign(4 * slots_.size(), kFree);
    for (size_t at = 0; at < size(); ++at) find(entry(at)) = static_cast<uint32_t>(at + 1);
  }

  int words_, entry_words_;
  std::vector<uint64_t> entries_;
  std::vector<uint32_t> slots_;
};

// Sequence of the cells of a component along its rows, or along its columns.
class CellSequence {
 public:
  CellSequence(const std::vector<Strip>& along, const std::vector<Strip>& across) {
    for (const Strip& strip : across) {
      const auto [field, is_new] = field_of_.try_emplace(strip.index, num_fields());
      if (is_new) crossing_.emplace_back();
      crossing_[field->second].strips.push_back(strip.segment.get());
    }
    for (const Strip& strip : along) {
      for (int layer = 0; layer < strip.segment->num_cells(); ++layer) {
        const int field = field_of_.at(strip.segment->places[layer]);
        const auto [segment, cross_layer] = crossing_[field].next();
        steps_.push_back({strip.segment.get(), segment, layer, cross_layer, field});
      }
    }
  }

  const std::vector<Step>& steps() const { return steps_; }
  int num_fields() const { return static_cast<int>(crossing_.size()); }

  // Binary logarithm of the largest number of states if all combinations occurred.
  double log_states() const {
    std::vector<double> logs(num_fields(), 0);
    double now = 0, most = 0;
    for (const Step& step : steps_) {
      now -= logs[step.field];
      logs[step.field] = std::log2(step.across->width(step.across_layer + 1));
      now += logs[step.field];
      most = std::max(most, now + std::log2(step.along->width(step.along_layer + 1)));
    }
    return most;
  }

 private:
  // Strips of a crossing line, visited cell by cell.
  struct Crossing {
    std::vector<const Segment*> strips;
    size_t at = 0;
    int layer = 0;

    std::pair<const Segment*, int> next() {
      if (layer == strips[at]->num_cells()) ++at, layer = 0;
      return {strips[at], layer++};
    }
  };

  std::unordered_map<int, int> field_of_;  // by index of the crossing line
  std::vector<Crossing> crossing_;         // by field
  std::vector<Step> steps_;
};

// Position of each line's field in a state. No field crosses a word boundary.
class Layout {
 public:
  explicit Layout(const CellSequence& sequence) {
    std::vector<int> widths(sequence.num_fields(), 1);
    int along_width = 1;
    for (const Step& step : sequence.steps()) {
      along_width = std::max(along_width, step.along->width(step.along_layer));
      widths[step.field] = std::max(widths[step.field], step.across->width(step.across_layer));
    }
    along = place(along_width);
    for (const int width : widths) across.push_back(place(width));
  }

  Field along;
  std::vector<Field> across;
  int num_words() const { return word_ + 1; }

 private:
  Field place(int width) {
    const int bits = std::bit_width(static_cast<unsigned>(width - 1));
    if (used_ + bits > 64) ++word_, used_ = 0;
    const Field field{word_, used_, bits};
    used_ += bits;
    return field;
  }

  int word_ = 0, used_ = 0;
};

// Returns the number of words for any count: there are no more partial fillings than combined
// fillings of the strips in one direction.
int count_words(const Component& component) {
  double rows = 0, columns = 0;
  for (const Strip& strip : component.rows) rows += strip.segment->log_fillings;
  for (const Strip& strip : component.columns) columns += strip.segment->log_fillings;
  return 1 + static_cast<int>((std::min(rows, columns) * (1 + 1e-9) + 1) / 64);
}

// Advances over one cell: `to`, initially empty, receives the states after it, with their counts.
// Both lines of the cell follow arcs of the same value. False, with `to` undefined, if the room is
// exceeded.
bool advance(const Step& step, const Layout& layout, const Table& from, Table& to, size_t max_bytes,
             int64_t work_end, Watch& watch) {
  const Field along = layout.along, across = layout.across[step.field];
  std::vector<uint64_t> state(layout.num_words());
  for (size_t at = 0; at < from.size(); ++at) {
    const uint64_t* entry = from.entry(at);
    const int along_state = along.get(entry), across_state = across.get(entry);
    int64_t num_arcs = 0;
    for (const Arc& one : step.along->node(step.along_layer, along_state)) {
      if (one.value < 0) break;
      for (const Arc& other : step.across->node(step.across_layer, across_state)) {
        if (other.value != one.value) continue;
        std::copy_n(entry, state.size(), state.begin());
        along.flip(state.data(), along_state, one.target);
        across.flip(state.data(), across_state, other.target);
        to.add(state.data(), entry + state.size());
        ++num_arcs;
      }
    }
    watch.work(from.entry_words() * cost::kFrontierWord * (1 + num_arcs));
    if (watch.done() > work_end || from.num_bytes() + to.num_bytes() > max_bytes) return false;
  }
  return true;
}

}  // namespace

std::optional<Natural> count_by_frontier(const Component& component, const FrontierRoom& room,
                                         Watch& watch) {
  watch.work(cost::kFrontierCell * static_cast<int64_t>(component.cells.size()));
  const CellSequence by_rows(component.rows, component.columns),
      by_columns(component.columns, component.rows);
  const CellSequence& sequence =
      by_columns.log_states() < by_rows.log_states() ? by_columns : by_rows;
  const Layout layout(sequence);
  const int num_count_words = count_words(component);
  Table now(layout.num_words(), num_count_words), next = now;
  std::vector<uint64_t> start(layout.num_words(), 0), one(num_count_words, 0);
  one[0] = 1;
  now.add(start.data(), one.data());
  const int64_t work_end = watch.done() + room.work;
  for (const Step& step : sequence.steps()) {
    next.clear();
    if (!advance(step, layout, now, next, room.max_bytes, work_end, watch)) return {};
    std::swap(now, next);
  }
  if (!now.size()) return Natural();
  return Natural(
      std::span(now.entry(0) + layout.num_words(), static_cast<size_t>(num_count_words)));
}

}  // namespace nonosat
