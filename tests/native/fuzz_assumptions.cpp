// Seeded fuzzing of the learning search under assumptions, in goes that are stopped anywhere, and
// short of memory; meant to be built with -fsanitize=address,undefined.
//
// Small formulas, and puzzles with and without their lines, are asked about under assumptions;
// enumeration says whether there is an answer, and whether the assumptions that are said to have
// failed do. A search that may hold few long clauses must be right about those that it holds.
//
// Usage: fuzz_assumptions [formulas] [seed]. Prints what it checked; status 1 at a mistake.
#include <cstdio>
#include <cstdlib>
#include <numeric>
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

constexpr int kMostVars = 11;
int64_t num_failed = 0, num_stopped = 0, num_short = 0;

// Every assignment that is a solution: bit v - 1 is variable v.
using Solutions = std::vector<uint32_t>;

bool holds(int32_t lit, uint32_t assignment) {
  return (assignment >> (std::abs(lit) - 1) & 1) == (lit > 0);
}

bool is_kept(const Clause& clause, uint32_t assignment) {
  return std::any_of(clause.begin(), clause.end(),
                     [&](int32_t lit) { return holds(lit, assignment); });
}

bool any_under(const Solutions& solutions, const std::vector<Lit>& assumptions) {
  return std::any_of(solutions.begin(), solutions.end(), [&](uint32_t assignment) {
    return std::all_of(assumptions.begin(), assumptions.end(),
                       [&](Lit lit) { return holds(learn::to_dimacs(lit), assignment); });
  });
}

std::vector<Lit> draw_assumptions(int num_vars) {
  std::vector<Lit> lits(below(num_vars + 3));
  for (Lit& lit : lits) lit = 2 * (1 + below(num_vars)) + below(2);
  return lits;
}

// A watch that ends what it watches soon, or never.
Watch draw_watch() {
  if (chance(60)) return Watch();
  const int patience = below(30);
  return Watch({}, [left = patience]() mutable { return left-- == 0; },
               {1 + below(2000), std::chrono::milliseconds(0)});
}

// The answer, in as many goes as it takes; without memory for what there is to learn none.
std::optional<Answer> solve(learn::Solver& solver, const std::vector<Lit>& assumptions) {
  for (int go = 0; go < 200; ++go) {
    Watch watch = draw_watch();
    try {
      const Answer answer = solver.solve(assumptions, watch, chance(30) ? 2 : 1'000'000);
      if (answer != Answer::kUnknown) return answer;
      require(!solver.has_failed(), "a search that gave up names what failed");
    } catch (const Stopped&) {
      ++num_stopped;
      require(!solver.has_failed(), "a search that was stopped names what failed");
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
      return solver.failed(watch);
    } catch (const Stopped&) {
      ++num_stopped;
    }
  }
}

void check_failed(learn::Solver& solver, const std::vector<Lit>& assumptions,
                  const Solutions& solutions) {
  require(solver.has_failed(), "a refutation names nothing");
  const std::vector<Lit> core = failed(solver);
  require(core == failed(solver), "asked twice, other assumptions failed");
  for (size_t i = 0; i < core.size(); ++i) {
    const auto rest = core.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    require(std::count(assumptions.begin(), assumptions.end(), core[i]), "what failed was assumed");
    require(!std::count(rest, core.end(), core[i]), "an assumption failed twice");
  }
  require(!any_under(solutions, core), "the assumptions that failed can hold together");
  num_failed += std::ssize(core);
}

// Asks about `num_vars` variables, of which `solutions` are all that can be.
void ask(learn::Solver& solver, int num_vars, const Solutions& solutions) {
  const std::vector<Lit> assumptions = draw_assumptions(num_vars);
  const auto answer = solve(solver, assumptions);
  if (!answer) return;
  require((*answer == Answer::kSat) == any_under(solutions, assumptions), "the answer is wrong");
  if (*answer == Answer::kUnsat) {
    check_failed(solver, assumptions, solutions);
    return;
  }
  uint32_t model = 0;
  for (int var = 1; var <= num_vars; ++var) model |= uint32_t{solver.is_true(var)} << (var - 1);
  require(std::count(solutions.begin(), solutions.end(), model), "a model is no solution");
  for (const Lit lit : assumptions) {
    require(holds(learn::to_dimacs(lit), model), "a model breaks an assumption");
  }
}

Clause draw_clause(int num_vars) {
  Clause clause(1 + below(chance(50) ? 3 : 6));
  for (int32_t& lit : clause) lit = (1 + below(num_vars)) * (chance(50) ? 1 : -1);
  return clause;
}

// Clauses come in between questions; `most_words` is what the search may hold.
void check_formula(size_t most_words) {
  Given given{learn::Solver(rng() % 3, most_words), {}};
  if (chance(30)) given.solver.keep_proof();
  const int num_vars = 1 + below(kMostVars);
  given.new_vars(num_vars);
  Solutions solutions(size_t{1} << num_vars);
  std::iota(solutions.begin(), solutions.end(), 0);
  for (int round = 0; round < 6; ++round) {
    for (int count = below(2 * num_vars); count > 0; --count) {
      const Clause clause = draw_clause(num_vars);
      try {
        given.add(clause);
      } catch (const TooLarge&) {
        ++num_short;
        continue;
      }
      std::erase_if(solutions, [&](uint32_t one) { return !is_kept(clause, one); });
    }
    ask(given.solver, num_vars, solutions);
  }
}

// The cells of a puzzle are the variables; a picture cell by cell is a solution.
void check_puzzle(bool with_lines) {
  Puzzle puzzle = draw_puzzle(true);
  const auto num_vars = [&] { return puzzle.height * puzzle.width * puzzle.num_colours; };
  while (num_vars() > 14) puzzle = draw_puzzle(true);
  Given given;
  if (chance(20)) given.solver.keep_proof();
  add_puzzle(puzzle, with_lines, given);
  Solutions solutions;
  Cells cells(static_cast<size_t>(puzzle.height) * puzzle.width, 0);
  for (size_t at = 0; at < cells.size();) {
    uint32_t assignment = 0;
    for (size_t i = 0; i < cells.size(); ++i) {
      if (cells[i]) assignment |= uint32_t{1} << ((cells[i] - 1) * cells.size() + i);
    }
    if (puzzle.is_solved_by(cells)) solutions.push_back(assignment);
    for (at = 0; at < cells.size() && cells[at] == puzzle.num_colours; ++at) cells[at] = 0;
    if (at < cells.size()) ++cells[at];
  }
  for (int round = 0; round < 8; ++round) ask(given.solver, num_vars(), solutions);
}

}  // namespace

int main(int argc, char** argv) {
  const int num_formulas = argc > 1 ? std::atoi(argv[1]) : 4000;
  const int seed = argc > 2 ? std::atoi(argv[2]) : 1;
  for (int number = 0; number < num_formulas; ++number) {
    fuzzing::start("formula", number, seed);
    check_formula(learn::Arena::kMostWords);
    fuzzing::start("small memory", number, seed);
    check_formula(static_cast<size_t>(below(60)));
    fuzzing::start("puzzle", number, seed);
    check_puzzle(number % 2);
  }
  require(
      num_failed > num_formulas && num_stopped > num_formulas / 10 && num_short > num_formulas / 20,
      "too little was tried");
  std::printf("checked 2 x %d formulas and %d puzzles under assumptions\n", num_formulas,
              num_formulas);
}
