// A backward checker of clausal proofs: DRAT steps that are RUP, derived by unit propagation.
//
// The forward pass only propagates, until the clauses conflict at the root. The backward pass then
// goes through the proof from the end and checks only the lemmas that the conflict needs,
// preferring core clauses, which are needed anyway ("core first"). Deletions are followed, but
// literals propagated at the root stay true, as in drat-trim: additional clauses never invalidate a
// RUP step. RAT steps are refused.
//
// The result can be written as a proof of its own: the needed lemmas, and each used root literal as
// a unit lemma, so that the hints of a lemma need not repeat the derivation of root literals.
//
// Invariant: each of the two watched literals of a clause is not false, or it became false in the
// batch (a proof step with its consequences) in which the clause was satisfied or became a reason,
// or in a later one. So the trail may be backtracked to the end of any batch, and the watches
// remain correct.
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
  // Precondition: variables of both are at most formula.num_vars; `drat` outlives the checker.
  // Throws Stopped, and Refused above 2^29 literals.
  Checker(const Formula& formula, const Drat& drat, Watch& watch);

  // Checks the proof; may be called once. Returns only if the formula is unsatisfiable. Throws
  // Refused with the line number if a needed lemma does not follow by unit propagation, or if
  // formula and proof do not lead to a conflict; Stopped at a limit. Worst case: a propagation of
  // all clauses for each needed lemma.
  void run();

  int64_t num_lemmas() const { return num_lemmas_; }  // lemmas of the proof
  int64_t num_needed() const;                         // needed lemmas and root literals

  // After `run`: the needed lemmas as DRAT, each deleted after its last use, and as LRAT that
  // check_lrat accepts. Linear in the number of hints.
  std::string drat();
  std::string lrat();

 private:
  using Ref = uint32_t;  // position of a clause's first literal in the arena
  using Lit = int32_t;   // 2 variable + sign

  static int32_t var_of(Lit lit) { return lit >> 1; }
  static Lit encoded(int32_t lit) { return lit > 0 ? 2 * lit : -2 * lit + 1; }
  static int32_t decoded(Lit lit) { return lit & 1 ? -(lit >> 1) : lit >> 1; }

  static constexpr Ref kNone = 0;
  static constexpr Lit kDead = 1, kCore = 2;  // flags stored with the size
  struct Watcher {
    Ref clause;
    Lit other;  // blocking literal: if it is true, the clause is skipped
  };
  struct Entry {     // of the written proof
    int32_t clause;  // -1: a unit lemma
    Lit lit;
    size_t first, last;  // hints: clauses, or ~variable for a root literal
  };

  // Clause memory. In the arena, the literals of a clause are preceded by its index and its size
  // with flags.
  Ref store(const int32_t* first, const int32_t* last);
  Lit size(Ref ref) const { return arena_[ref - 1] >> 2; }
  bool has(Ref ref, Lit flag) const { return arena_[ref - 1] & flag; }
  int32_t index(Ref ref) const { return arena_[ref - 2]; }
  uint64_t hash(Ref ref) const;
  bool has_same_lits(Ref one, Ref other) const;

  // Forward pass
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
  void backtrack(size_t size);
  bool propagate();
  bool visit_watches(Lit lit, bool core);
  bool update_watch(Watcher& watcher, Lit falsified, bool& stays);

  // Backward pass
  void backward();
  void check(Ref lemma, int64_t line);
  void mark_core(Ref ref) { arena_[ref - 1] |= kCore; }
  void mark_seen(Lit lit, size_t base);
  void analyze(Ref conflict, size_t base);
  void undo_root_lits(size_t size);
  void append_entry(int32_t clause, Lit lit);

  // Writing
  int64_t id_of(int64_t hint) const;
  void number_entries();
  void put_lits(const Entry& entry, std::string& text) const;

  const Drat& proof_;
  Watch& watch_;
  int32_t num_vars_;
  int32_t num_formula_ = 0;  // number of its clauses
  int64_t num_lemmas_ = 0;
  std::vector<Lit> arena_;
  std::vector<Ref> clauses_;         // by index: clauses of the formula, then lemmas
  std::vector<Ref> step_clauses_;    // by step: the clause added or deleted; kNone if there is none
  std::vector<size_t> step_trails_;  // by step: size of the trail before it
  std::unordered_multimap<uint64_t, Ref> by_hash_;
  std::vector<std::vector<Watcher>> watches_[2];  // by literal: non-core, core clauses
  std::vector<int8_t> values_;                    // by literal
  std::vector<Ref> reasons_;                      // by variable, like the next six
  std::vector<size_t> trail_positions_;           // positions on the trail
  std::vector<uint8_t> needed_roots_;             // root literals that a lemma uses
  std::vector<uint8_t> seen_, negated_;           // during the check of a lemma
  std::vector<int64_t> unit_ids_;
  std::vector<int32_t> unit_clauses_;  // the unit clause of the formula or proof, or -1
  std::vector<Lit> trail_;
  size_t heads_[2] = {0, 0};  // of propagation: through non-core and core clauses
  Ref conflict_ = kNone;
  std::vector<int64_t> root_hints_, antecedents_, hints_;
  std::vector<Entry> entries_;  // in reverse order
  std::vector<int64_t> lemma_ids_;
};

}  // namespace nonosat
