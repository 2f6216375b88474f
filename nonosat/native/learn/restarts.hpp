// Restart policy: restarts when the glue of recent learnt clauses exceeds the average (Biere and
// Froehlich 2015), or, while the caller's phases are set, in Luby's sequence (Luby, Sinclair,
// Zuckerman 1993).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace nonosat::learn {

class Restarts {
 public:
  // Returns true while phases of the caller are set. Glue is several times as high then, and
  // compared with its average hardly any restart would be due. A search for the first model does
  // equally well with few restarts, but a proof that there is no other needs them (SEARCH.md).
  // `end_guidance` resets the averages after a model, and if they are based on too few conflicts.
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

  // Records the glue of a learnt clause.
  void note_glue(uint32_t glue) {
    fast_glue_ += (glue - fast_glue_) / 33;
    const double window = std::min(1e5, 50.0 + static_cast<double>(++num_averaged_));
    slow_glue_ += (glue - slow_glue_) / window;
  }

  // Returns true if a search above the root should restart. `num_propagations`: of the whole
  // search; `num_assigned`: literals that a restart of a chronological search undoes, else 0.
  bool is_due(int64_t num_propagations, size_t num_assigned) const {
    if (is_guided_) return num_conflicts_ >= kGuided * luby(num_restarts_);
    const int64_t num_since = num_propagations - propagations_before_;
    if (num_assigned > 0 && num_since < kChronological * static_cast<int64_t>(num_assigned))
      return false;
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
  // A chronological search restarts after at least this many propagations for each literal that the
  // restart undoes: otherwise most propagations only restored what restarts had undone.
  static constexpr int64_t kChronological = 8;
  static constexpr int64_t kFewAveraged = 500;

  // Returns element i of 1, 1, 2, 1, 1, 2, 4, ..., from i = 0.
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
  int64_t num_averaged_ = 0;   // conflicts in the slow average
  int64_t num_conflicts_ = 0;  // since the last restart
  uint32_t num_restarts_ = 0;  // since `guide`
  int64_t propagations_before_ = 0;
  bool is_guided_ = false;
};

}  // namespace nonosat::learn
