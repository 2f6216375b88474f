// The number of placements of n non-attacking queens: one queen per row, its column chosen among
// the bits that columns and diagonals leave free (descent.hpp).
//
// On a board without blocked squares, only about one of eight symmetric placements is visited. Each
// of the four border rows and columns holds a queen; a corner queen is on two of them. The distance
// of each of these queens to its nearer corner is at least that of the first row's queen: otherwise
// a turn or reflection of the placement is counted. If m of the eight distances tie for the
// minimum, m of the orbit's eight placements are visited, so each of them counts 8/m. Placements
// with a queen in a corner are visited with the queen at (0, 0), and only once for the reflection
// at that diagonal. A board with blocked squares that equals its mirror image is halved; any other
// is searched completely.
//
// The count is a sum over independent parts, so that each can run in its own thread.
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
  // `allowed`: one word per row, bit c set if column c is allowed; see checked_size. `part`: the
  // only part to count, below num_parts(); all of them by default.
  explicit Count(std::vector<uint64_t> allowed, std::optional<size_t> part = {});

  // Number of parts of the complete count.
  size_t num_parts() const { return num_parts_; }

  // Counts the placements; after a Stopped exception `total` is a lower bound. Time is proportional
  // to the number of partial placements; memory is one batch per row (descent.hpp), at most 1.1
  // MiB. `total` fits 64 bits for every board that can be counted in practice.
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
