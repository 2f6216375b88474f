// The long clauses in one block of memory, found by their offset.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "learn/literal.hpp"

namespace nonosat::learn {

// A clause's words: its size and flags, its glue, then the literals. The two watched ones come
// first. Glue is the number of decision levels among its literals when it was learnt (literal block
// distance: Audemard and Simon 2009).
class Clause {
 public:
  uint32_t size : 29;
  uint32_t is_learnt : 1;
  uint32_t is_dead : 1;
  uint32_t is_vivified : 1;
  uint32_t glue : 30;
  uint32_t used : 2;  // so many reductions pass it over

  std::span<Lit> lits() { return {reinterpret_cast<Lit*>(this + 1), size}; }
  Lit* begin() { return reinterpret_cast<Lit*>(this + 1); }
  Lit& operator[](uint32_t i) { return begin()[i]; }
};

inline constexpr uint32_t kClauseWords = sizeof(Clause) / sizeof(uint32_t);

class Arena {
 public:
  ClauseRef add(std::span<const Lit> lits, bool is_learnt, uint32_t glue) {
    const auto at = static_cast<ClauseRef>(words_.size());
    words_.resize(words_.size() + kClauseWords + lits.size());
    Clause& clause = (*this)[at];
    clause.size = static_cast<uint32_t>(lits.size());
    clause.is_learnt = is_learnt;
    clause.is_dead = clause.is_vivified = 0;
    clause.glue = glue;
    clause.used = is_learnt ? 2 : 0;
    std::memcpy(clause.begin(), lits.data(), lits.size_bytes());
    return at;
  }

  ClauseRef copy(Clause& clause) {
    const ClauseRef at = add(clause.lits(), clause.is_learnt, clause.glue);
    (*this)[at].is_vivified = clause.is_vivified;
    (*this)[at].used = clause.used;
    return at;
  }

  Clause& operator[](ClauseRef at) { return *reinterpret_cast<Clause*>(&words_[at]); }

 private:
  std::vector<uint32_t> words_;
};

}  // namespace nonosat::learn
