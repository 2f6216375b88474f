// Line arguments on a board, the easiest first, and the steps of other arguments in words.
//
// A line is easier than another if an easier technique finds something in it. Of equally easy lines
// the one with the smaller score min(open cells, slack) comes first (the greedy order of document
// 000, an article), then the one in which more cells are decided, then the first. Most lines change
// again before harder rules are tried on them, so the techniques are tried one by one.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "board/board.hpp"
#include "explain/chains.hpp"
#include "explain/rules.hpp"
#include "explain/step.hpp"
#include "explain/words.hpp"

namespace nonosat::explain {

class Reasoner {
 public:
  // Changes the board by its steps; nothing else may change it. `lines`: those whose clues may be
  // used; empty for all.
  Reasoner(Board& board, Words words, const std::vector<int>& lines = {});

  const Board& board() const { return board_; }
  const Words& words() const { return words_; }

  // Returns the easiest step that one line allows, or nothing. Throws Impossible if a line has no
  // placement, and Stopped, after which the next call continues.
  std::optional<Step> line_step(Watch& watch);

  // Places that have one value left after removals, ascending, and the removals from places that
  // stay open.
  struct Taken {
    std::vector<Pair> settled, ruled_out;
  };
  Taken take(const std::vector<Pair>& removals);

  // After `line_step` has returned nothing: refutes a value of an open cell by the lines that may
  // be used. Throws Stopped.
  std::optional<Step> refute(int cell, Watch& watch);

  // Steps by arguments of others: a refuted assumption; many of them, without words; a place whose
  // values all imply the same values of others.
  Step refutation_step(const Refuted& refuted);
  Step refutations_step(const std::vector<Pair>& refuted);
  Step either_step(int cell, const std::vector<Pair>& agreed);

 private:
  using Order = std::array<int, 3>;

  // A line that allows a step.
  struct Candidate {
    int64_t entry = 0;           // the queue's newest entry of the line; 0: no step
    std::vector<Pair> removals;  // on the board
    int score = 0;
    size_t num_tried = 0;  // techniques that found nothing
    std::optional<Finding> found;
  };
  struct Entry {
    Order order;  // a lower bound
    int line;
    int64_t entry;
    bool operator>(const Entry& other) const {
      return std::tie(order, line, entry) > std::tie(other.order, other.line, other.entry);
    }
  };

  void evaluate(int line, Watch& watch);
  void advance(int line, Watch& watch);
  Order order_of(const Candidate& candidate) const;
  Step step_of(int line, const Candidate& candidate);

  Board& board_;
  Words words_;
  std::vector<uint8_t> allowed_;  // by line
  std::set<int> changed_;
  std::vector<Candidate> candidates_;  // by line
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
  int64_t num_entries_ = 0;
};

}  // namespace nonosat::explain
