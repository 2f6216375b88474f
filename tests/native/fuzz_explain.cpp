// Seeded fuzzing of explanations, to be built with -fsanitize=address,undefined.
//
// A solution of the drawn puzzle must agree with every step, and the steps found in calls that are
// stopped must be those that are found in one call each.
//
// Usage: fuzz_explain [puzzles] [seed]. Prints what was checked; exit status 1 at an error.
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "drawing.hpp"
#include "explain/solver.hpp"
#include "fuzzing.hpp"
#include "solving.hpp"

using namespace nonosat;
using explain::Impossible, explain::Pair, explain::Solver, explain::Step;
using fuzzing::require;

namespace {

int64_t num_steps[explain::kNumTechniques], num_complete, num_impossible;

explain::Words words_of(const drawing::Puzzle& puzzle) {
  std::vector<std::string> inks{"empty"};
  for (int colour = 1; colour <= puzzle.num_colours; ++colour) {
    inks.push_back("ink " + std::to_string(colour));
  }
  return {puzzle.height, puzzle.width, inks, false, puzzle.clues};
}

// Returns the steps up to the last one; the reason of an impossible line is the last sentence.
std::vector<Step> explain_board(const drawing::Puzzle& puzzle, bool is_sliced) {
  Board board = puzzle.board();
  Solver solver(board, words_of(puzzle));
  std::vector<Step> steps;
  for (int patience = 1;; patience += 1 + patience / 2) {
    Watch watch = is_sliced ? solving::stopping(patience) : Watch();
    try {
      const std::optional<Step> step = solver.next(watch);
      if (!step) {
        num_complete += board.is_complete();
        return steps;
      }
      steps.push_back(*step);
      patience = 0;
    } catch (const Stopped&) {
      continue;
    } catch (const Impossible& impossible) {
      ++num_impossible;
      steps.push_back({explain::kGuess, {impossible.line}, {}, {}, impossible.reason});
      return steps;
    }
  }
}

void check_step(const Step& step, const drawing::Cells& solution) {
  for (const auto& [cell, value] : step.settled) {
    require(solution[cell] == value, "a settled value that the solution does not have");
  }
  for (const auto& [cell, value] : step.ruled_out) {
    require(solution[cell] != value, "a value of the solution that is ruled out");
  }
  require(!step.settled.empty() || !step.ruled_out.empty(), "a step without news");
  ++num_steps[step.technique];
}

void check_puzzle() {
  const drawing::Puzzle puzzle = drawing::draw_puzzle(true);
  const std::vector<Step> whole = explain_board(puzzle, false);
  if (puzzle.is_solved_by(puzzle.truth)) {
    for (const Step& step : whole) check_step(step, puzzle.truth);
  }
  const std::vector<Step> sliced = explain_board(puzzle, true);
  require(whole.size() == sliced.size(), "another number of steps in slices");
  for (size_t i = 0; i < whole.size(); ++i) {
    require(whole[i].technique == sliced[i].technique && whole[i].lines == sliced[i].lines &&
                whole[i].settled == sliced[i].settled &&
                whole[i].ruled_out == sliced[i].ruled_out &&
                whole[i].chain.size() == sliced[i].chain.size() &&
                whole[i].sentence == sliced[i].sentence,
            "another step in slices");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int num_puzzles = argc > 1 ? std::atoi(argv[1]) : 1500;
  const int seed = argc > 2 ? std::atoi(argv[2]) : 1;
  for (int i = 0; i < num_puzzles; ++i) {
    fuzzing::start("puzzle", i, seed);
    check_puzzle();
  }
  fuzzing::print_figures({{"overlap", num_steps[explain::kOverlap]},
                          {"complete line", num_steps[explain::kCompleteLine]},
                          {"parallel lines", num_steps[explain::kParallelLines]},
                          {"probing", num_steps[explain::kProbing]},
                          {"complete", num_complete},
                          {"impossible", num_impossible}});
}
