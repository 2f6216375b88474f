// A board with prices on its cells, and the maximum payments of its lines: an upper bound on the
// distance of another solution from a known one, by the dual of a linear program over the lines'
// fillings.
//
// Every cell has a price for each value. Rows are paid the price, columns the rest of the cell's
// cost; the cost is 1 for each value except that of the known solution. Hence the payments of all
// lines for a solution add up to its distance from the known one, whatever the prices are, and no
// solution is farther away than the sum of the lines' maximum payments: the price bound. If it is
// below the least distance of two solutions, the known one is the only one. Without a known
// solution all costs are 0, and a bound below 0 proves that there is no solution.
//
// The bound is convex in the prices. It is smoothed by a temperature T: the maximum of a line
// becomes T log sum exp(. / T) over its fillings. Its gradient is the probability of each value
// under the row's fillings minus that under the column's. The exact bound is computed by the same
// sums over max-plus integers.
//
// A sweep over all lines costs the time of their sums (line_sums.hpp). Memory: two numbers per
// price, one weight per cell of the open lines, and the sums of one line.
//
// Source: Lagrangian decomposition (M. Guignard, S. Kim 1987), smoothed (Y. Nesterov 2005).
#pragma once

#include <cstdint>
#include <vector>

#include "beliefs/line_sums.hpp"
#include "board/board.hpp"
#include "prices/max_plus.hpp"
#include "watch.hpp"

namespace nonosat {

class PricedBoard {
 public:
  // Lays out prices for the open cells of a board at its line fixpoint. `solution`: one value per
  // cell, allowed by the board, or empty. Works on a copy of the board, which it propagates first.
  // Throws Stopped and TooLarge, and std::invalid_argument if propagation finds a contradiction.
  PricedBoard(const Board& board, const std::vector<uint8_t>& solution, Watch& watch);

  // Replaces the known solution, or sets the first one.
  void set_solution(const std::vector<uint8_t>& solution);

  const Board& board() const { return board_; }

  // Open cells with prices, ascending: those whose row and column both have clues. An open cell
  // whose row or column has no clue has no prices and costs nothing. A cell has one price for each
  // remaining value except the lowest one, whose price is 0. The prices are stored in the order of
  // the cells: those of the i-th cell are at price_at(i) up to, not including, price_at(i + 1).
  const std::vector<int>& cells() const { return cells_; }
  size_t num_prices() const { return costs_.size(); }
  size_t price_at(size_t open) const { return price_at_[open]; }
  int value_of(size_t price) const { return values_[price]; }
  int lowest(size_t open) const { return lowest_[open]; }

  // Returns the smoothed bound for a temperature above 0. `shares` receives the probability of each
  // value under the fillings of its row; `gradient` that minus the probability under the fillings
  // of its column. Throws Stopped and TooLarge.
  double smoothed(const std::vector<double>& prices, double temperature,
                  std::vector<double>& gradient, std::vector<double>& shares, Watch& watch);

  // Returns the exact bound times `scale`. Prices are multiplied by `scale`, too; the magnitudes of
  // all prices and costs must add up to less than 2^58. Throws Stopped and TooLarge. `losses`,
  // unless null, receives for each open cell i and remaining value a lower bound on the decrease of
  // the bound if the cell has that value: at price_at(i) + i for the lowest value, then for the
  // values that have prices.
  int64_t bound(const std::vector<int64_t>& prices, int64_t scale, Watch& watch,
                std::vector<int64_t>* losses = nullptr);

  // Payments by line, rows first, times `scale`: the maximum over the fillings of its clue, and the
  // maximum without the clue, where each cell takes its best value. Lines without prices are paid
  // nothing. Leaving out several clues raises the bound by the sum of their differences, provided
  // that the board stays the same, although these clues may have settled some of its cells.
  // Preconditions as for `bound`.
  struct Payment {
    int64_t max = 0, unconstrained = 0;
  };
  std::vector<Payment> payments(const std::vector<int64_t>& prices, int64_t scale, Watch& watch);

 private:
  struct Place {
    int32_t in_line;
    int32_t open;
  };
  struct Line {
    int number;
    bool is_row;
    std::vector<Place> places;  // its open cells with prices
    std::vector<int32_t> free;  // its open cells without prices
    std::vector<Window> windows;
    const Word* may;
    WeightedLine weighted;
  };

  void add_cells();
  void add_lines(Watch& watch);
  void weigh(Line& line, const std::vector<double>& prices, double temperature);
  template <class Number>
  Number paid(const Line& line, const std::vector<Number>& prices, Number scale,
              size_t price) const {
    return line.is_row ? prices[price] : costs_[price] * scale - prices[price];
  }
  int64_t max_payment(const Line& line, const std::vector<int64_t>& prices, int64_t scale,
                      Watch& watch);
  void add_losses(const Line& line, std::vector<int64_t>& losses) const;

  Board board_;
  std::vector<int> cells_;
  std::vector<uint8_t> lowest_;   // by open cell: its lowest remaining value
  std::vector<size_t> price_at_;  // by open cell: index of its first price; and the end
  std::vector<int32_t> open_of_;  // by cell: index of the open cell, or -1
  std::vector<uint8_t> values_;   // by price
  std::vector<int8_t> costs_;     // by price: cost minus that of the lowest value
  int64_t constant_ = 0;          // sum of the costs of all lowest values
  std::vector<Line> lines_;
  std::vector<double> logs_;   // by value, of one cell
  std::vector<int64_t> paid_;  // by plane and cell of one line
  LineSums<double> narrow_;
  LineSums<Wide> wide_;
  LineSums<MaxPlus> max_sums_;
};

}  // namespace nonosat
