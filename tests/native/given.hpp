// Shared by fuzzers of the learning search: a solver and its input.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drawing.hpp"
#include "encoding/order_encoding.hpp"
#include "fuzzing.hpp"
#include "learn/solver.hpp"
#include "naive_rup.hpp"
#include "proof/check.hpp"
#include "proof/check_text.hpp"

namespace given {

using namespace nonosat;
using namespace drawing;
using learn::Lit, learn::Solver;

// A solver, and the clauses that were added to it.
struct Given {
  Solver solver;
  Formula formula;

  void new_vars(int count) {
    solver.new_vars(static_cast<size_t>(count));
    formula.num_vars += count;
  }

  void add(const std::vector<int32_t>& clause) {
    std::vector<Lit> lits;
    for (const int32_t lit : clause) lits.push_back(learn::from_dimacs(lit));
    solver.add(lits);
    formula.clauses.insert(formula.clauses.end(), clause.begin(), clause.end());
    formula.clauses.push_back(0);
  }

  // Checks that the recorded proof refutes the input: by the core's checker and, if that does not
  // take long, by the naive one.
  void check_proof(bool is_small) {
    if (!solver.proof()) return;
    std::string text;
    const size_t size = solver.proof()->num_bytes();
    solver.proof()->take([&](std::string_view piece) { text += piece; });
    fuzzing::require(text.size() == size, "num_bytes is not the length of the proof");
    Watch watch;
    try {
      const Drat drat = read_drat(text, formula.num_vars, watch);
      Checker(formula, drat, watch).run();
    } catch (const Refused& refused) {
      fuzzing::require(false, refused.what());
    }
    if (!is_small) return;
    naive::Refutation naive(formula.num_vars, formula.clauses);
    fuzzing::require(naive.check(text) == 0, "a step of a proof does not follow");
  }
};

// Literals of a row-major board: variable 1 + (colour - 1) * cells + cell.
inline void add_puzzle(const Puzzle& puzzle, bool with_lines, Given& given) {
  const int num_cells = puzzle.height * puzzle.width;
  given.new_vars(num_cells * puzzle.num_colours);
  for (int cell = 0; cell < num_cells; ++cell) {
    for (int k = 0; k < puzzle.num_colours; ++k) {
      for (int other = 0; other < k; ++other) {
        given.add({-(1 + k * num_cells + cell), -(1 + other * num_cells + cell)});
      }
    }
  }
  Watch watch;
  for (int line = 0; line < puzzle.num_lines(); ++line) {
    LineLits lits{puzzle.length(line), puzzle.clues[line], {}, {}};
    for (int k = 0; k < puzzle.num_colours; ++k) {
      lits.cells.emplace_back();
      for (int i = 0; i < lits.length; ++i) {
        lits.cells.back().push_back(1 + k * num_cells + puzzle.cell(line, i));
      }
    }
    if (with_lines) given.solver.add(lits);
    const Plan plan(lits.length, puzzle.num_colours, lits.blocks);
    OrderEncoding encoding(lits, plan, watch);
    if (!encoding.is_feasible()) given.add({});
    if (!encoding.is_feasible()) continue;
    const int32_t first = given.formula.num_vars + 1;
    given.new_vars(static_cast<int>(encoding.num_vars()));
    std::vector<int32_t> clauses, clause;
    encoding.clauses(first, clauses, watch);
    for (const int32_t lit : clauses) {
      if (lit) clause.push_back(lit);
      if (!lit) given.add(std::exchange(clause, {}));
    }
  }
}

}  // namespace given
