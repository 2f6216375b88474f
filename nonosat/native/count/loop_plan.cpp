#include "count/loop_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace nonosat::loops {
namespace {

// Allocator of slots that reuses the smallest free one.
class Slots {
 public:
  int32_t take() {
    if (free_.empty()) return num_taken_++;
    const auto first = std::min_element(free_.begin(), free_.end());
    const int32_t slot = *first;
    free_.erase(first);
    return slot;
  }
  void give_back(int32_t slot) { free_.push_back(slot); }
  int32_t most() const { return num_taken_; }

 private:
  std::vector<int32_t> free_;
  int32_t num_taken_ = 0;
};

// Adds the steps of the first edges, without rules.
void add_steps(const Graph& graph, const std::vector<int32_t>& edges, size_t num_steps,
               const std::vector<Value>& values, Plan& plan) {
  std::vector<int32_t> left(graph.num_vertices);
  for (const int32_t edge : edges) ++left[graph.ends[2 * edge]], ++left[graph.ends[2 * edge + 1]];
  plan.slot_of.assign(graph.num_vertices, -1);
  Slots slots;
  int num_held = 0;
  for (size_t at = 0; at < num_steps; ++at) {
    const int32_t edge = edges[at], u = graph.ends[2 * edge], v = graph.ends[2 * edge + 1];
    int32_t &slot_u = plan.slot_of[u], &slot_v = plan.slot_of[v];
    Step step{};
    step.may_be_off = values[edge] == Value::kOpen;
    step.enters_u = slot_u < 0;
    if (step.enters_u) slot_u = slots.take();
    step.enters_v = slot_v < 0;
    if (step.enters_v) slot_v = slots.take();
    step.u = slot_u, step.v = slot_v;
    step.left_u = --left[u], step.left_v = --left[v];
    step.leaves_u = !left[u], step.leaves_v = !left[v];
    if (step.leaves_u) slots.give_back(std::exchange(slot_u, -1));
    if (step.leaves_v) slots.give_back(std::exchange(slot_v, -1));
    num_held += step.enters_u + step.enters_v - step.leaves_u - step.leaves_v;
    plan.cost += std::pow(3.0, num_held);  // estimate of the number of states
    plan.steps.push_back(std::move(step));
  }
  plan.num_vertex_slots = slots.most();
}

// Returns the window of a rule over the steps; an edge with a negative entry in `step_of` is off.
Window window_of(const Rule& rule, const std::vector<int32_t>& step_of, Plan& plan, int32_t index) {
  Window window{-1, INT32_MAX, -1, rule.lower, rule.upper};
  std::vector<std::pair<int32_t, Share>> shares;
  for (const int32_t lit : rule.lits) {
    const int32_t step = step_of[std::abs(lit) - 1];
    if (step < 0) {
      if (lit < 0) --window.lower, --window.upper;  // the literal is true
      continue;
    }
    shares.push_back({step, {index, lit > 0, lit < 0, 0, 0, 0}});
    window.first = std::min(window.first, step);
    window.last = std::max(window.last, step);
  }
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::pair<int32_t, Share>> joined;  // an edge may occur in several literals
  for (const auto& [step, share] : shares) {
    if (joined.empty() || joined.back().first != step)
      joined.push_back({step, {index, 0, 0, 0, 0, 0}});
    joined.back().second.on += share.on, joined.back().second.off += share.off;
  }
  int32_t least = 0, most = 0, if_off = 0;
  for (size_t at = joined.size(); at--;) {
    auto& [step, share] = joined[at];
    share.least = least, share.most = most, share.if_off = if_off;
    plan.steps[step].shares.push_back(share);
    const bool may_be_off = plan.steps[step].may_be_off;
    least += may_be_off ? std::min(share.on, share.off) : share.on;
    most += may_be_off ? std::max(share.on, share.off) : share.on;
    if_off += share.off;
  }
  return window;
}

void add_windows(const Graph& graph, const std::vector<int32_t>& step_of, Plan& plan,
                 Watch& watch) {
  for (const Rule& rule : graph.rules) {
    const auto index = static_cast<int32_t>(plan.windows.size());
    Window window = window_of(rule, step_of, plan, index);
    watch.work(static_cast<int64_t>(rule.lits.size()) + 1);
    if (window.last < 0) {
      plan.is_contradictory |= !window.is_kept_by(0);
    } else {
      // Counts of satisfied rules are not stored; without an upper bound, a rule is satisfied from
      // `lower` on.
      const bool is_bounded = rule.upper < static_cast<int32_t>(rule.lits.size());
      plan.highest = std::max(plan.highest, is_bounded ? window.upper : window.lower);
      plan.windows.push_back(std::move(window));
    }
  }
}

// Assigns slots to rules, and computes by step if a loop may end there.
void add_slots(Plan& plan) {
  const auto num_steps = static_cast<int32_t>(plan.steps.size());
  Slots slots;
  for (int32_t step = 0; step < num_steps; ++step) {
    for (const Share& share : plan.steps[step].shares) {
      Window& window = plan.windows[share.rule];
      if (window.first == step) window.slot = slots.take();
    }
    for (const Share& share : plan.steps[step].shares) {
      const Window& window = plan.windows[share.rule];
      if (window.last == step) slots.give_back(window.slot);
    }
  }
  plan.num_rule_slots = slots.most();
  plan.may_end.assign(num_steps, true);
  bool may_end = true;
  for (int32_t step = num_steps - 1; step >= 0; --step) {
    plan.may_end[step] = may_end;
    const Step& next = plan.steps[step];
    may_end &= next.may_be_off && !(plan.is_spanning && (next.enters_u || next.enters_v));
    for (const Share& share : next.shares) {
      const Window& window = plan.windows[share.rule];
      may_end &= window.first != step || window.is_kept_by(share.off + share.if_off);
    }
  }
}

}  // namespace

size_t Plan::num_bytes() const {
  size_t num_bytes = steps.capacity() * sizeof(Step) + windows.capacity() * sizeof(Window) +
                     slot_of.capacity() * sizeof(int32_t) + may_end.capacity();
  for (const Step& step : steps) num_bytes += step.shares.capacity() * sizeof(Share);
  return num_bytes;
}

Plan plan_of(const Graph& graph, const std::vector<Value>& values,
             const std::vector<int32_t>& edges, size_t num_steps, Watch& watch) {
  Plan plan;
  plan.is_spanning = graph.is_spanning;
  add_steps(graph, edges, num_steps, values, plan);
  std::vector<int32_t> step_of(values.size(), -1);
  for (size_t at = 0; at < num_steps; ++at) step_of[edges[at]] = static_cast<int32_t>(at);
  add_windows(graph, step_of, plan, watch);
  add_slots(plan);
  return plan;
}

}  // namespace nonosat::loops
