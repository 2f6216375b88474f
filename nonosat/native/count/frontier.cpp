#include "count/frontier.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace nonosat {
namespace {

constexpr int kShardBits = 7;
constexpr size_t kShards = size_t{1} << kShardBits;
// Units of work after which a thread reports them.
constexpr int64_t kReported = 500, kReportedShared = 50'000;

uint64_t hash_of(const uint64_t* state, int num_words) {
  uint64_t hash = 0;
  for (int i = 0; i < num_words; ++i) {
    hash = (hash ^ state[i]) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return hash * 0xff51afd7ed558ccdu;
}

// Returns the number of words for any count: there are no more partial fillings than combined
// fillings of the strips in one direction.
int count_words(const Component& component) {
  double rows = 0, columns = 0;
  for (const Strip& strip : component.rows) rows += strip.segment->log_fillings;
  for (const Strip& strip : component.columns) columns += strip.segment->log_fillings;
  return 1 + static_cast<int>((std::min(rows, columns) * (1 + 1e-9) + 1) / 64);
}

}  // namespace

// Sequence of the cells of a component along its rows, or along its columns.
class Frontier::CellSequence {
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
class Frontier::Layout {
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

// States.

void Frontier::Table::clear() {
  if (entries_.empty()) return;
  entries_.clear();
  std::fill(slots_.begin(), slots_.end(), kFree);
}

void Frontier::Table::add(uint64_t hash, const uint64_t* entry) {
  if (2 * size() >= slots_.size()) grow();
  uint32_t& slot = find(hash, entry);
  if (slot == kFree) {
    entries_.insert(entries_.end(), entry, entry + entry_words_);
    slot = static_cast<uint32_t>(size());
    return;
  }
  uint64_t* sum = &entries_[(slot - 1) * static_cast<size_t>(entry_words_)];
  bool carry = false;
  for (int i = words_; i < entry_words_; ++i) sum[i] = add_with_carry(sum[i], entry[i], carry);
}

// Returns the slot of a state, or the free slot for it (open addressing, linear probing). Slots
// hold the number of an entry, plus 1.
uint32_t& Frontier::Table::find(uint64_t hash, const uint64_t* state) {
  const size_t mask = slots_.size() - 1;
  for (size_t at = slot_of(hash);; at = (at + 1) & mask) {
    const uint32_t slot = slots_[at];
    if (slot == kFree || std::equal(state, state + words_, entry(slot - 1))) return slots_[at];
  }
}

void Frontier::Table::grow() {
  slots_.assign(4 * slots_.size(), kFree);
  for (size_t at = 0; at < size(); ++at) {
    find(hash_of(entry(at), words_), entry(at)) = static_cast<uint32_t>(at + 1);
  }
}

size_t Frontier::Layer::size() const {
  size_t size = 0;
  for (size_t shard = 0; shard < num_used; ++shard) size += shards[shard]->table.size();
  return size;
}

size_t Frontier::Layer::num_bytes() const {
  size_t num_bytes = 0;
  for (const auto& shard : shards) num_bytes += shard->table.num_bytes();
  return num_bytes;
}

// Steps.

Frontier::Frontier(const Component& component, size_t max_bytes)
    : num_count_words_(count_words(component)), max_bytes_(max_bytes) {
  const CellSequence by_rows(component.rows, component.columns),
      by_columns(component.columns, component.rows);
  const CellSequence& sequence =
      by_columns.log_states() < by_rows.log_states() ? by_columns : by_rows;
  const Layout layout(sequence);
  steps_ = sequence.steps();
  along_ = layout.along, across_ = layout.across, num_words_ = layout.num_words();
  use_shards(now_, 1);
  std::vector<uint64_t> start(entry_words(), 0);
  start[num_words_] = 1;
  Table& table = now_.shards[0]->table;
  table.add(hash_of(start.data(), num_words_), start.data());
}

bool Frontier::run(int64_t work, Crew& crew, Watch& watch) {
  work_left_ = work;
  outboxes_.resize(crew.size());
  while (step_ < steps_.size()) {
    if (is_full_ || !advance(crew, watch)) return false;
  }
  return true;
}

void Frontier::use_shards(Layer& layer, size_t number) {
  while (layer.shards.size() < number) {
    layer.shards.push_back(std::make_unique<Shard>(num_words_, num_count_words_));
  }
  layer.num_used = number;
}

// Advances over one cell; false if the work or the memory is exceeded. The states before it are
// kept until all states after it are known.
bool Frontier::advance(Crew& crew, Watch& watch) {
  const auto num_states = static_cast<int64_t>(now_.size());
  const bool is_shared = crew.num_for(work_of(2) * num_states, 1) > 1;
  use_shards(next_, is_shared ? kShards : 1);
  ++attempt_;
  num_bytes_ = now_.num_bytes() + next_.num_bytes();
  num_parts_ = static_cast<int64_t>(std::max(now_.num_used, next_.num_used));
  for (Outbox& outbox : outboxes_) {
    outbox.words.resize(next_.num_used * kBatch * (1 + entry_words()));
    outbox.sizes.assign(next_.num_used, 0);
    outbox.entry.resize(entry_words());
  }
  if (is_shared) {
    const auto extend_part = [&](int thread, int64_t part, Watch& own) {
      extend(part, outboxes_[thread], own);
    };
    crew.each(num_parts_, extend_part, watch);
    const auto deliver_part = [&](int, int64_t part, Watch&) { deliver_all(outboxes_[part]); };
    crew.each(std::ssize(outboxes_), deliver_part, watch);
  } else {
    for (int64_t part = 0; part < num_parts_; ++part) extend(part, outboxes_[0], watch);
    deliver_all(outboxes_[0]);
  }
  if (is_full_ || work_left_ < 0) return false;
  for (const auto& shard : next_.shards) {
    if (shard->attempt != attempt_) shard->table.clear();
  }
  std::swap(now_, next_);
  ++step_;
  return true;
}

// Extends some states of the layer: those of a shard, or an equal share of the only shard.
void Frontier::extend(int64_t part, Outbox& outbox, Watch& watch) {
  const bool is_divided = now_.num_used > 1;
  const Table& from = now_.shards[is_divided ? part : 0]->table;
  const size_t piece = is_divided ? 0 : part, num_pieces = is_divided ? 1 : num_parts_;
  const int64_t most = num_parts_ > 1 ? kReportedShared : kReported;
  int64_t spent = 0;
  for (size_t at = from.size() * piece / num_pieces, end = from.size() * (piece + 1) / num_pieces;
       at < end; ++at) {
    const int64_t num_arcs = extend_entry(steps_[step_], from.entry(at), outbox);
    const int64_t work = work_of(num_arcs);
    watch.work(work);
    if ((spent += work) < most && at + 1 < end) continue;
    work_left_ -= std::exchange(spent, 0);
    if (work_left_ < 0 || is_full_) return;
  }
}

// Both lines of the cell follow arcs of the same value. Returns the number of new states.
int64_t Frontier::extend_entry(const Step& step, const uint64_t* entry, Outbox& outbox) {
  const Field across = across_[step.field];
  const int along_state = along_.get(entry), across_state = across.get(entry);
  int64_t num_arcs = 0;
  for (const Arc& one : step.along->node(step.along_layer, along_state)) {
    if (one.value < 0) break;
    for (const Arc& other : step.across->node(step.across_layer, across_state)) {
      if (other.value != one.value) continue;
      std::copy_n(entry, entry_words(), outbox.entry.begin());
      along_.flip(outbox.entry.data(), along_state, one.target);
      across.flip(outbox.entry.data(), across_state, other.target);
      post(outbox);
      ++num_arcs;
    }
  }
  return num_arcs;
}

void Frontier::post(Outbox& outbox) {
  const uint64_t hash = hash_of(outbox.entry.data(), num_words_);
  const size_t shard = next_.num_used > 1 ? hash >> (64 - kShardBits) : 0;
  const size_t at = shard * kBatch + static_cast<size_t>(outbox.sizes[shard]++);
  uint64_t* place = &outbox.words[at * (1 + entry_words())];
  place[0] = hash;
  std::copy_n(outbox.entry.data(), entry_words(), place + 1);
  if (outbox.sizes[shard] == kBatch) deliver(shard, outbox);
}

void Frontier::deliver(size_t shard, Outbox& outbox) {
  Shard& to = *next_.shards[shard];
  const int stride = 1 + entry_words(), size = std::exchange(outbox.sizes[shard], 0);
  const uint64_t* begin = &outbox.words[shard * kBatch * stride];
  const std::lock_guard lock(to.mutex);
  if (std::exchange(to.attempt, attempt_) != attempt_) to.table.clear();
  const size_t num_bytes = to.table.num_bytes();
  for (int i = 0; i < size; ++i) to.table.prefetch(begin[i * stride]);
  for (int i = 0; i < size; ++i) to.table.add(begin[i * stride], begin + i * stride + 1);
  num_bytes_ += to.table.num_bytes() - num_bytes;
  if (num_bytes_ > max_bytes_) is_full_ = true;
}

void Frontier::deliver_all(Outbox& outbox) {
  for (size_t shard = 0; shard < outbox.sizes.size(); ++shard) {
    if (outbox.sizes[shard]) deliver(shard, outbox);
  }
}

Natural Frontier::count() const {
  for (const auto& shard : now_.shards) {
    if (!shard->table.size()) continue;
    return Natural(std::span(shard->table.entry(0) + num_words_, size_t(num_count_words_)));
  }
  return Natural();
}

}  // namespace nonosat
