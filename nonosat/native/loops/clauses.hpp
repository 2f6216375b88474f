// Clauses of loops as one batch, each terminated by 0. For vertices of few edges, they equal those
// of `add_cycles` in clauses/loops.py, the readable twin, in the same order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "watch.hpp"

namespace nonosat::loops {

// The constant false, as the variable of the outer face.
inline constexpr int32_t kOuterFace = -INT32_MAX;

// Returns clauses for a degree of 0 or 2 at each vertex (not exactly one edge, no three), and then,
// for each edge with faces, that it is chosen exactly if one of them is inside.
//
// `edges`: two vertices, below `num_vertices`, and the literal of each edge. `faces`: the variables
// of each edge's two faces, or kOuterFace; empty if there are none. Returns nothing, and the twin
// must be used, if an edge is a constant or has equal ends, a vertex has more than `most_edges`
// edges, or a face is not a variable. O(edges x most_edges^3).
std::optional<std::vector<int32_t>> cycle_clauses(size_t num_vertices,
                                                  std::span<const int32_t> edges,
                                                  std::span<const int32_t> faces, size_t most_edges,
                                                  Watch& watch);

}  // namespace nonosat::loops
