// What is special about a wide search, one that follows the paths of a loop (`learn/paths.hpp`).
//
// It goes back one level at a time where others jump far (chronological backtracking: Nadel,
// Ryvchin 2018; Moehle, Biere 2019): on a board of 100 x 100 cells a conflict cost 1,900
// propagations, since jumps undid what was decided elsewhere. Levels on the trail stay in order: a
// literal that is implied below the level where it stands is late, and comes to stand lower when
// the search goes back ("lazy reimplication": Coutelier, Fleury, Kovacs 2024). For the same reason
// clauses that are added after a model leave of its trail what they can.
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

// Makes way for a clause that a model violates, without going back further than it must: on a board
// of 100 x 100 cells there are some fifty models of several loops before one of a single loop, and
// to find everything again took half of all propagations of thin boards.
//
// Precondition: the search is above the root, and no literal of the clause has its value there.
// Postcondition: true: the search is above the root, one literal of the clause is not false, and in
// front are two that will be open first when the search goes back. False: it is at the root.
bool Solver::give_way(std::vector<Lit>& clause) {
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

// Lets a clause that is kept now imply its first literal, where all others are false. That may be
// below the level at which it stands already: then it is late.
//
// Precondition: as `give_way` leaves the clause.
void Solver::take_effect(std::span<const Lit> clause, Reason reason) {
  const Lit lit = clause[0];
  if (values_[clause[1]] >= 0) return;
  const uint32_t low = levels_[var_of(clause[1])];
  const uint32_t stands = values_[lit] ? levels_[var_of(lit)] : level();
  if (low < stands) late_.push_back({lit, low, reason});
  if (values_[lit] == 0) assign(lit, reason);
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
