// What propagation and probing deduce, as clauses that follow by unit propagation (RUP) from the
// lean order encoding of the clues.
//
// On it unit propagation refutes every inconsistent line, so "this cell does not have this value"
// is one step where a line says so. Under an assumption "cell a has value w" it is the same with "a
// does not have w" in front; where all values of a agree, the value goes for good.
//
// In colour a cell may be known to be filled while its colours are still open. Unit propagation on
// the clauses of a gap sees that only once all these colours are false; so for such a cell each gap
// of its two lines gets a lemma that says "no gap here" without naming the colours. Without these,
// unit propagation misses 40 of the 4287 inconsistent partial lines of 3 cells in two colours; with
// them none of 1 464 685 of 5 cells (the test goes to 4).
//
// Cost: a clause a step; in colour, as many more as the two lines have blocks where only "filled"
// is known.
//
// Source: Heule, Hunt, Wetzler, "Trimming while checking clausal proofs" (FMCAD 2013), for failed
// literals as RUP; nobody seems to have done it for lines of nonograms.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "board/board.hpp"
#include "board/deduction.hpp"
#include "watch.hpp"

namespace nonosat {

// Clauses one after another, each ended by 0.
struct Lemmas {
  std::vector<int32_t> clauses;  // of all steps, in order
  std::vector<int32_t> facts;    // those among them that hold without an assumption
};

// The clauses of steps that a Deduction of a board with the same clues has given, in order. Needs
// all its steps from the first on: each clause rests on those before it. The variables are those of
// the open board: 1 + (k - 1) * cells + cell for "the cell has colour k", then those of the lines,
// rows first. `board` is read for its sides and clues alone. Throws Stopped.
Lemmas lemmas_of(Board& board, std::span<const Deduction::Step> steps, Watch& watch);

}  // namespace nonosat
