// The order encodings of many lines of a board in one go: the same clauses, in the same order and
// over the same variables, as one line after the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "board/board.hpp"
#include "encoding/order_encoding.hpp"
#include "watch.hpp"

namespace nonosat {

struct CellLits {
  std::span<const int32_t> lits;    // of each colour, for each cell of a board
  std::span<const uint8_t> filled;  // for each cell, whether it must have a colour; may be empty
};

class OpenLines {
 public:
  // Of the board only its clues count. `lines`: numbers, rows first. Throws Stopped and TooLarge.
  OpenLines(const Board& board, const CellLits& cells, std::span<const int32_t> lines,
            Watch& watch);

  // By line, how many variables it has beside those of its cells.
  std::vector<int64_t> num_vars() const;

  // The clauses, each ended by 0: an empty one for a line without a filling. The variables are
  // numbered from `first` on. Once.
  std::vector<int32_t> clauses(int32_t first, Watch& watch);

 private:
  static LineLits lits_of(const Board& board, const CellLits& cells, int line);

  std::vector<LineLits> lits_;
  std::vector<OrderEncoding> encodings_;
};

}  // namespace nonosat
