// What a conflict teaches: its first unique implication point, minimised, becomes a clause. And
// which assumptions a refutation under assumptions has used.
#include <algorithm>
#include <cassert>
#include <utility>

#include "learn/solver.hpp"

namespace nonosat::learn {
namespace {

// Proofs of uniqueness, every sixth of 79 puzzles: 0.95 took 119,000 conflicts, 0.9 118,000, 0.85
// 105,000; n-domino 16 wants 0.95 (51,000 against 55,000).
constexpr double kDecay = 0.85, kWideDecay = 0.9, kGuidedDecay = 0.95;
constexpr uint32_t kMaxDepth = 500;
constexpr uint32_t kFar = 10;  // levels; 20 and 3 took more on slitherlinks of 100 x 100
// Marks of variables.
constexpr uint8_t kSeen = 1, kImplied = 2, kNeeded = 4;

}  // namespace

// Visits the false literals that made `lit` true: together with `lit` they are a clause that
// follows from what the search was given. All became false before `lit` became true. A decision,
// and what was given as a unit, has none.
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

// Turns the reason of `lit`, a line, into the clause that explains it, and writes that to the
// proof.
//
// Precondition: the line made `lit` true, above the root.
// Postcondition: the reason is kExplained; the clause lives until the next return to the root.
// Where the watch stops it, nothing has changed.
void Solver::explain(Lit lit, Reason& reason, Watch& watch) {
  assert(reason.kind == Reason::Kind::kLine && level() > 0);
  ++statistics_.explanations;
  std::vector<Lit> lits;
  lines_.explain(static_cast<int>(reason.first), lit, values_,
                 {places_, limits_[0], places_[var_of(lit)]}, lits, watch);
  if (proof_) proof_->add_passing(lit, lits);
  reason = {Reason::Kind::kExplained, static_cast<uint32_t>(explained_.size()), 0};
  explained_.push_back(std::move(lits));
}

// Turns a conflict into a learnt clause, and goes back to where that implies something.
//
// Precondition: all literals of `conflict_` are false, above the root at least the decisions; the
// clause that they are follows from what the search was given.
// Postcondition: either `is_unsat_`, or a clause was learnt that is false on the trail as it was,
// all its literals but the first are false on the trail as it is, and the first has just become
// true with the clause as its reason. No variable is marked. Where the watch stops it, nothing is
// learnt, and the search can go on.
void Solver::learn(Watch& watch) {
  ++statistics_.conflicts;
  restarts_.note_conflict();
  // A line's conflict may lie below the last decision: what it needs came earlier.
  do {
    uint32_t top = 0;
    for (const Lit lit : conflict_) top = std::max(top, levels_[var_of(lit)]);
    if (top == level()) lines_.forget_changed();
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
  } while (lies_below());
  statistics_.learnt_lits += static_cast<int64_t>(learnt_.size());
  order_.decay(restarts_.is_guided() ? kGuidedDecay : is_wide() ? kWideDecay : kDecay);
  backjump();
}

void Solver::unmark() {
  for (const Var var : marked_) marks_[var] = 0;
  marked_.clear();
}

// Resolves the conflict with the reasons of its literals, the latest first, until one literal of
// the last decision's level is left (the first unique implication point).
//
// Precondition: the conflict has a literal of the level that the search is at; nothing is marked.
// Postcondition: `learnt_` is a clause, all of whose literals are false; in front is its only one
// of this level. No other is of the root. The variables met are marked, and count for more.
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

// Takes a false literal into the clause under way, once: those of this level are resolved away.
void Solver::visit(Lit lit) {
  const Var var = var_of(lit);
  if (marks_[var] || levels_[var] == 0) return;
  marked_.push_back(var);  // first: where no memory is left for it, no mark stays behind
  marks_[var] = kSeen;
  order_.bump(var);
  if (levels_[var] == level()) {
    ++num_open_;
  } else {
    learnt_.push_back(lit);
  }
}

// Drops literals that others of the clause imply (Soerensson and Biere 2009). The first one stays,
// and what is left still follows.
void Solver::minimise(Watch& watch) {
  glue_of(learnt_);  // stamps the levels in the clause
  size_t kept = 1;
  for (size_t i = 1; i < learnt_.size(); ++i) {
    if (!is_implied(learnt_[i], 0, watch)) learnt_[kept++] = learnt_[i];
  }
  learnt_.resize(kept);
}

// Whether literals of the clause, all false, imply that `lit` is: a yes is right, a no may be for
// want of depth. At depth 0 `lit` is one of the clause, which does not count for itself.
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

// The assumptions that the last refutation used (Een and Sorensson 2003: final conflict): the one
// that was found false, and those from which that followed.
//
// Precondition: `has_failed`. All decisions on the trail are then assumptions.
// Postcondition: the clauses and lines refute these assumptions together; each is returned once.
// None where they need none. No variable is marked.
std::vector<Lit> Solver::failed(Watch& watch) {
  assert(has_failed_ && marked_.empty());
  if (refused_ == kTrue) return {};
  std::vector<Lit> found{refused_};
  const auto mark = [&](Lit lit) {
    const Var var = var_of(lit);
    if (marks_[var] || levels_[var] == 0) return;
    marked_.push_back(var);
    marks_[var] = kSeen;
  };
  mark(refused_);
  try {
    for (size_t at = trail_.size(); level() > 0 && at-- > limits_[0];) {
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

// In how many levels the literals lie. Stamps these levels.
uint32_t Solver::glue_of(std::span<const Lit> lits) {
  ++stamp_;
  uint32_t glue = 0;
  for (const Lit lit : lits) {
    if (std::exchange(stamps_[levels_[var_of(lit)]], stamp_) != stamp_) ++glue;
  }
  return glue;
}

// A clause that conflicts need is kept for longer; its glue may have become smaller.
void Solver::bump(Clause& clause) {
  if (!clause.is_learnt) return;
  clause.used = 1;
  if (clause.glue <= kGlueKept) return;
  const uint32_t glue = glue_of(clause.lits());
  if (glue < clause.glue) clause.glue = glue, clause.is_vivified = 0;
  if (clause.glue <= kGlueOften) clause.used = 2;
}

// Goes back to the second highest level of the learnt clause, keeps the clause, and lets it imply
// its first literal. Where many levels lie between and the search is a wide one, it goes back by
// one level only: what was decided above the second highest lies elsewhere on the board, and would
// have to be found again (chronological backtracking: Nadel, Ryvchin 2018). The literal then stands
// above the level that implies it, until the search goes back further (`keep_late`).
//
// Precondition: `learnt_` is what `resolve` leaves, perhaps with fewer literals.
// Postcondition: as that of `learn`; of a long clause the two literals watched are the ones that
// will become open first when the search goes back further.
void Solver::backjump() {
  if (proof_) proof_->add(learnt_);  // before the lines' reasons are forgotten
  const uint32_t glue = glue_of(learnt_);
  restarts_.note_glue(glue);
  if (exchange_ && (glue <= kGlueShared || learnt_.size() <= 2)) {
    exchange_->send(member_, learnt_, glue);
  }
  uint32_t target = 0;
  for (size_t i = 1; i < learnt_.size(); ++i) {
    if (levels_[var_of(learnt_[i])] <= target) continue;
    target = levels_[var_of(learnt_[i])];
    std::swap(learnt_[1], learnt_[i]);
  }
  const bool is_far = is_wide() && level() - target > kFar;
  cancel_until(is_far ? level() - 1 : target);
  Reason reason;
  if (is_far) reason = {Reason::Kind::kShort, kFalse, kFalse};  // of a unit: no decision
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
  if (is_far) late_.push_back({learnt_[0], target, reason});
}

}  // namespace nonosat::learn
