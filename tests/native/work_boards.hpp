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
#include "fuzzing.hpp"
#include "line/vectors.hpp"
#include "search/search.hpp"
#include "work_samples.hpp"

namespace work {

using namespace nonosat;
using counting::Counts, counting::Digest, counting::digest;
using fuzzing::require;

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

// Notes the complete state of a board.
inline void note_state(const Board& board, Counts& counts, const std::string& when) {
  counts.note(when + ", pairs left", board.num_pairs());
  counts.note(when + ", changes of lines", static_cast<int64_t>(board.clock()));
  counts.note(when + ", state", digest(std::array{words_of(board), versions_of(board)}));
}

// Checks that all functions that return the cells of a settled board agree.
inline void check_views(const Board& board) {
  const std::vector<uint8_t> cells = board.cells();
  const std::vector<int> open = board.open_cells();
  std::vector<std::vector<uint8_t>> planes;
  for (int value = 0; value < board.num_values(); ++value) planes.push_back(board.plane(value));
  for (const auto& plane : planes) require(plane.size() == cells.size(), "the size of a plane");
  size_t num_open = 0;
  for (int cell = 0; cell < board.num_cells(); ++cell) {
    int num_left = 0, last = 0;
    for (int value = 0; value < board.num_values(); ++value) {
      const bool may = board.may(cell, value);
      require(planes[value][cell] == may, "a plane of the board");
      if (may) ++num_left, last = value;
    }
    require(board.num_left(cell) == num_left, "values left of a cell");
    require(cells[cell] == (num_left == 1 ? last : Board::kOpen), "the cells of the board");
    if (num_left > 1) require(num_open < open.size() && open[num_open++] == cell, "open cells");
  }
  require(num_open == open.size() && cells.size() == static_cast<size_t>(board.num_cells()),
          "the number of cells");
}

// More than 2 GiB: the error is raised before memory is allocated.
inline void check_too_large() {
  fuzzing::place = "a board that is too large";
  Watch watch;
  bool is_refused = false;
  try {
    Board(255, std::vector<Clue>(40'000), std::vector<Clue>(40'000), watch);
  } catch (const TooLarge&) {
    is_refused = true;
  }
  require(is_refused, "100 GiB");
}

// Propagates without assumptions, and again on a copy that records all changes.
inline bool count_propagation(const Sample& sample, Board& board, Counts& counts) {
  Watch watch;
  Board noted = board;
  noted.mark();
  counts.note("zones", board.num_zones());
  note_state(board, counts, "at first");
  const bool is_possible = board.propagate(watch);
  counts.note("lines, work", watch.done());
  counts.note("lines, broken line", board.broken_line());
  require(board.is_at_fixpoint() == is_possible, "whether lines are queued");
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
  if (!is_possible) return false;
  require(watch.done() == done, "a board that is settled takes work");
  check_views(board);
  return true;
}

// Assumes values of some open cells, one after another and nested, and undoes them.
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
    require(board.is_at_fixpoint(), "lines that stay queued");
  }
  counts.note("trials, work", watch.done());
  counts.note("trials, contradictions", num_broken);
  counts.note("trials, broken lines", broken.value());
  counts.note("trials, changes", changes.value());
  counts.note("trials, zones looked at", zones_looked_at.value());
  note_state(board, counts, "after trials");
}

inline void note_prober(const Prober<Board>& prober, Counts& counts, const std::string& when) {
  counts.note(when + ", probes", prober.num_probes());
  counts.note(when + ", cells that taught", digest(prober.productive_cells()));
  counts.note(when + ", best cell", prober.best_cell());
  counts.note(when + ", best value", prober.best_value());
  counts.note(when + ", can branch", prober.can_branch());
}

// Probes to a fixpoint. `lessons`: states of the board at the listener's calls.
inline void count_probing(Board board, Counts& counts) {
  Watch watch;
  Prober prober(board);
  Digest lessons;
  prober.on_productive([&](int cell) {
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

// Repeated passes that a budget ends.
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

// Single passes, with the best cell blamed between them; then passes on a part of the cells.
inline void count_brief_passes(Board board, Counts& counts) {
  Watch watch;
  Prober prober(board);
  Digest best;
  const std::vector<int> open = board.open_cells();
  for (int pass = 0; pass < 4; ++pass) {
    if (prober.run_briefly(watch, INT64_MAX) != Progress::kFixpoint) break;
    best.add(static_cast<uint64_t>(prober.best_cell() * 256 + prober.best_value()));
    if (!prober.can_branch()) break;
    prober.count_failure(prober.best_cell());
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

// No cell to branch on.
inline void check_complete(Board board) {
  Watch watch;
  Prober prober(board);
  require(prober.run(watch, INT64_MAX) == Progress::kFixpoint, "a complete board");
  require(prober.best_cell() == -1 && !prober.can_branch(), "a cell of a complete board");
  require(prober.num_probes() == 0, "probes of a complete board");
}

inline void count_search(Board board, Counts& counts) {
  Watch watch;
  Search search(board, 4);
  Digest solutions;
  int64_t num_solutions = 0;
  while (num_solutions < 12 && search.next(watch, 6'000'000) == SearchOutcome::kSolution) {
    ++num_solutions;
    solutions.add(static_cast<uint64_t>(words_of(board)));
  }
  counts.note("search, solutions", num_solutions);
  counts.note("search, nodes", search.num_nodes());
  counts.note("search, order of solutions", solutions.value());
  counts.note("search, work", watch.done());
}

inline void count_boards(Counts& counts) {
  check_too_large();
  int number = 0;
  for (const Sample& sample : samples()) {
    // Portable code and vector code do the same work.
    vectors_allowed = ++number % 2;
    fuzzing::place = sample.name;
    counts.start("boards, " + sample.name);
    Watch watch;
    Board board = sample.board(watch);
    if (!count_propagation(sample, board, counts)) continue;
    if (board.is_complete()) {
      check_complete(board);
      continue;
    }
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
