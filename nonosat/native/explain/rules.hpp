// Rules for one line, from the easiest to complete reasoning.
//
// A rule reads a line that has a placement, and settles cells: it leaves them one value. It never
// settles more than `implied`, which is complete; the tests compare each rule with enumeration.
// O(n b) steps for n cells and b blocks. Counting needs blocks of known length; splitting also
// needs a line of one colour. A rule that does not apply finds nothing.
//
// Source: the rules of the slides (Lemoine, TIPE): a clue of 0, black in every placement of a
// block, ranges that shrink beside a foreign black cell, a cell in no range.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "board/board.hpp"
#include "explain/step.hpp"
#include "explain/words.hpp"
#include "line/line.hpp"
#include "watch.hpp"

namespace nonosat::explain {

// A line as the input of rules.
struct LineView {
  // `planes`: words_for(length) words for each value, as for `propagate_line`.
  LineView(const Plan& line_plan, const Word* planes);

  int length() const { return plan.length; }
  int num_values() const { return plan.num_colours + 1; }
  bool may(int at, int value) const {
    return has_bit(may_words + static_cast<size_t>(value) * words_for(plan.length), at);
  }
  int count(uint8_t value) const;

  const Plan& plan;
  const Word* may_words;
  std::vector<uint8_t> cells;  // the only value of each cell, or Board::kOpen
  int total = 0;               // sum of the known lengths
  bool is_measured = true;     // all lengths are known
  bool is_plain;               // and there is only one colour
};

// Result of a rule: positions with the value that they have left, ascending, and a clause for
// people, which is `before`, the name of the line, `after` and, if `names_outcome`, the changes.
struct Finding {
  std::vector<Pair> values;
  std::string before, after;
  bool names_outcome = true;
};

// `find` takes a line that has a placement; it throws Stopped.
struct Rule {
  Technique technique;
  std::optional<Finding> (*find)(const LineView& line, const Words& words, Watch& watch);
};
inline constexpr size_t kNumRules = 5;
extern const Rule kRules[kNumRules];  // easiest first

// Returns all values that the clue of a line rules out, by value and then by cell; nothing if the
// line has no placement. Throws Stopped.
std::optional<std::vector<Pair>> implied(const Board& board, int line, Watch& watch);

}  // namespace nonosat::explain
