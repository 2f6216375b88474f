// Prices of fixed boards, counted: tables of integers, searches step by step, regions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "counting.hpp"
#include "prices/prices.hpp"
#include "prices/regions.hpp"
#include "work_boards.hpp"
#include "work_minimise.hpp"

namespace work {

using Solution = std::vector<uint8_t>;

constexpr int kSteps = 10;             // percent: compilers differ in the last bits of sums
constexpr int64_t kLeastDistance = 4;  // of two solutions
constexpr int64_t kMuch = 20'000'000;  // units of work

// `side` rows share fewer columns: every line is consistent, but there is no solution.
inline Sample matching(int side, int num_rows, int num_columns) {
  Sample made{"matching of " + std::to_string(side), {side, side, 1, {}, {}}, {}, {}};
  made.puzzle.clues.assign(2 * side, {{1, 1}});
  for (int row = 0; row < num_rows; ++row) {
    for (int column = num_columns; column < side; ++column)
      made.removed.push_back({row * side + column, 1});
  }
  return made;
}

inline Sample swapped(Sample sample, int one, int other) {
  std::swap(sample.puzzle.clues[one], sample.puzzle.clues[other]);
  sample.name +=
      " with lines " + std::to_string(one) + " and " + std::to_string(other) + " swapped";
  return sample;
}

inline Sample staircase(int count) {
  return {"dominoes " + std::to_string(count), drawing::dominoes(count), {}, {}};
}

inline Solution picture(const Puzzle& puzzle) { return {puzzle.truth.begin(), puzzle.truth.end()}; }

inline int64_t pairs_digest(const std::vector<std::pair<int, int>>& pairs) {
  Digest found;
  for (const auto& [cell, value] : pairs) found.add(static_cast<uint64_t>(cell * 256 + value));
  return found.value();
}

// Bounds, losses and payments of drawn prices.
inline void count_table(const Sample& sample, Counts& counts) {
  Watch watch;
  Board board = sample.board(watch);
  require(board.propagate(watch), "a board to be priced");
  counts.start("prices, tables, " + sample.name);
  const bool is_known = !sample.puzzle.truth.empty() && board.may(0, sample.puzzle.truth[0]);
  for (const bool with_solution : {false, true}) {
    if (with_solution && !is_known) continue;
    const std::string when = with_solution ? "known" : "unknown";
    PricedBoard priced(board, with_solution ? picture(sample.puzzle) : Solution(), watch);
    counts.note(when + ", cells", digest(priced.cells()));
    counts.note(when + ", prices", static_cast<int64_t>(priced.num_prices()));
    std::vector<int64_t> prices, losses;
    for (size_t i = 0; i < priced.num_prices(); ++i) prices.push_back(drawing::below(201) - 100);
    for (const int64_t scale : {1, 32}) {
      const std::string which = when + ", scale " + std::to_string(scale);
      counts.note(which + ", bound", priced.bound(prices, scale, watch, &losses));
      counts.note(which + ", losses", digest(losses));
      Digest payments;
      for (const auto& [most, free] : priced.payments(prices, scale, watch)) {
        payments.add(static_cast<uint64_t>(most));
        payments.add(static_cast<uint64_t>(free));
      }
      counts.note(which + ", payments", payments.value());
    }
    counts.note(when + ", work", watch.done());
  }
}

// Notes the state of a search.
inline void note_prices(Prices& prices, Counts& counts, const std::string& when) {
  counts.note(when + ", sweeps", prices.num_sweeps(), kSteps);
  counts.note(when + ", bound", prices.bound());
  counts.note(when + ", scale", prices.scale());
}

// A budget that is already spent ends the search before its first step.
inline void check_no_budget(Prices& prices, bool is_known) {
  Watch watch;
  const int before = prices.num_sweeps();
  const auto outcome =
      is_known ? prices.lower(watch, kLeastDistance, 0, true) : prices.find(watch, 0, true);
  require(outcome != Prices::Outcome::kStalled && prices.num_sweeps() == before,
          "a step without a budget");
}

// Single steps: notes which of them round prices, and the evaluations of the line search.
inline void count_steps(Prices& prices, bool is_known, bool is_stubborn, Counts& counts) {
  Watch watch;
  auto outcome = Prices::Outcome::kBudget;
  for (int step = 1; step <= 13 && outcome == Prices::Outcome::kBudget; ++step) {
    outcome = is_known ? prices.lower(watch, kLeastDistance, 1, is_stubborn)
                       : prices.find(watch, 1, is_stubborn);
    counts.note("step " + std::to_string(step) + ", sweeps", prices.num_sweeps(), kSteps);
  }
  counts.note("steps, outcome", static_cast<int64_t>(outcome));
}

inline void count_whole(Prices& prices, bool is_known, bool is_stubborn, Counts& counts) {
  Watch watch;
  const auto outcome = is_known ? prices.lower(watch, kLeastDistance, kMuch, is_stubborn)
                                : prices.find(watch, kMuch, is_stubborn);
  counts.note("outcome", static_cast<int64_t>(outcome));
  counts.note("work", watch.done(), kSteps);
  note_prices(prices, counts, "whole");
  if (!is_known) counts.note("impossible", pairs_digest(prices.impossible(watch)));
  if (outcome != Prices::Outcome::kReached) return;
  counts.note("table", digest(prices.table().prices));
  for (const int64_t goal : {0, 1, 4, 9})
    counts.note("ruled out below " + std::to_string(goal),
                pairs_digest(prices.ruled_out(watch, goal)));
  if (is_known || prices.bound() < 0) return;
  const Solution found = prices.cells();
  counts.note("solution", digest(found));
  prices.set_solution(watch, found);
  note_prices(prices, counts, "known then");
  counts.note("known then, outcome",
              static_cast<int64_t>(prices.lower(watch, kLeastDistance, kMuch, false)));
  note_prices(prices, counts, "proven then");
  counts.note("proven then, table", digest(prices.table().prices));
  prices.shrink(watch, kLeastDistance);
  note_prices(prices, counts, "made small");
  counts.note("made small, table", digest(prices.table().prices));
}

// A solution that is set before any price has changed leaves the table as it is.
inline void check_early_knowledge(const Board& board, const Solution& solution) {
  Watch watch;
  Prices known(board, solution, watch), later(board, {}, watch);
  later.set_solution(watch, solution);
  require(later.bound() == known.bound() && later.scale() == 1, "a bound without prices");
  require(std::ranges::count(later.table().prices, 0) == std::ssize(later.table().prices),
          "a table without prices");
}

enum class Way { kFind, kLower, kFindStubbornly, kLowerStubbornly };

inline void count_search(const Sample& sample, Way way, Counts& counts) {
  Watch watch;
  Board board = sample.board(watch);
  require(board.propagate(watch), "a board to be priced");
  const bool is_known = way == Way::kLower || way == Way::kLowerStubbornly;
  const bool is_stubborn = way == Way::kFindStubbornly || way == Way::kLowerStubbornly;
  const std::string verb = is_known ? "lower" : "find";
  counts.start("prices, " + verb + (is_stubborn ? " stubbornly, " : ", ") + sample.name);
  const Solution solution = is_known ? picture(sample.puzzle) : Solution();
  Prices slow(board, solution, watch), whole(board, solution, watch);
  check_no_budget(slow, is_known);
  if (is_known) check_early_knowledge(board, solution);
  count_steps(slow, is_known, is_stubborn, counts);
  count_whole(whole, is_known, is_stubborn, counts);
}

inline void count_refuting(const Sample& sample, Counts& counts) {
  Watch watch;
  Board board = sample.board(watch);
  require(board.propagate(watch), "a board to be priced");
  counts.start("prices, refute, " + sample.name);
  Prices prices(board, {}, watch);
  counts.note("outcome", static_cast<int64_t>(prices.refute(watch, kMuch)));
  note_prices(prices, counts, "refuted");
  if (prices.bound() >= 0) return;
  counts.note("table", digest(prices.table().prices));
  Digest payments;
  for (const auto& [most, free] : prices.payments(watch))
    payments.add(static_cast<uint64_t>(most)), payments.add(static_cast<uint64_t>(free));
  counts.note("payments", payments.value());
}

// Regions without limits, and with each of their limits.
inline void count_regions(const Sample& sample, Counts& counts) {
  Watch watch;
  Board board = sample.board(watch);
  if (!sample.left_out.empty()) return;  // regions need all clues
  require(board.propagate(watch), "a board with regions");
  counts.start("regions, " + sample.name);
  struct Limits {
    size_t least, most, number;
  };
  const std::vector<Board> every = regions(board, 1, SIZE_MAX, SIZE_MAX, watch);
  const size_t largest = every.front().open_cells().size();
  for (const auto& [least, most, number] :
       {Limits{1, SIZE_MAX, 1000}, Limits{0, 12, 3}, Limits{4, SIZE_MAX, 2},
        Limits{largest, largest, 1}, Limits{largest, largest - 1, 9}}) {
    Watch mine;
    const std::vector<Board> found = regions(board, least, most, number, mine);
    Digest state;
    for (const Board& region : found) state.add(static_cast<uint64_t>(words_of(region)));
    const std::string to = most == SIZE_MAX ? " up" : " to " + std::to_string(most);
    const std::string when = "from " + std::to_string(least) + to;
    counts.note(when + ", number", static_cast<int64_t>(found.size()));
    counts.note(when + ", words", state.value());
    counts.note(when + ", work", mine.done());
  }
}

// Searches that end in each of the possible ways: at each judgement, reached, refuted, at a
// standstill.
inline void count_searches(Counts& counts) {
  for (const int count : {3, 6, 14}) count_search(staircase(count), Way::kFind, counts);
  count_search(staircase(6), Way::kFindStubbornly, counts);
  count_search(swapped(staircase(5), 0, 5), Way::kFind, counts);
  count_search(matching(9, 5, 4), Way::kFind, counts);
  for (const int seed : {2, 8, 42})
    count_search(drawn("d" + std::to_string(seed), 20, 21, 1, seed), Way::kFind, counts);
  for (const int seed : {15, 16, 19, 42, 52})
    count_search(drawn("e" + std::to_string(seed), 30, 31, 1, seed), Way::kFind, counts);
  for (const int seed : {4, 7, 9, 14})
    count_search(noise("m" + std::to_string(seed), 20, 21, 1, 50, seed), Way::kFind, counts);
  for (const int seed : {4, 5, 23})
    count_search(noise("n" + std::to_string(seed), 10, 11, 1, 45, seed), Way::kFind, counts);
  count_search(noise("n5", 10, 11, 1, 45, 5), Way::kFindStubbornly, counts);
  for (const int seed : {5, 28, 49, 64})
    count_search(drawn("d" + std::to_string(seed), 20, 21, 1, seed), Way::kLower, counts);
  count_search(drawn("d8", 20, 21, 1, 8), Way::kLowerStubbornly, counts);
  count_search(drawn("e19", 30, 31, 1, 19), Way::kLowerStubbornly, counts);
  count_search(with_hidden_lengths(drawn("e8", 16, 15, 2, 8), 20), Way::kLower, counts);
  count_search(with_hidden_lengths(drawn("b25", 16, 15, 2, 25), 20), Way::kLowerStubbornly, counts);
}

inline void count_prices(Counts& counts) {
  count_minimiser(counts);
  const std::vector<Sample> every = samples();
  for (const Sample& sample : every) {
    fuzzing::place = sample.name;
    const Puzzle& puzzle = sample.puzzle;
    Watch watch;
    Board board = sample.board(watch);
    if (!board.propagate(watch) || board.is_complete()) continue;
    if (board.open_cells().size() < 900) count_table(sample, counts);
    if (puzzle.num_lines() < 400) count_regions(sample, counts);
  }
  count_searches(counts);
  for (const Sample& sample :
       {matching(6, 3, 2), matching(12, 7, 6), without(matching(9, 5, 4), {6}),
        without(matching(8, 5, 4), {0, 12}), swapped(staircase(5), 0, 1),
        swapped(staircase(5), 0, 6), matching(20, 10, 9)})
    count_refuting(sample, counts);
}

}  // namespace work
