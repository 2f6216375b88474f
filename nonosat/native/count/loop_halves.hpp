// Sequence in which a count visits the edges of a graph: from one end to the other, or from both
// ends to the middle.
//
// A count from both ends avoids the widest frontiers: the states of the halves are joined at the
// vertices between them, the border, in one step (`loop_join.hpp`). For closed knight's tours of 6
// x 8 these are 166,276 states instead of 814,809 and a fifteenth of the time. A graph that equals
// its mirror image needs the states of one half only. Loops that may leave vertices out are not
// halved: the frontier of a lattice has the same width everywhere, and a vertex without edges in
// one half may have none or two in the other.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "count/loop_plan.hpp"
#include "watch.hpp"

namespace nonosat::loops {

// Plans of both halves of the edges. No loop lies within one of them.
struct Halves {
  Plan front, back;
  // Slots of the vertices of the border after all steps of a half, both in the same order.
  std::vector<int32_t> front_slots, back_slots;
  bool are_mirrored;  // the back has the states of the front; `back_slots` are slots of the front

  double cost() const { return front.cost + (are_mirrored ? 0 : back.cost); }
};

struct Plans {
  Plan whole;
  std::optional<Halves> halves;  // to be used instead of `whole` if present
};

enum class Halving : uint8_t { kNever, kIfCheaper, kIfPossible };

// Makes the plans of a count. First fixes the edges that rules or vertices force. Then orders the
// vertices so that the frontier, the vertices with both visited and unvisited edges, remains small;
// edges follow the earlier one of their ends. Throws Stopped. O(vertices x frontier x degree), and
// the rules.
Plans plans_of(const Graph& graph, Halving halving, Watch& watch);

}  // namespace nonosat::loops
