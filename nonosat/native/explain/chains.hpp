// Arguments with an assumption: carried to a parallel line, or followed line by line.
//
// Invariant: a chain follows from the board, the assumption and the clues of its lines; each link
// is one complete line argument. At the line fixpoint, a row and a column refute nothing together,
// for they share one cell and each supports both of its values. The shortest argument takes two
// parallel lines, and the crossing lines that carry cells from one to the other.
//
// `look_ahead` finds the refutable assumptions; the shortest chains are then searched with
// increasing bounds. Failed literal probing: Freeman 1995.
#pragma once

#include <climits>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "board/board.hpp"
#include "explain/step.hpp"

namespace nonosat::explain {

inline constexpr int kUnbounded = INT_MAX;

// A refuted assumption with its line arguments in order; the last line has no placement left.
// `is_parallel`: they are two parallel lines and lines that cross them.
struct Refuted {
  Pair assumed;
  std::vector<Link> chain;
  bool is_parallel;
};

// The functions and methods below need a board at the fixpoint of the lines that they use, which
// they leave unchanged. They throw Stopped.

// Refutes an assumption by propagating at most `bound` of the allowed lines, beginning with those
// through its cell. `allowed`: by line.
std::optional<Refuted> line_by_line(Board& board, Pair assumed, int bound,
                                    const std::vector<uint8_t>& allowed, Watch& watch);

// Search for short refutations. Refuted assumptions stay refuted as more becomes known: they are
// stored, and the whole board is checked again only when none of them is left.
class ChainSearch {
 public:
  // Returns the easiest stored refutation, derived again, with a chain from which no single link
  // can be left out.
  std::optional<Refuted> kept(Board& board, Watch& watch);

  // Stores the shortest refutations of assumptions that line propagation refutes, and returns the
  // easiest. After Stopped, the next call with the same board and assumptions continues.
  std::optional<Refuted> easiest(Board& board, const std::vector<Pair>& refuted, Watch& watch);

  // Number of searches for a chain so far.
  size_t num_searches() const { return num_searches_; }

 private:
  std::optional<Refuted> search(Board& board, Pair assumed, size_t round, Watch& watch);

  std::vector<Refuted> found_;  // the easiest last
  // Of `easiest` while it is stopped.
  struct Begun {
    int64_t num_pairs = -1;  // of its board
    size_t num_tried = 0;    // assumptions of all rounds
    std::vector<Refuted> found;
  } begun_;
  size_t num_searches_ = 0;
};

}  // namespace nonosat::explain
