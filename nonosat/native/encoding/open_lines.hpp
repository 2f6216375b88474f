// Order encodings of several lines of a board, or of a board of lanes, in one call: the same
// clauses, in the same order and over the same variables, as for one line after another.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "board/board.hpp"
#include "board/lanes.hpp"
#include "encoding/order_encoding.hpp"
#include "watch.hpp"

namespace nonosat {

struct CellLits {
  // Literal "the cell has the colour", for each colour and each cell of a board.
  std::span<const int32_t> lits;
  std::span<const uint8_t> filled;  // for each cell, 1 if it must have a colour; may be empty
};

class OpenLines {
 public:
  // Uses only the clues of the board. `lines`: numbers, rows first. Throws Stopped and TooLarge.
  template <class AnyBoard>
  OpenLines(const AnyBoard& board, const CellLits& cells, std::span<const int32_t> lines,
            Watch& watch);

  // Returns the number of variables of each line besides those of its cells.
  std::vector<int64_t> num_vars() const;

  // Returns the clauses, each terminated by 0; an empty clause for a line without a filling.
  // Variables are numbered from `first` on. Must be called once only.
  std::vector<int32_t> clauses(int32_t first, Watch& watch);

 private:
  std::vector<LineLits> lits_;
  std::vector<OrderEncoding> encodings_;
};

extern template OpenLines::OpenLines(const Board&, const CellLits&, std::span<const int32_t>,
                                     Watch&);
extern template OpenLines::OpenLines(const LaneBoard&, const CellLits&, std::span<const int32_t>,
                                     Watch&);

}  // namespace nonosat
