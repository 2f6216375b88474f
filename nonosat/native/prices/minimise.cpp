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

// Sets the direction: the gradient, turned by what the last steps tell of the curvature.
void Minimiser::direct() {
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
  direct();
  double slope = product(direction_, gradient_);
  if (!(slope < 0)) {  // rounding has spoilt the memory
    pairs_.clear();
    direct();
    slope = product(direction_, gradient_);
    if (!(slope < 0)) return false;
  }
  return search(slope);
}

bool Minimiser::search(double slope) {
  constexpr int kMaxTrials = 30;
  constexpr double kFall = 1e-4, kFlatten = 0.9;
  double low = 0, high = std::numeric_limits<double>::infinity();
  double length = pairs_.empty() ? 1 / std::sqrt(-slope) : 1;
  next_gradient_.resize(point_.size());
  for (int trial = 0; trial < kMaxTrials; ++trial) {
    const double next_value = look(length);
    if (!(next_value <= value_ + kFall * length * slope)) {
      high = length;
    } else if (product(direction_, next_gradient_) < kFlatten * slope) {
      low = length;
    } else {
      take(next_value);
      return true;
    }
    length = std::isinf(high) ? 2 * low : (low + high) / 2;
  }
  if (low == 0) return false;
  take(look(low));  // it falls without an end, or has an edge that is too sharp
  return true;
}

// Evaluates the point that is so far away in the direction.
double Minimiser::look(double length) {
  next_point_ = point_;
  add(next_point_, length, direction_);
  ++num_evaluations_;
  return function_(next_point_, next_gradient_);
}

// Goes to the point that was evaluated last, and remembers the way.
void Minimiser::take(double next_value) {
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
