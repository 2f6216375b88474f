// Decision order: a binary heap of variables, highest activity first.
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
    position_.resize(num_vars, kAbsent);
  }

  // Sets the initial activity of a variable; call it before the first `insert`.
  void set_activity(Var var, double activity) { activity_[var] = activity; }

  // Resets all activities and removes all variables.
  void clear() {
    std::fill(activity_.begin(), activity_.end(), 0);
    std::fill(position_.begin(), position_.end(), kAbsent);
    heap_.clear();
    increment_ = 1;
  }

  void insert(Var var) {
    if (position_[var] != kAbsent) return;
    heap_.push_back(var);
    sift_up(heap_.size() - 1);
  }

  bool is_before(Var a, Var b) const { return activity_[a] > activity_[b]; }
  Var top() const { return heap_.front(); }
  bool is_empty() const { return heap_.empty(); }

  Var pop() {
    const Var top = heap_.front(), last = heap_.back();
    position_[top] = kAbsent;
    heap_.pop_back();
    if (top != last) {
      heap_.front() = last;
      sift_down(0);
    }
    return top;
  }

  void bump(Var var) {
    if ((activity_[var] += increment_) > 1e100) rescale();
    if (position_[var] != kAbsent) sift_up(position_[var]);
  }
  void decay(double factor) { increment_ /= factor; }

 private:
  static constexpr uint32_t kAbsent = ~uint32_t{0};

  void sift_up(size_t at) {
    const Var var = heap_[at];
    for (; at && is_before(var, heap_[(at - 1) / 2]); at = (at - 1) / 2) {
      put(heap_[(at - 1) / 2], at);
    }
    put(var, at);
  }

  void sift_down(size_t at) {
    const Var var = heap_[at];
    for (size_t child; (child = 2 * at + 1) < heap_.size(); at = child) {
      if (child + 1 < heap_.size() && is_before(heap_[child + 1], heap_[child])) ++child;
      if (!is_before(heap_[child], var)) break;
      put(heap_[child], at);
    }
    put(var, at);
  }

  void put(Var var, size_t at) {
    heap_[at] = var;
    position_[var] = static_cast<uint32_t>(at);
  }

  void rescale() {
    for (double& activity : activity_) activity *= 1e-100;
    increment_ *= 1e-100;
  }

  std::vector<double> activity_;
  std::vector<uint32_t> position_;  // in the heap
  std::vector<Var> heap_;
  double increment_ = 1;
};

}  // namespace nonosat::learn
