// Propagation and probing of a board that record their deductions in order.
//
// Invariant: each step follows from the clues and the earlier steps by the solution of one line, or
// by cases over the values of one cell, under at most one assumption.
#pragma once

#include <cstdint>
#include <vector>

#include "board/board.hpp"
#include "board/probe.hpp"
#include "watch.hpp"

namespace nonosat {

class Deduction {
 public:
  // Cell `cell` does not have `value`, if `if_cell` has `if_value` (unconditionally if `if_cell` is
  // -1).
  struct Step {
    int32_t cell, value, if_cell, if_value;
  };

  // Works on `board`, which must not have been propagated yet, and sets a mark on it that is never
  // undone: the steps are read from its trail.
  explicit Deduction(Board& board);

  // Like `Board::propagate` and `Prober::run`, with their results and costs; a probe that removes
  // values is made twice. Throws Stopped; the steps recorded until then are sound.
  bool propagate(Watch& watch);
  Progress probe(Watch& watch, int64_t budget_end);

  // Returns the steps since the last call, in the order of their derivation.
  std::vector<Step> take_steps();

 private:
  void replay(int cell, Watch& watch);
  void record(size_t mark, int if_cell, int if_value);
  void record_new();

  Board& board_;
  Prober<Board> prober_;
  size_t num_recorded_;  // changes of the board's trail recorded so far, without those under
                         // assumptions
  std::vector<Step> steps_;
};

}  // namespace nonosat
