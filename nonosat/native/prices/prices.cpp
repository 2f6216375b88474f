#include "prices/prices.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nonosat {
namespace {

// 0.5 takes twice as many sweeps over n-dominoes of 20 and more; from 4 to 64 they are the same.
// Without a known solution nothing costs anything, and the temperature only scales the prices.
constexpr double kTemperature = 4;
// How many times dearer the prices that led to a solution are made for the proof that there is no
// other: what another filling loses then outweighs all costs.
constexpr int kTimes[] = {1, 8, 64};
constexpr int kRoundEvery = 4;  // steps: a bound costs about a third of a sweep
constexpr int64_t kMaxScale = 1 << 10;
constexpr double kMaxSum = 0x1p50;  // of all prices: bounds are compared times kMaxScale

// When to give up (PRICES.md has the runs). Measured is the smoothed bound for an open cell: mostly
// above 0.6 on noise, 0.08 to 0.56 where prices reach, while nothing has a price. Two steps bring
// noise to 0.46 and more. Four steps bring what reaches to 0.88 of the beginning, or it is low
// already. Later that falls by a twelfth with each doubling of the steps, or is low and falls
// slowly. Some that reach fall more slowly: `auto` asks again, patiently, where an engine takes
// long.
constexpr double kHopeful = 0.6, kHopefulSoon = 0.46, kHopefulThen = 0.37, kLow = 0.13;
constexpr int kFirstLook = 2, kSecondLook = 4, kThirdLook = 12;  // steps
constexpr double kFirstFall = 0.88, kFall = 0.92, kSlowFall = 0.99;
constexpr double kNear = 0.2;  // from there on it may have reached

// What falls by less in so many steps is as low as it gets. Rounding lets the minimiser take steps
// there for ever.
constexpr double kStandstill = 1e-6;
constexpr int kStandstillEvery = 12;

}  // namespace

Prices::Prices(const Board& board, const std::vector<uint8_t>& solution, Watch& watch)
    : solution_(solution),
      priced_(board, solution, watch),
      watch_(&watch),
      minimiser_(started(Numbers(priced_.num_prices(), 0.0))),
      table_{std::vector<int64_t>(priced_.num_prices(), 0), 1, 0} {
  judge();
  if (!solution.empty()) table_.bound = priced_.bound(table_.prices, 1, watch);
}

Minimiser Prices::started(Numbers point) {
  return {[this](const Numbers& at, Numbers& gradient) { return evaluate(at, gradient); },
          std::move(point)};
}

void Prices::know(Watch& watch, const std::vector<uint8_t>& solution) {
  watch_ = &watch;
  num_past_ = num_sweeps();
  num_bounds_ = num_steps_ = 0;
  solution_ = solution;
  priced_.know(solution);
  Numbers prices = minimiser_.point();
  table_ = {std::vector<int64_t>(prices.size(), 0), 1, 0};
  table_.bound = priced_.bound(table_.prices, 1, watch);
  for (const int times : kTimes) {
    round(watch, times);
    if (table_.bound <= 0) break;
  }
  minimiser_ = started(std::move(prices));
  is_falling_ = true;
  judge();
}

// The smoothed bound; infinite where a price is too large for any table, so that the minimiser
// stays where numbers are finite. A bound without a least value would lead it away.
double Prices::evaluate(const Numbers& point, Numbers& gradient) {
  const double limit = kMaxSum / static_cast<double>(point.size());
  for (const double price : point) {
    if (!(std::abs(price) < limit)) return HUGE_VAL;
  }
  return priced_.smoothed(point, kTemperature, gradient, shares_, *watch_);
}

