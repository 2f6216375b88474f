// Cuts for a single loop in the plane: clauses that a model with more than one loop violates, and
// that every single loop satisfies.
//
// The nodes are the faces of a plane graph, including the outer one; two faces are adjacent for
// each edge of the plane graph between them. In a model of several loops, a connected component of
// the inside is separated from the largest such component, or a component of the outside from the
// outer face, by adjacent nodes of the other side (a separator). encodings/loop_cells.py is the
// readable twin.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "watch.hpp"

namespace nonosat::loops {

class Cells {
 public:
  // `pairs`: the variables of the two faces of each edge, one pair after another; 0 represents the
  // outer face, others are positive. `most_lits`: approximate limit on the total number of literals
  // in the clauses of one component, which gets at least one clause in any case. O(edges).
  Cells(std::span<const int32_t> pairs, size_t most_lits, Watch& watch);

  int32_t max_var() const { return max_var_; }

  // Returns clauses, each terminated by 0; none if the values are those of one loop. `values[v]`,
  // up to max_var(), is not 0 if variable v is true. Every clause is false under the values and
  // satisfied by every single loop. A call that the watch stopped can be repeated. O(edges x
  // components), and the literals.
  std::vector<int32_t> refine(std::span<const uint8_t> values, Watch& watch);

 private:
  using Node = int32_t;
  static constexpr Node kOuter = 0;

  std::span<const Node> neighbours(Node node) const {
    return {targets_.data() + starts_[node], targets_.data() + starts_[node + 1]};
  }
  void find_components(std::span<const uint8_t> values, Watch& watch);
  void find_separator(std::span<const Node> component, Node target, Watch& watch);
  void add_clauses(std::span<const Node> component, Node target, std::vector<int32_t>& clauses,
                   Watch& watch);
  std::span<const Node> component(size_t index) const {
    return {order_.data() + component_starts_[index], order_.data() + component_starts_[index + 1]};
  }

  int32_t max_var_ = 0;
  size_t most_lits_;
  std::vector<int32_t> vars_;  // by node
  std::vector<size_t> starts_;
  std::vector<Node> targets_;

  // Data of the current model.
  std::vector<uint8_t> is_inside_;
  std::vector<Node> order_;  // the nodes, component by component
  std::vector<size_t> component_starts_;
  std::vector<uint32_t> seen_, adjacent_;  // stamps, by node
  uint32_t stamp_ = 0;
  std::vector<Node> queue_;
  std::vector<int32_t> separator_;  // literals
};

}  // namespace nonosat::loops
