#include "strategy/pricing.hpp"

#include <algorithm>
#include <utility>

#include "prices/regions.hpp"

namespace nonosat::strategy {
namespace {

constexpr size_t kLeastOpen = 32;  // cells of a region; the search is fast on smaller ones
constexpr size_t kMostRegions = 16;
constexpr double kMostOfBoard = 0.9;   // share of open cells; larger regions fail like the board
constexpr int64_t kPause = 100'000;    // units of work after which the watch reads the clock
constexpr int64_t kPiece = 5'000'000;  // units of work between two points of resumption

bool are_known(const Board& board, int first, int last) {
  for (int line = first; line < last; ++line) {
    const Clue& blocks = board.plan(line).blocks;
    const auto is_known = [](const Block& block) { return block.length > 0; };
    if (!std::all_of(blocks.begin(), blocks.end(), is_known)) return false;
  }
  return true;
}

}  // namespace

int least_distance(const Board& board) {
  return (1 + are_known(board, 0, board.height())) *
         (1 + are_known(board, board.height(), board.num_lines()));
}

Pricing::Pricing(Board& board, Cells known, const How& how)
    : Pricing(board, std::move(known), how, least_distance(board), false) {}

Pricing::Pricing(Board& board, Cells known, const How& how, int goal, bool is_region)
    : board_(board),
      known_(std::move(known)),
      how_(how),
      goal_(goal),
      is_region_(is_region),
      phase_(known_.empty() || how.with_marginals ? Phase::kMarginals : Phase::kOthers),
      left_(how.work) {}

auto Pricing::run(Watch& watch) -> Outcome {
  for (;;) {
    std::optional<Outcome> found;
    switch (phase_) {
      case Phase::kMarginals:
        found = search_marginals(watch);
        break;
      case Phase::kOthers:
        found = search_others(watch);
        break;
      case Phase::kSettling:
        found = settle(watch);
        break;
    }
    if (found) return *found;
  }
}

// Runs a search in pieces, after each of which it can resume.
template <class Search>
Prices::Outcome Pricing::descend(Watch& watch, Search search) {
  for (;;) {
    const auto outcome = whole_(watch, [&](Watch& used) {
      const int64_t before = used.done();
      const auto found = search(used, std::min(left_, kPiece));
      left_ -= used.done() - before;
      return found;
    });
    if (outcome != Prices::Outcome::kBudget || left_ <= 0) return outcome;
    watch.work(kPause);
  }
}

void Pricing::open(Watch& watch) {
  num_past_ = num_sweeps();
  prices_.reset();
  const Cells& solution = phase_ == Phase::kOthers ? known_ : Cells();
  prices_ =
      whole_(watch, [&](Watch& used) { return std::make_unique<Prices>(board_, solution, used); });
  left_ = how_.work;
}

auto Pricing::search_marginals(Watch& watch) -> std::optional<Outcome> {
  if (!prices_) open(watch);
  const auto outcome = descend(watch, [&](Watch& used, int64_t budget) {
    return prices_->find(used, budget, how_.is_patient);
  });
  if (outcome == Prices::Outcome::kReached) {
    if (prices_->bound() < 0) return Outcome::kRefuted;
    phase_ = Phase::kOthers;
    has_led_ = true;
    left_ = how_.work;
    const Cells before = std::exchange(known_, prices_->cells());
    if (before == known_) return {};
    return Outcome::kSolution;
  }
  if (prices_->num_sweeps() >= how_.cell_sweeps) {
    impossible_ = whole_(watch, [&](Watch& used) { return prices_->impossible(used); });
  }
  phase_ = Phase::kSettling;
  if (is_region_) return Outcome::kOpen;
  return {};
}

// Searches for a proof that the known solution is the only one. Starts from the prices that led to
// the solution, if there are any: multiplied, they mostly prove this at once.
auto Pricing::search_others(Watch& watch) -> std::optional<Outcome> {
  if (!is_about_known_) {
    if (has_led_) {
      whole_(watch, [&](Watch& used) { return prices_->set_solution(used, known_), true; });
    } else {
      open(watch);
    }
    is_about_known_ = true;
  }
  const auto outcome = descend(watch, [&](Watch& used, int64_t budget) {
    return prices_->lower(used, goal_, budget, how_.is_patient || has_led_);
  });
  const bool is_alone = outcome == Prices::Outcome::kReached;
  if (is_alone && !is_region_) return Outcome::kRefuted;
  if (is_alone || prices_->num_sweeps() >= how_.cell_sweeps) {
    impossible_ = whole_(watch, [&](Watch& used) { return prices_->ruled_out(used, goal_); });
  }
  phase_ = Phase::kSettling;
  if (is_region_) return is_alone ? Outcome::kRefuted : Outcome::kOpen;
  return {};
}

// Removes the values that the prices of the whole board and of its regions exclude.
auto Pricing::settle(Watch& watch) -> std::optional<Outcome> {
  if (!search_regions(watch)) return Outcome::kRefuted;
  for (const auto& [cell, value] : impossible_) board_.remove(cell, value);
  impossible_.clear();
  if (!board_.propagate(watch)) return Outcome::kRefuted;
  has_regions_ = false;
  if (known_.empty() && board_.is_complete()) {
    known_ = board_.cells();
    return Outcome::kSolution;
  }
  if (board_.is_complete()) return Outcome::kRefuted;
  if (known_.empty() || is_about_known_) return Outcome::kOpen;
  phase_ = Phase::kOthers;
  return {};
}

// Collects the values that prices of regions exclude. Returns false if a region has no filling.
bool Pricing::search_regions(Watch& watch) {
  if (!has_regions_) {
    const auto num_open = static_cast<double>(board_.open_cells().size());
    const auto most = static_cast<size_t>(kMostOfBoard * num_open);
    regions_ = whole_(
        watch, [&](Watch& used) { return regions(board_, kLeastOpen, most, kMostRegions, used); });
    has_regions_ = true;
  }
  for (; !regions_.empty(); regions_.pop_back()) {
    Board& board = regions_.back();
    if (!region_) {
      Cells mine = is_about_known_ ? board.cells() : Cells();
      for (size_t cell = 0; cell < mine.size(); ++cell) {
        if (mine[cell] == Board::kOpen) mine[cell] = known_[cell];
      }
      const How how{how_.work, how_.cell_sweeps, false, !is_about_known_};
      region_.reset(new Pricing(board, std::move(mine), how, goal_, true));
    }
    Outcome found = region_->run(watch);
    if (found == Outcome::kSolution) found = region_->run(watch);
    if (found == Outcome::kRefuted && region_->known_.empty()) return false;
    impossible_.insert(impossible_.end(), region_->impossible_.begin(), region_->impossible_.end());
    region_.reset();
  }
  return true;
}

}  // namespace nonosat::strategy
