#include "prices/prices.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nonosat {
namespace {

// At temperature 0.5, n-dominoes of 20 and more take twice as many sweeps; from 4 to 64 there is no
// difference. Without a known solution all costs are 0, and the temperature only scales the prices.
constexpr double kTemperature = 4;
// Factors for the prices that led to a solution, in the proof that it is the only one: with larger
// prices the losses of other fillings exceed all costs.
constexpr int kTimes[] = {1, 8, 64};
constexpr int kRoundEvery = 4;  // in steps: a bound costs about a third of a sweep
constexpr int64_t kMaxScale = 1 << 10;
constexpr double kMaxSum = 0x1p50;  // of all prices: comparisons multiply by kMaxScale

// Limits for giving up, applied to the smoothed bound per open cell (PRICES.md has the runs). At
// prices of 0 it is mostly above 0.6 for random boards, and 0.08 to 0.56 if prices succeed. After
// two steps it is 0.46 or more for random boards. After four steps of a successful search it is at
// most 0.88 of its first value, or low anyway. Later it falls by a twelfth with each doubling of
// the steps, or is low and falls slowly. Some successful searches fall more slowly: `auto` tries
// again, patiently, if an engine takes long.
constexpr double kHopeful = 0.6, kHopefulSoon = 0.46, kHopefulThen = 0.37, kLow = 0.13;
constexpr int kFirstJudgement = 2, kSecondJudgement = 4, kThirdJudgement = 12;  // in steps
constexpr double kFirstFall = 0.88, kFall = 0.92, kSlowFall = 0.99;
constexpr double kNear = 0.2;  // below it the goal may be reached

// A bound that falls by a smaller fraction in so many steps is at its minimum. Because of rounding
// errors the minimiser could take steps there forever.
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

void Prices::set_solution(Watch& watch, const std::vector<uint8_t>& solution) {
  watch_ = &watch;
  num_past_ = num_sweeps();
  num_bounds_ = num_steps_ = 0;
  solution_ = solution;
  priced_.set_solution(solution);
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

// Returns the smoothed bound, or infinity if a price is too large for any table, so that the
// minimiser stays in the range of finite numbers even if the bound has no minimum.
double Prices::evaluate(const Numbers& point, Numbers& gradient) {
  const double limit = kMaxSum / static_cast<double>(point.size());
  for (const double price : point) {
    if (!(std::abs(price) < limit)) return HUGE_VAL;
  }
  return priced_.smoothed(point, kTemperature, gradient, shares_, *watch_);
}

// Rounds the prices, multiplied by `times`, and stores them as the table if their bound is better
// and they are not too large.
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
    // A finer table is useful only if rounding has spoilt this one.
    const bool is_spoilt = static_cast<double>(found.bound) > scale * (minimiser_.value() + 1);
    if (!is_spoilt || found.scale == kMaxScale) break;
  }
  if (found.bound * table_.scale < table_.bound * found.scale) table_ = std::move(found);
}

double Prices::share() const {
  return minimiser_.value() / kTemperature / static_cast<double>(priced_.cells().size());
}

// At certain steps, judges by the decrease of the smoothed bound. It runs right after each step, so
// that a budget that ends there does not change the judgement.
void Prices::judge() {
  if (num_steps_ % kStandstillEvery == 0) {
    const double before = std::exchange(last_bound_, minimiser_.value());
    is_falling_ = num_steps_ == 0 || last_bound_ < before - kStandstill * std::abs(before);
    is_moving_ = num_steps_ == 0 || last_bound_ <= kSlowFall * before;
  }
  const double now = share();
  if (num_steps_ == 0) {
    is_hopeful_ = priced_.cells().empty() || now <= kHopeful;
    last_share_ = now;
  } else if (num_steps_ == kFirstJudgement) {
    is_hopeful_ = now <= kHopefulSoon;
  } else if (num_steps_ == kSecondJudgement) {
    is_hopeful_ = now <= kFirstFall * last_share_ || now <= kLow;
  } else if (num_steps_ == kThirdJudgement) {
    is_hopeful_ = now <= kHopefulThen || (solution_.empty() && !impossible(*watch_).empty());
    last_share_ = now;
    next_judgement_ = 2 * kThirdJudgement;
  } else if (num_steps_ == next_judgement_) {
    is_hopeful_ = now <= (now <= kLow ? kSlowFall : kFall) * std::exchange(last_share_, now);
    next_judgement_ *= 2;
  }
}

bool Prices::may_go_on(Patience patience) const {
  if (patience == Patience::kLittle) return is_falling_ && is_hopeful_;
  return patience == Patience::kMuch ? is_moving_ : is_falling_;
}

// Takes steps until `is_reached`, which is evaluated every few steps.
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

// Returns true if the rounded prices have a bound below 0. Without a known solution all costs are
// 0, so a fraction of the prices proves the same.
bool Prices::is_refuted(Watch& watch) {
  round(watch, 1);
  if (table_.bound >= 0) return false;
  shrink(watch, 0);
  return true;
}

// Returns true if the most probable values satisfy all clues.
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
    double lowest = 1, most = 0;  // shares of the lowest value, and of the most probable other
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
