// Helpers of the bindings: preconditions of boards that are arguments.
#pragma once

#include <nanobind/nanobind.h>

#include "board/board.hpp"
#include "board/lanes.hpp"

namespace nonosat {

// Throws ValueError if a clue was left out. Only propagation and prices support such boards.
inline void check_whole(const Board& board) {
  for (int line = 0; line < board.num_lines(); ++line) {
    if (board.is_left_out(line)) {
      throw nanobind::value_error("a board without left-out clues is expected");
    }
  }
}

inline void check_whole(const LaneBoard&) {}  // no clue of it can be left out

// Throws ValueError unless the board is at its line fixpoint and has all clues. Code that
// enumerates the remaining fillings of lines requires every line to have one.
template <class AnyBoard>
void check_settled(const AnyBoard& board) {
  check_whole(board);
  if (board.is_at_fixpoint()) return;
  throw nanobind::value_error(
      "a board at its line fixpoint is expected: use one whose `propagate` has returned True, "
      "with nothing assigned since");
}

}  // namespace nonosat
