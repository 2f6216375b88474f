// The way back of the backward checker: which lemmas the conflict needs, and whether each of them
// follows.
#include <utility>

#include "proof/check.hpp"

namespace nonosat {

// Explains the conflict, then takes the steps back, last one first: attaches what was deleted,
// takes back what a lemma propagated, and checks the lemma where it is core, against exactly the
// clauses that were there before it. Afterwards entries_ hold the needed lemmas and root literals.
void Checker::backward() {
  explain(conflict_, trail_.size());
  write(-1, 0);
  for (size_t step = step_clauses_.size(); step-- > 0;) {
    const Ref ref = step_clauses_[step];
    if (ref == kNone) continue;
    if (proof_.steps[step].is_deletion) {
      attach(ref);
      continue;
    }
    uproot(step_trails_[step]);
    if (has(ref, kDead)) continue;
    arena_[ref - 1] |= kDead;  // its watchers go when they are met
    if (has(ref, kCore)) check(ref, proof_.steps[step].line);
  }
  uproot(0);
}

// Checks that a lemma follows by unit propagation from the clauses at hand, and writes it with its
// hints. Throws Refused where it does not. Where a literal of it is true at the root, that root
// literal is its only hint; otherwise its literals are assumed false, propagated to a conflict and
// taken back.
void Checker::check(Ref lemma, int64_t line) {
  const size_t base = trail_.size();
  const Lit count = size(lemma);
  Lit holding = 0;
  for (Lit i = 0; i < count && !holding; ++i) {
    if (is_true(arena_[lemma + i])) holding = arena_[lemma + i];
  }
  if (holding) {
    see(holding, base);
    seen_[var_of(holding)] = 0;
  } else {
    for (Lit i = 0; i < count; ++i) {
      const Lit lit = arena_[lemma + i];
      negated_[var_of(lit)] = 1;
      if (!is_false(lit)) assign(lit ^ 1, kNone);
    }
    if (propagate()) {
      throw Refused("line " + std::to_string(line) +
                    ": the clause does not follow by unit propagation");
    }
    explain(conflict_, base);
    for (Lit i = 0; i < count; ++i) negated_[var_of(arena_[lemma + i])] = 0;
    cut(base);
  }
  write(index(lemma), 0);
}

// Marks the variable of a false literal on the way to a conflict. A literal from `base` of the
// trail on is left to `explain`, which goes through the trail; an earlier one is a root literal,
// and a hint.
void Checker::see(Lit lit, size_t base) {
  const int32_t var = var_of(lit);
  if (seen_[var] || negated_[var]) return;
  seen_[var] = 1;
  if (places_[var] >= base) return;
  needed_[var] = 1;
  roots_.push_back(~static_cast<int64_t>(var));
}

// Finds the clauses that a conflict comes from by going back through the trail to `base`: marks
// them as core and leaves them as hints for `write`. Leaves no variable seen. O(trail + literals
// looked at).
void Checker::explain(Ref conflict, size_t base) {
  const auto see_all = [&](Ref ref) {
    need(ref);
    reasons_found_.push_back(index(ref));
    for (Lit i = 0; i < size(ref); ++i) see(arena_[ref + i], base);
  };
  see_all(conflict);
  for (size_t at = trail_.size(); at-- > base;) {
    const int32_t var = var_of(trail_[at]);
    if (!std::exchange(seen_[var], 0)) continue;
    const Ref reason = reasons_[var];
    need(reason);
    reasons_found_.push_back(index(reason));
    for (Lit i = 0; i < size(reason); ++i) {
      if (var_of(arena_[reason + i]) != var) see(arena_[reason + i], base);
    }
  }
  for (const int64_t root : roots_) seen_[~root] = 0;
}

// Takes root literals back to a size of the trail, the last one first, and writes a unit lemma for
// each that is needed, with its reason as the hint; a reason that is a unit clause already serves
// itself.
void Checker::uproot(size_t size_after) {
  for (size_t at = trail_.size(); at-- > size_after;) {
    const Lit lit = trail_[at];
    const int32_t var = var_of(lit);
    if (!needed_[var]) continue;
    const Ref reason = reasons_[var];
    need(reason);
    if (size(reason) == 1) {
      unit_clauses_[var] = index(reason);
      continue;
    }
    for (Lit i = 0; i < size(reason); ++i) {
      const Lit other = arena_[reason + i];
      if (other == lit) continue;
      needed_[var_of(other)] = 1;
      roots_.push_back(~static_cast<int64_t>(var_of(other)));
    }
    reasons_found_.push_back(index(reason));
    write(-1, lit);
  }
  cut(size_after);
}

// Appends an entry of the new proof with the hints found: root literals, then reasons in the order
// in which they propagate. `clause` is an index, or -1 for the literal alone.
void Checker::write(int32_t clause, Lit lit) {
  const size_t first = hints_.size();
  hints_.insert(hints_.end(), roots_.begin(), roots_.end());
  hints_.insert(hints_.end(), reasons_found_.rbegin(), reasons_found_.rend());
  entries_.push_back({clause, lit, first, hints_.size()});
  roots_.clear();
  reasons_found_.clear();
}

}  // namespace nonosat
