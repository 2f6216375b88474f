// Dives: greedy search for a solution in which every block starts as early as possible.
//
// A dive visits the open cells line by line in a fixed order. It fills each cell and propagates; if
// that is refuted, the cell is empty. A dive never backtracks: it ends at a solution, or at a cell
// without a value left. A position that is early in one order is late in another, so there is a
// dive for each order: by rows or by columns, from the first line or the last one, and in each line
// from the left, from the right, or from both ends alternately.
//
// Structured puzzles are solved by a dive with a handful of decisions while clause learning needs
// thousands of conflicts: a staircase of n dominoes takes n - 2. On random pictures dives end early
// and cost little (benchmarks/native/PRICES.md).
//
// Invariant: a result is a solution; no result proves nothing. At most two propagations for each
// cell and value; memory is a copy of the board and its changed words.
// Source: the "lucky phases" of CaDiCaL (A. Biere and others, 2019), which do the same with unit
// propagation over variables in their order.
#pragma once

#include <cstdint>
#include <vector>

#include "board/board.hpp"
#include "watch.hpp"

namespace nonosat {

class Dives {
 public:
  // Works on a copy of a board, which must be at its line fixpoint.
  explicit Dives(const Board& board) : board_(board) {}

  // True: `cells` is a solution. False: no order leads to one, or `budget` units of work were
  // spent. Throws Stopped. Another call starts from the beginning.
  bool run(Watch& watch, int64_t budget);

  // Value of each cell of the solution; empty without one.
  const std::vector<uint8_t>& cells() const { return found_; }
  int64_t num_decisions() const { return num_decisions_; }

 private:
  enum class Within { kForward, kBackward, kInward };
  // Order of the cells: by rows or by columns, from the first or the last of them, and inside each.
  struct Order {
    bool by_rows, from_last;
    Within within;
  };

  bool dive(const Order& order, Watch& watch, int64_t end);
  int cell_of(const Order& order, int line, int place) const;
  bool decide(int cell, Watch& watch);

  Board board_;
  std::vector<uint8_t> found_;
  int64_t num_decisions_ = 0;
};

}  // namespace nonosat
