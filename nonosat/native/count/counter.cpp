#include "count/counter.hpp"

#include <algorithm>
#include <utility>

namespace nonosat {
namespace {

constexpr int64_t kFirstTurn = 1 << 20;  // units of work
constexpr int64_t kTurnGrowth = 4;
// Work of a frontier, as a multiple of the work of a turn of branching: a component that both count
// takes a frontier less time.
constexpr int64_t kFrontierTurn = 2;
constexpr int64_t kLongestTurn = int64_t{1} << 58;
// Least work of a thread in a turn, in grains: about 17 ms, because each begins at the root. With a
// quarter of that, 16 threads took four times the work of one for a board of 0.4 s, when they did
// not yet divide probes.
constexpr int64_t kLeastShare = 16;
// Number of nested decisions, limited for the stack: browsers give WebAssembly about a megabyte,
// some systems half of that to further threads.
#ifdef __wasm__
constexpr int kMaxDepth = 500;
#else
constexpr int kMaxDepth = 3000;
#endif
constexpr int kMaxDepthOfOthers = 300;  // of about 1.2 KB each

void improve(Tally& best, Tally found) {
  if (!best.is_exact && (found.is_exact || best.value < found.value)) best = std::move(found);
}

}  // namespace

// Shares of memory: a half for a frontier of a whole part, 1/8 for counts, 1/8 for strips, 1/8 for
// the calling thread's frontiers, 1/8 for those of all other threads.
template <class AnyBoard>
Counter<AnyBoard>::Counter(AnyBoard& board, size_t max_bytes)
    : board_(board),
      max_bytes_(max_bytes),
      strips_(max_bytes / 8),
      counts_(max_bytes / 8),
      turn_work_(kFirstTurn) {
  workers_.push_back(std::make_unique<Worker>(*this, max_bytes / 8));
}

template <class AnyBoard>
Counter<AnyBoard>::Worker::Worker(Counter& counter, size_t max_bytes)
    : branching(counter.board_, counter.strips_, counter.counts_, max_bytes, kMaxDepth) {}

template <class AnyBoard>
Counter<AnyBoard>::Worker::Worker(Counter& counter, const AnyBoard& board, size_t max_bytes)
    : copy(board),
      branching(*copy, counter.strips_, counter.counts_, max_bytes, kMaxDepthOfOthers) {}

template <class AnyBoard>
bool Counter<AnyBoard>::run(Watch& watch, int64_t budget, int num_threads, int64_t grain) {
  const int64_t end = watch.done() + budget;
  Crew crew(num_threads, grain);
  was_stopped_ = false;
  if (!has_begun_) begin(watch);
  while (!is_exact() && watch.done() < end) {
    Part& part = parts_[part_];
    if (!part.tally.is_exact) {
      if (method_ == Method::kFrontier) {
        sweep(part, crew, watch);
      } else {
        branch(part, crew, watch);
      }
    }
    if (was_stopped_ && !is_exact()) throw Stopped{};
    turn();
  }
  return is_exact();
}

// Selects the next turn: the three methods for one part, then the next part, and after the last one
// longer turns. So no method ever gets much more work than the others.
template <class AnyBoard>
void Counter<AnyBoard>::turn() {
  method_ = static_cast<Method>((static_cast<int>(method_) + 1) % 3);
  if (method_ != Method::kFrontier || ++part_ < parts_.size()) return;
  part_ = 0;
  turn_work_ = std::min(kTurnGrowth * turn_work_, kLongestTurn);
}

// Propagates the board to its fixpoint and splits it. May be called again after it was stopped.
template <class AnyBoard>
void Counter<AnyBoard>::begin(Watch& watch) {
  const int64_t before = watch.done();
  is_contradictory_ = !board_.propagate(watch);
  if (!is_contradictory_) {
    for (Component& component : workers_[0]->branching.split(watch)) {
      parts_.push_back({std::move(component), {Natural(), false}, false, {}});
    }
  }
  // If the diagrams alone cost more than a turn, each node of a search would cost as much.
  turn_work_ = std::max(turn_work_, watch.done() - before);
  has_begun_ = true;
}

// Continues the frontier of a part, or begins one instead of that of another part.
template <class AnyBoard>
void Counter<AnyBoard>::sweep(Part& part, Crew& crew, Watch& watch) {
  part.is_wide |= !AnyBoard::kIsRectangle;
  if (part.is_wide) return;
  if (!frontier_ || frontier_part_ != part_) {
    frontier_.emplace(part.component, max_bytes_ / 2);
    frontier_part_ = part_;
  }
  if (frontier_->run(kFrontierTurn * turn_work_, crew, watch)) {
    ++num_swept_;
    part.tally = {frontier_->count(), true};
  } else if (frontier_->is_full()) {
    part.is_wide = true;
  } else {
    return;
  }
  frontier_.reset();
}

// Runs one turn of branching for one part. Its tally becomes exact, or the larger of two lower
// bounds.
template <class AnyBoard>
void Counter<AnyBoard>::branch(Part& part, Crew& crew, Watch& watch) {
  const auto order = method_ == Method::kInOrder ? Order::kInOrder : Order::kByScore;
  const int number = crew.num_for(turn_work_, kLeastShare);
  if (number > 1) add_workers(crew.size());
  counts_.begin_turn(turn_work_);
  std::vector<Tally> found(workers_.size(), {Natural(), false});
  const auto count = [&](int thread, int64_t, Watch& own) {
    auto& branching = workers_[thread]->branching;
    try {
      improve(found[thread], branching.count(part.component, order, number == 1, own));
    } catch (...) {
      counts_.end_turn();  // others may wait for a result of this thread
      throw;
    }
    if (found[thread].is_exact || branching.was_stopped()) counts_.end_turn();
  };
  try {
    crew.each(number, count, watch);
  } catch (const Stopped&) {
    was_stopped_ = true;
  }
  was_stopped_ |= workers_[0]->branching.was_stopped();
  for (Tally& tally : found) improve(part.tally, std::move(tally));
}

template <class AnyBoard>
void Counter<AnyBoard>::add_workers(int number) {
  while (std::ssize(workers_) < number) {
    workers_.push_back(std::make_unique<Worker>(*this, board_, max_bytes_ / 8 / (number - 1)));
  }
}

template <class AnyBoard>
typename Counter<AnyBoard>::Statistics Counter<AnyBoard>::statistics() const {
  Statistics sum{static_cast<int64_t>(parts_.size()), num_swept_, 0, 0};
  for (const auto& worker : workers_) {
    const auto& own = worker->branching.statistics();
    sum.num_frontiers += own.num_frontiers;
    sum.num_nodes += own.num_nodes;
    sum.num_recalled += own.num_recalled;
  }
  return sum;
}

template <class AnyBoard>
void Counter<AnyBoard>::note(const std::vector<uint8_t>& cells) {
  for (Part& part : parts_) {
    std::vector<uint8_t> mine;
    for (const int cell : part.component.cells) mine.push_back(cells[cell]);
    part.recorded.insert(std::move(mine));
  }
}

template <class AnyBoard>
std::vector<int32_t> Counter<AnyBoard>::component_of_cells() const {
  std::vector<int32_t> numbers(num_cells(), -1);
  for (size_t number = 0; number < parts_.size(); ++number) {
    for (const int cell : parts_[number].component.cells) {
      numbers[cell] = static_cast<int32_t>(number);
    }
  }
  return numbers;
}

template <class AnyBoard>
Natural Counter<AnyBoard>::total() const {
  if (is_contradictory_ || !has_begun_) return Natural();
  Natural product(1);
  for (const Part& part : parts_) {
    const Natural recorded(part.recorded.size());
    const bool is_less = !part.tally.is_exact && part.tally.value < recorded;
    product = product * (is_less ? recorded : part.tally.value);
  }
  return product;
}

template <class AnyBoard>
bool Counter<AnyBoard>::is_exact() const {
  if (!has_begun_) return false;
  const auto exact = [](const Part& part) { return part.tally.is_exact; };
  const auto none = [&](const Part& part) { return exact(part) && part.tally.value.is_zero(); };
  return is_contradictory_ || std::all_of(parts_.begin(), parts_.end(), exact) ||
         std::any_of(parts_.begin(), parts_.end(), none);
}

template class Counter<Board>;
template class Counter<LaneBoard>;

}  // namespace nonosat
