// A graph in which loops are counted, and the plan of a count: the operations at each edge.
//
// A plan may end before all edges are decided: vertices with further edges then keep their slots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "count/rule.hpp"
#include "watch.hpp"

namespace nonosat::loops {

struct Graph {
  int32_t num_vertices;
  std::vector<int32_t> ends;  // two different vertices for each edge
  bool is_spanning;           // the loop passes through every vertex
  std::vector<Rule> rules;

  size_t num_edges() const { return ends.size() / 2; }
};

enum class Value : uint8_t { kOff, kOn, kOpen };

// Contributions to the number of true literals of a rule: that of one edge (`on`, `off`), and that
// of all later edges together: at least `least`, at most `most`, and `if_off` if all are off.
struct Share {
  int32_t rule;
  int32_t on, off;  // contribution if the edge is chosen, and if it is not
  int32_t least, most, if_off;
};

// Operations at one edge. Slots are indices in a state: a vertex has one while it is in the
// frontier, a rule while it has visited and unvisited edges.
struct Step {
  int32_t u, v;  // slots of the ends
  bool may_be_off;
  bool enters_u, enters_v, leaves_u, leaves_v;
  int32_t left_u, left_v;  // unvisited edges of the ends
  std::vector<Share> shares;
};

// State of a rule in the plan. All its edges are decided in the steps from `first` to `last`, and
// these steps contain the rule's shares.
struct Window {
  int32_t slot;
  int32_t first, last;
  int32_t lower, upper;

  // `count`: the true literals up to the edge of the share. `is_open`: the rule can still be
  // satisfied; `is_settled`: it will be satisfied in any case.
  bool is_open(int32_t count, const Share& share) const {
    return count + share.least <= upper && count + share.most >= lower;
  }
  bool is_settled(int32_t count, const Share& share) const {
    return count + share.least >= lower && count + share.most <= upper;
  }
  bool is_kept_by(int32_t all) const { return lower <= all && all <= upper; }
};

struct Plan {
  bool is_contradictory = false;
  bool is_spanning = false;
  std::vector<Step> steps;
  std::vector<int32_t> slot_of;  // by vertex, after all steps; -1 for none
  double cost = 0;               // an estimate of states, for comparing plans
  std::vector<Window> windows;   // rules with at least one edge that may be on
  int32_t num_vertex_slots = 0, num_rule_slots = 0;
  int32_t highest = 0;           // largest count that must be stored for a rule
  std::vector<uint8_t> may_end;  // by step: later edges and rules allow the loop to end here

  size_t num_bytes() const;
};

// Makes a plan of the first `num_steps` of `edges`, which are all edges that are not off in
// `values`. The graph's rules must only contain edges of these steps, and edges that are off.
// Throws Stopped. Time and memory O(edges + literals of rules).
Plan plan_of(const Graph& graph, const std::vector<Value>& values,
             const std::vector<int32_t>& edges, size_t num_steps, Watch& watch);

}  // namespace nonosat::loops
