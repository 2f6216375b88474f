// What the bindings share: boards that others of their arguments rely on.
#pragma once

#include <nanobind/nanobind.h>

#include "board/board.hpp"

namespace nonosat {

// Only propagation and prices know lines whose clue was left out.
inline void check_whole(const Board& board) {
  for (int line = 0; line < board.height() + board.width(); ++line) {
    if (board.is_left_out(line)) {
      throw nanobind::value_error("a board is expected of which no clue was left out");
    }
  }
}

// What works on the fillings that are left would look for lines that have none.
inline void check_settled(const Board& board) {
  check_whole(board);
  if (board.is_settled()) return;
  throw nanobind::value_error(
      "a board at its line fixpoint is expected: use one whose `propagate` has returned True, "
      "with nothing assigned since");
}

}  // namespace nonosat
