// What is special about a wide search, one that follows the paths of a loop (`learn/paths.hpp`).
//
// It goes back one level at a time where others jump far (chronological backtracking: Nadel,
// Ryvchin 2018; Moehle, Biere 2019): on a board of 100 x 100 cells a conflict cost 1,900
// propagations, since jumps undid what was decided elsewhere. Levels on the trail stay in order: a
// literal that is implied below the level where it stands is late, and comes to stand lower when
// the search goes back ("lazy reimplication": Coutelier, Fleury, Kovacs 2024).
#include <algorithm>
#include <cassert>
#include <span>

#include "learn/solver.hpp"

namespace nonosat::learn {

// Follows the paths until they imply something: clauses are to follow before the next.
//
// Precondition: the clauses are propagated.
// Postcondition: false: the literals of `conflict_`, all false, are a path that is closed and an
// edge apart from it, or three edges that meet.
bool Solver::propagate_paths() {
  while (num_walked_ < trail_.size()) {
    const Lit lit = trail_[num_walked_++];
    const Lit implied = paths_.tell(lit);
    if (implied == kTrue) continue;
    if (implied == negated(lit)) {
      explain_closed(lit, num_walked_, conflict_);
      conflict_.push_back(implied);
      return false;
    }
    if (values_[implied]) continue;
    assign(implied, {Reason::Kind::kPath, static_cast<uint32_t>(num_walked_), 0});
    return true;
  }
  return true;
}

// Makes `clause` the false literals that rule an edge out, of the first `end` on the trail.
void Solver::explain_closed(Lit closing, size_t end, std::vector<Lit>& clause) {
  const auto is_held = [&](Var var) { return values_[2 * var] > 0 && places_[var] < end; };
  paths_.explain(closing, is_held, clause);
}

// Turns the reason of `lit`, a path, into the clause that explains it; no proof is kept then.
//
// Postcondition: as that of `explain`.
void Solver::explain_path(Lit lit, Reason& reason) {
  assert(reason.kind == Reason::Kind::kPath && !proof_);
  ++statistics_.explanations;
  std::vector<Lit> lits;
  explain_closed(negated(lit), reason.first, lits);
  explained_.push_back(std::move(lits));
  reason = {Reason::Kind::kExplained, static_cast<uint32_t>(explained_.size() - 1), 0};
}

// After going back: literals that are implied at this level or below stand here from now on; of the
// others the reasons are open again.
void Solver::keep_late() {
  std::erase_if(late_, [&](const Late& late) {
    if (late.level > level()) return true;
    if (values_[late.lit] == 0) assign(late.lit, late.reason);
    return levels_[var_of(late.lit)] == late.level;
  });
}

// Whether what was learnt is false below this level already, since its first literal stands above
// the level at which it is implied; then that is the conflict, and the search is where it lies.
bool Solver::lies_below() {
  const auto is_its = [&](const Late& late) { return late.lit == negated(learnt_[0]); };
  const auto late = std::find_if(late_.begin(), late_.end(), is_its);
  if (late == late_.end()) return false;
  assert(!proof_);  // or it would be a step of it
  uint32_t target = late->level;
  for (const Lit lit : std::span(learnt_).subspan(1)) {
    target = std::max(target, levels_[var_of(lit)]);
  }
  cancel_until(target);
  conflict_ = learnt_;
  return true;
}

}  // namespace nonosat::learn
