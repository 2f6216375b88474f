// Search for prices that prove a known solution to be the only one, that prove that there is no
// solution, or whose marginals are a solution. See priced_board.hpp for prices and their bound.
//
// The smoothed bound is minimised by L-BFGS, starting at prices of 0. Every few steps the prices
// are rounded to integers and the exact bound is computed. If the known solution is the only point
// that the polytopes of the lines share, this succeeds after tens or hundreds of sweeps; otherwise
// the bound stagnates at a high value, which is detected after a few steps
// (benchmarks/native/PRICES.md).
//
// Invariant: `table` is the best table found so far, and its bound is exact.
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

  // Prices in the order of PricedBoard and the bound that they prove, both times `scale`.
  struct Table {
    std::vector<int64_t> prices;
    int64_t scale = 1;
    int64_t bound = 0;
  };

  // Board and solution as for PricedBoard. Costs one sweep. Throws Stopped and TooLarge.
  Prices(const Board& board, const std::vector<uint8_t>& solution, Watch& watch);
  Prices(const Prices&) = delete;  // its minimiser calls it

  // Lowers the bound until it is below `goal` cells. Returns kStalled if the bound cannot be
  // lowered further or is unlikely to reach the goal; `stubborn` disables the estimate of
  // likelihood. Returns kBudget after `budget` units of work; the next call resumes, also after a
  // Stopped exception. Throws Stopped and TooLarge.
  Outcome lower(Watch& watch, int64_t goal, int64_t budget, bool stubborn);

  // Lowers the bound like `lower`, but without a known solution, until `cells` are a solution, or
  // the bound of the table is below 0, which proves that there is none. The table then has small
  // prices and scale 1.
  Outcome find(Watch& watch, int64_t budget, bool stubborn);

  // Sets the known solution and continues from the prices that led to it: a multiple of them mostly
  // proves at once that it is the only one. Costs one sweep. Throws Stopped, after which it must be
  // called again, and TooLarge.
  void set_solution(Watch& watch, const std::vector<uint8_t>& solution);

  // Halves the prices of the table as often as its bound stays below `goal` cells. The scale is 1
  // afterwards. Throws Stopped and TooLarge; the table remains sound.
  void shrink(Watch& watch, int64_t goal);
  // Lowers the bound like `find`, but stops only if the bound is below 0 or stagnates. For boards
  // with left-out clues, for which the first bounds are less significant.
  Outcome refute(Watch& watch, int64_t budget);

  const PricedBoard& priced() const { return priced_; }
  const Table& table() const { return table_; }
  int64_t bound() const { return table_.bound; }
  int64_t scale() const { return table_.scale; }
  int num_sweeps() const { return num_past_ + minimiser_.num_evaluations() + num_bounds_; }

  // Pairs of a cell and a value other than the known solution's with which the table's bound is
  // below `goal` cells. If `goal` is at most the least distance, no solution has these values.
  // Throws Stopped and TooLarge.
  std::vector<std::pair<int, int>> ruled_out(Watch& watch, int64_t goal);

  // Maximum payments of the lines for the table, see PricedBoard. Throws Stopped and TooLarge.
  std::vector<PricedBoard::Payment> payments(Watch& watch) {
    return priced_.payments(table_.prices, table_.scale, watch);
  }

  // Returns pairs of a cell and a value that no solution has, by the prices of the current point.
  // Only for a search without a known solution. There may be many such pairs even if the bound is
  // no better than with all prices 0. Throws Stopped and TooLarge.
  std::vector<std::pair<int, int>> impossible(Watch& watch);

  // Most probable value of every cell under the fillings of its row.
  std::vector<uint8_t> cells() const;

 private:
  // When `lower` gives up: if success is unlikely by any criterion (kLittle), only if the bound
  // falls slowly (kMuch), or only if it does not fall at all (kEndless).
  enum class Patience { kLittle, kMuch, kEndless };

  Minimiser started(Numbers point);
  double evaluate(const Numbers& point, Numbers& gradient);
  void round(Watch& watch, int times);
  double share() const;  // smoothed bound per open cell, in units of the temperature
  std::vector<std::pair<int, int>> ruled_out_by(const std::vector<int64_t>& prices, int64_t scale,
                                                int64_t goal, Watch& watch);
  void judge();
  bool may_go_on(Patience patience) const;
  bool is_solution(Watch& watch) const;
  bool is_refuted(Watch& watch);
  template <class Reached>
  Outcome descend(Watch& watch, int64_t budget, Patience patience, Reached is_reached);

  std::vector<uint8_t> solution_;  // one value per cell, or empty
  PricedBoard priced_;
  Watch* watch_;    // of the current call
  Numbers shares_;  // at the point that was evaluated last
  Minimiser minimiser_;
  Table table_;
  int num_past_ = 0;  // sweeps before `set_solution`
  int num_steps_ = 0, num_bounds_ = 0;
  // Estimates of the last check of progress: the search is likely to succeed (`is_hopeful_`), the
  // smoothed bound fell noticeably (`is_moving_`), it fell at all (`is_falling_`). `last_bound_` is
  // the smoothed bound at that time.
  bool is_hopeful_ = true, is_moving_ = true, is_falling_ = true;
  double last_bound_ = 0;
  double last_share_ = 0;   // `share` to which the next judgement compares
  int next_judgement_ = 0;  // in steps
};

}  // namespace nonosat
