// Seeded fuzzing of chronological backtracking, to be built with -fsanitize=address,undefined.
//
// Small boards, whose loops are found by trying all sets of inside cells, are enumerated by a
// search that follows paths, also under assumptions. Random 3-SAT formulas at the threshold are
// decided by a search with chronological backtracking and by one without.
//
// Usage: fuzz_paths [boards] [formulas] [seed]. Prints what was checked; exit status 1 at an error.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <vector>

#include "drawing.hpp"
#include "fuzzing.hpp"
#include "learn/solver.hpp"
#include "loops/cells.hpp"
#include "loops/clauses.hpp"
#include "solving.hpp"

using namespace nonosat;
using drawing::below, drawing::chance, drawing::rng;
using fuzzing::require;
using learn::Answer, learn::Lit, learn::Paths, learn::Solver;

namespace {

int64_t num_loops = 0, num_solutions = 0, num_questions = 0, num_refuted = 0, num_models = 0;

using Clause = std::vector<int32_t>;

void add(Solver& solver, const Clause& clause) {
  std::vector<Lit> lits;
  for (const int32_t lit : clause) lits.push_back(learn::from_dimacs(lit));
  solver.add(lits);
}

// Clauses, each terminated by 0.
void add_all(Solver& solver, const std::vector<int32_t>& clauses) {
  Clause clause;
  for (const int32_t lit : clauses) {
    if (lit) clause.push_back(lit);
    if (!lit) add(solver, clause), clause.clear();
  }
}

// A board of cells; its edges have the variables from 1, the cells the following ones.
struct Board {
  int height, width;
  std::vector<int32_t> edges, faces;    // by edge: two corners and a variable; two cells
  std::vector<std::vector<int>> sides;  // edges by cell

  Board(int rows, int columns) : height(rows), width(columns), sides(rows * columns) {
    const auto on_board = [&](int r, int c) { return r >= 0 && r < height && c >= 0 && c < width; };
    const int num_edges = (height + 1) * width + height * (width + 1);
    const auto put = [&](int one, int other, std::pair<int, int> a, std::pair<int, int> b) {
      const int edge = static_cast<int>(edges.size() / 3);
      edges.insert(edges.end(), {one, other, 1 + edge});
      for (const auto& [r, c] : {a, b}) {
        faces.push_back(on_board(r, c) ? 1 + num_edges + r * width + c : loops::kOuterFace);
        if (on_board(r, c)) sides[r * width + c].push_back(edge);
      }
    };
    const auto corner = [&](int r, int c) { return r * (width + 1) + c; };
    for (int r = 0; r <= height; ++r) {
      for (int c = 0; c < width; ++c) put(corner(r, c), corner(r, c + 1), {r - 1, c}, {r, c});
    }
    for (int r = 0; r < height; ++r) {
      for (int c = 0; c <= width; ++c) put(corner(r, c), corner(r + 1, c), {r, c}, {r, c - 1});
    }
  }

  int num_edges() const { return static_cast<int>(edges.size() / 3); }
  int num_cells() const { return height * width; }
  int num_vars() const { return num_edges() + num_cells(); }

  // Edges between a set of cells and the others, one byte each.
  std::vector<uint8_t> around(unsigned inside) const {
    std::vector<uint8_t> found(num_edges());
    for (int cell = 0; cell < num_cells(); ++cell) {
      for (const int edge : sides[cell]) found[edge] ^= inside >> cell & 1;
    }
    return found;
  }

