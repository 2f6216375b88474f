// A chessboard with holes for knights: moves are eight offsets into an array with a margin.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nonosat::knight {

// A square is its index in the array with the margin; a place is row * columns + column.
using Square = int32_t;
using Place = int32_t;

constexpr int kNumMoves = 8;

// The move table: (row, column) steps, in the order of document 001 (study/__init__.py), which
// unguided searches follow.
constexpr std::array<std::array<int, 2>, kNumMoves> kMoves = {
    {{2, 1}, {1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}, {2, -1}}};

// Invariant: a move from any free square stays inside the array, and margin and holes are not free.
// So moves need no check of the borders.
class Board {
 public:
  // `holes` are places in any order; the board has at least one row and one column, and fewer than
  // 2^31 squares with its margin.
  Board(int rows, int columns, const std::vector<Place>& holes = {});

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  int num_free() const { return num_free_; }
  size_t num_squares() const { return is_free_.size(); }
  bool is_free(Square square) const { return is_free_[square] != 0; }
  // One byte for each square, 1 if it is free; searches copy and mark it.
  const std::vector<uint8_t>& free() const { return is_free_; }
  const std::array<Square, kNumMoves>& moves() const { return moves_; }

  Square square(Place place) const {
    return (place / columns_ + kMargin) * (columns_ + kMargin) + kMargin + place % columns_;
  }
  Place place(Square square) const {
    const int width = columns_ + kMargin;
    return (square / width - kMargin) * columns_ + square % width - kMargin;
  }
  bool is_move(Square from, Square to) const;
  // Returns the free squares, row by row.
  std::vector<Square> squares() const;

 private:
  // At the end of each row, shared with the beginning of the next.
  static constexpr int kMargin = 2;

  int rows_;
  int columns_;
  int num_free_ = 0;
  std::array<Square, kNumMoves> moves_;
  std::vector<uint8_t> is_free_;
};

}  // namespace nonosat::knight
