// Seeded fuzzing of the proof checkers, to be built with -fsanitize=address,undefined.
//
// Inputs: small random formulas, proofs of resolvents mixed with random clauses and deletions,
// damaged texts and noise. If the backward checker accepts, enumeration must find the formula
// unsatisfiable, and both checkers must accept the proof that it writes; on damaged proofs with
// hints the LRAT checker must agree with a naive one. Texts at the limits of the readers have known
// verdicts.
//
// Usage: fuzz_check [rounds] [seed]. Prints what was checked; exit status 1 at an error.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "naive_rup.hpp"
#include "proof/check.hpp"
#include "proof/check_lrat.hpp"
#include "proof/check_text.hpp"
#include "proof_texts.hpp"

using namespace nonosat;

namespace {

using Clause = std::vector<int32_t>;

std::mt19937_64 rng;
int round_number = 0;

int below(int bound) { return static_cast<int>(rng() % static_cast<uint64_t>(bound)); }
bool chance(int percent) { return below(100) < percent; }

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz_check: %s, in round %d\n", what, round_number);
  std::exit(1);
}

std::vector<Clause> draw_clauses(int num_vars) {
  std::vector<Clause> clauses(below(6 * num_vars));
  for (Clause& clause : clauses) {
    for (int left = chance(2) ? below(2) : 1 + below(4); left > 0; --left) {
      clause.push_back((1 + below(num_vars)) * (chance(50) ? 1 : -1));
    }
  }
  return clauses;
}

bool is_satisfiable(int num_vars, const std::vector<Clause>& clauses) {
  for (int values = 0; values < 1 << num_vars; ++values) {
    const auto holds = [&](int32_t lit) {
      return (values >> (std::abs(lit) - 1) & 1) == (lit > 0);
    };
    if (std::all_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
          return std::any_of(clause.begin(), clause.end(), holds);
        })) {
      return true;
    }
  }
  return false;
}

Formula formula_of(int num_vars, const std::vector<Clause>& clauses) {
  Formula formula{num_vars, {}};
  for (const Clause& clause : clauses) {
    formula.clauses.insert(formula.clauses.end(), clause.begin(), clause.end());
    formula.clauses.push_back(0);
  }
  return formula;
}

std::string line_of(const Clause& clause) {
  std::string line;
  for (const int32_t lit : clause) line += std::to_string(lit) + ' ';
  return line + "0\n";
}

// Returns a resolvent of two clauses if there is one, else a copy.
Clause combined(const Clause& one, const Clause& other) {
  for (const int32_t pivot : one) {
    if (std::find(other.begin(), other.end(), -pivot) == other.end()) continue;
    Clause found;
    for (const int32_t lit : one) {
      if (lit != pivot) found.push_back(lit);
    }
    for (const int32_t lit : other) {
      if (lit != -pivot && std::find(found.begin(), found.end(), lit) == found.end()) {
        found.push_back(lit);
      }
    }
    return found;
  }
  return one;
}

std::string draw_proof(int num_vars, std::vector<Clause> known) {
  std::string proof;
  for (int left = known.empty() ? 0 : below(100); left > 0; --left) {
    const Clause& any = known[below(static_cast<int>(known.size()))];
    if (chance(10)) {
      proof += "d " + line_of(any);
      continue;
    }
    Clause lemma = combined(any, known[below(static_cast<int>(known.size()))]);
    if (chance(3) && !lemma.empty()) lemma.pop_back();
    if (chance(3)) lemma.push_back((1 + below(num_vars)) * (chance(50) ? 1 : -1));
    proof += line_of(lemma);
    known.push_back(lemma);
  }
  return proof;
}

void damage(std::string& text) {
  const char letters[] = "0123456789- \ndcp\t\r\x80";
  for (int left = 1 + below(3); left > 0 && !text.empty(); --left) {
    const size_t at = rng() % text.size();
    if (chance(30)) text.erase(at, 1 + below(8));
    if (at < text.size() && chance(50)) text[at] = letters[below(std::size(letters) - 1)];
    if (chance(30)) text.insert(std::min(at, text.size()), std::to_string(below(1 << 20)));
  }
}

