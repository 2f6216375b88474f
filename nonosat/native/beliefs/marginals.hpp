// How likely the cells and blocks of a line are what, over all its weighted fillings.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "beliefs/line_sums.hpp"
#include "beliefs/weighted_line.hpp"

namespace nonosat {

class Marginals {
 public:
  // Returns false when there is no filling. `blocks` receives the shares of every block. Throws
  // TooLarge. The line must stay as it is while it is asked about.
  bool run(const WeightedLine& line, Watch& watch, std::vector<BlockShares>* blocks = nullptr);

  // The logarithm of how much likelier a cell has one value than another. Infinite where only one
  // of them can be; minus infinity where neither can.
  double log_odds(size_t cell, int value, int base) const {
    return is_wide_ ? log_odds(wide_, cell, value, base) : log_odds(narrow_, cell, value, base);
  }

 private:
  template <class Number>
  double log_odds(const LineSums<Number>& sums, size_t cell, int value, int base) const {
    const Number mine = sums.of(cell, value), other = sums.of(cell, base);
    if (is_zero(mine)) return -HUGE_VAL;
    return is_zero(other) ? HUGE_VAL : std::log(ratio(mine, other));
  }

  bool is_wide_ = false;
  LineSums<double> narrow_;
  LineSums<Wide> wide_;
};

// Everything about one line: by value and cell how likely the cell has it, and the blocks.
struct LineShares {
  std::vector<std::vector<double>> values;
  std::vector<Window> windows;
  std::vector<BlockShares> blocks;
};

// `logs[value][cell]`: finite logarithms of weights; `may` as for propagate_line. None when there
// is no filling.
std::optional<LineShares> line_shares(const Plan& plan, const Word* may,
                                      const std::vector<std::vector<double>>& logs, Watch& watch);

}  // namespace nonosat
