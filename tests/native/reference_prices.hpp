// Proofs by price tables on small puzzles, computed by the slow references reference.hpp and
// reference_payments.hpp; the core's checker must produce exactly the same numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "proof/check_prices.hpp"
#include "reference.hpp"
#include "reference_payments.hpp"

namespace reference {

struct Weighed {
  bool is_proven = false;
  size_t num_used = 0;
  Sum bound = 0;
};

class PricedBoard {
 public:
  explicit PricedBoard(const nonosat::PricedClaim& claim)
      : claim_(claim),
        height_(claim.rows.size()),
        width_(claim.columns.size()),
        num_values_(static_cast<size_t>(claim.num_colours) + 1),
        may_(num_values_, std::vector<char>(height_ * width_, 1)) {
    for (const auto& [row, column, value] : claim.given) {
      for (size_t other = 0; other < num_values_; ++other) {
        may_[other][row * width_ + column] &= static_cast<int>(other) == value;
      }
    }
  }

  Weighed run(const std::vector<nonosat::PricedTable>& tables) {
    const bool is_known = !claim_.solution.empty();
    Weighed found;
    while (propagate()) {
      if (is_known && num_left() == height_ * width_) return {true, found.num_used, found.bound};
      if (found.num_used == tables.size()) return found;
      const auto& table = tables[found.num_used++];
      const Sum goal = is_known ? Sum{distance()} * table.scale : 0;
      found.bound = weigh(table, goal);
      if (found.bound < goal) return {true, found.num_used, found.bound};
    }
    return {!is_known, found.num_used, found.bound};
  }

 private:
  Clue clue(size_t line) const {
    Clue found;
    for (const auto& block : line < height_ ? claim_.rows[line] : claim_.columns[line - height_]) {
      found.push_back({static_cast<int>(block.length), block.colour});
    }
    return found;
  }
  size_t length(size_t line) const { return line < height_ ? width_ : height_; }
  size_t cell(size_t line, size_t i) const {
    return line < height_ ? line * width_ + i : i * width_ + line - height_;
  }
  Planes allowed(size_t line) const {
    Planes found(num_values_, std::vector<char>(length(line)));
    for (size_t value = 0; value < num_values_; ++value) {
      for (size_t i = 0; i < length(line); ++i) found[value][i] = may_[value][cell(line, i)];
    }
    return found;
  }

  size_t num_left() const {
    size_t sum = 0;
    for (const auto& plane : may_) {
      for (const char may : plane) sum += may;
    }
    return sum;
  }

  bool propagate() {
    for (size_t before = SIZE_MAX; before != num_left();) {
      before = num_left();
      for (size_t line = 0; line < height_ + width_; ++line) {
        const Support found = support(clue(line), allowed(line));
        if (!found.any) return false;
        for (size_t value = 0; value < num_values_; ++value) {
          for (size_t i = 0; i < length(line); ++i) {
            may_[value][cell(line, i)] &= found.kept[value][i];
          }
        }
      }
    }
    return true;
  }

  // Minimal number of cells in which two solutions differ.
  int64_t distance() const {
    int64_t product = 1;
    for (const auto* clues : {&claim_.rows, &claim_.columns}) {
      bool is_known = true;
      for (const auto& clue : *clues) {
        for (const auto& block : clue) is_known &= block.length > 0;
      }
      product *= 1 + is_known;
    }
    return product;
  }

  int64_t price(const nonosat::PricedTable& table, size_t value, size_t cell) const {
    if (value == 0) return 0;
    const auto& row = table.prices[value - 1][cell / width_];
    return cell % width_ < row.size() ? row[cell % width_] : 0;
  }

  // Returns the bound, and removes the values with which it is below the goal.
  Sum weigh(const nonosat::PricedTable& table, Sum goal) {
    const auto costs = [&](size_t value, size_t cell) {
      return !claim_.solution.empty() && claim_.solution[cell] != value;
    };
    std::vector<std::vector<Sum>> losses(num_values_, std::vector<Sum>(height_ * width_, 0));
    Sum bound = 0;
    for (size_t line = 0; line < height_ + width_; ++line) {
      Payments payments(num_values_, std::vector<int64_t>(length(line)));
      for (size_t value = 0; value < num_values_; ++value) {
        for (size_t i = 0; i < length(line); ++i) {
          const size_t at = cell(line, i);
          const int64_t mine = price(table, value, at);
          payments[value][i] = line < height_ ? mine : costs(value, at) * table.scale - mine;
        }
      }
      const LinePayments found = line_payments(clue(line), allowed(line), payments);
      bound += found.total;
      for (size_t value = 0; value < num_values_; ++value) {
        for (size_t i = 0; i < length(line); ++i) {
          losses[value][cell(line, i)] += found.total - found.values[value][i];
        }
      }
    }
    for (size_t value = 0; value < num_values_; ++value) {
      for (size_t at = 0; at < may_[value].size(); ++at) {
        const bool is_known = !claim_.solution.empty() && claim_.solution[at] == value;
        if (!is_known && bound - losses[value][at] < goal) may_[value][at] = 0;
      }
    }
    return bound;
  }

  const nonosat::PricedClaim& claim_;
  size_t height_, width_, num_values_;
  Planes may_;
};

}  // namespace reference
