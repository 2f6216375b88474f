#include <algorithm>
#include <numeric>

#include "cost.hpp"
#include "learn/solver.hpp"

namespace nonosat::learn {
// Assigns a literal at the current level and propagates; false at a conflict.
bool Solver::assign_and_propagate(Lit lit, Watch& watch) {
  if (values_[lit] < 0) return false;
  if (values_[lit] == 0) assign(lit, {});
  const int64_t before = statistics_.propagations;
  const bool is_consistent = propagate(watch);
  watch.work(cost::kPropagation * (statistics_.propagations - before + 1));
  return is_consistent;
}

// Returns the number of literals that an open literal implies, itself included; 0 if it is refuted.
size_t Solver::probe_literal(Lit lit, Watch& watch) {
  const uint32_t base = level();
  const size_t before = trail_.size();
  open_level();
  const bool is_consistent = assign_and_propagate(lit, watch);
  const size_t num_implied = trail_.size() - before;
  cancel_until(base);
  num_propagated_ = trail_.size();  // all literals of the trail are propagated, also at the root
  return is_consistent ? num_implied : 0;
}

// Probes both literals of each candidate until nothing changes or the budget is spent. The negation
// of a refuted literal is assigned at the current level. False if both literals of a candidate are
// refuted.
bool Solver::probe_all(std::span<const Var> candidates, std::vector<Probe>& probes, int64_t budget,
                       LookAhead& found, Watch& watch) {
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (size_t i = 0; i < candidates.size(); ++i) {
      const Lit lit = 2 * candidates[i];
      if (values_[lit]) continue;
      if (found.cost >= budget) return true;
      found.num_probes += 2;
      const size_t with = probe_literal(lit, watch), without = probe_literal(negated(lit), watch);
      found.cost += static_cast<int64_t>(with + without) + 2;
      probes[i] = {with <= without ? lit : negated(lit),
                   (1 + static_cast<double>(with)) * (1 + static_cast<double>(without))};
      if (with && without) continue;
      has_changed = true;
      if (!with && !assign_and_propagate(negated(lit), watch)) return false;
      if (!without && !assign_and_propagate(lit, watch)) return false;
    }
  }
  return true;
}

LookAhead Solver::look_ahead(std::span<const Lit> cube, std::span<const Var> candidates,
                             size_t most, int64_t budget, Watch& watch) {
  cancel_until(0);
  has_failed_ = false;
  shorts_.pack();
  num_propagated_ = 0;  // clauses added since may be unit under the trail
  LookAhead found;
  if (is_unsat_ || !assign_and_propagate(kTrue, watch)) is_unsat_ = true;
  bool is_consistent = !is_unsat_;
  if (is_consistent && !cube.empty()) open_level();
  for (size_t i = 0; i < cube.size() && is_consistent; ++i)
    is_consistent = assign_and_propagate(cube[i], watch);
  std::vector<Probe> probes(candidates.size());
  if (is_consistent) is_consistent = probe_all(candidates, probes, budget, found, watch);
  found.is_refuted = !is_consistent;
  found.num_open = reasons_.size() - trail_.size();
  if (!is_consistent && level() == 0) is_unsat_ = true;
  std::vector<size_t> open;
  for (size_t i = 0; i < candidates.size() && is_consistent; ++i) {
    if (!values_[2 * candidates[i]]) open.push_back(i);
  }
  std::stable_sort(open.begin(), open.end(),
                   [&](size_t i, size_t j) { return probes[i].score > probes[j].score; });
  if (open.size() > most) open.resize(most);
  for (const size_t i : open) {
    found.best.push_back(probes[i].score ? probes[i].lit : 2 * candidates[i]);
  }
  cancel_until(0);
  return found;
}

}  // namespace nonosat::learn
