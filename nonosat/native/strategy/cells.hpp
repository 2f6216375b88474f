// Pictures as the attempts on a board exchange them.
#pragma once

#include <cstdint>
#include <vector>

#include "board/board.hpp"

namespace nonosat::strategy {

using Cells = std::vector<uint8_t>;  // a value a cell, row by row; Board::kOpen if it is unknown

}  // namespace nonosat::strategy
