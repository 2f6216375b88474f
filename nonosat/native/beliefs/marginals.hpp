// Marginal probabilities of the values of a line's cells, and of the positions of its blocks, over
// all its weighted fillings.
#pragma once

#include <cmath>
#include <vector>

#include "beliefs/line_sums.hpp"
#include "beliefs/weighted_line.hpp"

namespace nonosat {

// Absolute value of logarithms up to which doubles represent every sum: they hold e^708 and its
// inverse with full precision.
inline constexpr double kMaxLog = 700;

class Marginals {
 public:
  // Sums over the fillings of a line; if `blocks` is not null, it receives the shares of every
  // block. Returns false if there is no filling. Throws Stopped and TooLarge. The line must not
  // change while `log_odds` is used. Costs as LineSums, with doubles if they represent every sum,
  // otherwise with Wide numbers. A whole decimation of a 70x70 took 0.24 s before doubles were used
  // more often, and 0.09 s since (DECIMATION.md).
  bool run(const WeightedLine& line, Watch& watch, std::vector<BlockShares>* blocks = nullptr);

  // Log-odds of one value of a cell versus another. Infinite if only one of them is possible; minus
  // infinity if neither is.
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

}  // namespace nonosat
