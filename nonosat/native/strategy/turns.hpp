// Plan for the learning search, the last of the attempts on a board (strategy.hpp). The search
// works in turns, each with a number of conflicts and, optionally, phases.
//
// As long as no solution is known, turns have phases from decimations with different seeds; after
// the first few such turns, every second turn has no phases. Later turns have no phases, and
// neither have the turns after a first solution, except that the first of these may stay close to
// the solution. The price search continues in pauses; a pause comes when the number of conflicts
// has doubled, and divides a long turn.
#pragma once

#include <cstdint>

#include "strategy/budgets.hpp"

namespace nonosat::strategy {

struct Turn {
  static constexpr int64_t kEndless = int64_t{1} << 60;

  int64_t num_conflicts;  // limit
  int restart = -1;       // number of the seed of the decimation; -1: no phases
  bool is_near = false;   // the phases are the first solution
  bool pauses = false;    // a pause follows
};

class Turns {
 public:
  // `is_led`: the first turns have phases from decimations. `pauses`: turns are divided by pauses.
  Turns(const Budgets& budgets, bool is_led, bool pauses)
      : budgets_(budgets), is_led_(is_led), next_pause_(pauses ? budgets.pause : Turn::kEndless) {}

  Turn next(bool is_solved);

  // Makes the next turns stay close to the first solution, for this number of conflicts.
  void stay_near(int64_t num_conflicts) { near_left_ = num_conflicts; }

 private:
  Turn divided(Turn turn);

  Budgets budgets_;
  bool is_led_;
  int num_led_ = 0;
  bool is_alone_ = false;  // the next turn has no phases
  int64_t near_left_ = 0;
  int64_t num_passed_ = 0;  // conflicts of all turns
  int64_t next_pause_;
};

}  // namespace nonosat::strategy
