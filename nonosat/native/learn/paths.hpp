// Propagator for a single loop: follows the paths of chosen edges, and forbids edges that would
// close a path too early.
//
// If an edge outside of a path is chosen, an edge between the two ends of the path would close a
// second loop, so it is not chosen. The reason consists of the edges of the path and one edge
// outside; it is computed only when conflict analysis needs it. Long paths yield long clauses, from
// which little is learnt, so paths of more than `longest_` edges are ignored, and so is a loop that
// closes before any other edge is chosen. Models that violate the loop because of that are refuted
// by cuts (`loops/cells.hpp`).
//
// Invariant: `mates_` maps an end of a path to its other end, and a vertex without chosen edges to
// itself. Inner vertices keep the mate that they had as ends, so that the last edge can be removed
// in constant time.
//
// Source: mates of ends: D. Knuth, "The Art of Computer Programming" 4A, 7.1.4 (Simpath);
// explanations of a circuit propagator: K. Francis, P. Stuckey, "Explaining circuit propagation"
// (Constraints 19, 2014).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/literal.hpp"

namespace nonosat::learn {

class Paths {
 public:
  struct Edge {
    uint32_t one, other;  // different vertices, from 0
    Var var;              // different for each edge
  };

  // Makes a propagator without edges.
  Paths() = default;

  // An edge is chosen if its variable is true. O(edges + largest vertex + largest variable).
  explicit Paths(std::span<const Edge> edges);

  bool is_empty() const { return edges_.empty(); }

  // Records that a literal has become true. Returns the literal that this implies, the negation of
  // an edge, or kTrue for none; returns the negation of `lit` for a conflict, when `lit` closes a
  // path too early or is the third edge at a vertex. Allocates no memory.
  Lit assign(Lit lit);

  // Undoes `assign` of a literal; literals are undone in reverse order.
  void unassign(Lit lit);

  // Sets `clause` to the false literals that imply the result of `assign`, the negation of
  // `closing`. `is_held(var)` returns true if the variable was true when `assign` returned.
  // O(edges).
  template <class IsHeld>
  void explain(Lit closing, IsHeld is_held, std::vector<Lit>& clause);

 private:
  struct Merge {  // joins the paths first .. one and other .. last by an edge from `one` to `other`
    uint32_t first, one, other, last;

    // Returns true if the edge joined no paths: it closed a path, or is a third one at a vertex.
    bool is_none() const { return first == other; }
  };
  static constexpr uint32_t kNone = ~uint32_t{0};

  uint32_t edge_of(Lit lit) const {
    return !is_negated(lit) && var_of(lit) < edge_of_var_.size() ? edge_of_var_[var_of(lit)]
                                                                 : kNone;
  }
  Lit closing_edge(uint32_t first, uint32_t last) const;

  uint32_t longest_ = 0;  // edges of the longest path that is followed
  std::vector<Edge> edges_;
  std::vector<uint32_t> edge_of_var_;            // edge of each variable
  std::vector<std::vector<uint32_t>> edges_at_;  // edges at each vertex
  std::vector<uint32_t> mates_, lengths_;        // by vertex; length of the path that ends there
  std::vector<uint32_t> degrees_;
  std::vector<Merge> merges_;     // one for each chosen edge
  std::vector<uint32_t> chosen_;  // edges in the order in which they were chosen
  std::vector<uint8_t> marks_;    // by edge; all 0 between calls
};

template <class IsHeld>
void Paths::explain(Lit closing, IsHeld is_held, std::vector<Lit>& clause) {
  const uint32_t last = edge_of(closing);
  const auto chosen_at = [&](uint32_t vertex, uint32_t before) {
    clause.clear();
    for (const uint32_t edge : edges_at_[vertex]) {
      if (edge == last || edge == before || !is_held(edges_[edge].var)) continue;
      clause.push_back(negated(2 * edges_[edge].var));
    }
  };
  for (const uint32_t end : {edges_[last].one, edges_[last].other}) {
    chosen_at(end, last);
    if (clause.size() > 1) return;
  }
  std::vector<Lit> path;
  uint32_t at = edges_[last].one;
  for (uint32_t before = last; at != edges_[last].other;) {
    chosen_at(at, before);
    path.push_back(clause[0]);
    before = edge_of_var_[var_of(clause[0])];
    at ^= edges_[before].one ^ edges_[before].other;
  }
  path.push_back(kTrue);
  marks_[last] = 1;
  for (size_t i = 0; i + 1 < path.size(); ++i) marks_[edge_of_var_[var_of(path[i])]] = 1;
  size_t first = 0;
  while (marks_[chosen_[first]]) ++first;
  marks_[last] = 0;
  for (size_t i = 0; i + 1 < path.size(); ++i) marks_[edge_of_var_[var_of(path[i])]] = 0;
  path.back() = negated(2 * edges_[chosen_[first]].var);
  clause.swap(path);
}

}  // namespace nonosat::learn
