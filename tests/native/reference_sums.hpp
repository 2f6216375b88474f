// Marginals of a line over its weighted fillings, by sums over the cells of every possible block in
// long doubles: slow, short and independent of the core.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "board/board.hpp"
#include "reference.hpp"

namespace reference {

using SumTable = std::vector<std::vector<long double>>;
using Logs = std::vector<std::vector<double>>;  // logs[value][cell]

inline long double weight_of(const Planes& may, const Logs& logs, size_t value, size_t cell) {
  return may[value][cell] ? std::exp(static_cast<long double>(logs[value][cell])) : 0;
}

// As Reach, with sums of weights.
struct Ways {
  SumTable filled, open;
};

inline Ways ways(const Clue& clue, const Planes& may, const Logs& logs) {
  const size_t length = may[0].size();
  const SumTable blank(clue.size() + 1, std::vector<long double>(length + 1, 0));
  Ways found{blank, blank};
  SumTable ended = blank;
  ended[0][0] = 1;
  for (size_t b = 0; b <= clue.size(); ++b) {
    for (size_t p = 0; p <= length; ++p) {
      const long double spaced =
          p ? found.filled[b][p - 1] * weight_of(may, logs, 0, p - 1) : b == 0;
      const bool may_touch = b && b < clue.size() && clue[b].colour != clue[b - 1].colour;
      found.filled[b][p] = b || p ? spaced + ended[b][p] : 1;
      found.open[b][p] = spaced + (may_touch ? ended[b][p] : 0);
      if (b == clue.size()) continue;
      long double weight = found.open[b][p];
      const auto size = static_cast<size_t>(clue[b].length);
      for (size_t end = p + 1; end <= length && weight > 0; ++end) {
        weight *= weight_of(may, logs, clue[b].colour, end - 1);
        if (!size || end - p == size) ended[b + 1][end] += weight;
        if (end - p == size) break;
      }
    }
  }
  return found;
}

struct Shares {
  long double total = 0;  // 0: no filling
  SumTable values;        // by value and cell
  SumTable starts, ends;  // by block and cell
};

inline Shares shares(const Clue& clue, const Planes& may, const Logs& logs) {
  const size_t length = may[0].size(), num_blocks = clue.size();
  Planes may_back = may;
  Logs logs_back = logs;
  for (auto& plane : may_back) std::reverse(plane.begin(), plane.end());
  for (auto& plane : logs_back) std::reverse(plane.begin(), plane.end());
  const Ways left = ways(clue, may, logs);
  const Ways right = ways({clue.rbegin(), clue.rend()}, may_back, logs_back);
  const SumTable blank(num_blocks, std::vector<long double>(length, 0));
  Shares found{left.filled[num_blocks][length],
               SumTable(may.size(), std::vector<long double>(length, 0)), blank, blank};
  if (found.total == 0) return found;
  for (size_t b = 0; b < num_blocks; ++b) {
    const auto size = static_cast<size_t>(clue[b].length);
    for (size_t p = 0; p < length; ++p) {
      long double weight = left.open[b][p] / found.total;
      for (size_t end = p + 1; end <= length && weight > 0; ++end) {
        weight *= weight_of(may, logs, clue[b].colour, end - 1);
        if (!size || end - p == size) {
          const long double share = weight * right.open[num_blocks - 1 - b][length - end];
          found.starts[b][p] += share;
          found.ends[b][end - 1] += share;
          for (size_t cell = p; cell < end; ++cell) found.values[clue[b].colour][cell] += share;
        }
        if (end - p == size) break;
      }
    }
  }
  for (size_t b = 0; b <= num_blocks; ++b) {
    for (size_t p = 0; p < length; ++p) {
      found.values[0][p] += left.filled[b][p] / found.total * weight_of(may, logs, 0, p) *
                            right.filled[num_blocks - b][length - p - 1];
    }
  }
  return found;
}

}  // namespace reference
