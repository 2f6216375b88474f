// What the bindings share: boards that others of their arguments rely on.
#pragma once

#include <nanobind/nanobind.h>

#include "board/board.hpp"

namespace nonosat {

// What works on the fillings that are left would look for lines that have none.
inline void check_settled(const Board& board) {
  if (board.is_settled()) return;
  throw nanobind::value_error(
      "a board at its line fixpoint is expected: use one whose `propagate` has returned True, "
      "with nothing assigned since");
}

}  // namespace nonosat
