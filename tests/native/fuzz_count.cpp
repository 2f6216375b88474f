// Seeded fuzzing of native counting, to be built with -fsanitize=address,undefined.
//
// Diagrams are compared with the enumerated fillings of their lines, counts with the solutions that
// depth-first search enumerates. Counting is stopped at random points and resumed, in one thread or
// several, with plenty of memory or hardly any; that must not change the result. With
// -fsanitize=thread it checks the sharing of a count, too.
//
// Usage: fuzz_count [lines] [boards] [seed]. Prints what was checked; exit status 1 at an error.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "board/board.hpp"
#include "count/aging.hpp"
#include "count/counter.hpp"
#include "count/diagram.hpp"
#include "count/natural.hpp"
#include "drawing.hpp"
#include "reference.hpp"
#include "search/search.hpp"

using namespace nonosat;
using namespace drawing;

namespace {

std::string place;  // description of the current case

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz_count: %s, at %s\n", what, place.c_str());
  std::exit(1);
}

void start(const char* kind, int number, int seed) {
  place = std::string(kind) + " " + std::to_string(number) + " of seed " + std::to_string(seed);
  std::seed_seq sequence{seed, number, int{kind[0]}};
  drawing::rng.seed(sequence);
}

// A watch that stops at its `count`-th check and checks at every piece of work.
Watch stopping(int count) {
  return Watch({}, [count]() mutable { return count-- <= 0; },
               {.check_every = 1, .poll_every = std::chrono::milliseconds(0)});
}

// ---- Memory ----

// Checks that a cache whose entries are looked up repeatedly stays within its memory.
void check_aging() {
  constexpr size_t kWords = 1000, kEntries = 8;
  const Natural large(std::vector<uint64_t>(kWords, 1));
  Aging<int32_t, Natural> aging(kEntries * kWords * sizeof(uint64_t));
  size_t num_found = 0;
  for (int32_t added = 0; added < 50; ++added) {
    aging.put({added}, large);
    num_found = 0;
    for (int32_t key = 0; key <= added; ++key) {
      const Natural* found = aging.find({key});
      require(!found || *found == large, "a value that is remembered");
      num_found += found != nullptr;
    }
    require(aging.find({added}) != nullptr, "the last entry is remembered");
  }
  require(num_found > 1 && num_found <= kEntries + 2, "the number of entries remembered");
}

// ---- Natural numbers ----

// Reference arithmetic in base 2^16.
using Digits = std::vector<uint32_t>;

Digits digits_of(const Natural& number) {
  Digits digits;
  for (const uint64_t word : number.words()) {
    for (int shift = 0; shift < 64; shift += 16) digits.push_back(word >> shift & 0xffff);
  }
  while (!digits.empty() && !digits.back()) digits.pop_back();
  return digits;
}

Digits carried(std::vector<uint64_t> sums) {
  Digits digits;
  uint64_t carry = 0;
  for (size_t i = 0; i < sums.size() || carry; ++i) {
    carry += i < sums.size() ? sums[i] : 0;
    digits.push_back(carry & 0xffff);
    carry >>= 16;
  }
  while (!digits.empty() && !digits.back()) digits.pop_back();
  return digits;
}

Natural draw_number() {
  std::vector<uint64_t> words(below(6));
  for (uint64_t& word : words) word = chance(30) ? ~uint64_t{0} : chance(20) ? 0 : rng();
  return Natural(words);
}

void check_numbers() {
  const Natural one = draw_number(), other = draw_number();
  const Digits a = digits_of(one), b = digits_of(other);
  std::vector<uint64_t> sum(std::max(a.size(), b.size())), product(a.size() + b.size());
  for (size_t i = 0; i < sum.size(); ++i) {
    sum[i] = (i < a.size() ? a[i] : 0) + (i < b.size() ? b[i] : 0);
  }
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < b.size(); ++j) product[i + j] += uint64_t{a[i]} * b[j];
  }
  Natural total = one;
  total += other;
  require(digits_of(total) == carried(sum), "a sum");
  require(digits_of(one * other) == carried(product), "a product");
  require(!(total < one) && !(total < other), "an order");
  require((one < other) != (other < one) || one == other, "a strict order");
  require(one.is_zero() == a.empty() && Natural(one.words()) == one, "words of a number");
}

// ---- Diagrams ----

// The words of a segment, as values of its cells.
std::set<Cells> words_of(const Segment& segment) {
  std::set<Cells> words;
  const std::function<void(int, int, Cells)> walk = [&](int layer, int state, Cells word) {
    if (layer == segment.num_cells()) {
      require(state == 0 && words.insert(word).second, "a word twice");
      return;
    }
    require(state < segment.width(layer), "a node that there is not");
    word.push_back(0);
    for (const Arc& arc : segment.node(layer, state)) {
      if (arc.value < 0) continue;
      word.back() = arc.value;
      walk(layer + 1, arc.target, word);
    }
  };
  walk(0, 0, {});
  return words;
}

