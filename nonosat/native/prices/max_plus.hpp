// Integers in which a sum is the larger and a product the sum, so that LineSums finds the dearest
// filling of a line in place of the weight of all.
#pragma once

#include <algorithm>
#include <cstdint>

#include "beliefs/wide.hpp"

namespace nonosat {

// Invariant: a number that stands for a filling is less than 2^58 away from 0, which the caller
// sees to. What stands for none is kNever, less what was added to it: two of them still fit.
class MaxPlus {
 public:
  MaxPlus() = default;
  // The neutral elements: 0 stands for no filling, 1 for a filling that costs nothing.
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
