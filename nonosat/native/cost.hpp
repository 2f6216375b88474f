// Costs of the core's elementary steps in units of work, about a nanosecond each. `Watch::work`
// adds them up, so that a budget in units of work allows the same steps on every machine.
//
// Changing a cost changes how far every budget that is spent on such steps reaches, and so the
// results of searches. Loops over words, places or literals account for the number of elements; a
// call of the line solver for `Plan::cost` or, on long lines, for the states that it visits
// (line/line_window.cpp, line/line_wide.cpp).
#pragma once

#include <cstdint>

namespace nonosat::cost {

// board
inline constexpr int64_t kLineMade = 100;
inline constexpr int64_t kLineLookUp = 30;  // in the cache of solved lines
inline constexpr int64_t kPassCell = 20;    // per cell in a pass of the prober
inline constexpr int64_t kDiveCell = 2;     // per open cell of a dive
inline constexpr int64_t kLemma = 50;

// prices
inline constexpr int64_t kPricedCell = 30;  // per open cell of a line
inline constexpr int64_t kRegionCell = 10;
inline constexpr int64_t kRegionLine = 300;

// count
inline constexpr int64_t kComponentCell = 100;
inline constexpr int64_t kComponentLine = 500;
inline constexpr int64_t kDiagramState = 60;
inline constexpr int64_t kFrontierCell = 100;
inline constexpr int64_t kFrontierWord = 6;  // per word of a state that is extended
inline constexpr int64_t kRulesStep = 100;   // in addition to the rules visited
inline constexpr int64_t kSweepState = 60;   // plus 1 per slot
inline constexpr int64_t kJoinState = 100;   // per state that is grouped
inline constexpr int64_t kPairCompared = 10;
inline constexpr int64_t kPairingCarried = 60;

// learn, including its input
inline constexpr int64_t kPropagation = 100;
inline constexpr int64_t kExplainedCell = 20;  // per cell of an explained line
inline constexpr int64_t kVariable = 100;
inline constexpr int64_t kAddedLit = 50;

// encodings, cuts of loops, proofs
inline constexpr int64_t kLoopLit = 2;    // per literal of a clause of the loop encoding
inline constexpr int64_t kLoopNode = 20;  // per node (face) visited in the search for cuts
inline constexpr int64_t kClauseText = 20;
inline constexpr int64_t kCheckedClause = 20;
inline constexpr int64_t kReadNumber = 10;
inline constexpr int64_t kLratLit = 5;
inline constexpr int64_t kWrittenLine = 100;
inline constexpr int64_t kWrittenNumber = 5;
inline constexpr int64_t kHint = 20;
inline constexpr int64_t kPaidPlace = 4;  // per place of a line in a price table

// knight, queens
inline constexpr int64_t kSquare = 50;      // per square that a knight enters
inline constexpr int64_t kSquareOfRow = 2;  // per square scanned for gaps of a tour
inline constexpr int64_t kCandidate = 30;   // per candidate step of a square, in a round of beliefs
inline constexpr int64_t kTourStep = 40;    // per step of a completion
inline constexpr int64_t kQueensNode = 10;
inline constexpr int64_t kImageRow = 10;    // per row, for all images of a placement
inline constexpr int64_t kQueenPut = 2000;  // per queen placed by a completion
inline constexpr int64_t kQueenSquare = 2;

// conversion of values from and to Python
inline constexpr int64_t kItem = 30;
inline constexpr int64_t kAssignment = 20;  // per cell

}  // namespace nonosat::cost
