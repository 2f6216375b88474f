// Mutated proofs, and proofs of mutated formulas, as input of the checkers.
//
// The learning search refutes small random formulas, and small puzzles as clauses (with the clause
// that excludes the only solution), and writes a proof; the checker converts it to LRAT. Then
// clauses of the formula, or lines and words of a proof, are changed, dropped, duplicated or moved.
// No proof of a satisfiable formula may be accepted. Accepted proofs must hold step by step for the
// naive checker, and proofs that do must be accepted. Deleted clauses may not be used: the lines
// that follow without them must suffice. On proofs with hints both checkers must agree.
//
// Usage: fuzz_mutations [mutations] [seed]. The last line of the output has the figures as JSON.
// Exit status 1 at an error.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "drawing.hpp"
#include "fuzzing.hpp"
#include "given.hpp"
#include "naive_rup.hpp"
#include "proof/check.hpp"
#include "proof/check_lrat.hpp"
#include "proof/check_text.hpp"

using namespace nonosat;
using namespace drawing;
using fuzzing::require;
using given::Given;

namespace {

using Clause = std::vector<int32_t>;
using Clauses = std::vector<Clause>;
using Words = std::vector<std::string>;

struct Counts {
  int64_t accepted = 0, refused = 0;
};
Counts of_true_claims, of_false_claims, of_puzzles, of_lrat;

// ---- Satisfiability: branching on the clause with the fewest open literals ----

bool is_satisfiable(const Clauses& clauses, std::vector<int8_t>& values) {
  const Clause* shortest = nullptr;
  int64_t fewest = INT64_MAX;
  for (const Clause& clause : clauses) {
    int64_t num_open = 0;
    bool holds = false;
    for (const int32_t lit : clause) {
      holds |= values[std::abs(lit)] == (lit > 0 ? 1 : -1);
      num_open += values[std::abs(lit)] == 0;
    }
    if (!holds && num_open < fewest) shortest = &clause, fewest = num_open;
  }
  bool is_found = !shortest;
  Clause tried;
  for (size_t i = 0; !is_found && i < shortest->size(); ++i) {
    const int32_t lit = (*shortest)[i];
    int8_t& value = values[std::abs(lit)];
    if (value) continue;
    tried.push_back(lit);
    value = lit > 0 ? 1 : -1;
    is_found = is_satisfiable(clauses, values);
    value = lit > 0 ? -1 : 1;
  }
  for (const int32_t lit : tried) values[std::abs(lit)] = 0;
  return is_found;
}

// ---- Claims and their proofs ----

// A line of a proof, as words.
using Proof = std::vector<Words>;

struct Claim {
  int32_t num_vars = 0;
  Clauses clauses;
  bool is_puzzle = false;

  Formula formula() const {
    Formula made{num_vars, {}};
    for (const Clause& clause : clauses) {
      made.clauses.insert(made.clauses.end(), clause.begin(), clause.end());
      made.clauses.push_back(0);
    }
    return made;
  }
  bool is_true() const {
    std::vector<int8_t> values(num_vars + 1, 0);
    return !is_satisfiable(clauses, values);
  }
};

Proof read(const std::string& text) {
  Proof proof;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    proof.emplace_back();
    for (std::string word; words >> word;) proof.back().push_back(word);
  }
  return proof;
}

std::string text_of(const Proof& proof) {
  std::string text;
  for (const Words& line : proof) {
    for (const std::string& word : line) text += word + ' ';
    text += '\n';
  }
  return text;
}

// Returns true if every line consists of literals and one 0, optionally after a `d`.
bool is_plain(const Proof& proof, int32_t num_vars) {
  for (const Words& line : proof) {
    const size_t first = !line.empty() && line[0] == "d";
    if (line.size() <= first || line.back() != "0") return false;
    for (size_t i = first; i + 1 < line.size(); ++i) {
      const int lit = std::atoi(line[i].c_str());
      if (lit == 0 || std::abs(lit) > num_vars || line[i] != std::to_string(lit)) return false;
    }
  }
  return true;
}

// Returns the lemmas without deletions and, for LRAT, without numbers and hints.
std::string lemmas_of(const Proof& proof) {
  std::string text;
  for (const Words& line : proof) {
    for (size_t i = 1; i < line.size() && line[i] != "0"; ++i) text += line[i] + ' ';
    text += "0\n";
  }
  return text;
}

Clauses clauses_of(const Formula& formula) {
  Clauses clauses(1);
  for (const int32_t lit : formula.clauses) {
    if (lit) clauses.back().push_back(lit);
    if (!lit) clauses.emplace_back();
  }
  clauses.pop_back();
  return clauses;
}

