// Seeded fuzzing of the learning search under assumptions, with calls that are stopped at random
// points, and with little memory; to be built with -fsanitize=address,undefined.
//
// Small formulas, and puzzles with and without their lines and with additional clauses, are solved
// under assumptions; a table of all assignments determines the expected answer, and whether the
// failed assumptions are a core. Clauses, phases and new variables are added between calls. If a
// proof is recorded, each of its steps is checked. With a limit on the memory for long clauses the
// answers must be right for the clauses that were stored.
//
// Usage: fuzz_assumptions [formulas] [seed]. The last line of the output has the figures as JSON.
// Exit status 1 at an error.
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "drawing.hpp"
#include "fuzzing.hpp"
#include "given.hpp"

using namespace nonosat;
using namespace drawing;
using fuzzing::require;
using given::Given;
using learn::Answer, learn::Lit;

namespace {

using Clause = std::vector<int32_t>;

int64_t num_questions = 0, num_refuted = 0, num_failed = 0, num_stopped = 0, num_short = 0;
int64_t num_proofs = 0;

bool holds(int32_t lit, uint32_t assignment) {
  return (assignment >> (std::abs(lit) - 1) & 1) == (lit > 0);
}

// Set of assignments that are solutions, one bit each: bit v - 1 of the assignment's number is the
// value of variable v.
class Solutions {
 public:
  explicit Solutions(int num_vars) : words_(((1 << num_vars) + 63) / 64) {
    std::fill(words_.begin(), words_.end(),
              num_vars < 6 ? (Word{1} << (1 << num_vars)) - 1 : ~Word{0});
  }

  bool has(uint32_t assignment) const { return words_[assignment / 64] >> assignment % 64 & 1; }
  void set(uint32_t assignment) { words_[assignment / 64] |= Word{1} << assignment % 64; }
  void clear() { std::fill(words_.begin(), words_.end(), 0); }

  void keep(const Clause& clause) {
    for (size_t i = 0; i < words_.size(); ++i) {
      Word kept = 0;
      for (const int32_t lit : clause) kept |= where(lit, i);
      words_[i] &= kept;
    }
  }
  bool any_under(const std::vector<Lit>& assumptions) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      Word left = words_[i];
      for (const Lit lit : assumptions) left &= where(learn::to_dimacs(lit), i);
      if (left) return true;
    }
    return false;
  }

 private:
  // Of the 64 assignments of a word, those that satisfy a literal.
  static Word where(int32_t lit, size_t word) {
    constexpr Word kLow[] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                             0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};
    const int var = std::abs(lit) - 1;
    const Word true_in = var < 6 ? kLow[var] : Word{0} - (word >> (var - 6) & 1);
    return lit > 0 ? true_in : ~true_in;
  }

  std::vector<Word> words_;
};

// Sometimes many more than variables: each assumption opens a level, also if it is repeated.
std::vector<Lit> draw_assumptions(int num_vars) {
  std::vector<Lit> lits(below(chance(10) ? 4 * num_vars : num_vars + 3));
  for (Lit& lit : lits) lit = 2 * (1 + below(num_vars)) + below(2);
  return lits;
}

// A watch that stops its work soon, or never.
Watch draw_watch() {
  if (chance(60)) return Watch();
  const int patience = below(30);
  return Watch({}, [left = patience]() mutable { return left-- == 0; },
               {1 + below(2000), std::chrono::milliseconds(0)});
}

// Solves in as many calls as necessary; no answer if the memory for learnt clauses is exhausted.
std::optional<Answer> solve(learn::Solver& solver, const std::vector<Lit>& assumptions) {
  for (int go = 0; go < 200; ++go) {
    Watch watch = draw_watch();
    try {
      const Answer answer = solver.solve(assumptions, watch, chance(30) ? 2 : INT64_MAX);
      if (answer != Answer::kUnknown) return answer;
      require(!solver.has_failed(), "failed assumptions after UNKNOWN");
    } catch (const Stopped&) {
      ++num_stopped;
      require(!solver.has_failed(), "failed assumptions after a stop");
    } catch (const TooLarge&) {
      ++num_short;
    }
  }
  return {};
}

std::vector<Lit> failed(learn::Solver& solver) {
  for (;;) {
    Watch watch = draw_watch();
    try {
      return solver.failed_core(watch);
    } catch (const Stopped&) {
      ++num_stopped;
    }
  }
}

void check_failed(learn::Solver& solver, const std::vector<Lit>& assumptions,
                  const Solutions& solutions) {
  require(solver.has_failed(), "a refutation names nothing");
  const std::vector<Lit> core = failed(solver);
  require(core == failed(solver), "a second call returns other failed assumptions");
  for (size_t i = 0; i < core.size(); ++i) {
    const auto rest = core.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    require(std::count(assumptions.begin(), assumptions.end(), core[i]), "what failed was assumed");
    require(!std::count(rest, core.end(), core[i]), "an assumption failed twice");
  }
  require(!solutions.any_under(core), "the assumptions that failed can hold together");
  num_failed += std::ssize(core);
}

// Phases change the course of the search, never the answer.
void set_phases(learn::Solver& solver, int num_vars) {
  if (chance(10)) solver.clear_phases();
  if (!chance(20)) return;
  for (int var = 1; var <= num_vars; ++var) {
    if (chance(50)) solver.set_phase(2 * static_cast<Lit>(var) + below(2));
  }
}

