// Conflict analysis: learns the first unique implication point, minimised, and computes the
// failed core of a refutation under assumptions.
#include <algorithm>
#include <cassert>
#include <utility>

#include "learn/solver.hpp"

namespace nonosat::learn {
namespace {

// Factors of the decay of activities. Proofs of uniqueness, every sixth of 79 puzzles: 0.95 took
// 119,000 conflicts, 0.9 118,000, 0.85 105,000. On n-domino 16, 0.95 is better (51,000 against
// 55,000).
constexpr double kDecay = 0.85, kChronologicalDecay = 0.9, kGuidedDecay = 0.95;
constexpr uint32_t kMaxDepth = 500;
constexpr uint32_t kFar = 10;  // levels; 20 and 3 took more conflicts on slitherlinks of 100 x 100
// Marks of variables during the analysis.
constexpr uint8_t kSeen = 1, kImplied = 2, kNeeded = 4;

}  // namespace

// Calls `visit` for each false literal of the reason of `lit`; together with `lit` they are a
// clause that follows from the input. All of them became false before `lit` became true. Decisions
// and units of the input have no antecedents. Explains a line or a path if that is the reason.
//
// Precondition: `lit` is true.
template <class Visit>
void Solver::for_each_antecedent(Lit lit, Watch& watch, Visit visit) {
  assert(values_[lit] > 0);
  Reason& reason = reasons_[var_of(lit)];
  if (reason.kind == Reason::Kind::kLine) explain(lit, reason, watch);
  if (reason.kind == Reason::Kind::kPath) explain_path(lit, reason);
  if (reason.kind == Reason::Kind::kShort) {
    visit(reason.first);
    visit(reason.second);
  } else if (reason.kind == Reason::Kind::kClause) {
    for (const Lit other : arena_[reason.first].lits()) {
      if (other != lit) visit(other);
    }
  } else if (reason.kind == Reason::Kind::kExplained) {
    for (const Lit other : explained_[reason.first]) visit(other);
  }
}

// Replaces the reason of `lit`, a line, by the clause that explains it, and writes this clause to
// the proof.
//
// Precondition: the line implied `lit`, above the root.
// Postcondition: the reason is kExplained; the clause is kept until the next return to the root. If
// the watch stops the call, nothing has changed.
void Solver::explain(Lit lit, Reason& reason, Watch& watch) {
  assert(reason.kind == Reason::Kind::kLine && level() > 0);
  ++statistics_.explanations;
  std::vector<Lit> lits;
  lines_.explain(static_cast<int>(reason.first), lit, values_,
                 {positions_, level_starts_[0], positions_[var_of(lit)]}, lits, watch);
  if (proof_) proof_->add_temporary(lit, lits);
  reason = {Reason::Kind::kExplained, static_cast<uint32_t>(explained_.size()), 0};
  explained_.push_back(std::move(lits));
}

// Learns a clause from a conflict and backtracks to a level at which it implies a literal.
//
// Precondition: all literals of `conflict_` are false, and they form a clause that follows from the
// input.
// Postcondition: either `is_unsat_`, or a clause was learnt all of whose literals were false on the
// trail before the call. On the trail now, the first literal has just become true with this clause
// as its reason, and all others are false. No variable is marked. If the watch stops the call,
// nothing is learnt, and the search can continue.
void Solver::learn(Watch& watch) {
  ++statistics_.conflicts;
  restarts_.note_conflict();
  // A conflict of a line may be independent of the last decision: backtrack to its highest level.
  do {
    uint32_t top = 0;
    for (const Lit lit : conflict_) top = std::max(top, levels_[var_of(lit)]);
    if (top == level()) lines_.clear_changed();
    cancel_until(top);
    if (top == 0) {
      is_unsat_ = true;
      return;
    }
    try {
      resolve(watch);
      minimise(watch);
    } catch (...) {
      unmark();
      throw;
    }
    unmark();
  } while (find_lower_conflict());
  statistics_.learnt_lits += static_cast<int64_t>(learnt_.size());
  order_.decay(restarts_.is_guided() ? kGuidedDecay
               : is_chronological()  ? kChronologicalDecay
                                     : kDecay);
  backjump();
}

void Solver::unmark() {
  for (const Var var : marked_) marks_[var] = 0;
  marked_.clear();
}

// Resolves the conflict with the reasons of its literals, in reverse order of the trail, until one
// literal of the current level is left (the first unique implication point).
//
// Precondition: the conflict has a literal of the current level; no variable is marked.
// Postcondition: `learnt_` is a clause all of whose literals are false. Its first literal is the
// only one of the current level; no other literal is of the root. The variables visited are marked,
// and their activity is increased.
void Solver::resolve(Watch& watch) {
  assert(marked_.empty() && level() > 0);
  learnt_.assign(1, kTrue);
  num_open_ = 0;
  for (const Lit lit : conflict_) visit(lit);
  assert(num_open_ > 0);
  size_t at = trail_.size();
  for (;;) {
    do --at;
    while (!marks_[var_of(trail_[at])]);
    const Lit lit = trail_[at];
    if (--num_open_ == 0) {
      learnt_[0] = negated(lit);
      return;
    }
    const Reason reason = reasons_[var_of(lit)];
    if (reason.kind == Reason::Kind::kClause) bump(arena_[reason.first]);
    for_each_antecedent(lit, watch, [&](Lit other) { visit(other); });
  }
}

// Adds a false literal to the clause being derived, once. Literals of the current level are counted
// in `num_open_` only, since they are resolved away.
void Solver::visit(Lit lit) {
  const Var var = var_of(lit);
  if (marks_[var] || levels_[var] == 0) return;
  marked_.push_back(var);  // first, since it may throw: no mark remains then
  marks_[var] = kSeen;
  order_.bump(var);
  if (levels_[var] == level()) {
    ++num_open_;
  } else {
    learnt_.push_back(lit);
  }
}

// Removes literals that the other literals of the clause imply (Soerensson and Biere 2009). The
// first literal remains, and the shorter clause still follows from the input.
void Solver::minimise(Watch& watch) {
  glue_of(learnt_);  // stamps the levels of the clause
  size_t kept = 1;
  for (size_t i = 1; i < learnt_.size(); ++i) {
    if (!is_implied(learnt_[i], 0, watch)) learnt_[kept++] = learnt_[i];
  }
  learnt_.resize(kept);
}

// Returns true only if literals of the learnt clause, all false, imply that `lit` is false; may
// return false for an implied literal, since the depth is limited. At depth 0 `lit` belongs to the
// clause and does not count as its own support.
//
// Precondition: `lit` is false; the levels of the clause's literals have the current stamp.
bool Solver::is_implied(Lit lit, uint32_t depth, Watch& watch) {
  const Var var = var_of(lit);
  if (levels_[var] == 0) return true;
  if (depth && marks_[var] & (kSeen | kImplied)) return true;
  if (marks_[var] & kNeeded || !reasons_[var] || depth > kMaxDepth) return false;
  if (stamps_[levels_[var]] != stamp_) return false;
  bool all = true;
  for_each_antecedent(negated(lit), watch,
                      [&](Lit other) { all = all && is_implied(other, depth + 1, watch); });
  if (depth) {
    if (!marks_[var]) marked_.push_back(var);
    marks_[var] |= all ? kImplied : kNeeded;
  }
  return all;
}

// Returns the failed core of the last refutation (Een and Sorensson 2003: final conflict): the
// assumption found false, and those that imply its negation.
//
// Precondition: `has_failed`. All decisions on the trail are then assumptions.
// Postcondition: the clauses and lines contradict the returned assumptions, each of which occurs
// once. The core is empty if the clauses and lines are contradictory themselves. No variable is
// marked.
std::vector<Lit> Solver::failed_core(Watch& watch) {
  assert(has_failed_ && marked_.empty());
  if (failed_assumption_ == kTrue) return {};
  std::vector<Lit> found{failed_assumption_};
  const auto mark = [&](Lit lit) {
    const Var var = var_of(lit);
    if (marks_[var] || levels_[var] == 0) return;
    marked_.push_back(var);
    marks_[var] = kSeen;
  };
  mark(failed_assumption_);
  try {
    for (size_t at = trail_.size(); level() > 0 && at-- > level_starts_[0];) {
      const Lit lit = trail_[at];
      if (!marks_[var_of(lit)]) continue;
      if (!reasons_[var_of(lit)]) found.push_back(lit);
      for_each_antecedent(lit, watch, mark);
    }
  } catch (...) {
    unmark();
    throw;
  }
  unmark();
  return found;
}

// Returns the number of decision levels of the literals, and stamps these levels.
uint32_t Solver::glue_of(std::span<const Lit> lits) {
  ++stamp_;
  uint32_t glue = 0;
  for (const Lit lit : lits) {
    if (std::exchange(stamps_[levels_[var_of(lit)]], stamp_) != stamp_) ++glue;
  }
  return glue;
}

// Protects a clause used in a conflict from the next reductions, and updates its glue if it is
// lower now.
void Solver::bump(Clause& clause) {
  if (!clause.is_learnt) return;
  clause.used = 1;
  if (clause.glue <= kGlueKept) return;
  const uint32_t glue = glue_of(clause.lits());
  if (glue < clause.glue) clause.glue = glue, clause.is_vivified = 0;
  if (clause.glue <= kGlueOften) clause.used = 2;
}

// Backjumps to the second highest level of the learnt clause, adds the clause, and assigns its
// first literal. If a chronological search would backjump over more than `kFar` levels, it
// backtracks by one level only: decisions above the second highest level belong to other parts of
// the board and would have to be repeated (chronological backtracking: Nadel, Ryvchin 2018). The
// literal is then a missed implication until the search backtracks further (`reimply_missed`).
//
// Precondition: `learnt_` is the result of `resolve`, possibly minimised.
// Postcondition: that of `learn`; the two watched literals of a long clause become open first when
// the search backtracks further.
void Solver::backjump() {
  if (proof_) proof_->add(learnt_);  // before backtracking discards the explanations
  const uint32_t glue = glue_of(learnt_);
  restarts_.note_glue(glue);
  if (exchange_ && (glue <= kGlueShared || learnt_.size() <= 2)) {
    exchange_->send(worker_, learnt_, glue);
  }
  uint32_t target = 0;
  for (size_t i = 1; i < learnt_.size(); ++i) {
    if (levels_[var_of(learnt_[i])] <= target) continue;
    target = levels_[var_of(learnt_[i])];
    std::swap(learnt_[1], learnt_[i]);
  }
  const bool is_far = is_chronological() && level() - target > kFar;
  cancel_until(is_far ? level() - 1 : target);
  Reason reason;
  if (is_far) reason = {Reason::Kind::kShort, kFalse, kFalse};  // reason of a unit: not a decision
  if (learnt_.size() == 2) {
    add_short(learnt_[0], learnt_[1]);
    reason = {Reason::Kind::kShort, learnt_[1], kFalse};
  } else if (learnt_.size() > 2) {
    learnts_.push_back(arena_.add(learnt_, true, glue));
    attach(learnts_.back());
    reason = {Reason::Kind::kClause, learnts_.back(), 0};
  }
  assert(values_[learnt_[0]] == 0);
  assign(learnt_[0], reason);
  if (is_far) missed_.push_back({learnt_[0], target, reason});
}

}  // namespace nonosat::learn
