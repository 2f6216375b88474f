// Result of every assumption about an open cell by line propagation; the board is unchanged.
//
// `Prober` (probe.hpp) removes the refuted values from the board; `look_ahead` only reports them.
// Cost: a propagation for each value of each open cell.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "board/board.hpp"
#include "board/probe.hpp"
#include "watch.hpp"

namespace nonosat {

struct Assumption {
  int cell, value;
  auto operator<=>(const Assumption&) const = default;
};

struct Outlook {
  // Assumptions that propagation refutes, by cell and value.
  std::vector<Assumption> refuted;

  // The first cell whose values all determine the same further cells, and these cells; -1 if there
  // is none, or if anything is refuted.
  int either = -1;
  std::vector<Assumption> agreed;

  // The other assumptions, and the number of (cell, value) pairs that each excludes.
  std::vector<Assumption> open;
  std::vector<int64_t> ruled_out;
};

// Search for an outlook. It probes the open cells of a board at its line fixpoint in order, until
// at least `most` assumptions are refuted; later cells are not in `open` then.
class LookAhead {
 public:
  explicit LookAhead(const Board& board);

  // Throws Stopped, after which the next call continues with the same cell, unless the board has
  // changed: then it begins again. The board is unchanged afterwards.
  void run(Board& board, int most, Watch& watch);

  // The outlook, complete once `run` has returned.
  const Outlook& found() const { return found_; }

  // Number of cells probed so far.
  size_t num_probed() const { return num_probed_; }

 private:
  Probe<Board> probe_;
  Outlook found_;
  int64_t num_pairs_;  // of the board that is probed
  std::vector<int> cells_;
  size_t num_probed_ = 0;
};

// Runs a `LookAhead` at once.
Outlook look_ahead(Board& board, int most, Watch& watch);

}  // namespace nonosat
