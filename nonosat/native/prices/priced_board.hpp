// A board whose cells have prices, and what its lines are paid at most: a bound on how far another
// solution can be from a known one, by the dual of a linear program over the lines' fillings.
//
// Every cell has a price for each value. Rows are paid by it, columns by what is left of the
// cell's cost, which is 1 for each value but the one of the known solution. What the lines are paid
// for a solution is then its distance from the known one, whatever the prices are. So no solution
// is further away than the dearest fillings of all lines taken together: the price bound. Where it
// is below the least distance of two solutions, the known one is the only one. Without a known
// solution nothing costs anything, and a bound below 0 says that there is no solution.
//
// The bound is convex in the prices. It is smoothed by a temperature: the maximum of a line becomes
// T log sum exp(. / T) over its fillings, whose gradient is how likely they have each value, rows
// less columns. With integers the same sums, of maxima, give the bound exactly.
//
// A sweep over all lines costs their sums (line_sums.hpp); memory is two numbers an open cell and
// value, a weight a cell of the open lines, and the sums of one line.
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
  // The open cells of a board at its line fixpoint. `solution`: a value a cell that the board
  // allows, or nothing at all. Works on a copy of the board, which is propagated first. Throws
  // Stopped and TooLarge, and std::invalid_argument where that meets a contradiction.
  PricedBoard(const Board& board, const std::vector<uint8_t>& solution, Watch& watch);

  // Takes another solution, or one where there was none.
  void know(const std::vector<uint8_t>& solution);

  const Board& board() const { return board_; }

  // The open cells, ascending, of rows and columns of which none is left out: for the lines across
  // what is left out, other cells cost nothing. Prices stand in their order, one for each value
  // left but the lowest, which is free: of the open cell i at price_at(i) to price_at(i + 1).
  const std::vector<int>& cells() const { return cells_; }
  size_t num_prices() const { return costs_.size(); }
  size_t price_at(size_t open) const { return price_at_[open]; }
  int value_of(size_t price) const { return values_[price]; }
  int lowest(size_t open) const { return lowest_[open]; }

  // The smoothed bound for a temperature above 0. `shares`: how likely each value is in the
  // fillings of its row; `gradient`: that, less how likely it is in those of its column. Throws
  // Stopped and TooLarge.
  double smoothed(const std::vector<double>& prices, double temperature,
                  std::vector<double>& gradient, std::vector<double>& shares, Watch& watch);

  // The bound, `scale` times. Prices are multiplied by it, too; the magnitudes of all prices and
  // costs add up to less than 2^58. Throws Stopped and TooLarge.
  // `losses`, where it is not null, receives for each open cell i and value left what the bound
  // loses at least where the cell has that value: at price_at(i) + i that of the lowest, and then
  // those of the values that have prices.
  int64_t bound(const std::vector<int64_t>& prices, int64_t scale, Watch& watch,
                std::vector<int64_t>* losses = nullptr);

  // By line, rows first, scaled: what the line is paid for its dearest filling, and what it would
  // be paid were its clue left out: for each cell the dearest value. Lines without prices are paid
  // nothing. Leaving several clues out adds their differences to the bound, as long as the board is
  // the same, which may know some cells by these very clues. As for `bound`.
  struct Payment {
    int64_t most = 0, free = 0;
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
    std::vector<Place> places;  // of its open cells with prices
    std::vector<int32_t> free;  // its open cells without
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
  int64_t dearest(const Line& line, const std::vector<int64_t>& prices, int64_t scale,
                  Watch& watch);
  void add_losses(const Line& line, std::vector<int64_t>& losses) const;

  Board board_;
  std::vector<int> cells_;
  std::vector<uint8_t> lowest_;   // by open cell: its lowest value left
  std::vector<size_t> price_at_;  // by open cell: where its prices begin; and the end
  std::vector<int32_t> open_of_;  // by cell: which open cell it is, or -1
  std::vector<uint8_t> values_;   // by price
  std::vector<int8_t> costs_;     // by price: how much more than the lowest value
  int64_t constant_ = 0;          // the costs of all lowest values
  std::vector<Line> lines_;
  std::vector<double> logs_;   // of the values of one cell
  std::vector<int64_t> paid_;  // by plane and cell of one line
  LineSums<double> narrow_;
  LineSums<Wide> wide_;
  LineSums<MaxPlus> dearest_;
};

}  // namespace nonosat
