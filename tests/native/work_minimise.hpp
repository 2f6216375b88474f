// Step-by-step test of the minimiser: its evaluations are compared with the matrix form of BFGS and
// with the conditions of its line search; and scripted functions that contradict themselves.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "counting.hpp"
#include "drawing.hpp"
#include "fuzzing.hpp"
#include "prices/minimise.hpp"

namespace work {

using counting::Counts;
using fuzzing::require;
using nonosat::Minimiser, nonosat::Numbers;

constexpr size_t kMemory = 20;  // pairs that the minimiser stores

inline double product(const Numbers& one, const Numbers& other) {
  double sum = 0;
  for (size_t i = 0; i < one.size(); ++i) sum += one[i] * other[i];
  return sum;
}

inline Numbers difference(const Numbers& one, const Numbers& other) {
  Numbers found = one;
  for (size_t i = 0; i < one.size(); ++i) found[i] -= other[i];
  return found;
}

struct Pair {
  Numbers step, change;
};

// Returns minus the gradient times the inverse Hessian that the last pairs make of a multiple of
// the identity: H becomes (1 - r s y') H (1 - r y s') + r s s', with r = 1 / s'y.
inline Numbers direction(const std::vector<Pair>& pairs, const Numbers& gradient) {
  const size_t size = gradient.size();
  double scale = 1;
  if (!pairs.empty()) {
    const auto& [step, change] = pairs.back();
    scale = product(step, change) / product(change, change);
  }
  std::vector<Numbers> matrix(size, Numbers(size, 0.0));
  for (size_t i = 0; i < size; ++i) matrix[i][i] = scale;
  for (const auto& [step, change] : pairs) {
    const double share = 1 / product(step, change);
    Numbers turned(size);
    for (size_t i = 0; i < size; ++i) turned[i] = product(matrix[i], change);
    const double more = share * share * product(change, turned) + share;
    for (size_t i = 0; i < size; ++i) {
      for (size_t j = 0; j < size; ++j)
        matrix[i][j] +=
            more * step[i] * step[j] - share * (turned[i] * step[j] + step[i] * turned[j]);
    }
  }
  Numbers found(size);
  for (size_t i = 0; i < size; ++i) found[i] = -product(matrix[i], gradient);
  return found;
}

// Evaluations of a function, in order.
struct Evaluation {
  Numbers point, gradient;
  double value;
};

// Checks one step against the conditions; `evaluations`: its evaluations.
inline void check_step(const std::vector<Pair>& pairs, const Evaluation& from,
                       const std::vector<Evaluation>& evaluations) {
  const Numbers way = direction(pairs, from.gradient);
  const double slope = product(way, from.gradient);
  double low = 0, high = std::numeric_limits<double>::infinity();
  double length = pairs.empty() ? 1 / std::sqrt(-slope) : 1;
  for (size_t trial = 0; trial < evaluations.size(); ++trial) {
    const Evaluation& at = evaluations[trial];
    const double most = 1e-6 * length * std::sqrt(product(way, way));
    for (size_t i = 0; i < way.size(); ++i) {
      const double expected = from.point[i] + length * way[i];
      require(std::abs(at.point[i] - expected) <= most, "where the minimiser looks");
    }
    const bool is_low = at.value <= from.value + 1e-4 * length * slope;
    const bool is_steep = product(way, at.gradient) < 0.9 * slope;
    require((is_low && !is_steep) == (trial + 1 == evaluations.size()), "where a line search ends");
    (is_low ? low : high) = length;
    length = std::isinf(high) ? 2 * low : (low + high) / 2;
  }
}

// A sum of smooth maxima of different widths in different directions.
inline double bowl(const Numbers& point, Numbers& gradient) {
  double value = 0;
  gradient.assign(point.size(), 0.0);
  for (size_t i = 0; i < point.size(); ++i) {
    const size_t next = (i + 1) % point.size();
    const double weight = std::pow(1.35, static_cast<double>(i));
    const double apart = point[i] - point[next] / 2 - static_cast<double>(i % 7) + 3;
    const double slope = weight * apart / std::sqrt(1 + apart * apart);
    value += weight * (std::sqrt(1 + apart * apart) - 1) + point[i] * point[i] / 200;
    gradient[i] += slope + point[i] / 100;
    gradient[next] -= slope / 2;
  }
  return value;
}

// Two dozen variables and more steps than stored pairs.
inline void count_bowl(Counts& counts) {
  fuzzing::place = "a bowl";
  std::vector<Evaluation> evaluations;
  Minimiser minimiser(
      [&](const Numbers& point, Numbers& gradient) {
        const double value = bowl(point, gradient);
        evaluations.push_back({point, gradient, value});
        return value;
      },
      Numbers(24, 0.0));
  std::vector<Pair> pairs;
  int num_steps = 0;
  for (; num_steps < 45; ++num_steps) {
    const Evaluation from{minimiser.point(), minimiser.gradient(), minimiser.value()};
    evaluations.clear();
    require(minimiser.step(), "a bowl has a lower point");
    check_step(pairs, from, evaluations);
    require(minimiser.point() == evaluations.back().point, "the point that was found");
    require(minimiser.gradient() == evaluations.back().gradient, "the gradient there");
    require(minimiser.value() == evaluations.back().value, "the value there");
    pairs.push_back({difference(minimiser.point(), from.point),
                     difference(minimiser.gradient(), from.gradient)});
    if (pairs.size() > kMemory) pairs.erase(pairs.begin());
  }
  counts.note("bowl, evaluations", minimiser.num_evaluations(), 10);
}

// Scripted values of a function of one variable, by call.
struct ScriptedValue {
  double value, slope;
};

// Takes steps with the scripted values, the last of them repeated, and checks the results of the
// steps. Returns the points of evaluation.
inline std::vector<double> evaluated_points(const std::vector<ScriptedValue>& values,
                                            const std::vector<bool>& steps) {
  std::vector<double> places;
  Minimiser minimiser(
      [&](const Numbers& point, Numbers& gradient) {
        const ScriptedValue& scripted = values[std::min(places.size(), values.size() - 1)];
        places.push_back(point[0]);
        gradient[0] = scripted.slope;
        return scripted.value;
      },
      Numbers(1, 0.0));
  for (const bool expected : steps) {
    const double before = minimiser.point()[0];
    require(minimiser.step() == expected, "whether there is a lower point");
    require(expected || minimiser.point()[0] == before, "a step that leads nowhere");
  }
  require(static_cast<int>(places.size()) == minimiser.num_evaluations(), "evaluations");
  return places;
}

inline void check_scripted_functions() {
  using Places = std::vector<double>;
  fuzzing::place = "a scripted function";
  require(evaluated_points({{0, 0}}, {false}) == Places{0}, "a plain has no direction");
  require(evaluated_points({{0, 1}, {-1e-4, 0.9}}, {true}) == Places{0, -1},
          "a fall that just suffices");
  require(evaluated_points({{0, 1}, {0, 0}, {-1, 0}}, {true}) == Places{0, -1, -0.5}, "no fall");
  require(evaluated_points({{0, 4}, {-1, 4}, {-2, 4}, {-3, 0}}, {true}) == Places{0, -1, -2, -4},
          "as steep as before");
  require(evaluated_points({{0, 1}, {-1, 1}, {5, 1}, {-2, 0}}, {true}) == Places{0, -1, -2, -1.5},
          "between what is too near and what is too far");

  Places ends = evaluated_points({{0, 1}, {7, 1}}, {false});
  require(ends.size() == 31 && ends.back() == -std::pow(0.5, 29), "30 trials in vain");
  ends.clear();
  std::vector<ScriptedValue> falling;
  for (int i = 0; i < 40; ++i) falling.push_back({-std::pow(2.0, i), 1});
  ends = evaluated_points(falling, {true});
  require(ends.size() == 32 && ends.back() == -std::pow(2.0, 29), "a fall without an end");

  // The stored pairs make the slope underflow: they are discarded.
  const Places forgot =
      evaluated_points({{0, 1e150}, {-1e147, -1e-100}, {-1e148, 1e-100}}, {true, true});
  require(forgot.size() == 3 && forgot[1] == -1 && std::abs(forgot[2]) < 1e-9, "to begin anew");
}

inline void count_minimiser(Counts& counts) {
  counts.start("prices, minimiser");
  count_bowl(counts);
  check_scripted_functions();
}

}  // namespace work
