// Seeded fuzzing of live queries on puzzles, to be built with -fsanitize=address,undefined.
//
// For tiny puzzles all pictures are tried, and verdict, number of solutions and differing cells
// must match. For larger ones solutions are checked against the clues, and the answers found in one
// call, in slices and from a known picture are compared with each other. Clues reported as
// contradictory must have no picture.
//
// Usage: fuzz_live [puzzles] [seed]. Prints what was checked; exit status 1 at an error.
#include <cstdio>
#include <cstdlib>
#include <set>
#include <utility>
#include <vector>

#include "drawing.hpp"
#include "fuzzing.hpp"
#include "live/analysis.hpp"
#include "live/clash.hpp"
#include "solving.hpp"

using namespace nonosat;
using fuzzing::require;
using live::Analysis, live::Verdict;

namespace {

constexpr size_t kMostBytes = size_t{1} << 26;
constexpr int64_t kMostPictures = 5000;  // that are tried
int64_t num_verdicts[4], num_tried, num_clashes;

live::Puzzle to_live(const drawing::Puzzle& puzzle, bool with_picture) {
  const auto columns = puzzle.clues.begin() + puzzle.height;
  live::Puzzle found{puzzle.num_colours, {puzzle.clues.begin(), columns}, {}, {}, {}};
  found.columns.assign(columns, puzzle.clues.end());
  if (with_picture) found.picture.assign(puzzle.truth.begin(), puzzle.truth.end());
  return found;
}

// Runs all queries, in calls that are stopped if `is_sliced`.
void answer(Analysis& analysis, bool is_sliced) {
  for (int patience = is_sliced ? 1 : 1 << 30;; patience += 1 + patience / 2) {
    Watch watch = is_sliced ? solving::stopping(patience) : Watch();
    try {
      analysis.judge(watch);
      analysis.compare(watch);
      analysis.count(watch);
      return;
    } catch (const Stopped&) {
      continue;
    }
  }
}

bool holds(const drawing::Puzzle& puzzle, const live::Cells& cells) {
  return puzzle.is_solved_by(drawing::Cells(cells.begin(), cells.end()));
}

void check_solutions(const drawing::Puzzle& puzzle, const Analysis& analysis) {
  const Verdict verdict = analysis.verdict();
  const bool is_multiple = verdict == Verdict::kMultiple;
  if (verdict == Verdict::kUnsolvable) {
    require(!puzzle.is_solved_by(puzzle.truth), "a puzzle with a solution is unsolvable");
    return;
  }
  require(holds(puzzle, analysis.first()), "a wrong solution");
  require(is_multiple == !analysis.second().empty(), "a second solution where there are several");
  if (!is_multiple) return;
  require(holds(puzzle, analysis.second()), "a wrong second solution");
  require(analysis.first() != analysis.second(), "the same solution twice");
  require(analysis.is_compared() && analysis.is_counted(), "a question that is left open");
  require(!(analysis.total() < Natural(2)), "fewer than two solutions");
}

// Tries all pictures.
void check_all(const drawing::Puzzle& puzzle, const Analysis& analysis, int64_t num_pictures) {
  const int num_cells = puzzle.height * puzzle.width;
  std::vector<std::set<int>> values(num_cells);
  uint64_t count = 0;
  for (int64_t picture = 0; picture < num_pictures; ++picture) {
    drawing::Cells cells;
    for (int64_t left = picture; std::ssize(cells) < num_cells; left /= puzzle.num_colours + 1) {
      cells.push_back(static_cast<int>(left % (puzzle.num_colours + 1)));
    }
    if (!puzzle.is_solved_by(cells)) continue;
    ++count;
    for (int cell = 0; cell < num_cells; ++cell) values[cell].insert(cells[cell]);
  }
  require(!(analysis.total() < Natural(count)) && !(Natural(count) < analysis.total()), "a count");
  for (int cell = 0; cell < num_cells; ++cell) {
    require(analysis.differing()[cell] == (values[cell].size() > 1), "a cell that differs");
  }
  ++num_tried;
}

void check_clash(const drawing::Puzzle& puzzle) {
  Watch watch;
  live::Clash clash(to_live(puzzle, false), watch);
  clash.run(watch);
  if (clash.lines().empty()) return;
  Board board = puzzle.board();
  for (int line = 0; line < board.num_lines(); ++line) {
    if (std::count(clash.lines().begin(), clash.lines().end(), line) == 0) board.leave_out(line);
  }
  const bool is_consistent = board.propagate(watch);
  require(!is_consistent || Prober(board).run(watch, 1 << 30) == Progress::kContradiction,
          "clues that do not clash");
  ++num_clashes;
}

void check_puzzle() {
  drawing::Puzzle puzzle = drawing::draw_puzzle(true);
  Watch watch;
  Analysis whole(to_live(puzzle, false), kMostBytes, watch);
  answer(whole, false);
  check_solutions(puzzle, whole);
  Analysis sliced(to_live(puzzle, true), kMostBytes, watch);
  answer(sliced, true);
  check_solutions(puzzle, sliced);
  require(whole.verdict() == sliced.verdict(), "another verdict with a picture, in slices");
  require(whole.differing() == sliced.differing(), "other cells with a picture, in slices");
  ++num_verdicts[static_cast<int>(whole.verdict())];
  int64_t num_pictures = 1;
  for (int i = 0; i < puzzle.height * puzzle.width && num_pictures <= kMostPictures; ++i) {
    num_pictures *= puzzle.num_colours + 1;
  }
  if (num_pictures <= kMostPictures) check_all(puzzle, whole, num_pictures);
  if (whole.verdict() == Verdict::kUnsolvable) check_clash(puzzle);
}

}  // namespace

int main(int argc, char** argv) {
  const int num_puzzles = argc > 1 ? std::atoi(argv[1]) : 1500;
  const int seed = argc > 2 ? std::atoi(argv[2]) : 1;
  for (int i = 0; i < num_puzzles; ++i) {
    fuzzing::start("puzzle", i, seed);
    check_puzzle();
  }
  fuzzing::print_figures({{"unique", num_verdicts[1]},
                          {"multiple", num_verdicts[2]},
                          {"unsolvable", num_verdicts[3]},
                          {"enumerated", num_tried},
                          {"clashes", num_clashes}});
}