// Solves under assumptions on the first variables, whose solutions are `solutions`; those above
// `num_vars` do not exist yet. Returns true if the answer is UNSAT even without assumptions.
bool check_answer(learn::Solver& solver, int num_vars, const Solutions& solutions) {
  const std::vector<Lit> assumptions = chance(25) ? std::vector<Lit>() : draw_assumptions(num_vars);
  set_phases(solver, num_vars);
  const auto answer = solve(solver, assumptions);
  if (!answer) return false;
  ++num_questions;
  const bool expected = solutions.any_under(assumptions);
  require((*answer == Answer::kSat) == expected, "a wrong answer");
  if (*answer == Answer::kUnsat) {
    ++num_refuted;
    check_failed(solver, assumptions, solutions);
    return assumptions.empty();
  }
  uint32_t model = 0;
  for (int var = 1; var <= num_vars; ++var) model |= uint32_t{solver.is_true(var)} << (var - 1);
  require(solutions.has(model), "a model is no solution");
  for (const Lit lit : assumptions) {
    require(holds(learn::to_dimacs(lit), model), "a model breaks an assumption");
  }
  return false;
}

// A literal may occur twice, and together with its negation.
Clause draw_clause(int num_vars, bool threes) {
  Clause clause(threes ? 3 : chance(1) && chance(10) ? 0 : 1 + below(chance(50) ? 3 : 6));
  for (int32_t& lit : clause) lit = (1 + below(num_vars)) * (chance(50) ? 1 : -1);
  return clause;
}

// Mostly few variables: a table of 2^19 assignments takes as long as hundreds of small formulas.
int draw_num_vars() { return 1 + below(chance(80) ? 11 : chance(95) ? 15 : 19); }

// Random 3-SAT around the threshold of 4.3 clauses per variable, or clauses of all lengths, in
// `num_rounds` rounds; `most_words` limits the memory of the search.
void check_formula(size_t most_words) {
  Given given{learn::Solver(rng() % 3, most_words), {}};
  const bool has_proof = chance(30), threes = chance(40);
  if (has_proof) given.solver.keep_proof();
  const int num_vars = draw_num_vars(), num_rounds = 1 + below(6);
  const int num_early = chance(50) ? num_vars : 1 + below(num_vars);
  given.new_vars(num_early);
  Solutions solutions(num_vars);
  bool was_short = false, is_refuted = false;
  for (int round = 0; round < num_rounds && !is_refuted; ++round) {
    if (round == 1) given.new_vars(num_vars - num_early);
    const int most = threes ? 9 * num_vars / num_rounds : 2 * num_vars;
    for (int count = below(most + 1); count > 0; --count) {
      const Clause clause = draw_clause(given.formula.num_vars, threes);
      try {
        given.add(clause);
      } catch (const TooLarge&) {
        ++num_short;
        was_short = true;
        continue;
      }
      solutions.keep(clause);
    }
    is_refuted = check_answer(given.solver, given.formula.num_vars, solutions);
  }
  if (!is_refuted || !has_proof || was_short) return;
  ++num_proofs;
  given.check_proof(true);
}

// Puzzles: the variables are the cells, and the solutions are found by enumerating pictures.
// Clauses over the cells are added between calls.
void check_puzzle(bool with_lines) {
  Puzzle puzzle = draw_puzzle(true);
  const auto num_vars = [&] { return puzzle.height * puzzle.width * puzzle.num_colours; };
  while (num_vars() > 14) puzzle = draw_puzzle(true);
  Given given;
  const bool has_proof = chance(20);
  if (has_proof) given.solver.keep_proof();
  add_puzzle(puzzle, with_lines, given);
  Solutions solutions(num_vars());
  solutions.clear();
  Cells cells(static_cast<size_t>(puzzle.height) * puzzle.width, 0);
  for (size_t at = 0; at < cells.size();) {
    uint32_t assignment = 0;
    for (size_t i = 0; i < cells.size(); ++i) {
      if (cells[i]) assignment |= uint32_t{1} << ((cells[i] - 1) * cells.size() + i);
    }
    if (puzzle.is_solved_by(cells)) solutions.set(assignment);
    for (at = 0; at < cells.size() && cells[at] == puzzle.num_colours; ++at) cells[at] = 0;
    if (at < cells.size()) ++cells[at];
  }
  bool is_refuted = false;
  for (int round = 0; round < 8 && !is_refuted; ++round) {
    is_refuted = check_answer(given.solver, num_vars(), solutions);
    for (int count = round > 2 ? below(3) : 0; count > 0 && !is_refuted; --count) {
      const Clause clause = draw_clause(num_vars(), false);
      given.add(clause);
      solutions.keep(clause);
    }
  }
  if (!is_refuted || !has_proof) return;
  ++num_proofs;
  given.check_proof(true);
}

}  // namespace

int main(int argc, char** argv) {
  const int num_formulas = argc > 1 ? std::atoi(argv[1]) : 8000;
  const int seed = argc > 2 ? std::atoi(argv[2]) : 1;
  int num_puzzles = 0;
  for (int number = 0; number < num_formulas; ++number) {
    const bool is_tight = number % 4 == 3;
    fuzzing::start(is_tight ? "small memory" : "formula", number, seed);
    check_formula(is_tight ? static_cast<size_t>(below(60)) : learn::Arena::kMostWords);
    if (number % 2) continue;
    fuzzing::start("puzzle", number, seed);
    check_puzzle(num_puzzles++ % 2);
  }
  require(num_failed > num_formulas / 2 && num_stopped > num_formulas / 20 &&
              num_short > num_formulas / 400 && num_refuted > num_questions / 10 &&
              num_proofs > num_formulas / 100,
          "too little was tried");
  fuzzing::print_figures({{"formulas", num_formulas},
                          {"puzzles with and without lines", num_puzzles},
                          {"questions", num_questions},
                          {"of these refuted", num_refuted},
                          {"assumptions in cores", num_failed},
                          {"searches stopped", num_stopped},
                          {"clauses or searches short of memory", num_short},
                          {"proofs checked step by step", num_proofs}});
}
