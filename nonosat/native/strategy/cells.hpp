// Type of pictures that the attempts on a board exchange.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "board/board.hpp"

namespace nonosat::strategy {

using Cells = std::vector<uint8_t>;  // a value a cell, row by row; Board::kOpen if it is unknown

// Distinct solutions of a board. From the third on, a solution is stored as its differences from
// the first one if that takes less memory: stored completely, 500 solutions of a 600x600 took 172
// MiB.
class Solutions {
 public:
  bool empty() const { return whole_.empty(); }
  size_t size() const { return whole_.size() + others_.size(); }

  // The first and the second solution; empty while it is unknown.
  const Cells& first() const { return whole(0); }
  const Cells& second() const { return whole(1); }

  // A solution by its number, below `size`.
  Cells operator[](size_t number) const {
    if (number < whole_.size()) return whole_[number];
    const Other& other = others_[number - whole_.size()];
    if (!other.cells.empty()) return other.cells;
    Cells cells = first();
    for (const auto& [cell, value] : other.differing) cells[cell] = value;
    return cells;
  }

  // Adds a solution. False: it is known.
  bool add(Cells cells) {
    if (std::find(whole_.begin(), whole_.end(), cells) != whole_.end()) return false;
    if (whole_.size() < 2) {
      whole_.push_back(std::move(cells));
      return true;
    }
    Other other;
    for (size_t cell = 0; cell < cells.size(); ++cell) {
      if (cells[cell] != first()[cell]) other.differing.push_back({cell, cells[cell]});
    }
    if (other.differing.size() * sizeof(Difference) > cells.size()) other = {std::move(cells), {}};
    if (std::find(others_.begin(), others_.end(), other) != others_.end()) return false;
    others_.push_back(std::move(other));
    return true;
  }

 private:
  using Difference = std::pair<int32_t, uint8_t>;  // a cell and its value
  struct Other {
    Cells cells;  // empty if the differences are stored
    std::vector<Difference> differing;
    bool operator==(const Other&) const = default;
  };

  const Cells& whole(size_t number) const {
    static const Cells kNone;
    return number < whole_.size() ? whole_[number] : kNone;
  }

  std::vector<Cells> whole_;
  std::vector<Other> others_;
};

}  // namespace nonosat::strategy
