// The max-plus semiring over 64-bit integers: the sum of two numbers is their maximum, the product
// their sum. With it `LineSums` computes the maximum payment of a line's fillings.
#pragma once

#include <algorithm>
#include <cstdint>

#include "beliefs/wide.hpp"

namespace nonosat {

// Invariant, ensured by the caller: the payment of a filling is below 2^58 in magnitude. "No
// filling" is kNever plus what was added to it; the sum of two such numbers fits 64 bits.
class MaxPlus {
 public:
  MaxPlus() = default;
  // The neutral elements: 0 is the value of no filling, 1 of a filling that is paid nothing.
  explicit MaxPlus(double one) : value_(one == 0 ? kNever : 0) {}
  static MaxPlus of(int64_t price) {
    MaxPlus made;
    made.value_ = price;
    return made;
  }

  int64_t value() const { return value_; }

  friend MaxPlus operator*(MaxPlus a, MaxPlus b) { return of(a.value_ + b.value_); }
  friend MaxPlus operator+(MaxPlus a, MaxPlus b) { return of(std::max(a.value_, b.value_)); }
  MaxPlus& operator+=(MaxPlus other) { return *this = *this + other; }
  friend MaxPlus inverse(MaxPlus a) { return of(-a.value_); }
  friend double ratio(MaxPlus a, MaxPlus b) { return static_cast<double>(a.value_ - b.value_); }
  friend bool is_zero(MaxPlus a) { return a.value_ < kNever / 2; }

 private:
  static constexpr int64_t kNever = -(int64_t{1} << 60);

  int64_t value_;
};

template <>
inline MaxPlus weighed<MaxPlus>(int64_t price) {
  return MaxPlus::of(price);
}

}  // namespace nonosat
