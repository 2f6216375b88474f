// The number of loops that two halves of the edges form together, from the states of either.
//
// The states of a half are grouped by how many edges each vertex of the border has there. Where it
// has one, it has one in the other half, too; with none it has two there. In such a pair of groups
// a state is a pairing of the vertices with one edge, the ends of paths, and two states form a loop
// where their pairings together are one cycle.
// Few states are compared in pairs. For more, the last end is joined to each mate that it has in
// front: that shortens the pairings behind, many of which become equal and are counted together. So
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

// The states of half of the edges, and where in them the vertices of the border are.
struct HalfStates {
  const Sweep* sweep;  // has ended
  std::vector<int32_t> slots;
};

// States by the number of edges at the vertices of the border.
class StateGroups {
 public:
  // The key of a state is these numbers, or what the other half has to have instead: 2 bits a
  // vertex.
  StateGroups(HalfStates half, bool is_of_other);

  bool is_complete() const { return next_.size() == table().size(); }
  void take_next();  // a state

  size_t num_groups() const { return first_.size(); }
  std::span<const uint64_t> key(size_t group) const { return keys_.key(group); }
  std::optional<size_t> find(std::span<const uint64_t> key) const { return keys_.find(key); }
  size_t size(size_t group) const { return sizes_[group]; }
  size_t count_words() const { return table().count_words(); }
  size_t num_bytes() const;
  size_t growth() const;  // bytes that one more state may add

  void begin(size_t group);
  size_t num_left() const { return num_left_; }  // of the group's states, to be paired up
  // Adds the pairings of so many of these: by end its mate, a byte each. `ends` are numbers of
  // vertices of the border.
  void pair_up(size_t num_states, std::span<const int32_t> ends, TallyTable& pairings);

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  const TallyTable& table() const { return half_.sweep->states(); }

  HalfStates half_;
  bool is_of_other_;
  TallyTable keys_;
  std::vector<uint32_t> first_, sizes_;  // by group
  std::vector<uint32_t> next_;           // by state, the next one of its group
  uint32_t at_ = kNone;                  // state of the group that was begun
  size_t num_left_ = 0;
  std::vector<uint8_t> state_, end_of_slot_;
  std::vector<uint64_t> key_;
};

class Join {
 public:
  // `max_bytes` is for all that is kept beside the states.
  Join(HalfStates front, HalfStates back, size_t max_bytes);

  // Goes on until the watch has done `end` units; true when everything is counted. The next call
  // goes on, also where the watch stopped one (Stopped). Where it takes too much memory it does
  // nothing.
  bool run(Watch& watch, int64_t end);

  const Natural& total() const { return total_; }  // never falls
  bool is_done() const { return !is_full_ && is_grouped() && group_ == front_.num_groups(); }
  bool is_full() const { return is_full_; }

 private:
  // Pairings of so many ends, of a pair of groups or of what is left of one.
  struct Level {
    TallyTable front, back;
    size_t ends = 0;
    size_t mate = 0;  // of the last end, the next one to be looked at
    size_t at = 0;    // of what is compared or carried on, the next one
  };

  // What comes next. Each step does a little of it, so that the watch looks at the clock often.
  enum class Phase : uint8_t { kBetweenGroups, kPairUp, kLook, kCompare, kReduce };

  bool is_grouped() const { return front_.is_complete() && back_.is_complete(); }
  void step(Watch& watch);
  void group_states(Watch& watch);
  void begin_group(Watch& watch);
  void pair_up(Watch& watch);
  void look();
  void leave();
  void compare(Watch& watch);
  void reduce(Watch& watch);
  Level& level() { return levels_[num_ends_ / 2]; }
  void begin_level(size_t ends);
  bool has_room(size_t num_pairings, size_t ends) const;

  StateGroups front_, back_;
  size_t max_bytes_;
  Phase phase_ = Phase::kBetweenGroups;
  size_t group_ = 0;           // of the front
  std::vector<int32_t> ends_;  // of the group
  std::vector<Level> levels_;  // by half of the number of ends
  size_t num_ends_ = 0;        // of the level that is worked on
  bool is_full_ = false;
  Natural total_;
};

}  // namespace nonosat::loops
