#include "count/loop_sweep.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include "cost.hpp"

namespace nonosat::loops {
namespace {

constexpr size_t kMostBits = 8, kWordBits = 64;

}  // namespace

Packing::Packing(int32_t highest)
    : bits_(std::min<size_t>(std::bit_width(static_cast<uint32_t>(highest) + 1), kMostBits)),
      per_word_(kWordBits / bits_) {}

Sweep::Sweep(Plan plan)
    : plan_(std::move(plan)),
      packing_(std::max(plan_.num_vertex_slots, plan_.highest)),
      inside_(packing_.inside()) {
  const auto num_slots = static_cast<size_t>(plan_.num_vertex_slots + plan_.num_rule_slots);
  is_full_ = std::max(plan_.num_vertex_slots, plan_.highest) >= inside_;
  state_.assign(num_slots, Packing::kFree);
  key_.assign(num_slots / packing_.per_word() + 1, 0);
  if (plan_.is_contradictory) plan_.steps.clear();
  now_ = TallyTable(key_.size(), 1);
  sum_ = {1};
  now_.add(key_, sum_);
  if_off_.assign(plan_.windows.size(), 0);
  make_next();
  begin_step();
}

bool Sweep::run(Watch& watch, int64_t end, size_t max_bytes) {
  const int64_t cost = cost::kSweepState + static_cast<int64_t>(state_.size());
  try {
    while (!is_done() && !is_full_ && watch.done() < end) {
      while (at_ < now_.size() && watch.done() < end) {
        watch.work(cost);
        if (now_.num_bytes() + next_.num_bytes() + next_.growth(2) > max_bytes ||
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
    is_full_ = true;  // some successors of a state may be missing
  }
  return is_done();
}

// Makes the table of the states after the edge, whose counts sum up to at most twice those before
// it.
void Sweep::make_next() {
  Natural most{std::span<const uint64_t>(sum_)};
  most += most;
  sum_.assign(std::max<size_t>(1, most.words().size()), 0);
  next_ = TallyTable(key_.size(), sum_.size());
}

void Sweep::end_step() {
  std::swap(now_, next_);
  now_.close();
  make_next();
  most_states_ = std::max(most_states_, now_.size());
  at_ = 0;
  ++step_;
  if (!now_.size()) step_ = plan_.steps.size();
  begin_step();
}

// Updates the rules with later edges, and their counts if all of these are off.
void Sweep::begin_step() {
  if (is_done()) return;
  for (const Share& share : plan_.steps[step_].shares) {
    const Window& window = plan_.windows[share.rule];
    const auto step = static_cast<int32_t>(step_);
    if_off_[share.rule] = share.if_off;
    if (window.first == step) active_.push_back(share.rule);
    if (window.last == step) std::erase(active_, share.rule);
  }
}

// Adds both successors of a state.
void Sweep::expand(std::span<const uint64_t> entry) {
  packing_.unpack(entry, state_);
  const Step& step = plan_.steps[step_];
  if (step.enters_u) state_[step.u] = static_cast<uint8_t>(1 + step.u);
  if (step.enters_v) state_[step.v] = static_cast<uint8_t>(1 + step.v);
  const std::span<const uint64_t> count = now_.count(at_);
  if (step.may_be_off) leave_off(count);
  choose(count);
}

void Sweep::leave_off(std::span<const uint64_t> count) {
  changed_ = state_;
  if (apply_rules(false)) keep(count);
}

// Chooses the edge, which joins two paths, or closes one.
void Sweep::choose(std::span<const uint64_t> count) {
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

// Adds the contributions of the edge to rules; false if one can no longer be satisfied.
bool Sweep::apply_rules(bool is_on) {
  for (const Share& share : plan_.steps[step_].shares) {
    const Window& window = plan_.windows[share.rule];
    uint8_t& slot = changed_[plan_.num_vertex_slots + window.slot];
    if (slot == inside_) continue;
    const int32_t count = slot + (is_on ? share.on : share.off);
    if (!window.is_open(count, share)) return false;
    slot = window.is_settled(count, share) ? inside_ : static_cast<uint8_t>(count);
  }
  return true;
}

// Returns true if the loop that the edge has closed is complete: no other path exists, and the
// rules allow all later edges to be off.
bool Sweep::may_end() const {
  if (!plan_.may_end[step_]) return false;
  for (int32_t slot = 0; slot < plan_.num_vertex_slots; ++slot) {
    const uint8_t mate = changed_[slot];
    const bool is_untouched = mate == 1 + slot;
    if (mate != Packing::kFree && mate != inside_ && (!is_untouched || plan_.is_spanning))
      return false;
  }
  for (const int32_t index : active_) {
    const Window& window = plan_.windows[index];
    const uint8_t count = changed_[plan_.num_vertex_slots + window.slot];
    if (count != inside_ && !window.is_kept_by(count + if_off_[index])) return false;
  }
  return true;
}

// Adds the changed state to the states after the edge, unless a vertex has too few unvisited edges:
// an end of a path needs one, and, if the loop passes through every vertex, an untouched vertex
// needs two.
void Sweep::keep(std::span<const uint64_t> count) {
  const Step& step = plan_.steps[step_];
  for (const auto& [slot, left] :
       {std::pair(step.u, step.left_u), std::pair(step.v, step.left_v)}) {
    const uint8_t mate = changed_[slot];
    const bool is_untouched = mate == 1 + slot;
    const int32_t needed = mate == inside_ ? 0 : is_untouched ? 2 * plan_.is_spanning : 1;
    if (left < needed) return;
    if (!left) changed_[slot] = Packing::kFree;
  }
  for (const Share& share : step.shares) {
    const Window& window = plan_.windows[share.rule];
    if (window.last == static_cast<int32_t>(step_)) {
      changed_[plan_.num_vertex_slots + window.slot] = 0;
    }
  }
  packing_.pack(changed_, key_);
  next_.add(key_, count);
  add_to(sum_, count);
}

}  // namespace nonosat::loops
