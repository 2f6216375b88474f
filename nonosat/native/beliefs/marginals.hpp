// How likely the cells of a line have each value, and its blocks each place, over all its weighted
// fillings.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "beliefs/line_sums.hpp"
#include "beliefs/weighted_line.hpp"

namespace nonosat {

// Logarithms up to which doubles hold every sum: one holds e^708 and its inverse in full precision.
inline constexpr double kMaxLog = 700;

class Marginals {
 public:
  // Sums over the fillings of a line; `blocks`, where it is wanted, receives the shares of every
  // block. Returns false when there is no filling. Throws Stopped and TooLarge. The line must stay
  // as it is while `log_odds` asks about it. Cost as of LineSums, with
  // doubles where they hold every sum and numbers of any magnitude elsewhere. A whole decimation of
  // a 70x70 took 0.24 s before doubles were used more often, and 0.09 s since (DECIMATION.md).
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

// The shares of a line of at least one cell whose cells have the weights exp(logs[value][cell]),
// logarithms from -100 to 100; `may` as for propagate_line. No value when there is no filling.
// Throws as Marginals::run does.
std::optional<LineShares> line_shares(const Plan& plan, const Word* may,
                                      const std::vector<std::vector<double>>& logs, Watch& watch);

}  // namespace nonosat
