// Seeded fuzzing of the native encoder and of implications, to be built with
// -fsanitize=address,undefined.
//
// A drawn picture of a line determines the starts and ends of its blocks; the order variables get
// the values of their definition, and every clause must hold. On short lines further cells are
// assigned: unit propagation must find a conflict exactly if no filling is left, so that no clause
// is missing. The implications of small puzzles must be those found by trying every value, each
// once.
//
// Usage: fuzz_clauses [lines] [seed]. Prints what was checked; exit status 1 at an error.
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "drawing.hpp"
#include "encoding/clauses.hpp"
#include "encoding/implications.hpp"
#include "encoding/order_encoding.hpp"

using namespace nonosat;
using namespace drawing;

namespace {

int number;  // description of the current line

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz_clauses: %s, at line %d\n", what, number);
  std::exit(1);
}

// values[v] for the cells' variables 1 + k * length + i.
std::vector<bool> cell_values(const Cells& cells, int num_colours) {
  const int length = static_cast<int>(cells.size());
  std::vector<bool> values(1 + static_cast<size_t>(length) * num_colours);
  for (int i = 0; i < length; ++i) {
    if (cells[i]) values[1 + (cells[i] - 1) * length + i] = true;
  }
  return values;
}

// Literals of cells, some of which are known: the constants of `cells` for these.
LineLits draw_lits(const Cells& cells, int num_colours, const Clue& clue) {
  const int length = static_cast<int>(cells.size()), percent = below(60);
  LineLits line{length, clue, {}, {}};
  for (int k = 0; k < num_colours; ++k) {
    line.cells.emplace_back();
    for (int i = 0; i < length; ++i) line.cells.back().push_back(1 + k * length + i);
  }
  for (int i = 0; i < length; ++i) {
    if (!chance(percent)) continue;
    const bool whole = chance(50);
    if (!whole && cells[i]) line.filled.push_back(i);
    for (int k = 0; whole && k < num_colours; ++k) {
      line.cells[k][i] = cells[i] == k + 1 ? kTrue : kFalse;
    }
  }
  return line;
}

// Values of "at or before p" for all places but the last, by definition.
void put_bound(const Word* words, int length, int truth, std::vector<bool>& values) {
  std::vector<int> places;
  for (int p = 0; p < length; ++p) {
    if (words[p / kWordBits] >> (p % kWordBits) & 1) places.push_back(p);
  }
  for (size_t i = 0; i + 1 < places.size(); ++i) values.push_back(truth <= places[i]);
}

void put_bounds(const LineLits& line, const Cells& cells, std::vector<bool>& values) {
  Plan plan(line.length, static_cast<int>(line.cells.size()), line.blocks);
  std::vector<Word> may((line.cells.size() + 1) * words_for(line.length), 0), starts, ends;
  for (int i = 0; i < line.length; ++i) {
    const auto allow = [&](size_t value) {
      may[value * words_for(line.length) + i / kWordBits] |= Word{1} << (i % kWordBits);
    };
    const bool is_known = line.cells[0][i] == kTrue || line.cells[0][i] == kFalse;
    const bool is_filled =
        std::find(line.filled.begin(), line.filled.end(), i) != line.filled.end();
    for (size_t value = 0; value <= line.cells.size(); ++value) {
      if (is_known ? cells[i] == static_cast<int>(value) : value || !is_filled) allow(value);
    }
  }
  Scratch scratch;
  Watch watch;
  require(block_domains(plan, may.data(), starts, ends, scratch, watch), "a picture is lost");
  int at = 0;
  for (size_t b = 0; b < line.blocks.size(); ++b) {
    while (!cells[at]) ++at;
    int end = at;
    while (end + 1 < line.length && cells[end + 1] == cells[at]) ++end;
    put_bound(&starts[b * words_for(line.length)], line.length, at, values);
    if (!line.blocks[b].length) {
      put_bound(&ends[b * words_for(line.length)], line.length, end, values);
    }
    at = end + 1;
  }
}

void check_line() {
  const int length = kSides[below(std::size(kSides))], num_colours = draw_colours();
  const Cells cells = draw_cells(length, num_colours, length);
  Clue clue = clue_of(cells);
  hide_lengths(clue, chance(30) ? 40 : 0);
  const LineLits line = draw_lits(cells, num_colours, clue);
  std::vector<bool> values = cell_values(cells, num_colours);
  const auto first = static_cast<int32_t>(values.size());
  put_bounds(line, cells, values);
  Watch watch;
  const Plan plan(line.length, num_colours, line.blocks);
  OrderEncoding encoding(line, plan, watch);
  require(encoding.is_feasible(), "a line with a filling is infeasible");
  require(first + encoding.num_vars() == std::ssize(values), "the number of variables is wrong");
  std::vector<int32_t> clauses;
  encoding.clauses(first, clauses, watch);
  bool holds = false;
  for (const int32_t lit : clauses) {
    if (lit) {
      require(std::abs(lit) < std::ssize(values), "a literal of no variable");
      holds = holds || values[std::abs(lit)] == (lit > 0);
      continue;
    }
    require(holds, "a clause forbids the picture");
    holds = false;
  }
}

