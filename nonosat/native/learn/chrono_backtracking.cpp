// Chronological search: propagation of a loop (`learn/paths.hpp`) and chronological backtracking.
//
// A search that follows a loop backtracks by one level instead of a long backjump (chronological
// backtracking: Nadel, Ryvchin 2018; Moehle, Biere 2019): on a board of 100 x 100 cells a conflict
// cost 1,900 propagations, since backjumps undid decisions of other parts of the board. The levels
// on the trail remain in order: a literal that is implied at a lower level than the one at which it
// was assigned is a missed implication, and is assigned again at its lower level when the search
// backtracks ("lazy reimplication": Coutelier, Fleury, Kovacs 2024). For the same reason, adding a
// clause after a model keeps as much of the trail as possible.
#include <algorithm>
#include <cassert>
#include <span>

#include "learn/solver.hpp"

namespace nonosat::learn {

// Passes the trail to the paths until they imply a literal: clauses are propagated before the rest.
//
// Precondition: the clauses are propagated.
// Postcondition: false: the literals of `conflict_`, all false, are the edges of a closed path and
// one edge outside of it, or three edges at a vertex.
bool Solver::propagate_paths() {
  while (num_in_paths_ < trail_.size()) {
    const Lit lit = trail_[num_in_paths_++];
    const Lit implied = paths_.assign(lit);
    if (implied == kTrue) continue;
    if (implied == negated(lit)) {
      explain_closed(lit, num_in_paths_, conflict_);
      conflict_.push_back(implied);
      return false;
    }
    if (values_[implied]) continue;
    assign(implied, {Reason::Kind::kPath, static_cast<uint32_t>(num_in_paths_), 0});
    return true;
  }
  return true;
}

// Sets `clause` to the false literals, among the first `end` of the trail, that rule out the edge
// `closing`.
void Solver::explain_closed(Lit closing, size_t end, std::vector<Lit>& clause) {
  const auto is_held = [&](Var var) { return values_[2 * var] > 0 && positions_[var] < end; };
  paths_.explain(closing, is_held, clause);
}

// Replaces the reason of `lit`, a path, by the clause that explains it. No proof is kept by such a
// search.
//
// Postcondition: that of `explain`.
void Solver::explain_path(Lit lit, Reason& reason) {
  assert(reason.kind == Reason::Kind::kPath && !proof_);
  ++statistics_.explanations;
  std::vector<Lit> lits;
  explain_closed(negated(lit), reason.first, lits);
  explained_.push_back(std::move(lits));
  reason = {Reason::Kind::kExplained, static_cast<uint32_t>(explained_.size() - 1), 0};
}

// Backtracks until a new clause, which the last model violates, is no longer false, but no further:
// on a board of 100 x 100 cells about fifty models of several loops precede one of a single loop,
// and restoring the trail took half of all propagations of thin boards.
//
// Precondition: the search is above the root, and no literal of the clause is assigned at the root.
// Postcondition: true: the search is above the root, at least one literal of the clause is not
// false, and its first two literals become open first when the search backtracks. False: it is at
// the root.
bool Solver::backtrack_for(std::vector<Lit>& clause) {
  if (clause.size() <= 1) {
    cancel_until(0);
    return false;
  }
  const auto is_false = [&](Lit lit) { return values_[lit] < 0; };
  while (std::all_of(clause.begin(), clause.end(), is_false)) {
    uint32_t top = 0;
    for (const Lit lit : clause) top = std::max(top, levels_[var_of(lit)]);
    assert(top > 0);
    cancel_until(top - 1);
    if (level() == 0) return false;
  }
  const auto falls_at = [&](Lit lit) { return is_false(lit) ? levels_[var_of(lit)] : UINT32_MAX; };
  const auto is_later = [&](Lit a, Lit b) { return falls_at(a) > falls_at(b); };
  std::partial_sort(clause.begin(), clause.begin() + 2, clause.end(), is_later);
  return true;
}

// Assigns the first literal of an added clause if all others are false. If it was assigned at a
// higher level than the one that implies it, it is recorded as a missed implication.
//
// Precondition: the clause is in the order of `backtrack_for`.
void Solver::imply_first(std::span<const Lit> clause, Reason reason) {
  const Lit lit = clause[0];
  if (values_[clause[1]] >= 0) return;
  const uint32_t low = levels_[var_of(clause[1])];
  const uint32_t assigned_level = values_[lit] ? levels_[var_of(lit)] : level();
  if (low < assigned_level) missed_.push_back({lit, low, reason});
  if (values_[lit] == 0) assign(lit, reason);
}

// Assigns missed implications again after backtracking, if they are implied at the current level or
// below. Those implied at the current level are no longer missed, and those above it are dropped.
void Solver::reimply_missed() {
  std::erase_if(missed_, [&](const MissedImplication& late) {
    if (late.level > level()) return true;
    if (values_[late.lit] == 0) assign(late.lit, late.reason);
    return levels_[var_of(late.lit)] == late.level;
  });
}

// Returns true if the learnt clause is already false at a lower level, because its first literal is
// false by a missed implication. Backtracks to that level then, and makes the clause the conflict.
bool Solver::find_lower_conflict() {
  const auto is_its = [&](const MissedImplication& late) {
    return late.lit == negated(learnt_[0]);
  };
  const auto late = std::find_if(missed_.begin(), missed_.end(), is_its);
  if (late == missed_.end()) return false;
  assert(!proof_);  // the clause would have to be a lemma
  uint32_t target = late->level;
  for (const Lit lit : std::span(learnt_).subspan(1)) {
    target = std::max(target, levels_[var_of(lit)]);
  }
  cancel_until(target);
  conflict_ = learnt_;
  return true;
}

}  // namespace nonosat::learn
