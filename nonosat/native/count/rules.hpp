// Exact number of assignments of chosen variables that can be extended so that every rule is
// satisfied (projected model counting).
//
// A rule bounds the number of its true literals; a clause is a rule. The count branches, on chosen
// variables first, and propagates. The remaining rules form components that share no variable,
// whose counts are multiplied and cached. A component without chosen variables is only tested for
// satisfiability.
// Sources: Sang, Bacchus, Beame, Kautz, Pitassi, "Combining component caching and clause learning
// for effective model counting" (2004); Thurley, "sharpSAT: counting models with advanced component
// caching and implicit BCP" (2006), for the keys; Sharma, Roy, Soos, Meel, "GANAK: a scalable
// probabilistic exact model counter" (2019), for projection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "count/aging.hpp"
#include "count/natural.hpp"
#include "count/rule.hpp"
#include "watch.hpp"

namespace nonosat {

class RulesCount {
 public:
  struct Statistics {
    int64_t num_nodes = 0;     // variables branched on
    int64_t num_recalled = 0;  // components found in the cache
  };

  // Variables are 1 .. num_vars; none occurs twice in a rule. `chosen`: the variables that
  // distinguish solutions. `max_bytes` limits the cache and the unfinished branches.
  RulesCount(int32_t num_vars, std::span<const Rule> rules, std::span<const int32_t> chosen,
             size_t max_bytes);

  // Counts for `budget` units of work; true when the number is exact. The next call continues, also
  // after Stopped. Does nothing once memory has run out.
  bool run(Watch& watch, int64_t budget);

  // The number, or a lower bound that never decreases.
  const Natural& total() const { return total_; }
  bool is_exact() const { return is_exact_; }
  bool is_full() const { return is_full_; }
  const Statistics& statistics() const { return statistics_; }

 private:
  // A component: its open variables and its unsatisfied rules, both ascending.
  struct Part {
    std::vector<int32_t> vars, rules;
    bool has_chosen = false;

    size_t num_bytes() const { return (vars.size() + rules.size()) * sizeof(int32_t); }
  };
  // A component that is being branched on; the first one is the whole, without branching. Its count
  // so far is `sum`, and, for the current value, `product` times the counts of the components in
  // `left`.
  struct Branch {
    std::vector<int32_t> vars, key;
    bool has_chosen;
    int32_t lit;  // current literal, or the first one
    int num_tried;
    size_t trail_size;
    Natural sum, product;
    std::vector<Part> left;  // the next one is at the end
    size_t num_bytes;
  };
  struct Occurrence {
    int32_t rule;
    bool is_positive;
  };
  struct State {
    int32_t num_true = 0, num_open = 0;
  };

  bool is_open(int32_t var) const { return values_[var] == 0; }
  bool is_kept(int32_t rule) const;
  std::span<const int32_t> lits(int32_t rule) const {
    return {lits_.data() + starts_[rule], lits_.data() + starts_[rule + 1]};
  }

  void begin();
  void step();
  void try_next(Branch& branch);
  void finish();
  void deliver(const Natural& number);
  void enter(Part part);
  bool propagate(size_t from);
  void assign(int32_t lit);
  bool imply(int32_t rule);
  void undo(size_t trail_size);
  void split(Branch& branch);
  Part reach(int32_t var);
  int32_t best_literal(const Part& part);
  std::vector<int32_t> key_of(const Part& part) const;
  void settle_total();

  std::vector<int32_t> lits_, starts_;  // literals of all rules, and where each rule begins
  std::vector<int32_t> lower_, upper_;
  std::vector<State> states_;
  std::vector<std::vector<Occurrence>> occurrences_;  // by variable
  std::vector<int8_t> values_;                        // by variable: 1, -1, or 0 for open
  std::vector<uint8_t> is_chosen_;
  std::vector<int32_t> trail_;
  std::vector<uint64_t> seen_vars_, seen_rules_;  // number of the walk that visited it last
  uint64_t walk_ = 0;
  std::vector<double> scores_;  // by variable, 0 between two calls

  Aging<int32_t, Natural> numbers_;  // by component
  std::vector<Branch> branches_;
  size_t max_bytes_, num_bytes_ = 0;  // memory of the branches
  int64_t work_ = 0;                  // not yet reported to the watch
  bool has_begun_ = false, is_exact_ = false, is_full_ = false;
  Natural total_;
  Statistics statistics_;
};

}  // namespace nonosat