// Rounds the prices, and keeps them if their bound is better and they are not too large.
void Prices::round(Watch& watch, int times) {
  Table found;
  found.prices.resize(priced_.num_prices());
  const double limit = kMaxSum / static_cast<double>(found.prices.size());
  for (;; found.scale *= 32) {
    const auto scale = static_cast<double>(found.scale);
    for (size_t i = 0; i < found.prices.size(); ++i) {
      const double price = scale * times * minimiser_.point()[i];
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

double Prices::share() const {
  return minimiser_.value() / kTemperature / static_cast<double>(priced_.cells().size());
}

// Looks at some steps how far the smoothed bound has fallen. Each is judged once, even where a
// budget ends right behind it: the next call goes on as this one would have.
void Prices::judge() {
  if (num_steps_ % kStandstillEvery == 0) {
    const double before = std::exchange(stood_, minimiser_.value());
    is_falling_ = num_steps_ == 0 || stood_ < before - kStandstill * std::abs(before);
    is_moving_ = num_steps_ == 0 || stood_ <= kSlowFall * before;
  }
  const double now = share();
  if (num_steps_ == 0) {
    is_hopeful_ = priced_.cells().empty() || now <= kHopeful;
    judged_ = now;
  } else if (num_steps_ == kFirstLook) {
    is_hopeful_ = now <= kHopefulSoon;
  } else if (num_steps_ == kSecondLook) {
    is_hopeful_ = now <= kFirstFall * judged_ || now <= kLow;
  } else if (num_steps_ == kThirdLook) {
    is_hopeful_ = now <= kHopefulThen || (solution_.empty() && !impossible(*watch_).empty());
    judged_ = now;
    next_look_ = 2 * kThirdLook;
  } else if (num_steps_ == next_look_) {
    is_hopeful_ = now <= (now <= kLow ? kSlowFall : kFall) * std::exchange(judged_, now);
    next_look_ *= 2;
  }
}

bool Prices::may_go_on(Patience patience) const {
  if (patience == Patience::kLittle) return is_falling_ && is_hopeful_;
  return patience == Patience::kMuch ? is_moving_ : is_falling_;
}

// Takes steps until `is_reached`, which is asked every few of them.
template <class Reached>
auto Prices::descend(Watch& watch, int64_t budget, Patience patience, Reached is_reached)
    -> Outcome {
  watch_ = &watch;
  const int64_t end = watch.done() + budget;
  for (;;) {
    if (!may_go_on(patience)) return Outcome::kStalled;
    if (watch.done() >= end) return Outcome::kBudget;
    const bool has_moved = minimiser_.step();
    ++num_steps_;
    judge();
    const bool may_have_reached =
        num_steps_ % kRoundEvery == 0 && (patience != Patience::kLittle || share() <= kNear);
    if ((!has_moved || may_have_reached) && is_reached()) return Outcome::kReached;
    if (!has_moved) return Outcome::kStalled;
  }
}

auto Prices::lower(Watch& watch, int64_t goal, int64_t budget, bool stubborn) -> Outcome {
  const auto is_reached = [&] { return table_.bound < goal * table_.scale; };
  if (is_reached()) return Outcome::kReached;
  return descend(watch, budget, stubborn ? Patience::kEndless : Patience::kLittle, [&] {
    round(watch, 1);
    return is_reached();
  });
}

auto Prices::find(Watch& watch, int64_t budget, bool stubborn) -> Outcome {
  return descend(watch, budget, stubborn ? Patience::kEndless : Patience::kLittle,
                 [&] { return is_refuted(watch) || is_solution(watch); });
}

auto Prices::refute(Watch& watch, int64_t budget) -> Outcome {
  return descend(watch, budget, Patience::kMuch, [&] { return is_refuted(watch); });
}

// Whether the rounded prices have a bound below 0. Without a solution nothing costs anything, so a
// share of the prices proves the same.
bool Prices::is_refuted(Watch& watch) {
  round(watch, 1);
  if (table_.bound >= 0) return false;
  shrink(watch, 0);
  return true;
}

// Whether the likeliest values have the blocks of all clues.
bool Prices::is_solution(Watch& watch) const {
  Board trial = priced_.board();
  const auto values = cells();
  for (const int cell : priced_.cells()) trial.assign(cell, values[cell]);
  return trial.propagate(watch);
}

void Prices::shrink(Watch& watch, int64_t goal) {
  int64_t most = 1;
  for (const int64_t price : table_.prices) most = std::max(most, std::abs(price));
  for (int64_t largest = 1; largest < most; largest *= 2) {
    Table found;
    const double share = static_cast<double>(largest) / static_cast<double>(most);
    for (const int64_t price : table_.prices) {
      found.prices.push_back(std::llround(share * static_cast<double>(price)));
    }
    found.bound = priced_.bound(found.prices, 1, watch);
    ++num_bounds_;
    if (found.bound >= goal) continue;
    table_ = std::move(found);
    return;
  }
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
