// Test of allocation failures at all points of the native core, to be built with
// -fsanitize=address,undefined.
//
// Each piece of work is repeated with an allocator that fails at the first allocation, at the
// second, and so on, once or from then on. Only bad_alloc may be thrown, memory is freed
// (sanitizers check that), and if the work can be resumed, it reaches the answer that it has with
// enough memory.
//
// Usage: fuzz_memory [failures] [seed]. Prints what was checked; exit status 1 at an error.
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "beliefs/beliefs.hpp"
#include "board/board.hpp"
#include "board/deduction.hpp"
#include "board/dive.hpp"
#include "board/lemmas.hpp"
#include "board/outlook.hpp"
#include "board/probe.hpp"
#include "count/counter.hpp"
#include "decimation/decimation.hpp"
#include "drawing.hpp"
#include "encoding/clauses.hpp"
#include "encoding/implications.hpp"
#include "failing_allocator.hpp"
#include "fuzzing.hpp"
#include "given.hpp"
#include "knight/construction.hpp"
#include "knight/rotation.hpp"
#include "knight/search.hpp"
#include "knight/warnsdorff.hpp"
#include "loops/cells.hpp"
#include "prices/prices.hpp"
#include "proof/check.hpp"
#include "proof/check_lrat.hpp"
#include "proof/check_prices.hpp"
#include "queens/count.hpp"
#include "queens/search.hpp"
#include "search/search.hpp"

using namespace nonosat;
using namespace drawing;
using failing::Attempt, failing::repeat_with_failures;
using fuzzing::require;

