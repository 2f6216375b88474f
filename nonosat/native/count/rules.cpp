#include "count/rules.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <numeric>
#include <utility>

#include "cost.hpp"

namespace nonosat {
namespace {

constexpr size_t kMostDoublings = 62;  // number of doublings in a word

Natural power_of_two(size_t exponent) {
  Natural power(1);
  for (; exponent > kMostDoublings; exponent -= kMostDoublings) {
    power = power * Natural(uint64_t{1} << kMostDoublings);
  }
  return power * Natural(uint64_t{1} << exponent);
}

}  // namespace

RulesCount::RulesCount(int32_t num_vars, std::span<const Rule> rules,
                       std::span<const int32_t> chosen, size_t max_bytes)
    : states_(rules.size()),
      occurrences_(static_cast<size_t>(num_vars) + 1),
      values_(occurrences_.size()),
      is_chosen_(occurrences_.size()),
      seen_vars_(occurrences_.size()),
      seen_rules_(rules.size()),
      scores_(occurrences_.size()),
      numbers_(max_bytes / 2),
      max_bytes_(max_bytes) {
  trail_.reserve(occurrences_.size());  // so that `assign` and `undo` never allocate
  for (const int32_t var : chosen) is_chosen_[var] = true;
  starts_.push_back(0);
  for (size_t index = 0; index < rules.size(); ++index) {
    const Rule& rule = rules[index];
    lits_.insert(lits_.end(), rule.lits.begin(), rule.lits.end());
    starts_.push_back(static_cast<int32_t>(lits_.size()));
    lower_.push_back(rule.lower);
    upper_.push_back(rule.upper);
    states_[index].num_open = static_cast<int32_t>(rule.lits.size());
    for (const int32_t lit : rule.lits) {
      occurrences_[std::abs(lit)].push_back({static_cast<int32_t>(index), lit > 0});
    }
  }
}

bool RulesCount::run(Watch& watch, int64_t budget) {
  const int64_t end = watch.done() + budget;
  if (is_full_) return is_exact_;
  try {
    if (!has_begun_) begin();
    while (!is_exact_ && !is_full_ && watch.done() < end) {
      try {
        watch.work(std::exchange(work_, 0) + cost::kRulesStep);
      } catch (const Stopped&) {
        settle_total();
        throw;
      }
      step();
      is_full_ = num_bytes_ > max_bytes_ / 2;
    }
    settle_total();
  } catch (const std::bad_alloc&) {
    is_full_ = true;  // the step may be incomplete, so the total is not updated
  }
  return is_exact_;
}

// Propagates at the root, and splits the remaining variables into components.
void RulesCount::begin() {
  bool is_consistent = true;
  for (int32_t rule = 0; is_consistent && rule < std::ssize(states_); ++rule) {
    is_consistent = imply(rule);
  }
  is_consistent = is_consistent && propagate(0);
  Branch whole{{}, {}, true, 0, 2, 0, Natural(), Natural(), {}, 0};
  whole.trail_size = trail_.size();
  if (is_consistent) {
    whole.vars.resize(occurrences_.size() - 1);
    std::iota(whole.vars.begin(), whole.vars.end(), 1);
    split(whole);
  }
  branches_.push_back(std::move(whole));
  has_begun_ = true;
}

// Continues with the next component of the current value, or with the next value.
void RulesCount::step() {
  Branch& branch = branches_.back();
  if (!branch.left.empty()) {
    Part part = std::move(branch.left.back());
    branch.left.pop_back();
    enter(std::move(part));
    return;
  }
  branch.sum += branch.product;
  branch.product = Natural();
  undo(branch.trail_size);
  const bool is_settled = !branch.has_chosen && !branch.sum.is_zero();  // satisfiability suffices
  if (branch.num_tried == 2 || is_settled) {
    finish();
  } else {
    try_next(branch);
  }
}

void RulesCount::try_next(Branch& branch) {
  const int32_t lit = branch.num_tried++ ? -branch.lit : branch.lit;
  assign(lit);
  if (propagate(branch.trail_size)) split(branch);
}

// Stores the count of a component, and adds it to the branch that requested it.
void RulesCount::finish() {
  Branch done = std::move(branches_.back());
  branches_.pop_back();
  num_bytes_ -= done.num_bytes;
  if (branches_.empty()) {
    total_ = std::move(done.sum);
    is_exact_ = true;
    return;
  }
  deliver(done.sum);
  numbers_.put(std::move(done.key), std::move(done.sum));
}

void RulesCount::deliver(const Natural& number) {
  Branch& branch = branches_.back();
  branch.product = branch.product * number;
  if (number.is_zero()) branch.left.clear();
}

// Counts a component: from the cache, or by a branch of its own.
void RulesCount::enter(Part part) {
  std::vector<int32_t> key = key_of(part);
  if (const Natural* known = numbers_.find(key)) {
    ++statistics_.num_recalled;
    deliver(*known);
    return;
  }
  ++statistics_.num_nodes;
  const int32_t lit = best_literal(part);
  const size_t num_bytes = sizeof(Branch) + part.num_bytes() + key.size() * sizeof(int32_t);
  branches_.push_back({std::move(part.vars),
                       std::move(key),
                       part.has_chosen,
                       lit,
                       0,
                       trail_.size(),
                       Natural(),
                       Natural(),
                       {},
                       num_bytes});
  num_bytes_ += num_bytes;
}

// Propagation.

bool RulesCount::is_kept(int32_t rule) const {
  const State& state = states_[rule];
  return state.num_true >= lower_[rule] && state.num_true + state.num_open <= upper_[rule];
}

void RulesCount::assign(int32_t lit) {
  const int32_t var = std::abs(lit);
  values_[var] = lit > 0 ? 1 : -1;
  trail_.push_back(lit);
  for (const auto& [rule, is_positive] : occurrences_[var]) {
    --states_[rule].num_open;
    states_[rule].num_true += is_positive == (lit > 0);
  }
  work_ += std::ssize(occurrences_[var]);
}

// Propagates the literals of the trail from a position on; false at a contradiction.
bool RulesCount::propagate(size_t from) {
  for (size_t at = from; at < trail_.size(); ++at) {
    for (const Occurrence& occurrence : occurrences_[std::abs(trail_[at])]) {
      if (!imply(occurrence.rule)) return false;
    }
  }
  return true;
}

// Assigns the open literals of a rule that has no choice left; false if it cannot be satisfied.
bool RulesCount::imply(int32_t rule) {
  const auto [num_true, num_open] = states_[rule];
  if (num_true > upper_[rule] || num_true + num_open < lower_[rule]) return false;
  if (!num_open) return true;
  const bool is_full = num_true == upper_[rule];
  if (!is_full && num_true + num_open != lower_[rule]) return true;
  work_ += starts_[rule + 1] - starts_[rule];
  for (const int32_t lit : lits(rule)) {
    if (is_open(std::abs(lit))) assign(is_full ? -lit : lit);
  }
  return true;
}

void RulesCount::undo(size_t trail_size) {
  for (; trail_.size() > trail_size; trail_.pop_back()) {
    const int32_t lit = trail_.back(), var = std::abs(lit);
    values_[var] = 0;
    for (const auto& [rule, is_positive] : occurrences_[var]) {
      ++states_[rule].num_open;
      states_[rule].num_true -= is_positive == (lit > 0);
    }
  }
}

// Components.

// Finds the components of a branch's open variables; those without an unsatisfied rule are free.
void RulesCount::split(Branch& branch) {
  std::vector<Part> found;
  size_t num_free = 0, num_bytes = 0;
  ++walk_;
  for (const int32_t var : branch.vars) {
    if (!is_open(var) || seen_vars_[var] == walk_) continue;
    Part part = reach(var);
    if (part.rules.empty()) {
      num_free += is_chosen_[var];
    } else {
      num_bytes += part.num_bytes();
      found.push_back(std::move(part));
    }
  }
  // `left` is taken from its end: small components, and those that need not be counted, come first,
  // since they reveal contradictions at the least cost.
  std::stable_sort(found.begin(), found.end(), [](const Part& one, const Part& other) {
    return std::pair(one.has_chosen, one.vars.size()) >
           std::pair(other.has_chosen, other.vars.size());
  });
  branch.product = power_of_two(num_free);
  branch.left = std::move(found);
  num_bytes_ += num_bytes;
  branch.num_bytes += num_bytes;
}

RulesCount::Part RulesCount::reach(int32_t var) {
  Part part;
  part.vars.push_back(var);
  seen_vars_[var] = walk_;
  for (size_t at = 0; at < part.vars.size(); ++at) {
    part.has_chosen |= is_chosen_[part.vars[at]] != 0;
    for (const Occurrence& occurrence : occurrences_[part.vars[at]]) {
      const int32_t rule = occurrence.rule;
      if (seen_rules_[rule] == walk_ || is_kept(rule)) continue;
      seen_rules_[rule] = walk_;
      part.rules.push_back(rule);
      for (const int32_t lit : lits(rule)) {
        const int32_t other = std::abs(lit);
        if (!is_open(other) || seen_vars_[other] == walk_) continue;
        seen_vars_[other] = walk_;
        part.vars.push_back(other);
      }
      work_ += starts_[rule + 1] - starts_[rule];
    }
    work_ += std::ssize(occurrences_[part.vars[at]]);
  }
  std::sort(part.vars.begin(), part.vars.end());
  std::sort(part.rules.begin(), part.rules.end());
  return part;
}

// Returns the cache key of a component: its variables and rules, with the number of true literals
// of each rule, which determines the bounds on its open literals.
std::vector<int32_t> RulesCount::key_of(const Part& part) const {
  std::vector<int32_t> key = part.vars;
  key.push_back(0);
  for (const int32_t rule : part.rules) {
    key.push_back(rule);
    const bool is_clause = lower_[rule] == 1 && upper_[rule] == starts_[rule + 1] - starts_[rule];
    if (!is_clause) key.push_back(states_[rule].num_true);
  }
  return key;
}

// Returns the variable with the highest weight in short rules, among the chosen variables if the
// component has any.
int32_t RulesCount::best_literal(const Part& part) {
  for (const int32_t rule : part.rules) {
    const double weight = 1.0 / states_[rule].num_open;
    for (const int32_t lit : lits(rule)) scores_[std::abs(lit)] += weight;
  }
  int32_t best = 0;
  for (const int32_t var : part.vars) {
    if (part.has_chosen && !is_chosen_[var]) continue;
    if (!best || scores_[var] > scores_[best]) best = var;
  }
  for (const int32_t rule : part.rules) {
    for (const int32_t lit : lits(rule)) scores_[std::abs(lit)] = 0;
    work_ += 2 * (starts_[rule + 1] - starts_[rule]);
  }
  return best;
}

// Raises the total to a lower bound from the unfinished branches: from the last to the first, each
// adds to the current value of the preceding one if that has no other components left.
void RulesCount::settle_total() {
  if (is_exact_) return;
  Natural found(1);
  for (size_t at = branches_.size(); at-- > 0;) {
    const Branch& branch = branches_[at];
    found = branch.left.empty() ? branch.product * found : Natural();
    found += branch.sum;
    if (!branch.has_chosen && !found.is_zero()) found = Natural(1);
  }
  if (!branches_.empty() && total_ < found) total_ = std::move(found);
}

}  // namespace nonosat
