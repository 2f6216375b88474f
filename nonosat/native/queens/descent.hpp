// Counts all placements of one queen per row: a search row by row over many states at once.
//
// A state is a partial placement: occupied columns, attacked diagonals, and the untried squares of
// the next row. States of one row are collected in a batch. When the batch is full, or no other
// work is left, a step tries one square of each state, then the next one, until no squares remain;
// the children go to the batch of the next row. So the search is depth-first in batches, and memory
// is one batch per row. Unlike a recursion it has no branches that the processor would have to
// predict, and one instruction processes eight states.
//
// A child is dropped immediately if one of the next two rows has no free square, or if two columns
// without a queen can only be taken by the next row.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "queens/rows.hpp"
#include "watch.hpp"

namespace nonosat::queens {

inline constexpr int kBatch = 512;  // states; 256 is a fifth slower, 1024 no faster
inline constexpr int kLanes = 8;    // states per vector instruction

template <class Word>
inline constexpr int kTiesAt = 8 * sizeof(Word) - 2;  // bits of `columns` that count ties

// Batch of states, as arrays of their fields. The last step may overfill a batch by its lanes, and
// stores as many lanes after the last state.
template <class Word>
struct Batch {
  using Words = std::array<Word, kBatch + 2 * kLanes>;
  Words free{};     // untried squares of the row that are not attacked
  Words columns{};  // occupied columns; the two bits at kTiesAt count the ties used
  Words left{}, right{};
  int num = 0;
};

// Masks of a row and of the two rows after it.
template <class Word>
struct Rule {
  Word ties = 0;
  Word allowed = 0, due = 0;  // of the next row
  Word beyond = 0;            // allowed squares of the row after the next
  Word is_last = 0;           // 1 if there is no row after the next
};

// Position of a step in its batch: states from `at` on are unprocessed; the first `kept` states
// have further squares.
struct Pass {
  int at = 0;
  int kept = 0;
};

// Tries squares of the states in `from` and appends the children to `to`. Returns true if `from` is
// empty; false if `to` is full, and the next call resumes.
template <class Word>
using Step = bool (*)(const Rule<Word>&, Batch<Word>& from, Pass&, Batch<Word>& to);

template <class Word>
class Descent {
 public:
  // At least one row, at most 8 * sizeof(Word).
  Descent(std::vector<Row<Word>> rows, Watch& watch);

  // Counts all placements. After a Stopped exception the counts are lower bounds.
  void run();

  // Number of placements by the number of `ties` squares that they use; on a board of more than
  // kTiesAt rows only the sum is meaningful.
  const std::array<uint64_t, 4>& counts() const { return counts_; }

 private:
  void expand(size_t row);
  void tally(Batch<Word>& batch, Word ties);

  std::vector<Row<Word>> rows_;
  std::vector<Batch<Word>> batches_;  // one per row
  Step<Word> step_;
  Watch& watch_;
  std::array<uint64_t, 4> counts_{};
};

extern template class Descent<uint32_t>;
extern template class Descent<uint64_t>;

}  // namespace nonosat::queens
