// The clauses of loops as one batch, each ended by 0: what `add_cycles` of clauses/loops.py, their
// readable twin, makes of vertices of few edges, clause by clause in the same order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "watch.hpp"

namespace nonosat::loops {

// A constant that is false: for the outer face.
inline constexpr int32_t kOuterFace = -INT32_MAX;

// Degrees of 0 or 2 at each vertex: no edge alone, no three of them. Then, of each edge with faces,
// that it is chosen exactly where one of them is inside.
//
// `edges`: the two vertices, below `num_vertices`, and the literal of each edge; `faces`: variables
// of its two faces, or kOuterFace; empty where there are none. None where an edge is a constant or
// lies at one vertex, a vertex has more than `most_edges`, or a face is no variable: the twin says
// what is to be done then. O(edges x most_edges^3).
std::optional<std::vector<int32_t>> cycle_clauses(size_t num_vertices,
                                                  std::span<const int32_t> edges,
                                                  std::span<const int32_t> faces, size_t most_edges,
                                                  Watch& watch);

}  // namespace nonosat::loops
