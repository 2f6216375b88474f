// A line that settles a cell by itself, for somebody who plays and asks what to look at.
#pragma once

#include <vector>

#include "live/inquiry.hpp"

namespace nonosat::live {

struct NextLine {
  int line = -1;             // rows first; -1: no line settles anything by itself
  bool is_possible = true;   // false: the line has no filling that agrees with what is known
  std::vector<int> settled;  // open cells of the board that the line settles
  std::vector<uint8_t> values;
};

// What a line says of the cells that `known` leaves open (Board::kOpen): a line that has no filling
// where there is one, else the line that settles most. A solve of each line. Throws Stopped and
// TooLarge.
NextLine next_line(const Puzzle& puzzle, const Cells& known, Watch& watch);

}  // namespace nonosat::live
