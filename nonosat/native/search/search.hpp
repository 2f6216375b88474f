// Depth-first search over a board: complete propagation and probing at every node, branching on the
// cell whose values settle most. Complete, deterministic, resumable after each solution.
//
// If the open cells fall into regions that do not depend on each other, the regions are searched
// one after another. A region without a solution refutes the branch in which it was split off,
// whatever was decided in the regions before it; only solvable regions are combined.
#pragma once

#include <cstdint>
#include <vector>

#include "board/board.hpp"
#include "board/lanes.hpp"
#include "board/probe.hpp"
#include "count/component.hpp"
#include "watch.hpp"

namespace nonosat {

enum class SearchOutcome { kSolution, kExhausted, kBudget };

template <class AnyBoard>
class Search {
 public:
  // Searches on `board`, which must be at a line fixpoint and must not be modified by others.
  // Splitting into regions begins after `nodes_before` nodes: most searches end earlier, and with
  // splitting from the start 300 random 30x30 boards took a tenth longer.
  explicit Search(AnyBoard& board, int64_t nodes_before = 64);

  // Likewise, with a copy of a prober that has run on the current board. Values that the prober has
  // tried are not tried again before the first branch, which saves a millisecond per board of
  // 30x30.
  Search(AnyBoard& board, const Prober<AnyBoard>& prober, int64_t nodes_before = 64);

  // Finds the next solution and leaves it on the board; each solution is found once. Returns
  // kExhausted if there are no others, kBudget after `budget` units of work; the next call resumes.
  // After a Stopped exception the object is unusable. A node costs one propagation and one pass of
  // probes; memory is the board's trail and one decision per level.
  SearchOutcome next(Watch& watch, int64_t budget);

  int64_t num_nodes() const { return num_nodes_; }

 private:
  // Invariant: while a region exists, the first `num_decisions` decisions are unchanged.
  struct Region {
    std::vector<int> cells;    // open cells at its creation, ascending
    int32_t parent = -1;       // the region that was split into this one and others
    int32_t next = -1;         // the region to search after this one
    size_t num_decisions = 0;  // at its creation
    bool is_solvable = false;  // a filling of it was found
  };

  struct Decision {
    size_t mark;
    int cell;
    int value;
    int32_t region;      // that contains the cell
    size_t num_regions;  // before the decision
  };

  void start();
  void enter_region(int32_t region);
  void finish_region();
  void branch(Watch& watch);
  bool split_region(Watch& watch);
  bool backtrack(Watch& watch);
  void undo_to(size_t num_decisions);

  AnyBoard& board_;
  Prober<AnyBoard> prober_;
  SharedStrips strips_;
  Splitter<AnyBoard> splitter_;
  int64_t nodes_before_;
  bool can_split_ = true;
  std::vector<Region> regions_;
  int32_t region_ = -1;  // the current one; -1 at a solution
  std::vector<Decision> decisions_;
  bool is_started_ = false;
  bool exhausted_ = false;
  int64_t num_nodes_ = 0;
};

extern template class Search<Board>;
extern template class Search<LaneBoard>;

}  // namespace nonosat
