// Decision diagrams of the fillings of a line, over its open cells.
//
// The fillings of a line are the words of an automaton of its clue. Unrolled over the cells, with
// known cells skipped and states of equal futures merged, this is the minimal diagram of the
// fillings. At each layer with a single state, the line is divided into segments, which are
// independent of each other. States are numbered in the order in which they are reached, so that
// equal segments have equal data, however they were obtained. O(cells x automaton states).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "line/line.hpp"
#include "watch.hpp"

namespace nonosat {

struct Arc {
  int32_t value = -1;  // value of the cell; -1 for a missing arc
  int32_t target = 0;  // index of a node in the next layer
};

// A state continues with an empty cell, with the colour of its block, or with that of the next
// block.
using Node = std::array<Arc, 3>;

// Open cells of a line, without other open cells between them. There is one state before the first
// cell, and one after the last.
struct Segment {
  std::vector<int32_t> places;  // positions of its cells in the line, ascending
  std::vector<int32_t> first;   // nodes first[i] .. first[i + 1] - 1 form the layer before cell i
  std::vector<Node> nodes;
  double log_fillings = 0;  // binary logarithm of the number of fillings

  int num_cells() const { return static_cast<int>(places.size()); }
  int width(int layer) const { return layer == num_cells() ? 1 : first[layer + 1] - first[layer]; }
  const Node& node(int layer, int state) const { return nodes[first[layer] + state]; }

  // Returns a key that is equal for equal segments of a line, and for no others.
  std::vector<int32_t> key(int line) const;
};

// Returns the segments of a line, in their order. Each open cell is in one of them, and the
// fillings of the line are the products of their fillings. Needs a line that has a filling. Throws
// Stopped, and TooLarge above 2^25 states. O(cells x states of the clue's automaton).
std::vector<Segment> segments_of(const Plan& plan, const Word* may, Watch& watch);

}  // namespace nonosat
