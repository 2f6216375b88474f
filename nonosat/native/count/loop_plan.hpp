// A graph in which loops are counted, and the order in which their counting goes through it.
//
// Edges that rules or vertices force are fixed first. Then vertices are put in an order, and each
// edge comes with the earlier one of its ends: what stands between the vertices that are done and
// those that have not been reached is the frontier, and the order is to keep it small.
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
  std::vector<int32_t> ends;  // of each edge two different vertices
  bool is_spanning;           // whether the loop passes through every vertex
  std::vector<Rule> rules;

  size_t num_edges() const { return ends.size() / 2; }
};

// What an edge adds to a rule.
struct Share {
  int32_t rule;
  int32_t on, off;  // where it is chosen, and where it is not
};

// One edge. Slots are places in a state: a vertex has one while it is in the frontier, a rule while
// it has edges before and behind.
struct Step {
  int32_t u, v;  // slots of its ends
  bool may_be_off;
  bool enters_u, enters_v, leaves_u, leaves_v;
  int32_t left_u, left_v;  // edges of the ends that are still to come
  std::vector<Share> shares;
};

// A rule over the steps from `first` to `last`; by step what the ones behind it add at least, at
// most, and where none of them is chosen.
struct Window {
  int32_t slot;
  int32_t first, last;
  int32_t lower, upper;
  std::vector<int32_t> least, most, if_off;  // by step from `first` on

  bool is_open(int32_t count, size_t step) const {
    const size_t at = step - static_cast<size_t>(first);
    return count + least[at] <= upper && count + most[at] >= lower;
  }
  bool is_settled(int32_t count, size_t step) const {
    const size_t at = step - static_cast<size_t>(first);
    return count + least[at] >= lower && count + most[at] <= upper;
  }
  bool may_end(int32_t count, size_t step) const {
    const int32_t all = count + if_off[step - static_cast<size_t>(first)];
    return lower <= all && all <= upper;
  }
};

struct Plan {
  bool is_contradictory = false;
  bool is_spanning = false;
  std::vector<Step> steps;
  std::vector<Window> windows;  // those that edges have a say in
  int32_t num_vertex_slots = 0, num_rule_slots = 0;
  int32_t highest = 0;           // count that a rule has to remember
  std::vector<uint8_t> may_end;  // by step: the loop may end there, for all that comes behind it
  std::vector<std::vector<int32_t>> active;  // by step the windows that go on behind it
};

// Throws Stopped. O(vertices x frontier x degree) beside the rules.
Plan plan_of(const Graph& graph, Watch& watch);

}  // namespace nonosat::loops
