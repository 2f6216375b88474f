// What every assumption about an open cell leads to by line propagation, the board left as it is.
//
// `Prober` keeps what it learns and goes on; this looks once and tells. Cost: a propagation for
// each value of each open cell.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "board/board.hpp"
#include "watch.hpp"

namespace nonosat {

struct Assumption {
  int cell, value;
  auto operator<=>(const Assumption&) const = default;
};

struct Outlook {
  // Assumptions that propagation refutes, by cell and value.
  std::vector<Assumption> refuted;

  // The first cell all of whose values settle the same further cells, and these; -1 without one,
  // or where anything is refuted.
  int either = -1;
  std::vector<Assumption> agreed;

  // The other assumptions, and how many (cell, value) pairs each rules out.
  std::vector<Assumption> open;
  std::vector<int64_t> ruled_out;
};

// Looks at the open cells of a board at its line fixpoint in order, until at least `most`
// assumptions are refuted; then the rest of the cells is not in `open`. Leaves the board as it was,
// also where it throws Stopped.
Outlook look_ahead(Board& board, int most, Watch& watch);

}  // namespace nonosat
