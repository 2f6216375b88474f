// The search for prices: that prove a known solution to be the only one, that prove that there is
// none, or whose marginals are a solution. See priced_board.hpp for what prices are.
//
// The smoothed bound is minimised from prices of 0 by L-BFGS. Every few steps the prices are
// rounded to integers, and the bound is taken exactly. Where the polytopes of the lines leave no
// room beside the solution, that succeeds after tens or hundreds of sweeps; where they do, the
// bound stands still far above, which shows after a few steps (benchmarks/native/PRICES.md).
//
// Invariant: `table` is the best found so far, and its bound is exact.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "prices/minimise.hpp"
#include "prices/priced_board.hpp"

namespace nonosat {

class Prices {
 public:
  enum class Outcome { kReached, kStalled, kBudget };

  // Prices in the order of PricedBoard, and the bound that they give; all are times `scale`.
  struct Table {
    std::vector<int64_t> prices;
    int64_t scale = 1;
    int64_t bound = 0;
  };

  // Board and solution as for PricedBoard. Takes a sweep. Throws Stopped and TooLarge.
  Prices(const Board& board, const std::vector<uint8_t>& solution, Watch& watch);
  Prices(const Prices&) = delete;  // its minimiser calls back

  // Lowers the bound until it is below `goal` cells. kStalled: it gets no lower, or most likely
  // will not get there, of which nothing is judged where the caller is `stubborn`. kBudget: so many
  // units of work were done, and another call goes on. Throws Stopped, after which another call may
  // go on too, and TooLarge.
  Outcome lower(Watch& watch, int64_t goal, int64_t budget, bool stubborn);

  // The same without a known solution, until `cells` are one, or the table's bound is below 0:
  // there is none. The table has small prices then, and scale 1.
  Outcome find(Watch& watch, int64_t budget, bool stubborn);

  // Goes on with a solution, from the prices that led to it: made dearer, they mostly prove at once
  // that there is no other. Takes a sweep. Throws Stopped, after which it has to be called again,
  // and TooLarge.
  void know(Watch& watch, const std::vector<uint8_t>& solution);

  // Makes the prices of the table as small as halving can, its bound staying below `goal` cells.
  // Scale 1 then. Throws Stopped and TooLarge; the table stays sound.
  void shrink(Watch& watch, int64_t goal);
  // The same, but only until the bound is below 0, and patiently: it gives up only where the bound
  // stands still. For boards with clues left out, whose bound says less at the beginning.
  Outcome refute(Watch& watch, int64_t budget);

  const PricedBoard& priced() const { return priced_; }
  const Table& table() const { return table_; }
  int64_t bound() const { return table_.bound; }
  int64_t scale() const { return table_.scale; }
  int num_sweeps() const { return num_past_ + minimiser_.num_evaluations() + num_bounds_; }

  // The values of cells, of those that the solution does not have, with which the table's bound is
  // below `goal` cells: where that is at most the least distance, no solution has them. Throws
  // Stopped and TooLarge.
  std::vector<std::pair<int, int>> ruled_out(Watch& watch, int64_t goal);

  // What each line is paid at most by the table, see PricedBoard. Throws Stopped and TooLarge.
  std::vector<PricedBoard::Payment> payments(Watch& watch) {
    return priced_.payments(table_.prices, table_.scale, watch);
  }

  // Of a search without a known solution: the values that no solution has by the prices of the
  // point that was reached last. These may tell much where its bound is no better than that of no
  // prices at all. Throws Stopped and TooLarge.
  std::vector<std::pair<int, int>> impossible(Watch& watch);

  // Of every cell the value that is likeliest in the fillings of its row.
  std::vector<uint8_t> cells() const;

 private:
  // What is judged on the way: everything, only whether it stands still, or nothing.
  enum class Patience { kLittle, kMuch, kEndless };

  Minimiser started(Numbers point);
  double evaluate(const Numbers& point, Numbers& gradient);
  void round(Watch& watch, int times);
  double share() const;  // the smoothed bound, in units of the temperature, for an open cell
  std::vector<std::pair<int, int>> ruled_out_by(const std::vector<int64_t>& prices, int64_t scale,
                                                int64_t goal, Watch& watch);
  void judge();
  bool may_go_on(Patience patience) const;
  bool is_solution(Watch& watch) const;
  bool is_refuted(Watch& watch);
  template <class Reached>
  Outcome descend(Watch& watch, int64_t budget, Patience patience, Reached is_reached);

  std::vector<uint8_t> solution_;  // a value a cell, or nothing
  PricedBoard priced_;
  Watch* watch_;    // of the call under way
  Numbers shares_;  // of the point that was evaluated last
  Minimiser minimiser_;
  Table table_;
  int num_past_ = 0;  // sweeps before `know`
  int num_steps_ = 0, num_bounds_ = 0;
  // As judged last: whether the search will most likely get somewhere, and whether the smoothed
  // bound, `stood_` then, falls noticeably, or at all.
  bool is_hopeful_ = true, is_moving_ = true, is_falling_ = true;
  double stood_ = 0;
  double judged_ = 0;  // `share` that the next look compares with
  int next_look_ = 0;  // steps
};

}  // namespace nonosat
