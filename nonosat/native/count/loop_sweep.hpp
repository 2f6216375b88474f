// A sweep over edges that counts the sets of them whose states agree together.
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

// Numbers of a few bits each, by slot, in words: what a state is kept as.
class Packing {
 public:
  // For vertex slots and counts of rules up to `highest`.
  explicit Packing(int32_t highest);

  static constexpr uint8_t kFree = 0;  // a vertex slot that nobody has; mates count from 1
  // As a mate: of a vertex inside a path; as a count: of a rule that is settled.
  uint8_t inside() const { return static_cast<uint8_t>((1 << bits_) - 1); }
  size_t per_word() const { return per_word_; }

  void unpack(std::span<const uint64_t> words, std::span<uint8_t> slots) const {
    for (size_t word = 0, slot = 0; slot < slots.size(); ++word) {
      uint64_t rest = words[word];
      for (size_t i = 0; i < per_word_ && slot < slots.size(); ++i, ++slot, rest >>= bits_) {
        slots[slot] = static_cast<uint8_t>(rest) & inside();
      }
    }
  }
  void pack(std::span<const uint8_t> slots, std::span<uint64_t> words) const {
    size_t slot = 0;
    for (uint64_t& word : words) {
      word = 0;
      for (size_t i = 0; i < per_word_ && slot < slots.size(); ++i, ++slot) {
        word |= static_cast<uint64_t>(slots[slot]) << i * bits_;
      }
    }
  }

 private:
  size_t bits_, per_word_;
};

class Sweep {
 public:
  explicit Sweep(Plan plan);

  // Goes on until the watch has done `end` units; true when all steps are done. The next call goes
  // on, also where the watch stopped one (Stopped). Where the states before and behind an edge take
  // more than `max_bytes` it does nothing. O(states x words of a state) for each edge.
  bool run(Watch& watch, int64_t end, size_t max_bytes);

  const Natural& total() const { return total_; }  // loops that are complete
  bool is_done() const { return step_ == plan_.steps.size(); }
  bool is_full() const { return is_full_; }
  const TallyTable& states() const { return now_; }  // once it is done, those behind all steps
  const Packing& packing() const { return packing_; }

  size_t num_steps() const { return plan_.steps.size(); }
  size_t num_done() const { return step_; }           // of the steps
  size_t num_states() const { return most_states_; }  // at once
  size_t num_slots() const { return state_.size(); }
  int64_t width() const { return plan_.num_vertex_slots; }
  size_t plan_bytes() const { return plan_.num_bytes(); }

 private:
  using State = std::vector<uint8_t>;  // slots of vertices, then of rules

  void make_next();
  void end_step();
  void begin_step();
  void expand(std::span<const uint64_t> entry);
  void leave_off(std::span<const uint64_t> count);
  void choose(std::span<const uint64_t> count);
  bool apply_rules(bool is_on);
  bool may_end() const;
  void keep(std::span<const uint64_t> count);

  Plan plan_;
  Packing packing_;
  uint8_t inside_;  // of the packing
  size_t step_ = 0;
  size_t at_ = 0;  // of the states before the step
  bool is_full_ = false;
  size_t most_states_ = 1;
  Natural total_;
  TallyTable now_, next_;
  std::vector<uint64_t> sum_;  // of what the states behind the edge count
  State state_, changed_;
  std::vector<int32_t> active_;  // windows that go on behind the step
  std::vector<int32_t> if_off_;  // by window that has begun: of its edges behind the step
  std::vector<uint64_t> key_;
};

}  // namespace nonosat::loops
