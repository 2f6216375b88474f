// The order of decisions: variables by activity, the highest first, as a binary heap.
// Source: Moskewicz et al. 2001 (VSIDS); Een and Sorensson 2003 (growing increments).
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "learn/literal.hpp"

namespace nonosat::learn {

class Order {
 public:
  void resize(size_t num_vars) {
    activity_.resize(num_vars, 0);
    place_.resize(num_vars, kOut);
  }

  // Before it is inserted for the first time.
  void start(Var var, double activity) { activity_[var] = activity; }

  // Forgets what counted; activities begin anew and may be started again, nothing is inserted.
  void clear() {
    std::fill(activity_.begin(), activity_.end(), 0);
    std::fill(place_.begin(), place_.end(), kOut);
    heap_.clear();
    increment_ = 1;
  }

  void insert(Var var) {
    if (place_[var] != kOut) return;
    heap_.push_back(var);
    rise(heap_.size() - 1);
  }

  bool is_before(Var a, Var b) const { return activity_[a] > activity_[b]; }
  Var top() const { return heap_.front(); }
  bool is_empty() const { return heap_.empty(); }

  Var pop() {
    const Var top = heap_.front(), last = heap_.back();
    place_[top] = kOut;
    heap_.pop_back();
    if (top != last) {
      heap_.front() = last;
      sink(0);
    }
    return top;
  }

  void bump(Var var) {
    if ((activity_[var] += increment_) > 1e100) rescale();
    if (place_[var] != kOut) rise(place_[var]);
  }
  void decay(double factor) { increment_ /= factor; }

 private:
  static constexpr uint32_t kOut = ~uint32_t{0};

  void rise(size_t at) {
    const Var var = heap_[at];
    for (; at && is_before(var, heap_[(at - 1) / 2]); at = (at - 1) / 2) {
      place(heap_[(at - 1) / 2], at);
    }
    place(var, at);
  }

  void sink(size_t at) {
    const Var var = heap_[at];
    for (size_t child; (child = 2 * at + 1) < heap_.size(); at = child) {
      if (child + 1 < heap_.size() && is_before(heap_[child + 1], heap_[child])) ++child;
      if (!is_before(heap_[child], var)) break;
      place(heap_[child], at);
    }
    place(var, at);
  }

  void place(Var var, size_t at) {
    heap_[at] = var;
    place_[var] = static_cast<uint32_t>(at);
  }

  void rescale() {
    for (double& activity : activity_) activity *= 1e-100;
    increment_ *= 1e-100;
  }

  std::vector<double> activity_;
  std::vector<uint32_t> place_;  // in the heap
  std::vector<Var> heap_;
  double increment_ = 1;
};

}  // namespace nonosat::learn
