#include "count/counter.hpp"

#include <algorithm>
#include <utility>

#include "board/probe.hpp"
#include "board/trial.hpp"
#include "count/frontier.hpp"

namespace nonosat {
namespace {

constexpr int64_t kFirstTurn = 1 << 20;  // units of work
constexpr int64_t kTurnGrowth = 4;
// Work of a frontier, as a multiple of the work of a turn of branching. It is more than one turn,
// because a frontier that is not completed cannot be continued.
constexpr int64_t kFrontierTurn = 2;
constexpr int64_t kLongestTurn = int64_t{1} << 58;
// Limit of a frontier inside kInOrder, which does not probe.
constexpr int64_t kOrderedWork = 20'000;
// Number of nested decisions, limited for the stack: browsers give WebAssembly about a megabyte.
#ifdef __wasm__
constexpr int kMaxDepth = 500;
#else
constexpr int kMaxDepth = 3000;
#endif

}  // namespace

Counter::Counter(Board& board, size_t max_bytes)
    : board_(board),
      max_bytes_(max_bytes),
      splitter_(board, max_bytes / 8),
      counts_(max_bytes / 8),
      turn_work_(kFirstTurn) {}

bool Counter::run(Watch& watch, int64_t budget) {
  const int64_t end = watch.done() + budget;
  was_stopped_ = false;
  if (!has_begun_) begin(watch);
  while (!is_exact() && watch.done() < end) {
    if (!parts_[part_].tally.is_exact) work_on(parts_[part_], watch);
    if (was_stopped_) throw Stopped{};
    turn();
  }
  return is_exact();
}

// Selects the next turn: the three methods for one part, then the next part, and after the last one
// longer turns. So no method ever gets much more work than the others.
void Counter::turn() {
  method_ = static_cast<Method>((static_cast<int>(method_) + 1) % 3);
  if (method_ != Method::kFrontier || ++part_ < parts_.size()) return;
  part_ = 0;
  turn_work_ = std::min(kTurnGrowth * turn_work_, kLongestTurn);
}

// Propagates the board to its fixpoint and splits it. May be called again after it was stopped.
void Counter::begin(Watch& watch) {
  const int64_t before = watch.done();
  is_contradictory_ = !board_.propagate(watch);
  if (!is_contradictory_) {
    for (Component& component : splitter_.split(board_.open_cells(), watch)) {
      parts_.push_back({std::move(component), {Natural(), false}, {}});
    }
  }
  statistics_.num_components = static_cast<int64_t>(parts_.size());
  // If the diagrams alone cost more than a turn, each node of a search would cost as much.
  turn_work_ = std::max(turn_work_, watch.done() - before);
  has_begun_ = true;
}

// Runs one turn for one part. Its tally becomes exact, or the larger of two lower bounds.
void Counter::work_on(Part& part, Watch& watch) {
  if (method_ == Method::kFrontier) {
    const auto exact =
        count_by_frontier(part.component, {kFrontierTurn * turn_work_, max_bytes_ / 2}, watch);
    if (!exact) return;
    ++statistics_.num_frontiers;
    part.tally = {*exact, true};
  } else {
    work_end_ = watch.done() + turn_work_;
    Tally found = branch(part.component, watch);
    if (found.is_exact || part.tally.value < found.value) part.tally = std::move(found);
  }
}

// Returns the product of the counts of the components of some cells, on a board at a fixpoint.
Counter::Tally Counter::count_cells(const std::vector<int>& cells, Watch& watch) {
  const std::vector<Component> components = splitter_.split(cells, watch);
  Tally product{Natural(1), true};
  for (const Component& component : components) {
    if (is_spent(watch)) return {Natural(), false};
    const Tally factor = count_component(component, watch);
    if (factor.is_exact && factor.value.is_zero()) return factor;
    product.value = product.value * factor.value;
    product.is_exact &= factor.is_exact;
  }
  return product;
}

// Returns the count of one component, from the cache if possible. The recursion ends, since the
// components are smaller than the one that was branched on.
Counter::Tally Counter::count_component(const Component& component, Watch& watch) {
  if (component.cells.size() == 1) {
    return {Natural(static_cast<uint64_t>(board_.num_left(component.cells[0]))), true};
  }
  const std::vector<uint64_t> key = component.key();
  if (const Natural* known = counts_.find(key)) {
    ++statistics_.num_recalled;
    return {*known, true};
  }
  const Tally tally = branch(component, watch);
  if (tally.is_exact) counts_.put(key, tally.value);
  return tally;
}

// Counts a component by branching on one of its cells, or by a cheaper method. If the watch stops,
// the tally is a lower bound, and `was_stopped_` makes the callers return: an exception would
// discard their sums. The board is unchanged afterwards.
Counter::Tally Counter::branch(const Component& component, Watch& watch) {
  if (depth_ == kMaxDepth) return {Natural(), false};
  ++depth_;
  Tally tally{Natural(), false};
  try {
    tally = method_ == Method::kInOrder
                ? count_settled(component, first_cell(component), kOrderedWork, watch)
                : count_probed(component, watch);
  } catch (const Stopped&) {
    was_stopped_ = true;
  } catch (...) {
    --depth_;
    throw;
  }
  --depth_;
  return tally;
}

// Returns the first cell in the order along the shorter lines, in which equal components recur.
int Counter::first_cell(const Component& component) const {
  const auto first = [](const std::vector<Strip>& strips) { return strips.front().line; };
  const auto span = [](const std::vector<Strip>& strips) {
    return strips.back().line - strips.front().line;
  };
  if (span(component.columns) <= span(component.rows)) return component.cells.front();
  const int column = first(component.columns) - board_.height();
  const auto in_column = [&](int cell) { return cell % board_.width() == column; };
  return *std::find_if(component.cells.begin(), component.cells.end(), in_column);
}

// Probes the cells of a component. If that removes any value, counts the remaining components.
Counter::Tally Counter::count_probed(const Component& component, Watch& watch) {
  const Trial all(board_);
  const int64_t before = watch.done();
  const Branching found = probe(component, watch);
  if (!found.is_consistent) return {Natural(), true};
  if (is_spent(watch)) return {Natural(), false};
  if (found.has_learned) return count_cells(component.cells, watch);
  return count_settled(component, found.cell, watch.done() - before, watch);
}

// Counts by a frontier if that takes at most `work` units, else by branching on the cell.
Counter::Tally Counter::count_settled(const Component& component, int cell, int64_t work,
                                      Watch& watch) {
  if (const auto exact = count_by_frontier(component, {work, max_bytes_ / 2}, watch)) {
    ++statistics_.num_frontiers;
    return {*exact, true};
  }
  return sum_over_values(component, cell, watch);
}

// Returns the sum over the values of an open cell, each assumed and propagated. If it ends early,
// the sum is a lower bound.
Counter::Tally Counter::sum_over_values(const Component& component, int cell, Watch& watch) {
  ++statistics_.num_nodes;
  Tally sum{Natural(), true};
  try {
    for (int value = 0; value < board_.num_values(); ++value) {
      if (!board_.may(cell, value)) continue;
      try_value(board_, cell, value, watch, [&](bool is_consistent, size_t) {
        if (!is_consistent) return;
        const Tally found = count_cells(component.cells, watch);
        sum.value += found.value;
        sum.is_exact &= found.is_exact;
      });
    }
  } catch (const Stopped&) {
    was_stopped_ = true;
    sum.is_exact = false;
  }
  return sum;
}

// Probes each cell once, to remove refuted values and to choose the cell to branch on.
Counter::Branching Counter::probe(const Component& component, Watch& watch) {
  Branching found;
  for (const int cell : component.cells) {
    if (is_spent(watch)) break;
    if (board_.num_left(cell) > 1 && !probe_cell(cell, found, watch)) {
      found.is_consistent = false;
      break;
    }
  }
  return found;
}

// Assumes each value of an open cell, removes the refuted ones, and makes it the cell to branch on
// if its score is the best so far. False at a contradiction. Unlike `Prober`, it does not probe the
// cell again after a refuted value, which counts for the score with its removals until the
// contradiction.
bool Counter::probe_cell(int cell, Branching& branching, Watch& watch) {
  int64_t least = INT64_MAX, total = 0;
  for (int value = 0; value < board_.num_values(); ++value) {
    if (!board_.may(cell, value)) continue;
    const Branch tried = try_value(board_, cell, value, watch, [](bool, size_t) {});
    least = std::min(least, tried.num_ruled_out);
    total += tried.num_ruled_out;
    if (tried.is_consistent) continue;
    branching.has_learned = true;
    board_.remove(cell, value);
    if (!board_.propagate(watch)) return false;
    if (board_.num_left(cell) < 2) return true;
  }
  const double score = branching_score(least, total);
  if (score > branching.score) branching.score = score, branching.cell = cell;
  return true;
}

void Counter::note(const std::vector<uint8_t>& cells) {
  for (Part& part : parts_) {
    std::vector<uint8_t> mine;
    for (const int cell : part.component.cells) mine.push_back(cells[cell]);
    part.recorded.insert(std::move(mine));
  }
}

std::vector<int32_t> Counter::component_of_cells() const {
  std::vector<int32_t> numbers(num_cells(), -1);
  for (size_t number = 0; number < parts_.size(); ++number) {
    for (const int cell : parts_[number].component.cells) {
      numbers[cell] = static_cast<int32_t>(number);
    }
  }
  return numbers;
}

Natural Counter::total() const {
  if (is_contradictory_ || !has_begun_) return Natural();
  Natural product(1);
  for (const Part& part : parts_) {
    const Natural recorded(part.recorded.size());
    const bool is_less = !part.tally.is_exact && part.tally.value < recorded;
    product = product * (is_less ? recorded : part.tally.value);
  }
  return product;
}

bool Counter::is_exact() const {
  if (!has_begun_) return false;
  const auto exact = [](const Part& part) { return part.tally.is_exact; };
  const auto none = [&](const Part& part) { return exact(part) && part.tally.value.is_zero(); };
  return is_contradictory_ || std::all_of(parts_.begin(), parts_.end(), exact) ||
         std::any_of(parts_.begin(), parts_.end(), none);
}

}  // namespace nonosat
