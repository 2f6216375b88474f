// An assumption about a board that is taken back however its scope is left.
#pragma once

#include <cstdint>

#include "board/board.hpp"
#include "watch.hpp"

namespace nonosat {

// Everything that happens to the board during the life of a trial is undone at its end, also where
// an exception ends it. Trials nest as scopes do. Undoing costs the words that changed.
class Trial {
 public:
  explicit Trial(Board& board) : board_(board), mark_(board.mark()) {}
  ~Trial() { board_.undo(mark_); }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  // For Board::changes_since: what the trial has changed so far.
  size_t mark() const { return mark_; }

 private:
  Board& board_;
  size_t mark_;
};

// What a value of a cell led to: whether the lines allow it, and how many (cell, value) pairs were
// ruled out, the other values of the cell among them; of a refuted value those until then.
struct Branch {
  bool is_consistent;
  int64_t num_ruled_out;
};

// Assumes a value of an open cell of a board at its line fixpoint, propagates, and takes that back.
// Before that calls `visit(is_consistent, mark)`, with the mark for Board::changes_since.
template <class Visit>
Branch try_value(Board& board, int cell, int value, Watch& watch, Visit visit) {
  const int64_t num_pairs = board.num_pairs();
  const Trial trial(board);
  board.assign(cell, value);
  const bool is_consistent = board.propagate(watch);
  visit(is_consistent, trial.mark());
  return {is_consistent, num_pairs - board.num_pairs()};
}

// While it lives, the board collects the zones that it looks at in `zones`, see Board::trace.
// Around a trial: what a trial takes back has changed nothing, so no zone's version should move.
class Tracing {
 public:
  Tracing(Board& board, Word* zones) : board_(board) { board_.trace(zones); }
  ~Tracing() { board_.trace(nullptr); }
  Tracing(const Tracing&) = delete;
  Tracing& operator=(const Tracing&) = delete;

 private:
  Board& board_;
};

}  // namespace nonosat
