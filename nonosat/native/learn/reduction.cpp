// Restarts, reduction of the learnt clauses, vivification, and import of shared clauses.
#include <algorithm>
#include <cassert>

#include "cost.hpp"
#include "learn/solver.hpp"

namespace nonosat::learn {
namespace {

constexpr int64_t kReductionStep = 100;  // conflicts
// At most one of so many propagations is spent on vivification.
constexpr int kVivifyShare = 6;

}  // namespace

void Solver::restart() {
  ++statistics_.restarts;
  cancel_until(num_reusable_levels());
  restarts_.restart(statistics_.propagations);
}

// Returns the number of levels whose decisions would be made again after a restart (van der Tak,
// Ramos, Heule 2011).
uint32_t Solver::num_reusable_levels() {
  while (!order_.is_empty() && values_[2 * order_.top()]) order_.pop();
  if (order_.is_empty()) return 0;
  const Var next = order_.top();
  uint32_t reusable = 0;
  while (reusable < level() && order_.is_before(var_of(trail_[level_starts_[reusable]]), next)) {
    ++reusable;
  }
  return reusable;
}

// Deletes half of the learnt clauses that were not used in recent conflicts; those of low glue are
// kept for good.
//
// Postcondition: the search is at the root; `originals_`, `learnts_` and the watchers refer to the
// clauses of the new arena. The remaining clauses of the input have the same consequences as
// before.
void Solver::reduce() {
  cancel_until(0);
  next_reduction_ = statistics_.conflicts + (reduction_gap_ += kReductionStep);
  std::vector<ClauseRef> candidates;
  for (const ClauseRef at : learnts_) {
    Clause& clause = arena_[at];
    if (clause.glue <= kGlueKept) continue;
    if (clause.used) {
      --clause.used;
    } else {
      candidates.push_back(at);
    }
  }
  const auto worse = [&](ClauseRef a, ClauseRef b) {
    const Clause &one = arena_[a], &other = arena_[b];
    return one.glue != other.glue ? one.glue > other.glue : one.size > other.size;
  };
  std::stable_sort(candidates.begin(), candidates.end(), worse);
  candidates.resize(candidates.size() / 2);
  for (const ClauseRef at : candidates) arena_[at].is_dead = 1;
  collect();
}

bool Solver::is_satisfied(ClauseRef at) {
  const auto lits = arena_[at].lits();
  return std::any_of(lits.begin(), lits.end(), [&](Lit lit) { return values_[lit] > 0; });
}

// Copies the arena without dead and satisfied clauses.
//
// Precondition: the search is at the root, where the reasons are not needed.
// Postcondition: all earlier ClauseRefs are invalid; every remaining clause is watched.
void Solver::collect() {
  assert(level() == 0);
  Arena kept = arena_.successor();  // reserves memory for all clauses, so that copying cannot fail
  const auto is_over = [&](ClauseRef at) { return arena_[at].is_dead || is_satisfied(at); };
  for (const ClauseRef at : learnts_) {
    if (proof_ && is_over(at)) proof_->remove(arena_[at].lits());
  }
  for (auto* refs : {&originals_, &learnts_}) {
    std::erase_if(*refs, is_over);
    for (ClauseRef& at : *refs) at = kept.copy(arena_[at]);
  }
  arena_ = std::move(kept);
  for (Lit lit = 0; lit < shorts_.size(); ++lit) {
    const auto list = shorts_[lit];
    const auto holds = [&](Short rest) { return values_[rest.a] > 0 || values_[rest.b] > 0; };
    const auto end = std::remove_if(list.begin(), list.end(), holds);
    shorts_.truncate(lit, values_[lit] ? 0 : static_cast<size_t>(end - list.begin()));
  }
  for (const Lit lit : trail_) reasons_[var_of(lit)] = {};
  for (auto& watchers : watchers_) watchers.clear();
  for (const auto* refs : {&originals_, &learnts_}) {
    for (const ClauseRef at : *refs) attach(at);
  }
}

// Vivifies clauses of low glue, within a share of all propagations (Luo et al. 2017); false if the
// root is refuted.
//
// Precondition: the search is at the root; it is there afterwards, also if the watch stops the
// call.
bool Solver::vivify(Watch& watch) {
  std::vector<ClauseRef> candidates;
  for (const ClauseRef at : learnts_) {
    if (!arena_[at].is_vivified && arena_[at].glue <= kGlueOften) candidates.push_back(at);
  }
  const auto better = [&](ClauseRef a, ClauseRef b) { return arena_[a].glue < arena_[b].glue; };
  std::stable_sort(candidates.begin(), candidates.end(), better);
  bool is_consistent = propagate_clauses();
  // Vivification must not change the saved phases of a chronological search: with its values as
  // phases, drawn slitherlinks of 100 x 100 took a third more conflicts. Nonograms take as many
  // either way (90 hard ones 0.98 times, 59 of tournaments 1.01 times).
  std::vector<uint8_t> phases;
  if (is_chronological()) phases = saved_phases_;
  for (const ClauseRef at : candidates) {
    if (!is_consistent || vivifying_ * kVivifyShare > statistics_.propagations) break;
    const int64_t before = statistics_.propagations;
    is_consistent = vivify(at);
    vivifying_ += statistics_.propagations - before;
    watch.work(cost::kPropagation * (statistics_.propagations - before));
  }
  if (is_chronological()) saved_phases_.swap(phases);
  collect();
  return is_consistent;
}

// Vivifies one clause: assumes its literals false one after another. Literals that become false are
// removed, and so are all literals that follow one that becomes true or a conflict.
//
// Precondition: the search is at the root; the clause is watched.
// Postcondition: the clause is unchanged, or it is dead, no longer watched, and replaced by a
// shorter one that follows from the clauses. False: a conflict at the root.
bool Solver::vivify(ClauseRef at) {
  assert(level() == 0);
  detach(at);
  arena_[at].is_vivified = 1;
  const std::vector<Lit> lits(arena_[at].lits().begin(), arena_[at].lits().end());
  std::vector<Lit> kept;
  bool is_satisfied = false;
  for (const Lit lit : lits) {
    if (values_[lit] < 0) continue;
    is_satisfied = values_[lit] > 0 && levels_[var_of(lit)] == 0;
    kept.push_back(lit);
    if (values_[lit] > 0) break;
    open_level();
    assign(negated(lit), {});
    if (!propagate_clauses()) break;
  }
  cancel_until(0);
  if (kept.size() == lits.size()) {
    attach(at);
    return true;
  }
  arena_[at].is_dead = 1;
  if (is_satisfied) return true;
  ++statistics_.vivified;
  const uint32_t glue = std::min<uint32_t>(arena_[at].glue, static_cast<uint32_t>(kept.size()));
  return add_shortened(kept, glue);
}

bool Solver::add_shortened(const std::vector<Lit>& lits, uint32_t glue) {
  if (proof_) proof_->add(lits);
  if (lits.empty()) return false;
  if (lits.size() == 1) {
    assign(lits[0], {});
    return propagate_clauses();
  }
  if (lits.size() == 2) {
    add_short(lits[0], lits[1]);
    return true;
  }
  learnts_.push_back(arena_.add(lits, true, glue));
  attach(learnts_.back());
  arena_[learnts_.back()].is_vivified = 1;
  return true;
}

// Imports the clauses that other workers have sent; false if they refute the root.
//
// Postcondition: the search is at the root if there were clauses. Their implications are not
// propagated yet; `num_propagated_` is where `propagate` continues.
bool Solver::import() {
  if (!exchange_ || !exchange_->has_mail(worker_)) return true;
  if (restarts_.is_guided() && !model_exists_ && !exchange_->has_external(worker_)) return true;
  cancel_until(0);
  bool is_consistent = true;
  exchange_->take(worker_, [&](std::span<const Lit> clause, uint32_t glue) {
    model_exists_ |= glue == Exchange::kExternal;  // external clauses exclude solutions
    is_consistent = is_consistent && import(clause, glue);
  });
  return is_consistent;
}

// Adds a clause that another worker has learnt as a learnt clause.
//
// Precondition: the search is at the root.
bool Solver::import(std::span<const Lit> clause, uint32_t glue) {
  assert(level() == 0);
  std::vector<Lit> lits(clause.begin(), clause.end());
  const auto is_true = [&](Lit lit) { return values_[lit] > 0; };
  if (std::any_of(lits.begin(), lits.end(), is_true)) return true;
  std::erase_if(lits, [&](Lit lit) { return values_[lit] < 0; });
  ++statistics_.imported;
  return add_shortened(lits, std::min<uint32_t>(glue, static_cast<uint32_t>(lits.size())));
}

}  // namespace nonosat::learn
