// Independent check that edges of a lattice form one closed path that satisfies the clues; it
// shares no code with solvers, as `puzzles/verify.hpp`. `nonosat/puzzles/slitherlink/verify.py`
// checks wrong ones again and describes the error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace nonosat::verify {

// A lattice around height x width cells, one byte per edge, 0 or 1: first the horizontal edges row
// by row, then the vertical ones.
struct Lattice {
  size_t height, width;
  std::span<const uint8_t> edges;

  size_t num_edges() const { return (height + 1) * width + height * (width + 1); }
  uint8_t across(size_t row, size_t column) const { return edges[row * width + column]; }
  uint8_t down(size_t row, size_t column) const {
    return edges[(height + 1) * width + row * (width + 1) + column];
  }
  // The edge to the right of a corner (side 0), below it (1), to its left (2) or above it (3); 0
  // outside the board.
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

// Returns true if the edges form one closed path. O(edges).
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
  // Every corner on a path has two edges, so following them leads back to the start.
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

// Returns true if each clue equals the number of its cell's edges; `blank` means no clue. One byte
// per cell, row by row.
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
