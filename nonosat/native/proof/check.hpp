// A backward checker of clausal proofs (DRAT steps that are RUP: derived by unit propagation).
//
// Forward it only propagates, until the clauses conflict at the root; then it goes back through the
// proof and checks just those lemmas that the conflict needs, preferring clauses that are needed
// anyway ("core first"). Deletions are followed, but what has been propagated at the root stays
// true, as in drat-trim: more clauses never make a RUP step wrong. RAT steps are refused.
//
// What it found can be written as a proof of its own: the needed lemmas, and every root literal
// that is used as a unit lemma, so that the hints of a lemma never repeat how the root came about.
//
// Invariant: each of the two watched literals of a clause is not false, or it became false in the
// batch (a proof step with its consequences) in which the clause was satisfied or became a reason,
// or in a later one. So the trail may be cut after any batch, and the watches hold for what is
// left.
//
// Source: M. Heule, W. Hunt, N. Wetzler, "Trimming while checking clausal proofs" (FMCAD 2013);
// Goldberg, Novikov, "Verification of proofs of unsatisfiability for CNF formulas" (DATE 2003).
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "proof/check_text.hpp"
#include "watch.hpp"

namespace nonosat {

class Checker {
 public:
  // Needs variables of both up to formula.num_vars. `drat` must stay where it is. Throws Stopped,
  // and Refused above 2^29 literals.
  Checker(const Formula& formula, const Drat& drat, Watch& watch);

  // Checks the proof; once. Throws Refused, with the number of the line, where a needed lemma does
  // not follow by unit propagation, or where the formula and the proof come to no conflict; Stopped
  // where the watch ends it. It returns only if the formula is unsatisfiable. Worst case: a
  // propagation of all clauses for each needed lemma.
  void run();

  int64_t num_lemmas() const { return num_lemmas_; }  // of the proof
  int64_t num_needed() const;                         // of these and of root literals

  // After `run`: the needed lemmas as DRAT, each deleted after its last use; and as LRAT, which
  // check_lrat accepts. Linear in the hints.
  std::string drat();
  std::string lrat();

 private:
  using Ref = uint32_t;  // of a clause in the arena: its first literal
  using Lit = int32_t;   // 2 variable + sign

  static int32_t var_of(Lit lit) { return lit >> 1; }
  static Lit encoded(int32_t lit) { return lit > 0 ? 2 * lit : -2 * lit + 1; }
  static int32_t decoded(Lit lit) { return lit & 1 ? -(lit >> 1) : lit >> 1; }

  static constexpr Ref kNone = 0;
  static constexpr Lit kDead = 1, kCore = 2;  // flags beside the size
  struct Watcher {
    Ref clause;
    Lit other;  // a literal of the clause; where it is true there is nothing to do
  };
  struct Entry {     // of the written proof
    int32_t clause;  // -1: the literal alone
    Lit lit;
    size_t first, last;  // hints: clauses, or ~variable for a root literal
  };

  // The clauses' memory. In the arena, a clause's index and its size with flags stand in front of
  // its literals.
  Ref store(const int32_t* first, const int32_t* last);
  Lit size(Ref ref) const { return arena_[ref - 1] >> 2; }
  bool has(Ref ref, Lit flag) const { return arena_[ref - 1] & flag; }
  int32_t index(Ref ref) const { return arena_[ref - 2]; }
  uint64_t hash(Ref ref) const;
  bool is_same(Ref one, Ref other) const;

  // Forward
  void load(const Formula& formula);
  void add(Ref ref);
  bool forward();
  void erase(size_t step);
  void attach(Ref ref);
  void detach(Ref ref);

  // Propagation
  bool is_true(Lit lit) const { return values_[lit] > 0; }
  bool is_false(Lit lit) const { return values_[lit] < 0; }
  void assign(Lit lit, Ref reason);
  void cut(size_t size);
  bool propagate();
  bool visit(Lit lit, bool core);
  bool inspect(Watcher& watcher, Lit falsified, bool& stays);

  // Backward
  void backward();
  void check(Ref lemma, int64_t line);
  void need(Ref ref) { arena_[ref - 1] |= kCore; }
  void see(Lit lit, size_t base);
  void explain(Ref conflict, size_t base);
  void uproot(size_t size);
  void write(int32_t clause, Lit lit);

  // Writing
  int64_t id_of(int64_t hint) const;
  void number();
  void put_lits(const Entry& entry, std::string& text) const;

  const Drat& proof_;
  Watch& watch_;
  int32_t num_vars_;
  int32_t num_formula_ = 0;  // clauses
  int64_t num_lemmas_ = 0;
  std::vector<Lit> arena_;
  std::vector<Ref> clauses_;         // by index: the formula's, then the lemmas
  std::vector<Ref> step_clauses_;    // by step: added or deleted; none where it has no effect
  std::vector<size_t> step_trails_;  // by step: the trail's size before it
  std::unordered_multimap<uint64_t, Ref> by_hash_;
  std::vector<std::vector<Watcher>> lists_[2];  // by literal: other clauses, core clauses
  std::vector<int8_t> values_;                  // by literal
  std::vector<Ref> reasons_;                    // by variable, as are the next five
  std::vector<size_t> places_;                  // on the trail
  std::vector<uint8_t> needed_;                 // root literals
  std::vector<uint8_t> seen_, negated_;         // while a lemma is checked
  std::vector<int64_t> unit_ids_;
  std::vector<int32_t> unit_clauses_;  // -1, or the clause that is this literal alone
  std::vector<Lit> trail_;
  size_t heads_[2] = {0, 0};  // of propagation: through other clauses, through core clauses
  Ref conflict_ = kNone;
  std::vector<int64_t> roots_, reasons_found_, hints_;
  std::vector<Entry> entries_;  // last one first
  std::vector<int64_t> lemma_ids_;
};

}  // namespace nonosat
