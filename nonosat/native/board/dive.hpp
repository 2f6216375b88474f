// Dives: a look for a solution in which every block stands as early as it can.
//
// A dive takes the open cells line by line, in an order of reading. It fills each one and
// propagates; where the lines refute that, the cell is empty. A dive never goes back: it ends at a
// cell of which no value is left, or with a solution. What is early in one order is late in
// another, so there is a dive for each: by rows or by columns, from the first line or the last one,
// and in each line from the left, from the right, or from both ends in turn.
//
// Structured puzzles fall to a dive with a handful of decisions where clause learning needs
// thousands of conflicts: a staircase of n dominoes takes n - 2. On noise dives end soon, and cost
// little (benchmarks/native/PRICES.md).
//
// Invariant: what is found is a solution; that nothing is found proves nothing. At most two
// propagations a cell and value; memory is a copy of the board and its changed words.
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
  // Works on a copy of a board at its line fixpoint.
  explicit Dives(const Board& board) : board_(board) {}

  // True: `cells` are a solution. False: no order leads to one, or `budget` units of work were
  // spent. Throws Stopped. Another call begins anew.
  bool run(Watch& watch, int64_t budget);

  // What was found, a value a cell; empty before that.
  const std::vector<uint8_t>& cells() const { return found_; }
  int64_t num_decisions() const { return num_decisions_; }

 private:
  enum class Within { kForward, kBackward, kInward };
  // How the cells are read: rows or columns, from the last of them or the first, and their cells.
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
