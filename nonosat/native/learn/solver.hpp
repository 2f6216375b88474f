// A search that learns from its conflicts, over clauses and lines.
//
// Conflict-driven clause learning (Marques-Silva and Sakallah 1999; Een and Sorensson 2003) with
// the exact line propagator as a theory: once the clauses have nothing more to say, each changed
// line is solved, and what it adds is explained when a conflict asks for it. Lines come beside the
// clauses that encode them, so that the order literals of the blocks are there to be learnt from
// and to decide on. Clauses are kept by glue (Audemard and Simon 2009) and made shorter by
// propagation (Luo et al. 2017); restarts follow averages of the glue (Biere and Froehlich 2015).
// Deterministic: it depends on nothing but its seed and what it is given, in that order.
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

// What look-ahead has come to below a cube, literals that are to hold.
struct Outlook {
  bool is_refuted = false;
  std::vector<Lit> best;   // of candidates that are open: the literal that implies less
  size_t num_open = 0;     // variables without a value, candidates or not
  int64_t num_probes = 0;  // literals that were tried
  int64_t cost = 0;        // these, and how many others they implied
};

class Solver {
 public:
  // A seed draws which variables count for how much before there are conflicts; with 0 they start
  // alike, in order. `most_words`: of the long clauses. What would need more throws TooLarge; the
  // clauses held by then stay, and so does everything learnt.
  explicit Solver(uint64_t seed = 0, size_t most_words = Arena::kMostWords);

  // A twin: another search over the same clauses and lines that knows what `other` has learnt. Its
  // seed draws its first decisions; it has counters of its own and is no member of an exchange. It
  // keeps no proof.
  Solver(const Solver& other, uint64_t seed);

  // Variables are numbered from 1 on.
  void new_vars(size_t count);
  size_t num_vars() const { return reasons_.size() - 1; }

  void add(std::span<const Lit> clause);

  // Before many clauses are added: how many of two or three literals, by the negation of each of
  // their literals. It changes nothing but how long adding them takes.
  void make_room(std::span<const uint32_t> num_shorts) { shorts_.make_room(num_shorts); }

  // Bytes that `solve` takes for a moment before it begins.
  size_t packing_bytes() const { return shorts_.packing_bytes(); }

  // A line that the clauses hold already.
  void add(const LineLits& line);

  // A loop, of which the clauses say all but that it is a single one. It makes the search a wide
  // one: a board on which most conflicts lie far from most of what was decided. Only the first loop
  // that it is given is followed. Not for a search that keeps a proof.
  void add(std::span<const Paths::Edge> loop) {
    cancel_until(0);
    has_failed_ = false;
    if (paths_.is_empty()) paths_ = Paths(loop);
  }

  bool follows_loop() const { return !paths_.is_empty(); }

  // Under assumptions, literals that hold for this call. kUnknown after so many conflicts; the next
  // call goes on with what was learnt. Stopped leaves it sound, too.
  Answer solve(std::span<const Lit> assumptions, Watch& watch, int64_t num_conflicts);

  // Look-ahead below a cube: tries both values of each candidate, again and again as long as some
  // are refuted, until that has cost `budget`. The candidates to branch on come out, `most` at
  // most, first the one whose values imply most, by the product of what each implies (Heule and van
  // Maanen, "Look-Ahead Based SAT Solvers", 2009). It depends on the clauses and lines alone, not
  // on what was looked at before: no cost is counted of refuted values, which is what they depend
  // on. What is refuted without a cube is known from then on; not for a search that keeps a proof.
  // Stopped leaves it sound.
  Outlook look_ahead(std::span<const Lit> cube, std::span<const Var> candidates, size_t most,
                     int64_t budget, Watch& watch);

  // In the last model; false where there was none, or the variable came later.
  bool is_true(Var var) const { return var < model_.size() && model_[var]; }

  // Whether the last call was a `solve` that answered kUnsat, and the assumptions that it refuted
  // then: a subset that the clauses and lines contradict, empty where they contradict themselves.
  // Not always the fewest. It is worked out when it is asked for, since lines have to explain
  // themselves for it.
  bool has_failed() const { return has_failed_; }
  std::vector<Lit> failed(Watch& watch);

  // The value that a variable is tried with first, whatever was learnt.
  void set_phase(Lit lit) {
    suggested_[var_of(lit)] = !is_negated(lit);
    restarts_.guide();
  }

  // From now on it decides as if nothing had been suggested.
  void forget_suggestions() {
    std::fill(suggested_.begin(), suggested_.end(), kNone);
    restarts_.end_guidance(is_solved_);
  }

  // From now on what it learns of general use goes to the others of an exchange, and what comes
  // from them is taken in before each restart. All of them are given the same variables, clauses
  // and lines; where one is given more, the others may hear of what follows from that. Not for a
  // search that keeps a proof.
  void join(std::shared_ptr<Exchange> exchange, size_t member) {
    exchange_ = std::move(exchange);
    member_ = member;
    exchange_->enter(member);
  }

  const Statistics& statistics() const { return statistics_; }

  // From now on what is derived is written down; after kUnsat without assumptions it refutes the
  // clauses. `proof` is null without it.
  void keep_proof() { proof_ = std::make_unique<ProofLog>(); }
  ProofLog* proof() { return proof_.get(); }

