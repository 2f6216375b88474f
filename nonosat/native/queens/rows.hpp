// A board of queens as bit masks of its rows.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace nonosat::queens {

inline constexpr int kMost = 64;  // a row is one machine word

// Bit c of a word is column c. Diagonals are stored as the columns that they cross in the next row.
template <class Word>
struct Row {
  Word allowed = 0;  // squares that are not blocked
  Word due = 0;      // columns that no later row can take
  Word ties = 0;     // squares that count as ties, see count.hpp
};

// Returns those of the `free` squares of a row that can lead to a placement, given the occupied
// columns `taken`. A column is due if no later row has an allowed square in it. If one due column
// has no queen, only its square is returned; if two or more have none, no square; if all have one,
// all free squares. Requires `set_due`. O(1).
template <class Word>
Word promising(const Row<Word>& row, Word free, Word taken) {
  const Word missing = row.due & ~taken;
  if (!missing) return free;
  return missing & (missing - 1) ? 0 : free & missing;
}

// Computes `due` of every row, from the last to the first.
template <class Word>
void set_due(std::vector<Row<Word>>& rows) {
  const auto size = rows.size();
  Word later = 0;
  for (size_t row = size; row-- > 0;) {
    rows[row].due = (size < 8 * sizeof(Word) ? (Word{1} << size) - 1 : ~Word{0}) & ~later;
    later |= rows[row].allowed;
  }
}

// Returns the size of a board. Throws std::invalid_argument above 64 rows, or if a square lies
// outside the board, which is as wide as it is high.
inline int checked_size(const std::vector<uint64_t>& allowed) {
  if (allowed.size() > kMost) throw std::invalid_argument("at most 64 queens");
  const auto size = static_cast<int>(allowed.size());
  for (const uint64_t row : allowed) {
    if (size < kMost && row >> size) throw std::invalid_argument("a square off the board");
  }
  return size;
}

}  // namespace nonosat::queens
