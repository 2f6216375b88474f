// Seeded fuzzing of the learning search, to be built with -fsanitize=address,undefined.
//
// The solutions of small puzzles are enumerated over clauses with and without their lines, and
// compared with those among all pictures; explanations of lines are checked by the dynamic program
// of reference.hpp, which shares no code with the line solver. Recorded proofs are checked by the
// core's checker and, step by step, by a naive one.
//
// Usage: fuzz_learn [lines] [puzzles] [seed]. Prints what was checked; exit status 1 at an error.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "drawing.hpp"
#include "encoding/order_encoding.hpp"
#include "fuzzing.hpp"
#include "given.hpp"
#include "learn/lines.hpp"
#include "learn/solver.hpp"

using namespace nonosat;
using namespace drawing;
using fuzzing::require;
using given::Given, given::add_puzzle;
using learn::Lit, learn::Lines, learn::Solver;

namespace {

// The line with variable 1 + k * length + i for colour k + 1 of cell i.
LineLits free_line(int length, int num_colours, const Clue& clue) {
  LineLits line{length, clue, {}, {}};
  for (int k = 0; k < num_colours; ++k) {
    line.cells.emplace_back(length);
    std::iota(line.cells.back().begin(), line.cells.back().end(), 1 + k * length);
  }
  return line;
}

// Values that the literals leave to the cells of a free line.
Planes planes_under(const std::vector<Lit>& lits, int length, int num_colours) {
  Planes may(num_colours + 1, std::vector<char>(length, 1));
  for (const Lit lit : lits) {
    const int index = static_cast<int>(learn::var_of(lit)) - 1;
    const int cell = index % length, colour = index / length + 1;
    for (int value = 0; value <= num_colours; ++value) {
      if ((value == colour) == learn::is_negated(lit)) may[value][cell] = 0;
    }
  }
  return may;
}

bool has_filling(const Clue& clue, const std::vector<Lit>& lits, int length, int num_colours) {
  return reference::support(clue, planes_under(lits, length, num_colours)).any;
}

// Checks that `clause` with `lit` holds in every filling, and that no literal of `clause` is
// redundant.
void check_explanation(const Clue& clue, Lit lit, const std::vector<Lit>& clause, int length,
                       int num_colours) {
  std::vector<Lit> assumed;
  for (const Lit one : clause) assumed.push_back(learn::negated(one));
  if (lit != learn::kTrue) assumed.push_back(learn::negated(lit));
  require(!has_filling(clue, assumed, length, num_colours), "an explanation does not explain");
  for (size_t i = 0; i < clause.size(); ++i) {
    std::vector<Lit> fewer = assumed;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    require(has_filling(clue, fewer, length, num_colours), "an explanation is not minimal");
  }
}

void check_line() {
  const int length = chance(80) ? 1 + below(20) : kSides[below(std::size(kSides))];
  const int num_colours = chance(60) ? 1 : 1 + below(3);
  const Cells truth = draw_cells(length, num_colours, length);
  Clue clue = clue_of(truth);
  hide_lengths(clue, chance(30) ? 40 : 0);
  const size_t num_vars = 1 + static_cast<size_t>(length) * num_colours;
  Lines::Values values(2 * num_vars, 0);
  values[learn::kTrue] = 1, values[learn::kFalse] = -1;
  std::vector<uint32_t> places(num_vars, 0);
  Lines lines;
  lines.resize(num_vars);
  lines.add(free_line(length, num_colours, clue), values);
  uint32_t time = 1;
  const int percent = 10 + below(50);
  for (int cell = 0; cell < length; ++cell) {
    if (!chance(percent)) continue;
    const bool lies = chance(8);
    const int colour = truth[cell] && !chance(20) ? truth[cell] : 1 + below(num_colours);
    const Lit lit =
        2 * static_cast<Lit>(1 + (colour - 1) * length + cell) + ((truth[cell] != colour) != lies);
    if (values[lit]) continue;
    values[lit] = 1, values[learn::negated(lit)] = -1;
    places[learn::var_of(lit)] = time++;
    lines.assign(learn::var_of(lit), values);
  }
  require(lines.pop_changed() == 0, "a line told of has not changed");
  std::vector<Lit> implied, clause;
  Watch watch;
  const Lines::History history{places, 1, time};
  if (!lines.propagate(0, values, implied, watch)) {
    lines.explain(0, learn::kTrue, values, history, clause, watch);
    check_explanation(clue, learn::kTrue, clause, length, num_colours);
    return;
  }
  for (const Lit lit : implied) {
    if (implied.size() > 12 && chance(80)) continue;
    lines.explain(0, lit, values, history, clause, watch);
    check_explanation(clue, lit, clause, length, num_colours);
  }
}

std::set<Cells> solutions(const Puzzle& puzzle, bool with_lines) {
  Given given;
  Solver& solver = given.solver;
  if (chance(60)) solver.keep_proof();
  add_puzzle(puzzle, with_lines, given);
  std::set<Cells> found;
  const int num_cells = puzzle.height * puzzle.width;
  Watch watch;
  for (;;) {
    learn::Answer answer;
    do answer = solver.solve({}, watch, chance(50) ? 3 : 1'000'000);
    while (answer == learn::Answer::kUnknown);
    if (answer == learn::Answer::kUnsat) {
      given.check_proof(found.size() < 30);
      return found;
    }
    Cells cells(num_cells, 0);
    std::vector<int32_t> other;
    for (int i = 0; i < num_cells * puzzle.num_colours; ++i) {
      const bool holds = solver.is_true(1 + i);
      if (holds) cells[i % num_cells] = i / num_cells + 1;
      other.push_back(holds ? -(1 + i) : 1 + i);
    }
    require(found.insert(cells).second, "a solution came twice");
    given.add(other);
  }
}

// As above, by two or three searches that run in turns and exchange learnt clauses. Twins are
// copied at the start or later.
std::set<Cells> solutions_of_team(const Puzzle& puzzle, bool with_lines) {
  Given given;
  add_puzzle(puzzle, with_lines, given);
  const int num_cells = puzzle.height * puzzle.width;
  const bool is_prompt = chance(50);
  Watch watch;
  if (chance(30)) given.solver.solve({}, watch, 5);
  std::vector<std::unique_ptr<Solver>> twins;
  for (int i = below(2); i >= 0; --i) {
    twins.push_back(std::make_unique<Solver>(given.solver, below(100)));
  }
  std::vector<Solver*> team{&given.solver};
  for (const auto& twin : twins) team.push_back(twin.get());
  const auto exchange =
      std::make_shared<learn::Exchange>(team.size(), given.solver.num_vars(), is_prompt);
  for (size_t i = 0; i < team.size(); ++i) team[i]->join(exchange, i);
  std::set<Cells> found;
  for (;;) {
    if (chance(30)) exchange->deliver();
    Solver& solver = *team[static_cast<size_t>(below(static_cast<int>(team.size())))];
    const learn::Answer answer = solver.solve({}, watch, 1 + below(5));
    if (answer == learn::Answer::kUnsat) return found;
    if (answer == learn::Answer::kUnknown) continue;
    Cells cells(num_cells, 0);
    std::vector<Lit> other;
    for (int i = 0; i < num_cells * puzzle.num_colours; ++i) {
      const bool holds = solver.is_true(1 + i);
      if (holds) cells[i % num_cells] = i / num_cells + 1;
      other.push_back(learn::from_dimacs(holds ? -(1 + i) : 1 + i));
    }
    require(found.insert(cells).second, "a team gave a solution twice");
    exchange->broadcast(other);
  }
}

void check_puzzle() {
  Puzzle puzzle = draw_puzzle(true);
  while (puzzle.height * puzzle.width * (puzzle.num_colours + 1) > 26) puzzle = draw_puzzle(true);
  std::set<Cells> expected;
  Cells cells(static_cast<size_t>(puzzle.height) * puzzle.width, 0);
  for (size_t at = 0; at < cells.size();) {
    if (puzzle.is_solved_by(cells)) expected.insert(cells);
    for (at = 0; at < cells.size() && cells[at] == puzzle.num_colours; ++at) cells[at] = 0;
    if (at < cells.size()) ++cells[at];
  }
  require(solutions(puzzle, false) == expected, "clauses alone give other solutions");
  require(solutions(puzzle, true) == expected, "lines give other solutions");
  require(solutions_of_team(puzzle, chance(50)) == expected, "a team gives other solutions");
}

// A puzzle with many conflicts, so that restarts, clause database reductions and vivification
// occur.
void check_large_puzzle() {
  Puzzle puzzle{14, 14, 1, draw_cells(14 * 14, 1, 2), {}};
  for (int line = 0; line < puzzle.num_lines(); ++line) {
    puzzle.clues.push_back(clue_of(puzzle.line_of(puzzle.truth, line)));
  }
  Given given;
  Solver& solver = given.solver;
  solver.keep_proof();
  add_puzzle(puzzle, chance(50), given);
  Watch watch;
  for (int round = 0; round < 60; ++round) {
    const learn::Answer answer = solver.solve({}, watch, 200);
    if (answer == learn::Answer::kUnsat) {
      require(round > 0, "a drawn puzzle has no solution");
      given.check_proof(false);
      return;
    }
    if (answer == learn::Answer::kUnknown) continue;
    Cells cells;
    std::vector<int32_t> other;
    for (int i = 1; i <= 14 * 14; ++i) {
      cells.push_back(solver.is_true(i));
      other.push_back(cells.back() ? -i : i);
    }
    require(puzzle.is_solved_by(cells), "a solution does not fit the clues");
    given.add(other);
  }
}

// A staircase of dominoes, whose proof of uniqueness needs restarts, reductions, vivification and
// explanations of lines.
void check_dominoes(int count, bool with_lines) {
  const Puzzle puzzle = dominoes(count);
  Given given;
  given.solver.keep_proof();
  add_puzzle(puzzle, with_lines, given);
  for (int var = 1; var <= puzzle.height * puzzle.width; ++var) {
    if (chance(20)) given.solver.set_phase(learn::from_dimacs(chance(50) ? var : -var));
  }
  Watch watch;
  require(given.solver.solve({}, watch, 1'000'000) == learn::Answer::kSat, "no dominoes");
  std::vector<int32_t> other;
  for (int i = 1; i <= puzzle.height * puzzle.width; ++i) {
    other.push_back(given.solver.is_true(i) ? -i : i);
  }
  given.add(other);
  while (given.solver.solve({}, watch, 700) == learn::Answer::kUnknown) continue;
  const learn::Statistics& done = given.solver.statistics();
  require(done.conflicts > 2500 && done.vivified > 10, "dominoes were too easy");
  require(!with_lines || done.explanations > 100, "lines took no part");
  given.check_proof(false);
}

// The same staircase solved by a team: clauses are imported while others are deleted and shortened.
// The first member imports only external clauses.
void check_team_on_dominoes(int count, bool with_lines) {
  const Puzzle puzzle = dominoes(count);
  Given given;
  add_puzzle(puzzle, with_lines, given);
  Solver twin(given.solver, 7);
  Solver* const team[] = {&given.solver, &twin};
  const auto exchange = std::make_shared<learn::Exchange>(2, given.solver.num_vars(), true);
  for (size_t i = 0; i < 2; ++i) team[i]->join(exchange, i);
  Watch watch;
  int num_found = 0;
  for (size_t i = 0;; i ^= 1) {
    const learn::Answer answer = team[i]->solve({}, watch, 100);
    if (answer == learn::Answer::kUnsat) break;
    if (answer == learn::Answer::kUnknown) continue;
    ++num_found;
    std::vector<Lit> other;
    for (int var = 1; var <= puzzle.height * puzzle.width; ++var) {
      other.push_back(learn::from_dimacs(team[i]->is_true(var) ? -var : var));
    }
    exchange->broadcast(other);
  }
  require(num_found == 1, "a team finds not exactly one staircase");
  require(team[0]->statistics().imported <= num_found,
          "the first member imports what others learn");
  require(team[1]->statistics().imported > 100, "the second member imports nothing");
}

}  // namespace

int main(int argc, char** argv) {
  const int num_lines = argc > 1 ? std::atoi(argv[1]) : 2000;
  const int num_puzzles = argc > 2 ? std::atoi(argv[2]) : 400;
  const int seed = argc > 3 ? std::atoi(argv[3]) : 1;
  for (int number = 0; number < num_lines; ++number) {
    fuzzing::start("line", number, seed);
    check_line();
  }
  for (int number = 0; number < num_puzzles; ++number) {
    fuzzing::start("puzzle", number, seed);
    check_puzzle();
    if (number % 40 == 0) check_large_puzzle();
  }
  for (int number = 0; number < 4; ++number) {
    fuzzing::start("dominoes", number, seed);
    check_dominoes(10 + number / 2, number % 2);
    check_team_on_dominoes(10 + number / 2, number % 2);
  }
  std::printf("checked %d explained lines and %d puzzles\n", num_lines, num_puzzles);
}
