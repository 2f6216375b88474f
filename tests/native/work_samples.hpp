// Fixed boards for counted work: random cells and shapes, in colours and with blocks of unknown
// length, with given cells, left-out clues, and clues that do not fit; sides of one cell, and
// around one, two and more machine words.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "board/board.hpp"
#include "drawing.hpp"
#include "fuzzing.hpp"

namespace work {

using namespace nonosat;
using drawing::Puzzle;

// A puzzle, and the changes of its board before propagation.
struct Sample {
  std::string name;
  Puzzle puzzle;
  std::vector<std::pair<int, int>> removed;  // cells and values
  std::vector<int> left_out;                 // lines

  Board board(Watch& watch) const {
    const auto columns = puzzle.clues.begin() + puzzle.height;
    Board made(puzzle.num_colours, {puzzle.clues.begin(), columns}, {columns, puzzle.clues.end()},
               watch);
    for (const int line : left_out) made.leave_out(line);
    for (const auto& [cell, value] : removed) made.remove(cell, value);
    return made;
  }
};

// Random cells, filled with a probability in percent, and their clues.
inline Sample noise(const std::string& name, int height, int width, int num_colours, int percent,
                    int seed) {
  fuzzing::start(name.c_str(), height * width, seed);
  Puzzle puzzle{height, width, num_colours, {}, {}};
  for (int cell = 0; cell < height * width; ++cell)
    puzzle.truth.push_back(drawing::chance(percent) ? 1 + drawing::below(num_colours) : 0);
  for (int line = 0; line < puzzle.num_lines(); ++line)
    puzzle.clues.push_back(drawing::clue_of(puzzle.line_of(puzzle.truth, line)));
  const std::string size = std::to_string(height) + "x" + std::to_string(width);
  return {name + " of " + size, std::move(puzzle), {}, {}};
}

// Larger shapes, which propagation mostly decides.
inline Sample drawn(const std::string& name, int height, int width, int num_colours, int seed) {
  Sample made = noise(name, height, width, num_colours, 50, seed);
  Puzzle& puzzle = made.puzzle;
  puzzle.truth = drawing::draw_cells(height * width, num_colours, width);
  for (int line = 0; line < puzzle.num_lines(); ++line)
    puzzle.clues[line] = drawing::clue_of(puzzle.line_of(puzzle.truth, line));
  return made;
}

// Removes some wrong values of cells.
inline Sample with_hints(Sample sample, int percent) {
  const Puzzle& puzzle = sample.puzzle;
  for (int cell = 0; cell < puzzle.height * puzzle.width; ++cell) {
    const int value = drawing::below(puzzle.num_colours + 1);
    if (drawing::chance(percent) && value != puzzle.truth[cell])
      sample.removed.push_back({cell, value});
  }
  sample.name += " with hints";
  return sample;
}

inline Sample with_hidden_lengths(Sample sample, int percent) {
  for (Clue& clue : sample.puzzle.clues) drawing::hide_lengths(clue, percent);
  sample.name += " with unknown lengths";
  return sample;
}

// Marks some cells as filled, without their colour.
inline Sample filled(Sample sample, int percent) {
  const Puzzle& puzzle = sample.puzzle;
  for (int cell = 0; cell < puzzle.height * puzzle.width; ++cell) {
    if (drawing::chance(percent) && puzzle.truth[cell]) sample.removed.push_back({cell, 0});
  }
  sample.name += " with filled cells";
  return sample;
}

inline Sample without(Sample sample, std::vector<int> lines) {
  sample.left_out = std::move(lines);
  sample.name += " without some clues";
  return sample;
}

// The column clues are those of a picture in which the cells of one row are moved.
inline Sample crossed(Sample sample, int row) {
  Puzzle& puzzle = sample.puzzle;
  const auto first = puzzle.truth.begin() + row * puzzle.width;
  std::rotate(first, first + 1, first + puzzle.width);
  for (int line = puzzle.height; line < puzzle.num_lines(); ++line)
    puzzle.clues[line] = drawing::clue_of(puzzle.line_of(puzzle.truth, line));
  sample.name += " with a row that does not fit";
  return sample;
}

// Changes the clue of one line.
inline Sample spoilt(Sample sample, int line, Clue clue) {
  sample.puzzle.clues[line] = std::move(clue);
  sample.name += " with a wrong line " + std::to_string(line);
  return sample;
}

inline std::vector<Sample> samples() {
  return {
      noise("cell", 1, 1, 1, 100, 1),
      noise("row", 1, 70, 2, 60, 2),
      noise("column", 200, 1, 1, 60, 3),
      drawn("row", 1, 300, 1, 4),
      with_hints(with_hidden_lengths(noise("row", 1, 90, 2, 50, 42), 50), 20),
      with_hints(with_hidden_lengths(noise("column", 140, 1, 1, 40, 43), 50), 20),
      noise("empty", 5, 9, 1, 0, 5),
      noise("full", 9, 5, 3, 100, 6),
      noise("noise", 15, 15, 1, 50, 7),
      noise("noise", 20, 25, 1, 50, 8),
      noise("noise", 24, 23, 1, 50, 26),
      noise("noise", 25, 25, 1, 50, 27),
      noise("noise", 28, 28, 1, 55, 28),
      with_hints(noise("noise", 30, 30, 1, 50, 9), 20),
      with_hints(noise("q25", 33, 32, 1, 50, 25), 14),
      with_hints(noise("q58", 33, 32, 1, 50, 58), 8),
      noise("thin noise", 20, 18, 1, 25, 10),
      noise("colours", 12, 14, 3, 60, 11),
      with_hints(noise("colours", 20, 16, 2, 60, 12), 10),
      with_hints(noise("many colours", 8, 9, 70, 60, 13), 3),
      with_hints(with_hidden_lengths(noise("noise", 14, 13, 2, 50, 14), 20), 10),
      without(with_hints(noise("noise", 16, 18, 1, 50, 15), 30), {0, 7, 15, 16, 33}),
      filled(with_hidden_lengths(noise("colours", 11, 12, 3, 90, 44), 60), 60),
      without(filled(with_hidden_lengths(noise("colours", 13, 9, 2, 80, 45), 40), 40), {2, 14, 20}),
      without(with_hints(drawn("shapes", 70, 90, 1, 16), 60), {3, 66, 69, 70, 140, 159}),
      {"dominoes", drawing::dominoes(7), {}, {}},
      drawn("shapes", 66, 40, 1, 17),
      with_hints(drawn("shapes", 64, 128, 1, 39), 10),
      drawn("shapes", 128, 64, 2, 40),
      drawn("shapes", 40, 70, 2, 18),
      with_hints(drawn("shapes", 130, 20, 1, 19), 20),
      with_hints(drawn("shapes", 20, 140, 2, 20), 30),
      with_hints(noise("noise", 200, 100, 1, 60, 21), 30),
      with_hints(noise("noise", 150, 150, 1, 55, 22), 40),
      crossed(noise("noise", 15, 16, 1, 45, 29), 4),
      crossed(noise("noise", 20, 20, 1, 45, 31), 9),
      crossed(noise("noise", 20, 21, 1, 40, 32), 9),
      crossed(noise("x13", 14, 15, 1, 30, 13), 7),
      crossed(noise("x2", 18, 19, 1, 40, 2), 9),
      crossed(noise("x16", 18, 19, 1, 40, 16), 9),
      crossed(noise("x27", 18, 19, 1, 30, 27), 9),
      without(with_hints(drawn("shapes", 9, 150, 1, 38), 60), {2, 9, 80, 158}),
      with_hints(noise("thin noise", 70, 66, 1, 22, 35), 40),
      with_hints(noise("thin noise", 20, 130, 1, 30, 36), 30),
      with_hints(noise("thin noise", 140, 20, 2, 40, 37), 30),
      spoilt(noise("noise", 10, 80, 1, 50, 23), 3, {{2, 1}, {2, 1}}),
      spoilt(noise("noise", 80, 70, 1, 50, 24), 130, {{9, 1}, {9, 1}, {9, 1}}),
      spoilt(drawn("shapes", 10, 150, 1, 25), 100, {{3, 1}}),
  };
}

}  // namespace work
