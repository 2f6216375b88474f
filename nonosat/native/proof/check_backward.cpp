// The backward pass of the checker: finds the lemmas that the conflict needs, and checks each.
#include <utility>

#include "proof/check.hpp"

namespace nonosat {

// Analyzes the conflict, then undoes the steps, last one first: reattaches deleted clauses,
// unassigns the literals that a lemma propagated, and checks the lemma if it is core, against
// exactly the clauses that precede it. Afterwards entries_ holds the needed lemmas and root
// literals.
void Checker::backward() {
  analyze(conflict_, trail_.size());
  append_entry(-1, 0);
  for (size_t step = step_clauses_.size(); step-- > 0;) {
    const Ref ref = step_clauses_[step];
    if (ref == kNone) continue;
    if (proof_.steps[step].is_deletion) {
      attach(ref);
      continue;
    }
    undo_root_lits(step_trails_[step]);
    if (has(ref, kDead)) continue;
    arena_[ref - 1] |= kDead;  // its watchers are removed when they are visited
    if (has(ref, kCore)) check(ref, proof_.steps[step].line);
  }
  undo_root_lits(0);
}

// Checks that a lemma follows by unit propagation from the current clauses, and appends it with its
// hints to the new proof. Throws Refused if it does not follow. If one of its literals is true at
// the root, that root literal is the only hint; otherwise the negations of its literals are
// assigned, propagated to a conflict and unassigned.
void Checker::check(Ref lemma, int64_t line) {
  const size_t base = trail_.size();
  const Lit count = size(lemma);
  Lit true_lit = 0;
  for (Lit i = 0; i < count && !true_lit; ++i) {
    if (is_true(arena_[lemma + i])) true_lit = arena_[lemma + i];
  }
  if (true_lit) {
    mark_seen(true_lit, base);
    seen_[var_of(true_lit)] = 0;
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
    analyze(conflict_, base);
    for (Lit i = 0; i < count; ++i) negated_[var_of(arena_[lemma + i])] = 0;
    backtrack(base);
  }
  append_entry(index(lemma), 0);
}

// Marks the variable of a false literal as involved in a conflict. If the literal is at position
// `base` of the trail or later, `analyze` will visit it; otherwise it is a root literal and becomes
// a hint.
void Checker::mark_seen(Lit lit, size_t base) {
  const int32_t var = var_of(lit);
  if (seen_[var] || negated_[var]) return;
  seen_[var] = 1;
  if (trail_positions_[var] >= base) return;
  needed_roots_[var] = 1;
  root_hints_.push_back(~static_cast<int64_t>(var));
}

// Collects the clauses that imply a conflict by traversing the trail backwards to `base`: marks
// them as core and stores them as hints for `append_entry`. All variables are unmarked afterwards.
// O(trail + literals of these clauses).
void Checker::analyze(Ref conflict, size_t base) {
  const auto mark_all = [&](Ref ref) {
    mark_core(ref);
    antecedents_.push_back(index(ref));
    for (Lit i = 0; i < size(ref); ++i) mark_seen(arena_[ref + i], base);
  };
  mark_all(conflict);
  for (size_t at = trail_.size(); at-- > base;) {
    const int32_t var = var_of(trail_[at]);
    if (!std::exchange(seen_[var], 0)) continue;
    const Ref reason = reasons_[var];
    mark_core(reason);
    antecedents_.push_back(index(reason));
    for (Lit i = 0; i < size(reason); ++i) {
      if (var_of(arena_[reason + i]) != var) mark_seen(arena_[reason + i], base);
    }
  }
  for (const int64_t root : root_hints_) seen_[~root] = 0;
}

// Unassigns root literals down to a size of the trail, the last one first, and appends a unit lemma
// for each needed one, with its reason as the hint. If the reason is a unit clause, no lemma is
// necessary.
void Checker::undo_root_lits(size_t size_after) {
  for (size_t at = trail_.size(); at-- > size_after;) {
    const Lit lit = trail_[at];
    const int32_t var = var_of(lit);
    if (!needed_roots_[var]) continue;
    const Ref reason = reasons_[var];
    mark_core(reason);
    if (size(reason) == 1) {
      unit_clauses_[var] = index(reason);
      continue;
    }
    for (Lit i = 0; i < size(reason); ++i) {
      const Lit other = arena_[reason + i];
      if (other == lit) continue;
      needed_roots_[var_of(other)] = 1;
      root_hints_.push_back(~static_cast<int64_t>(var_of(other)));
    }
    antecedents_.push_back(index(reason));
    append_entry(-1, lit);
  }
  backtrack(size_after);
}

// Appends an entry to the new proof with the collected hints: root literals, then reasons in order
// of propagation. `clause` is an index, or -1 for the unit lemma of `lit`.
void Checker::append_entry(int32_t clause, Lit lit) {
  const size_t first = hints_.size();
  hints_.insert(hints_.end(), root_hints_.begin(), root_hints_.end());
  hints_.insert(hints_.end(), antecedents_.rbegin(), antecedents_.rend());
  entries_.push_back({clause, lit, first, hints_.size()});
  root_hints_.clear();
  antecedents_.clear();
}

}  // namespace nonosat
