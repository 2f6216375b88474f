// Search for prices (prices/priced_board.hpp) on a board. They lead to a solution, prove that a
// known solution is the only one, or at least decide single cells.
//
// First prices of the whole board are searched, then prices of its regions (sets of cells that
// depend on each other). Prices may decide a structured region even if they fail on the whole board
// because it has random parts elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "prices/prices.hpp"
#include "strategy/cells.hpp"
#include "strategy/whole.hpp"
#include "watch.hpp"

namespace nonosat::strategy {

// Lower bound on the number of cells in which two solutions of a board differ. A line whose blocks
// all have known lengths has the same number of cells of each colour in all its fillings, so two
// fillings differ in at least two cells. If all rows and columns have known lengths, at least two
// rows differ, in two cells each.
int least_distance(const Board& board);

class Pricing {
 public:
  enum class Outcome { kOpen, kSolution, kRefuted };

  struct How {
    int64_t work;                // units of work for each search
    int64_t cell_sweeps;         // number of sweeps before prices rule out values of single cells
    bool is_patient = false;     // continues if success is unlikely
    bool with_marginals = true;  // first searches for a solution, even if one is known
  };

  // Takes a board at its line fixpoint, from which it removes values. The board must outlive this
  // object, which alone may change it. `known`: a solution, or empty.
  Pricing(Board& board, Cells known, const How& how);

  // Returns kSolution if `solution` is a new solution; the next call continues. kRefuted: there is
  // no solution besides the known one, or the last one found. kOpen: undecided. Throws Stopped,
  // after which the next call continues, and TooLarge.
  Outcome run(Watch& watch);

  const Cells& solution() const { return known_; }

  // The prices whose table refutes the whole board, without a known solution; null if none does.
  Prices* refuting() const {
    const bool is_refuting = prices_ && !is_about_known_ && prices_->bound() < 0;
    return is_refuting ? prices_.get() : nullptr;
  }

  int64_t num_sweeps() const { return num_past_ + (prices_ ? prices_->num_sweeps() : 0); }

  // Upper bound on the number of cells in which another solution differs from the known one; none
  // before that search.
  std::optional<int64_t> bound() const {
    if (!prices_ || !is_about_known_) return {};
    const int64_t bound = prices_->bound(), scale = prices_->scale();
    return (bound < 0 ? bound - scale + 1 : bound) / scale;
  }

 private:
  enum class Phase { kMarginals, kOthers, kSettling };
  using Values = std::vector<std::pair<int, int>>;  // (cell, value)

  Pricing(Board& board, Cells known, const How& how, int goal, bool is_region);
  std::optional<Outcome> search_marginals(Watch& watch);
  std::optional<Outcome> search_others(Watch& watch);
  std::optional<Outcome> settle(Watch& watch);
  bool search_regions(Watch& watch);
  void open(Watch& watch);
  template <class Search>
  Prices::Outcome descend(Watch& watch, Search search);

  Board& board_;
  Cells known_;
  How how_;
  int goal_;
  bool is_region_;
  Phase phase_;
  Whole whole_;
  std::unique_ptr<Prices> prices_;
  bool has_led_ = false;         // the marginals led to the known solution
  bool is_about_known_ = false;  // `prices_` compare with the known solution
  int64_t left_;                 // units of work left for the current search
  int64_t num_past_ = 0;         // sweeps of earlier prices
  Values impossible_;            // values of no solution, except perhaps the known one
  bool has_regions_ = false;
  std::vector<Board> regions_;  // not searched yet, the next one last
  std::unique_ptr<Pricing> region_;
};

}  // namespace nonosat::strategy
