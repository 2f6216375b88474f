// Number of loops that two halves of the edges form together, from the states of the halves.
//
// The states of a half are grouped by the number of edges at each vertex of the border. A vertex
// with one edge in one half has one in the other, too; one without edges has two there. In such a
// pair of groups a state is a pairing of the vertices with one edge, the ends of paths, and two
// states form a loop if their pairings together form one cycle. If there are few states, they are
// compared in pairs. Otherwise the last end is joined with each of its mates in the front: that
// reduces the pairings of the back, many of which become equal and are counted together. So
// pairings of n ends cost about their number times n^2 instead of its square.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "count/loop_sweep.hpp"
#include "count/natural.hpp"
#include "count/tally_table.hpp"
#include "watch.hpp"

namespace nonosat::loops {

// States of half of the edges, and the slots of the vertices of the border in them.
struct HalfStates {
  const Sweep* sweep;  // must have ended
  std::vector<int32_t> slots;
};

// States grouped by the numbers of edges at the vertices of the border.
class StateGroups {
 public:
  // The key of a state consists of these numbers, or, if `is_of_other`, of the numbers that the
  // other half must have: 2 bits for each vertex.
  StateGroups(HalfStates half, bool is_of_other);

  bool is_complete() const { return next_.size() == table().size(); }
  void take_next();  // adds a state to its group

  size_t num_groups() const { return first_.size(); }
  std::span<const uint64_t> key(size_t group) const { return keys_.key(group); }
  std::optional<size_t> find(std::span<const uint64_t> key) const { return keys_.find(key); }
  size_t size(size_t group) const { return sizes_[group]; }
  size_t count_words() const { return table().count_words(); }
  size_t num_bytes() const;
  size_t growth() const;  // bytes that one more state may add

  void begin(size_t group);
  // Number of states of the current group that `pair_up` has not processed.
  size_t num_left() const { return num_left_; }
  // Processes the next `num_states` states of the current group: adds the pairing of each state to
  // `pairings`, as one byte for each end, the number of its mate. `ends` are indices of vertices of
  // the border.
  void pair_up(size_t num_states, std::span<const int32_t> ends, TallyTable& pairings);

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  const TallyTable& table() const { return half_.sweep->states(); }

  HalfStates half_;
  bool is_of_other_;
  TallyTable keys_;
  std::vector<uint32_t> first_, sizes_;  // by group
  std::vector<uint32_t> next_;           // by state, the next state of its group
  uint32_t at_ = kNone;                  // next state of the current group
  size_t num_left_ = 0;
  std::vector<uint8_t> state_, end_of_slot_;
  std::vector<uint64_t> key_;
};

class Join {
 public:
  // `max_bytes` limits all memory besides the states.
  Join(HalfStates front, HalfStates back, size_t max_bytes);

  // Runs until the watch has done `end` units; true when everything is counted. The next call
  // continues, also after Stopped. Does nothing once memory has run out.
  bool run(Watch& watch, int64_t end);

  const Natural& total() const { return total_; }  // never decreases
  bool is_done() const { return !is_full_ && is_grouped() && group_ == front_.num_groups(); }
  bool is_full() const { return is_full_; }

 private:
  // Pairings of a number of ends: those of a pair of groups, or reduced ones.
  struct Level {
    TallyTable front, back;
    size_t ends = 0;
    size_t mate = 0;  // next mate of the last end
    size_t at = 0;    // next pair to be compared, or pairing to be reduced
  };

  // Next action. Each step does a small part of it, so that the watch is called often.
  enum class Phase : uint8_t { kBetweenGroups, kPairUp, kChooseMethod, kCompare, kReduce };

  bool is_grouped() const { return front_.is_complete() && back_.is_complete(); }
  void step(Watch& watch);
  void group_states(Watch& watch);
  void begin_group(Watch& watch);
  void pair_up(Watch& watch);
  void choose_method();
  void leave();
  void compare(Watch& watch);
  void reduce(Watch& watch);
  Level& level() { return levels_[num_ends_ / 2]; }
  void begin_level(size_t ends);
  bool has_room(size_t num_pairings, size_t ends) const;

  StateGroups front_, back_;
  size_t max_bytes_;
  Phase phase_ = Phase::kBetweenGroups;
  size_t group_ = 0;           // group of the front
  std::vector<int32_t> ends_;  // vertices of the group with one edge
  std::vector<Level> levels_;  // by half of the number of ends
  size_t num_ends_ = 0;        // number of ends of the current level
  bool is_full_ = false;
  Natural total_;
};

}  // namespace nonosat::loops
