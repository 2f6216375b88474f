// All placements of n queens of which none attacks another, in lexicographic order of the columns.
//
// Depth-first, a row a level; memory is a few words a row, however many placements there are. It
// can be asked for a few at a time, and gives up its turn when a budget is spent.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "queens/rows.hpp"
#include "watch.hpp"

namespace nonosat::queens {

class Search {
 public:
  using Placement = std::array<uint8_t, kMost>;  // the column of each row's queen

  // `allowed`: a row each, bit c where a queen may stand in column c; see checked_size.
  explicit Search(const std::vector<uint64_t>& allowed);

  // The next placements: `most` of them, or fewer when there are no further ones (is_exhausted) or
  // `budget` rows have been looked at. A row costs a few operations. A Stopped exception loses the
  // placements found by then.
  std::vector<Placement> next(size_t most, int64_t budget, Watch& watch);

  // Numbers of placements, and of those that come first in their class: no turn or reflection of
  // the board maps them to an earlier placement on allowed squares.
  struct Classes {
    uint64_t num_placements = 0, num_firsts = 0;
  };

  // Counts further placements, until `budget` rows have been entered or there are no others. A
  // Stopped exception loses those counted by then. A placement costs eight times its rows.
  Classes next_classes(int64_t budget, Watch& watch);

  int size() const { return size_; }
  bool is_exhausted() const { return depth_ < 0; }
  int64_t num_nodes() const { return num_nodes_; }

 private:
  struct Level {
    uint64_t free = 0;  // not yet tried
    uint64_t columns = 0;
    uint64_t left = 0;
    uint64_t right = 0;
  };

  void enter(int row);
  bool is_first(const Placement& placement) const;

  int size_;
  std::vector<Row<uint64_t>> rows_;
  std::vector<Level> levels_;
  Placement placement_{};
  int depth_ = 0;  // row whose squares are tried; -1 at the end
  int64_t num_nodes_ = 0;
};

}  // namespace nonosat::queens
