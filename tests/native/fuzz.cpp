// Seeded fuzzing of the native core, to be built with -fsanitize=address,undefined. Boards are
// compared with the fixpoint of a program that shares no code with the core, and with fresh plans
// of their lines. Propagation and probing are stopped at random points and resumed, which must not
// change the result. Every second board is solved without vector instructions, as on a processor
// that lacks them. fuzz_lines does the same for single lines.
//
// Usage: fuzz [boards] [seed]. Prints what was checked; exit status 1 at an error.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "beliefs/beliefs.hpp"
#include "board/board.hpp"
#include "board/deduction.hpp"
#include "board/outlook.hpp"
#include "board/probe.hpp"
#include "drawing.hpp"
#include "fuzzing.hpp"
#include "line/line.hpp"
#include "line/vectors.hpp"
#include "reference.hpp"
#include "search/search.hpp"
#include "solving.hpp"

using namespace nonosat;
using namespace drawing;
using namespace fuzzing;
using reference::Support, reference::support;
using solving::solve_line, solving::stopping;

namespace {

Table values_left(const Board& board) {
  Table left(board.num_values(), std::vector<char>(board.num_cells()));
  for (int value = 0; value < board.num_values(); ++value) {
    for (int cell = 0; cell < board.num_cells(); ++cell) left[value][cell] = board.may(cell, value);
  }
  return left;
}

// Computes the fixpoint of all lines by the dynamic program; false at a contradiction.
bool reach_fixpoint(const Puzzle& puzzle, Table& left) {
  for (Table before; before != left;) {
    before = left;
    for (int line = 0; line < puzzle.num_lines(); ++line) {
      const Support found = support(puzzle.clues[line], puzzle.planes_of(left, line));
      if (!found.any) return false;
      for (size_t value = 0; value < left.size(); ++value) {
        for (int i = 0; i < puzzle.length(line); ++i) {
          left[value][puzzle.cell(line, i)] = found.kept[value][i];
        }
      }
    }
  }
  return true;
}

// Checks that rows agree with columns, and that the number of pairs is right.
void check_consistency(const Puzzle& puzzle, const Board& board) {
  int64_t pairs = 0;
  const Table left = values_left(board);
  for (const auto& plane : left) pairs += std::count(plane.begin(), plane.end(), 1);
  require(pairs == board.num_pairs(), "num_pairs");
  std::vector<Word> words;
  for (int line = 0; line < puzzle.num_lines(); ++line) {
    const auto mine = packed(puzzle.planes_of(left, line), puzzle.length(line));
    words.insert(words.end(), mine.begin(), mine.end());
  }
  for (size_t i = 0; i < words.size(); ++i) require(words[i] == board.word(i), "rows and columns");
}

void check_lines_settled(const Puzzle& puzzle, const Board& board) {
  const Table left = values_left(board);
  for (int line = 0; line < puzzle.num_lines(); ++line) {
    const auto may = packed(puzzle.planes_of(left, line), puzzle.length(line));
    const Plan plan(puzzle.length(line), puzzle.num_colours, puzzle.clues[line]);
    std::vector<Word> kept;
    require(solve_line(plan, may, kept) && kept == may, "not a fixpoint");
  }
}

bool propagate(const Puzzle& puzzle, Board& board) {
  for (int patience = below(50);; patience = patience * 2 + 1) {
    Watch watch = stopping(patience);
    try {
      const bool consistent = board.propagate(watch);
      Watch unhurried;
      require(board.propagate(unhurried) == consistent, "a verdict that does not last");
      return consistent;
    } catch (const Stopped&) {
      check_consistency(puzzle, board);
    }
  }
}

// Probes with stops and resumptions; the first stop is in the middle of the first probe.
Progress probe(const Puzzle& puzzle, Board& board) {
  Prober prober(board);
  const Table before = values_left(board);
  for (int patience = 0;; patience = patience * 2 + 1 + below(2)) {
    Watch watch = stopping(patience);
    try {
      const Progress progress = prober.run(watch, watch.done() + 1 + below(1 << 24));
      if (progress != Progress::kBudget) return progress;
      patience /= 2;
    } catch (const Stopped&) {
      check_consistency(puzzle, board);
      require(prober.num_probes() > 1 || values_left(board) == before,
              "a stopped probe left traces");
      propagate(puzzle, board);
    }
  }
}

// Beliefs in rounds, stopped and restarted on a board that may change between them, even to a
// contradiction.
void check_beliefs(Board board) {
  const double clamp = chance(50) ? 12 : 100;
  Beliefs beliefs(board, {below(10) / 10.0, clamp, below(3) * 2.0, rng()});
  bool is_settled = true;  // every line has a filling then
  for (int step = 0; step < 4; ++step) {
    Watch watch = stopping(below(200));
    try {
      if (!beliefs.run(watch, below(5))) return;
    } catch (const Stopped&) {
    }
    std::vector<double> total(board.num_cells(), 0);
    Watch unhurried;
    for (int value = 0; value < board.num_values(); ++value) {
      const std::vector<double> plane = beliefs.probabilities(value, unhurried);
      for (int cell = 0; cell < board.num_cells(); ++cell) {
        require(plane[cell] >= 0 && plane[cell] <= 1, "a probability");
        require(board.may(cell, value) || plane[cell] == 0, "what the board rules out");
        total[cell] += plane[cell];
      }
    }
    for (const double sum : total) require(std::abs(sum - 1) < 1e-9, "all values of a cell");
    for (int line = 0; is_settled && line < board.num_lines(); ++line) {
      const auto blocks = beliefs.blocks(line, unhurried);
      require(blocks.has_value(), "a line that has no filling");
      for (const auto& block : *blocks) {
        require(block.started.back() == 1, "a block starts somewhere");
        require(std::is_sorted(block.started.begin(), block.started.end()), "starts add up");
      }
    }
    const int cell = below(board.num_cells()), value = below(board.num_values());
    if (board.may(cell, value)) board.assign(cell, value);
    is_settled = chance(70);
    if (is_settled && !board.propagate(unhurried)) return;
  }
}

Progress deduce(Board& board) {
  Table noted = values_left(board);
  Deduction deduction(board);
  Progress progress = Progress::kBudget;
  for (int patience = below(50); progress == Progress::kBudget; patience = patience * 2 + 1) {
    Watch watch = stopping(patience);
    try {
      progress = deduction.propagate(watch)
                     ? deduction.probe(watch, watch.done() + 1 + below(1 << 24))
                     : Progress::kContradiction;
    } catch (const Stopped&) {
    }
  }
  for (const auto& step : deduction.take_steps())
    if (step.if_cell < 0) noted[step.value][step.cell] = 0;
  require(progress == Progress::kContradiction || noted == values_left(board), "missing steps");
  return progress;
}

// Probing by its definition: tries every value of every open cell on a copy of the board, until a
// pass removes nothing. Returns false at a contradiction.
bool probe_naively(Board& board) {
  Watch watch;
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (int cell = 0; cell < board.num_cells(); ++cell) {
      if (!board.propagate(watch)) return false;
      if (board.num_left(cell) < 2) continue;
      const Table before = values_left(board);
      Table allowed(before.size(), Table::value_type(board.num_cells()));
      for (int value = 0; value < board.num_values(); ++value) {
        if (!before[value][cell]) continue;
        Board copy = board;
        copy.assign(cell, value);
        if (!copy.propagate(watch)) continue;
        const Table left = values_left(copy);
        for (size_t i = 0; i < left.size(); ++i) {
          for (size_t at = 0; at < left[i].size(); ++at) allowed[i][at] |= left[i][at];
        }
      }
      for (int value = 0; value < board.num_values(); ++value) {
        for (int at = 0; at < board.num_cells(); ++at) {
          if (!before[value][at] || allowed[value][at]) continue;
          board.remove(at, value);
          is_new = true;
        }
      }
    }
  }
  return true;
}

