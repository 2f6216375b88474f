// What a learning search derives, written down as a DRAT proof in text while it goes on.
//
// Invariant: each clause added follows by unit propagation (RUP) from the clauses that the search
// was given and those added before and not deleted. Of a line, the clauses of the lean order
// encoding refute every contradiction, so none is written; what it implies is a step of its own.
// Nothing that was given is ever deleted.
//
// Source: N. Wetzler, M. Heule, W. Hunt, "DRAT-trim: Efficient checking and trimming using
// expressive clausal proofs" (SAT 2014), for the format.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learn/literal.hpp"

namespace nonosat::learn {

class ProofLog {
 public:
  void add(std::span<const Lit> clause) { put(clause, false); }
  void remove(std::span<const Lit> clause) { put(clause, true); }

  // A clause, `first` and `rest`, that goes with the next `forget`.
  void add_passing(Lit first, std::span<const Lit> rest);
  void forget();

  size_t num_bytes() const { return num_bytes_; }

  // Gives the text to `sink` piece by piece, each freed afterwards; nothing of it is left.
  template <class Sink>
  void take(Sink sink) {
    for (std::string& block : blocks_) {
      sink(std::string_view(block));
      std::string().swap(block);
    }
    blocks_.clear();
    num_bytes_ = 0;
  }

 private:
  void put(std::span<const Lit> clause, bool is_deletion);

  std::vector<std::string> blocks_;  // of a fixed size: a single text would be copied to grow
  size_t num_bytes_ = 0;
  std::vector<Lit> passing_;  // clauses one after another, each ended by kTrue
};

}  // namespace nonosat::learn
