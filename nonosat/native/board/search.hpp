// Depth-first search over a board: exact propagation and probing at every node, branching on the
// cell whose values settle most. Complete, deterministic, and can be asked for the next solution.
#pragma once

#include <cstdint>
#include <vector>

#include "board/board.hpp"
#include "board/probe.hpp"
#include "watch.hpp"

namespace nonosat {

class Search {
 public:
  enum class Outcome { kSolution, kExhausted, kBudget };

  // Works on `board`, which must be at a line fixpoint.
  explicit Search(Board& board);

  // Goes on to the next solution, which then stands on the board. kBudget: `budget` units of work
  // were spent; calling again goes on. After a Stopped exception it cannot be used any more.
  Outcome next(Watch& watch, int64_t budget);

  int64_t num_nodes() const { return num_nodes_; }

 private:
  struct Decision {
    size_t mark;
    int cell;
    int value;
  };

  // Takes the last decision back and excludes it; false when there is none left.
  bool backtrack(Watch& watch);

  Board& board_;
  Prober prober_;
  std::vector<Decision> decisions_;
  bool at_solution_ = false;
  bool exhausted_ = false;
  int64_t num_nodes_ = 0;
};

}  // namespace nonosat
