// Conflict-driven clause learning (Marques-Silva and Sakallah 1999; Een and Sorensson 2003) over
// clauses, with the exact line propagator as a theory.
//
// At each fixpoint of the clauses, changed lines are solved; the implications of a line are
// explained when conflict analysis needs their reasons. The clauses encode the lines, too, so that
// learnt clauses and decisions can use the order literals of the blocks. Learnt clauses are kept by
// glue (Audemard and Simon 2009) and vivified (Luo et al. 2017); restarts follow averages of the
// glue (Biere and Froehlich 2015). The search is deterministic: it depends only on its seed and the
// sequence of calls.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "learn/arena.hpp"
#include "learn/exchange.hpp"
#include "learn/lines.hpp"
#include "learn/lists.hpp"
#include "learn/literal.hpp"
#include "learn/order.hpp"
#include "learn/paths.hpp"
#include "learn/proof_log.hpp"
#include "learn/restarts.hpp"
#include "watch.hpp"

namespace nonosat::learn {

enum class Answer { kUnknown, kSat, kUnsat };

struct Statistics {
  int64_t conflicts = 0, decisions = 0, propagations = 0, restarts = 0, learnt_lits = 0;
  int64_t line_solves = 0, line_implications = 0, explanations = 0, vivified = 0;
  int64_t imported = 0;
};

// Result of look-ahead below a cube, a set of literals assumed true.
struct LookAhead {
  bool is_refuted = false;
  std::vector<Lit> best;   // for open candidates, the literal that implies fewer others
  size_t num_open = 0;     // unassigned variables, candidates or not
  int64_t num_probes = 0;  // literals probed
  int64_t cost = 0;        // literals probed and the literals that they implied
};

class Solver {
 public:
  // The seed draws initial activities of the variables; with 0, all of them are equal, and the
  // order is that of the variables. `most_words` limits the arena of long clauses; a clause beyond
  // it throws TooLarge, and all clauses added or learnt before remain.
  explicit Solver(uint64_t seed = 0, size_t most_words = Arena::kMostWords);

  // Makes a copy of `other` with its clauses, lines and learnt clauses. `seed` draws the initial
  // activities. The copy has its own statistics, takes part in no exchange, and keeps no proof.
  Solver(const Solver& other, uint64_t seed);

  // Adds `count` variables; the first variable is 1.
  void new_vars(size_t count);
  size_t num_vars() const { return reasons_.size() - 1; }

  void add(std::span<const Lit> clause);

  // Reserves memory before many clauses are added: `num_shorts[lit]` clauses of two or three
  // literals contain the negation of `lit`. This only saves time.
  void make_room(std::span<const uint32_t> num_shorts) { shorts_.make_room(num_shorts); }

  // Bytes that `solve` allocates temporarily before it begins.
  size_t packing_bytes() const { return shorts_.packing_bytes(); }

  // Adds a line to be propagated exactly. The clauses must encode it already.
  void add(const LineLits& line);

  // Adds a loop, whose clauses already state everything except that it is a single one. The search
  // then backtracks chronologically, since most conflicts of such boards are independent of most
  // decisions. Only the first loop added is followed. A search that keeps a proof must not call
  // this.
  void add(std::span<const Paths::Edge> loop) {
    cancel_until(0);
    has_failed_ = false;
    if (paths_.is_empty()) paths_ = Paths(loop);
  }

  bool follows_loop() const { return !paths_.is_empty(); }

  // Searches under assumptions, literals that hold for this call only. Returns kUnknown after
  // `num_conflicts` conflicts; the next call continues with the learnt clauses. If the watch stops
  // the call, the search remains usable.
  Answer solve(std::span<const Lit> assumptions, Watch& watch, int64_t num_conflicts);

  // Look-ahead below a cube: probes both values of each candidate, again while some are refuted,
  // until the cost reaches `budget`. Returns at most `most` open candidates for branching, those
  // with the largest product of the numbers of implied literals first (Heule and van Maanen,
  // "Look-Ahead Based SAT Solvers", 2009). The result depends only on the clauses and lines, and
  // not on earlier calls: refuted values, which do depend on them, do not count as cost. Literals
  // refuted without a cube remain assigned. A search that keeps a proof must not call this. If the
  // watch stops the call, the search remains usable.
  LookAhead look_ahead(std::span<const Lit> cube, std::span<const Var> candidates, size_t most,
                       int64_t budget, Watch& watch);

