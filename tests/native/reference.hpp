// Possible values of a line's cells under its clue, by a dynamic program over cells that shares no
// code with the core. O(n) for a block and a start: slow, short and independent.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "board/board.hpp"

namespace reference {

using nonosat::Clue;
using Table = std::vector<std::vector<char>>;
using Planes = Table;  // planes[value][cell]: true if the cell may have the value

// filled[b][p]: blocks 0..b-1 and empty cells fill exactly the cells before p; open[b][p]: and
// block b may start at p, apart from its own cells.
struct Reach {
  Table filled, open;
};

inline Reach reach(const Clue& clue, const Planes& may) {
  const size_t length = may[0].size();
  const Table blank(clue.size() + 1, std::vector<char>(length + 1, 0));
  Reach found{blank, blank};
  found.filled[0][0] = 1;
  for (size_t b = 0; b <= clue.size(); ++b) {
    for (size_t p = 0; p <= length; ++p) {
      const bool spaced = p == 0 ? b == 0 : found.filled[b][p - 1] && may[0][p - 1];
      const bool may_touch = b && b < clue.size() && clue[b].colour != clue[b - 1].colour;
      found.open[b][p] = spaced || (found.filled[b][p] && may_touch);
      if (spaced) found.filled[b][p] = 1;
      if (!found.open[b][p] || b == clue.size()) continue;
      const auto size = static_cast<size_t>(clue[b].length);
      for (size_t end = p + 1; end <= length && may[clue[b].colour][end - 1]; ++end) {
        if (!size || end - p == size) found.filled[b + 1][end] = 1;
        if (end - p == size) break;
      }
    }
  }
  return found;
}

struct Support {
  bool any = false;
  Planes kept;
  Table starts, ends;  // by block
};

inline Support support(const Clue& clue, const Planes& may) {
  const size_t length = may[0].size(), num_blocks = clue.size();
  Planes mirrored = may;
  for (auto& plane : mirrored) std::reverse(plane.begin(), plane.end());
  const Reach left = reach(clue, may), right = reach({clue.rbegin(), clue.rend()}, mirrored);
  const Table blank(num_blocks, std::vector<char>(length, 0));
  Support found{false, Planes(may.size(), std::vector<char>(length, 0)), blank, blank};
  found.any = left.filled[num_blocks][length];
  for (size_t b = 0; b < num_blocks; ++b) {
    const auto size = static_cast<size_t>(clue[b].length);
    for (size_t p = 0; p < length; ++p) {
      if (!left.open[b][p]) continue;
      size_t furthest = p;
      for (size_t end = p + 1; end <= length && may[clue[b].colour][end - 1]; ++end) {
        const bool fits =
            (!size || end - p == size) && right.open[num_blocks - 1 - b][length - end];
        if (fits) found.starts[b][p] = found.ends[b][end - 1] = 1, furthest = end;
        if (end - p == size) break;
      }
      for (size_t cell = p; cell < furthest; ++cell) found.kept[clue[b].colour][cell] = 1;
    }
  }
  for (size_t b = 0; b <= num_blocks; ++b) {
    for (size_t p = 0; p < length; ++p) {
      const bool around = left.filled[b][p] && right.filled[num_blocks - b][length - p - 1];
      if (around && may[0][p]) found.kept[0][p] = 1;
    }
  }
  return found;
}

}  // namespace reference
