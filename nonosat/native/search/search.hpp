// Depth-first search over a board: exact propagation and probing at every node, branching on the
// cell whose values settle most. Complete, deterministic, and can be asked for the next solution.
//
// Where the open cells fall into regions that know nothing of each other, these are searched one
// after another. A region without any solution refutes the branch that it arose in, whatever was
// chosen in the regions before it; only what is solvable is multiplied out.
#pragma once

#include <cstdint>
#include <vector>

#include "board/board.hpp"
#include "board/probe.hpp"
#include "count/component.hpp"
#include "watch.hpp"

namespace nonosat {

class Search {
 public:
  enum class Outcome { kSolution, kExhausted, kBudget };

  // Works on `board`, which must be at a line fixpoint and may not change but by this. Regions are
  // looked for after so many nodes: most searches are over by then, and looking cost 300 random
  // 30x30 a tenth of their time.
  explicit Search(Board& board, int64_t nodes_before = 64);

  // The same on a copy of a prober's board as it is now. What the prober has tried is not tried
  // again before the first branch: that takes a millisecond of each board of 30x30.
  Search(Board& board, const Prober& prober, int64_t nodes_before = 64);

  // Goes on to the next solution, which then stands on the board; each is met once. kExhausted:
  // there are no others. kBudget: `budget` units of work were spent; calling again goes on. After a
  // Stopped exception it cannot be used any more. A node costs a propagation and a pass of probes;
  // memory is the board's trail and a decision a level.
  Outcome next(Watch& watch, int64_t budget);

  int64_t num_nodes() const { return num_nodes_; }

 private:
  // Invariant: as long as a region is there, the decisions below `num_decisions` stand.
  struct Region {
    std::vector<int> cells;    // open when it arose, ascending
    int32_t parent = -1;       // that fell apart into this one and others
    int32_t next = -1;         // to be searched behind this one
    size_t num_decisions = 0;  // when it arose
    bool is_solvable = false;  // a filling of it was found
  };

  struct Decision {
    size_t mark;
    int cell;
    int value;
    int32_t region;      // that the cell belongs to
    size_t num_regions;  // that there were
  };

  void begin();
  void enter(int32_t region);
  void leave();
  void branch(Watch& watch);
  bool falls_apart(Watch& watch);
  bool backtrack(Watch& watch);
  void take_back(size_t num_decisions);

  Board& board_;
  Prober prober_;
  Splitter splitter_;
  int64_t nodes_before_;
  bool can_split_ = true;
  std::vector<Region> regions_;
  int32_t region_ = -1;  // being searched; -1 at a solution
  std::vector<Decision> decisions_;
  bool has_begun_ = false;
  bool exhausted_ = false;
  int64_t num_nodes_ = 0;
};

}  // namespace nonosat
