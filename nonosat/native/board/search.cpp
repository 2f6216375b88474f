#include "board/search.hpp"

namespace nonosat {

Search::Search(Board& board) : board_(board), prober_(board) {}

Search::Outcome Search::next(Watch& watch, int64_t budget) {
  const int64_t budget_end = watch.done() + budget;
  if (at_solution_) {
    at_solution_ = false;
    exhausted_ = !backtrack(watch);
  }
  while (!exhausted_) {
    const Progress progress = decisions_.empty() ? prober_.run(watch, budget_end)
                                                 : prober_.run_briefly(watch, budget_end);
    if (progress == Progress::kBudget) return Outcome::kBudget;
    if (progress == Progress::kContradiction) {
      exhausted_ = !backtrack(watch);
    } else if (board_.is_complete()) {
      at_solution_ = true;
      return Outcome::kSolution;
    } else {
      ++num_nodes_;
      decisions_.push_back({board_.mark(), prober_.best_cell(), prober_.best_value()});
      board_.assign(prober_.best_cell(), prober_.best_value());
      if (!board_.propagate(watch)) exhausted_ = !backtrack(watch);
    }
  }
  return Outcome::kExhausted;
}

bool Search::backtrack(Watch& watch) {
  while (!decisions_.empty()) {
    const Decision last = decisions_.back();
    decisions_.pop_back();
    board_.undo(last.mark);
    board_.remove(last.cell, last.value);
    prober_.blame(last.cell);
    if (board_.propagate(watch)) return true;
  }
  return false;
}

}  // namespace nonosat
