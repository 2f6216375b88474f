// The way of a count through the edges of a graph: from one end to the other, or from both ends to
// the middle.
//
// A count that goes from both ends stops before the widest frontiers: what either half of the edges
// makes of the vertices between them, the border, is joined in one step (`loop_join.hpp`). For
// closed knight's tours of 6 x 8 that is 166,276 states instead of 814,809 and a fifteenth of the
// time. A graph that is its own mirror image needs the states of one half alone.
// Loops of a lattice, which may leave vertices out, are not halved: their frontier is as wide
// everywhere, and a vertex that one half leaves untouched may have no edge or two in the other.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "count/loop_plan.hpp"
#include "watch.hpp"

namespace nonosat::loops {

// Ways through both halves of the edges. No loop lies within one of them.
struct Halves {
  Plan front, back;
  // Slots of the vertices of the border, in one order, behind all steps of a half.
  std::vector<int32_t> front_slots, back_slots;
  bool are_mirrored;  // the back's states are the front's: `back_slots` are slots of the front

  double cost() const { return front.cost + (are_mirrored ? 0 : back.cost); }
};

struct Ways {
  Plan whole;
  std::optional<Halves> halves;  // to be taken instead
};

enum class Halving : uint8_t { kNever, kIfCheaper, kIfPossible };

// Edges that rules or vertices force are fixed first. Then vertices are put in an order, and each
// edge comes with the earlier one of its ends: what stands between the vertices that are done and
// those that have not been reached is the frontier, and the order is to keep it small. Throws
// Stopped. O(vertices x frontier x degree) beside the rules.
Ways ways_of(const Graph& graph, Halving halving, Watch& watch);

}  // namespace nonosat::loops
