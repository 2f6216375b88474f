// Deductions of propagation and probing as clauses that follow by unit propagation (RUP) from the
// lean order encoding of the clues.
//
// Unit propagation on this encoding refutes every inconsistent line, so "this cell does not have
// this value" is one lemma if a line implies it. Under an assumption "cell a has value w", the
// lemma also contains "a does not have w"; a value that all values of a exclude is removed without
// an assumption.
//
// In colours, a cell may be known to be filled while its colour is open. Unit propagation on the
// clauses of a gap notices this only when all of these colours are false; so for such a cell each
// gap of its two lines gets a lemma "no gap here" without the colours. Without these lemmas, unit
// propagation misses 40 of the 4287 inconsistent partial lines of 3 cells in two colours; with them
// none of 1 464 685 of 5 cells (the test goes to 4).
//
// Cost: a clause for each step; in colours, for each cell known only to be filled, as many more as
// its two lines have gaps.
//
// Source: Heule, Hunt, Wetzler, "Trimming while checking clausal proofs" (FMCAD 2013), for failed
// literals as RUP. We know of no earlier application to nonogram lines.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "board/board.hpp"
#include "board/deduction.hpp"
#include "watch.hpp"

namespace nonosat {

// Concatenated clauses, each terminated by 0.
struct Lemmas {
  std::vector<int32_t> clauses;  // clauses of all steps, in order
  std::vector<int32_t> facts;    // those that hold without an assumption
};

// Returns the clauses of the steps of a Deduction of a board with the same clues. Needs all its
// steps from the first on, in order, since each clause depends on the earlier ones. The variables
// are those of the open board: 1 + (k - 1) * cells + cell for "the cell has colour k", then those
// of the lines, rows first. Reads only the sides and clues of `board`. Throws Stopped.
Lemmas lemmas_of(Board& board, std::span<const Deduction::Step> steps, Watch& watch);

}  // namespace nonosat
