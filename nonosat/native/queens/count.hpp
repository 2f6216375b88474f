// How many ways there are to place n queens of which none attacks another: a queen a row, its
// column chosen among the bits that columns and diagonals leave free (descent.hpp).
//
// On a board without blocked squares only one of eight symmetric placements is looked at, or
// little more. The four border rows and columns hold a queen each (a corner two of them); its
// distance to the nearer corner is at least that of the first row's, or the board is turned and
// mirrored until it is. Where m of the eight distances tie for the least, an orbit is met m/8 of
// its size often, so each meeting counts 8/m. Placements with a queen in a corner are met with it
// at (0, 0), once for both sides of that diagonal. A board that only its mirror image resembles is
// halved; any other is searched whole.
//
// The count is a sum over parts that share nothing, so that each can have a thread of its own.
//
// Source: bits for columns and diagonals: Richards, "Backtracking algorithms in MCPL using bit
// patterns and recursion" (Cambridge, 1997); classes by border queens: after Takahashi (2003).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "queens/rows.hpp"
#include "watch.hpp"

namespace nonosat::queens {

class Count {
 public:
  // `allowed`: a row each, bit c where a queen may stand in column c; see checked_size. `part`: the
  // only one to count, below num_parts(); all of them by default.
  explicit Count(std::vector<uint64_t> allowed, std::optional<size_t> part = {});

  // How many parts the whole count has.
  size_t num_parts() const { return num_parts_; }

  // Counts the placements; after a Stopped exception `total` is a lower bound. Time grows with the
  // placements of the first rows, memory is a batch a row (see descent.hpp), at most 1.1 MiB.
  // `total` must fit 64 bits, which it does as far as anybody can wait.
  void run(Watch& watch);

  uint64_t total() const { return total_; }

 private:
  bool is_narrow() const;
  template <class Word>
  void run_as(Watch& watch);

  std::vector<uint64_t> allowed_;
  std::optional<size_t> part_;
  size_t num_parts_ = 0;
  uint64_t total_ = 0;
};

}  // namespace nonosat::queens
