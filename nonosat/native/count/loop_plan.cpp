#include "count/loop_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace nonosat::loops {
namespace {

constexpr size_t kLooks = 20'000;  // vertices of all orders that are tried, about
constexpr size_t kFewest = 4;      // of those orders

enum Value : uint8_t { kOff, kOn, kOpen };

// What is known of the edges, and what follows from it for one rule or one vertex at a time.
class Known {
 public:
  explicit Known(const Graph& graph)
      : values(graph.num_edges(), kOpen), graph_(graph), at_vertex_(graph.num_vertices) {
    for (size_t edge = 0; edge < values.size(); ++edge) {
      for (const int32_t vertex : {graph.ends[2 * edge], graph.ends[2 * edge + 1]}) {
        at_vertex_[vertex].push_back(static_cast<int32_t>(edge));
      }
    }
  }

  // False at a contradiction.
  bool propagate(Watch& watch) {
    do {
      has_changed_ = false;
      for (const Rule& rule : graph_.rules) {
        watch.work(static_cast<int64_t>(rule.lits.size()) + 1);
        if (!propagate_rule(rule)) return false;
      }
      for (const auto& edges : at_vertex_) {
        watch.work(static_cast<int64_t>(edges.size()) + 1);
        if (!propagate_vertex(edges)) return false;
      }
    } while (has_changed_);
    return true;
  }

  std::vector<Value> values;

 private:
  void set(int32_t edge, bool is_on) {
    values[edge] = is_on ? kOn : kOff;
    has_changed_ = true;
  }

  bool propagate_rule(const Rule& rule) {
    int32_t num_true = 0, num_open = 0;
    for (const int32_t lit : rule.lits) {
      const Value value = values[std::abs(lit) - 1];
      num_open += value == kOpen;
      num_true += value == (lit > 0 ? kOn : kOff);
    }
    if (num_true > rule.upper || num_true + num_open < rule.lower) return false;
    const bool is_full = num_true == rule.upper;
    if (!num_open || (!is_full && num_true + num_open != rule.lower)) return true;
    for (const int32_t lit : rule.lits) {
      const int32_t edge = std::abs(lit) - 1;
      if (values[edge] == kOpen) set(edge, (lit > 0) != is_full);
    }
    return true;
  }

  bool propagate_vertex(const std::vector<int32_t>& edges) {
    int num_on = 0, num_open = 0;
    for (const int32_t edge : edges) {
      num_on += values[edge] == kOn;
      num_open += values[edge] == kOpen;
    }
    const bool is_on_loop = graph_.is_spanning || num_on;
    if (num_on > 2 || (is_on_loop && num_on + num_open < 2)) return false;
    const bool none = num_on == 2 || num_on + num_open < 2;
    if (!num_open || (!none && !(is_on_loop && num_on + num_open == 2))) return true;
    for (const int32_t edge : edges) {
      if (values[edge] == kOpen) set(edge, !none);
    }
    return true;
  }

  const Graph& graph_;
  std::vector<std::vector<int32_t>> at_vertex_;
  bool has_changed_ = false;
};

using Near = std::vector<std::vector<int32_t>>;

// An order and how large it makes the frontier.
struct Order {
  std::vector<int32_t> vertices;
  double cost = 0;
};

// Goes from vertex to vertex: always to the one of the frontier that brings in fewest new ones, the
// oldest of these.
class Walk {
 public:
  Walk(const Near& near, Watch& watch) : near_(near), watch_(watch), state_(near.size(), kNew) {}

  Order from(int32_t start) {
    visit(start);
    for (size_t unseen = 0; order_.vertices.size() < near_.size();) {
      if (frontier_.empty()) {
        while (state_[unseen] != kNew) ++unseen;
        visit(static_cast<int32_t>(unseen));
      } else {
        visit(best());
      }
    }
    return std::move(order_);
  }

  Order in_order() {
    for (size_t vertex = 0; vertex < near_.size(); ++vertex) visit(static_cast<int32_t>(vertex));
    return std::move(order_);
  }

 private:
  enum State : uint8_t { kNew, kReached, kDone };

  int32_t best() {
    int32_t found = -1;
    long fewest = 0;
    for (const int32_t vertex : frontier_) {
      const auto& others = near_[vertex];
      watch_.work(static_cast<int64_t>(others.size()) + 1);
      const auto is_new = [&](int32_t other) { return state_[other] == kNew; };
      const long fresh = std::count_if(others.begin(), others.end(), is_new);
      if (found < 0 || fresh < fewest) found = vertex, fewest = fresh;
    }
    return found;
  }

