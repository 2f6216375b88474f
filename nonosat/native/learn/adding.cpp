// Adding clauses and lines to a search.
#include <algorithm>

#include "learn/solver.hpp"

namespace nonosat::learn {

// Adds a clause, without its literals that are false at the root. A clause with a literal that is
// true at the root is dropped.
//
// Precondition: the variables exist.
// Postcondition: the search is at the root, and implications of the clause are not propagated yet:
// `solve` propagates the whole trail again. If the trail of a model is kept, the search may be
// above the root; the literals not propagated are then the last ones of the trail.
void Solver::add(std::span<const Lit> given) {
  if (!keeps_model_trail_) cancel_until(0);
  has_failed_ = false;
  if (is_unsat_) return;
  // A member: allocating for each clause would take a third of the time.
  std::vector<Lit>& lits = added_;
  lits.assign(given.begin(), given.end());
  std::sort(lits.begin(), lits.end());
  lits.erase(std::unique(lits.begin(), lits.end()), lits.end());
  const auto opposite = [](Lit a, Lit b) { return a == negated(b); };
  if (std::adjacent_find(lits.begin(), lits.end(), opposite) != lits.end()) return;
  const auto is_fixed = [&](Lit lit) { return levels_[var_of(lit)] == 0; };
  const auto is_true = [&](Lit lit) { return values_[lit] > 0 && is_fixed(lit); };
  if (std::any_of(lits.begin(), lits.end(), is_true)) return;
  std::erase_if(lits, [&](Lit lit) { return values_[lit] < 0 && is_fixed(lit); });
  if (level() > 0) {
    if (missed_.size() == missed_.capacity())
      missed_.reserve(2 * missed_.size() + 1);    // for `imply_first`
    if (!backtrack_for(lits)) return add(given);  // `given` never refers to `added_`
  }
  Reason reason;
  if (lits.empty()) {
    is_unsat_ = true;
  } else if (lits.size() == 1) {
    assign(lits[0], {});
  } else if (lits.size() <= 3) {
    const Lit third = lits.size() == 3 ? lits[2] : kFalse;
    add_short(lits[0], lits[1], third);
    reason = {Reason::Kind::kShort, lits[1], third};
  } else {
    originals_.push_back(arena_.add(lits, false, 0));
    attach(originals_.back());
    reason = {Reason::Kind::kClause, originals_.back(), 0};
  }
  if (level() > 0) imply_first(lits, reason);
}

void Solver::add(const LineLits& line) {
  cancel_until(0);
  has_failed_ = false;
  update_lines();
  lines_.add(line, values_);
}

void Solver::add_short(Lit a, Lit b, Lit c) {
  shorts_.push_back(negated(a), {b, c});
  shorts_.push_back(negated(b), {a, c});
  if (c != kFalse) shorts_.push_back(negated(c), {a, b});
}

// Watches the first two literals of a clause.
//
// Precondition: the clause has at least three literals. If not all of them are open, the first two
// become open first when the search backtracks.
void Solver::attach(ClauseRef at) {
  Clause& clause = arena_[at];
  watchers_[negated(clause[0])].push_back({clause[1], at});
  watchers_[negated(clause[1])].push_back({clause[0], at});
}

void Solver::detach(ClauseRef at) {
  Clause& clause = arena_[at];
  for (const Lit lit : {clause[0], clause[1]}) {
    auto& watchers = watchers_[negated(lit)];
    const auto is_its = [&](const Watcher& watcher) { return watcher.clause == at; };
    watchers.erase(std::find_if(watchers.begin(), watchers.end(), is_its));
  }
}

}  // namespace nonosat::learn
