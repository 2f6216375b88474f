// DRAT proof of a learning search, written as text while it runs.
//
// Invariant: each clause added follows by unit propagation (RUP) from the clauses of the input and
// from those added before and not deleted. Unit propagation on the lean order encoding refutes
// every contradiction of a line, so no lemma is written for it; implications of lines are lemmas.
// Clauses of the input are never deleted.
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
  void add(std::span<const Lit> clause) { write(clause, false); }
  void remove(std::span<const Lit> clause) { write(clause, true); }

  // Adds the clause `first` or `rest`; the next `delete_temporary` deletes it.
  void add_temporary(Lit first, std::span<const Lit> rest);
  void delete_temporary();

  size_t num_bytes() const { return num_bytes_; }

  // Passes the text to `sink` block by block, frees each block afterwards, and leaves an empty
  // proof.
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
  void write(std::span<const Lit> clause, bool is_deletion);

  std::vector<std::string> blocks_;  // of a fixed size, since a single text would be copied to grow
  size_t num_bytes_ = 0;
  std::vector<Lit> temporary_;  // concatenated clauses, each terminated by kTrue
};

}  // namespace nonosat::learn
