// Seeded fuzzing of prices, to be built with -fsanitize=address,undefined: bounds, losses and
// gradients of random tables are compared with sums and maxima that share no code with the core;
// searches are stopped at random points and resumed, and their claims are compared with known
// solutions; regions of small boards are combined.
//
// Usage: fuzz_prices [boards] [functions] [seed]. Prints what was checked; exit status 1 at an
// error.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "drawing.hpp"
#include "fuzzing.hpp"
#include "prices/minimise.hpp"
#include "prices/priced_board.hpp"
#include "prices/prices.hpp"
#include "prices/regions.hpp"
#include "reference_payments.hpp"
#include "reference_sums.hpp"
#include "search/search.hpp"

using namespace nonosat;
using namespace drawing;
using namespace fuzzing;
using reference::Payments, reference::Sum;
using Solution = std::vector<uint8_t>;

namespace {

double draw_real(double most) { return std::uniform_real_distribution<double>(-most, most)(rng); }

// ---- Boards ----

// A puzzle on its board, and the payments of a table for its cells.
struct Case {
  Puzzle puzzle;
  Board board;
  Solution solution;  // the known solution, or empty

  Table left() const {
    Table found(board.num_values(), std::vector<char>(board.num_cells()));
    for (int value = 0; value < board.num_values(); ++value) {
      for (int cell = 0; cell < board.num_cells(); ++cell)
        found[value][cell] = board.may(cell, value);
    }
    return found;
  }
  bool is_dear(int cell, int value) const {
    return !solution.empty() && solution[cell] != value && board.may(cell, value);
  }
};

// Calls `pay(open, value, price)` for every remaining value of every open cell; price -1 for the
// lowest.
template <class Pay>
void each_value(const PricedBoard& priced, Pay pay) {
  for (size_t open = 0; open < priced.cells().size(); ++open) {
    pay(open, priced.lowest(open), -1);
    for (size_t at = priced.price_at(open); at < priced.price_at(open + 1); ++at)
      pay(open, priced.value_of(at), static_cast<int>(at));
  }
}

// prices[value][cell], of all values.
Payments spread(const Case& on, const PricedBoard& priced, const std::vector<int64_t>& prices) {
  Payments found(on.board.num_values(), std::vector<int64_t>(on.board.num_cells(), 0));
  each_value(priced, [&](size_t open, int value, int at) {
    if (at >= 0) found[value][priced.cells()[open]] = prices[at];
  });
  return found;
}

Payments payments_of(const Case& on, const Payments& prices, int64_t scale, int line) {
  const Puzzle& puzzle = on.puzzle;
  Payments mine(prices.size(), std::vector<int64_t>(puzzle.length(line)));
  for (size_t value = 0; value < prices.size(); ++value) {
    for (int i = 0; i < puzzle.length(line); ++i) {
      const int cell = puzzle.cell(line, i);
      const int64_t price = prices[value][cell];
      const int64_t cost = on.is_dear(cell, static_cast<int>(value)) ? scale : 0;
      mine[value][i] = line < puzzle.height ? price : cost - price;
    }
  }
  return mine;
}

void check_table(const Case& on, const PricedBoard& priced, const Prices::Table& table,
                 const std::vector<int64_t>& losses) {
  const Payments prices = spread(on, priced, table.prices);
  const Table left = on.left();
  Sum bound = 0;
  std::vector<std::vector<Sum>> lost(left.size(), std::vector<Sum>(on.board.num_cells(), 0));
  for (int line = 0; line < on.puzzle.num_lines(); ++line) {
    const auto found =
        reference::line_payments(on.puzzle.clues[line], on.puzzle.planes_of(left, line),
                                 payments_of(on, prices, table.scale, line));
    bound += found.total;
    for (size_t value = 0; value < left.size(); ++value) {
      for (int i = 0; i < on.puzzle.length(line); ++i)
        lost[value][on.puzzle.cell(line, i)] += found.total - found.values[value][i];
    }
  }
  require(bound == table.bound, "a bound");
  if (losses.empty()) return;
  size_t next = 0;
  each_value(priced, [&](size_t open, int value, int) {
    require(losses[next++] == lost[value][priced.cells()[open]], "what a bound loses");
  });
  require(next == losses.size(), "losses of all values");
}

// Draws a table of small prices, of zeros, or of the largest prices.
void check_tables(const Case& on, PricedBoard& priced) {
  Watch watch;
  for (int trial = 0; trial < 3; ++trial) {
    Prices::Table table;
    table.scale = int64_t{1} << below(11);
    const double room = 0x1p57 - static_cast<double>(table.scale) * on.board.num_cells();
    const double most = trial == 0 ? 3 : trial == 1 ? 1e6 : room / (1 + priced.num_prices());
    for (size_t i = 0; i < priced.num_prices(); ++i)
      table.prices.push_back(chance(20) ? 0 : std::llround(draw_real(most)));
    std::vector<int64_t> losses;
    table.bound = priced.bound(table.prices, table.scale, watch, &losses);
    check_table(on, priced, table, losses);
    require(priced.bound(table.prices, table.scale, watch) == table.bound, "without losses");
  }
}

void check_smoothed(const Case& on, PricedBoard& priced) {
  Watch watch;
  const double temperature = chance(50) ? 4 : 0.5 + below(4);
  const double most = chance(50) ? 2 : chance(50) ? 30 : 5000.0 / (1 + on.board.num_cells());
  std::vector<double> prices(priced.num_prices()), gradient, shares;
  for (double& price : prices) price = draw_real(most);
  const double value = priced.smoothed(prices, temperature, gradient, shares, watch);
  const Table left = on.left();
  std::vector<long double> across(prices.size(), 0), down(prices.size(), 0);
  long double expected = 0;
  for (int line = 0; line < on.puzzle.num_lines(); ++line) {
    const bool is_row = line < on.puzzle.height;
    reference::Logs logs(left.size(), std::vector<double>(on.puzzle.length(line), 0));
    std::vector<std::pair<int, size_t>> at_place;  // index of each price of the line
    std::vector<size_t> at_price;
    each_value(priced, [&](size_t open, int worth, int at) {
      const int cell = priced.cells()[open], width = on.puzzle.width;
      const int mine = is_row ? cell / width : on.puzzle.height + cell % width;
      if (mine != line) return;
      const int place = is_row ? cell % width : cell / width;
      const double price = at < 0 ? 0 : prices[at], cost = on.is_dear(cell, worth);
      logs[worth][place] = (is_row ? price : cost - price) / temperature;
      if (at >= 0) at_place.push_back({worth, place}), at_price.push_back(at);
    });
    const auto found =
        reference::shares(on.puzzle.clues[line], on.puzzle.planes_of(left, line), logs);
    expected += temperature * std::log(found.total);
    for (size_t i = 0; i < at_price.size(); ++i) {
      const auto [worth, place] = at_place[i];
      (is_row ? across : down)[at_price[i]] = found.values[worth][place];
    }
  }
  require(std::abs(value - expected) <= 1e-9L * (1 + std::abs(expected)), "a smoothed bound");
  for (size_t i = 0; i < prices.size(); ++i) {
    require(std::abs(shares[i] - across[i]) < 1e-9, "a share");
    require(std::abs(gradient[i] - (across[i] - down[i])) < 1e-9, "a gradient");
  }
}

// ---- Searches ----

int distance(const Solution& one, const Solution& other) {
  int found = 0;
  for (size_t cell = 0; cell < one.size(); ++cell) found += one[cell] != other[cell];
  return found;
}

std::vector<Solution> some_solutions(Board board) {
  Search search(board);
  std::vector<Solution> found;
  Watch watch;
  while (found.size() < 20 && search.next(watch, 100'000) == SearchOutcome::kSolution)
    found.push_back(board.cells());
  return found;
}

// A search in pieces, ended by budgets and stopped by watches at random points.
Prices::Outcome in_pieces(Prices& prices, int64_t goal) {
  auto outcome = Prices::Outcome::kBudget;
  for (int piece = 0; piece < 40 && outcome == Prices::Outcome::kBudget; ++piece) {
    int patience = below(200);
    Watch watch = chance(50)
                      ? Watch()
                      : Watch({}, [&] { return patience-- <= 0; },
                              {.check_every = 1, .poll_every = std::chrono::milliseconds(0)});
    const int64_t budget = chance(50) ? below(100'000) : 2'000'000;
    const bool stubborn = chance(70);
    try {
      outcome = goal < 0 ? prices.find(watch, budget, stubborn)
                         : prices.lower(watch, goal, budget, stubborn);
    } catch (const Stopped&) {
    }
  }
  return outcome;
}

void check_search(Case on, const std::vector<Solution>& solutions) {
  Watch watch;
  const bool is_known = !on.solution.empty();
  Prices prices(on.board, on.solution, watch);
  const int64_t goal = is_known ? 1 + below(4) : -1;
  const auto outcome = in_pieces(prices, goal);
  check_table(on, prices.priced(), prices.table(), {});
  const bool is_reached = outcome == Prices::Outcome::kReached;
  if (is_known && is_reached) require(prices.bound() < goal * prices.scale(), "a goal reached");
  for (const Solution& other : solutions) {
    const int apart = is_known ? distance(on.solution, other) : 0;
    require(apart * prices.scale() <= prices.bound(), "a solution beyond the bound");
    for (const auto& [cell, value] : prices.ruled_out(watch, 1 + apart / 2))
      require(other[cell] != value || (is_known && apart < 1 + apart / 2) || !is_known,
              "a solution's value ruled out");
    if (is_known) continue;
    require(prices.ruled_out(watch, 0).empty() || prices.bound() >= 0, "a bound below 0");
    for (const auto& [cell, value] : prices.ruled_out(watch, 0))
      require(other[cell] != value, "a value of a solution, unknown");
  }
  if (is_known || !is_reached || prices.bound() < 0) return;
  const Solution found = prices.cells();
  require(on.puzzle.is_solved_by(Cells(found.begin(), found.end())), "a wrong solution");
}

// ---- Regions ----

// The regions have all open cells, each in one of them, with its values; their fillings multiply
// out.
void check_regions(const Board& board) {
  Watch watch;
  const std::vector<Board> every = regions(board, 1, SIZE_MAX, SIZE_MAX, watch);
  std::vector<Solution> solutions;
  Board trial = board;
  Search search(trial);
  auto outcome = SearchOutcome::kSolution;
  while (outcome == SearchOutcome::kSolution && solutions.size() < 500) {
    outcome = search.next(watch, 1'000'000);
    if (outcome == SearchOutcome::kSolution) solutions.push_back(trial.cells());
  }
  std::vector<int> cells;
  std::vector<size_t> sizes;
  size_t num_combined = 1;
  for (const Board& region : every) {
    const std::vector<int> own = region.open_cells();
    cells.insert(cells.end(), own.begin(), own.end());
    sizes.push_back(own.size());
    std::set<Solution> fillings;
    for (const Solution& solution : solutions) {
      Solution filling;
      for (const int cell : own) filling.push_back(solution[cell]);
      fillings.insert(std::move(filling));
    }
    num_combined *= fillings.size();
    for (int value = 0; value < board.num_values(); ++value) {
      for (const int cell : own)
        require(region.may(cell, value) == board.may(cell, value), "values of a region");
    }
  }
  require(std::is_sorted(sizes.rbegin(), sizes.rend()), "regions, the largest first");
  std::sort(cells.begin(), cells.end());
  require(cells == board.open_cells(), "cells of regions");
  if (outcome == SearchOutcome::kExhausted)
    require(num_combined == solutions.size(), "regions that multiply out");
  const size_t least = below(6), most = least + below(20), number = 1 + below(3);
  std::vector<size_t> limited;
  for (const Board& region : regions(board, least, most, number, watch))
    limited.push_back(region.open_cells().size());
  std::erase_if(sizes, [&](size_t size) { return size < least || size > most; });
  sizes.resize(std::min(sizes.size(), number));
  require(limited == sizes, "sizes of regions");
}

// Two very long rows whose columns leave many cells open.
Puzzle draw_long_puzzle() {
  Puzzle puzzle{2, 1000, 1 + below(3), {}, {}};
  puzzle.truth = draw_cells(2 * puzzle.width, puzzle.num_colours, 100);
  for (int line = 0; line < puzzle.num_lines(); ++line) {
    puzzle.clues.push_back(clue_of(puzzle.line_of(puzzle.truth, line)));
    if (line >= puzzle.height) hide_lengths(puzzle.clues.back(), 50);
  }
  return puzzle;
}

void check_board(const Puzzle& puzzle) {
  const bool is_small = puzzle.height < 9 && puzzle.width < 9;
  Board board = puzzle.board();
  Watch watch;
  for (int cell = 0; cell < board.num_cells(); ++cell) {
    if (chance(3)) board.remove(cell, below(board.num_values()));
  }
  if (!board.propagate(watch)) return;
  const std::vector<Solution> solutions =
      is_small ? some_solutions(board) : std::vector<Solution>();
  Case on{puzzle, board, {}};
  if (chance(60)) {  // for a table, any values that the board allows
    for (int cell = 0; cell < board.num_cells(); ++cell) {
      int value = puzzle.truth[cell];
      while (!board.may(cell, value)) value = below(board.num_values());
      on.solution.push_back(static_cast<uint8_t>(value));
    }
    if (!solutions.empty()) on.solution = solutions[below(static_cast<int>(solutions.size()))];
  }
  PricedBoard priced(board, on.solution, watch);
  check_tables(on, priced);
  check_smoothed(on, priced);
  if (!is_small) return;
  check_search(on, solutions);
  check_regions(board);
}

// ---- The minimiser ----

// Sum of a quadratic function and a log-sum-exp, either of which may be missing, and its minimum.
struct Convex {
  std::vector<double> at, weights;
  bool is_smooth_maximum;

  double operator()(const Numbers& point, Numbers& gradient) const {
    double value = 0, total = 0;
    for (size_t i = 0; i < point.size(); ++i) {
      const double apart = point[i] - at[i];
      value += weights[i] * apart * apart / 2;
      gradient[i] = weights[i] * apart;
      if (is_smooth_maximum) total += std::exp(apart) + std::exp(-apart);
    }
    if (!is_smooth_maximum) return value;
    for (size_t i = 0; i < point.size(); ++i)
      gradient[i] += 2 * std::sinh(point[i] - at[i]) / total;
    return value + std::log(total);
  }
};

void check_minimiser() {
  Convex function{{}, {}, chance(50)};
  const int size = below(3) ? 1 + below(40) : below(3);
  for (int i = 0; i < size; ++i) {
    function.at.push_back(draw_real(5));
    function.weights.push_back(std::exp(draw_real(3)));
  }
  if (size == 0) function.is_smooth_maximum = false;
  bool may_throw = false;
  Minimiser minimiser(
      [&](const Numbers& point, Numbers& gradient) {
        if (may_throw && chance(10)) throw Stopped{};
        return function(point, gradient);
      },
      Numbers(size, 0.0));
  may_throw = chance(50);
  for (int step = 0; step < 400; ++step) {
    const Numbers before = minimiser.point();
    const double value = minimiser.value();
    try {
      if (!minimiser.step()) break;
    } catch (const Stopped&) {
      require(minimiser.point() == before && minimiser.value() == value, "a point that moved");
    }
    require(minimiser.value() <= value, "a step uphill");
  }
  for (int i = 0; i < size; ++i)
    require(std::abs(minimiser.point()[i] - function.at[i]) < 1e-4, "where it is least");
}

// Functions that have no minimum, no slope, or no value at some points.
void check_odd_functions() {
  const double slope = draw_real(2), edge = 1 + below(1000);
  const auto run = [&](const Minimiser::Function& function, int size) {
    Minimiser minimiser(function, Numbers(size, 0.0));
    for (int step = 0; step < 40 && minimiser.step(); ++step) {
    }
    require(std::isfinite(minimiser.value()), "a value without end");
    return minimiser.point();
  };
  const double odd[] = {HUGE_VAL, std::nan("")};
  for (const double beyond : odd) {
    const Numbers end = run(
        [&](const Numbers& point, Numbers& gradient) {
          gradient[0] = slope;
          return std::abs(point[0]) < edge ? slope * point[0] : beyond;
        },
        1);
    require(std::abs(end[0]) < edge && (slope == 0 || std::abs(end[0]) > 0.99 * edge),
            "the edge of what has a value");
  }
  const Numbers flat = run(
      [](const Numbers&, Numbers& gradient) {
        gradient.assign(gradient.size(), 0);
        return 7.0;
      },
      below(4));
  require(std::all_of(flat.begin(), flat.end(), [](double x) { return x == 0; }), "a plain");
}

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int index, int otherwise) {
    return argc > index ? std::atoi(argv[index]) : otherwise;
  };
  const int num_boards = argument(1, 800), num_functions = argument(2, 400), seed = argument(3, 1);
  for (int i = 0; i < num_boards; ++i) {
    start("priced board", i, seed);
    check_board(i % 50 == 0 ? draw_long_puzzle() : draw_puzzle(i % 4 > 0));
  }
  for (int i = 0; i < num_functions; ++i) {
    start("function", i, seed);
    check_minimiser();
    check_odd_functions();
  }
  std::printf("checked prices of %d boards, and %d functions\n", num_boards, num_functions);
}
