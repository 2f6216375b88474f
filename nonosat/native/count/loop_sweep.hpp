// Sweep over edges that counts sets of edges by state (frontier-based search).
//
// A state consists of the way in which the decided edges join the vertices of the frontier (each is
// untouched, inside a path, or an end of one, whose other end is its mate), and of the counts of
// the rules with edges on both sides. Sets with equal states are counted together. An edge that
// closes a path completes the loop, which is counted if everything else may be off.
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

// Packed representation of a state: numbers of a few bits each, by slot, in words.
class Packing {
 public:
  // `highest`: largest vertex slot, or count of a rule.
  explicit Packing(int32_t highest);

  static constexpr uint8_t kFree = 0;  // an unused vertex slot; mates count from 1
  // Special number in a state. In place of a vertex's mate it means that the vertex is inside a
  // path; in place of a rule's count, that the rule will be satisfied in any case.
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

  // Runs until the watch has done `end` units; true when all steps are done. The next call
  // continues, also after Stopped. Does nothing once the states before and after an edge need more
  // than `max_bytes`. O(states x words of a state) for each edge.
  bool run(Watch& watch, int64_t end, size_t max_bytes);

  const Natural& total() const { return total_; }  // complete loops
  bool is_done() const { return step_ == plan_.steps.size(); }
  bool is_full() const { return is_full_; }
  const TallyTable& states() const { return now_; }  // when it is done, the states after all steps
  const Packing& packing() const { return packing_; }

  size_t num_steps() const { return plan_.steps.size(); }
  size_t num_done() const { return step_; }           // steps done
  size_t num_states() const { return most_states_; }  // largest number of states at a time
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
  uint8_t inside_;  // mark of the packing
  size_t step_ = 0;
  size_t at_ = 0;  // next one of the states before the step
  bool is_full_ = false;
  size_t most_states_ = 1;
  Natural total_;
  TallyTable now_, next_;
  std::vector<uint64_t> sum_;  // sum of the counts of the states after the edge
  State state_, changed_;
  std::vector<int32_t> active_;  // windows that continue after the step
  // For each window that has begun: true literals of its rule among later edges if all are off.
  std::vector<int32_t> if_off_;
  std::vector<uint64_t> key_;
};

}  // namespace nonosat::loops
