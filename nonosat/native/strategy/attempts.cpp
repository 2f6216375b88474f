#include "strategy/attempts.hpp"

#include <algorithm>

namespace nonosat::strategy {
namespace {

constexpr double kClamp = 15, kSigma = 0.1;
constexpr double kMostDamping = 0.9;
constexpr int64_t kMostEffort = 1'000'000'000;

Attempt long_steps(uint64_t seed, int64_t effort, int64_t dead_ends) {
  return {{.beliefs = {0.05, kClamp, kSigma, seed},
           .first = 15,
           .rounds = 2,
           .pace = 0.2,
           .widen = 2,
           .keep = 1},
          effort,
          dead_ends};
}

Attempt with_pushes(uint64_t seed, int64_t effort) {
  return {{.beliefs = {0.3, kClamp, kSigma, seed},
           .first = 200,
           .rounds = 3,
           .pace = 0.02,
           .widen = 2,
           .keep = 0,
           .pushes = 2000},
          effort};
}

}  // namespace

std::vector<Attempt> quick_attempts() {
  return {long_steps(0, 150, 30), long_steps(1, 150, 30), long_steps(2, 150, 30)};
}

std::vector<Attempt> slower_attempts() {
  const Decimation::Settings short_steps{.beliefs = {0.1, kClamp, kSigma, 0},
                                         .first = 50,
                                         .rounds = 3,
                                         .pace = 0.05,
                                         .widen = 1,
                                         .keep = 1};
  return {{short_steps, 300}, with_pushes(0, 300)};
}

std::vector<Attempt> patient_attempts() {
  return {with_pushes(0, 1000), with_pushes(1, 1000), with_pushes(2, 4000)};
}

Attempt further_attempt() { return long_steps(3, 200, 60); }

std::vector<Attempt> attempts_for(int64_t num_open, const Budgets& budgets) {
  if (num_open >= budgets.largest_open) return patient_attempts();
  std::vector<Attempt> attempts = quick_attempts();
  if (num_open < budgets.large_open) return attempts;
  const std::vector<Attempt> slower = slower_attempts();
  attempts.insert(attempts.end(), slower.begin(), slower.end());
  return attempts;
}

Attempt restarted(const Attempt& attempt, int turn) {
  Attempt made = attempt;
  made.settings.beliefs.seed += static_cast<uint64_t>(turn);
  const auto longer = [&](int64_t effort) {
    return std::min(effort * (1 + turn / 2), kMostEffort);
  };
  made.effort = longer(made.effort);
  made.dead_ends = longer(made.dead_ends);
  double& damping = made.settings.beliefs.damping;
  if (turn % 2) damping = std::max(damping, std::min(damping + 0.25, kMostDamping));
  return made;
}

}  // namespace nonosat::strategy
