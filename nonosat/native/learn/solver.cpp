#include "learn/solver.hpp"

#include <algorithm>
#include <cassert>

#include "cost.hpp"

namespace nonosat::learn {
namespace {

constexpr int64_t kReductionGap = 2000;  // conflicts

// From 0 to less than a conflict counts (Steele, Lea, Flood 2014: splitmix64).
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
    if (seed_) order_.start(var, first_activity(seed_, var));
    if (!values_[2 * var]) order_.insert(var);
  }
}

void Solver::new_vars(size_t count) {
  const size_t first = reasons_.size(), total = first + count;
  levels_.resize(total, 0);
  places_.resize(total, 0);
  reasons_.resize(total);
  if (trail_.capacity() < total) {  // to assign takes no memory
    trail_.reserve(std::max(total, 2 * trail_.capacity()));
  }
  for (auto* phases : {&phases_, &marks_}) phases->resize(total, 0);
  suggested_.resize(total, kNone);
  stamps_.resize(std::max(stamps_.size(), total + 1), 0);
  values_.resize(2 * total, 0);
  shorts_.resize(2 * total);
  watchers_.resize(2 * total);
  order_.resize(total);
  lines_.resize(total);
  for (Var var = static_cast<Var>(first); var < total; ++var) {
    if (seed_) order_.start(var, first_activity(seed_, var));
    order_.insert(var);
  }
}

// Propagates everything on the trail: clauses first, then one line that says more, and so on.
//
// Postcondition: true: no clause is false or unit, and no line implies more. False: the literals of
// `conflict_` are all false, and together a clause that follows from what the search was given.
bool Solver::propagate(Watch& watch) {
  do {
    if (!propagate_clauses()) return false;
    if (!paths_.is_empty()) {
      if (!propagate_paths()) return false;
      if (next_ < trail_.size()) continue;
    }
    if (!propagate_lines(watch)) return false;
  } while (next_ < trail_.size());
  return true;
}

bool Solver::propagate_clauses() {
  try {
    while (next_ < trail_.size()) {
      const Lit lit = trail_[next_++];
      if (next_ < trail_.size()) shorts_.prefetch(trail_[next_]);
      ++statistics_.propagations;
      if (!propagate_shorts(lit) || !propagate_long(lit)) return false;
    }
  } catch (...) {
    mend(trail_[next_ - 1]);
    throw;
  }
  return true;
}

// Visits the clauses of two or three literals with the negation of `lit`, which has become true.
bool Solver::propagate_shorts(Lit lit) {
  // Held apart: bytes may alias anything, so the compiler would load the pointer again and again.
  const int8_t* const values = values_.data();
  const Lit lost = negated(lit);
  for (const auto [a, b] : shorts_[lit]) {
    const int8_t of_a = values[a], of_b = values[b];
    if (of_a > 0 || of_b > 0) continue;
    if (of_a < 0 && of_b < 0) {
      conflict_.assign({lost, a, b});
      return false;
    }
    if (of_a < 0) assign(b, {Reason::Kind::kShort, lost, a});
    if (of_b < 0) assign(a, {Reason::Kind::kShort, lost, b});
  }
  return true;
}