bool satisfies(const Cells& cells, const Clue& clue) {
  const Clue runs = clue_of(cells);
  return std::equal(
      runs.begin(), runs.end(), clue.begin(), clue.end(), [](const Block& run, const Block& block) {
        return run.colour == block.colour && (!block.length || run.length == block.length);
      });
}

void check_diagram() {
  const int length = 1 + below(10), num_colours = 1 + below(3);
  const Cells truth = draw_cells(length, num_colours, length);
  Clue clue = clue_of(truth);
  if (chance(40)) hide_lengths(clue, 1 + below(99));
  Planes may(num_colours + 1, std::vector<char>(length, 1));
  remove_values(may, truth, below(40));
  const reference::Support support = reference::support(clue, may);
  if (!support.any) return;
  may = support.kept;
  std::vector<Word> planes(may.size(), 0);
  for (size_t value = 0; value < may.size(); ++value) {
    for (int i = 0; i < length; ++i) planes[value] |= Word(may[value][i]) << i;
  }
  Watch watch;
  const Plan plan(length, num_colours, clue);
  std::set<Cells> expected;
  Puzzle line{1, length, num_colours, {}, {clue}};
  const std::function<void(Cells)> fill = [&](Cells cells) {
    if (static_cast<int>(cells.size()) == length) {
      if (satisfies(cells, clue)) expected.insert(cells);
      return;
    }
    const size_t at = cells.size();
    for (size_t value = 0; value < may.size(); ++value) {
      if (!may[value][at]) continue;
      cells.resize(at);
      cells.push_back(static_cast<int>(value));
      fill(cells);
    }
  };
  fill({});
  size_t product = 1;
  int last = -1;
  for (const Segment& segment : segments_of(plan, planes.data(), watch)) {
    std::set<Cells> projected;
    for (const Cells& cells : expected) {
      Cells mine;
      for (const int at : segment.places) mine.push_back(cells[at]);
      projected.insert(mine);
    }
    require(words_of(segment) == projected, "a segment's words");
    require(segment.places.front() > last, "segments in order");
    last = segment.places.back();
    product *= projected.size();
    require(std::abs(std::exp2(segment.log_fillings) - double(projected.size())) <
                1e-6 * double(projected.size()),
            "how many words");
    for (int layer = 1; layer < segment.num_cells(); ++layer) {
      require(segment.width(layer) > 1, "a segment that could be cut");
    }
  }
  require(product == expected.size(), "independent segments");
}

// ---- Counts ----

// Enumerates solutions by propagation and branching only, until there are more than `most`.
void enumerate(const Board& board, size_t most, std::set<std::vector<uint8_t>>& found) {
  Board left = board;
  Watch watch;
  if (found.size() > most || !left.propagate(watch)) return;
  const std::vector<int> open = left.open_cells();
  if (open.empty()) {
    found.insert(left.cells());
    return;
  }
  for (int value = 0; value < left.num_values(); ++value) {
    if (!left.may(open[0], value)) continue;
    Board branch = left;
    branch.assign(open[0], value);
    enumerate(branch, most, found);
  }
}

// Returns the number of solutions, which the search confirms; -1 if there are very many.
int64_t enumerated(const Board& board) {
  constexpr size_t kMost = 1000;
  std::set<std::vector<uint8_t>> expected, found;
  enumerate(board, kMost, expected);
  if (expected.size() > kMost) return -1;
  Board searched = board;
  Watch watch;
  if (searched.propagate(watch)) {
    Search search(searched, below(3));
    for (;;) {
      const auto outcome = search.next(watch, 1 + below(1'000'000));
      if (outcome == SearchOutcome::kExhausted) break;
      if (outcome == SearchOutcome::kBudget) continue;
      require(found.insert(searched.cells()).second, "a solution twice");
    }
  }
  require(found == expected, "what the search enumerates");
  return static_cast<int64_t>(expected.size());
}

Natural counted(Board board, size_t max_bytes) {
  Counter counter(board, max_bytes);
  const int64_t work = chance(50) ? INT64_MAX / 4 : 1 + below(1 << 20);
  const int num_threads = chance(50) ? 1 : 2 + below(3);
  Natural least;
  for (int patience = below(100);; patience = patience * 2 + 1) {
    Watch watch = stopping(patience);
    try {
      if (counter.run(watch, work, num_threads, 1)) break;  // shares all work, however little
    } catch (const Stopped&) {
    }
    require(!counter.is_exact(), "a stopped count that is exact");
    require(!(counter.total() < least), "a bound that falls");
    least = counter.total();
  }
  require(!(counter.total() < least), "a bound above the number");
  return counter.total();
}