  void visit(int32_t vertex) {
    if (state_[vertex] == kReached) {
      frontier_.erase(std::find(frontier_.begin(), frontier_.end(), vertex));
    }
    state_[vertex] = kDone;
    order_.vertices.push_back(vertex);
    for (const int32_t other : near_[vertex]) {
      if (state_[other] != kNew) continue;
      state_[other] = kReached;
      frontier_.push_back(other);
    }
    watch_.work(static_cast<int64_t>(frontier_.size()) + 1);
    order_.cost += std::pow(3.0, static_cast<double>(frontier_.size()));  // states, roughly
  }

  const Near& near_;
  Watch& watch_;
  std::vector<State> state_;
  std::vector<int32_t> frontier_;  // the oldest first
  Order order_;
};

std::vector<int32_t> best_order(const Near& near, Watch& watch) {
  Order best = Walk(near, watch).in_order();
  std::vector<int32_t> starts(near.size());
  std::iota(starts.begin(), starts.end(), 0);
  std::stable_sort(starts.begin(), starts.end(),
                   [&](int32_t a, int32_t b) { return near[a].size() < near[b].size(); });
  std::erase_if(starts, [&](int32_t vertex) { return near[vertex].empty(); });
  const size_t num_orders = std::max(kFewest, kLooks / (near.size() + 1));
  for (size_t at = 0; at < starts.size() && at < num_orders; ++at) {
    Order other = Walk(near, watch).from(starts[at]);
    if (other.cost < best.cost) best = std::move(other);
  }
  return std::move(best.vertices);
}

// Slots that are free again once their owner has left.
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

// The edges in their order: each with the earlier one of its ends, then by the later one.
std::vector<int32_t> ordered_edges(const Graph& graph, const std::vector<Value>& values,
                                   Watch& watch) {
  Near near(static_cast<size_t>(graph.num_vertices));
  std::vector<int32_t> edges;
  for (size_t edge = 0; edge < values.size(); ++edge) {
    if (values[edge] == kOff) continue;
    const int32_t u = graph.ends[2 * edge], v = graph.ends[2 * edge + 1];
    near[u].push_back(v);
    near[v].push_back(u);
    edges.push_back(static_cast<int32_t>(edge));
  }
  std::vector<int32_t> rank(near.size());
  const std::vector<int32_t> order = best_order(near, watch);
  for (size_t at = 0; at < order.size(); ++at) rank[order[at]] = static_cast<int32_t>(at);
  const auto key = [&](int32_t edge) {
    const int32_t one = rank[graph.ends[2 * edge]], other = rank[graph.ends[2 * edge + 1]];
    return std::pair(std::min(one, other), std::max(one, other));
  };
  std::stable_sort(edges.begin(), edges.end(),
                   [&](int32_t a, int32_t b) { return key(a) < key(b); });
  return edges;
}

// The steps of the edges, without their rules.
void add_steps(const Graph& graph, const std::vector<int32_t>& edges,
               const std::vector<Value>& values, Plan& plan) {
  std::vector<int32_t> left(graph.num_vertices), slot(graph.num_vertices, -1);
  for (const int32_t edge : edges) ++left[graph.ends[2 * edge]], ++left[graph.ends[2 * edge + 1]];
  Slots slots;
  for (const int32_t edge : edges) {
    const int32_t u = graph.ends[2 * edge], v = graph.ends[2 * edge + 1];
    Step step{};
    step.may_be_off = values[edge] == kOpen;
    step.enters_u = slot[u] < 0;
    if (step.enters_u) slot[u] = slots.take();
    step.enters_v = slot[v] < 0;
    if (step.enters_v) slot[v] = slots.take();
    step.u = slot[u], step.v = slot[v];
    step.left_u = --left[u], step.left_v = --left[v];
    step.leaves_u = !left[u], step.leaves_v = !left[v];
    if (step.leaves_u) slots.give_back(slot[u]);
    if (step.leaves_v) slots.give_back(slot[v]);
    plan.steps.push_back(std::move(step));
  }
  plan.num_vertex_slots = slots.most();
}

// The window of a rule over the steps; those of `step_of` that are below 0 are edges that are off.
Window window_of(const Rule& rule, const std::vector<int32_t>& step_of, Plan& plan, int32_t index) {
  Window window{-1, INT32_MAX, -1, rule.lower, rule.upper, {}, {}, {}};
  std::vector<std::pair<int32_t, Share>> shares;
  for (const int32_t lit : rule.lits) {
    const int32_t step = step_of[std::abs(lit) - 1];
    if (step < 0) {
      if (lit < 0) --window.lower, --window.upper;  // it holds
      continue;
    }
    shares.push_back({step, {index, lit > 0, lit < 0}});
    window.first = std::min(window.first, step);
    window.last = std::max(window.last, step);
  }
  if (shares.empty()) return window;
  const size_t size = static_cast<size_t>(window.last - window.first) + 1;
  window.least.assign(size, 0), window.most.assign(size, 0), window.if_off.assign(size, 0);
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::pair<int32_t, Share>> joined;  // several literals may be of one edge
  for (const auto& [step, share] : shares) {
    if (joined.empty() || joined.back().first != step) joined.push_back({step, {index, 0, 0}});
    joined.back().second.on += share.on, joined.back().second.off += share.off;
  }
  for (const auto& [step, share] : joined) {
    plan.steps[step].shares.push_back(share);
    const bool may_be_off = plan.steps[step].may_be_off;
    const int32_t least = may_be_off ? std::min(share.on, share.off) : share.on;
    const int32_t most = may_be_off ? std::max(share.on, share.off) : share.on;
    for (int32_t at = 0; at < step - window.first; ++at) {
      window.least[at] += least, window.most[at] += most, window.if_off[at] += share.off;
    }
  }
  return window;
}

void add_windows(const Graph& graph, const std::vector<int32_t>& step_of, Plan& plan,
                 Watch& watch) {
  for (const Rule& rule : graph.rules) {
    const auto index = static_cast<int32_t>(plan.windows.size());
    Window window = window_of(rule, step_of, plan, index);
    watch.work(static_cast<int64_t>(window.least.size() * rule.lits.size()) + 1);
    if (window.last < 0) {
      plan.is_contradictory |= window.lower > 0 || window.upper < 0;
    } else {
      // What is settled is not remembered; without a bound above, that is whatever is enough.
      const bool is_bounded = rule.upper < static_cast<int32_t>(rule.lits.size());
      plan.highest = std::max(plan.highest, is_bounded ? window.upper : window.lower);
      plan.windows.push_back(std::move(window));
    }
  }
}

// Slots of rules, and by step which rules go on and whether a loop may end there.
void add_slots(Plan& plan) {
  const auto num_steps = static_cast<int32_t>(plan.steps.size());
  std::vector<std::vector<int32_t>> starting(num_steps), ending(num_steps);
  std::vector<int32_t> entering(num_steps + 1), must(num_steps + 1);
  for (size_t index = 0; index < plan.windows.size(); ++index) {
    starting[plan.windows[index].first].push_back(static_cast<int32_t>(index));
    ending[plan.windows[index].last].push_back(static_cast<int32_t>(index));
  }
  Slots slots;
  std::vector<int32_t> active;
  for (int32_t step = 0; step < num_steps; ++step) {
    for (const int32_t index : starting[step]) {
      plan.windows[index].slot = slots.take();
      active.push_back(index);
    }
    for (const int32_t index : ending[step]) {
      slots.give_back(plan.windows[index].slot);
      std::erase(active, index);
    }
    plan.active.push_back(active);
  }
  plan.num_rule_slots = slots.most();
  plan.may_end.assign(num_steps, true);
  bool may_end = true;
  for (int32_t step = num_steps - 1; step >= 0; --step) {
    plan.may_end[step] = may_end;
    const Step& next = plan.steps[step];
    may_end &= next.may_be_off && !(plan.is_spanning && (next.enters_u || next.enters_v));
    for (const int32_t index : starting[step]) {
      const Window& window = plan.windows[index];
      int32_t all = window.if_off[0];
      for (const Share& share : next.shares) all += share.rule == index ? share.off : 0;
      may_end &= window.lower <= all && all <= window.upper;
    }
  }
}

}  // namespace

Plan plan_of(const Graph& graph, Watch& watch) {
  Plan plan;
  plan.is_spanning = graph.is_spanning;
  Known known(graph);
  if (!known.propagate(watch)) {
    plan.is_contradictory = true;
    return plan;
  }
  const std::vector<int32_t> edges = ordered_edges(graph, known.values, watch);
  add_steps(graph, edges, known.values, plan);
  std::vector<int32_t> step_of(known.values.size(), -1);
  for (size_t at = 0; at < edges.size(); ++at) step_of[edges[at]] = static_cast<int32_t>(at);
  add_windows(graph, step_of, plan, watch);
  add_slots(plan);
  return plan;
}

}  // namespace nonosat::loops
