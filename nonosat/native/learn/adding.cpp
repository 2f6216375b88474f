// What a search is given: clauses and lines.
#include <algorithm>

#include "learn/solver.hpp"

namespace nonosat::learn {

// Keeps a clause, without literals that are false at the root; not at all where it holds there.
//
// Precondition: its variables exist.
// Postcondition: the search is at the root, and what the clause implies is not propagated yet:
// `solve` goes through the whole trail again. Where a trail is kept, the search may be above the
// root; what is not propagated then stands at the end of the trail.
void Solver::add(std::span<const Lit> given) {
  if (!is_kept_) cancel_until(0);
  has_failed_ = false;
  if (is_unsat_) return;
  std::vector<Lit>& lits = added_;  // kept: memory for each clause would take a third of the time
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
    if (late_.size() == late_.capacity()) late_.reserve(2 * late_.size() + 1);  // for `take_effect`
    if (!give_way(lits)) return add(given);  // which is no part of `added_`
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
  if (level() > 0) take_effect(lits, reason);
}

void Solver::add(const LineLits& line) {
  cancel_until(0);
  has_failed_ = false;
  tell_lines();
  lines_.add(line, values_);
}

void Solver::add_short(Lit a, Lit b, Lit c) {
  shorts_.push_back(negated(a), {b, c});
  shorts_.push_back(negated(b), {a, c});
  if (c != kFalse) shorts_.push_back(negated(c), {a, b});
}

// Precondition: the clause has at least four literals. Unless all of them are open, the first two
// are the last ones that will be false when the search goes back.
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
