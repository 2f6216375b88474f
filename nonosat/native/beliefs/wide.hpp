// Class of non-negative numbers of any magnitude, with the precision of a double. LineSums is a
// template over this class and double; functions that both need are overloaded for doubles.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace nonosat {

// m * 2^(256 e). Invariant: m is 0 or in [2^-128, 2^128). The product of two m stays inside a
// double's range, and one comparison for each bound restores the invariant; a sum of numbers
// further apart than 2^512 equals the larger.
class Wide {
 public:
  Wide() = default;
  Wide(double value) : m_(value), e_(0) { settle(); }

  static Wide exp(double log) {
    constexpr double kStep = 256 * std::numbers::ln2;
    const double steps = std::round(log / kStep);
    return Wide(std::exp(log - steps * kStep), static_cast<int64_t>(steps));
  }

  friend Wide operator*(Wide a, Wide b) { return Wide(a.m_ * b.m_, a.e_ + b.e_); }
  friend Wide operator+(Wide a, Wide b) {
    if (a.m_ == 0) return b;
    if (b.m_ == 0) return a;
    if (a.e_ == b.e_) return Wide(a.m_ + b.m_, a.e_);
    if (a.e_ < b.e_) std::swap(a, b);
    return a.e_ - b.e_ > 1 ? a : Wide(a.m_ + b.m_ * kDown, a.e_);
  }
  Wide& operator*=(Wide other) { return *this = *this * other; }
  Wide& operator+=(Wide other) { return *this = *this + other; }

  friend double log_of(Wide a) { return std::log(a.m_) + 256 * std::numbers::ln2 * a.e_; }
  friend Wide inverse(Wide a) { return Wide(1 / a.m_, -a.e_); }
  friend bool is_zero(Wide a) { return a.m_ == 0; }

  // a / b as a double, 0 or infinity if it is out of range; b must not be zero.
  friend double ratio(Wide a, Wide b) {
    const double mantissa = a.m_ / b.m_;
    const int64_t apart = a.e_ - b.e_;
    if (mantissa == 0 || apart < -5) return 0;
    return std::ldexp(mantissa, static_cast<int>(256 * (apart > 5 ? 5 : apart)));
  }

 private:
  static constexpr double kUp = 0x1p256, kDown = 0x1p-256;

  Wide(double m, int64_t e) : m_(m), e_(e) { settle(); }

  void settle() {
    if (m_ >= 0x1p128) {
      m_ *= kDown, ++e_;
    } else if (m_ < 0x1p-128 && m_ != 0) {
      m_ *= kUp, --e_;
    }
  }

  double m_;
  int64_t e_;
};

// Returns the weight whose logarithm is given, as a Number. Known cells, which are most cells of a
// line, have weight 1. Other representations of weights are specialised in prices/max_plus.hpp.
template <class Number, class Weight>
Number weighed(Weight weight);
template <>
inline double weighed<double>(double log) {
  return log == 0 ? 1 : std::exp(log);
}
template <>
inline Wide weighed<Wide>(double log) {
  return Wide::exp(log);
}
inline double log_of(double a) { return std::log(a); }
inline double inverse(double a) { return 1 / a; }
inline bool is_zero(double a) { return a == 0; }
inline double ratio(double a, double b) { return a / b; }

}  // namespace nonosat
