#include "search/search.hpp"

#include <utility>

namespace nonosat {
namespace {

constexpr size_t kSplitterBytes = size_t{1} << 24;
constexpr size_t kMostCells = 2000;  // of a region that is looked at for parts
// Decisions below which regions are looked for. At every node that costs more than the nodes that
// it saves: 50 puzzles of taai2011 took 7603 instead of 8436 nodes, but 3.2 instead of 2.2 s
// (benchmarks/native/SEARCH.md).
constexpr size_t kDeepest = 5;

}  // namespace

Search::Search(Board& board, int64_t nodes_before) : Search(board, Prober(board), nodes_before) {}

Search::Search(Board& board, const Prober& prober, int64_t nodes_before)
    : board_(board),
      prober_(prober, board),
      splitter_(board, kSplitterBytes),
      nodes_before_(nodes_before) {}

Search::Outcome Search::next(Watch& watch, int64_t budget) {
  const int64_t budget_end = watch.done() + budget;
  if (budget <= 0) return Outcome::kBudget;
  if (!has_begun_) {
    begin();
  } else if (region_ < 0) {
    exhausted_ = !backtrack(watch);
  }
  while (!exhausted_ && region_ >= 0) {
    const Progress progress = decisions_.empty() ? prober_.run(watch, budget_end)
                                                 : prober_.run_briefly(watch, budget_end);
    if (progress == Progress::kBudget) return Outcome::kBudget;
    if (progress == Progress::kContradiction) {
      exhausted_ = !backtrack(watch);
    } else if (prober_.best_cell() < 0) {
      leave();
    } else if (!falls_apart(watch)) {
      branch(watch);
    }
  }
  return exhausted_ ? Outcome::kExhausted : Outcome::kSolution;
}

// The whole board is the first region.
void Search::begin() {
  has_begun_ = true;
  regions_.push_back({.cells = board_.open_cells()});
  region_ = 0;
}

// Makes a region the one being searched; -1 leaves the board complete.
void Search::enter(int32_t region) {
  if (region == region_) return;
  region_ = region;
  if (region >= 0) prober_.focus(regions_[region].cells);
}

// The region is filled: marks it as solvable and goes on to the next one. When the last region of a
// parent is filled, so is the parent.
void Search::leave() {
  int32_t filled = region_;
  const int32_t next = regions_[region_].next;
  for (; filled >= 0 && regions_[filled].next == next; filled = regions_[filled].parent) {
    regions_[filled].is_solvable = true;
  }
  enter(next);
}

// Decides the best cell of the region and propagates. Needs a fixpoint of the prober.
void Search::branch(Watch& watch) {
  ++num_nodes_;
  const int cell = prober_.best_cell(), value = prober_.best_value();
  decisions_.push_back({board_.mark(), cell, value, region_, regions_.size()});
  board_.assign(cell, value);
  if (!board_.propagate(watch)) exhausted_ = !backtrack(watch);
}

// Makes regions of the parts of the one being searched, and enters the first of them.
bool Search::falls_apart(Watch& watch) {
  const std::vector<int>& cells = regions_[region_].cells;
  if (num_nodes_ < nodes_before_ || decisions_.size() > kDeepest) return false;
  if (!can_split_ || cells.size() > kMostCells) return false;
  std::vector<Component> parts;
  try {
    parts = splitter_.split(cells, watch);
  } catch (const TooLarge&) {  // a very long line
    can_split_ = false;
  }
  if (parts.size() < 2) return false;
  // The largest is searched first: the others are searched again for each of its fillings.
  int32_t next = regions_[region_].next;
  const int32_t parent = region_;
  for (Component& part : parts) {
    regions_.push_back({std::move(part.cells), parent, next, decisions_.size()});
    next = static_cast<int32_t>(regions_.size()) - 1;
  }
  enter(next);
  return true;
}

// Takes back all decisions but the first `num_decisions`, with the regions that arose after them.
void Search::take_back(size_t num_decisions) {
  if (num_decisions == decisions_.size()) return;
  board_.undo(decisions_[num_decisions].mark);
  regions_.resize(decisions_[num_decisions].num_regions);
  decisions_.resize(num_decisions);
}

// Leaves the node for the next one in order; false when there is none. The region being searched
// has no further filling here. Where it never had one, no other choice in the regions before it
// helps either: their decisions are skipped, back to one inside this region or to the branch in
// which it arose. Leaves the board at a line fixpoint, with the refuted value removed.
bool Search::backtrack(Watch& watch) {
  int32_t failed = region_;
  while (!decisions_.empty()) {
    const Decision last = decisions_.back();
    if (failed < 0 || last.region == failed || regions_[failed].is_solvable) {
      take_back(decisions_.size() - 1);
      board_.remove(last.cell, last.value);
      prober_.blame(last.cell);
      enter(failed = last.region);
      if (board_.propagate(watch)) return true;
    } else {
      take_back(regions_[failed].num_decisions);
      failed = regions_[failed].parent;
    }
  }
  return false;
}

}  // namespace nonosat
