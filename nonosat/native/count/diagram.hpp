// The fillings that are left of a line, as decision diagrams over its open cells.
//
// A line's fillings are the words of an automaton over its clue; unrolled over the cells, with the
// known ones skipped and states of equal futures merged, it is the smallest diagram of those
// fillings. Where all of them pass one state, the line falls into segments that are independent of
// each other. States are numbered in the order in which they are reached, so that equal segments
// are equal number by number, whatever knowledge made them. O(cells x automaton states).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "line/line.hpp"
#include "watch.hpp"

namespace nonosat {

struct Arc {
  int32_t value = -1;  // of the cell; -1: there is no such arc
  int32_t target = 0;  // a node of the next layer, counted from 0
};

// A state goes on with an empty cell, with the colour of its block, or with that of the next.
using Node = std::array<Arc, 3>;

// Consecutive open cells of a line; other cells may lie between them. Before its first cell and
// behind its last there is one state.
struct Segment {
  std::vector<int32_t> places;  // of its cells in the line, ascending
  std::vector<int32_t> first;   // nodes first[i] .. first[i + 1] - 1 stand before cell i
  std::vector<Node> nodes;
  double log_fillings = 0;  // base 2

  int num_cells() const { return static_cast<int>(places.size()); }
  int width(int layer) const { return layer == num_cells() ? 1 : first[layer + 1] - first[layer]; }
  const Node& node(int layer, int state) const { return nodes[first[layer] + state]; }

  // Equal for equal segments of a line, and for no others.
  std::vector<int32_t> key(int line) const;
};

// The segments of a line, in their order; together they hold each open cell once, and the products
// of their fillings are the fillings of the line. Needs a line that has a filling.
// Throws Stopped, and TooLarge above 2^25 states. O(cells x states of the clue's automaton).
std::vector<Segment> segments_of(const Plan& plan, const Word* may, Watch& watch);

}  // namespace nonosat
