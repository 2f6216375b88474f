#include "learn/solver.hpp"

#include <algorithm>
#include <cassert>

#include "cost.hpp"

namespace nonosat::learn {
namespace {

constexpr int64_t kReductionGap = 2000;  // conflicts

// Returns a pseudo-random activity from 0 to below that of one conflict (Steele, Lea, Flood 2014:
// splitmix64).
double first_activity(uint64_t seed, Var var) {
  uint64_t bits = seed + (uint64_t{var} + 1) * 0x9e3779b97f4a7c15;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
  return static_cast<double>((bits ^ bits >> 31) >> 11) * 0x1p-53;
}

}  // namespace

Solver::Solver(uint64_t seed, size_t most_words)
    : arena_(most_words),
      seed_(seed),
      next_reduction_(kReductionGap),
      reduction_gap_(kReductionGap) {
  new_vars(1);
  order_.pop();
  assign(kTrue, {});
}

Solver::Solver(const Solver& other, uint64_t seed) : Solver(other) {
  cancel_until(0);
  has_failed_ = false;
  exchange_ = nullptr;
  statistics_ = {};
  next_reduction_ = reduction_gap_;
  vivifying_ = 0;
  seed_ = seed;
  order_.clear();
  for (Var var = 1; var < reasons_.size(); ++var) {
    if (seed_) order_.set_activity(var, first_activity(seed_, var));
    if (!values_[2 * var]) order_.insert(var);
  }
}

void Solver::new_vars(size_t count) {
  const size_t first = reasons_.size(), total = first + count;
  levels_.resize(total, 0);
  positions_.resize(total, 0);
  reasons_.resize(total);
  if (trail_.capacity() < total) {  // so that `assign` never allocates
    trail_.reserve(std::max(total, 2 * trail_.capacity()));
  }
  for (auto* phases : {&saved_phases_, &marks_}) phases->resize(total, 0);
  user_phases_.resize(total, kNone);
  stamps_.resize(std::max(stamps_.size(), total + 1), 0);
  values_.resize(2 * total, 0);
  shorts_.resize(2 * total);
  watchers_.resize(2 * total);
  order_.resize(total);
  lines_.resize(total);
  for (Var var = static_cast<Var>(first); var < total; ++var) {
    if (seed_) order_.set_activity(var, first_activity(seed_, var));
    order_.insert(var);
  }
}

// Propagates to a fixpoint: all clauses first, then one line at a time, with the clauses in
// between.
//
// Postcondition: true: no clause is false or unit, and no line implies an open literal. False: all
// literals of `conflict_` are false, and they form a clause that follows from the input.
bool Solver::propagate(Watch& watch) {
  do {
    if (!propagate_clauses()) return false;
    if (!paths_.is_empty()) {
      if (!propagate_paths()) return false;
      if (num_propagated_ < trail_.size()) continue;
    }
    if (!propagate_lines(watch)) return false;
  } while (num_propagated_ < trail_.size());
  return true;
}

bool Solver::propagate_clauses() {
  try {
    while (num_propagated_ < trail_.size()) {
      const Lit lit = trail_[num_propagated_++];
      if (num_propagated_ < trail_.size()) shorts_.prefetch(trail_[num_propagated_]);
      ++statistics_.propagations;
      if (!propagate_shorts(lit) || !propagate_long(lit)) return false;
    }
  } catch (...) {
    repair_watchers(trail_[num_propagated_ - 1]);
    throw;
  }
  return true;
}

// Visits the clauses of two and three literals that contain the negation of `lit`, which has become
// true.
bool Solver::propagate_shorts(Lit lit) {
  // A local copy: int8_t may alias anything, so the compiler would reload the member each time.
  const int8_t* const values = values_.data();
  const Lit false_lit = negated(lit);
  for (const auto [a, b] : shorts_[lit]) {
    const int8_t of_a = values[a], of_b = values[b];
    if (of_a > 0 || of_b > 0) continue;
    if (of_a < 0 && of_b < 0) {
      conflict_.assign({false_lit, a, b});
      return false;
    }
    if (of_a < 0) assign(b, {Reason::Kind::kShort, false_lit, a});
    if (of_b < 0) assign(a, {Reason::Kind::kShort, false_lit, b});
  }
  return true;
}

// Visits the long clauses that watch the negation of `lit`, which has become true. For each clause,
// it watches another literal, keeps a satisfied clause, assigns the last open literal, or reports
// the conflict.
//
// Invariant of the watched literals, the first two of a clause: if one of them is false and
// propagated (its position on the trail is below `num_propagated_`), then the other one is true, or
// the blocker satisfied the clause no later than the watched literal became false. So backtracking
// need not touch the watchers. In a clause that is a reason, the implied literal is one of the
// first two.
// Postcondition: true: the invariant holds for `lit`. False: the unvisited watchers are unchanged.
// If memory runs out, `repair_watchers` must restore the list: an exception handler here takes 8 %
// more instructions of all propagation.
bool Solver::propagate_long(Lit lit) {
  assert(values_[lit] > 0);
  const int8_t* const values = values_.data();
  auto& watchers = watchers_[lit];
  const Lit false_lit = negated(lit);
  const Watcher* const end = watchers.data() + watchers.size();
  Watcher* kept = watchers.data();
  bool is_consistent = true;
  for (const Watcher* at = kept; at != end;) {
    const Watcher watcher = *at++;
    if (values[watcher.blocker] > 0) {
      *kept++ = watcher;
      continue;
    }
    Clause& clause = arena_[watcher.clause];
    Lit* const lits = clause.begin();
    const Lit other = lits[0] ^ lits[1] ^ false_lit;
    if (values[other] > 0) {
      *kept++ = {other, watcher.clause};
      continue;
    }
    const uint32_t size = clause.size;
    uint32_t i = 2;
    while (i < size && values[lits[i]] < 0) ++i;
    if (i < size) {
      const Lit found = lits[i];
      if (values[found] > 0) {
        *kept++ = {found, watcher.clause};
        continue;
      }
      watchers_[negated(found)].push_back({other, watcher.clause});  // first, since it may throw
      lits[0] = other, lits[1] = found, lits[i] = false_lit;
      continue;
    }
    if (values[other] < 0) {
      bump(clause);
      conflict_.assign(clause.lits().begin(), clause.lits().end());
      *kept++ = {other, watcher.clause};
      is_consistent = false;
      while (at != end) *kept++ = *at++;
    } else {
      *kept++ = {other, watcher.clause};
      assign(other, {Reason::Kind::kClause, watcher.clause, 0});
    }
  }
  watchers.resize(static_cast<size_t>(kept - watchers.data()));
  return is_consistent;
}

// Restores the watcher list of a literal after an exception in `propagate_long`. The end of the
// list then still holds copies of watchers that were kept, and watchers of clauses that watch
// another literal by now; both are removed. The watcher about to be moved is still in the list.
// Allocates no memory.
void Solver::repair_watchers(Lit lit) {
  auto& watchers = watchers_[lit];
  const Lit false_lit = negated(lit);
  std::erase_if(watchers, [&](const Watcher& watcher) {
    const Lit* const lits = arena_[watcher.clause].begin();
    return lits[0] != false_lit && lits[1] != false_lit;
  });
  const auto is_before = [](const Watcher& a, const Watcher& b) { return a.clause < b.clause; };
  const auto is_same = [](const Watcher& a, const Watcher& b) { return a.clause == b.clause; };
  std::sort(watchers.begin(), watchers.end(), is_before);
  watchers.erase(std::unique(watchers.begin(), watchers.end(), is_same), watchers.end());
}

// Passes new literals of the trail to the lines; at the root this is called between lines, too.
void Solver::update_lines() {
  for (; num_in_lines_ < trail_.size(); ++num_in_lines_)
    lines_.assign(var_of(trail_[num_in_lines_]), values_);
}

// Solves changed lines until one of them implies a literal: clauses are propagated before the next
// line, since they are cheaper.
//
// Precondition: the clauses are propagated.
// Postcondition: false: a line has no filling under the literals of `conflict_`. If the watch stops
// the call, the current line is queued again.
bool Solver::propagate_lines(Watch& watch) {
  if (lines_.is_empty()) return true;
  update_lines();
  for (int line; (line = lines_.pop_changed()) >= 0;) {
    ++statistics_.line_solves;
    if (!lines_.propagate(line, values_, implied_, watch)) {
      const uint32_t root = level() ? level_starts_[0] : static_cast<uint32_t>(trail_.size());
      ++statistics_.explanations;
      lines_.explain(line, kTrue, values_, {positions_, root, static_cast<uint32_t>(trail_.size())},
                     conflict_, watch);
      return false;
    }
    for (const Lit lit : implied_) {
      if (values_[lit] == 0) {
        assign(lit, {Reason::Kind::kLine, static_cast<uint32_t>(line), 0});
        ++statistics_.line_implications;
        if (proof_ && level() == 0) proof_->add({&lit, 1});  // it is never explained later
      }
    }
    if (!implied_.empty()) break;
  }
  return true;
}

// Backtracks to level `target` and saves the phases of the variables that become open.
//
// Postcondition: lines and paths are as they were at that level. The rest of the trail is
// propagated, except at the root (see `add`) and except missed implications, which are at its end.
void Solver::cancel_until(uint32_t target) {
  if (level() <= target) return;
  const uint32_t limit = level_starts_[target];
  for (size_t i = trail_.size(); i-- > limit;) {
    const Lit lit = trail_[i];
    values_[lit] = values_[negated(lit)] = 0;
    saved_phases_[var_of(lit)] = !is_negated(lit);
    order_.insert(var_of(lit));
  }
  for (; num_in_lines_ > limit; --num_in_lines_)
    lines_.unassign(var_of(trail_[num_in_lines_ - 1]), values_);
  for (; num_in_paths_ > limit; --num_in_paths_) paths_.unassign(trail_[num_in_paths_ - 1]);
  trail_.resize(limit);
  level_starts_.resize(target);
  num_propagated_ = limit;
  reimply_missed();
  if (target > 0) return;
  explained_.clear();
  if (proof_) proof_->delete_temporary();
}

Lit Solver::next_decision() {
  while (!order_.is_empty()) {
    const Var var = order_.pop();
    if (values_[2 * var]) continue;
    return 2 * var + !(user_phases_[var] == kNone ? saved_phases_[var] : user_phases_[var]);
  }
  return kTrue;
}

// Opens a level with the next assumption, or, after all assumptions, with a decision of the search.
// An assumption that is already true opens an empty level, so that the first levels are the
// assumptions in their order.
//
// Precondition: everything is propagated without a conflict.
// Postcondition: false: the assumption `failed_assumption_` is false, and all decisions are
// assumptions. True without a new literal on the trail: every variable has a value.
bool Solver::decide(std::span<const Lit> assumptions) {
  Lit decision = kTrue;
  while (decision == kTrue && level() < assumptions.size()) {
    const Lit lit = assumptions[level()];
    if (values_[lit] < 0) {
      failed_assumption_ = lit;
      return false;
    }
    if (values_[lit] == 0) decision = lit;
    if (values_[lit] > 0) open_level();
  }
  if (decision == kTrue) decision = next_decision();
  if (decision == kTrue) return true;
  ++statistics_.decisions;
  open_level();
  assign(decision, {});
  return true;
}

// Main loop: propagates, learns from conflicts and decides, until all variables have a value or the
// clauses are refuted under the assumptions.
//
// Precondition: the variables of the assumptions exist.
// Postcondition: kSat: `model_` satisfies all clauses, lines and assumptions. kUnsat: `has_failed`,
// and `failed_assumption_` is an assumption found false, or kTrue if the clauses alone are
// contradictory; the trail is kept for `failed_core`.
Answer Solver::solve(std::span<const Lit> assumptions, Watch& watch, int64_t num_conflicts) {
  has_failed_ = false;
  failed_assumption_ = kTrue;
  if (!keeps_model_trail_ || !assumptions.empty()) cancel_until(0);
  keeps_model_trail_ = false;
  shorts_.pack();
  if (level() == 0) num_propagated_ = 0;  // clauses added since may be unit under the trail
  // Repeated assumptions open more levels than there are variables.
  stamps_.resize(std::max(stamps_.size(), reasons_.size() + assumptions.size() + 1), 0);
  if (!is_unsat_) is_unsat_ = !import();
  const int64_t end = statistics_.conflicts + std::min(num_conflicts, INT64_MAX / 2);
  while (!is_unsat_) {
    const int64_t before = statistics_.propagations;
    const bool is_consistent = propagate(watch);
    watch.work(cost::kPropagation * (statistics_.propagations - before + 1));
    if (!is_consistent && level() == 0) {
      is_unsat_ = true;
    } else if (!is_consistent) {
      learn(watch);
    } else if (statistics_.conflicts >= end) {
      cancel_until(0);
      return Answer::kUnknown;
    } else if (statistics_.conflicts >= next_reduction_) {
      reduce();
      is_unsat_ = !vivify(watch);
    } else if (is_restart_due()) {
      restart();
      is_unsat_ = !import();
    } else {
      const size_t num_assigned = trail_.size();
      if (!decide(assumptions)) {
        has_failed_ = true;
        return Answer::kUnsat;
      }
      if (trail_.size() > num_assigned) continue;
      model_exists_ = true;
      keeps_model_trail_ = is_chronological() && assumptions.empty();
      model_.resize(reasons_.size());
      for (Var var = 0; var < model_.size(); ++var) model_[var] = values_[2 * var] > 0;
      return Answer::kSat;
    }
  }
  if (proof_) proof_->add({});
  has_failed_ = true;
  return Answer::kUnsat;
}

}  // namespace nonosat::learn
