#include "count/loops.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace nonosat::loops {

LoopCount::LoopCount(Plans plans, size_t max_bytes)
    : max_bytes_(max_bytes),
      num_steps_(plans.whole.steps.size()),
      is_halved_(plans.halves.has_value()),
      front_(std::move(is_halved_ ? plans.halves->front : plans.whole)) {
  if (is_halved_) {
    if (!plans.halves->are_mirrored) back_.emplace(std::move(plans.halves->back));
    front_slots_ = std::move(plans.halves->front_slots);
    back_slots_ = std::move(plans.halves->back_slots);
  }
  const size_t plan_bytes = front_.plan_bytes() + (back_ ? back_->plan_bytes() : 0);
  max_bytes_ -= std::min(max_bytes_, plan_bytes);
}

bool LoopCount::run(Watch& watch, int64_t budget) {
  const int64_t end = watch.done() + budget;
  if (!front_.run(watch, end, max_bytes_) || !is_halved_) return is_exact();
  const size_t front_bytes = front_.states().num_bytes();
  const size_t num_left = max_bytes_ - std::min(max_bytes_, front_bytes);
  if (back_ && !back_->run(watch, end, num_left)) return false;
  if (!join_) begin_join();
  return join_->run(watch, end);
}

void LoopCount::begin_join() {
  const Sweep& back = back_ ? *back_ : front_;
  const size_t num_bytes = front_.states().num_bytes() + (back_ ? back.states().num_bytes() : 0);
  const size_t num_left = max_bytes_ - std::min(max_bytes_, num_bytes);
  join_.emplace(HalfStates{&front_, front_slots_}, HalfStates{&back, back_slots_}, num_left);
}

bool LoopCount::is_full() const {
  return front_.is_full() || (back_ && back_->is_full()) || (join_ && join_->is_full());
}

size_t LoopCount::num_done() const {
  if (!is_halved_) return front_.num_done();
  return back_ ? front_.num_done() + back_->num_done() : 2 * front_.num_done();
}

size_t LoopCount::num_states() const {
  return std::max(front_.num_states(), back_ ? back_->num_states() : 0);
}

int64_t LoopCount::width() const { return std::max(front_.width(), back_ ? back_->width() : 0); }

}  // namespace nonosat::loops