 private:
  Solver(const Solver&) = default;

  struct Short {  // with the literal under which it is found, a clause of two or three
    Lit a, b;
  };
  struct Watcher {
    Lit blocker;
    ClauseRef clause;
  };
  struct Late {  // a literal that its reason implies at `level`, below the one where it stands
    Lit lit;
    uint32_t level;
    Reason reason;
  };
  struct Proof : std::unique_ptr<ProofLog> {  // of one search: its twin has none
    Proof() = default;
    Proof(const Proof&) : unique_ptr() {}
    Proof& operator=(unique_ptr proof) {
      unique_ptr::operator=(std::move(proof));
      return *this;
    }
  };
  static constexpr uint8_t kNone = 2;  // no phase
  // Clauses of this glue are kept for good, those of that one survive a reduction after each use.
  static constexpr uint32_t kGlueKept = 2, kGlueOften = 6;
  // Learnt clauses of this glue, or of two literals, go to the others of an exchange.
  static constexpr uint32_t kGlueShared = 4;

  // Assignments.
  uint32_t level() const { return static_cast<uint32_t>(limits_.size()); }
  void assign(Lit lit, Reason reason) {
    values_[lit] = 1;
    values_[negated(lit)] = -1;
    levels_[var_of(lit)] = level();
    places_[var_of(lit)] = static_cast<uint32_t>(trail_.size());
    reasons_[var_of(lit)] = reason;
    trail_.push_back(lit);
  }
  void open_level() { limits_.push_back(static_cast<uint32_t>(trail_.size())); }
  void cancel_until(uint32_t level);
  bool decide(std::span<const Lit> assumptions);
  Lit next_decision();

  // Propagation (solver.cpp). Each returns false at a conflict, whose false literals are then in
  // `conflict_`.
  bool propagate(Watch& watch);
  bool propagate_clauses();
  bool propagate_shorts(Lit lit);
  bool propagate_long(Lit lit);
  void mend(Lit lit);
  bool propagate_lines(Watch& watch);
  void tell_lines();
  void attach(ClauseRef at);
  void detach(ClauseRef at);
  void add_short(Lit a, Lit b, Lit c = kFalse);

  // A loop (wide.cpp).
  bool is_wide() const { return follows_loop(); }
  bool propagate_paths();
  void explain_closed(Lit closing, size_t end, std::vector<Lit>& clause);
  void explain_path(Lit lit, Reason& reason);
  bool give_way(std::vector<Lit>& clause);
  void take_effect(std::span<const Lit> clause, Reason reason);
  void keep_late();
  bool lies_below();

  // Look-ahead (look_ahead.cpp).
  struct Trial {  // of a candidate
    Lit lit = kTrue;
    double score = 0;
  };
  bool extend(Lit lit, Watch& watch);
  size_t try_literal(Lit lit, Watch& watch);
  bool try_all(std::span<const Var> candidates, std::vector<Trial>& trials, int64_t budget,
               Outlook& found, Watch& watch);

  // Learning (analysis.cpp).
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

  // Restarts and the clauses kept (reduction.cpp).
  bool is_restart_due() const {
    return level() > 0 && restarts_.is_due(statistics_.propagations, is_wide() ? trail_.size() : 0);
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
  Lists<Short> shorts_;                         // by the literal that became true
  std::vector<std::vector<Watcher>> watchers_;  // the same
  Lines lines_;
  Paths paths_;
  size_t num_walked_ = 0;    // of the trail, to the paths
  size_t num_told_ = 0;      // of the trail, to the lines
  bool is_kept_ = false;     // the trail is a model's; what is added goes back as far as it must
  bool is_unsat_ = false;    // without assumptions
  bool is_solved_ = false;   // there was a model, here or in another search of the exchange
  bool has_failed_ = false;  // the trail is still that of a refutation
  Lit refused_ = kTrue;      // then the assumption found false, if it took one
  uint64_t seed_;

  std::vector<int8_t> values_;  // by literal: 1, -1, 0 open
  std::vector<uint32_t> levels_, places_;
  std::vector<Reason> reasons_;
  std::vector<Lit> trail_;
  std::vector<uint32_t> limits_;  // where each level begins
  std::vector<Late> late_;        // each of them is true
  size_t next_ = 0;               // of the trail, to be propagated
  std::vector<uint8_t> phases_, suggested_, model_;
  Order order_;

  std::vector<Lit> added_, conflict_, learnt_, implied_;
  std::vector<std::vector<Lit>> explained_;  // clauses of lines, for as long as they are reasons
  std::vector<uint8_t> marks_;               // by variable, during the analysis
  std::vector<Var> marked_;
  std::vector<uint64_t> stamps_;  // by level
  uint64_t stamp_ = 0;
  uint32_t num_open_ = 0;

  Restarts restarts_;
  int64_t next_reduction_, reduction_gap_;
  int64_t vivifying_ = 0;  // propagations spent on it
  Proof proof_;
  std::shared_ptr<Exchange> exchange_;
  size_t member_ = 0;
  Statistics statistics_;
};

}  // namespace nonosat::learn
