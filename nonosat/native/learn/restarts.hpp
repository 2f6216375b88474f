// When the learning search goes back to the root: where the glue of what it learnt lately is above
// the average (Biere and Froehlich 2015), or, while values are suggested to it, in Luby's sequence
// (Luby, Sinclair, Zuckerman 1993).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace nonosat::learn {

class Restarts {
 public:
  // Whether values are suggested. Glue is several times as high then: against such an average
  // hardly any restart would be due. Before there is a model, few restarts are just as well; a
  // proof that there is no other wants them (SEARCH.md). So few conflicts as are made close to a
  // model that others have found say nothing either way.
  bool is_guided() const { return is_guided_; }
  void guide() {
    is_guided_ = true;
    num_restarts_ = 0;
  }
  void end_guidance(bool is_solved) {
    is_guided_ = false;
    if (is_solved || num_averaged_ < kFewAveraged) fast_glue_ = slow_glue_ = 0, num_averaged_ = 0;
  }

  void note_conflict() { ++num_conflicts_; }

  // The glue of a clause that was learnt.
  void note_glue(uint32_t glue) {
    fast_glue_ += (glue - fast_glue_) / 33;
    const double window = std::min(1e5, 50.0 + static_cast<double>(++num_averaged_));
    slow_glue_ += (glue - slow_glue_) / window;
  }

  // Above the root. `num_propagations`: of the search so far; `num_assigned`: what a restart takes
  // back of a wide search, else 0.
  bool is_due(int64_t num_propagations, size_t num_assigned) const {
    if (is_guided_) return num_conflicts_ >= kGuided * luby(num_restarts_);
    const int64_t num_since = num_propagations - propagations_before_;
    if (num_assigned > 0 && num_since < kWide * static_cast<int64_t>(num_assigned)) return false;
    return num_conflicts_ >= kLeast && fast_glue_ > kMargin * slow_glue_;
  }

  void restart(int64_t num_propagations) {
    num_conflicts_ = 0;
    ++num_restarts_;
    propagations_before_ = num_propagations;
  }

 private:
  static constexpr int64_t kLeast = 10, kGuided = 100;  // conflicts
  static constexpr double kMargin = 1.15;
  // Propagations by what a restart of a wide search takes back: without that, most of them went
  // into what restarts had undone.
  static constexpr int64_t kWide = 8;
  static constexpr int64_t kFewAveraged = 500;

  // 1, 1, 2, 1, 1, 2, 4, ..., for i from 0.
  static int64_t luby(uint32_t i) {
    uint32_t size = 1;
    while (size <= i) size = 2 * size + 1;
    while (size != i + 1) {
      size /= 2;
      if (i >= size) i -= size;
    }
    return (size + 1) / 2;
  }

  double fast_glue_ = 0, slow_glue_ = 0;
  int64_t num_averaged_ = 0;   // conflicts whose glue the slow average knows
  int64_t num_conflicts_ = 0;  // since the last restart
  uint32_t num_restarts_ = 0;  // since guidance began
  int64_t propagations_before_ = 0;
  bool is_guided_ = false;
};

}  // namespace nonosat::learn
