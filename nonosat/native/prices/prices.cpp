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
// cells while nothing has a price (0.56 to 0.82 on noise, 0.12 to 0.51 where prices helped), that
// the first steps do not lower (to 0.83 and more on noise, to 0.04 to 0.7 where they helped), or
// that stands still later.
constexpr double kHopeful = 0.55;
constexpr int kJudgeEvery = 12;  // steps
constexpr double kFirstFall = 0.8, kFall = 0.99;

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
  if (num_steps_ == 0) return value <= kHopeful * static_cast<double>(priced_.cells().size());
  if (num_steps_ % kJudgeEvery != 0) return true;
  const bool is_first = num_steps_ == kJudgeEvery;
  if (value <= (is_first ? kFirstFall : kFall) * std::exchange(judged_, value)) return true;
  return is_first && solution_.empty() && !impossible(*watch_).empty();
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
