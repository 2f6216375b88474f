// A line with what is known of its cells, and how likely each of their values is believed to be.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "line/line.hpp"
#include "watch.hpp"

namespace nonosat {

// Where a block can stand: it starts at first..last, and its last cell is one of
// first_end..last_end.
struct Window {
  int32_t first, last, first_end, last_end;
};

// How likely a block starts at each place of its window, and for unknown lengths ends there.
struct BlockShares {
  std::vector<double> starts, ends;
};

// Finds where the blocks of a line can stand, and keeps the feasible places.
class WindowFinder {
 public:
  // Appends the window of each block; false, with nothing appended, when there is no filling. `may`
  // and `bounds` as for block_domains, which is what it costs. Throws Stopped and TooLarge.
  bool find(const Plan& plan, const Word* may, std::vector<Window>& windows, Watch& watch,
            const Windows* bounds = nullptr);

  // Of the line looked at last, ascending.
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
  // Begins with another line: `may` and `windows` as WindowFinder takes and gives them. All weights
  // have the logarithm 0 at first. `plan` and `windows` must stay while the line is used. O(cells x
  // colours).
  void lay_out(const Plan& plan, const Word* may, std::span<const Window> windows);

  // Weighs a cell, at most once: logs[value] is the logarithm of a value's weight relative to the
  // cell's lowest value left, which has 0; kNever where the cell cannot have the value. Weights of
  // colours that the clue has no block of change nothing.
  static constexpr double kNever = -HUGE_VAL;
  void weigh(size_t cell, const double* logs);

  // The same for cells that may be empty and may have the one colour there is, each with the
  // logarithm of what that weighs: boards of one colour are most, and a round spent a tenth of its
  // time on choosing among their two values.
  void weigh_mono(std::span<const int32_t> cells, const double* logs);

  // Takes back all weights; the cells can be weighed anew.
  void unweigh() {
    std::fill(logs_.begin(), logs_.end(), 0.0);
    log_most_ = log_least_ = 0;
  }

  const Plan& plan() const { return *plan_; }
  size_t length() const { return may_be_empty_.size(); }
  std::span<const Window> windows() const { return windows_; }

  // A plane for each colour of the clue, -1 for other colours: the logarithms of what the cells
  // that may have it weigh in it, and how many cells in a row, from each cell on, may have it.
  int num_planes() const { return num_planes_; }
  int plane_of(int value) const { return plane_of_[value]; }
  const std::vector<double>& logs() const { return logs_; }  // by plane and cell
  const int32_t* reach(int plane) const { return &reach_[plane * length()]; }
  bool may_be_empty(size_t cell) const { return may_be_empty_[cell]; }

  // The logarithm of every positive sum of weights of fillings is at most this far from 0: between
  // the lightest filling and all values of all cells multiplied out.
  double log_bound() const { return std::max(log_most_, -log_least_); }

 private:
  const Plan* plan_ = nullptr;
  std::span<const Window> windows_;
  std::vector<int> plane_of_;
  int num_planes_ = 0;
  std::vector<uint8_t> may_be_empty_;
  std::vector<int32_t> reach_;
  std::vector<double> logs_;
  double log_most_ = 0, log_least_ = 0;  // of the heaviest sum, of the lightest filling
};

}  // namespace nonosat
