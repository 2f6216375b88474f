// All placements of one queen a row, counted: a search row by row over many boards at once.
//
// A state is what the queens of the first rows leave: columns, diagonals, and squares of the next
// row that are still to be tried. States of one row wait in a batch. When the batch is full, or
// nothing else is left, a step tries a square of each of them, and then another one, until none has
// a square; the children go to the batch of the next row. So the search is depth-first in batches:
// memory is a batch a row. Unlike a recursion it has no jump that a processor would have to
// foresee, and eight boards fit one instruction.
//
// A child is dropped at sight where one of the next two rows has no free square, or where two
// columns without a queen can be taken by the next row alone.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "queens/rows.hpp"
#include "watch.hpp"

namespace nonosat::queens {

inline constexpr int kBatch = 512;  // states; 256 takes a fifth more time, 1024 no less
inline constexpr int kLanes = 8;    // states that a step may look at together

template <class Word>
inline constexpr int kTiesAt = 8 * sizeof(Word) - 2;  // bits of `columns` that count ties

// States, by what they consist of. The last lanes may overfill a batch, and a step writes as many
// lanes behind the last state.
template <class Word>
struct Batch {
  using Words = std::array<Word, kBatch + 2 * kLanes>;
  Words free{};     // squares of the row that are not attacked, still to be tried
  Words columns{};  // with a queen; the two bits at kTiesAt count squares that are ties
  Words left{}, right{};
  int num = 0;
};

// What holds for squares of a row and for the two rows below it.
template <class Word>
struct Rule {
  Word ties = 0;
  Word allowed = 0, due = 0;  // of the next row
  Word beyond = 0;            // allowed in the row after the next
  Word is_last = 0;           // 1 where there is no row after the next
};

// Where a step is in its batch: states from `at` on are still to be looked at, and those before
// `kept` have further squares.
struct Pass {
  int at = 0;
  int kept = 0;
};

// Tries squares of states of `from`, adds what they lead to to `to`. It ends when `from` is empty
// (true) or `to` is full; then it can go on.
template <class Word>
using Step = bool (*)(const Rule<Word>&, Batch<Word>& from, Pass&, Batch<Word>& to);

template <class Word>
class Descent {
 public:
  // At least one row, at most 8 * sizeof(Word).
  Descent(std::vector<Row<Word>> rows, Watch& watch);

  // Looks at all placements. After a Stopped exception those met are some of them.
  void run();

  // Placements met, by the number of squares among `ties` that they use; on a board of more than
  // kTiesAt rows their sum alone has a meaning.
  const std::array<uint64_t, 4>& met() const { return met_; }

 private:
  void expand(size_t row);
  void tally(Batch<Word>& batch, Word ties);

  std::vector<Row<Word>> rows_;
  std::vector<Batch<Word>> batches_;  // a row each
  Step<Word> step_;
  Watch& watch_;
  std::array<uint64_t, 4> met_{};
};

extern template class Descent<uint32_t>;
extern template class Descent<uint64_t>;

}  // namespace nonosat::queens
