// Propagation and probing of a board that write down what they deduce, in order.
//
// Invariant: each step follows from the clues and the steps before it by looking at one line, or at
// the values of one cell, under at most one assumption.
#pragma once

#include <cstdint>
#include <vector>

#include "board/board.hpp"
#include "board/probe.hpp"
#include "watch.hpp"

namespace nonosat {

class Deduction {
 public:
  // A cell does not have a value, where `if_cell` (-1: in any case) has `if_value`.
  struct Step {
    int32_t cell, value, if_cell, if_value;
  };

  // Works on `board`, of which nothing has been propagated yet, and sets a mark on it that stays:
  // the trail from there on is what the steps are read from.
  explicit Deduction(Board& board);

  // As `Board::propagate` and `Prober::run`, with their results and costs; a probe that teaches
  // something is made twice. Throws Stopped; the steps so far are sound then.
  bool propagate(Watch& watch);
  Progress probe(Watch& watch, int64_t budget_end);

  // The steps since the last call, in the order in which they follow.
  std::vector<Step> take_steps();

 private:
  void replay(int cell, Watch& watch);
  void note(size_t mark, int if_cell, int if_value);
  void note_new();

  Board& board_;
  Prober prober_;
  size_t noted_;  // of the board's trail, in the main branch
  std::vector<Step> steps_;
};

}  // namespace nonosat
