// Scopes that undo assumptions about a board.
#pragma once

#include <cstdint>

#include "board/board.hpp"
#include "watch.hpp"

namespace nonosat {

// Undoes all changes of the board during its life, also if an exception ends it. Trials nest like
// scopes. Undoing costs the words that changed.
template <class AnyBoard>
class Trial {
 public:
  explicit Trial(AnyBoard& board) : board_(board), mark_(board.mark()) {}
  ~Trial() { board_.undo(mark_); }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  // Argument of Board::changes_since for the changes of the trial.
  size_t mark() const { return mark_; }

 private:
  AnyBoard& board_;
  size_t mark_;
};

// Result of an assumption: if it is consistent, and the number of (cell, value) pairs excluded,
// including the other values of the cell; for a refuted one, the number until the contradiction.
struct Branch {
  bool is_consistent;
  int64_t num_ruled_out;
};

// Assumes a value of an open cell of a board at its line fixpoint, propagates, calls
// `visit(is_consistent, mark)` with the mark for Board::changes_since, and undoes the assumption.
template <class AnyBoard, class Visit>
Branch try_value(AnyBoard& board, int cell, int value, Watch& watch, Visit visit) {
  const int64_t num_pairs = board.num_pairs();
  const Trial trial(board);
  board.assign(cell, value);
  const bool is_consistent = board.propagate(watch);
  visit(is_consistent, trial.mark());
  return {is_consistent, num_pairs - board.num_pairs()};
}

// During its life, the board collects the zones that it reads in `zones` (Board::trace). To be used
// around a trial: an undone trial leaves the board unchanged, so no version may change.
template <class AnyBoard>
class Tracing {
 public:
  Tracing(AnyBoard& board, Word* zones) : board_(board) { board_.trace(zones); }
  ~Tracing() { board_.trace(nullptr); }
  Tracing(const Tracing&) = delete;
  Tracing& operator=(const Tracing&) = delete;

 private:
  AnyBoard& board_;
};

}  // namespace nonosat