// ---- Clauses as text ----

void check_texts() {
  std::string dimacs, opb, terms;
  std::vector<int32_t> clauses;
  int64_t num_ends = 0, least = 1;
  for (int left = below(40); left > 0 || !terms.empty(); --left) {
    const int32_t var = chance(20) ? INT32_MAX - below(2) : 1 + below(chance(50) ? 9 : 5000);
    const int32_t lit = left < 1 || chance(30) ? 0 : chance(50) ? var : -var;
    clauses.push_back(lit);
    dimacs += std::to_string(lit) + (lit ? " " : "\n");
    if (lit) {
      terms += (lit > 0 ? "+1 x" : "-1 x") + std::to_string(var) + " ";
      least -= lit < 0;
      continue;
    }
    opb += (terms.empty() ? "+0 x1 " : terms) + ">= " + std::to_string(least) + " ;\n";
    terms.clear();
    ++num_ends, least = 1;
  }
  Watch watch;
  require(num_clauses(clauses) == num_ends, "the number of clauses is wrong");
  require(dimacs_text(clauses, watch) == dimacs, "DIMACS of clauses");
  require(opb_text(clauses, watch) == opb, "OPB of clauses");
}

// ---- Short lines: strength of unit propagation ----

// Propagates; values[v] is 1 for true, -1 for false. Returns false at a conflict.
bool unit_propagate(const std::vector<int32_t>& clauses, std::vector<int>& values) {
  for (bool is_new = true; is_new;) {
    is_new = false;
    int32_t open = 0;
    int num_open = 0;
    for (const int32_t lit : clauses) {
      const int value = lit > 0 ? values[lit] : -values[-lit];
      if (lit && value > 0) num_open = 2;
      if (lit && value == 0) open = lit, ++num_open;
      if (lit) continue;
      if (num_open == 0) return false;
      if (num_open == 1) values[std::abs(open)] = open > 0 ? 1 : -1, is_new = true;
      num_open = 0;
    }
  }
  return true;
}

// Decides some cells that are not constants, in both representations.
void decide_cells(const LineLits& line, Planes& may, std::vector<int>& values) {
  const int num_values = static_cast<int>(may.size());
  for (int i = 0; i < line.length; ++i) {
    for (int value = 1; value < num_values; ++value) {
      const int32_t lit = line.cells[value - 1][i];
      if (lit == kFalse) may[value][i] = 0;
      for (int other = 0; lit == kTrue && other < num_values; ++other) {
        if (other != value) may[other][i] = 0;
      }
    }
    const bool is_constant = std::abs(line.cells[0][i]) == kTrue;
    if (is_constant || chance(40)) continue;
    const int chosen = below(num_values);
    for (int value = 0; value < num_values; ++value) {
      if (value == chosen) continue;
      may[value][i] = 0;
      if (value) values[line.cells[value - 1][i]] = -1;
    }
    if (chosen) values[line.cells[chosen - 1][i]] = 1;
  }
  for (const int cell : line.filled) may[0][cell] = 0;
}

void check_short_line() {
  const int length = 1 + below(9), num_colours = 1 + below(2);
  const Cells cells = draw_cells(length, num_colours, length);
  Clue clue = clue_of(cells);
  hide_lengths(clue, chance(30) ? 40 : 0);
  const LineLits line = draw_lits(cells, num_colours, clue);
  Watch watch;
  const Plan plan(line.length, num_colours, line.blocks);
  OrderEncoding encoding(line, plan, watch);
  const int32_t first = 1 + length * num_colours;
  std::vector<int32_t> clauses;
  encoding.clauses(first, clauses, watch);
  for (int left = 8; left > 0; --left) {
    Planes may(num_colours + 1, std::vector<char>(length, 1));
    std::vector<int> values(first + encoding.num_vars(), 0);
    decide_cells(line, may, values);
    const bool is_open = reference::support(clue, may).any;
    require(unit_propagate(clauses, values) == is_open, "a conflict is not met, or is none");
  }
}

// ---- Implications ----

