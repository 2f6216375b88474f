// Exact number of sets of edges that form one loop and satisfy the rules: edge by edge, in one
// sweep, or in two sweeps over half of the edges each, whose states are joined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "count/loop_halves.hpp"
#include "count/loop_join.hpp"
#include "count/loop_plan.hpp"
#include "count/loop_sweep.hpp"
#include "count/natural.hpp"
#include "watch.hpp"

namespace nonosat::loops {

class LoopCount {
 public:
  // `max_bytes` limits the plans, the states before and after an edge, and the memory of a join.
  LoopCount(Plans plans, size_t max_bytes);

  // Uses the cheaper plan. Throws Stopped.
  LoopCount(const Graph& graph, size_t max_bytes, Watch& watch)
      : LoopCount(plans_of(graph, Halving::kIfCheaper, watch), max_bytes) {}

  LoopCount(const LoopCount&) = delete;  // a join points to the sweeps

  // Counts for `budget` units of work; true when the number is exact. The next call continues, also
  // after Stopped. Does nothing once memory has run out.
  bool run(Watch& watch, int64_t budget);

  // Number of loops found so far; all of them if `is_exact`.
  Natural total() const { return join_ ? join_->total() : front_.total(); }
  bool is_exact() const { return is_halved_ ? join_ && join_->is_done() : front_.is_done(); }
  bool is_full() const;

  size_t num_steps() const { return num_steps_; }
  size_t num_done() const;    // steps done
  size_t num_states() const;  // largest number of states of a sweep at a time
  int64_t width() const;

 private:
  void begin_join();

  size_t max_bytes_;
  size_t num_steps_;
  bool is_halved_;
  Sweep front_;                // the front half, or all edges
  std::optional<Sweep> back_;  // absent if it is the mirror image of the front
  std::vector<int32_t> front_slots_, back_slots_;
  std::optional<Join> join_;
};

}  // namespace nonosat::loops
