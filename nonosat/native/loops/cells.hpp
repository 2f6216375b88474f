// Clauses that a model with more than one loop in the plane violates, and every single loop
// satisfies.
//
// The nodes are the faces of a plane graph, the outer one among them, with an edge between two
// faces for each edge of the plane graph between them. In a model of several loops, a connected
// part of the inside is cut off from the largest such part, or a part of the outside from the outer
// face, by the nodes beside it through which a way leads there (a separator). See
// encodings/loop_cells.py, the readable twin of this.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "watch.hpp"

namespace nonosat::loops {

class Cells {
 public:
  // `pairs`: of each edge the variables of its two faces, one after the other; 0 stands for the
  // outer face, others are positive. For one part there are clauses of about `most_lits` literals
  // in all, but at least one clause. O(edges).
  Cells(std::span<const int32_t> pairs, size_t most_lits, Watch& watch);

  int32_t max_var() const { return max_var_; }

  // Clauses, each ended by 0; none when the values are those of one loop. `values[v]`, up to
  // max_var(), is not 0 where variable v is true. Every clause is false under the values and true
  // of each single loop. A call that the watch stopped can be repeated. O(edges x parts), and the
  // literals.
  std::vector<int32_t> refine(std::span<const uint8_t> values, Watch& watch);

 private:
  using Node = int32_t;
  static constexpr Node kOuter = 0;

  std::span<const Node> neighbours(Node node) const {
    return {targets_.data() + starts_[node], targets_.data() + starts_[node + 1]};
  }
  void find_parts(std::span<const uint8_t> values, Watch& watch);
  void find_separator(std::span<const Node> part, Node target, Watch& watch);
  void add_clauses(std::span<const Node> part, Node target, std::vector<int32_t>& clauses,
                   Watch& watch);
  std::span<const Node> part(size_t index) const {
    return {order_.data() + part_starts_[index], order_.data() + part_starts_[index + 1]};
  }

  int32_t max_var_ = 0;
  size_t most_lits_;
  std::vector<int32_t> vars_;  // by node
  std::vector<size_t> starts_;
  std::vector<Node> targets_;

  // Of the model at hand.
  std::vector<uint8_t> is_inside_;
  std::vector<Node> order_;  // the nodes, part by part
  std::vector<size_t> part_starts_;
  std::vector<uint32_t> seen_, beside_;  // stamps, by node
  uint32_t stamp_ = 0;
  std::vector<Node> queue_;
  std::vector<int32_t> separator_;  // literals
};

}  // namespace nonosat::loops
