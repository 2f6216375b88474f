// Which clues of a puzzle contradict each other, as far as lines and probes see that.
//
// Source: deletion, the oldest way to a minimal unsatisfiable subset (J. Chinneck, E. Dravnieks
// 1991), in batches that grow while they can be left out and are halved while they cannot.
#pragma once

#include <cstddef>
#include <vector>

#include "live/inquiry.hpp"

namespace nonosat::live {

class Clash {
 public:
  // Of a puzzle without solution. Throws Stopped and TooLarge.
  Clash(const Puzzle& puzzle, Watch& watch);

  // Works until no further clue can be left out. Throws Stopped, after which it goes on when called
  // again. O(lines) propagations, with probes where propagation alone refutes nothing.
  void run(Watch& watch);

  // Numbers of lines, rows first, ascending, whose clues contradict each other, with the given
  // cells; empty where neither lines nor probes refute all clues together. Before `run` is done
  // some may be left that are not needed.
  const std::vector<int>& lines() const { return lines_; }

 private:
  bool is_refuted(const std::vector<int>& lines);

  Puzzle puzzle_;
  Board board_;  // nothing of it is propagated
  std::vector<int> lines_;
  bool has_begun_ = false, with_probes_ = false;
  size_t at_ = 0, batch_ = 1;
};

}  // namespace nonosat::live