// Converts LRAT to DRAT: each lemma of two or more literals is deleted after its last use, unless
// that is in the last line.
std::string without_hints(const std::string& lrat, size_t num_clauses) {
  std::vector<std::string> lemmas;
  std::vector<size_t> last_uses;
  std::istringstream lines(lrat);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    int64_t number;
    words >> number;
    lemmas.emplace_back();
    for (; words >> number && number;) lemmas.back() += std::to_string(number) + ' ';
    for (; words >> number && number;) {
      const auto used = static_cast<size_t>(number) - 1;
      if (used >= num_clauses) last_uses[used - num_clauses] = last_uses.size();
    }
    last_uses.push_back(0);
  }
  std::string text;
  for (size_t at = 0; at < lemmas.size(); ++at) {
    text += lemmas[at] + "0\n";
    for (size_t lemma = 0; lemma < at && at + 1 < lemmas.size(); ++lemma) {
      const bool is_long = std::count(lemmas[lemma].begin(), lemmas[lemma].end(), ' ') > 1;
      if (is_long && last_uses[lemma] == at) text += "d " + lemmas[lemma] + "0\n";
    }
  }
  return text;
}

// Checks the proofs that the checker writes.
void check_written(const Formula& formula, Checker& checker) {
  Watch watch;
  const std::string lrat = checker.lrat(), drat = checker.drat();
  require(check_lrat(formula, lrat, watch) == checker.num_needed(), "lines of a written proof");
  require(naive::follows_hints(formula.num_vars, formula.clauses, lrat), "written hints are wrong");
  const auto num_clauses = std::count(formula.clauses.begin(), formula.clauses.end(), 0);
  require(drat == without_hints(lrat, static_cast<size_t>(num_clauses)), "a lemma goes too late");
  const Drat trimmed = read_drat(drat, formula.num_vars, watch);
  Checker(formula, trimmed, watch).run();
  for (int left = 4; left > 0; --left) {
    std::string damaged = lrat;
    damage(damaged);
    bool is_accepted = true;
    try {
      check_lrat(formula, damaged, watch);
    } catch (const Refused&) {
      is_accepted = false;
    }
    require(is_accepted == naive::follows_hints(formula.num_vars, formula.clauses, damaged),
            "the naive checker of hints disagrees");
  }
}

// Returns true if the checker accepts; then all that it writes is checked.
bool accepts(const Formula& formula, const std::string& proof) {
  Watch watch;
  Drat drat;
  std::optional<Checker> checker;
  try {
    drat = read_drat(proof, formula.num_vars, watch);
    checker.emplace(formula, drat, watch).run();
  } catch (const Refused&) {
    return false;
  }
  check_written(formula, *checker);
  return true;
}

// A check that is stopped in either way leaks nothing that the sanitizers would report.
void stop(const Formula& formula, const std::string& proof) {
  int patience = below(200);
  Watch watch({}, [&] { return patience-- <= 0; },
              {.check_every = 1, .poll_every = std::chrono::milliseconds(0)});
  try {
    const Drat drat = read_drat(proof, formula.num_vars, watch);
    Checker(formula, drat, watch).run();
  } catch (const Refused&) {
  } catch (const Stopped&) {
  }
}

void read_noise(std::string text) {
  damage(text);
  Watch watch;
  try {
    const Formula formula = read_dimacs(text, watch);
    require(formula.clauses.empty() || formula.clauses.back() == 0, "an open clause");
  } catch (const Refused&) {
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 3000;
  const int seed = argc > 2 ? std::atoi(argv[2]) : 1;
  proof_texts::check_all();
  int num_accepted = 0;
  for (; round_number < rounds; ++round_number) {
    std::seed_seq sequence{seed, round_number};
    rng.seed(sequence);
    const int num_vars = 1 + below(7);
    const auto clauses = draw_clauses(num_vars);
    const Formula formula = formula_of(num_vars, clauses);
    std::string proof = draw_proof(num_vars, clauses);
    if (chance(30)) damage(proof);
    if (accepts(formula, proof)) {
      ++num_accepted;
      require(!is_satisfiable(num_vars, clauses), "a satisfiable formula was refuted");
    }
    stop(formula, proof);
    std::string text = "p cnf " + std::to_string(num_vars) + ' ' + std::to_string(clauses.size());
    for (const Clause& clause : clauses) text += '\n' + line_of(clause);
    read_noise(text);
  }
  require(rounds < 100 || (num_accepted > rounds / 10 && num_accepted < rounds),
          "one verdict for all");
  std::printf("checked %d proofs, %d of them accepted\n", rounds, num_accepted);
}
