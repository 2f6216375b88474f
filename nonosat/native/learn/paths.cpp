#include "learn/paths.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace nonosat::learn {
namespace {

// Bounds of `longest_`, the number of edges of the longest path that is followed: kShare times the
// square root of the number of edges, at least kShort and at most kLong. On slitherlinks of 100 x
// 100 with 40 % of the clues, 20 leads to twice as many candidate models as 40; 80 and more learn
// such long clauses that some boards take several times as long. To prove that thin boards of up to
// 60 x 60 have one solution, 40 takes up to 30 times as many conflicts as 20.
constexpr double kShare = 0.28, kShort = 20, kLong = 40;

}  // namespace

Paths::Paths(std::span<const Edge> edges) : edges_(edges.begin(), edges.end()) {
  size_t num_vertices = 0, num_vars = 0;
  for (const auto [one, other, var] : edges_) {
    num_vertices = std::max<size_t>(num_vertices, std::max(one, other) + size_t{1});
    num_vars = std::max<size_t>(num_vars, var + size_t{1});
  }
  edges_at_.resize(num_vertices);
  edge_of_var_.resize(num_vars, kNone);
  for (size_t edge = 0; edge < edges_.size(); ++edge) {
    const auto number = static_cast<uint32_t>(edge);
    edge_of_var_[edges_[edge].var] = number;
    edges_at_[edges_[edge].one].push_back(number);
    edges_at_[edges_[edge].other].push_back(number);
  }
  mates_.resize(num_vertices);
  std::iota(mates_.begin(), mates_.end(), 0);
  lengths_.resize(num_vertices, 0);
  degrees_.resize(num_vertices, 0);
  marks_.resize(edges_.size(), 0);
  const double root = std::sqrt(static_cast<double>(edges_.size()));
  longest_ = static_cast<uint32_t>(std::clamp(kShare * root, kShort, kLong));
  merges_.reserve(edges_.size());
  chosen_.reserve(edges_.size());
}

Lit Paths::assign(Lit lit) {
  const uint32_t edge = edge_of(lit);
  if (edge == kNone) return kTrue;
  const auto [one, other, var] = edges_[edge];
  chosen_.push_back(edge);
  const bool is_third = std::max(++degrees_[one], ++degrees_[other]) > 2;
  if (is_third) {
    merges_.push_back({one, one, one, one});
    return negated(lit);
  }
  const uint32_t first = mates_[one], last = mates_[other];
  merges_.push_back({first, one, other, last});
  if (merges_.back().is_none()) {
    const bool is_alone = lengths_[one] + 1 == chosen_.size();
    return is_alone || lengths_[one] > longest_ ? kTrue : negated(lit);
  }
  const uint32_t before = first == one ? 0 : lengths_[one];
  const uint32_t length = before + 1 + (last == other ? 0 : lengths_[other]);
  mates_[first] = last;
  mates_[last] = first;
  lengths_[first] = lengths_[last] = length;
  const bool is_alone = length == chosen_.size();
  return is_alone || length > longest_ ? kTrue : closing_edge(first, last);
}

// Returns the negation of an edge between the ends of a path; kTrue if there is none.
Lit Paths::closing_edge(uint32_t first, uint32_t last) const {
  for (const uint32_t edge : edges_at_[first]) {
    const bool is_between = (edges_[edge].one ^ edges_[edge].other ^ first) == last;
    if (is_between && edge != chosen_.back()) return negated(2 * edges_[edge].var);
  }
  return kTrue;
}

void Paths::unassign(Lit lit) {
  if (edge_of(lit) == kNone) return;
  assert(edge_of(lit) == chosen_.back());
  --degrees_[edges_[chosen_.back()].one];
  --degrees_[edges_[chosen_.back()].other];
  chosen_.pop_back();
  const Merge merge = merges_.back();
  merges_.pop_back();
  if (merge.is_none()) return;
  mates_[merge.first] = merge.one;
  mates_[merge.last] = merge.other;
  lengths_[merge.first] = lengths_[merge.one];
  lengths_[merge.last] = lengths_[merge.other];
}

}  // namespace nonosat::learn