namespace {

std::optional<Board> made(Attempt& attempt, const Puzzle& puzzle) {
  std::optional<Board> board;
  attempt([&] { board.emplace(puzzle.board()); });
  return board;
}

std::vector<uint8_t> picture(const Puzzle& puzzle) {
  Board board = puzzle.board();
  Watch watch;
  if (!board.propagate(watch)) return {};
  Search search(board);
  const bool is_found = search.next(watch, INT64_MAX / 4) == SearchOutcome::kSolution;
  return is_found ? board.cells() : std::vector<uint8_t>();
}

// ---- Boards ----

void check_propagation(const Puzzle& puzzle) {
  Board whole = puzzle.board();
  Watch watch;
  const bool holds = whole.propagate(watch);
  repeat_with_failures("propagation", [&](Attempt& attempt) {
    auto board = made(attempt, puzzle);
    if (!board) return;
    attempt([&] { board->propagate(watch); });
    require(board->propagate(watch) == holds, "propagation that goes on");
    require(!holds || board->cells() == whole.cells(), "what propagation comes to");
  });
}

void check_probing(const Puzzle& puzzle) {
  Board whole = puzzle.board();
  Watch watch;
  const Progress expected = Prober(whole).run(watch, INT64_MAX);
  repeat_with_failures("probing", [&](Attempt& attempt) {
    Board board = puzzle.board();
    std::optional<Prober<Board>> prober;
    if (!attempt([&] { prober.emplace(board); })) return;
    attempt([&] { prober->run(watch, INT64_MAX); });
    require(prober->run(watch, INT64_MAX) == expected, "probing that goes on");
    require(expected != Progress::kFixpoint || board.num_pairs() == whole.num_pairs(),
            "what probing comes to");
  });
}

// Objects that are unusable after a failure: they only have to be destroyed correctly.
void check_searches(const Puzzle& puzzle) {
  Board settled = puzzle.board();
  Watch watch;
  if (!settled.propagate(watch)) return;
  repeat_with_failures("search", [&](Attempt& attempt) {
    Board board = settled;
    attempt([&] {
      Search search(board, 1);
      for (int found = 0; found < 3; ++found) {
        if (search.next(watch, 50'000'000) != SearchOutcome::kSolution) return;
        const std::vector<uint8_t> cells = board.cells();
        require(puzzle.is_solved_by(Cells(cells.begin(), cells.end())), "a wrong solution");
      }
    });
  });
  repeat_with_failures(
      "dives", [&](Attempt& attempt) { attempt([&] { Dives(settled).run(watch, 5'000'000); }); });
  repeat_with_failures("outlook", [&](Attempt& attempt) {
    Board board = settled;
    attempt([&] { look_ahead(board, 12, watch); });
    require(board.cells() == settled.cells(), "what looking ahead leaves behind");
  });
  repeat_with_failures("deduction", [&](Attempt& attempt) {
    Board board = puzzle.board();
    attempt([&] {
      Deduction deduction(board);
      if (!deduction.propagate(watch)) return;
      deduction.probe(watch, INT64_MAX);
      Board fresh = puzzle.board();
      lemmas_of(fresh, deduction.take_steps(), watch);
    });
  });
  repeat_with_failures("implications", [&](Attempt& attempt) {
    attempt([&] {
      std::vector<int32_t> variables(settled.num_cells() * (settled.num_values() - 1));
      for (size_t i = 0; i < variables.size(); ++i) variables[i] = static_cast<int32_t>(i + 1);
      Implications implications(settled, variables, 20, watch);
      while (!implications.next(watch).empty()) continue;
    });
  });
  repeat_with_failures("beliefs", [&](Attempt& attempt) {
    Board board = settled;
    attempt([&] {
      Beliefs beliefs(board, {0.1, 15, 0, 1});
      beliefs.run(watch, 3);
      for (int line = 0; line < 2; ++line) beliefs.blocks(line, watch);
      beliefs.probabilities(1, watch);
    });
  });
  repeat_with_failures("decimation", [&](Attempt& attempt) {
    attempt([&] {
      Decimation::Settings settings;
      settings.first = 3;
      Decimation(settled, settings).run(watch, 3'000'000);
    });
  });
}

void check_counting(const Puzzle& puzzle, size_t max_bytes) {
  Board whole = puzzle.board();
  Watch watch;
  Counter counted(whole, max_bytes);
  if (!counted.run(watch, 30'000'000)) return;
  repeat_with_failures("counting", [&](Attempt& attempt) {
    Board board = puzzle.board();
    std::optional<Counter<Board>> counter;
    if (!attempt([&] { counter.emplace(board, max_bytes); })) return;
    attempt([&] { counter->run(watch, INT64_MAX / 4); });
    while (!counter->run(watch, INT64_MAX / 4)) continue;
    require(counter->total() == counted.total(), "a count that goes on");
  });
}

void check_price_search(const Puzzle& puzzle) {
  const std::vector<uint8_t> cells = picture(puzzle);
  Watch watch;
  Board board = puzzle.board();
  if (cells.empty() || !board.propagate(watch)) return;
  repeat_with_failures("prices", [&](Attempt& attempt) {
    attempt([&] {
      Prices prices(board, cells, watch);
      if (prices.lower(watch, 4, 30'000'000, true) == Prices::Outcome::kReached) {
        prices.shrink(watch, 4);
      }
      prices.ruled_out(watch, 4);
      prices.payments(watch);
    });
  });
  repeat_with_failures("prices of no solution", [&](Attempt& attempt) {
    attempt([&] {
      Prices prices(board, {}, watch);
      prices.find(watch, 3'000'000, true);
      prices.impossible(watch);
      prices.set_solution(watch, cells);
    });
  });
}

// ---- Clauses and proofs ----

// A solver is used again after a failure, or discarded; its answers are never wrong.
void check_learning(const Puzzle& puzzle, bool with_lines, int num_solutions) {
  repeat_with_failures(with_lines ? "learning with lines" : "learning", [&](Attempt& attempt) {
    given::Given given;
    const auto build = [&] {
      given.solver.keep_proof();
      given::add_puzzle(puzzle, with_lines, given);
    };
    if (!attempt(build)) return;  // it is unknown which clauses it has
    Watch watch;
    std::vector<std::vector<uint8_t>> found;
    for (;;) {
      auto answer = learn::Answer::kUnknown;
      attempt([&] { answer = given.solver.solve({}, watch, 1'000'000); });
      if (answer == learn::Answer::kUnknown) answer = given.solver.solve({}, watch, 1'000'000);
      if (answer != learn::Answer::kSat) break;
      std::vector<int32_t> other;
      Cells cells;
      for (int i = 1; i <= puzzle.height * puzzle.width; ++i) {
        cells.push_back(given.solver.is_true(i));
        other.push_back(cells.back() ? -i : i);
      }
      require(puzzle.is_solved_by(cells), "a wrong solution");
      found.emplace_back(cells.begin(), cells.end());
      if (!attempt([&] { given.add(other); })) return;
    }
    require(std::ssize(found) == num_solutions, "solutions that are lost");
  });
}

// Clauses whose watchers move from list to list; an incompletely updated list must not cause wrong
// answers.
void check_long_clauses(int num_vars, int num_clauses) {
  std::vector<std::vector<int32_t>> clauses(num_clauses, std::vector<int32_t>(4));
  for (auto& clause : clauses) {
    for (int32_t& lit : clause) lit = (1 + below(num_vars)) * (chance(50) ? 1 : -1);
  }
  repeat_with_failures("long clauses", [&](Attempt& attempt) {
    given::Given given;
    given.solver.keep_proof();
    given.new_vars(num_vars);
    for (const auto& clause : clauses) given.add(clause);
    Watch watch;
    auto answer = learn::Answer::kUnknown;
    attempt([&] { answer = given.solver.solve({}, watch, 1'000'000); });
    if (answer == learn::Answer::kUnknown) answer = given.solver.solve({}, watch, 1'000'000);
    if (answer == learn::Answer::kUnsat) return given.check_proof(false);
    for (const auto& clause : clauses) {
      const auto holds = [&](int32_t lit) {
        return given.solver.is_true(std::abs(lit)) == (lit > 0);
      };
      require(std::any_of(clause.begin(), clause.end(), holds), "values that break a clause");
    }
  });
}

// The pigeonhole clauses: n + 1 pigeons, n holes.
std::string pigeons(int holes, int& num_vars) {
  num_vars = (holes + 1) * holes;
  std::string text;
  int count = 0;
  const auto var = [&](int pigeon, int hole) { return std::to_string(1 + pigeon * holes + hole); };
  for (int pigeon = 0; pigeon <= holes; ++pigeon, ++count) {
    for (int hole = 0; hole < holes; ++hole) text += var(pigeon, hole) + " ";
    text += "0\n";
  }
  for (int hole = 0; hole < holes; ++hole) {
    for (int one = 0; one <= holes; ++one) {
      for (int other = 0; other < one; ++other, ++count) {
        text += "-" + var(one, hole) + " -" + var(other, hole) + " 0\n";
      }
    }
  }
  return "p cnf " + std::to_string(num_vars) + " " + std::to_string(count) + "\n" + text;
}

void check_proofs() {
  int num_vars = 0;
  const std::string text = pigeons(4, num_vars);
  Watch watch;
  const Formula formula = read_dimacs(text, watch);
  std::string proof;
  {
    given::Given given;
    given.solver.keep_proof();
    given.new_vars(num_vars);
    std::vector<int32_t> clause;
    for (const int32_t lit : formula.clauses) {
      if (lit) clause.push_back(lit);
      if (!lit) given.add(std::exchange(clause, {}));
    }
    require(given.solver.solve({}, watch, 1'000'000) == learn::Answer::kUnsat, "pigeons fit");
    given.solver.proof()->take([&](std::string_view piece) { proof += piece; });
  }
  repeat_with_failures("proofs", [&](Attempt& attempt) {
    attempt([&] {
      const Formula read = read_dimacs(text, watch);
      const Drat drat = read_drat(proof, num_vars, watch);
      Checker checker(read, drat, watch);
      checker.run();
      checker.drat();
      check_lrat(read, checker.lrat(), watch);
    });
  });
  repeat_with_failures("texts", [&](Attempt& attempt) {
    attempt([&] {
      dimacs_text(formula.clauses, watch);
      opb_text(formula.clauses, watch);
    });
  });
  const PricedClaim claim{1, {{{2, 1}}, {{1, 1}}}, {{{2, 1}}, {{1, 1}}}, {}, {1, 1, 1, 0}};
  const std::vector<PricedTable> tables{{1, {{{0, 1}, {1, 0}}}}};
  repeat_with_failures("tables of prices", [&](Attempt& attempt) {
    attempt([&] { check_prices(claim, tables, watch); });
  });
}

// ---- Other families ----

void check_others() {
  Watch watch;
  repeat_with_failures("queens", [&](Attempt& attempt) {
    attempt([&] {
      const std::vector<uint64_t> squares(7, 127);
      queens::Search search(squares);
      while (!search.is_exhausted()) search.next(10, 100'000, watch);
      queens::Count count(squares);
      count.run(watch);
      require(count.total() == 40, "placements of seven queens");
    });
  });
  repeat_with_failures("tours", [&](Attempt& attempt) {
    attempt([&] {
      knight::construct(8, 8, true, 0, 1, watch);
      const knight::Board board(5, 5);
      knight::Random random(1);
      knight::warnsdorff(board, board.square(0), false, knight::Ties::kOuter, random, watch);
      knight::Requirements asked;
      asked.starts = {board.square(0)};
      knight::Search(board, asked).next(watch, 5000);
      const knight::Board around(6, 3, {4, 13});  // two rings, each around a hole
      std::vector<std::vector<knight::Square>> rings(2);
      for (const knight::Place place : {0, 7, 2, 3, 8, 1, 6, 5}) {
        rings[0].push_back(around.square(place));
        rings[1].push_back(around.square(place + 9));
      }
      const auto tour =
          knight::rotated(around, rings[0], {rings[1]}, false, false, random, 1000, watch);
      require(tour && tour->size() == 16, "a tour around two holes");
    });
  });
  repeat_with_failures("loops", [&](Attempt& attempt) {
    attempt([&] {
      // Four cells in a row; the first and the third are inside.
      const std::vector<int32_t> pairs{0, 1, 1, 2, 2, 3, 3, 4, 4, 0};
      loops::Cells cells(pairs, 1000, watch);
      const std::vector<uint8_t> values{0, 1, 0, 1, 0};
      require(!cells.refine(values, watch).empty(), "two loops");
    });
  });
}

}  // namespace

int main(int argc, char** argv) {
  failing::most_failures = argc > 1 ? std::atoi(argv[1]) : 25;
  const int seed = argc > 2 ? std::atoi(argv[2]) : 1;
  std::vector<Puzzle> puzzles{dominoes(3), dominoes(4)};
  for (int number = 0; number < 4; ++number) {
    fuzzing::start("board", number, seed);
    puzzles.push_back(draw_puzzle(true));
  }
  puzzles.push_back({4, 4, 1, {}, std::vector<Clue>(8, Clue{Block{1, 1}})});
  for (const Puzzle& puzzle : puzzles) {
    check_propagation(puzzle);
    check_probing(puzzle);
    check_searches(puzzle);
    check_counting(puzzle, size_t{1} << 24);
    check_counting(puzzle, 2000);
    check_price_search(puzzle);
  }
  for (const bool with_lines : {false, true}) {
    check_learning(dominoes(3), with_lines, 1);
    check_learning(puzzles.back(), with_lines, 24);
  }
  for (int number = 0; number < 4; ++number) {
    fuzzing::start("clauses", number, seed);
    check_long_clauses(40, 320 + 40 * number);
  }
  check_proofs();
  check_others();
  std::printf("memory ran out %lld times\n", static_cast<long long>(failing::num_failures));
}
