#include "queens/search.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "cost.hpp"

namespace nonosat::queens {
namespace {

constexpr int64_t kNodesAtOnce = 1024;
constexpr size_t kClassesAtOnce = 1024;  // in placements

}  // namespace

Search::Search(const std::vector<uint64_t>& allowed)
    : size_(checked_size(allowed)), rows_(allowed.size()), levels_(allowed.size() + 1) {
  for (size_t row = 0; row < allowed.size(); ++row) rows_[row].allowed = allowed[row];
  set_due(rows_);
  enter_row(0);
}

// Enters a row, or the end of the board: its untried squares are those that columns and diagonals
// leave free.
void Search::enter_row(int row) {
  depth_ = row;
  if (row == size_) return;
  Level& level = levels_[row];
  const uint64_t free = rows_[row].allowed & ~(level.columns | level.left | level.right);
  level.free = promising(rows_[row], free, level.columns);
}

std::vector<Search::Placement> Search::next(size_t most, int64_t budget, Watch& watch) {
  std::vector<Placement> found;
  while (depth_ >= 0 && found.size() < most && budget-- > 0) {
    ++num_nodes_;
    if (num_nodes_ % kNodesAtOnce == 0) watch.work(kNodesAtOnce * cost::kQueensNode);
    if (depth_ == size_) {
      found.push_back(placement_);
      --depth_;
      continue;
    }
    Level& level = levels_[depth_];
    if (!level.free) {
      --depth_;
      continue;
    }
    const uint64_t square = level.free & -level.free;
    level.free ^= square;
    placement_[depth_] = static_cast<uint8_t>(std::countr_zero(square));
    Level& next = levels_[depth_ + 1];
    next.columns = level.columns | square;
    next.left = (level.left | square) << 1;
    next.right = (level.right | square) >> 1;
    enter_row(depth_ + 1);
  }
  return found;
}

Search::Classes Search::next_classes(int64_t budget, Watch& watch) {
  Classes found;
  while (depth_ >= 0 && budget > 0) {
    const int64_t first = num_nodes_;
    for (const Placement& placement : next(kClassesAtOnce, budget, watch)) {
      ++found.num_placements;
      found.num_firsts += is_first(placement);
      watch.work(cost::kImageRow * size_);
    }
    budget -= num_nodes_ - first;
  }
  return found;
}

bool Search::is_first(const Placement& placement) const {
  const auto last = static_cast<uint8_t>(size_ - 1);
  for (unsigned symmetry = 1; symmetry < 8; ++symmetry) {
    Placement image;
    bool is_allowed = true;
    for (int at = 0; at < size_; ++at) {
      auto row = static_cast<uint8_t>(at), column = placement[at];
      if (symmetry & 1) row = last - row;
      if (symmetry & 2) column = last - column;
      if (symmetry & 4) std::swap(row, column);
      image[row] = column;
      is_allowed = is_allowed && rows_[row].allowed >> column & 1;
    }
    if (is_allowed && std::lexicographical_compare(image.begin(), image.begin() + size_,
                                                   placement.begin(), placement.begin() + size_)) {
      return false;
    }
  }
  return true;
}

}  // namespace nonosat::queens