  // Value in the last model; false if there is no model, or if the variable is newer.
  bool is_true(Var var) const { return var < model_.size() && model_[var]; }

  // `has_failed` is true if the last call was a `solve` that returned kUnsat. `failed_core` then
  // returns the failed core: assumptions that the clauses and lines contradict, none if they
  // are contradictory themselves. The core need not be minimal. It is computed on request, since
  // lines have to explain their implications for it.
  bool has_failed() const { return has_failed_; }
  std::vector<Lit> failed_core(Watch& watch);

  // Sets the value that decisions on a variable try first; it overrides the saved phase.
  void set_phase(Lit lit) {
    user_phases_[var_of(lit)] = !is_negated(lit);
    restarts_.guide();
  }

  // Removes all phases of `set_phase`.
  void clear_phases() {
    std::fill(user_phases_.begin(), user_phases_.end(), kNone);
    restarts_.end_guidance(model_exists_);
  }

  // Takes part in an exchange from now on: sends learnt clauses of low glue to the other workers,
  // and imports theirs before each restart. All workers must be given the same variables, clauses
  // and lines; if one is given more, the others may receive consequences of that. A search that
  // keeps a proof must not call this.
  void join(std::shared_ptr<Exchange> exchange, size_t worker) {
    exchange_ = std::move(exchange);
    worker_ = worker;
    exchange_->enter(worker);
  }

  const Statistics& statistics() const { return statistics_; }

  // Records a proof from now on; after kUnsat without assumptions it refutes the clauses. `proof`
  // returns null if no proof is kept.
  void keep_proof() { proof_ = std::make_unique<ProofLog>(); }
  ProofLog* proof() { return proof_.get(); }

 private:
  Solver(const Solver&) = default;

  // The other literals of a clause of two (then `b` is kFalse) or three; see `shorts_`.
  struct Short {
    Lit a, b;
  };
  struct Watcher {
    Lit blocker;
    ClauseRef clause;
  };
  // Missed lower implication: `reason` implies the true literal `lit` at `level`, but it was
  // assigned at a higher level.
  struct MissedImplication {
    Lit lit;
    uint32_t level;
    Reason reason;
  };
  struct Proof : std::unique_ptr<ProofLog> {  // not copied: a copy of a search keeps no proof
    Proof() = default;
    Proof(const Proof&) : unique_ptr() {}
    Proof& operator=(unique_ptr proof) {
      unique_ptr::operator=(std::move(proof));
      return *this;
    }
  };
  static constexpr uint8_t kNone = 2;  // no phase set
  // Clauses of glue up to kGlueKept are kept for good, those up to kGlueOften survive a further
  // reduction after each use.
  static constexpr uint32_t kGlueKept = 2, kGlueOften = 6;
  // Learnt clauses up to this glue, or of two literals, are sent to the exchange.
  static constexpr uint32_t kGlueShared = 4;

  // Assignments.
  uint32_t level() const { return static_cast<uint32_t>(level_starts_.size()); }
  void assign(Lit lit, Reason reason) {
    values_[lit] = 1;
    values_[negated(lit)] = -1;
    levels_[var_of(lit)] = level();
    positions_[var_of(lit)] = static_cast<uint32_t>(trail_.size());
    reasons_[var_of(lit)] = reason;
    trail_.push_back(lit);
  }
  void open_level() { level_starts_.push_back(static_cast<uint32_t>(trail_.size())); }
  void cancel_until(uint32_t level);
  bool decide(std::span<const Lit> assumptions);
  Lit next_decision();

  // Propagation (solver.cpp). Each function returns false at a conflict, with its false literals in
  // `conflict_`.
  bool propagate(Watch& watch);
  bool propagate_clauses();
  bool propagate_shorts(Lit lit);
  bool propagate_long(Lit lit);
  void repair_watchers(Lit lit);
  bool propagate_lines(Watch& watch);
  void update_lines();
  void attach(ClauseRef at);
  void detach(ClauseRef at);
  void add_short(Lit a, Lit b, Lit c = kFalse);

