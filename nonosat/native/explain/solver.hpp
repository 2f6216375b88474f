// Explanation of a board step by step: always the easiest technique, on the easiest line for it, up
// to the techniques that only propagate lines. Prices and guesses are left to the caller.
//
// Invariant: every step follows from the board before it.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "board/outlook.hpp"
#include "explain/chains.hpp"
#include "explain/reasoner.hpp"

namespace nonosat::explain {

class Solver {
 public:
  // `board`: the initial knowledge, changed by every step. `lines`: those whose clues may be used;
  // empty for all. With some lines only, and above the grade `hardest`, assumptions about cells are
  // not tried. `is_brief`: applies all refuted assumptions at once, in steps without words; the
  // final state is the same.
  Solver(Board& board, Words words, const std::vector<int>& lines = {},
         int hardest = kTechniques[kGuess].grade, bool is_brief = false)
      : board_(board),
        reasoner_(board, std::move(words), lines),
        hardest_(lines.empty() ? hardest : kTechniques[kCompleteLine].grade),
        is_brief_(is_brief) {}

  // Returns the next step, or nothing if none of these techniques finds one. Throws Impossible, and
  // Stopped, after which the next call continues.
  std::optional<Step> next(Watch& watch);

  // Changes if a stopped `next` has completed a part that the next call need not repeat.
  size_t num_parts() const { return chains_.num_searches() + (ahead_ ? ahead_->num_probed() : 0); }

  // After `next` has returned nothing on an open board: the assumptions about its cells, none of
  // which is refuted; empty if `hardest` excludes assumptions.
  const Outlook& outlook() const { return outlook_; }

  // Takes part in the same sequence: the next step follows from what it takes, too.
  Reasoner& reasoner() { return reasoner_; }

 private:
  Board& board_;
  Reasoner reasoner_;
  ChainSearch chains_;
  std::optional<LookAhead> ahead_;  // since the last step by other arguments
  Outlook outlook_;
  int hardest_;
  bool is_brief_;
};

}  // namespace nonosat::explain
