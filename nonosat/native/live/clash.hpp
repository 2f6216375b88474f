// Clues of a puzzle that contradict each other by propagation or probing.
//
// Source: the deletion filter for minimal unsatisfiable subsets (J. Chinneck, E. Dravnieks 1991),
// in batches whose size doubles after a successful removal and is halved after a failed one.
#pragma once

#include <cstddef>
#include <vector>

#include "live/analysis.hpp"

namespace nonosat::live {

class Clash {
 public:
  // Takes a puzzle without solution. Throws Stopped and TooLarge.
  Clash(const Puzzle& puzzle, Watch& watch);

  // Works until no further clue can be removed. Throws Stopped, after which the next call
  // continues. O(lines) propagations; each is followed by probing if propagation does not refute
  // the puzzle.
  void run(Watch& watch);

  // Ascending numbers of lines, rows first, whose clues contradict each other and the given cells;
  // empty if neither propagation nor probing refutes all clues together. Irreducible once `run` has
  // returned.
  const std::vector<int>& lines() const { return lines_; }

 private:
  bool is_refuted(const std::vector<int>& lines);

  Puzzle puzzle_;
  Board board_;  // not propagated
  std::vector<int> lines_;
  bool has_begun_ = false, with_probes_ = false;
  size_t at_ = 0, batch_ = 1;
};

}  // namespace nonosat::live
