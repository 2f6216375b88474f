#include "strategy/neighbours.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "puzzles/switches.hpp"
#include "puzzles/verify.hpp"

namespace nonosat::strategy {
namespace {

constexpr size_t kFirstSwitches = 16;  // looked for at first; few boards need more

bool has_blocks(const verify::Cells& cells, const Clue& blocks) {
  verify::Runs runs(cells);
  for (const Block& block : blocks) {
    if (!runs.next() || runs.colour() != block.colour) return false;
    if (block.length && static_cast<size_t>(block.length) != runs.length()) return false;
  }
  return !runs.next();
}

const Clue& row_clue(const Board& board, int row) { return board.plan(row).blocks; }
const Clue& column_clue(const Board& board, int column) {
  return board.plan(board.height() + column).blocks;
}

// A turn or reflection of the board: the cell that the cell (row, column) of the image comes from.
struct Symmetry {
  bool is_transposed, flips_rows, flips_columns;

  std::pair<int, int> source(const Board& board, int row, int column) const {
    int from_row = is_transposed ? column : row, from_column = is_transposed ? row : column;
    if (flips_rows) from_row = board.height() - 1 - from_row;
    if (flips_columns) from_column = board.width() - 1 - from_column;
    return {from_row, from_column};
  }
};

// The reflections and the half turn; quarter turns map few pictures to others.
constexpr Symmetry kSymmetries[] = {
    {false, false, true}, {false, true, false}, {false, true, true},
    {true, false, false}, {true, true, true},
};

bool are_alike(const Clue& one, const Clue& other, bool is_reversed) {
  return is_reversed ? std::equal(one.begin(), one.end(), other.rbegin(), other.rend())
                     : one == other;
}

// Whether the image's lines have the same clues as the lines that they come from.
bool keeps_clues(const Board& board, const Symmetry& symmetry) {
  if (symmetry.is_transposed && board.height() != board.width()) return false;
  for (int row = 0; row < board.height(); ++row) {
    const auto [from_row, from_column] = symmetry.source(board, row, 0);
    const Clue& clue =
        symmetry.is_transposed ? column_clue(board, from_column) : row_clue(board, from_row);
    const bool is_reversed = symmetry.is_transposed ? symmetry.flips_rows : symmetry.flips_columns;
    if (!are_alike(row_clue(board, row), clue, is_reversed)) return false;
  }
  for (int column = 0; column < board.width(); ++column) {
    const auto [from_row, from_column] = symmetry.source(board, 0, column);
    const Clue& clue =
        symmetry.is_transposed ? row_clue(board, from_row) : column_clue(board, from_column);
    const bool is_reversed = symmetry.is_transposed ? symmetry.flips_columns : symmetry.flips_rows;
    if (!are_alike(column_clue(board, column), clue, is_reversed)) return false;
  }
  return true;
}

Cells image(const Board& board, const Cells& known, const Symmetry& symmetry) {
  Cells cells(known.size());
  for (int row = 0; row < board.height(); ++row) {
    for (int column = 0; column < board.width(); ++column) {
      const auto [from_row, from_column] = symmetry.source(board, row, column);
      cells[row * board.width() + column] = known[from_row * board.width() + from_column];
    }
  }
  return cells;
}

}  // namespace

bool is_solution(const Board& board, const Cells& cells) {
  for (int cell = 0; cell < board.num_cells(); ++cell) {
    if (!board.may(cell, cells[cell])) return false;
  }
  const auto height = static_cast<size_t>(board.height());
  const auto width = static_cast<size_t>(board.width());
  for (size_t row = 0; row < height; ++row) {
    const verify::Cells line{&cells[row * width], width, 1};
    if (!has_blocks(line, row_clue(board, static_cast<int>(row)))) return false;
  }
  for (size_t column = 0; column < width; ++column) {
    const verify::Cells line{&cells[column], height, width};
    if (!has_blocks(line, column_clue(board, static_cast<int>(column)))) return false;
  }
  return true;
}

std::vector<Cells> neighbours(const Board& board, const Cells& known, size_t most, Watch& watch) {
  std::vector<Cells> found;
  size_t num_images = 0;  // only these can equal a later picture: each switch makes another one
  const auto consider = [&](Cells cells) {
    watch.work(board.num_cells());
    const auto end = found.begin() + static_cast<std::ptrdiff_t>(num_images);
    const bool is_new = cells != known && std::find(found.begin(), end, cells) == end;
    if (is_new && is_solution(board, cells)) found.push_back(std::move(cells));
  };
  for (const Symmetry& symmetry : kSymmetries) {
    if (found.size() < most && keeps_clues(board, symmetry)) {
      consider(image(board, known, symmetry));
      num_images = found.size();
    }
  }
  for (size_t tried = 0, wanted = std::min(most, kFirstSwitches);; wanted *= 16) {
    const auto switches =
        puzzles::Switches(known, board.height(), board.width()).find(wanted, watch);
    for (; 4 * tried < switches.size() && found.size() < most; ++tried) {
      const int32_t* const at = &switches[4 * tried];
      Cells cells = known;
      for (const int32_t row : {at[0], at[1]}) {
        std::swap(cells[row * board.width() + at[2]], cells[row * board.width() + at[3]]);
      }
      consider(std::move(cells));
    }
    if (found.size() >= most || switches.size() < 4 * wanted) return found;
  }
}

}  // namespace nonosat::strategy
