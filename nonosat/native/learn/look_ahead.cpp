#include <algorithm>
#include <numeric>

#include "cost.hpp"
#include "learn/solver.hpp"

namespace nonosat::learn {
// Makes a literal true at the level where the search is, with all that it implies.
bool Solver::extend(Lit lit, Watch& watch) {
  if (values_[lit] < 0) return false;
  if (values_[lit] == 0) assign(lit, {});
  const int64_t before = statistics_.propagations;
  const bool is_consistent = propagate(watch);
  watch.work(cost::kPropagation * (statistics_.propagations - before + 1));
  return is_consistent;
}

// How many literals hold once this open one does; none where that is refuted.
size_t Solver::try_literal(Lit lit, Watch& watch) {
  const uint32_t base = level();
  const size_t before = trail_.size();
  open_level();
  const bool is_consistent = extend(lit, watch);
  const size_t num_implied = trail_.size() - before;
  cancel_until(base);
  next_ = trail_.size();  // everything below is propagated, at the root, too
  return is_consistent ? num_implied : 0;
}

// Tries both literals of each candidate; what a refuted one leaves is known from then on. False
// where a candidate has neither.
bool Solver::try_all(std::span<const Var> candidates, std::vector<Trial>& trials, int64_t budget,
                     Outlook& found, Watch& watch) {
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (size_t i = 0; i < candidates.size(); ++i) {
      const Lit lit = 2 * candidates[i];
      if (values_[lit]) continue;
      if (found.cost >= budget) return true;
      found.num_probes += 2;
      const size_t with = try_literal(lit, watch), without = try_literal(negated(lit), watch);
      found.cost += static_cast<int64_t>(with + without) + 2;
      trials[i] = {with <= without ? lit : negated(lit),
                   (1 + static_cast<double>(with)) * (1 + static_cast<double>(without))};
      if (with && without) continue;
      has_changed = true;
      if (!with && !extend(negated(lit), watch)) return false;
      if (!without && !extend(lit, watch)) return false;
    }
  }
  return true;
}

Outlook Solver::look_ahead(std::span<const Lit> cube, std::span<const Var> candidates, size_t most,
                           int64_t budget, Watch& watch) {
  cancel_until(0);
  has_failed_ = false;
  shorts_.pack();
  next_ = 0;  // what was added since may be unit under what was known
  Outlook found;
  if (is_unsat_ || !extend(kTrue, watch)) is_unsat_ = true;
  bool is_consistent = !is_unsat_;
  if (is_consistent && !cube.empty()) open_level();
  for (size_t i = 0; i < cube.size() && is_consistent; ++i) is_consistent = extend(cube[i], watch);
  std::vector<Trial> trials(candidates.size());
  if (is_consistent) is_consistent = try_all(candidates, trials, budget, found, watch);
  found.is_refuted = !is_consistent;
  found.num_open = reasons_.size() - trail_.size();
  if (!is_consistent && level() == 0) is_unsat_ = true;
  std::vector<size_t> open;
  for (size_t i = 0; i < candidates.size() && is_consistent; ++i) {
    if (!values_[2 * candidates[i]]) open.push_back(i);
  }
  std::stable_sort(open.begin(), open.end(),
                   [&](size_t i, size_t j) { return trials[i].score > trials[j].score; });
  if (open.size() > most) open.resize(most);
  for (const size_t i : open) {
    found.best.push_back(trials[i].score ? trials[i].lit : 2 * candidates[i]);
  }
  cancel_until(0);
  return found;
}

}  // namespace nonosat::learn
