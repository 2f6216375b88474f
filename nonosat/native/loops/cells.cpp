#include "loops/cells.hpp"

#include <algorithm>
#include <unordered_map>

#include "cost.hpp"

namespace nonosat::loops {
Cells::Cells(std::span<const int32_t> pairs, size_t most_lits, Watch& watch)
    : most_lits_(most_lits), vars_{0} {
  std::unordered_map<int32_t, Node> nodes{{0, kOuter}};
  std::vector<Node> ends;
  ends.reserve(pairs.size());
  for (const int32_t var : pairs) {
    const auto [at, is_new] = nodes.try_emplace(var, static_cast<Node>(vars_.size()));
    if (is_new) vars_.push_back(var);
    ends.push_back(at->second);
    max_var_ = std::max(max_var_, var);
    watch.work(cost::kLoopNode);
  }
  starts_.assign(vars_.size() + 1, 0);
  for (const Node node : ends) ++starts_[node + 1];
  for (size_t node = 0; node < vars_.size(); ++node) starts_[node + 1] += starts_[node];
  targets_.resize(ends.size());
  std::vector<size_t> next(starts_.begin(), starts_.end() - 1);
  for (size_t i = 0; i + 1 < ends.size(); i += 2) {
    targets_[next[ends[i]]++] = ends[i + 1];
    targets_[next[ends[i + 1]]++] = ends[i];
  }
  is_inside_.resize(vars_.size());
  seen_.assign(vars_.size(), 0);
  adjacent_.assign(vars_.size(), 0);
}

// Computes the connected components of the nodes inside and of those outside: order_ and
// component_starts_, the component of the outer face first. O(edges).
void Cells::find_components(std::span<const uint8_t> values, Watch& watch) {
  for (size_t node = 1; node < vars_.size(); ++node) is_inside_[node] = values[vars_[node]] != 0;
  order_.clear();
  component_starts_.clear();
  ++stamp_;
  for (Node start = 0; start < std::ssize(vars_); ++start) {
    if (seen_[start] == stamp_) continue;
    seen_[start] = stamp_;
    component_starts_.push_back(order_.size());
    order_.push_back(start);
    for (size_t at = component_starts_.back(); at < order_.size(); ++at) {
      watch.work(cost::kLoopNode);
      for (const Node other : neighbours(order_[at])) {
        if (seen_[other] == stamp_ || is_inside_[other] != is_inside_[start]) continue;
        seen_[other] = stamp_;
        order_.push_back(other);
      }
    }
  }
  component_starts_.push_back(order_.size());
}

// Sets separator_ to literals, each false in the model, of the nodes adjacent to a component that a
// search from the target reaches first: every path from the target to the component contains one of
// them. `nodes` is a component, which must not contain the target. O(edges).
void Cells::find_separator(std::span<const Node> nodes, Node target, Watch& watch) {
  ++stamp_;
  for (const Node node : nodes) {
    for (const Node other : neighbours(node)) {
      if (is_inside_[other] != is_inside_[node]) adjacent_[other] = stamp_;
    }
  }
  separator_.clear();
  queue_.assign(1, target);
  seen_[target] = stamp_;
  for (size_t at = 0; at < queue_.size(); ++at) {
    const Node node = queue_[at];
    watch.work(cost::kLoopNode);
    if (adjacent_[node] == stamp_) {
      if (node != kOuter) separator_.push_back(is_inside_[node] ? -vars_[node] : vars_[node]);
      continue;
    }
    for (const Node other : neighbours(node)) {
      if (seen_[other] == stamp_) continue;
      seen_[other] = stamp_;
      queue_.push_back(other);
    }
  }
}

// Adds clauses that state: a node of the component and the target both keep their values only if a
// node of the separator changes its value. There is a clause for each of several nodes of the
// component, evenly spread; a single clause could be satisfied by changing one node.
void Cells::add_clauses(std::span<const Node> nodes, Node target, std::vector<int32_t>& clauses,
                        Watch& watch) {
  find_separator(nodes, target, watch);
  const size_t most = most_lits_ / std::max<size_t>(separator_.size(), 1);
  const size_t count = std::clamp<size_t>(most, 1, nodes.size());
  for (size_t i = 0; i < count; ++i) {
    const Node node = nodes[i * nodes.size() / count];
    clauses.push_back(is_inside_[node] ? -vars_[node] : vars_[node]);
    if (target != kOuter) clauses.push_back(-vars_[target]);
    clauses.insert(clauses.end(), separator_.begin(), separator_.end());
    clauses.push_back(0);
  }
}

std::vector<int32_t> Cells::refine(std::span<const uint8_t> values, Watch& watch) {
  std::vector<int32_t> clauses;
  find_components(values, watch);
  const size_t num_components = component_starts_.size() - 1;
  size_t largest = 0;  // largest component of the inside
  for (size_t index = 1; index < num_components; ++index) {
    if (!is_inside_[component(index)[0]]) continue;
    if (!largest || component(index).size() > component(largest).size()) largest = index;
  }
  if (!largest) {
    clauses.assign(vars_.begin() + 1, vars_.end());
    clauses.push_back(0);
    return clauses;
  }
  for (size_t index = 1; index < num_components; ++index) {
    if (index == largest) continue;
    const Node target = is_inside_[component(index)[0]] ? component(largest)[0] : kOuter;
    add_clauses(component(index), target, clauses, watch);
  }
  return clauses;
}

}  // namespace nonosat::loops
