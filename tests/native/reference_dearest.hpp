// What a line is paid at most for its fillings, by way of the cells of every possible block: slow,
// short and independent of the core.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "board/board.hpp"
#include "reference.hpp"

namespace reference {

using Sum = __int128;  // never too small
using SumRows = std::vector<std::vector<Sum>>;
using Payments = std::vector<std::vector<int64_t>>;  // payments[value][cell]

constexpr Sum kNone = -(Sum{1} << 100);  // there is no filling

// As Reach, but what the dearest way is paid.
struct Dearest {
  SumRows filled, open;
};

inline Dearest dearest(const Clue& clue, const Planes& may, const Payments& payments) {
  const size_t length = may[0].size();
  const SumRows blank(clue.size() + 1, std::vector<Sum>(length + 1, kNone));
  Dearest found{blank, blank};
  SumRows ended = blank;
  const auto pay = [&](size_t value, size_t cell) {
    return may[value][cell] ? Sum{payments[value][cell]} : kNone;
  };
  for (size_t b = 0; b <= clue.size(); ++b) {
    for (size_t p = 0; p <= length; ++p) {
      const Sum spaced = p ? found.filled[b][p - 1] + pay(0, p - 1) : b == 0 ? 0 : kNone;
      const bool may_touch = b && b < clue.size() && clue[b].colour != clue[b - 1].colour;
      found.filled[b][p] = std::max(spaced, ended[b][p]);
      found.open[b][p] = may_touch ? found.filled[b][p] : spaced;
      if (b == clue.size()) continue;
      Sum sum = found.open[b][p];
      const auto size = static_cast<size_t>(clue[b].length);
      for (size_t end = p + 1; end <= length && sum > kNone / 2; ++end) {
        sum += pay(clue[b].colour, end - 1);
        if (!size || end - p == size) ended[b + 1][end] = std::max(ended[b + 1][end], sum);
        if (end - p == size) break;
      }
    }
  }
  return found;
}

struct MostPaid {
  Sum total;       // kNone / 2 or less: there is no filling
  SumRows values;  // by value and cell: where the cell has the value
};

inline MostPaid most_paid(const Clue& clue, const Planes& may, const Payments& payments) {
  const size_t length = may[0].size(), num_blocks = clue.size();
  Planes may_back = may;
  Payments payments_back = payments;
  for (auto& plane : may_back) std::reverse(plane.begin(), plane.end());
  for (auto& plane : payments_back) std::reverse(plane.begin(), plane.end());
  const Dearest left = dearest(clue, may, payments);
  const Dearest right = dearest({clue.rbegin(), clue.rend()}, may_back, payments_back);
  MostPaid found{left.filled[num_blocks][length],
                 SumRows(may.size(), std::vector<Sum>(length, kNone))};
  const auto raise = [&](size_t value, size_t cell, Sum sum) {
    found.values[value][cell] = std::max(found.values[value][cell], sum);
  };
  for (size_t b = 0; b < num_blocks; ++b) {
    const auto colour = static_cast<size_t>(clue[b].colour);
    const auto size = static_cast<size_t>(clue[b].length);
    for (size_t p = 0; p < length; ++p) {
      Sum sum = left.open[b][p];
      for (size_t end = p + 1; end <= length && sum > kNone / 2 && may[colour][end - 1]; ++end) {
        sum += payments[colour][end - 1];
        if (!size || end - p == size) {
          const Sum whole = sum + right.open[num_blocks - 1 - b][length - end];
          for (size_t cell = p; cell < end; ++cell) raise(colour, cell, whole);
        }
        if (end - p == size) break;
      }
    }
  }
  for (size_t b = 0; b <= num_blocks; ++b) {
    for (size_t p = 0; p < length; ++p) {
      if (!may[0][p]) continue;
      raise(0, p,
            left.filled[b][p] + payments[0][p] + right.filled[num_blocks - b][length - p - 1]);
    }
  }
  return found;
}

}  // namespace reference
