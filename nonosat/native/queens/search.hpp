// Enumerates the placements of n non-attacking queens in lexicographic order of the columns.
//
// Depth-first, one row per level; memory is a few words per row, independent of the number of
// placements. Each call returns at most a given number of them, or stops at its budget.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "queens/rows.hpp"
#include "watch.hpp"

namespace nonosat::queens {

class Search {
 public:
  using Placement = std::array<uint8_t, kMost>;  // column of the queen by row

  // `allowed`: one word per row, bit c set if column c is allowed; see checked_size.
  explicit Search(const std::vector<uint64_t>& allowed);

  // Returns the next placements: `most` of them, or fewer if there are no others (is_exhausted) or
  // `budget` rows have been entered. A row costs a few operations. A Stopped exception discards the
  // placements found in this call.
  std::vector<Placement> next(size_t most, int64_t budget, Watch& watch);

  // Numbers of placements, and of those that are the first of their class: no turn or reflection of
  // the board maps them to an earlier placement on allowed squares.
  struct Classes {
    uint64_t num_placements = 0, num_firsts = 0;
  };

  // Counts further placements until `budget` rows have been entered or there are no others. A
  // Stopped exception discards the counts of this call. Classifying a placement costs eight times
  // its rows.
  Classes next_classes(int64_t budget, Watch& watch);

  int size() const { return size_; }
  bool is_exhausted() const { return depth_ < 0; }
  int64_t num_nodes() const { return num_nodes_; }

 private:
  struct Level {
    uint64_t free = 0;  // untried squares
    uint64_t columns = 0;
    uint64_t left = 0;
    uint64_t right = 0;
  };

  void enter_row(int row);
  bool is_first(const Placement& placement) const;

  int size_;
  std::vector<Row<uint64_t>> rows_;
  std::vector<Level> levels_;
  Placement placement_{};
  int depth_ = 0;  // the row whose squares are tried; -1 at the end
  int64_t num_nodes_ = 0;
};

}  // namespace nonosat::queens
