// Propagation and probing of fixed boards, counted.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "board/board.hpp"
#include "board/probe.hpp"
#include "board/trial.hpp"
#include "counting.hpp"
#include "drawing.hpp"
#include "fuzzing.hpp"
#include "line/vectors.hpp"
#include "search/search.hpp"
#include "solving.hpp"

namespace work {

using namespace nonosat;
using counting::Counts, counting::Digest, counting::digest;
using drawing::Puzzle, fuzzing::require;

// A puzzle, and what becomes of its board before anything is propagated.
struct Sample {
  std::string name;
  Puzzle puzzle;
  std::vector<std::pair<int, int>> removed;  // cells and values
  std::vector<int> left_out;                 // lines

  Board board(Watch& watch) const {
    const auto columns = puzzle.clues.begin() + puzzle.height;
    Board made(puzzle.num_colours, {puzzle.clues.begin(), columns}, {columns, puzzle.clues.end()},
               watch);
    for (const int line : left_out) made.leave_out(line);
    for (const auto& [cell, value] : removed) made.remove(cell, value);
    return made;
  }
};

// Cells of which so many percent are filled, each for itself, and their clues.
inline Sample noise(const std::string& name, int height, int width, int num_colours, int percent,
                    int seed) {
  fuzzing::start(name.c_str(), height * width, seed);
  Puzzle puzzle{height, width, num_colours, {}, {}};
  for (int cell = 0; cell < height * width; ++cell)
    puzzle.truth.push_back(drawing::chance(percent) ? 1 + drawing::below(num_colours) : 0);
  for (int line = 0; line < puzzle.num_lines(); ++line)
    puzzle.clues.push_back(drawing::clue_of(puzzle.line_of(puzzle.truth, line)));
  const std::string size = std::to_string(height) + "x" + std::to_string(width);
  return {name + " of " + size, std::move(puzzle), {}, {}};
}

// Larger shapes, which lines mostly settle.
inline Sample drawn(const std::string& name, int height, int width, int num_colours, int seed) {
  Sample made = noise(name, height, width, num_colours, 50, seed);
  Puzzle& puzzle = made.puzzle;
  puzzle.truth = drawing::draw_cells(height * width, num_colours, width);
  for (int line = 0; line < puzzle.num_lines(); ++line)
    puzzle.clues[line] = drawing::clue_of(puzzle.line_of(puzzle.truth, line));
  return made;
}

// Takes some wrong values of cells away.
inline Sample hinted(Sample sample, int percent) {
  const Puzzle& puzzle = sample.puzzle;
  for (int cell = 0; cell < puzzle.height * puzzle.width; ++cell) {
    const int value = drawing::below(puzzle.num_colours + 1);
    if (drawing::chance(percent) && value != puzzle.truth[cell])
      sample.removed.push_back({cell, value});
  }
  sample.name += " with hints";
  return sample;
}

inline Sample blotted(Sample sample, int percent) {
  for (Clue& clue : sample.puzzle.clues) drawing::blot(clue, percent);
  sample.name += " with unknown lengths";
  return sample;
}

inline Sample without(Sample sample, std::vector<int> lines) {
  sample.left_out = std::move(lines);
  sample.name += " without some clues";
  return sample;
}

// The columns are of a picture in which the cells of one row stand elsewhere.
inline Sample crossed(Sample sample, int row) {
  Puzzle& puzzle = sample.puzzle;
  const auto first = puzzle.truth.begin() + row * puzzle.width;
  std::rotate(first, first + 1, first + puzzle.width);
  for (int line = puzzle.height; line < puzzle.num_lines(); ++line)
    puzzle.clues[line] = drawing::clue_of(puzzle.line_of(puzzle.truth, line));
  sample.name += " with a row that does not fit";
  return sample;
}

// The clue of one line says something else.
inline Sample spoilt(Sample sample, int line, Clue clue) {
  sample.puzzle.clues[line] = std::move(clue);
  sample.name += " with a wrong line " + std::to_string(line);
  return sample;
}

inline std::vector<Sample> samples() {
  return {
      noise("cell", 1, 1, 1, 100, 1),
      noise("row", 1, 70, 2, 60, 2),
      noise("column", 200, 1, 1, 60, 3),
      drawn("row", 1, 300, 1, 4),
      noise("empty", 5, 9, 1, 0, 5),
      noise("full", 9, 5, 3, 100, 6),
      noise("noise", 15, 15, 1, 50, 7),
      noise("noise", 20, 25, 1, 50, 8),
      noise("noise", 24, 23, 1, 50, 26),
      noise("noise", 25, 25, 1, 50, 27),
      noise("noise", 28, 28, 1, 55, 28),
      hinted(noise("noise", 30, 30, 1, 50, 9), 20),
      noise("thin noise", 20, 18, 1, 25, 10),
      noise("colours", 12, 14, 3, 60, 11),
      hinted(noise("colours", 20, 16, 2, 60, 12), 10),
      hinted(noise("many colours", 8, 9, 70, 60, 13), 3),
      hinted(blotted(noise("noise", 14, 13, 2, 50, 14), 20), 10),
      without(hinted(noise("noise", 16, 18, 1, 50, 15), 30), {0, 7, 15, 16, 33}),
      without(hinted(drawn("shapes", 70, 90, 1, 16), 60), {3, 66, 69, 70, 140, 159}),
      {"dominoes", drawing::dominoes(7), {}, {}},
      drawn("shapes", 66, 40, 1, 17),
      drawn("shapes", 40, 70, 2, 18),
      hinted(drawn("shapes", 130, 20, 1, 19), 20),
      hinted(drawn("shapes", 20, 140, 2, 20), 30),
      hinted(noise("noise", 200, 100, 1, 60, 21), 30),
      hinted(noise("noise", 150, 150, 1, 55, 22), 40),
      crossed(noise("noise", 15, 16, 1, 45, 29), 4),
      crossed(noise("noise", 16, 14, 1, 45, 30), 9),
      crossed(noise("noise", 20, 20, 1, 45, 31), 9),
      crossed(noise("noise", 20, 21, 1, 40, 32), 9),
      crossed(noise("noise", 14, 15, 2, 50, 33), 3),
      crossed(noise("noise", 24, 17, 1, 50, 34), 3),
      hinted(noise("thin noise", 70, 66, 1, 22, 35), 40),
      hinted(noise("thin noise", 20, 130, 1, 30, 36), 30),
      hinted(noise("thin noise", 140, 20, 2, 40, 37), 30),
      spoilt(noise("noise", 10, 80, 1, 50, 23), 3, {{2, 1}, {2, 1}}),
      spoilt(noise("noise", 80, 70, 1, 50, 24), 130, {{9, 1}, {9, 1}, {9, 1}}),
      spoilt(drawn("shapes", 10, 150, 1, 25), 100, {{3, 1}}),
  };
}

inline int64_t words_of(const Board& board) {
  Digest found;
  const int64_t rows = static_cast<int64_t>(board.num_row_words());
  for (int64_t i = 0; i < rows; ++i) found.add(board.word(static_cast<size_t>(i)));
  for (int line = board.height(); line < board.num_lines(); ++line) {
    const Word* const words = board.planes(line);
    const int num_words = board.num_values() * words_for(board.height());
    for (int i = 0; i < num_words; ++i) found.add(words[i]);
  }
  return found.value();
}

inline int64_t versions_of(const Board& board) {
  Digest found;
  for (int zone = 0; zone < board.num_zones(); ++zone) found.add(board.version(zone));
  return found.value();
}

// The state of a board, of which nothing else can be asked.
inline void note_state(const Board& board, Counts& counts, const std::string& when) {
  counts.note(when + ", pairs left", board.num_pairs());
  counts.note(when + ", changes of lines", static_cast<int64_t>(board.clock()));
  counts.note(when + ", state", digest(std::array{words_of(board), versions_of(board)}));
}

// Propagates with nothing assumed, and once more on a copy that writes all changes down.
inline bool count_propagation(const Sample& sample, Board& board, Counts& counts) {
  Watch watch;
  Board noted = board;
  noted.mark();
  counts.note("zones", board.num_zones());
  note_state(board, counts, "at first");
  const bool is_possible = board.propagate(watch);
  counts.note("lines, work", watch.done());
  counts.note("lines, broken line", board.broken_line());
  require(board.is_settled() == is_possible, "whether lines are queued");
  note_state(board, counts, "by lines");
  for (int line = 0; line < board.num_lines(); ++line) {
    const bool expected = std::count(sample.left_out.begin(), sample.left_out.end(), line);
    require(board.is_left_out(line) == expected, "a line left out");
  }

  Watch again;
  require(noted.propagate(again) == is_possible, "a propagation that is written down");
  Digest changes;
  for (const auto& [index, before] : noted.changes_since(0))
    changes.add(index), changes.add(before);
  counts.note("written down, work", again.done());
  counts.note("written down, words changed", static_cast<int64_t>(noted.changes_since(0).size()));
  counts.note("written down, changes", changes.value());
  const int64_t done = watch.done();
  require(board.propagate(watch) == is_possible, "a verdict that does not last");
  if (is_possible) require(watch.done() == done, "a board that is settled takes work");
  return is_possible;
}

// Assumes values of some open cells, one after another and one above another, and takes it back.
inline void count_trials(Board& board, Counts& counts) {
  Watch watch;
  Digest changes, zones_looked_at, broken;
  int64_t num_broken = 0;
  std::array<Word, 4> zones;
  const int64_t before = words_of(board), pairs = board.num_pairs();
  const std::vector<int> open = board.open_cells();
  for (size_t i = 0; i < open.size(); i += 1 + open.size() / 12) {
    const size_t other = open.size() - 1 - i;
    zones.fill(0);
    if (i % 2) board.trace(zones.data());
    const size_t mark = board.mark();
    for (const int cell : {open[i], open[other]}) {
      int value = board.num_values() - 1;
      while (value > 0 && !board.may(cell, value)) --value;
      board.assign(cell, value);
      const bool is_possible = board.propagate(watch);
      for (const auto& [index, word] : board.changes_since(mark))
        changes.add(index), changes.add(word);
      if (is_possible) continue;
      ++num_broken;
      broken.add(static_cast<uint64_t>(board.broken_line()));
      break;
    }
    board.undo(mark);
    board.trace(nullptr);
    for (const Word word : zones) zones_looked_at.add(word);
    require(words_of(board) == before && board.num_pairs() == pairs, "what is taken back");
    require(board.is_settled(), "lines that stay queued");
  }
  counts.note("trials, work", watch.done());
  counts.note("trials, contradictions", num_broken);
  counts.note("trials, broken lines", broken.value());
  counts.note("trials, changes", changes.value());
  counts.note("trials, zones looked at", zones_looked_at.value());
  note_state(board, counts, "after trials");
}

inline void note_prober(const Prober& prober, Counts& counts, const std::string& when) {
  counts.note(when + ", probes", prober.num_probes());
  counts.note(when + ", cells that taught", digest(prober.lessons()));
  counts.note(when + ", best cell", prober.best_cell());
  counts.note(when + ", best value", prober.best_value());
  counts.note(when + ", can branch", prober.can_branch());
}

// Probes until nothing is new. `lessons`: what the listener sees of the board.
inline void count_probing(Board board, Counts& counts) {
  Watch watch;
  Prober prober(board);
  Digest lessons;
  prober.on_lesson([&](int cell) {
    lessons.add(static_cast<uint64_t>(cell));
    lessons.add(static_cast<uint64_t>(board.num_pairs()));
  });
  const Progress progress = prober.run(watch, INT64_MAX);
  counts.note("probing, progress", static_cast<int64_t>(progress));
  counts.note("probing, work", watch.done());
  counts.note("probing, lessons", lessons.value());
  note_prober(prober, counts, "probing");
  note_state(board, counts, "by probing");
  if (progress != Progress::kFixpoint) return;
  const int64_t num_probes = prober.num_probes();
  require(prober.run(watch, INT64_MAX) == Progress::kFixpoint, "a fixpoint that does not last");
  require(prober.num_probes() == num_probes, "fresh cells are probed again");
}

// Passes that a budget ends, over and over.
inline void count_budgets(Board board, Counts& counts) {
  Watch watch;
  Prober prober(board);
  int64_t num_runs = 1;
  Progress progress = prober.run(watch, 30'000);
  Digest best;
  for (; progress == Progress::kBudget; ++num_runs) {
    if (prober.can_branch()) best.add(static_cast<uint64_t>(prober.best_cell()));
    progress = prober.run(watch, watch.done() + 60'000);
  }
  counts.note("budgets, runs", num_runs);
  counts.note("budgets, best cells", best.value());
  counts.note("budgets, work", watch.done());
  note_prober(prober, counts, "budgets");
}

// One pass after another, the best cell blamed between them; then a part of the cells.
inline void count_brief_passes(Board board, Counts& counts) {
  Watch watch;
  Prober prober(board);
  Digest best;
  const std::vector<int> open = board.open_cells();
  for (int pass = 0; pass < 4; ++pass) {
    if (prober.run_briefly(watch, INT64_MAX) != Progress::kFixpoint) break;
    best.add(static_cast<uint64_t>(prober.best_cell() * 256 + prober.best_value()));
    if (!prober.can_branch()) break;
    prober.blame(prober.best_cell());
  }
  counts.note("brief passes, best cells", best.value());
  counts.note("brief passes, work", watch.done());
  std::vector<int> part;
  for (size_t i = 0; i < open.size(); i += 3) part.push_back(open[i]);
  prober.focus(part);
  prober.run_briefly(watch, INT64_MAX);
  note_prober(prober, counts, "a part of the cells");
  counts.note("a part of the cells, work", watch.done());
}

inline void count_search(Board board, Counts& counts) {
  Watch watch;
  Search search(board, 4);
  Digest solutions;
  int64_t num_solutions = 0;
  while (num_solutions < 3 && search.next(watch, 3'000'000) == Search::Outcome::kSolution) {
    ++num_solutions;
    solutions.add(static_cast<uint64_t>(words_of(board)));
  }
  counts.note("search, solutions", num_solutions);
  counts.note("search, nodes", search.num_nodes());
  counts.note("search, order of solutions", solutions.value());
  counts.note("search, work", watch.done());
}

inline void count_boards(Counts& counts) {
  int number = 0;
  for (const Sample& sample : samples()) {
    // Portable code and that for vectors do the same work.
    vectors_allowed = ++number % 2;
    fuzzing::place = sample.name;
    counts.start("boards, " + sample.name);
    Watch watch;
    Board board = sample.board(watch);
    if (!count_propagation(sample, board, counts)) continue;
    if (board.is_complete()) continue;
    count_trials(board, counts);
    if (board.open_cells().size() > 900) continue;  // it would take too long
    count_probing(board, counts);
    count_budgets(board, counts);
    count_brief_passes(board, counts);
    if (sample.left_out.empty()) count_search(board, counts);  // regions need all clues
  }
  vectors_allowed = true;
}

}  // namespace work
