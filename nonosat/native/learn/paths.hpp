// The paths that chosen edges form, and the edges that would close one of them too early.
//
// Where some chosen edge lies apart from a path, an edge between the two ends of the path is not
// chosen: else it would not be a single loop. The edges of the path, and one apart from it, are the
// reason, which is worked out only when a conflict asks for it. Long paths make long reasons, from
// which little is learnt; so these are left alone, as is a loop that closes before any edge apart
// from it is chosen: what they miss is found in models (`loops/cells.hpp`).
//
// Invariant: `mates_` of an end of a path is its other end, and of a vertex without chosen edges
// the vertex itself; of inner vertices it is what it was while they were ends, so that taking back
// the last edge takes a constant time.
//
// Source: mates of ends: D. Knuth, "The Art of Computer Programming" 4A, 7.1.4 (Simpath); as a
// propagator that explains itself: K. Francis, P. Stuckey, "Explaining circuit propagation"
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
    uint32_t one, other;  // different vertices, from 0 on
    Var var;              // another one for each edge
  };

  // Without edges.
  Paths() = default;

  // An edge is chosen where its variable is true. O(edges + largest vertex + largest variable).
  explicit Paths(std::span<const Edge> edges);

  bool is_empty() const { return edges_.empty(); }

  // A literal has become true. Returns the literal that holds from now on, the negation of an edge,
  // or kTrue for none; the negation of `lit` where that has closed a path too early or is the third
  // edge at a vertex. Takes no memory.
  Lit tell(Lit lit);

  // The literal that was told last, but for those taken back, is open again.
  void take_back(Lit lit);

  // Makes `clause` the false literals that imply what `tell` has returned, the negation of
  // `closing`. `is_held`: whether a variable was true when `tell` had returned it. O(edges).
  template <class IsHeld>
  void explain(Lit closing, IsHeld is_held, std::vector<Lit>& clause);

 private:
  struct Merge {  // of the paths first .. one and other .. last by an edge from `one` to `other`
    uint32_t first, one, other, last;

    bool is_none() const { return first == other; }  // the edge has closed a path, or is a third
  };
  static constexpr uint32_t kNone = ~uint32_t{0};

  uint32_t edge_of(Lit lit) const {
    return !is_negated(lit) && var_of(lit) < of_var_.size() ? of_var_[var_of(lit)] : kNone;
  }
  Lit closing(uint32_t first, uint32_t last) const;

  uint32_t longest_ = 0;  // edges of a path that is looked at
  std::vector<Edge> edges_;
  std::vector<uint32_t> of_var_;                  // edges
  std::vector<std::vector<uint32_t>> at_vertex_;  // edges
  std::vector<uint32_t> mates_, lengths_;         // by vertex; lengths of the paths that end there
  std::vector<uint32_t> degrees_;
  std::vector<Merge> merges_;     // one for each edge told
  std::vector<uint32_t> chosen_;  // edges, in the order in which they were told
  std::vector<uint8_t> marks_;    // by edge; all 0 between calls
};

template <class IsHeld>
void Paths::explain(Lit closing, IsHeld is_held, std::vector<Lit>& clause) {
  const uint32_t last = edge_of(closing);
  const auto held_at = [&](uint32_t vertex, uint32_t before) {
    clause.clear();
    for (const uint32_t edge : at_vertex_[vertex]) {
      if (edge == last || edge == before || !is_held(edges_[edge].var)) continue;
      clause.push_back(negated(2 * edges_[edge].var));
    }
  };
  for (const uint32_t end : {edges_[last].one, edges_[last].other}) {
    held_at(end, last);
    if (clause.size() > 1) return;
  }
  std::vector<Lit> path;
  uint32_t at = edges_[last].one;
  for (uint32_t before = last; at != edges_[last].other;) {
    held_at(at, before);
    path.push_back(clause[0]);
    before = of_var_[var_of(clause[0])];
    at ^= edges_[before].one ^ edges_[before].other;
  }
  path.push_back(kTrue);
  marks_[last] = 1;
  for (size_t i = 0; i + 1 < path.size(); ++i) marks_[of_var_[var_of(path[i])]] = 1;
  size_t first = 0;
  while (marks_[chosen_[first]]) ++first;
  marks_[last] = 0;
  for (size_t i = 0; i + 1 < path.size(); ++i) marks_[of_var_[var_of(path[i])]] = 0;
  path.back() = negated(2 * edges_[chosen_[first]].var);
  clause.swap(path);
}

}  // namespace nonosat::learn
