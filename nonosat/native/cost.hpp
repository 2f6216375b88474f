// What the steps of the core cost in units of work, about a nanosecond each: the table behind
// `Watch::work`, by which budgets are the same on every machine.
//
// A cost that changes moves every budget that is spent on such steps, and with it what a search
// finds. Steps over so many words, places or literals are accounted for by their number; a solve
// of a line by `Plan::cost` and, long lines, by what they visit (line/line_window.cpp,
// line/line_wide.cpp).
#pragma once

#include <cstdint>

namespace nonosat::cost {

// board
inline constexpr int64_t kLineMade = 100;
inline constexpr int64_t kLineLookUp = 30;  // in the cache of solves
inline constexpr int64_t kPassCell = 20;    // of a pass of the prober
inline constexpr int64_t kDiveCell = 2;     // that may be open
inline constexpr int64_t kLemma = 50;

// prices
inline constexpr int64_t kPricedCell = 30;  // weighed, of a line
inline constexpr int64_t kRegionCell = 10;
inline constexpr int64_t kRegionLine = 300;

// count
inline constexpr int64_t kComponentCell = 100;
inline constexpr int64_t kComponentLine = 500;
inline constexpr int64_t kDiagramState = 60;
inline constexpr int64_t kFrontierCell = 100;
inline constexpr int64_t kFrontierWord = 6;  // of a state that is carried on
inline constexpr int64_t kRulesStep = 100;   // beside what it visits
inline constexpr int64_t kSweepState = 60;   // and 1 for each slot
inline constexpr int64_t kJoinState = 100;   // that is grouped
inline constexpr int64_t kPairCompared = 10;
inline constexpr int64_t kPairingCarried = 60;

// learn, also of what it is given
inline constexpr int64_t kPropagation = 100;
inline constexpr int64_t kExplainedCell = 20;  // of a line
inline constexpr int64_t kVariable = 100;
inline constexpr int64_t kAddedLit = 50;

// encoding, loops, proof
inline constexpr int64_t kLoopLit = 2;
inline constexpr int64_t kLoopNode = 20;
inline constexpr int64_t kClauseText = 20;
inline constexpr int64_t kCheckedClause = 20;
inline constexpr int64_t kReadNumber = 10;
inline constexpr int64_t kLratLit = 5;
inline constexpr int64_t kWrittenLine = 100;
inline constexpr int64_t kWrittenNumber = 5;
inline constexpr int64_t kHint = 20;
inline constexpr int64_t kPaidPlace = 4;  // of a line in a price table

// knight, queens
inline constexpr int64_t kSquare = 50;      // entered by a knight
inline constexpr int64_t kSquareOfRow = 2;  // looked through for gaps of a tour
inline constexpr int64_t kCandidate = 30;   // of a square's steps, in a round of beliefs
inline constexpr int64_t kTourStep = 40;    // of a completion
inline constexpr int64_t kQueensNode = 10;
inline constexpr int64_t kImageRow = 10;    // of all images of a placement
inline constexpr int64_t kQueenPut = 2000;  // by a completion
inline constexpr int64_t kQueenSquare = 2;

// Values that come from Python or go there.
inline constexpr int64_t kItem = 30;
inline constexpr int64_t kAssignment = 20;  // of a cell

}  // namespace nonosat::cost