void check_board() {
  Puzzle puzzle = draw_puzzle(true);
  if (chance(40)) {
    for (Clue& clue : puzzle.clues) hide_lengths(clue, 60);
  }
  Board board = puzzle.board();
  for (int cell = 0; cell < board.num_cells(); ++cell) {
    if (chance(3)) board.assign(cell, puzzle.truth[cell]);
    if (chance(3)) board.remove(cell, below(board.num_values()));
  }
  const int64_t expected = enumerated(board);
  if (expected < 0) return;
  const Natural number(static_cast<uint64_t>(expected));
  require(counted(board, size_t{1} << 26) == number, "a count");
  require(counted(board, below(20'000)) == number, "a count with little memory");
}

// One colour; two column clues are exchanged, which often leaves no solution.
Puzzle draw_perhaps_unsolvable() {
  Puzzle puzzle{5 + below(5), 5 + below(5), 1, {}, {}};
  for (int cell = 0; cell < puzzle.height * puzzle.width; ++cell) {
    puzzle.truth.push_back(static_cast<uint8_t>(chance(50)));
  }
  for (int line = 0; line < puzzle.num_lines(); ++line) {
    puzzle.clues.push_back(clue_of(puzzle.line_of(puzzle.truth, line)));
  }
  if (chance(60)) {
    std::swap(puzzle.clues[puzzle.height + below(puzzle.width)],
              puzzle.clues[puzzle.height + below(puzzle.width)]);
  }
  return puzzle;
}

// One block of one cell in every line.
Puzzle rooks(int side) {
  return {side, side, 1, {}, std::vector<Clue>(2 * side, Clue{Block{1, 1}})};
}

// Unsolvable, but consistent under probing.
Puzzle hard_to_refute() {
  const int lengths[24][5] = {
      {3},          {3, 1, 1},    {3, 2, 1},    {1, 1},       {1, 1, 1, 1, 1}, {2, 1, 1},
      {1, 1, 1, 2}, {1, 1, 1, 3}, {2, 2},       {1, 1, 2},    {1, 3, 1, 1},    {1, 5},
      {1, 1, 1, 2}, {1, 1, 1, 2}, {3, 1, 1, 1}, {1, 2, 1},    {1, 3},          {2, 2},
      {2, 2, 2},    {1, 1, 2, 1}, {2, 1, 2},    {1, 1, 1, 1}, {1, 3, 1},       {1, 2}};
  Puzzle puzzle{12, 12, 1, {}, {}};
  for (const auto& line : lengths) {
    Clue clue;
    for (const int length : line) {
      if (length) clue.push_back({length, 1});
    }
    puzzle.clues.push_back(clue);
  }
  return puzzle;
}

// Independent boards side by side: a region without a filling refutes the whole board, whatever is
// decided in the others.
void check_regions() {
  std::vector<Puzzle> parts;
  if (chance(20)) {
    parts = {hard_to_refute(), rooks(9 + below(4))};
  } else {
    for (int left = 2 + below(2); left; --left) parts.push_back(draw_perhaps_unsolvable());
  }
  Puzzle whole{0, 0, 1, {}, {}};
  for (const Puzzle& part : parts) whole.height += part.height, whole.width += part.width;
  for (const Puzzle& part : parts) {
    whole.clues.insert(whole.clues.end(), part.clues.begin(), part.clues.begin() + part.height);
  }
  for (const Puzzle& part : parts) {
    whole.clues.insert(whole.clues.end(), part.clues.begin() + part.height, part.clues.end());
  }
  Board board = whole.board();
  int top = 0, left = 0;
  for (const Puzzle& part : parts) {
    for (int row = top; row < top + part.height; ++row) {
      for (int column = 0; column < whole.width; ++column) {
        if (column < left || column >= left + part.width) {
          board.assign(row * whole.width + column, 0);
        }
      }
    }
    top += part.height, left += part.width;
  }
  enumerated(board);
}

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int index, int otherwise) {
    return argc > index ? std::atoi(argv[index]) : otherwise;
  };
  const int num_lines = argument(1, 1000), num_boards = argument(2, 250), seed = argument(3, 1);
  place = "a cache";
  check_aging();
  for (int i = 0; i < num_lines; ++i) {
    start("number", i, seed);
    check_numbers();
    start("diagram", i, seed);
    check_diagram();
  }
  for (int i = 0; i < num_boards; ++i) {
    start("board", i, seed);
    check_board();
    start("regions", i, seed);
    check_regions();
  }
  std::printf("checked %d lines and %d boards\n", num_lines, num_boards);
}
