#include "proof/check.hpp"

#include <algorithm>
#include <utility>

namespace nonosat {
namespace {

constexpr int64_t kClauseCost = 20;            // units of work
constexpr size_t kMaxArena = size_t{1} << 29;  // 2 GiB

}  // namespace

Checker::Checker(const Formula& formula, const Drat& drat, Watch& watch)
    : proof_(drat),
      watch_(watch),
      num_vars_(formula.num_vars),
      step_clauses_(drat.steps.size(), kNone),
      step_trails_(drat.steps.size(), 0) {
  const auto num = static_cast<size_t>(num_vars_) + 1;
  for (auto& lists : lists_) lists.resize(2 * num);
  values_.resize(2 * num);
  reasons_.resize(num);
  places_.resize(num);
  needed_.resize(num);
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

// ---- The clauses' memory ----

// Literals are sorted and stand once. A clause that always holds is stored as a dead one.
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

uint64_t Checker::hash(Ref ref) const {
  uint64_t sum = 0;
  for (Lit i = 0; i < size(ref); ++i) {
    uint64_t x = static_cast<uint64_t>(arena_[ref + i]) * 0x9e3779b97f4a7c15u;
    sum += (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
  }
  return sum;
}

// As sets: propagation moves literals.
bool Checker::is_same(Ref one, Ref other) const {
  if (size(one) != size(other)) return false;
  const Lit* mine = arena_.data() + one;
  return std::is_permutation(mine, mine + size(one), arena_.data() + other);
}

// ---- Forward ----

void Checker::load(const Formula& formula) {
  const int32_t* first = formula.clauses.data();
  const int32_t* const end = first + formula.clauses.size();
  while (first < end) {
    const int32_t* last = std::find(first, end, 0);
    store(first, last);
    watch_.work(kClauseCost + (last - first));
    first = last + 1;
  }
  num_formula_ = static_cast<int32_t>(clauses_.size());
}

// Takes a clause in: it is watched, a reason, or the conflict.
void Checker::add(Ref ref) {
  if (has(ref, kDead)) return;
  Lit* lits = arena_.data() + ref;
  const Lit count = size(ref);
  Lit left = 0;  // not false; two of them go to the front
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

// Propagates step by step; whether the clauses came to a conflict.
bool Checker::forward() {
  const auto& steps = proof_.steps;
  const bool deletes =
      std::any_of(steps.begin(), steps.end(), [](auto& s) { return s.is_deletion; });
  for (int32_t i = 0; i < num_formula_; ++i) {
    add(clauses_[i]);
    if (deletes) by_hash_.emplace(hash(clauses_[i]), clauses_[i]);
    watch_.work(kClauseCost);
  }
  if (conflict_ != kNone || !propagate()) return true;
  for (size_t step = 0; step < steps.size(); ++step) {
    watch_.work(kClauseCost);
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
    if (conflict_ != kNone || !propagate()) {
      step_clauses_.resize(step + 1);
      return true;
    }
  }
  return false;
}

// A deletion: without effect where there is no such clause, or where a root literal needs it.
void Checker::erase(size_t step) {
  const Drat::Step& mine = proof_.steps[step];
  const int32_t* lits = proof_.lits.data();
  const Ref wanted = store(lits + mine.first, lits + mine.last);
  const auto [first, last] = by_hash_.equal_range(hash(wanted));
  const auto found =
      std::find_if(first, last, [&](const auto& pair) { return is_same(pair.second, wanted); });
  clauses_.pop_back();
  arena_.resize(wanted - 2);
  if (found == last) return;
  const Ref ref = found->second;
  if (size(ref) < 2 || has(ref, kDead)) return;
  for (const Lit lit : {arena_[ref], arena_[ref + 1]}) {
    if (is_true(lit) && reasons_[var_of(lit)] == ref) return;
  }
  by_hash_.erase(found);
  detach(ref);
  step_clauses_[step] = ref;
}

void Checker::attach(Ref ref) {
  auto& lists = lists_[has(ref, kCore)];
  lists[arena_[ref]].push_back({ref, arena_[ref + 1]});
  lists[arena_[ref + 1]].push_back({ref, arena_[ref]});
}

void Checker::detach(Ref ref) {
  for (const Lit lit : {arena_[ref], arena_[ref + 1]}) {
    auto& list = lists_[0][lit];  // nothing is core on the way forward
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
  places_[var_of(lit)] = trail_.size();
  trail_.push_back(lit);
}

// Takes the trail back to an earlier size, at which it was propagated.
void Checker::cut(size_t size) {
  for (size_t i = size; i < trail_.size(); ++i) values_[trail_[i]] = values_[trail_[i] ^ 1] = 0;
  trail_.resize(size);
  heads_[0] = heads_[1] = size;
}

// False at a conflict. Core clauses first: what they decide needs no other clause.
bool Checker::propagate() {
  while (true) {
    if (heads_[1] < trail_.size()) {
      if (!visit(trail_[heads_[1]++], true)) return false;
    } else if (heads_[0] < trail_.size()) {
      if (!visit(trail_[heads_[0]++], false)) return false;
    } else {
      return true;
    }
  }
}

// The clauses that watch the negation of a literal that has become true.
bool Checker::visit(Lit lit, bool core) {
  const Lit falsified = lit ^ 1;
  auto& list = lists_[core][falsified];
  watch_.work(kClauseCost + 2 * static_cast<int64_t>(list.size()));
  size_t kept = 0, at = 0;
  bool holds = true;
  while (holds && at < list.size()) {
    Watcher watcher = list[at++];
    if (is_true(watcher.other)) {
      list[kept++] = watcher;
      continue;
    }
    bool stays = true;
    holds = inspect(watcher, falsified, stays);
    if (!stays) continue;
    if (!core && has(watcher.clause, kCore)) {
      lists_[1][falsified].push_back(watcher);  // it has become core since
    } else {
      list[kept++] = watcher;
    }
  }
  while (at < list.size()) list[kept++] = list[at++];
  list.resize(kept);
  return holds;
}

// Finds another literal to watch, or propagates; false at a conflict.
bool Checker::inspect(Watcher& watcher, Lit falsified, bool& stays) {
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
    lists_[has(ref, kCore)][lits[1]].push_back({ref, lits[0]});
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

// ---- Backward ----

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

// Whether the lemma follows by unit propagation from the clauses before it, and from which.
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

// A literal on the way to a conflict: a root literal, or one that the trail explains from `base`
// on.
void Checker::see(Lit lit, size_t base) {
  const int32_t var = var_of(lit);
  if (seen_[var] || negated_[var]) return;
  seen_[var] = 1;
  if (places_[var] >= base) return;
  needed_[var] = 1;
  roots_.push_back(~static_cast<int64_t>(var));
}

// What a conflict comes from; leaves hints for `write`.
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

// Takes root literals back, the last one first, and writes those that are needed.
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

// An entry of the new proof with the hints found: root literals, then reasons in order.
void Checker::write(int32_t clause, Lit lit) {
  const size_t first = hints_.size();
  hints_.insert(hints_.end(), roots_.begin(), roots_.end());
  hints_.insert(hints_.end(), reasons_found_.rbegin(), reasons_found_.rend());
  entries_.push_back({clause, lit, first, hints_.size()});
  roots_.clear();
  reasons_found_.clear();
}

}  // namespace nonosat