// Visits the long clauses that watch the negation of `lit`, which has become true: each watches
// another literal instead, is satisfied, implies its last literal, or is the conflict.
//
// Invariant of watched literals, which are the first two of a clause: where one of them is false
// and the search has seen that (its place on the trail lies before `next_`), the other one is true,
// or the clause was satisfied by its blocker, and no later than the watched literal became false.
// So going back never needs to touch a watcher. A clause that is a reason has its implied literal
// among the first two. Postcondition: true: the invariant holds for `lit`. False: the rest of the
// list is as it was. What is thrown for want of memory leaves the list to `mend`: with a handler
// here propagation takes 8 % more instructions.
bool Solver::propagate_long(Lit lit) {
  assert(values_[lit] > 0);
  const int8_t* const values = values_.data();
  auto& watchers = watchers_[lit];
  const Lit lost = negated(lit);
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
    const Lit other = lits[0] ^ lits[1] ^ lost;
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
      watchers_[negated(found)].push_back({other, watcher.clause});  // first: it may throw
      lits[0] = other, lits[1] = found, lits[i] = lost;
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

// Makes the list of a literal whole that `propagate_long` has left in the middle: behind what it
// kept stand watchers of clauses that it had kept, too, or that watch another literal by now. What
// it was about to move still stands there. Takes no memory.
void Solver::mend(Lit lit) {
  auto& watchers = watchers_[lit];
  const Lit lost = negated(lit);
  std::erase_if(watchers, [&](const Watcher& watcher) {
    const Lit* const lits = arena_[watcher.clause].begin();
    return lits[0] != lost && lits[1] != lost;
  });
  const auto is_before = [](const Watcher& a, const Watcher& b) { return a.clause < b.clause; };
  const auto is_same = [](const Watcher& a, const Watcher& b) { return a.clause == b.clause; };
  std::sort(watchers.begin(), watchers.end(), is_before);
  watchers.erase(std::unique(watchers.begin(), watchers.end(), is_same), watchers.end());
}

// Lines are told of what was assigned since, at the root also between one line and the next.
void Solver::tell_lines() {
  for (; num_told_ < trail_.size(); ++num_told_) lines_.tell(var_of(trail_[num_told_]), values_);
}

// Solves changed lines until one of them implies something: clauses are to follow before the next.
//
// Precondition: the clauses are propagated.
// Postcondition: false: a line has no filling under the literals of `conflict_`. Where the watch
// stops it, the line under way is still to be solved.
bool Solver::propagate_lines(Watch& watch) {
  if (lines_.is_empty()) return true;
  tell_lines();
  for (int line; (line = lines_.take_changed()) >= 0;) {
    ++statistics_.line_solves;
    if (!lines_.propagate(line, values_, implied_, watch)) {
      const uint32_t root = level() ? limits_[0] : static_cast<uint32_t>(trail_.size());
      ++statistics_.explanations;
      lines_.explain(line, kTrue, values_, {places_, root, static_cast<uint32_t>(trail_.size())},
                     conflict_, watch);
      return false;
    }
    for (const Lit lit : implied_) {
      if (values_[lit] == 0) {
        assign(lit, {Reason::Kind::kLine, static_cast<uint32_t>(line), 0});
        ++statistics_.line_implications;
        if (proof_ && level() == 0) proof_->add({&lit, 1});  // nobody will ask for its reason
      }
    }
    if (!implied_.empty()) break;
  }
  return true;
}

// Takes back all levels above `target`; the values are tried first when their variables come again.
//
// Postcondition: the lines know as much as before these levels; what is left of the trail is
// propagated, except at the root (see `add`), and but for late literals at its end.
void Solver::cancel_until(uint32_t target) {
  if (level() <= target) return;
  const uint32_t limit = limits_[target];
  for (size_t i = trail_.size(); i-- > limit;) {
    const Lit lit = trail_[i];
    values_[lit] = values_[negated(lit)] = 0;
    phases_[var_of(lit)] = !is_negated(lit);
    order_.insert(var_of(lit));
  }
  for (; num_told_ > limit; --num_told_) lines_.take_back(var_of(trail_[num_told_ - 1]), values_);
  for (; num_walked_ > limit; --num_walked_) paths_.take_back(trail_[num_walked_ - 1]);
  trail_.resize(limit);
  limits_.resize(target);
  next_ = limit;
  keep_late();
  if (target > 0) return;
  explained_.clear();
  if (proof_) proof_->forget();
}

Lit Solver::next_decision() {
  while (!order_.is_empty()) {
    const Var var = order_.pop();
    if (values_[2 * var]) continue;
    return 2 * var + !(suggested_[var] == kNone ? phases_[var] : suggested_[var]);
  }
  return kTrue;
}

// Makes the next assumption true, or a literal of the search's own choice once all are. A level is
// opened for each assumption, also for one that is true already, so that the first levels are the
// assumptions in their order.
//
// Precondition: everything is propagated without a conflict.
// Postcondition: false: the assumption `refused_` is false, and only assumptions were decided on.
// True without a new literal on the trail: every variable has a value.
bool Solver::decide(std::span<const Lit> assumptions) {
  Lit decision = kTrue;
  while (decision == kTrue && level() < assumptions.size()) {
    const Lit lit = assumptions[level()];
    if (values_[lit] < 0) {
      refused_ = lit;
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

// Propagates, learns from conflicts and decides in turn until all variables have a value or the
// clauses are refuted under the assumptions.
//
// Precondition: the assumptions' variables exist.
// Postcondition: kSat: `model_` satisfies all clauses, lines and assumptions. kUnsat: `has_failed`,
// and `refused_` is an assumption found false, kTrue where the clauses alone are contradictory. The
// trail is left as it is for `failed`.
Answer Solver::solve(std::span<const Lit> assumptions, Watch& watch, int64_t num_conflicts) {
  has_failed_ = false;
  refused_ = kTrue;
  if (!is_kept_ || !assumptions.empty()) cancel_until(0);
  is_kept_ = false;
  shorts_.pack();
  if (level() == 0) next_ = 0;  // what was added since may be unit under what was known
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
      is_solved_ = true;
      is_kept_ = is_wide() && assumptions.empty();
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
