#include "prices/minimise.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace nonosat {
namespace {

double product(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void add(Numbers& to, double share, const Numbers& other) {
  for (size_t i = 0; i < to.size(); ++i) to[i] += share * other[i];
}

}  // namespace

Minimiser::Minimiser(Function function, Numbers point)
    : function_(std::move(function)), point_(std::move(point)), gradient_(point_.size()) {
  value_ = function_(point_, gradient_);
}

// Sets the direction to the negative gradient times the L-BFGS approximation of the inverse
// Hessian.
void Minimiser::set_direction() {
  direction_ = gradient_;
  shares_.resize(pairs_.size());
  for (size_t i = pairs_.size(); i-- > 0;) {
    shares_[i] = product(pairs_[i].step, direction_) / pairs_[i].curvature;
    add(direction_, -shares_[i], pairs_[i].change);
  }
  if (!pairs_.empty()) {
    const Pair& last = pairs_.back();
    const double scale = last.curvature / product(last.change, last.change);
    for (double& each : direction_) each *= scale;
  }
  for (size_t i = 0; i < pairs_.size(); ++i) {
    const double back = product(pairs_[i].change, direction_) / pairs_[i].curvature;
    add(direction_, shares_[i] - back, pairs_[i].step);
  }
  for (double& each : direction_) each = -each;
}

bool Minimiser::step() {
  set_direction();
  double slope = product(direction_, gradient_);
  if (!(slope < 0)) {  // rounding errors have spoilt the stored pairs
    pairs_.clear();
    set_direction();
    slope = product(direction_, gradient_);
    if (!(slope < 0)) return false;
  }
  return line_search(slope);
}

bool Minimiser::line_search(double slope) {
  constexpr int kMaxTrials = 30;
  constexpr double kDecrease = 1e-4, kCurvature = 0.9;
  double low = 0, high = std::numeric_limits<double>::infinity();
  double length = pairs_.empty() ? 1 / std::sqrt(-slope) : 1;
  next_gradient_.resize(point_.size());
  for (int trial = 0; trial < kMaxTrials; ++trial) {
    const double next_value = evaluate(length);
    if (!(next_value <= value_ + kDecrease * length * slope)) {
      high = length;
    } else if (product(direction_, next_gradient_) < kCurvature * slope) {
      low = length;
    } else {
      accept(next_value);
      return true;
    }
    length = std::isinf(high) ? 2 * low : (low + high) / 2;
  }
  if (low == 0) return false;
  accept(evaluate(low));  // the function is unbounded below, or has a kink
  return true;
}

// Evaluates the point at `length` times the direction.
double Minimiser::evaluate(double length) {
  next_point_ = point_;
  add(next_point_, length, direction_);
  ++num_evaluations_;
  return function_(next_point_, next_gradient_);
}

// Moves to the point that was evaluated last, and stores the pair of step and change.
void Minimiser::accept(double next_value) {
  value_ = next_value;
  if (pairs_.size() == kMemory) {
    pairs_.push_back(std::move(pairs_.front()));
    pairs_.pop_front();
  } else {
    pairs_.push_back({Numbers(point_.size()), Numbers(point_.size()), 0});
  }
  Pair& pair = pairs_.back();
  for (size_t i = 0; i < point_.size(); ++i) {
    pair.step[i] = next_point_[i] - point_[i];
    pair.change[i] = next_gradient_[i] - gradient_[i];
  }
  pair.curvature = product(pair.step, pair.change);
  if (!(pair.curvature > 0)) pairs_.pop_back();
  std::swap(point_, next_point_);
  std::swap(gradient_, next_gradient_);
}

}  // namespace nonosat
