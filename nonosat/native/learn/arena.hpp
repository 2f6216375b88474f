// Long clauses in one block of memory, addressed by offset: those of the input from four literals
// on, learnt ones from three.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <string>

#include "learn/block.hpp"
#include "learn/literal.hpp"
#include "line/line.hpp"

namespace nonosat::learn {

// Header of a clause: size, flags and glue; the literals follow it in memory. The first two are
// watched. Glue is the number of decision levels among the literals when the clause was learnt
// (literal block distance: Audemard and Simon 2009).
class Clause {
 public:
  uint32_t size : 29;
  uint32_t is_learnt : 1;
  uint32_t is_dead : 1;
  uint32_t is_vivified : 1;
  uint32_t glue : 30;
  uint32_t used : 2;  // number of reductions that the clause survives in any case

  std::span<Lit> lits() { return {reinterpret_cast<Lit*>(this + 1), size}; }
  Lit* begin() { return reinterpret_cast<Lit*>(this + 1); }
  Lit& operator[](uint32_t i) { return begin()[i]; }
};

inline constexpr uint32_t kClauseWords = sizeof(Clause) / sizeof(uint32_t);

class Arena {
 public:
  // Number of words that a ClauseRef can address: 16 GiB.
  static constexpr size_t kMostWords = UINT32_MAX;

  // Makes an empty arena for at most `most_words` words.
  explicit Arena(size_t most_words = kMostWords) : most_words_(std::min(most_words, kMostWords)) {}

  // Returns an empty arena of the same limit, with memory reserved for as many words as this one
  // holds.
  Arena successor() const {
    Arena arena(most_words_);
    arena.words_.reserve(words_.size());
    return arena;
  }

  // Appends a clause. `lits` must not point into this arena. Throws TooLarge, with nothing changed,
  // if the clause exceeds the limit.
  ClauseRef add(std::span<const Lit> lits, bool is_learnt, uint32_t glue) {
    const size_t num_words = words_.size() + kClauseWords + lits.size();
    if (num_words > most_words_ || lits.size() > kMostLits) {
      throw TooLarge("a learning search with clauses of " + std::to_string(num_words) + " words",
                     static_cast<int64_t>(num_words / 2), static_cast<int64_t>(most_words_ / 2));
    }
    const auto at = static_cast<ClauseRef>(words_.size());
    words_.resize(num_words);
    Clause& clause = (*this)[at];
    clause.size = static_cast<uint32_t>(lits.size());
    clause.is_learnt = is_learnt;
    clause.is_dead = clause.is_vivified = 0;
    clause.glue = glue;
    clause.used = is_learnt ? 2 : 0;
    std::memcpy(clause.begin(), lits.data(), lits.size_bytes());
    return at;
  }

  // Appends a copy of a clause of another arena.
  ClauseRef copy(Clause& clause) {
    const ClauseRef at = add(clause.lits(), clause.is_learnt, clause.glue);
    (*this)[at].is_vivified = clause.is_vivified;
    (*this)[at].used = clause.used;
    return at;
  }

  Clause& operator[](ClauseRef at) { return *reinterpret_cast<Clause*>(&words_[at]); }

 private:
  static constexpr size_t kMostLits = (size_t{1} << 29) - 1;  // see Clause::size

  size_t most_words_;
  Block<uint32_t> words_;
};

}  // namespace nonosat::learn
