#include "count/loops.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace nonosat::loops {
namespace {

constexpr int kWordBits = 64;
constexpr int kSmall = 4, kLarge = 8;  // bits of a slot
constexpr int64_t kStateWork = 60;     // units, and for each slot one more
constexpr uint8_t kFree = 0;           // as a mate: nobody's; others count from 1

}  // namespace

LoopCount::LoopCount(const Graph& graph, size_t max_bytes, Watch& watch)
    : plan_(plan_of(graph, watch)), max_bytes_(max_bytes) {
  const auto num_slots = static_cast<size_t>(plan_.num_vertex_slots + plan_.num_rule_slots);
  const int32_t highest = std::max(plan_.num_vertex_slots, plan_.highest);
  bits_ = highest < (1 << kSmall) - 1 ? kSmall : kLarge;
  inside_ = static_cast<uint8_t>((1 << bits_) - 1);
  is_full_ = highest >= inside_;
  state_.assign(num_slots, kFree);
  key_.assign(num_slots * static_cast<size_t>(bits_) / kWordBits + 1, 0);
  if (plan_.is_contradictory) plan_.steps.clear();
  now_ = TallyTable(key_.size(), 1);
  sum_ = {1};
  now_.add(key_, sum_);
  make_next();
}

bool LoopCount::run(Watch& watch, int64_t budget) {
  const int64_t end = watch.done() + budget;
  const int64_t cost = kStateWork + static_cast<int64_t>(state_.size());
  try {
    while (!is_exact() && !is_full_ && watch.done() < end) {
      while (at_ < now_.size() && watch.done() < end) {
        watch.work(cost);
        if (now_.num_bytes() + next_.num_bytes() + 2 * next_.growth() > max_bytes_ ||
            !next_.has_room()) {
          is_full_ = true;
          return false;
        }
        expand(now_.key(at_));
        now_.forget_before(++at_);
      }
      if (at_ == now_.size()) end_step();
    }
  } catch (const std::bad_alloc&) {
    is_full_ = true;  // half of a state may have been counted, which only its successors tell
  }
  return is_exact();
}

// The states behind the edge, which together count at most twice as much as those before it.
void LoopCount::make_next() {
  Natural most{std::span<const uint64_t>(sum_)};
  most += most;
  sum_.assign(std::max<size_t>(1, most.words().size()), 0);
  next_ = TallyTable(key_.size(), sum_.size());
}

void LoopCount::end_step() {
  std::swap(now_, next_);
  now_.close();
  make_next();
  most_states_ = std::max(most_states_, now_.size());
  at_ = 0;
  ++step_;
  if (!now_.size()) step_ = plan_.steps.size();
}

// Both ways to go on from a state.
void LoopCount::expand(std::span<const uint64_t> entry) {
  const size_t per_word = static_cast<size_t>(kWordBits / bits_);
  for (size_t slot = 0; slot < state_.size(); ++slot) {
    const int shift = static_cast<int>(slot % per_word) * bits_;
    state_[slot] = static_cast<uint8_t>(entry[slot / per_word] >> shift) & inside_;
  }
  const Step& step = plan_.steps[step_];
  if (step.enters_u) state_[step.u] = static_cast<uint8_t>(1 + step.u);
  if (step.enters_v) state_[step.v] = static_cast<uint8_t>(1 + step.v);
  const std::span<const uint64_t> count = now_.count(at_);
  if (step.may_be_off) leave_off(count);
  choose(count);
}

void LoopCount::leave_off(std::span<const uint64_t> count) {
  changed_ = state_;
  if (apply_rules(false)) keep(count);
}

// The edge joins the paths that end at its ends, or closes one.
void LoopCount::choose(std::span<const uint64_t> count) {
  const Step& step = plan_.steps[step_];
  const uint8_t mate_u = state_[step.u], mate_v = state_[step.v];
  if (mate_u == inside_ || mate_v == inside_) return;
  changed_ = state_;
  const int32_t end_u = mate_u - 1, end_v = mate_v - 1;
  if (end_u != step.u) changed_[step.u] = inside_;
  if (end_v != step.v) changed_[step.v] = inside_;
  if (end_u == step.v) {
    if (apply_rules(true) && may_end()) total_ += Natural(count);
    return;
  }
  changed_[end_u] = static_cast<uint8_t>(1 + end_v);
  changed_[end_v] = static_cast<uint8_t>(1 + end_u);
  if (apply_rules(true)) keep(count);
}

// Counts what the edge adds to rules; false where one cannot be kept any more.
bool LoopCount::apply_rules(bool is_on) {
  for (const Share& share : plan_.steps[step_].shares) {
    const Window& window = plan_.windows[share.rule];
    uint8_t& slot = changed_[plan_.num_vertex_slots + window.slot];
    if (slot == inside_) continue;
    const int32_t count = slot + (is_on ? share.on : share.off);
    if (!window.is_open(count, step_)) return false;
    slot = window.is_settled(count, step_) ? inside_ : static_cast<uint8_t>(count);
  }
  return true;
}

// Whether the loop that the edge has closed is all there is.
bool LoopCount::may_end() const {
  if (!plan_.may_end[step_]) return false;
  for (int32_t slot = 0; slot < plan_.num_vertex_slots; ++slot) {
    const uint8_t mate = changed_[slot];
    const bool is_untouched = mate == 1 + slot;
    if (mate != kFree && mate != inside_ && (!is_untouched || plan_.is_spanning)) return false;
  }
  for (const int32_t index : plan_.active[step_]) {
    const Window& window = plan_.windows[index];
    const uint8_t count = changed_[plan_.num_vertex_slots + window.slot];
    if (count != inside_ && !window.may_end(count, step_)) return false;
  }
  return true;
}

// Adds the changed state to those behind the edge, unless a vertex has too few edges to come: a
// path has to go on, and where the loop passes through every vertex, an untouched one needs two.
void LoopCount::keep(std::span<const uint64_t> count) {
  const Step& step = plan_.steps[step_];
  for (const auto& [slot, left] :
       {std::pair(step.u, step.left_u), std::pair(step.v, step.left_v)}) {
    const uint8_t mate = changed_[slot];
    const bool is_untouched = mate == 1 + slot;
    const int32_t needed = mate == inside_ ? 0 : is_untouched ? 2 * plan_.is_spanning : 1;
    if (left < needed) return;
    if (!left) changed_[slot] = kFree;
  }
  for (const Share& share : step.shares) {
    const Window& window = plan_.windows[share.rule];
    if (window.last == static_cast<int32_t>(step_)) {
      changed_[plan_.num_vertex_slots + window.slot] = 0;
    }
  }
  const size_t per_word = static_cast<size_t>(kWordBits / bits_);
  std::fill(key_.begin(), key_.end(), 0);
  for (size_t slot = 0; slot < changed_.size(); ++slot) {
    const int shift = static_cast<int>(slot % per_word) * bits_;
    key_[slot / per_word] |= static_cast<uint64_t>(changed_[slot]) << shift;
  }
  next_.add(key_, count);
  bool carry = false;
  for (size_t i = 0; i < sum_.size(); ++i) {
    sum_[i] = add_with_carry(sum_[i], i < count.size() ? count[i] : 0, carry);
  }
}

}  // namespace nonosat::loops
