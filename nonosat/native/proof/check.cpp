#include "proof/check.hpp"

#include <algorithm>

#include "cost.hpp"

namespace nonosat {
namespace {

constexpr size_t kMaxArena = size_t{1} << 29;  // 2 GiB

}  // namespace

Checker::Checker(const Formula& formula, const Drat& drat, Watch& watch)
    : proof_(drat),
      watch_(watch),
      num_vars_(formula.num_vars),
      step_clauses_(drat.steps.size(), kNone),
      step_trails_(drat.steps.size()) {
  const auto num = static_cast<size_t>(num_vars_) + 1;
  for (auto& lists : watches_) lists.resize(2 * num);
  values_.resize(2 * num);
  reasons_.resize(num);
  trail_positions_.resize(num);
  needed_roots_.resize(num);
  seen_.resize(num);
  negated_.resize(num);
  unit_ids_.resize(num);
  unit_clauses_.resize(num, -1);
  load(formula);
}

void Checker::run() {
  if (!forward()) throw Refused("the proof ends without a conflict");
  backward();
}

// ---- Clause memory ----

// Appends a clause to the arena, with sorted literals and without duplicates. A tautology is stored
// as a dead clause.
Checker::Ref Checker::store(const int32_t* first, const int32_t* last) {
  if (arena_.size() + (last - first) + 2 > kMaxArena) throw Refused("more than 2^29 literals");
  arena_.push_back(static_cast<Lit>(clauses_.size()));
  arena_.push_back(0);
  const size_t at = arena_.size();
  for (; first < last; ++first) arena_.push_back(encoded(*first));
  std::sort(arena_.begin() + at, arena_.end());
  arena_.erase(std::unique(arena_.begin() + at, arena_.end()), arena_.end());
  const auto negation = [](Lit one, Lit other) { return one == (other ^ 1); };
  const bool holds =
      std::adjacent_find(arena_.begin() + at, arena_.end(), negation) != arena_.end();
  arena_[at - 1] = static_cast<Lit>((arena_.size() - at) << 2) | (holds ? kDead : 0);
  clauses_.push_back(static_cast<Ref>(at));
  return clauses_.back();
}

// Hash of the set of literals, because propagation reorders them.
uint64_t Checker::hash(Ref ref) const {
  uint64_t sum = 0;
  for (Lit i = 0; i < size(ref); ++i) {
    uint64_t x = static_cast<uint64_t>(arena_[ref + i]) * 0x9e3779b97f4a7c15u;
    sum += (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
  }
  return sum;
}

// Returns true if two clauses have the same literals, in any order.
bool Checker::has_same_lits(Ref one, Ref other) const {
  if (size(one) != size(other)) return false;
  const Lit* mine = arena_.data() + one;
  return std::is_permutation(mine, mine + size(one), arena_.data() + other);
}

// ---- Forward pass ----

void Checker::load(const Formula& formula) {
  const int32_t* first = formula.clauses.data();
  const int32_t* const end = first + formula.clauses.size();
  while (first < end) {
    const int32_t* last = std::find(first, end, 0);
    store(first, last);
    watch_.work(cost::kCheckedClause + (last - first));
    first = last + 1;
  }
  num_formula_ = static_cast<int32_t>(clauses_.size());
}

// Adds a clause at the root: watches it, assigns its literal if it is unit, and makes it the
// conflict if all its literals are false. The watched literals, at the front, are non-false ones if
// there are any; with fewer than two of them the clause becomes satisfied or a reason in this
// batch, as the invariant requires.
void Checker::add(Ref ref) {
  if (has(ref, kDead)) return;
  Lit* lits = arena_.data() + ref;
  const Lit count = size(ref);
  Lit left = 0;  // literals that are not false; two of them go to the front
  for (Lit i = 0; i < count && left < 2; ++i) {
    if (!is_false(lits[i])) std::swap(lits[i], lits[left++]);
  }
  if (count >= 2) attach(ref);
  if (left == 0) {
    if (conflict_ == kNone) conflict_ = ref;
  } else if (left == 1 && !is_true(lits[0])) {
    assign(lits[0], ref);
  }
}

// Adds the formula and then, step by step, the lemmas unchecked, and propagates after each. Returns
// true as soon as the clauses conflict at the root. Stores the size of the trail before each step
// in step_trails_, with which `backward` undoes the steps.
bool Checker::forward() {
  const auto& steps = proof_.steps;
  const bool deletes =
      std::any_of(steps.begin(), steps.end(), [](auto& s) { return s.is_deletion; });
  for (int32_t i = 0; i < num_formula_; ++i) {
    add(clauses_[i]);
    if (deletes) by_hash_.emplace(hash(clauses_[i]), clauses_[i]);
    watch_.work(cost::kCheckedClause);
  }
  if (conflict_ != kNone || !propagate()) return true;
  for (size_t step = 0; step < steps.size(); ++step) {
    watch_.work(cost::kCheckedClause);
    step_trails_[step] = trail_.size();
    if (steps[step].is_deletion) {
      erase(step);
      continue;
    }
    ++num_lemmas_;
    const int32_t* lits = proof_.lits.data();
    const Ref ref = store(lits + steps[step].first, lits + steps[step].last);
    if (size(ref) == 0) {
      throw Refused("line " + std::to_string(steps[step].line) +
                    ": the empty clause does not follow by unit propagation");
    }
    step_clauses_[step] = ref;
    if (deletes) by_hash_.emplace(hash(ref), ref);
    add(ref);
    if (conflict_ != kNone || !propagate()) return true;
  }
  return false;
}

// Deletes a clause; without such a clause the step has no effect. Root literals stay assigned, even
// if the clause is their reason, because unassigning them would undo propagated literals. The
// clause to be deleted is stored temporarily for the comparison.
void Checker::erase(size_t step) {
  const Drat::Step& mine = proof_.steps[step];
  const int32_t* lits = proof_.lits.data();
  const Ref target = store(lits + mine.first, lits + mine.last);
  const auto [first, last] = by_hash_.equal_range(hash(target));
  const auto found = std::find_if(
      first, last, [&](const auto& pair) { return has_same_lits(pair.second, target); });
  clauses_.pop_back();
  arena_.resize(target - 2);
  if (found == last) return;
  const Ref ref = found->second;
  if (size(ref) < 2 || has(ref, kDead)) return;
  by_hash_.erase(found);
  detach(ref);
  step_clauses_[step] = ref;
}

void Checker::attach(Ref ref) {
  auto& lists = watches_[has(ref, kCore)];
  lists[arena_[ref]].push_back({ref, arena_[ref + 1]});
  lists[arena_[ref + 1]].push_back({ref, arena_[ref]});
}

// Removes a clause from its two watch lists, searching from the end, where recent clauses are.
void Checker::detach(Ref ref) {
  for (const Lit lit : {arena_[ref], arena_[ref + 1]}) {
    auto& list = watches_[0][lit];  // no clause is core in the forward pass
    watch_.work(static_cast<int64_t>(list.size()));
    const auto mine =
        std::find_if(list.rbegin(), list.rend(), [&](auto& w) { return w.clause == ref; });
    *mine = list.back();
    list.pop_back();
  }
}

// ---- Propagation ----

void Checker::assign(Lit lit, Ref reason) {
  values_[lit] = 1;
  values_[lit ^ 1] = -1;
  reasons_[var_of(lit)] = reason;
  trail_positions_[var_of(lit)] = trail_.size();
  trail_.push_back(lit);
}

// Backtracks the trail to an earlier size at which it was completely propagated.
void Checker::backtrack(size_t size) {
  for (size_t i = size; i < trail_.size(); ++i) values_[trail_[i]] = values_[trail_[i] ^ 1] = 0;
  trail_.resize(size);
  heads_[0] = heads_[1] = size;
}

// Propagates the whole trail; returns false at a conflict, which is then `conflict_`. Core clauses
// come first: a conflict without other clauses makes fewer clauses core, so that fewer are checked
// (core first, Heule, Hunt, Wetzler 2013).
bool Checker::propagate() {
  while (true) {
    if (heads_[1] < trail_.size()) {
      if (!visit_watches(trail_[heads_[1]++], true)) return false;
    } else if (heads_[0] < trail_.size()) {
      if (!visit_watches(trail_[heads_[0]++], false)) return false;
    } else {
      return true;
    }
  }
}

// Visits the clauses, core or not, that watch the negation of a literal that has become true.
// Returns false at a conflict; the list is complete then, too. A clause that has become core since
// it entered the list moves to the list of core clauses.
bool Checker::visit_watches(Lit lit, bool core) {
  const Lit falsified = lit ^ 1;
  auto& list = watches_[core][falsified];
  watch_.work(cost::kCheckedClause + 2 * static_cast<int64_t>(list.size()));
  size_t kept = 0, at = 0;
  bool holds = true;
  while (holds && at < list.size()) {
    Watcher watcher = list[at++];
    if (is_true(watcher.other)) {
      list[kept++] = watcher;
      continue;
    }
    bool stays = true;
    holds = update_watch(watcher, falsified, stays);
    if (!stays) continue;
    if (!core && has(watcher.clause, kCore)) {
      watches_[1][falsified].push_back(watcher);
    } else {
      list[kept++] = watcher;
    }
  }
  while (at < list.size()) list[kept++] = list[at++];
  list.resize(kept);
  return holds;
}

// Updates the watch of one clause whose watched literal `falsified` has become false: finds another
// literal to watch, or propagates the other watched one. Returns false at a conflict. Sets `stays`
// to false if the watcher leaves its list, because it entered another one or the clause is dead.
// Sets watcher.other to the other watched literal.
bool Checker::update_watch(Watcher& watcher, Lit falsified, bool& stays) {
  const Ref ref = watcher.clause;
  if (has(ref, kDead)) {
    stays = false;
    return true;
  }
  Lit* lits = arena_.data() + ref;
  if (lits[0] == falsified) std::swap(lits[0], lits[1]);
  watcher.other = lits[0];
  if (is_true(lits[0])) return true;
  const Lit count = size(ref);
  for (Lit i = 2; i < count; ++i) {
    if (is_false(lits[i])) continue;
    std::swap(lits[1], lits[i]);
    watches_[has(ref, kCore)][lits[1]].push_back({ref, lits[0]});
    stays = false;
    return true;
  }
  if (is_false(lits[0])) {
    conflict_ = ref;
    return false;
  }
  assign(lits[0], ref);
  return true;
}

}  // namespace nonosat
