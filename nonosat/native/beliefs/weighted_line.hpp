// A line with the domains of its cells and a weight for each of their values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "line/line.hpp"
#include "watch.hpp"

namespace nonosat {

// Positions of a block: its first cell is in first..last, its last cell in first_end..last_end.
struct Window {
  int32_t first, last, first_end, last_end;
};

// Probability of each start of a block in its window, and, for unknown lengths, of each end.
struct BlockShares {
  std::vector<double> starts, ends;
};

// Computes the positions of the blocks of a line.
class WindowFinder {
 public:
  // Appends the window of each block; false, with nothing appended, if there is no filling. `may`,
  // `bounds` and the cost as for block_domains. Throws Stopped and TooLarge.
  bool find(const Plan& plan, const Word* may, std::vector<Window>& windows, Watch& watch,
            const Windows* bounds = nullptr);

  // Feasible starts and ends of a block of the last line, ascending.
  std::vector<int> starts(size_t block) const { return places(starts_, block); }
  std::vector<int> ends(size_t block) const { return places(ends_, block); }

 private:
  std::vector<int> places(const std::vector<Word>& words, size_t block) const {
    return bits_of(&words[block * num_words_], num_words_);
  }

  std::vector<Word> starts_, ends_;
  int num_words_ = 0;
  Scratch scratch_;
};

class WeightedLine {
 public:
  // Loads another line: `may` and `windows` as for WindowFinder. All weights are 1 (logarithm 0).
  // `plan` and `windows` must outlive the use of the line. O(cells x colours).
  void lay_out(const Plan& plan, const Word* may, std::span<const Window> windows);

  // Sets the weights of a cell, at most once: logs[value] is the logarithm of a value's weight
  // relative to the cell's lowest value left, which has 0; kNever for removed values. Weights of
  // colours without a block in the clue have no effect.
  static constexpr double kNever = -HUGE_VAL;
  void weigh(size_t cell, const double* logs);

  // Like `weigh`, for all open cells of a line with one colour: `logs` are the logarithms of the
  // weights of the colour. Boards of one colour are the most frequent, and choosing among the two
  // values of a cell took a tenth of a round.
  void weigh_mono(std::span<const int32_t> cells, const double* logs);

  // Resets all weights to 1, so that cells can be weighted again.
  void unweigh() {
    std::fill(logs_.begin(), logs_.end(), 0.0);
    log_most_ = log_least_ = 0;
  }

  const Plan& plan() const { return *plan_; }
  size_t length() const { return may_be_empty_.size(); }
  std::span<const Window> windows() const { return windows_; }

  // A plane for each colour of the clue, -1 for other colours. `logs`: logarithms of the weights of
  // the cells that may have the colour; `reach`: for each cell, the number of consecutive cells
  // from it on that may have it.
  int num_planes() const { return num_planes_; }
  int plane_of(int value) const { return plane_of_[value]; }
  const std::vector<double>& logs() const { return logs_; }  // by plane and cell
  const int32_t* reach(int plane) const { return &reach_[plane * length()]; }
  bool may_be_empty(size_t cell) const { return may_be_empty_[cell]; }

  // Upper bound of the absolute value of the logarithm of any positive sum of weights of fillings:
  // from the lightest filling to the product of all values of all cells.
  double log_bound() const { return std::max(log_most_, -log_least_); }

 private:
  const Plan* plan_ = nullptr;
  std::span<const Window> windows_;
  std::vector<int> plane_of_;
  int num_planes_ = 0;
  std::vector<uint8_t> may_be_empty_;
  std::vector<int32_t> reach_;
  std::vector<double> logs_;
  double log_most_ = 0, log_least_ = 0;  // of the largest possible sum, of the lightest filling
};

}  // namespace nonosat
