// Seeded fuzzing of decimation, to be built with -fsanitize=address,undefined.
//
// Boards of drawn pictures, some with clues that contradict each other. Complete boards are checked
// against the clues, and a contradiction must not be reported for a solvable board; the same
// settings must give the same result, also with the budget in pieces. Runs are stopped at random
// points and export their state to beliefs about the initial board.
//
// Usage: fuzz_decimation [boards] [seed]. Prints what was checked; exit status 1 at an error.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "beliefs/beliefs.hpp"
#include "board/board.hpp"
#include "decimation/decimation.hpp"
#include "drawing.hpp"

using namespace nonosat;
using namespace drawing;
using Outcome = Decimation::Outcome;

namespace {

std::string place;  // description of the current case
int num_outcomes[3], num_stopped;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz_decimation: %s, at %s\n", what, place.c_str());
  std::exit(1);
}

Decimation::Settings draw_settings() {
  Decimation::Settings settings;
  settings.beliefs = {below(10) / 10.0, chance(50) ? 15.0 : 100.0, below(3) * 0.1, rng()};
  settings.first = below(20);
  settings.rounds = below(5);
  settings.pace = below(5) * below(5) / 16.0;
  settings.widen = below(3);
  settings.keep = below(3) / 2.0;
  settings.pushes = below(2) * below(30);
  return settings;
}

// Checks the exported beliefs about cells that were decided.
void check_exported_beliefs(const Decimation& decimation, const Decimation::Settings& settings,
                            Board board) {
  Watch watch;
  Beliefs beliefs(board, settings.beliefs);
  decimation.transfer_to(beliefs);
  const std::vector<uint8_t> cells = decimation.cells();
  for (int value = 0; value < board.num_values(); ++value) {
    const std::vector<double> plane = beliefs.probabilities(value, watch);
    for (size_t cell = 0; cell < cells.size(); ++cell) {
      require(plane[cell] >= 0 && plane[cell] <= 1, "a probability");
      require(cells[cell] != value || plane[cell] > 0.5, "a value that was reached");
    }
  }
}

void stop_somewhere(const Board& board, const Decimation::Settings& settings) {
  const int max_checks = below(200);
  Watch watch({}, [num_checks = 0, max_checks]() mutable { return ++num_checks > max_checks; },
              {1, {}});
  Decimation decimation(board, settings);
  try {
    decimation.run(watch, 1'000'000);
  } catch (const Stopped&) {
    ++num_stopped;
  }
  require(std::ssize(decimation.cells()) == board.num_cells(), "cells after a stop");
}

void check_board(bool small) {
  const Puzzle puzzle = draw_puzzle(small);
  const Board board = puzzle.board();
  const Decimation::Settings settings = draw_settings();
  const int64_t budget = below(small ? 2'000'000 : 20'000'000);
  Watch watch;
  Decimation decimation(board, settings);
  const Outcome outcome = decimation.run(watch, budget);
  ++num_outcomes[static_cast<int>(outcome)];
  if (outcome == Outcome::kContradiction) {
    require(!puzzle.is_solved_by(puzzle.truth), "a contradiction in a puzzle with a solution");
    return;
  }
  const std::vector<uint8_t> left = decimation.cells();
  if (outcome == Outcome::kComplete) {
    require(puzzle.is_solved_by(Cells(left.begin(), left.end())), "a wrong solution");
  }
  check_exported_beliefs(decimation, settings, board);
  Decimation again(board, settings);
  Watch fresh;
  do again.run(fresh, 1);
  while (again.num_steps() < decimation.num_steps());
  require(again.cells() == left, "another outcome of the same settings");
  stop_somewhere(board, settings);
}

}  // namespace

int main(int argc, char** argv) {
  const int num_boards = argc > 1 ? std::atoi(argv[1]) : 600;
  const int seed = argc > 2 ? std::atoi(argv[2]) : 1;
  for (int i = 0; i < num_boards; ++i) {
    place = "board " + std::to_string(i) + " of seed " + std::to_string(seed);
    std::seed_seq sequence{seed, i};
    rng.seed(sequence);
    check_board(i % 4 > 0);
  }
  std::printf("decimated %d boards: %d complete, %d contradictions, %d out of budget; %d stops\n",
              num_boards, num_outcomes[0], num_outcomes[1], num_outcomes[2], num_stopped);
}
