// Are edges of a lattice one closed path that satisfies the clues? Written for nothing else, as
// `puzzles/verify.hpp`; `nonosat/puzzles/slitherlink/verify.py` looks a second time and says in
// words what is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace nonosat::verify {

// A lattice around height x width cells, a byte an edge: first the horizontal ones row by row, then
// the vertical ones. Every byte is 0 or 1.
struct Lattice {
  size_t height, width;
  std::span<const uint8_t> edges;

  size_t num_edges() const { return (height + 1) * width + height * (width + 1); }
  uint8_t across(size_t row, size_t column) const { return edges[row * width + column]; }
  uint8_t down(size_t row, size_t column) const {
    return edges[(height + 1) * width + row * (width + 1) + column];
  }
  // To the right of a corner, below, to the left and above it; 0 where the board ends.
  uint8_t beside(size_t row, size_t column, int side) const {
    switch (side) {
      case 0:
        return column < width ? across(row, column) : 0;
      case 1:
        return row < height ? down(row, column) : 0;
      case 2:
        return column ? across(row, column - 1) : 0;
      default:
        return row ? down(row - 1, column) : 0;
    }
  }
  int degree(size_t row, size_t column) const {
    int sum = 0;
    for (int side = 0; side < 4; ++side) sum += beside(row, column, side);
    return sum;
  }
};

// Whether the edges are one closed path. O(edges).
inline bool is_one_loop(const Lattice& lattice) {
  size_t num_corners = 0, start = 0;
  const size_t corners = lattice.width + 1;
  for (size_t row = 0; row <= lattice.height; ++row) {
    for (size_t column = 0; column <= lattice.width; ++column) {
      const int degree = lattice.degree(row, column);
      if (degree != 0 && degree != 2) return false;
      if (degree && !num_corners++) start = row * corners + column;
    }
  }
  if (!num_corners) return false;
  // All corners on the path have two edges: walking on leads back to the start.
  size_t row = start / corners, column = start % corners, walked = 0;
  int back = -1;
  do {
    int side = 0;
    while (side == back || !lattice.beside(row, column, side)) ++side;
    row += side == 1;
    row -= side == 3;
    column += side == 0;
    column -= side == 2;
    back = (side + 2) % 4;
    ++walked;
  } while (row * corners + column != start);
  return walked == num_corners;
}

// Whether each clue is the number of its cell's edges; `blank` is none. A byte a cell, row by row.
inline bool has_clues(const Lattice& lattice, std::span<const uint8_t> clues, uint8_t blank) {
  for (size_t cell = 0; cell < clues.size(); ++cell) {
    const size_t row = cell / lattice.width, column = cell % lattice.width;
    const int found = lattice.across(row, column) + lattice.across(row + 1, column) +
                      lattice.down(row, column) + lattice.down(row, column + 1);
    if (clues[cell] != blank && clues[cell] != found) return false;
  }
  return true;
}

}  // namespace nonosat::verify
