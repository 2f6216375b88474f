// Random lines and puzzles for fuzzers: sides around multiples of the machine word, one, few or
// many colours, blocks of unknown length, clues that contradict each other or do not fit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <random>
#include <vector>

#include "board/board.hpp"
#include "reference.hpp"

namespace drawing {

using nonosat::Block, nonosat::Board, nonosat::Clue, nonosat::Watch;
using reference::Planes, reference::Table;
using Cells = std::vector<int>;

inline std::mt19937_64 rng;

inline int below(int bound) { return static_cast<int>(rng() % static_cast<uint64_t>(bound)); }
inline bool chance(int percent) { return below(100) < percent; }

constexpr int kSides[] = {1,  1,  2,   3,   5,   8,   13,  20,  31,  62,  63,
                          64, 65, 126, 127, 128, 129, 190, 191, 192, 193, 300};

inline int draw_colours() {
  const int kind = below(10);
  return kind < 5 ? 1 : kind < 9 ? 2 + below(3) : 200;
}

inline Cells draw_cells(int count, int num_colours, int longest) {
  Cells cells;
  while (static_cast<int>(cells.size()) < count) {
    const int run = chance(70) ? 1 + below(4) : 1 + below(longest);
    cells.insert(cells.end(), run, chance(45) ? 0 : 1 + below(num_colours));
  }
  cells.resize(count);
  return cells;
}

inline Clue clue_of(const Cells& cells) {
  Clue clue;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (!cells[i]) continue;
    if (i && cells[i] == cells[i - 1]) {
      ++clue.back().length;
    } else {
      clue.push_back({1, cells[i]});
    }
  }
  return clue;
}

inline void hide_lengths(Clue& clue, int percent) {
  for (Block& block : clue) {
    if (chance(percent)) block.length = 0;
  }
}

// Draws a clue that need not fit the line, and may be far too long.
inline Clue draw_clue(int length, int num_colours) {
  Clue clue(below(length + 2));
  for (Block& block : clue)
    block = {1 + below(chance(50) ? 2 : length + 2), 1 + below(num_colours)};
  if (chance(5) && !clue.empty()) clue[below(static_cast<int>(clue.size()))].length = INT32_MAX;
  return clue;
}

// Removes values of random cells, seldom that of `truth`.
inline void remove_values(Planes& may, const Cells& truth, int percent) {
  for (size_t cell = 0; cell < truth.size(); ++cell) {
    if (!chance(percent)) continue;
    const int lost = below(static_cast<int>(may.size()));
    if (lost != truth[cell] || chance(1)) may[lost][cell] = 0;
  }
}

struct Puzzle {
  int height, width, num_colours;
  Cells truth;
  std::vector<Clue> clues;  // rows, then columns

  int num_lines() const { return height + width; }
  int length(int line) const { return line < height ? width : height; }
  int cell(int line, int at) const {
    return line < height ? line * width + at : at * width + line - height;
  }
  bool is_solved_by(const Cells& cells) const {
    for (int line = 0; line < num_lines(); ++line) {
      const Clue real = clue_of(line_of(cells, line)), &clue = clues[line];
      const auto same = [](const Block& one, const Block& other) {
        return one.colour == other.colour && (!one.length || one.length == other.length);
      };
      if (!std::equal(clue.begin(), clue.end(), real.begin(), real.end(), same)) return false;
    }
    return true;
  }
  Cells line_of(const Cells& cells, int line) const {
    Cells mine;
    for (int i = 0; i < length(line); ++i) mine.push_back(cells[cell(line, i)]);
    return mine;
  }
  Planes planes_of(const Table& left, int line) const {
    Planes mine(left.size());
    for (size_t value = 0; value < left.size(); ++value) {
      for (int i = 0; i < length(line); ++i) mine[value].push_back(left[value][cell(line, i)]);
    }
    return mine;
  }
  Board board() const {
    const auto columns = clues.begin() + height;
    Watch watch;
    return Board(num_colours, {clues.begin(), columns}, {columns, clues.end()}, watch);
  }
};

inline Puzzle draw_puzzle(bool small) {
  const auto side = [&] { return small ? 1 + below(8) : kSides[below(std::size(kSides))]; };
  Puzzle puzzle{side(), side(), small ? 1 + below(3) : draw_colours(), {}, {}};
  if (!small && puzzle.height > 31 && puzzle.width > 31) {
    puzzle.height = chance(10) ? 130 : 1 + below(9);
    if (puzzle.height == 130) puzzle.width = 130, puzzle.num_colours = 1;
  }
  if (!small && chance(50)) std::swap(puzzle.height, puzzle.width);
  puzzle.truth = draw_cells(puzzle.height * puzzle.width, puzzle.num_colours, puzzle.width);
  Cells other = puzzle.truth;
  if (chance(15)) std::shuffle(other.begin(), other.end(), rng);  // usually contradictory
  for (int line = 0; line < puzzle.num_lines(); ++line) {
    puzzle.clues.push_back(
        clue_of(puzzle.line_of(line < puzzle.height ? other : puzzle.truth, line)));
    if (chance(20)) hide_lengths(puzzle.clues.back(), 50);
    if (chance(1)) puzzle.clues[line] = draw_clue(puzzle.length(line), puzzle.num_colours);
  }
  return puzzle;
}

// The staircase of dominoes (3, 1, 1 3, 1, ..., 1 3, 1, 1 for rows and columns): propagation and
// probing leave it open, and it has one solution.
inline Puzzle dominoes(int count) {
  Puzzle puzzle{2 * count + 1, 2 * count + 1, 1, {}, {}};
  for (int line = 0; line < puzzle.num_lines(); ++line) {
    const int i = line % puzzle.height;
    Clue clue{{1, 1}};
    if (i == 0) clue = {{3, 1}};
    if (i > 0 && i % 2 == 0 && i < 2 * count) clue = {{1, 1}, {3, 1}};
    puzzle.clues.push_back(clue);
  }
  return puzzle;
}

}  // namespace drawing
