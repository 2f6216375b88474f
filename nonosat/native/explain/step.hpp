// Techniques and steps of an explanation of a nonogram: the only table of names and grades.
#pragma once

#include <string>
#include <vector>

#include "board/outlook.hpp"

namespace nonosat::explain {

// A place with a value: of a board, or of a line, in the order of its cells.
using Pair = Assumption;

// Easiest first.
enum Technique {
  kEmptyClue,
  kRanges,
  kAllThere,
  kOverlap,
  kSplitting,
  kCompleteLine,
  kParallelLines,
  kProbing,
  kEitherWay,
  kPrices,
  kGuess,
  kNumTechniques
};

struct TechniqueInfo {
  const char* name;
  int grade;
  const char* summary;
};

// By `Technique`. "Empty clue" and "ranges" are the rules of the slides.
inline constexpr TechniqueInfo kTechniques[kNumTechniques] = {
    {"empty clue", 1, "a line without blocks is empty"},
    {"ranges", 1, "the range that the other blocks leave each block, counted from both ends"},
    {"all there", 1, "a line has all its filled cells, or only as many possible ones as it needs"},
    {"overlap", 2, "the overlap of the first and the last placement that fit the known cells"},
    {"splitting", 3, "gaps and runs between the known cells of a line, considered one by one"},
    {"complete line", 4, "all placements of one line's blocks that fit the known cells"},
    {"parallel lines", 5,
     "an assumption by which crossing lines leave a parallel line no placement"},
    {"probing", 6, "an assumption that, followed line by line, leaves a line no placement"},
    {"either way", 6, "a consequence, line by line, of every possible value of a cell"},
    {"prices", 7, "prices of cells that rows earn and columns pay: the totals limit both"},
    {"guess", 8, "a value that only a search confirms"},
};

// Values that one line rules out under an assumption; none for the last line of a refutation,
// which has no placement.
struct Link {
  int line;
  std::vector<Pair> rules_out;
};

// A step; every line is numbered rows first.
struct Step {
  Technique technique;
  std::vector<int>
      lines;  // used by the step, its main line first; through the cell of "either way"
  std::vector<Pair> settled;    // cells that have one value left now
  std::vector<Pair> ruled_out;  // values removed from cells that stay open
  std::string sentence;
  Pair assumed{-1, 0};           // cell -1: none; value Board::kOpen: each of its values
  std::vector<Link> chain = {};  // refutation of the assumption
};

// Clues, or initial knowledge, that cannot hold: a line without placement.
struct Impossible {
  int line;
  std::string reason;
};

// Part of a step that later steps may depend on.
struct Dependence {
  std::vector<int> lines;    // lines that it uses
  std::vector<int> changed;  // cells that it changes
  bool uses_all;             // it may use any line
};

// Returns the indices of the steps on which the values of the given cells depend, ascending.
std::vector<size_t> needed(const std::vector<Dependence>& steps, std::vector<int> cells, int height,
                           int width);

}  // namespace nonosat::explain