  // Returns true if chosen edges form one cycle: every corner has none or two, and they are
  // connected.
  bool is_loop(const std::vector<uint8_t>& chosen) const {
    std::vector<int> degrees((height + 1) * (width + 1)), labels(degrees.size());
    for (size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<int>(i);
    std::set<int> parts;
    for (int edge = 0; edge < num_edges(); ++edge) {
      if (!chosen[edge]) continue;
      const int one = edges[3 * edge], other = edges[3 * edge + 1];
      ++degrees[one], ++degrees[other];
      std::replace(labels.begin(), labels.end(), int{labels[one]}, int{labels[other]});
    }
    for (size_t i = 0; i < labels.size(); ++i) {
      if (degrees[i] != 0 && degrees[i] != 2) return false;
      if (degrees[i]) parts.insert(labels[i]);
    }
    return parts.size() == 1;
  }

  std::vector<std::vector<uint8_t>> loops() const {
    std::vector<std::vector<uint8_t>> found;
    for (unsigned inside = 1; inside < 1u << num_cells(); ++inside) {
      if (auto chosen = around(inside); is_loop(chosen)) found.push_back(std::move(chosen));
    }
    return found;
  }

  int clue(const std::vector<uint8_t>& chosen, int cell) const {
    int sum = 0;
    for (const int edge : sides[cell]) sum += chosen[edge];
    return sum;
  }
};

// Clauses for a cardinality constraint on these variables.
void add_clue(Solver& solver, const std::vector<int>& sides, int clue) {
  for (unsigned subset = 0; subset < 1u << sides.size(); ++subset) {
    const int size = __builtin_popcount(subset), total = static_cast<int>(sides.size());
    if (size != clue + 1 && size != total - clue + 1) continue;
    Clause many, few;
    for (int i = 0; i < total; ++i) {
      if (subset >> i & 1) many.push_back(-(1 + sides[i])), few.push_back(1 + sides[i]);
    }
    if (size == clue + 1) add(solver, many);
    if (size == total - clue + 1) add(solver, few);
  }
}

void follow(Solver& solver, const std::vector<int32_t>& edges) {
  std::vector<Paths::Edge> found;
  for (size_t i = 0; i < edges.size(); i += 3) {
    found.push_back({static_cast<uint32_t>(edges[i]), static_cast<uint32_t>(edges[i + 1]),
                     static_cast<learn::Var>(edges[i + 2])});
  }
  solver.add(std::span<const Paths::Edge>(found));
}

// Solves in as many calls as necessary.
Answer solve(Solver& solver, const std::vector<Lit>& assumptions) {
  for (int patience = 3;; patience *= 2) {
    Watch watch = chance(50) ? Watch() : solving::stopping(patience);
    try {
      const Answer answer = solver.solve(assumptions, watch, chance(20) ? 5 : INT64_MAX);
      if (answer != Answer::kUnknown) return answer;
    } catch (const Stopped&) {
      continue;
    }
  }
}

// As above; models that are not single loops are excluded by cuts.
Answer solve(Solver& solver, loops::Cells& cells, const Board& board,
             const std::vector<Lit>& assumptions) {
  for (;;) {
    const Answer answer = solve(solver, assumptions);
    if (answer != Answer::kSat) return answer;
    ++num_models;
    std::vector<uint8_t> values(1 + board.num_vars());
    for (int var = 1; var <= board.num_vars(); ++var) values[var] = solver.is_true(var);
    Watch watch;
    const auto cuts = cells.refine(values, watch);
    if (cuts.empty()) return answer;
    add_all(solver, cuts);
  }
}

void check_board() {
  const int height = 1 + below(4), width = 1 + below(height > 3 ? 3 : 4);
  const Board board(height, width);
  auto solutions = board.loops();
  num_loops += std::ssize(solutions);
  Solver solver(rng() % 3);
  solver.new_vars(board.num_vars());
  Watch watch;
  const size_t num_corners = (height + 1) * (width + 1);
  add_all(solver, *loops::cycle_clauses(num_corners, board.edges, board.faces, 4, watch));
  follow(solver, board.edges);
  const auto drawn = solutions[below(static_cast<int>(solutions.size()))];
  const int share = below(70);
  for (int cell = 0; cell < board.num_cells(); ++cell) {
    if (!chance(share)) continue;
    const int clue = chance(97) ? board.clue(drawn, cell) : below(5);
    add_clue(solver, board.sides[cell], clue);
    std::erase_if(solutions, [&](const auto& one) { return board.clue(one, cell) != clue; });
  }
  loops::Cells cells(
      [&] {
        auto pairs = board.faces;
        std::ranges::replace(pairs, loops::kOuterFace, 0);
        return pairs;
      }(),
      below(100), watch);
  for (std::set<std::vector<uint8_t>> left(solutions.begin(), solutions.end());;) {
    std::vector<Lit> assumptions(chance(40) ? below(6) : 0);
    for (Lit& lit : assumptions) lit = 2 * (1 + below(board.num_edges())) + below(2);
    const auto suits = [](const auto& one, const std::vector<Lit>& lits) {
      return std::ranges::all_of(
          lits, [&](Lit lit) { return one[learn::var_of(lit) - 1] != learn::is_negated(lit); });
    };
    const bool expected =
        std::ranges::any_of(left, [&](const auto& one) { return suits(one, assumptions); });
    ++num_questions;
    const bool found = solve(solver, cells, board, assumptions) == Answer::kSat;
    require(found == expected, "the answer is wrong");
    if (!found) {
      ++num_refuted;
      const auto core = solver.failed_core(watch);
      const auto fits = [&](const auto& one) { return suits(one, core); };
      require(std::ranges::none_of(left, fits), "what failed can hold together");
      if (assumptions.empty()) break;
      continue;
    }
    std::vector<uint8_t> edges;
    Clause blocking;
    for (int var = 1; var <= board.num_edges(); ++var) {
      edges.push_back(solver.is_true(var));
      if (edges.back()) blocking.push_back(-var);
    }
    require(left.erase(edges) && suits(edges, assumptions), "a model is no solution, or is known");
    ++num_solutions;
    add(solver, blocking);
    if (num_solutions % 2) continue;
    // Phases make the next model close to this one, or far from it.
    for (int var = 1; var <= board.num_edges(); ++var) {
      solver.set_phase(2 * static_cast<Lit>(var) + (edges[var - 1] != chance(50)));
    }
  }
}

// Random 3-SAT around the threshold of 4.27 clauses per variable, with edges that occur in no
// clause.
void check_formula() {
  const int num_vars = 40 + below(60), num_clauses = num_vars * (400 + below(50)) / 100;
  Solver wide(rng() % 3), other;
  wide.new_vars(num_vars + 4), other.new_vars(num_vars);
  const int last = num_vars + 1;
  follow(wide, {0, 1, last, 1, 2, last + 1, 2, 3, last + 2, 3, 0, last + 3});
  std::vector<Clause> clauses(num_clauses);
  for (Clause& clause : clauses) {
    for (int i = 0; i < 3; ++i) clause.push_back((1 + below(num_vars)) * (chance(50) ? 1 : -1));
    add(wide, clause), add(other, clause);
  }
  for (int round = 0; round < 5; ++round) {
    std::vector<Lit> assumptions(chance(40) ? below(8) : 0);
    for (Lit& lit : assumptions) lit = 2 * (1 + below(num_vars)) + below(2);
    const Answer answer = solve(wide, assumptions);
    ++num_questions;
    require(answer == solve(other, assumptions), "two searches do not agree");
    if (answer == Answer::kUnsat) {
      ++num_refuted;
      Watch watch;
      const auto core = wide.failed_core(watch);
      require(solve(other, core) == Answer::kUnsat, "what failed can hold together");
      if (assumptions.empty()) return;
      continue;
    }
    const auto holds = [&](int32_t lit) { return wide.is_true(std::abs(lit)) == (lit > 0); };
    for (const Clause& clause : clauses) {
      require(std::ranges::any_of(clause, holds), "a model breaks a clause");
    }
    Clause blocking;
    for (int var = 1; var <= num_vars; ++var) blocking.push_back(wide.is_true(var) ? -var : var);
    clauses.push_back(blocking);
    add(wide, blocking), add(other, blocking);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int num_boards = argc > 1 ? std::atoi(argv[1]) : 300;
  const int num_formulas = argc > 2 ? std::atoi(argv[2]) : 150;
  const int seed = argc > 3 ? std::atoi(argv[3]) : 1;
  for (int i = 0; i < num_boards; ++i) fuzzing::start("board", i, seed), check_board();
  for (int i = 0; i < num_formulas; ++i) fuzzing::start("formula", i, seed), check_formula();
  fuzzing::print_figures({{"loops", num_loops},
                          {"solutions", num_solutions},
                          {"questions", num_questions},
                          {"refuted", num_refuted},
                          {"models", num_models}});
}