// Returns the claim that there is no (other) solution, if it is true, with a proof.
bool refutes(Given& given, int num_asked, Claim& claim, Proof& proof) {
  Watch watch;
  if (given.solver.solve({}, watch, 1'000'000'000) == learn::Answer::kSat) {
    if (num_asked == 0) return false;
    Clause other;
    for (int var = 1; var <= num_asked; ++var)
      other.push_back(given.solver.is_true(var) ? -var : var);
    given.add(other);
    if (given.solver.solve({}, watch, 1'000'000'000) == learn::Answer::kSat) return false;
  }
  std::string text;
  given.solver.proof()->take([&](std::string_view piece) { text += piece; });
  claim = {given.formula.num_vars, clauses_of(given.formula), num_asked > 0};
  proof = read(text);
  return true;
}

bool draw_formula(Claim& claim, Proof& proof) {
  Given given;
  given.solver.keep_proof();
  const int num_vars = 2 + below(8), size = chance(70) ? 3 : 2;
  given.new_vars(num_vars);
  for (int count = below((size == 3 ? 8 : 4) * num_vars); count > 0; --count) {
    Clause clause(chance(90) ? size : 1 + below(5));
    for (int32_t& lit : clause) lit = (1 + below(num_vars)) * (chance(50) ? 1 : -1);
    given.add(clause);
  }
  return refutes(given, 0, claim, proof);
}

bool draw_puzzle_claim(Claim& claim, Proof& proof) {
  Puzzle puzzle = draw_puzzle(true);
  if (puzzle.height * puzzle.width > 20) return false;
  Given given;
  given.solver.keep_proof();
  add_puzzle(puzzle, false, given);
  return refutes(given, puzzle.height * puzzle.width * puzzle.num_colours, claim, proof);
}

// ---- Mutations ----

template <class Value>
size_t any_of(const std::vector<Value>& values) {
  return static_cast<size_t>(below(static_cast<int>(values.size())));
}

std::string changed_word(const std::string& word, int32_t num_vars) {
  const int number = std::atoi(word.c_str());
  switch (below(4)) {
    case 0:
      return std::to_string(-number);
    case 1:
      return std::to_string(number + 1 - 2 * below(2));
    case 2:
      return std::to_string((1 + below(num_vars)) * (chance(50) ? 1 : -1));
    default:
      return chance(50) ? "0" : chance(50) ? "d" : word + word;
  }
}

// The deletion of a clause; its literals are all words of a line, in any order.
Words deletion(Words lits) {
  std::erase_if(lits, [](const Words::value_type& word) { return word == "d" || word == "0"; });
  std::shuffle(lits.begin(), lits.end(), rng);
  lits.insert(lits.begin(), "d");
  lits.push_back("0");
  return lits;
}

// Inserts deletions of some clauses, of the formula or of the proof, before its end.
void mutate_deletions(Proof& proof, const Clauses& clauses) {
  for (int left = 1 + below(8); left > 0 && !proof.empty(); --left) {
    const size_t at = any_of(proof);
    Words lits = proof[any_of(proof)];
    if (chance(70) && !clauses.empty()) {
      lits.clear();
      for (const int32_t lit : clauses[any_of(clauses)]) lits.push_back(std::to_string(lit));
    }
    proof.insert(proof.begin() + static_cast<std::ptrdiff_t>(at), deletion(lits));
  }
}

void mutate(Proof& proof, int32_t num_vars) {
  for (int left = chance(60) ? 1 : 1 + below(4); left > 0 && !proof.empty(); --left) {
    const size_t at = any_of(proof), other = any_of(proof);
    const auto here = proof.begin() + static_cast<std::ptrdiff_t>(at);
    Words& line = proof[at];
    const int kind = below(9);
    if (kind == 0) proof.erase(here);
    if (kind == 1) proof.insert(here, Words(proof[other]));
    if (kind == 2) std::swap(proof[at], proof[other]);
    if (kind == 3) proof.resize(at);
    if (kind == 4 && line[0] == "d") line.erase(line.begin());
    if (kind == 5 && line[0] != "d") line.insert(line.begin(), "d");
    if (kind > 5) {
      const size_t word = any_of(line);
      const auto place = line.begin() + static_cast<std::ptrdiff_t>(word);
      if (kind == 6) line.erase(place);
      if (kind == 7) line.insert(place, changed_word(line[word], num_vars));
      if (kind == 8) line[word] = changed_word(line[word], num_vars);
    }
    std::erase_if(proof, [](const Words& words) { return words.empty(); });
  }
}

// The result is often satisfiable.
void mutate(Claim& claim) {
  for (int left = 1 + below(chance(40) ? 2 : 12); left > 0 && !claim.clauses.empty(); --left) {
    const size_t at = any_of(claim.clauses);
    Clause& clause = claim.clauses[at];
    const int32_t lit = (1 + below(claim.num_vars)) * (chance(50) ? 1 : -1);
    const int kind = below(4);
    if (kind == 0) claim.clauses.erase(claim.clauses.begin() + static_cast<std::ptrdiff_t>(at));
    if (kind == 1) clause.push_back(lit);
    if (kind == 2 && !clause.empty()) clause[any_of(clause)] = lit;
    if (kind == 3 && !clause.empty()) clause[any_of(clause)] *= -1;
  }
}

// ---- Checks ----

void count(bool is_accepted, bool is_true, bool is_puzzle) {
  const auto add = [&](Counts& counts) { ++(is_accepted ? counts.accepted : counts.refused); };
  add(is_true ? of_true_claims : of_false_claims);
  if (is_puzzle) add(of_puzzles);
}

// Checks the proof; returns it as LRAT, or no value if it is refused.
std::string check_drat(const Claim& claim, const Proof& proof) {
  const Formula formula = claim.formula();
  const std::string text = text_of(proof);
  Watch watch;
  std::string written, hinted;
  bool is_accepted = false;
  try {
    const Drat drat = read_drat(text, claim.num_vars, watch);
    Checker checker(formula, drat, watch);
    checker.run();
    is_accepted = true;
    written = checker.drat(), hinted = checker.lrat();
  } catch (const Refused&) {
  }
  const bool is_true = claim.is_true();
  require(is_true || !is_accepted, "a false claim was accepted");
  count(is_accepted, is_true, claim.is_puzzle);
  const auto judged = [&](const std::string& steps) {
    return naive::Refutation(claim.num_vars, formula.clauses).check(steps);
  };
  if (is_accepted) {
    require(judged(written) == 0, "what was accepted does not follow");
    require(!is_plain(proof, claim.num_vars) ||
                naive::Refutation(claim.num_vars, formula.clauses).refutes(text),
            "what was accepted follows from deleted clauses");
    require(check_lrat(formula, hinted, watch) > 0, "a written proof is refused");
  } else if (is_plain(proof, claim.num_vars)) {
    require(judged(text) != 0, "what follows step by step was refused");
  }
  return hinted;
}

void check_hints(const Claim& claim, const Proof& proof) {
  const Formula formula = claim.formula();
  Watch watch;
  bool is_accepted = false;
  try {
    check_lrat(formula, text_of(proof), watch);
    is_accepted = true;
  } catch (const Refused&) {
  }
  require(is_accepted == naive::follows_hints(claim.num_vars, formula.clauses, text_of(proof)),
          "the naive checker of hints disagrees");
  const bool is_true = claim.is_true();
  require(is_true || !is_accepted, "a false claim was accepted with hints");
  count(is_accepted, is_true, claim.is_puzzle);
  ++(is_accepted ? of_lrat.accepted : of_lrat.refused);
  if (!is_accepted) return;
  naive::Refutation judge(claim.num_vars, formula.clauses);
  require(judge.check(lemmas_of(proof)) == 0, "a line with hints does not follow");
}

// Tests a claim, and twelve mutations of it and its proofs.
int check_claim() {
  Claim claim;
  Proof proof;
  const bool is_drawn = chance(70) ? draw_formula(claim, proof) : draw_puzzle_claim(claim, proof);
  if (!is_drawn) return 0;
  const Proof hinted = read(check_drat(claim, proof));
  require(!hinted.empty(), "a proof of the search was refused");
  for (int i = 0; i < 6; ++i) {
    Claim other = claim;
    Proof changed = proof, changed_hints = hinted;
    if (i % 3 != 0) mutate(changed, claim.num_vars), mutate(changed_hints, claim.num_vars);
    if (i % 3 != 1) mutate(other);
    if (chance(50)) mutate_deletions(changed, claim.clauses);
    check_drat(other, changed);
    check_hints(other, changed_hints);
  }
  return 12;
}

}  // namespace

int main(int argc, char** argv) {
  const int num_mutations = argc > 1 ? std::atoi(argv[1]) : 4000;
  const int seed = argc > 2 ? std::atoi(argv[2]) : 1;
  int done = 0, claims = 0;
  for (int number = 0; done < num_mutations; ++number) {
    fuzzing::start("claim", number, seed);
    const int mutations = check_claim();
    done += mutations, claims += mutations > 0;
  }
  require(of_false_claims.refused > done / 20 && of_true_claims.refused > done / 20 &&
              of_true_claims.accepted > done / 20,
          "one verdict for all");
  fuzzing::print_figures({{"claims", claims},
                          {"mutations", done},
                          {"proofs of true claims accepted", of_true_claims.accepted},
                          {"proofs of true claims refused", of_true_claims.refused},
                          {"proofs of false claims accepted", of_false_claims.accepted},
                          {"proofs of false claims refused", of_false_claims.refused},
                          {"of puzzles accepted", of_puzzles.accepted},
                          {"of puzzles refused", of_puzzles.refused},
                          {"with hints accepted", of_lrat.accepted},
                          {"with hints refused", of_lrat.refused}});
}
