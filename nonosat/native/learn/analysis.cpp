// What a conflict teaches: its first unique implication point, minimised, becomes a clause.
#include <algorithm>
#include <utility>

#include "learn/solver.hpp"

namespace nonosat::learn {
namespace {

// Proofs of uniqueness, every sixth of 79 puzzles: 0.95 took 119,000 conflicts, 0.9 118,000, 0.85
// 105,000; n-domino 16 wants 0.95 (51,000 against 55,000).
constexpr double kDecay = 0.85, kGuidedDecay = 0.95;
constexpr uint32_t kMaxDepth = 500;
// Marks of variables.
constexpr uint8_t kSeen = 1, kImplied = 2, kNeeded = 4;

}  // namespace

// The false literals that made `lit` true.
template <class Visit>
void Solver::for_each_antecedent(Lit lit, Visit visit) {
  Reason& reason = reasons_[var_of(lit)];
  if (reason.kind == Reason::Kind::kLine) explain(lit, reason);
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

void Solver::explain(Lit lit, Reason& reason) {
  ++statistics_.explanations;
  std::vector<Lit> lits;
  lines_.explain(static_cast<int>(reason.first), lit, values_,
                 {places_, limits_[0], places_[var_of(lit)]}, lits);
  if (proof_) proof_->add_passing(lit, lits);
  reason = {Reason::Kind::kExplained, static_cast<uint32_t>(explained_.size()), 0};
  explained_.push_back(std::move(lits));
}

void Solver::learn() {
  ++statistics_.conflicts;
  ++since_restart_;
  // A line's conflict may lie below the last decision: what it needs came earlier.
  uint32_t top = 0;
  for (const Lit lit : conflict_) top = std::max(top, levels_[var_of(lit)]);
  cancel_until(top);
  if (top == 0) {
    is_unsat_ = true;
    return;
  }
  resolve();
  minimise();
  statistics_.learnt_lits += static_cast<int64_t>(learnt_.size());
  for (const Var var : marked_) marks_[var] = 0;
  marked_.clear();
  order_.decay(is_guided_ ? kGuidedDecay : kDecay);
  backjump();
}

// Leaves the clause in `learnt_`, the literal that it will imply in front.
void Solver::resolve() {
  learnt_.assign(1, kTrue);
  num_open_ = 0;
  for (const Lit lit : conflict_) visit(lit);
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
    for_each_antecedent(lit, [&](Lit other) { visit(other); });
  }
}

void Solver::visit(Lit lit) {
  const Var var = var_of(lit);
  if (marks_[var] || levels_[var] == 0) return;
  marks_[var] = kSeen;
  marked_.push_back(var);
  order_.bump(var);
  if (levels_[var] == level()) {
    ++num_open_;
  } else {
    learnt_.push_back(lit);
  }
}

// Drops literals that others of the clause imply (Soerensson and Biere 2009).
void Solver::minimise() {
  glue_of(learnt_);  // stamps the levels in the clause
  size_t kept = 1;
  for (size_t i = 1; i < learnt_.size(); ++i) {
    if (!is_implied(learnt_[i], 0)) learnt_[kept++] = learnt_[i];
  }
  learnt_.resize(kept);
}

bool Solver::is_implied(Lit lit, uint32_t depth) {
  const Var var = var_of(lit);
  if (levels_[var] == 0) return true;
  if (depth && marks_[var] & (kSeen | kImplied)) return true;
  if (marks_[var] & kNeeded || !reasons_[var] || depth > kMaxDepth) return false;
  if (stamps_[levels_[var]] != stamp_) return false;
  bool all = true;
  for_each_antecedent(negated(lit), [&](Lit other) { all = all && is_implied(other, depth + 1); });
  if (depth) {
    if (!marks_[var]) marked_.push_back(var);
    marks_[var] |= all ? kImplied : kNeeded;
  }
  return all;
}

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

void Solver::backjump() {
  if (proof_) proof_->add(learnt_);  // before the lines' reasons are forgotten
  const uint32_t glue = glue_of(learnt_);
  fast_glue_ += (glue - fast_glue_) / 33;
  const double window = std::min(1e5, 50.0 + static_cast<double>(statistics_.conflicts));
  slow_glue_ += (glue - slow_glue_) / window;
  uint32_t target = 0;
  for (size_t i = 1; i < learnt_.size(); ++i) {
    if (levels_[var_of(learnt_[i])] <= target) continue;
    target = levels_[var_of(learnt_[i])];
    std::swap(learnt_[1], learnt_[i]);
  }
  cancel_until(target);
  Reason reason;
  if (learnt_.size() == 2) {
    add_short(learnt_[0], learnt_[1]);
    reason = {Reason::Kind::kShort, learnt_[1], kFalse};
  } else if (learnt_.size() > 2) {
    learnts_.push_back(arena_.add(learnt_, true, glue));
    attach(learnts_.back());
    reason = {Reason::Kind::kClause, learnts_.back(), 0};
  }
  assign(learnt_[0], reason);
}

}  // namespace nonosat::learn
