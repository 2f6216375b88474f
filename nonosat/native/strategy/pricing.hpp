// A look for prices on a board: for a solution, for the proof that a known one is the only one, and
// for single cells that they settle where they come to neither.
//
// After the prices of the whole board come those of its regions. A region, cells that depend on
// each other, may be as good as solved where the others spoil the prices of the whole board:
// structure beside noise.
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

// How many cells two different solutions of a board differ in at least. A line whose blocks all
// have known lengths has the same number of cells of each colour in all its fillings, so it differs
// in no cell or in two. If that holds for all rows and all columns, two rows differ, in two cells
// each.
int least_distance(const Board& board);

class Pricing {
 public:
  enum class Outcome { kOpen, kSolution, kRefuted };

  struct How {
    int64_t work;                // units for each search
    int64_t cell_sweeps;         // number of sweeps before prices rule out values of single cells
    bool is_patient = false;     // goes on where it will most likely get nowhere
    bool with_marginals = true;  // looks for a solution first, even if one is known
  };

  // Of a board at its line fixpoint, which is narrowed, and must outlive this and change by this
  // alone. `known`: a solution, or nothing.
  Pricing(Board& board, Cells known, const How& how);

  // kSolution: `solution` is one, another than the known one if one was; the next call goes on.
  // kRefuted: there is no solution beside the known one, or beside the last one found. kOpen: it
  // got nowhere. Throws Stopped, after which the next call goes on, and TooLarge.
  Outcome run(Watch& watch);

  const Cells& solution() const { return known_; }

  // The prices whose table refutes the whole board, without a known solution; null if none does.
  Prices* refuting() const {
    const bool is_refuting = prices_ && !is_about_known_ && prices_->bound() < 0;
    return is_refuting ? prices_.get() : nullptr;
  }

  int64_t num_sweeps() const { return num_past_ + (prices_ ? prices_->num_sweeps() : 0); }

  // Upper bound on the cells in which another solution differs from the known one; nothing before
  // its search.
  std::optional<int64_t> bound() const {
    if (!prices_ || !is_about_known_) return {};
    const int64_t bound = prices_->bound(), scale = prices_->scale();
    return (bound < 0 ? bound - scale + 1 : bound) / scale;
  }

 private:
  enum class Phase { kMarginals, kOthers, kSettling };
  using Values = std::vector<std::pair<int, int>>;  // cells and values

  Pricing(Board& board, Cells known, const How& how, int goal, bool is_region);
  std::optional<Outcome> ask_marginals(Watch& watch);
  std::optional<Outcome> ask_others(Watch& watch);
  std::optional<Outcome> settle(Watch& watch);
  bool ask_regions(Watch& watch);
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
  bool has_led_ = false;         // the marginals, to the known solution
  bool is_about_known_ = false;  // `prices_`, not about all solutions
  int64_t left_;                 // units of work of the search under way
  int64_t num_past_ = 0;         // sweeps of earlier prices
  Values impossible_;            // values that no solution has, or none but the known one
  bool has_regions_ = false;
  std::vector<Board> regions_;  // still to be looked at, the last one first
  std::unique_ptr<Pricing> region_;
};

}  // namespace nonosat::strategy
