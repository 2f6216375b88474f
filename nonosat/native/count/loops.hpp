// How many sets of edges form one loop and keep the rules: an exact count, edge by edge, in one
// sweep, or in two of half of the edges each, whose states are joined.
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
  // `max_bytes` is for what is done at each edge, for the states before and behind an edge, and for
  // all that a join takes.
  LoopCount(Ways ways, size_t max_bytes);

  // Takes the cheaper way. Throws Stopped.
  LoopCount(const Graph& graph, size_t max_bytes, Watch& watch)
      : LoopCount(ways_of(graph, Halving::kIfCheaper, watch), max_bytes) {}

  LoopCount(const LoopCount&) = delete;  // a join knows where the sweeps are

  // Counts for so many units of work; true when the number is exact. The next call goes on, also
  // where the watch stopped one (Stopped). Where it takes too much memory it does nothing.
  bool run(Watch& watch, int64_t budget);

  // Loops that are complete by now: the number of all of them where that is exact.
  Natural total() const { return join_ ? join_->total() : front_.total(); }
  bool is_exact() const { return is_halved_ ? join_ && join_->is_done() : front_.is_done(); }
  bool is_full() const;

  size_t num_steps() const { return num_steps_; }
  size_t num_done() const;    // of the steps
  size_t num_states() const;  // of a sweep at once
  int64_t width() const;

 private:
  void begin_join();

  size_t max_bytes_;
  size_t num_steps_;
  bool is_halved_;
  Sweep front_;                // or of all edges
  std::optional<Sweep> back_;  // where it is not the mirror image of the front
  std::vector<int32_t> front_slots_, back_slots_;
  std::optional<Join> join_;
};

}  // namespace nonosat::loops
