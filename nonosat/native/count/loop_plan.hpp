// A graph in which loops are counted, and what is done at each edge on the way through it.
//
// A way may end before all edges are decided: then the vertices that have further ones keep slots.
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

enum class Value : uint8_t { kOff, kOn, kOpen };

// What an edge adds to a rule, and what the edges behind it add: at least, at most, and where none
// of them is chosen.
struct Share {
  int32_t rule;
  int32_t on, off;  // where it is chosen, and where it is not
  int32_t least, most, if_off;
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

// A rule over the steps from `first` to `last`, each of which has a share in it.
struct Window {
  int32_t slot;
  int32_t first, last;
  int32_t lower, upper;

  // With so many behind the edge of a share.
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
  std::vector<int32_t> slot_of;  // by vertex behind all steps: -1 where it has no slot
  double cost = 0;               // an estimate, for comparison with other plans
  std::vector<Window> windows;   // those that edges have a say in
  int32_t num_vertex_slots = 0, num_rule_slots = 0;
  int32_t highest = 0;           // count that a rule has to remember
  std::vector<uint8_t> may_end;  // by step: the loop may end there, for all that comes behind it

  size_t num_bytes() const;
};

// The first steps of a way through `edges`, all of those that are not off by `values`. The graph's
// rules are about edges of these steps, or about edges that are off. Throws Stopped. Time and
// memory O(edges + literals of rules).
Plan plan_of(const Graph& graph, const std::vector<Value>& values,
             const std::vector<int32_t>& edges, size_t num_steps, Watch& watch);

}  // namespace nonosat::loops
