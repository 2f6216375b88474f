#include "search/search.hpp"

#include <utility>

namespace nonosat {
namespace {

constexpr size_t kSplitterBytes = size_t{1} << 24;
constexpr size_t kMaxSplitCells = 2000;  // of a region that may be split
// Maximal number of decisions at which regions are split. Splitting at every node costs more than
// it saves: 50 puzzles of taai2011 took 7603 instead of 8436 nodes, but 3.2 instead of 2.2 s
// (benchmarks/native/SEARCH.md).
constexpr size_t kMaxSplitDepth = 5;

}  // namespace

template <class AnyBoard>
Search<AnyBoard>::Search(AnyBoard& board, int64_t nodes_before)
    : Search(board, Prober<AnyBoard>(board), nodes_before) {}

template <class AnyBoard>
Search<AnyBoard>::Search(AnyBoard& board, const Prober<AnyBoard>& prober, int64_t nodes_before)
    : board_(board),
      prober_(prober, board),
      strips_(kSplitterBytes),
      splitter_(board, strips_),
      nodes_before_(nodes_before) {}

template <class AnyBoard>
SearchOutcome Search<AnyBoard>::next(Watch& watch, int64_t budget) {
  const int64_t budget_end = watch.done() + budget;
  if (budget <= 0) return SearchOutcome::kBudget;
  if (!is_started_) {
    start();
  } else if (region_ < 0) {
    exhausted_ = !backtrack(watch);
  }
  while (!exhausted_ && region_ >= 0) {
    const Progress progress = decisions_.empty() ? prober_.run(watch, budget_end)
                                                 : prober_.run_briefly(watch, budget_end);
    if (progress == Progress::kBudget) return SearchOutcome::kBudget;
    if (progress == Progress::kContradiction) {
      exhausted_ = !backtrack(watch);
    } else if (prober_.best_cell() < 0) {
      finish_region();
    } else if (!split_region(watch)) {
      branch(watch);
    }
  }
  return exhausted_ ? SearchOutcome::kExhausted : SearchOutcome::kSolution;
}

// Makes the whole board the first region.
template <class AnyBoard>
void Search<AnyBoard>::start() {
  is_started_ = true;
  regions_.push_back({.cells = board_.open_cells()});
  region_ = 0;
}

// Makes a region the current one; -1 if the board is complete.
template <class AnyBoard>
void Search<AnyBoard>::enter_region(int32_t region) {
  if (region == region_) return;
  region_ = region;
  if (region >= 0) prober_.focus(regions_[region].cells);
}

// Marks the current region as solvable, because it is filled, and enters the next one. A parent is
// filled when its last part is.
template <class AnyBoard>
void Search<AnyBoard>::finish_region() {
  int32_t filled = region_;
  const int32_t next = regions_[region_].next;
  for (; filled >= 0 && regions_[filled].next == next; filled = regions_[filled].parent) {
    regions_[filled].is_solvable = true;
  }
  enter_region(next);
}

// Decides the prober's best cell of the region and propagates. Precondition: the prober is at its
// fixpoint.
template <class AnyBoard>
void Search<AnyBoard>::branch(Watch& watch) {
  ++num_nodes_;
  const int cell = prober_.best_cell(), value = prober_.best_value();
  decisions_.push_back({board_.mark(), cell, value, region_, regions_.size()});
  board_.assign(cell, value);
  if (!board_.propagate(watch)) exhausted_ = !backtrack(watch);
}

// Splits the current region into independent parts and enters the first of them; false if there is
// only one part.
template <class AnyBoard>
bool Search<AnyBoard>::split_region(Watch& watch) {
  const std::vector<int>& cells = regions_[region_].cells;
  if (num_nodes_ < nodes_before_ || decisions_.size() > kMaxSplitDepth) return false;
  if (!can_split_ || cells.size() > kMaxSplitCells) return false;
  std::vector<Component> parts;
  try {
    parts = splitter_.split(cells, watch);
  } catch (const TooLarge&) {  // a line is too long
    can_split_ = false;
  }
  if (parts.size() < 2) return false;
  // The largest part is searched first, because the others are searched again for each of its
  // fillings.
  int32_t next = regions_[region_].next;
  const int32_t parent = region_;
  for (Component& part : parts) {
    regions_.push_back({std::move(part.cells), parent, next, decisions_.size()});
    next = static_cast<int32_t>(regions_.size()) - 1;
  }
  enter_region(next);
  return true;
}

// Undoes all decisions but the first `num_decisions`, and removes the regions created after them.
template <class AnyBoard>
void Search<AnyBoard>::undo_to(size_t num_decisions) {
  if (num_decisions == decisions_.size()) return;
  board_.undo(decisions_[num_decisions].mark);
  regions_.resize(decisions_[num_decisions].num_regions);
  decisions_.resize(num_decisions);
}

// Backtracks to the next unexplored branch; false if there is none. The current region has no
// further filling here. If it never had one, other decisions in the regions before it cannot help:
// they are skipped, back to a decision in this region or to the decisions at which it was created.
// Leaves the board at a line fixpoint, with the refuted value removed.
template <class AnyBoard>
bool Search<AnyBoard>::backtrack(Watch& watch) {
  int32_t failed = region_;
  while (!decisions_.empty()) {
    const Decision last = decisions_.back();
    if (failed < 0 || last.region == failed || regions_[failed].is_solvable) {
      undo_to(decisions_.size() - 1);
      board_.remove(last.cell, last.value);
      prober_.count_failure(last.cell);
      enter_region(failed = last.region);
      if (board_.propagate(watch)) return true;
    } else {
      undo_to(regions_[failed].num_decisions);
      failed = regions_[failed].parent;
    }
  }
  return false;
}

template class Search<Board>;
template class Search<LaneBoard>;

}  // namespace nonosat
