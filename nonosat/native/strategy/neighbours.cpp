#include "strategy/neighbours.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "puzzles/switches.hpp"
#include "puzzles/verify.hpp"

namespace nonosat::strategy {
namespace {

constexpr size_t kFirstSwitches = 16;  // number requested first; few boards need more

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

bool holds(const Board& board, const Cells& cells, int line) {
  const auto height = static_cast<size_t>(board.height());
  const auto width = static_cast<size_t>(board.width());
  const auto number = static_cast<size_t>(line);
  return has_blocks(number < height ? verify::Cells{&cells[number * width], width, 1}
                                    : verify::Cells{&cells[number - height], height, width},
                    board.plan(line).blocks);
}

// Turn or reflection of the board; `source` returns the original of the cell (row, column).
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

// Returns true if the lines of the image have the same clues as their originals.
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

// Swaps the corners of a switch, which is its two rows and its two columns.
void throw_switch(Cells& cells, int width, const int32_t* at) {
  for (const int32_t row : {at[0], at[1]}) {
    std::swap(cells[row * width + at[2]], cells[row * width + at[3]]);
  }
}

// Returns true if a solution is still one after a switch: only its four lines have changed.
bool is_valid_switch(const Board& board, const Cells& cells, const int32_t* at) {
  for (const int32_t row : {at[0], at[1]}) {
    if (!holds(board, cells, row)) return false;
    for (const int32_t column : {at[2], at[3]}) {
      const int cell = row * board.width() + column;
      if (!board.may(cell, cells[cell])) return false;
    }
  }
  return holds(board, cells, board.height() + at[2]) && holds(board, cells, board.height() + at[3]);
}

}  // namespace

bool is_solution(const Board& board, const Cells& cells) {
  for (int cell = 0; cell < board.num_cells(); ++cell) {
    if (!board.may(cell, cells[cell])) return false;
  }
  for (int line = 0; line < board.num_lines(); ++line) {
    if (!holds(board, cells, line)) return false;
  }
  return true;
}

std::vector<Cells> neighbours(const Board& board, const Cells& known, size_t most, Watch& watch) {
  std::vector<Cells> found;
  const auto is_new = [&](const Cells& cells, size_t num_found) {
    const auto end = found.begin() + static_cast<std::ptrdiff_t>(num_found);
    return cells != known && std::find(found.begin(), end, cells) == end;
  };
  for (const Symmetry& symmetry : kSymmetries) {
    if (found.size() >= most || !keeps_clues(board, symmetry)) continue;
    watch.work(board.num_cells());
    Cells cells = image(board, known, symmetry);
    if (is_new(cells, found.size()) && is_solution(board, cells)) found.push_back(std::move(cells));
  }
  const size_t num_images = found.size();  // each switch makes another picture
  Cells cells = known;
  for (size_t tried = 0, most_switches = std::min(most, kFirstSwitches);; most_switches *= 16) {
    const auto switches =
        puzzles::Switches(known, board.height(), board.width()).find(most_switches, watch);
    for (; 4 * tried < switches.size() && found.size() < most; ++tried) {
      const int32_t* const at = &switches[4 * tried];
      watch.work(board.num_lines());
      throw_switch(cells, board.width(), at);
      if (is_valid_switch(board, cells, at) && is_new(cells, num_images)) found.push_back(cells);
      throw_switch(cells, board.width(), at);  // back
    }
    if (found.size() >= most || switches.size() < 4 * most_switches) return found;
  }
}

}  // namespace nonosat::strategy