  // Loops and chronological backtracking (chrono_backtracking.cpp).
  bool is_chronological() const { return follows_loop(); }
  bool propagate_paths();
  void explain_closed(Lit closing, size_t end, std::vector<Lit>& clause);
  void explain_path(Lit lit, Reason& reason);
  bool backtrack_for(std::vector<Lit>& clause);
  void imply_first(std::span<const Lit> clause, Reason reason);
  void reimply_missed();
  bool find_lower_conflict();

  // Look-ahead (look_ahead.cpp).
  struct Probe {  // result of probing a candidate
    Lit lit = kTrue;
    double score = 0;
  };
  bool assign_and_propagate(Lit lit, Watch& watch);
  size_t probe_literal(Lit lit, Watch& watch);
  bool probe_all(std::span<const Var> candidates, std::vector<Probe>& probes, int64_t budget,
                 LookAhead& found, Watch& watch);

  // Conflict analysis (analysis.cpp).
  void learn(Watch& watch);
  void resolve(Watch& watch);
  void visit(Lit lit);
  template <class Visit>
  void for_each_antecedent(Lit lit, Watch& watch, Visit visit);
  void explain(Lit lit, Reason& reason, Watch& watch);
  void minimise(Watch& watch);
  bool is_implied(Lit lit, uint32_t depth, Watch& watch);
  void unmark();
  uint32_t glue_of(std::span<const Lit> lits);
  void bump(Clause& clause);
  void backjump();

  // Restarts, reduction, vivification and imports (reduction.cpp).
  bool is_restart_due() const {
    return level() > 0 &&
           restarts_.is_due(statistics_.propagations, is_chronological() ? trail_.size() : 0);
  }
  void restart();
  uint32_t num_reusable_levels();
  void reduce();
  void collect();
  bool is_satisfied(ClauseRef at);
  bool vivify(Watch& watch);
  bool vivify(ClauseRef at);
  bool add_shortened(const std::vector<Lit>& lits, uint32_t glue);
  bool import();
  bool import(std::span<const Lit> clause, uint32_t glue);

  Arena arena_;
  std::vector<ClauseRef> originals_, learnts_;
  // Watch lists of the clauses of two or three literals. List L contains the clauses with the
  // literal -L, each represented by its other literals.
  Lists<Short> shorts_;
  std::vector<std::vector<Watcher>> watchers_;  // by the negation of the watched literal
  Lines lines_;
  Paths paths_;
  size_t num_in_paths_ = 0;  // literals of the trail that the paths have received
  size_t num_in_lines_ = 0;  // literals of the trail that the lines have received
  // The trail is that of a model, and `add` backtracks no further than necessary.
  bool keeps_model_trail_ = false;
  bool is_unsat_ = false;          // without assumptions
  bool model_exists_ = false;      // this search or another one of the exchange has found a model
  bool has_failed_ = false;        // the trail is that of the last refutation
  Lit failed_assumption_ = kTrue;  // assumption found false in the last refutation, kTrue for none
  uint64_t seed_;

  std::vector<int8_t> values_;  // by literal: 1 true, -1 false, 0 open
  std::vector<uint32_t> levels_, positions_;
  std::vector<Reason> reasons_;
  std::vector<Lit> trail_;
  std::vector<uint32_t> level_starts_;     // first position on the trail of each level, from 1
  std::vector<MissedImplication> missed_;  // all of their literals are true
  size_t num_propagated_ = 0;              // literals of the trail that the clauses have propagated
  std::vector<uint8_t> saved_phases_, user_phases_, model_;
  Order order_;

  std::vector<Lit> added_, conflict_, learnt_, implied_;
  std::vector<std::vector<Lit>> explained_;  // explanations of lines and paths that are reasons
  std::vector<uint8_t> marks_;               // by variable, during conflict analysis
  std::vector<Var> marked_;
  std::vector<uint64_t> stamps_;  // by level
  uint64_t stamp_ = 0;
  uint32_t num_open_ = 0;

  Restarts restarts_;
  int64_t next_reduction_, reduction_gap_;
  int64_t vivifying_ = 0;  // propagations spent on vivification
  Proof proof_;
  std::shared_ptr<Exchange> exchange_;
  size_t worker_ = 0;
  Statistics statistics_;
};

}  // namespace nonosat::learn
