#include "strategy/turns.hpp"

#include <algorithm>
#include <utility>

namespace nonosat::strategy {
namespace {

constexpr int64_t kLongest = int64_t{1} << 22;  // conflicts of each part of an unlimited turn

}  // namespace

Turn Turns::next(bool is_solved) {
  if (is_solved && near_left_ > 0) {
    const Turn turn = divided({.num_conflicts = near_left_, .is_near = true});
    near_left_ -= turn.num_conflicts;
    return turn;
  }
  if (is_solved || !is_led_ || (num_led_ >= budgets_.led_turns && !is_alone_)) {
    return divided({.num_conflicts = Turn::kEndless});
  }
  Turn turn{.num_conflicts = budgets_.turn * (num_led_ + !is_alone_)};
  if (!std::exchange(is_alone_, false)) {
    turn.restart = num_led_++;
    is_alone_ = num_led_ >= budgets_.alone_from;
  }
  num_passed_ += turn.num_conflicts;
  turn.pauses = num_passed_ >= next_pause_;
  if (turn.pauses) next_pause_ = 2 * num_passed_;
  return turn;
}

Turn Turns::divided(Turn turn) {
  const int64_t left = next_pause_ - num_passed_;
  if (left > kLongest) return turn;
  turn.pauses = turn.num_conflicts >= left;
  turn.num_conflicts = std::min(turn.num_conflicts, left);
  num_passed_ += turn.num_conflicts;
  if (turn.pauses) next_pause_ = 2 * num_passed_;
  return turn;
}

}  // namespace nonosat::strategy
