// How many sets of edges form one loop and keep the rules: an exact count, edge by edge.
//
// What matters of the edges decided so far is how they join the vertices of the frontier (each is
// untouched, inside a path, or an end of one, whose other end is its mate), and how far the rules
// have come that have edges on both sides. Decisions that agree on that are counted together. Where
// an edge closes a path, the loop is complete: it counts if everything else may be left off.
// Sources: Knuth, "The Art of Computer Programming", volume 4A, 7.1.4, exercise 225 (Simpath);
// Kawahara, Inoue, Iwashita, Minato, "Frontier-based search for enumerating all constrained
// subgraphs with compressed representation" (2017).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "count/loop_plan.hpp"
#include "count/natural.hpp"
#include "count/tally_table.hpp"
#include "watch.hpp"

namespace nonosat::loops {

class LoopCount {
 public:
  // `max_bytes` is for the states before and behind an edge. Throws Stopped.
  LoopCount(const Graph& graph, size_t max_bytes, Watch& watch);

  // Counts for so many units of work; true when the number is exact. The next call goes on, also
  // where the watch stopped one (Stopped). Where the states take too much memory it does nothing.
  // O(states x words of a state) for each edge.
  bool run(Watch& watch, int64_t budget);

  // Loops that are complete by now: the number of all of them where that is exact.
  const Natural& total() const { return total_; }
  bool is_exact() const { return step_ == plan_.steps.size(); }
  bool is_full() const { return is_full_; }

  size_t num_steps() const { return plan_.steps.size(); }
  size_t num_done() const { return step_; }           // of the steps
  size_t num_states() const { return most_states_; }  // at once
  int64_t width() const { return plan_.num_vertex_slots; }

 private:
  using State = std::vector<uint8_t>;  // slots of vertices, then of rules

  void make_next();
  void end_step();
  void expand(std::span<const uint64_t> entry);
  void leave_off(std::span<const uint64_t> count);
  void choose(std::span<const uint64_t> count);
  bool apply_rules(bool is_on);
  bool may_end() const;
  void keep(std::span<const uint64_t> count);

  Plan plan_;
  size_t max_bytes_;
  uint8_t inside_;  // as a mate: of a vertex inside a path; as a count: of a rule that is settled
  int bits_;        // of a slot
  size_t step_ = 0;
  size_t at_ = 0;  // of the states before the step
  bool is_full_ = false;
  size_t most_states_ = 1;
  Natural total_;
  TallyTable now_, next_;
  std::vector<uint64_t> sum_;  // of what the states behind the edge count
  State state_, changed_;
  std::vector<uint64_t> key_;
};

}  // namespace nonosat::loops
