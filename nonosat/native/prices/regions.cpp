#include "prices/regions.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "beliefs/weighted_line.hpp"
#include "cost.hpp"

namespace nonosat {
namespace {

// Consecutive blocks of a line, and the range of cells that they can cover.
struct Stretch {
  int line;
  size_t first_block, end_block;
  int32_t first_cell, end_cell;
};

class RegionFinder {
 public:
  RegionFinder(const Board& board, Watch& watch) : board_(board), watch_(watch) {}

  std::vector<Board> regions(size_t least, size_t most, size_t max_regions);

 private:
  void add_stretches(int line);
  void join_cells();
  int32_t find(int32_t stretch);
  bool may_be_filled(int cell) const { return board_.num_left(cell) > board_.may(cell, 0); }
  Board board_of(int32_t region);

  const Board& board_;
  Watch& watch_;
  WindowFinder finder_;
  std::vector<Window> windows_;
  std::vector<Stretch> stretches_;
  std::vector<int32_t> in_row_;  // by cell: the stretch of its row that can fill it, or -1
  std::vector<int32_t> parent_;  // by stretch
};

void RegionFinder::add_stretches(int line) {
  const Plan& plan = board_.plan(line);
  windows_.clear();
  finder_.find(plan, board_.planes(line), windows_, watch_, board_.windows(line));
  for (size_t b = 0; b < windows_.size(); ++b) {
    const bool goes_on =
        b > 0 && windows_[b].first <= windows_[b - 1].last_end + plan.separated[b - 1];
    if (!goes_on) stretches_.push_back({line, b, b, windows_[b].first, 0});
    stretches_.back().end_block = b + 1;
    stretches_.back().end_cell = windows_[b].last_end + 1;
  }
}

int32_t RegionFinder::find(int32_t stretch) {
  while (parent_[stretch] != stretch) stretch = parent_[stretch] = parent_[parent_[stretch]];
  return stretch;
}

// Joins the stretches that share a cell that may be filled. Stretches of rows come first.
void RegionFinder::join_cells() {
  const int width = board_.width(), height = board_.height();
  in_row_.assign(board_.num_cells(), -1);
  parent_.resize(stretches_.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  for (size_t i = 0; i < stretches_.size(); ++i) {
    const auto stretch = static_cast<int32_t>(i);
    const Stretch& at = stretches_[i];
    const bool is_row = at.line < height;
    watch_.work(cost::kRegionCell * (at.end_cell - at.first_cell));
    for (int place = at.first_cell; place < at.end_cell; ++place) {
      const int cell = is_row ? at.line * width + place : place * width + at.line - height;
      if (!may_be_filled(cell)) continue;
      if (is_row) {
        in_row_[cell] = stretch;
      } else {
        parent_[find(stretch)] = find(in_row_[cell]);
      }
    }
  }
}

Board RegionFinder::board_of(int32_t region) {
  std::vector<Clue> rows(board_.height()), columns(board_.width());
  for (size_t i = 0; i < stretches_.size(); ++i) {
    if (find(static_cast<int32_t>(i)) != region) continue;
    const auto& [line, first_block, end_block, first_cell, end_cell] = stretches_[i];
    Clue& clue = line < board_.height() ? rows[line] : columns[line - board_.height()];
    const auto& blocks = board_.plan(line).blocks;
    clue.insert(clue.end(), blocks.begin() + static_cast<std::ptrdiff_t>(first_block),
                blocks.begin() + static_cast<std::ptrdiff_t>(end_block));
  }
  Board made(board_.num_values() - 1, std::move(rows), std::move(columns), watch_);
  for (int cell = 0; cell < board_.num_cells(); ++cell) {
    watch_.work(cost::kRegionCell);
    const bool is_inside = in_row_[cell] >= 0 && find(in_row_[cell]) == region;
    for (int value = 0; value < board_.num_values(); ++value) {
      if (is_inside ? !board_.may(cell, value) : value != 0) made.remove(cell, value);
    }
  }
  made.propagate(watch_);
  return made;
}

std::vector<Board> RegionFinder::regions(size_t least, size_t most, size_t max_regions) {
  for (int line = 0; line < board_.num_lines(); ++line) {
    watch_.work(cost::kRegionLine);
    add_stretches(line);
  }
  join_cells();
  std::vector<size_t> num_open(stretches_.size());
  for (const int cell : board_.open_cells()) ++num_open[find(in_row_[cell])];
  std::vector<int32_t> found;
  for (size_t i = 0; i < num_open.size(); ++i) {
    if (num_open[i] >= least && num_open[i] <= most) found.push_back(static_cast<int32_t>(i));
  }
  std::stable_sort(found.begin(), found.end(),
                   [&](int32_t a, int32_t b) { return num_open[a] > num_open[b]; });
  if (found.size() > max_regions) found.resize(max_regions);
  std::vector<Board> boards;
  for (const int32_t region : found) boards.push_back(board_of(region));
  return boards;
}

}  // namespace

std::vector<Board> regions(const Board& board, size_t least, size_t most, size_t max_regions,
                           Watch& watch) {
  return RegionFinder(board, watch).regions(std::max<size_t>(least, 1), most, max_regions);
}

}  // namespace nonosat
