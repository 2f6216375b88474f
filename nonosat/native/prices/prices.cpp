#include "prices/prices.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nonosat {
namespace {

// 0.5 takes twice as many sweeps over n-dominoes of 20 and more; from 4 to 64 they are the same.
// Without a known solution nothing costs anything, and the temperature only scales the prices.
constexpr double kTemperature = 4;
constexpr int kRoundEvery = 4;  // steps: a bound costs about a third of a sweep
constexpr int64_t kMaxScale = 1 << 10;
constexpr double kMaxSum = 0x1p51;  // of the prices of a line, which PricedBoard wants below 2^53

// What is not hopeful (PRICES.md has the runs): a smoothed bound that is above a share of the open
// cells while nothing has a price (0.58 and more on noise, up to 0.55 where prices helped on boards
// that search does not settle at once), that the first steps do not lower, or that stands still
// later. Where the share is small, lines are long and steps reach less far: the first ones may then
// leave more (at shares of 0.4, 0.3, 0.1 to 0.82, 0.84, 0.81 where prices helped; at 0.46, 0.47,
// 0.52 to 0.82, 0.82, 0.83 where they did not). Later steps left at most 0.994 where they helped.
constexpr double kHopeful = 0.55;
constexpr int kJudgeEvery = 12;  // steps
constexpr double kFirstFall = 0.95, kFirstFallByShare = 0.3, kFall = 0.997;

}  // namespace

Prices::Prices(const Board& board, const std::vector<uint8_t>& solution, Watch& watch)
    : solution_(solution),
      priced_(board, solution, watch),
      watch_(&watch),
      minimiser_(
          [this](const Numbers& point, Numbers& gradient) {
            return priced_.smoothed(point, kTemperature, gradient, shares_, *watch_);
          },
          Numbers(priced_.num_prices(), 0.0)),
      judged_(minimiser_.value() / kTemperature) {
  table_.prices.assign(priced_.num_prices(), 0);
  table_.bound = priced_.bound(table_.prices, 1, watch);
}

// Rounds the prices, and keeps them if their bound is better and they are not too large.
void Prices::round(Watch& watch) {
  Table found;
  const int longest = std::max(priced_.board().width(), priced_.board().height());
  const double limit = kMaxSum / longest;
  found.prices.resize(priced_.num_prices());
  for (;; found.scale *= 32) {
    const auto scale = static_cast<double>(found.scale);
    for (size_t i = 0; i < found.prices.size(); ++i) {
      const double price = scale * minimiser_.point()[i];
      if (!(std::abs(price) < limit)) return;
      found.prices[i] = std::llround(price);
    }
    found.bound = priced_.bound(found.prices, found.scale, watch);
    ++num_bounds_;
    // A finer table is worth its while only where rounding has spoilt this one.
    const bool is_spoilt = static_cast<double>(found.bound) > scale * (minimiser_.value() + 1);
    if (!is_spoilt || found.scale == kMaxScale) break;
  }
  if (found.bound * table_.scale < table_.bound * found.scale) table_ = std::move(found);
}

// Whether the search will most likely get somewhere.
bool Prices::is_hopeful() {
  const double value = minimiser_.value() / kTemperature;
  const auto num_open = static_cast<double>(priced_.cells().size());
  if (num_steps_ == 0) return value <= kHopeful * num_open;
  if (num_steps_ % kJudgeEvery != 0) return true;
  const bool is_first = num_steps_ == kJudgeEvery;  // then `judged_` is of no prices
  const double fall = is_first ? kFirstFall - kFirstFallByShare * judged_ / num_open : kFall;
  return value <= fall * std::exchange(judged_, value);
}

// Takes steps until `is_reached`, which is asked every few of them.
template <class Reached>
auto Prices::descend(Watch& watch, int64_t budget, bool stubborn, Reached is_reached) -> Outcome {
  watch_ = &watch;
  const int64_t end = watch.done() + budget;
  for (;;) {
    if (!stubborn && !is_hopeful()) return Outcome::kStalled;
    if (watch.done() >= end) return Outcome::kBudget;
    const bool has_moved = minimiser_.step();
    ++num_steps_;
    if ((!has_moved || num_steps_ % kRoundEvery == 0) && is_reached()) return Outcome::kReached;
    if (!has_moved) return Outcome::kStalled;
  }
}

auto Prices::lower(Watch& watch, int64_t goal, int64_t budget, bool stubborn) -> Outcome {
  const auto is_reached = [&] { return table_.bound < goal * table_.scale; };
  if (is_reached()) return Outcome::kReached;
  return descend(watch, budget, stubborn, [&] {
    round(watch);
    return is_reached();
  });
}

auto Prices::find(Watch& watch, int64_t budget, bool stubborn) -> Outcome {
  return descend(watch, budget, stubborn, [&] {
    round(watch);
    return table_.bound < 0 || is_solution(watch);
  });
}

// Whether the likeliest values have the blocks of all clues.
bool Prices::is_solution(Watch& watch) const {
  Board trial = priced_.board();
  const auto values = cells();
  for (const int cell : priced_.cells()) trial.assign(cell, values[cell]);
  return trial.propagate(watch);
}

std::vector<std::pair<int, int>> Prices::ruled_out(Watch& watch, int64_t goal) {
  std::vector<int64_t> losses;
  const int64_t bound = priced_.bound(table_.prices, table_.scale, watch, &losses);
  std::vector<std::pair<int, int>> found;
  for (size_t open = 0; open < priced_.cells().size(); ++open) {
    const int cell = priced_.cells()[open];
    const auto consider = [&](int value, size_t at) {
      const bool is_known = !solution_.empty() && solution_[cell] == value;
      if (!is_known && bound - losses[at] < goal * table_.scale) found.push_back({cell, value});
    };
    consider(priced_.lowest(open), priced_.price_at(open) + open);
    for (size_t price = priced_.price_at(open); price < priced_.price_at(open + 1); ++price) {
      consider(priced_.value_of(price), price + open + 1);
    }
  }
  return found;
}

std::vector<uint8_t> Prices::cells() const {
  std::vector<uint8_t> found = priced_.board().cells();
  for (size_t open = 0; open < priced_.cells().size(); ++open) {
    double lowest = 1, most = 0;  // the shares of the lowest value, and of the likeliest other
    int value = priced_.lowest(open);
    for (size_t price = priced_.price_at(open); price < priced_.price_at(open + 1); ++price) {
      lowest -= shares_[price];
      if (shares_[price] <= most) continue;
      most = shares_[price];
      value = priced_.value_of(price);
    }
    const int likeliest = lowest > most ? priced_.lowest(open) : value;
    found[priced_.cells()[open]] = static_cast<uint8_t>(likeliest);
  }
  return found;
}

}  // namespace nonosat
