// English of explanations: names of cells and lines, and descriptions of their changes.
//
// Arguments count from 0; the words count rows, columns and the cells of a line from 1.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "board/board.hpp"
#include "explain/step.hpp"

namespace nonosat::explain {

inline constexpr size_t kShownLines = 6;   // lines of a chain that are listed one by one
inline constexpr size_t kShownMarks = 12;  // marks that are listed one by one

const char* are(size_t number);                                // "is" or "are"
std::string counted(size_t number, const std::string& noun);   // "1 cell", "2 cells"
std::string listed(const std::vector<std::string>& items);     // "a, b and c"
std::string ranged(std::vector<int> numbers);                  // "1 and 3-5", from 0 to from 1
std::string positions(const std::vector<int>& numbers);        // "cells 4-6 and 9"
std::string lines_listed(std::vector<int> lines, int height);  // "rows 1 and 3-5 and column 2"
std::string sentence(std::string text);  // with a capital letter and a full stop

// Names of a puzzle's lines, cells and values.
class Words {
 public:
  // `inks`: name of each value, "empty" first. `is_short`: clues in colours are "2r 1b", else "2
  // red, 1 blue". `clues`: of all lines, rows first.
  Words(int height, int width, std::vector<std::string> inks, bool is_short,
        std::vector<Clue> clues)
      : height_(height),
        width_(width),
        inks_(std::move(inks)),
        is_short_(is_short),
        clues_(std::move(clues)) {}

  int height() const { return height_; }
  int width() const { return width_; }
  const std::string& value(int value) const { return inks_[value]; }
  std::string place(int cell) const { return places(std::vector<int>{cell}); }  // "cell (4, 5)"
  std::string line(int line) const;          // "row 4 (clue 2 1)"
  std::string short_line(int line) const;    // "row 4"
  std::string clue(const Clue& clue) const;  // "2 1"

  // Changes of positions in a line: "cells 4-5 are filled and cell 8 is empty".
  std::string outcome(const std::vector<Pair>& settled, const std::vector<Pair>& ruled_out) const;

  // Changes of places anywhere on the board, by their number if they are many.
  std::string summary(const std::vector<Pair>& settled, const std::vector<Pair>& ruled_out) const;

  // Changes of places anywhere on the board: "cells (1, 2) and (3, 4) are filled".
  std::string scattered(const std::vector<Pair>& settled, const std::vector<Pair>& ruled_out) const;

  // A sentence about wrong marks and their cells: "2 marks are wrong: ...".
  std::string wrong(std::span<const Pair> marks) const;

 private:
  // "80 cells are settled, 30 filled and 50 empty".
  std::string numbered(const std::vector<Pair>& settled, size_t num_ruled_out) const;
  std::string places(const std::vector<int>& cells) const;

  int height_, width_;
  std::vector<std::string> inks_;
  bool is_short_;
  std::vector<Clue> clues_;
};

}  // namespace nonosat::explain