// Checks that the picture from which a puzzle was drawn satisfies all implications found so far.
void check_implications() {
  const Puzzle puzzle = draw_puzzle(true);
  Board board = puzzle.board();
  Watch unhurried;
  if (chance(70) && !board.propagate(unhurried)) return;
  std::vector<int32_t> variables(puzzle.truth.size() * puzzle.num_colours);
  std::iota(variables.begin(), variables.end(), 1);
  std::vector<bool> values(variables.size() + 1);
  for (size_t cell = 0; cell < puzzle.truth.size(); ++cell) {
    const int value = puzzle.truth[cell];
    if (value) values[1 + (value - 1) * puzzle.truth.size() + cell] = true;
  }
  Implications implications(board, variables, below(200), unhurried);
  int patience = below(500);
  Watch watch({}, [&] { return patience-- <= 0; },
              {.check_every = 1, .poll_every = std::chrono::milliseconds(0)});
  try {
    const std::vector<int32_t> clauses = implications.next(watch);
    bool holds = !puzzle.is_solved_by(puzzle.truth);
    for (const int32_t lit : clauses) {
      if (lit)
        holds |= values[std::abs(lit)] == (lit > 0);
      else
        require(std::exchange(holds, !puzzle.is_solved_by(puzzle.truth)), "a wrong implication");
    }
    require(implications.next(watch).empty(), "nothing more to say");
  } catch (const Stopped&) {
  }
}

using Clauses = std::multiset<std::vector<int32_t>>;  // each with sorted literals

// A cell, one of its values, and the literals of the clause "it has another value".
struct Choice {
  int cell, value;
  std::vector<int32_t> denied;
};

std::vector<Choice> choices_of(const Board& board, const std::vector<int32_t>& variables) {
  std::vector<Choice> found;
  for (const int cell : board.open_cells()) {
    for (int value = 0; value < board.num_values(); ++value) {
      if (!board.may(cell, value)) continue;
      Choice& mine = found.emplace_back(Choice{cell, value, {}});
      for (int colour = 1; colour < board.num_values(); ++colour) {
        const int32_t lit = variables[(colour - 1) * board.num_cells() + cell];
        if (!value && lit) mine.denied.push_back(lit);
        if (value == colour) mine.denied.push_back(-lit);
      }
    }
  }
  return found;
}

// Tries every value of an open cell on a board of its own.
Clauses implied(const Board& board, const std::vector<Choice>& choices, int max_tries) {
  std::set<std::vector<int32_t>> found;
  Watch watch;
  Board settled = board;
  const bool is_open = settled.propagate(watch);
  for (int at = 0; at < static_cast<int>(choices.size()); ++at) {
    const Choice& mine = choices[at];
    if (is_open ? !settled.may(mine.cell, mine.value) : at < max_tries) found.insert(mine.denied);
    if (!is_open || at >= max_tries || !settled.may(mine.cell, mine.value)) continue;
    Board tried = settled;
    tried.assign(mine.cell, mine.value);
    if (!tried.propagate(watch)) {
      found.insert(mine.denied);
      continue;
    }
    for (const Choice& other : choices) {
      const bool is_lost = settled.may(other.cell, other.value) &&
                           !tried.may(other.cell, other.value) && other.cell != mine.cell;
      if (!is_lost) continue;
      std::vector<int32_t> clause = mine.denied;
      clause.insert(clause.end(), other.denied.begin(), other.denied.end());
      std::sort(clause.begin(), clause.end());
      found.insert(clause);
    }
  }
  return {found.begin(), found.end()};
}

void check_all_implications() {
  Puzzle puzzle = draw_puzzle(true);
  while (puzzle.height * puzzle.width > 20) puzzle = draw_puzzle(true);
  Watch watch;
  Board board = puzzle.board();
  if (chance(50) && !board.propagate(watch)) return;
  std::vector<int32_t> variables(puzzle.truth.size() * puzzle.num_colours);
  std::iota(variables.begin(), variables.end(), 1);
  for (size_t i = 0; i < variables.size(); ++i) {
    const int cell = static_cast<int>(i % puzzle.truth.size());
    if (!board.may(cell, static_cast<int>(i / puzzle.truth.size()) + 1)) variables[i] = 0;
  }
  const std::vector<Choice> choices = choices_of(board, variables);
  const int max_tries = below(chance(50) ? 12 : 200);
  Implications implications(board, variables, max_tries, watch);
  Clauses found;
  std::vector<int32_t> clause;
  for (const int32_t lit : implications.next(watch)) {
    if (lit) clause.push_back(lit);
    if (lit) continue;
    std::sort(clause.begin(), clause.end());
    found.insert(std::exchange(clause, {}));
  }
  require(found == implied(board, choices, max_tries), "implications are missing, or come twice");
}

}  // namespace

int main(int argc, char** argv) {
  const int num_lines = argc > 1 ? std::atoi(argv[1]) : 3000;
  const int seed = argc > 2 ? std::atoi(argv[2]) : 1;
  for (number = 0; number < num_lines; ++number) {
    std::seed_seq sequence{seed, number};
    rng.seed(sequence);
    check_line();
    check_implications();
    check_texts();
    check_short_line();
    check_all_implications();
  }
  std::printf("checked the clauses of %d lines\n", num_lines);
}