// Checks that one pass removes no more than complete probing, and finds a cell to branch on.
void check_brief_probing(Board board, const Board& whole) {
  Watch watch;
  Prober prober(board);
  require(prober.run_briefly(watch, INT64_MAX) == Progress::kFixpoint, "a brief contradiction");
  for (int pair = 0; pair < board.num_cells() * board.num_values(); ++pair) {
    const int cell = pair / board.num_values(), value = pair % board.num_values();
    require(board.may(cell, value) || !whole.may(cell, value), "what one pass learns");
  }
  if (board.is_complete()) return;
  const int cell = prober.best_cell();
  require(cell >= 0 && board.num_left(cell) > 1, "a settled cell to branch on");
  require(board.may(cell, prober.best_value()), "a value that is ruled out");
}

bool allows(const Table& left, const Cells& cells) {
  for (size_t cell = 0; cell < cells.size(); ++cell) {
    if (!left[cells[cell]][cell]) return false;
  }
  return true;
}

// `is_solvable`: the picture from which the puzzle was drawn is one of its solutions.
void check_solutions(const Puzzle& puzzle, Board board, bool is_solvable) {
  Search search(board);
  std::set<Cells> found;
  while (found.size() < 50) {
    Watch watch;
    const auto outcome = search.next(watch, 1 + below(100'000));
    check_consistency(puzzle, board);
    if (outcome == SearchOutcome::kExhausted) break;
    if (outcome == SearchOutcome::kBudget) continue;
    const std::vector<uint8_t> left = board.cells();
    const Cells cells(left.begin(), left.end());
    require(found.insert(cells).second, "a solution twice");
    require(puzzle.is_solved_by(cells), "a wrong solution");
  }
  require(found.size() == 50 || !is_solvable || found.count(puzzle.truth), "a missing solution");
}

// Checks that state left over from earlier assumptions has no effect: a copy starts without it.
void check_memory(Board& board) {
  for (int i = 0; i < 20; ++i) {
    const int cell = below(board.num_cells()), value = below(board.num_values());
    Board copy = board;
    const size_t mark = board.mark(), mark_of_copy = copy.mark();
    board.assign(cell, value);
    copy.assign(cell, value);
    Watch watch;
    const bool consistent = board.propagate(watch);
    require(copy.propagate(watch) == consistent, "a remembered contradiction");
    require(!consistent || values_left(copy) == values_left(board), "remembered values");
    board.undo(mark);
    copy.undo(mark_of_copy);
  }
}

// Checks that looking ahead reports the consequences of each assumption as on a copy of the board,
// and changes nothing.
void check_outlook(Board& board) {
  const Table before = values_left(board);
  Watch watch;
  const Outlook outlook = look_ahead(board, 1 << 30, watch);
  require(values_left(board) == before, "looking ahead changed the board");
  for (const auto& [cell, value] : outlook.refuted) {
    Board copy = board;
    copy.assign(cell, value);
    require(!copy.propagate(watch), "an assumption refuted by mistake");
  }
  for (size_t i = 0; i < outlook.open.size(); ++i) {
    Board copy = board;
    copy.assign(outlook.open[i].cell, outlook.open[i].value);
    require(copy.propagate(watch), "a refuted assumption");
    require(board.num_pairs() - copy.num_pairs() == outlook.ruled_out[i], "what it rules out");
    for (const auto& [place, left] : outlook.agreed) {
      require(outlook.open[i].cell != outlook.either || copy.cells()[place] == left, "either way");
    }
  }
}

void check_board(bool small) {
  const Puzzle puzzle = draw_puzzle(small);
  Board board = puzzle.board();
  for (int cell = 0; cell < board.num_cells(); ++cell) {
    if (!chance(small ? 5 : 20)) continue;
    const int value = chance(99) ? puzzle.truth[cell] : below(board.num_values());
    chance(50) ? board.assign(cell, value) : board.remove(cell, below(board.num_values()));
  }
  Board raw = board;
  Table left = values_left(board);
  const bool expected = reach_fixpoint(puzzle, left);
  require(propagate(puzzle, board) == expected, "a board's contradiction");
  check_consistency(puzzle, board);
  if (!expected) return;
  require(values_left(board) == left, "a board's fixpoint");
  check_lines_settled(puzzle, board);
  check_beliefs(board);
  if (!small) {
    Watch watch;
    Prober(board).run(watch, 3'000'000);
    check_consistency(puzzle, board);
    if (board.propagate(watch)) check_memory(board);
    for (int i = 0; i < 4; ++i) {
      Board clash = board;
      const int cell = below(clash.num_cells());
      for (int value = 0; value < clash.num_values(); ++value) clash.remove(cell, value);
      require(!propagate(puzzle, clash), "a cell that lost its last value");
    }
    return;
  }
  check_outlook(board);
  Board copy = board, noted = raw, plain = board;
  const Board brief = board;
  Watch watch;
  const Progress whole = Prober(copy).run(watch, INT64_MAX);
  require(probe(puzzle, board) == whole, "probing resumed");
  require(Prober(raw).run(watch, INT64_MAX) == whole, "probing a board that was never propagated");
  require(deduce(noted) == whole, "deductions that are written down");
  const bool is_possible = probe_naively(plain);
  require(is_possible == (whole == Progress::kFixpoint), "what plain probing refutes");
  if (!is_possible) return require(!puzzle.is_solved_by(puzzle.truth), "a solution is lost");
  check_brief_probing(brief, copy);
  left = values_left(copy);
  require(values_left(plain) == left, "what plain probing leaves");
  require(values_left(noted) == left, "what deductions leave");
  require(values_left(board) == left && values_left(raw) == left, "what probing leaves");
  check_lines_settled(puzzle, board);
  check_solutions(puzzle, board, allows(left, puzzle.truth) && puzzle.is_solved_by(puzzle.truth));
}

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int index, int otherwise) {
    return argc > index ? std::atoi(argv[index]) : otherwise;
  };
  const int num_boards = argument(1, 1200), seed = argument(2, 1);
  for (int i = 0; i < num_boards; ++i) {
    start("board", i, seed);
    vectors_allowed = i % 2;
    check_board(i % 3 > 0);
  }
  std::printf("checked %d boards\n", num_boards);
}
