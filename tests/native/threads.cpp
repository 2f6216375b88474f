// All algorithms of the core at once, each thread with objects of its own and with inputs that all
// threads share, while another thread stops them; to be built with -fsanitize=thread, and useful
// with the other sanitizers. The result of a job must equal its result without other threads.
//
// Usage: threads [rounds] [seed]. The last line of the output has the figures as JSON. Exit status
// 1 at an error.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
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
#include "encoding/implications.hpp"
#include "fuzzing.hpp"
#include "given.hpp"
#include "knight/construction.hpp"
#include "knight/search.hpp"
#include "knight/warnsdorff.hpp"
#include "loops/cells.hpp"
#include "prices/prices.hpp"
#include "proof/check_lrat.hpp"
#include "proof/check_prices.hpp"
#include "queens/count.hpp"
#include "queens/search.hpp"
#include "search/search.hpp"

using namespace nonosat;
using drawing::Cells, drawing::Puzzle;
using fuzzing::require;

namespace {

constexpr int kThreads = 4;
constexpr int64_t kAll = 1'000'000'000;

// Inputs that all threads read and none writes.
struct Shared {
  Puzzle puzzle, wide, staircase;
  Board board, wide_board, dominoes;  // at their fixpoints
  Plan plan;
  knight::Board chess;
  std::vector<uint64_t> squares = std::vector<uint64_t>(8, 0xff);
};

uint64_t sum_of(const auto& values) {
  uint64_t sum = 0;
  for (const auto value : values) sum = sum * 31 + static_cast<uint64_t>(value);
  return sum;
}

// ---- Jobs: each returns a number that depends only on the inputs ----

uint64_t search(const Shared& shared, Watch& watch) {
  Board board = shared.board;
  Search search(board);
  uint64_t sum = 0;
  for (int found = 0; found < 20 && search.next(watch, kAll) == SearchOutcome::kSolution; ++found)
    sum += sum_of(board.cells());
  return sum;
}

uint64_t count(const Shared& shared, Watch& watch) {
  Board board = shared.board;
  Counter counter(board, size_t{1} << 20);
  while (!counter.run(watch, 1'000'000)) continue;
  return sum_of(counter.total().words());
}

// Result of a count that several threads share.
uint64_t count_together(const Shared& shared, Watch& watch) {
  Board board = shared.dominoes;
  Counter counter(board, size_t{1} << 20);
  while (!counter.run(watch, 1'000'000, 3, 1)) continue;
  return sum_of(counter.total().words());
}

uint64_t probe(const Shared& shared, Watch& watch) {
  Board board = shared.board;
  Prober(board).run(watch, kAll);
  return sum_of(board.cells()) + look_ahead(board, kAll, watch).open.size();
}

uint64_t propagate(const Shared& shared, Watch& watch) {
  Board board = shared.wide.board();
  board.propagate(watch);
  Board copy = shared.wide_board;
  copy.propagate(watch);
  return sum_of(board.cells()) + sum_of(copy.cells());
}

uint64_t line(const Shared& shared, Watch& watch) {
  const int num_words = words_for(shared.plan.length);
  std::vector<Word> may(2 * num_words, ~Word{0}), kept(2 * num_words), starts, ends;
  for (int value = 0; value < 2; ++value) {
    may[(value + 1) * num_words - 1] >>= num_words * kWordBits - shared.plan.length;
  }
  Scratch scratch;
  propagate_line(shared.plan, may.data(), kept.data(), false, scratch, watch);
  block_domains(shared.plan, may.data(), starts, ends, scratch, watch);
  return sum_of(kept) + sum_of(starts) + sum_of(ends);
}

uint64_t deduce(const Shared& shared, Watch& watch) {
  Board board = shared.board;
  Deduction deduction(board);
  if (deduction.propagate(watch)) deduction.probe(watch, kAll);
  Board start = shared.board;
  const Lemmas lemmas = lemmas_of(start, deduction.take_steps(), watch);
  return sum_of(board.cells()) + sum_of(lemmas.clauses);
}

uint64_t believe(const Shared& shared, Watch& watch) {
  Board board = shared.board;
  Beliefs beliefs(board, {.seed = 3});
  beliefs.run(watch, 10);
  Decimation decimation(shared.board, {});
  decimation.run(watch, 20'000'000);
  Dives dives(shared.board);
  dives.run(watch, 1'000'000);
  return sum_of(decimation.cells()) + sum_of(dives.cells()) +
         static_cast<uint64_t>(1e6 * beliefs.probabilities(0, watch)[0]);
}

uint64_t price(const Shared& shared, Watch& watch) {
  Board board = shared.dominoes;
  Search(board).next(watch, kAll);
  const std::vector<uint8_t> solution = board.cells();
  Prices prices(shared.dominoes, solution, watch);
  const auto outcome = prices.lower(watch, 4, kAll, true);
  prices.shrink(watch, 4);
  return sum_of(prices.table().prices) + static_cast<uint64_t>(outcome);
}

uint64_t learn(const Shared& shared, Watch& watch, bool with_lines) {
  given::Given given;
  given.solver.keep_proof();
  add_puzzle(shared.puzzle, with_lines, given);
  const int num_cells = shared.puzzle.height * shared.puzzle.width;
  uint64_t sum = 0;
  for (int round = 0; round < 10; ++round) {
    if (given.solver.solve({}, watch, kAll) != learn::Answer::kSat) break;
    std::vector<int32_t> other;
    for (int var = 1; var <= num_cells; ++var) {
      other.push_back(given.solver.is_true(var) ? -var : var);
    }
    sum += sum_of(other);
    given.add(other);
  }
  const std::vector<learn::Lit> contrary{2, 3};
  sum += given.solver.solve(contrary, watch, kAll) == learn::Answer::kUnsat;
  return sum + given.solver.failed_core(watch).size();
}

// Result of a team of searches, each in its thread, that exchange learnt clauses: the only
// solution, and the refutation of all others.
uint64_t team(const Shared& shared, Watch& watch) {
  given::Given given;
  add_puzzle(shared.staircase, true, given);
  const int num_cells = shared.staircase.height * shared.staircase.width;
  const auto exchange = std::make_shared<learn::Exchange>(2, given.solver.num_vars(), true);
  learn::Solver twin(given.solver, 5);
  given.solver.join(exchange, 0);
  twin.join(exchange, 1);
  std::atomic<bool> is_over = false;
  std::atomic<uint64_t> sum = 0;
  const auto work = [&](learn::Solver& solver, Watch& own) {
    while (!is_over) {
      const learn::Answer answer = solver.solve({}, own, 50);
      if (answer == learn::Answer::kUnsat) is_over = true;
      if (answer != learn::Answer::kSat) continue;
      std::vector<learn::Lit> other;
      for (int var = 1; var <= num_cells; ++var) {
        other.push_back(learn::from_dimacs(solver.is_true(var) ? -var : var));
      }
      sum = sum_of(other);  // the same, whichever member finds it
      exchange->broadcast(other);
    }
  };
  std::thread beside([&] {
    Watch own({}, [&] { return is_over.load(); },
              {.check_every = 1000, .poll_every = std::chrono::milliseconds(0)});
    try {
      work(twin, own);
    } catch (const Stopped&) {
    }
  });
  try {
    work(given.solver, watch);
  } catch (...) {
    is_over = true;
    beside.join();
    throw;
  }
  beside.join();
  return sum;
}

uint64_t prove(const Shared&, Watch& watch) {
  const Formula formula{2, {1, 2, 0, -1, 2, 0, 1, -2, 0, -1, -2, 0}};
  const Drat drat = read_drat("2 0\n0\n", 2, watch);
  Checker checker(formula, drat, watch);
  checker.run();
  const PricedClaim claim{1, {{{1, 1}}, {{1, 1}}}, {{{1, 1}}, {{1, 1}}}, {{0, 0, 1}}, {1, 0, 0, 1}};
  return static_cast<uint64_t>(check_lrat(formula, checker.lrat(), watch)) +
         check_prices(claim, {}, watch).is_proven;
}

uint64_t imply(const Shared& shared, Watch& watch) {
  std::vector<int32_t> variables(shared.board.num_cells());
  std::iota(variables.begin(), variables.end(), 1);
  return sum_of(Implications(shared.board, variables, 100, watch).next(watch));
}

uint64_t queens(const Shared& shared, Watch& watch) {
  queens::Count count(shared.squares);
  count.run(watch);
  queens::Search search(shared.squares);
  return count.total() * 1000 + search.next(20, kAll, watch).size();
}

uint64_t knight(const Shared& shared, Watch& watch) {
  knight::Search search(shared.chess, {.starts = shared.chess.squares(), .fixed = {}});
  search.next(watch, 20'000);
  knight::Random random(7);
  const auto path = knight::warnsdorff(shared.chess, shared.chess.square(0), false,
                                       knight::Ties::kRandom, random, watch);
  const auto tour = knight::construct(16, 16, true, 0, 1, watch);
  return sum_of(search.path()) + (path ? sum_of(*path) : 0) + (tour ? sum_of(*tour) : 0);
}

uint64_t loop(const Shared&, Watch& watch) {
  const std::vector<int32_t> pairs{0, 1, 1, 2, 2, 3, 0, 2, 0, 3};
  loops::Cells cells(pairs, 100, watch);
  return sum_of(cells.refine(std::vector<uint8_t>{0, 1, 0, 1}, watch));
}

using Job = uint64_t (*)(const Shared&, Watch&);
constexpr Job kJobs[] = {
    search,
    count,
    count_together,
    probe,
    propagate,
    line,
    deduce,
    believe,
    price,
    prove,
    imply,
    queens,
    knight,
    loop,
    team,
    [](const Shared& shared, Watch& watch) { return learn(shared, watch, false); },
    [](const Shared& shared, Watch& watch) { return learn(shared, watch, true); },
};
constexpr int kNumJobs = std::size(kJobs);

// ---- Threads ----

struct Worker {
  std::atomic<bool> is_stopped = false;  // set by the disturbing thread
  int64_t num_done = 0, num_stops = 0, num_wrong = 0;

  // Runs each job until it is done; it is stopped at most twice.
  void run(const Shared& shared, const std::vector<uint64_t>& expected, int rounds, int first) {
    for (int i = 0; i < rounds * kNumJobs; ++i) {
      const int job = (first + i) % kNumJobs;
      for (int stops = 0;;) {
        Watch watch({}, [&] { return stops < 2 && is_stopped.load(std::memory_order_relaxed); },
                    {.check_every = 1000, .poll_every = std::chrono::milliseconds(0)});
        try {
          num_wrong += kJobs[job](shared, watch) != expected[job];
          ++num_done;
          break;
        } catch (const Stopped&) {
          ++stops, ++num_stops;
          is_stopped = false;
        }
      }
    }
  }
};

Puzzle drawn(int height, int width) {
  Puzzle puzzle{height, width, 1, drawing::draw_cells(height * width, 1, 3), {}};
  for (int i = 0; i < puzzle.num_lines(); ++i) {
    puzzle.clues.push_back(drawing::clue_of(puzzle.line_of(puzzle.truth, i)));
  }
  return puzzle;
}

Board settled(Board board) {
  Watch watch;
  require(board.propagate(watch), "a drawn puzzle has no solution");
  return board;
}

void disturb(std::vector<Worker>& workers, const std::atomic<bool>& is_over) {
  while (!is_over) {
    for (Worker& worker : workers) worker.is_stopped = true;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 20, seed = argc > 2 ? std::atoi(argv[2]) : 1;
  fuzzing::start("threads", 0, seed);
  const Puzzle puzzle = drawn(8, 8), wide = drawn(12, 140);
  const Shared shared{
      puzzle,
      wide,
      drawing::dominoes(6),
      settled(puzzle.board()),
      settled(wide.board()),
      settled(drawing::dominoes(3).board()),  // left open by lines, decided by prices
      Plan(140, 1, {{3, 1}, {0, 1}, {60, 1}}),
      knight::Board(6, 6)};
  std::vector<uint64_t> expected;
  for (const Job job : kJobs) {
    Watch watch;
    expected.push_back(job(shared, watch));
  }
  std::vector<Worker> workers(kThreads);
  std::atomic<bool> is_over = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] { workers[i].run(shared, expected, rounds, 4 * i); });
  }
  std::thread disturber([&] { disturb(workers, is_over); });
  for (std::thread& thread : threads) thread.join();
  is_over = true;
  disturber.join();
  int64_t num_done = 0, num_stops = 0;
  for (const Worker& worker : workers) {
    require(worker.num_wrong == 0, "a job came to something else beside others");
    num_done += worker.num_done, num_stops += worker.num_stops;
  }
  require(num_done == int64_t{kThreads} * rounds * kNumJobs && num_stops > 0,
          "too little was tried");
  fuzzing::print_figures({{"jobs in threads", num_done}, {"jobs stopped", num_stops}});
}
