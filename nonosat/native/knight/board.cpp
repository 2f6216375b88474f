#include "knight/board.hpp"

#include <algorithm>
#include <cassert>

namespace nonosat::knight {

Board::Board(int rows, int columns, const std::vector<Place>& holes)
    : rows_(rows), columns_(columns) {
  assert(rows >= 1 && columns >= 1);
  const int width = columns + kMargin;
  for (int i = 0; i < kNumMoves; ++i) moves_[i] = kMoves[i][0] * width + kMoves[i][1];
  is_free_.assign(static_cast<size_t>(rows + 2 * kMargin) * width + kMargin, 0);
  for (int row = 0; row < rows; ++row) {
    std::fill_n(is_free_.begin() + square(row * columns), columns, 1);
  }
  for (const Place hole : holes) is_free_[square(hole)] = 0;
  num_free_ = static_cast<int>(std::count(is_free_.begin(), is_free_.end(), 1));
}

bool Board::is_move(Square from, Square to) const {
  return std::find(moves_.begin(), moves_.end(), to - from) != moves_.end();
}

std::vector<Square> Board::squares() const {
  std::vector<Square> found;
  found.reserve(num_free_);
  for (Place place = 0; place < rows_ * columns_; ++place) {
    if (is_free(square(place))) found.push_back(square(place));
  }
  return found;
}

}  // namespace nonosat::knight
