// Seeded fuzzing of the native encoder and of implications, meant to be built with
// -fsanitize=address,undefined.
//
// A drawn picture of a line says where its blocks start and end; the order variables then have the
// values of their definition, and every clause must hold. That no clause is missing is for the
// Python tests to say, which compare with the readable twin.
//
// Usage: fuzz_clauses [lines] [seed]. Prints what it checked; ends with status 1 at a mistake.
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "drawing.hpp"
#include "encoding/clauses.hpp"
#include "encoding/implications.hpp"
#include "encoding/order_encoding.hpp"

using namespace nonosat;
using namespace drawing;

namespace {

int number;  // of the line that is being checked

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz_clauses: %s, at line %d\n", what, number);
  std::exit(1);
}

// values[v] of the cells' variables 1 + k * length + i.
std::vector<bool> cell_values(const Cells& cells, int num_colours) {
  const int length = static_cast<int>(cells.size());
  std::vector<bool> values(1 + static_cast<size_t>(length) * num_colours);
  for (int i = 0; i < length; ++i) {
    if (cells[i]) values[1 + (cells[i] - 1) * length + i] = true;
  }
  return values;
}

// Literals of cells of which some are known: the constants of what `cells` has there.
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

// "At or before p" for all places but the last, by its definition.
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
  blot(clue, chance(30) ? 40 : 0);
  const LineLits line = draw_lits(cells, num_colours, clue);
  std::vector<bool> values = cell_values(cells, num_colours);
  const auto first = static_cast<int32_t>(values.size());
  put_bounds(line, cells, values);
  Watch watch;
  OrderEncoding encoding(line, watch);
  require(encoding.is_feasible(), "a line with a filling is infeasible");
  require(first + encoding.num_vars() == std::ssize(values), "the number of variables is wrong");
  const std::vector<int32_t> clauses = encoding.clauses(first, watch);
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
  const std::string text = dimacs_text(clauses, watch);
  require(std::count(text.begin(), text.end(), '\n') == num_clauses(clauses), "lines of DIMACS");
  require(!opb_text(clauses, watch).empty() == !clauses.empty(), "OPB of clauses");
}

// The picture that a puzzle was drawn from satisfies all that is implied, as far as that came.
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
              {.look_every = 1, .poll_every = std::chrono::milliseconds(0)});
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

}  // namespace

int main(int argc, char** argv) {
  const int num_lines = argc > 1 ? std::atoi(argv[1]) : 3000;
  const int seed = argc > 2 ? std::atoi(argv[2]) : 1;
  for (number = 0; number < num_lines; ++number) {
    std::seed_seq sequence{seed, number};
    rng.seed(sequence);
    check_line();
    check_implications();
  }
  std::printf("checked the clauses of %d lines\n", num_lines);
}
