// Hint for a player: a line whose clue and known cells decide another of its cells.
#pragma once

#include <vector>

#include "live/analysis.hpp"

namespace nonosat::live {

struct NextLine {
  int line = -1;             // rows first; -1: no line settles anything by itself
  bool is_possible = true;   // false: no filling of the line agrees with the known cells
  std::vector<int> settled;  // open cells of the board that the line settles
  std::vector<uint8_t> values;
};

// Returns a line without a filling that agrees with `known` (Board::kOpen: unknown), else the line
// that settles most unknown cells. Solves each line once. Throws Stopped and TooLarge.
NextLine next_line(const Puzzle& puzzle, const Cells& known, Watch& watch);

}  // namespace nonosat::live
