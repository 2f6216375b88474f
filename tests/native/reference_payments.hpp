// Maximum payments of a line over its fillings, by a sum over the cells of every possible block:
// slow, short and independent of the core.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "board/board.hpp"
#include "reference.hpp"

namespace reference {

using Sum = __int128;  // payments are never that small
using SumRows = std::vector<std::vector<Sum>>;
using Payments = std::vector<std::vector<int64_t>>;  // payments[value][cell]

constexpr Sum kNone = -(Sum{1} << 100);  // no filling

// As Reach, with the maximum payment.
struct MaxPayments {
  SumRows filled, open;
};

inline MaxPayments max_payments(const Clue& clue, const Planes& may, const Payments& payments) {
  const size_t length = may[0].size();
  const SumRows blank(clue.size() + 1, std::vector<Sum>(length + 1, kNone));
  MaxPayments found{blank, blank};
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

struct LinePayments {
  Sum total;       // kNone / 2 or less: no filling
  SumRows values;  // by value and cell: given that the cell has the value
};

inline LinePayments line_payments(const Clue& clue, const Planes& may, const Payments& payments) {
  const size_t length = may[0].size(), num_blocks = clue.size();
  Planes may_back = may;
  Payments payments_back = payments;
  for (auto& plane : may_back) std::reverse(plane.begin(), plane.end());
  for (auto& plane : payments_back) std::reverse(plane.begin(), plane.end());
  const MaxPayments left = max_payments(clue, may, payments);
  const MaxPayments right = max_payments({clue.rbegin(), clue.rend()}, may_back, payments_back);
  LinePayments found{left.filled[num_blocks][length],
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
