// Seeded fuzzing of the checker of price tables, to be built with -fsanitize=address,undefined.
//
// Inputs: small random puzzles (colours, blocks of unknown length, given cells) and tables, some of
// them close to one that proves a claim. Accepted claims must be true by enumeration of all
// pictures, and every number must equal that of a slow reference. Claims and tables just within
// each limit are accepted; those just outside are refused for that reason.
//
// Usage: fuzz_check_prices [rounds] [seed]. Prints what was checked; exit status 1 at an error.
#include <cstdlib>
#include <string>
#include <vector>

#include "drawing.hpp"
#include "fuzzing.hpp"
#include "proof/check_prices.hpp"
#include "proof/check_text.hpp"
#include "reference_prices.hpp"

using namespace nonosat;
using drawing::below, drawing::chance;
using fuzzing::require;

namespace {

using Cells = std::vector<uint8_t>;
using Clue = std::vector<PricedBlock>;

int height, width, num_values;

Clue clue_of(const Cells& line) {
  Clue clue;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == 0) continue;
    if (i > 0 && line[i] == line[i - 1]) {
      ++clue.back().length;
    } else {
      clue.push_back({1, line[i]});
    }
  }
  return clue;
}

Cells line_of(const Cells& cells, int line) {
  Cells found;
  for (int i = 0; i < (line < height ? width : height); ++i) {
    found.push_back(line < height ? cells[line * width + i] : cells[i * width + line - height]);
  }
  return found;
}

bool is_read(const Clue& clue, const Cells& line) {
  const Clue found = clue_of(line);
  if (found.size() != clue.size()) return false;
  for (size_t b = 0; b < clue.size(); ++b) {
    const bool fits = clue[b].length == 0 || clue[b].length == found[b].length;
    if (!fits || clue[b].colour != found[b].colour) return false;
  }
  return true;
}

Cells draw_cells() {
  Cells cells(height * width);
  for (uint8_t& cell : cells) cell = static_cast<uint8_t>(below(num_values));
  return cells;
}

PricedClaim draw_claim() {
  const Cells cells = draw_cells(), others = chance(30) ? draw_cells() : cells;
  PricedClaim claim{num_values - 1, {}, {}, {}, {}};
  for (int line = 0; line < height; ++line) claim.rows.push_back(clue_of(line_of(cells, line)));
  for (int line = height; line < height + width; ++line) {
    claim.columns.push_back(clue_of(line_of(others, line)));
  }
  for (auto* clues : {&claim.rows, &claim.columns}) {
    if (!chance(40)) continue;
    for (Clue& clue : *clues) {
      for (PricedBlock& block : clue) {
        if (chance(50)) block.length = 0;
      }
    }
  }
  for (int left = chance(30) ? 1 + below(2) : 0; left > 0; --left) {
    const int cell = below(height * width);
    claim.given.push_back({cell / width, cell % width, chance(90) ? cells[cell] : 0});
  }
  return claim;
}

bool solves(const PricedClaim& claim, const Cells& cells) {
  for (const auto& [row, column, value] : claim.given) {
    if (cells[row * width + column] != value) return false;
  }
  for (int line = 0; line < height + width; ++line) {
    const Clue& clue = line < height ? claim.rows[line] : claim.columns[line - height];
    if (!is_read(clue, line_of(cells, line))) return false;
  }
  return true;
}

// Draws one of three small puzzles that lines leave open and prices decide; random ones are rare.
// Two have the returned solution only, one of them with blocks of unknown length; the third has
// none.
PricedClaim draw_known() {
  const bool is_solvable = chance(50);
  height = is_solvable ? 5 : 4, width = is_solvable ? 4 : 5, num_values = 2;
  const auto clues = [](const std::vector<std::vector<int64_t>>& lengths) {
    std::vector<Clue> found;
    for (const auto& line : lengths) {
      Clue& clue = found.emplace_back();
      for (const int64_t length : line) clue.push_back({length, 1});
    }
    return found;
  };
  PricedClaim claim{1, clues({{2}, {1}, {1}, {2}, {2}}), clues({{3}, {1}, {2}, {2}}), {}, {}};
  if (is_solvable) {
    for (const char cell : std::string("##..#...#.....##..##"))
      claim.solution.push_back(cell == '#');
  } else {
    claim.rows = clues({{2}, {2}, {1}, {1, 1}});
    claim.columns = clues({{1}, {2}, {}, {2}, {1, 1}});
  }
  if (is_solvable && chance(50)) {
    width = 3;
    claim = {1, clues({{}, {2}, {0}, {0}, {1}}), clues({{1}, {2}, {2}}), {}, {}};
    for (const char cell : std::string("...##..#...#..#")) claim.solution.push_back(cell == '#');
  }
  return claim;
}

std::vector<Cells> solutions(const PricedClaim& claim) {
  std::vector<Cells> found;
  Cells cells(height * width, 0);
  for (;;) {
    if (solves(claim, cells)) found.push_back(cells);
    size_t at = 0;
    while (at < cells.size() && ++cells[at] == num_values) cells[at++] = 0;
    if (at == cells.size()) return found;
  }
}

PricedTable draw_table(int64_t most) {
  PricedTable table{1 + below(3), {}};
  for (int colour = 1; colour < num_values; ++colour) {
    auto& rows = table.prices.emplace_back(height);
    for (auto& row : rows) {
      row.resize(below(width + 1));
      for (int64_t& price : row)
        price = static_cast<int64_t>(drawing::rng() % (2 * most + 1)) - most;
    }
  }
  return table;
}

PricedOutcome weighed(const PricedClaim& claim, const std::vector<PricedTable>& tables) {
  Watch watch;
  return check_prices(claim, tables, watch);
}

// Draws a table that decides a puzzle of draw_known(), or did so before some of its prices were
// changed.
PricedTable draw_known_table(const PricedClaim& claim) {
  using Rows = std::vector<std::vector<int64_t>>;
  const Rows unique{{3, -22, -19, -3}, {19, 0, 16, 15}, {}, {18, -17, -1, 6}, {9, -17, -6, 2}};
  const Rows none{{-3, -1, 0, 1, -4}, {-3, 2, 0, 3, -4}, {0, 3, 0, 3, 2}, {-2, -2, 0, 1, 1}};
  const Rows unknown{{}, {-32, 0, -36}, {-15, 0, -4}, {-26, 0, -20}, {-27, 0, -24}};
  PricedTable table{1, {claim.solution.empty() ? none : width == 3 ? unknown : unique}};
  const int divisor = chance(50) ? 1 : 1 + below(20);
  for (auto& row : table.prices[0]) {
    for (int64_t& price : row) price /= divisor;
  }
  for (int left = below(4); left > 0; --left) {
    auto& row = table.prices[0][below(height)];
    row.resize(width, 0);
    row[below(width)] += below(5) - 2;
  }
  return table;
}

// Checks that invalid claims and tables are refused.
void check_refused(const PricedClaim& claim) {
  PricedTable table = draw_table(3);
  auto& row = table.prices[0][0];
  switch (below(6)) {
    case 0:
      table.scale = -below(2);
      break;
    case 1:
      table.scale = INT64_MAX - below(3);
      break;
    case 2:
      row.assign(width + 1, 0);
      break;
    case 3:
      row.assign(1, chance(50) ? INT64_MIN + below(2) : INT64_MAX);
      break;
    case 4:
      table.prices.emplace_back(height);
      break;
    default:
      table.prices[0].pop_back();
      break;
  }
  try {
    require(weighed(claim, {table}).num_used == 0, "a table that fits no board was weighed");
  } catch (const Refused&) {
  }
}

// Checks that a check can be stopped at any point.
void stop(const PricedClaim& claim, const std::vector<PricedTable>& tables) {
  int patience = below(200);
  Watch watch({}, [&] { return patience-- <= 0; },
              {.check_every = 1, .poll_every = std::chrono::milliseconds(0)});
  try {
    check_prices(claim, tables, watch);
  } catch (const Stopped&) {
  }
}

// Returns true if tables prove the claim, and checks that it is true then.
bool is_proven(const PricedClaim& claim, size_t num_solutions,
               const std::vector<PricedTable>& tables) {
  const PricedOutcome found = weighed(claim, tables);
  require(found.num_used <= tables.size(), "more tables than there are");
  if (found.is_proven) {
    require(num_solutions == !claim.solution.empty(), "something wrong was proven");
  }
  stop(claim, tables);
  const auto expected = reference::PricedBoard(claim).run(tables);
  require(found.is_proven == expected.is_proven && found.num_used == expected.num_used &&
              found.bound == expected.bound,
          "the reference finds something else");
  return found.is_proven && found.num_used > 0;
}

// ---- Limits ----

constexpr int64_t kMaxPaid = int64_t{1} << 59;
const char* const kBoard = "the board has no cells, or too many for the checker of prices";
const char* const kBlocks = "a line has too many blocks for the checker of prices";
const char* const kBlock = "a block with an invalid colour or length";
const char* const kGiven = "a given cell outside the board";
const char* const kSolution = "the solution does not fit the board";
const char* const kColours = "a table with an invalid scale or number of colours";
const char* const kCosts = "costs of 2^59 or more";
const char* const kRows = "a table with a wrong number of rows";
const char* const kColumns = "a table with too many columns";
const char* const kPrice = "a price of 2^59 or more";
const char* const kPrices = "prices of 2^59 or more";

// Returns the message with which a claim is refused, "" if it is accepted.
std::string refusal(const PricedClaim& claim, const std::vector<PricedTable>& tables = {}) {
  try {
    weighed(claim, tables);
  } catch (const Refused& problem) {
    return problem.what();
  }
  return "";
}

void expect(const std::string& expected, const std::string& found, const char* what) {
  if (expected != found) {
    std::fprintf(stderr, "expected '%s', found '%s'\n", expected.c_str(), found.c_str());
  }
  require(expected == found, what);
}

// Clues without blocks, except for `blocks` blocks in one line.
PricedClaim empty_claim(int64_t rows, int64_t columns, int num_colours = 1, int64_t blocks = 0) {
  PricedClaim claim{num_colours, std::vector<Clue>(rows), std::vector<Clue>(columns), {}, {}};
  if (blocks) (rows < columns ? claim.rows : claim.columns)[0].assign(blocks, {1, 1});
  return claim;
}

// A large board counts as accepted if the next check refuses it, because solving it would take
// long.
void check_sizes() {
  const auto refusal_of_board = [](PricedClaim claim) {
    claim.given.push_back({-1, 0, 0});
    return refusal(claim);
  };
  expect(kBoard, refusal_of_board(empty_claim(0, 1)), "a board without rows");
  expect(kBoard, refusal_of_board(empty_claim(1, 0)), "a board without columns");
  expect(kGiven, refusal_of_board(empty_claim(1, 1)), "the smallest board");
  expect(kGiven, refusal_of_board(empty_claim(4096, 4096)), "the largest board");
  expect(kBoard, refusal_of_board(empty_claim(4096, 4097)), "a larger board");
  expect(kBoard, refusal_of_board(empty_claim(4096, 4096, 2)), "a board of more values");
  expect(kBoard, refusal_of_board(empty_claim(1, 1, 0)), "a board without colours");
  expect(kGiven, refusal_of_board(empty_claim(1, 1, 255)), "the most colours");
  expect(kBoard, refusal_of_board(empty_claim(1, 1, 256)), "more colours");
  expect(kGiven, refusal_of_board(empty_claim(1, 4096, 1, 2047)), "a row of the most blocks");
  expect(kBlocks, refusal_of_board(empty_claim(1, 4096, 1, 2048)), "a row of more blocks");
  expect(kGiven, refusal_of_board(empty_claim(4096, 1, 1, 2047)), "a column of the most blocks");
  expect(kBlocks, refusal_of_board(empty_claim(4096, 1, 1, 2048)), "a column of more blocks");
}

void check_claims() {
  for (const bool is_row : {true, false}) {
    for (const PricedBlock block : {PricedBlock{0, 1},
                                    {1, 1},
                                    {1, 2},
                                    {INT32_MAX, 1},
                                    {-1, 1},
                                    {int64_t{INT32_MAX} + 1, 1},
                                    {1, 0},
                                    {1, 3},
                                    {1, -1}}) {
      PricedClaim claim = empty_claim(2, 2, 2);
      (is_row ? claim.rows : claim.columns)[1] = {block};
      const bool fits =
          block.length >= 0 && block.length <= INT32_MAX && block.colour >= 1 && block.colour <= 2;
      expect(fits ? "" : kBlock, refusal(claim), "a block");
    }
  }
  for (int64_t row = -1; row <= 2; ++row) {
    for (int64_t column = -1; column <= 3; ++column) {
      for (int value = -1; value <= 3; ++value) {
        PricedClaim claim = empty_claim(2, 3, 2);
        claim.given.push_back({row, column, value});
        const bool fits =
            row >= 0 && row < 2 && column >= 0 && column < 3 && value >= 0 && value < 3;
        expect(fits ? "" : kGiven, refusal(claim), "a given cell");
      }
    }
  }
  for (size_t count = 1; count <= 8; ++count) {
    PricedClaim claim = empty_claim(2, 3, 2);
    claim.solution.assign(count, 0);
    expect(count == 6 ? "" : kSolution, refusal(claim), "the size of a solution");
    claim.solution.back() = 2;
    expect(count == 6 ? "" : kSolution, refusal(claim), "a solution of the largest value");
    claim.solution.back() = 3;
    expect(kSolution, refusal(claim), "a solution with an invalid value");
  }
}

// Returns the message with which a table of one cell and two colours is refused.
std::string refusal_of_table(const PricedTable& table) {
  PricedClaim claim = empty_claim(1, 1, 2);
  claim.rows = claim.columns = {{{1, 1}}};
  return refusal(claim, {table});
}

void check_tables() {
  const std::vector<std::vector<int64_t>> none{{}};
  for (const int64_t scale : {INT64_MIN, int64_t{-1}, int64_t{0}, kMaxPaid + 1, INT64_MAX}) {
    expect(kColours, refusal_of_table({scale, {none, none}}), "an invalid scale");
  }
  expect("", refusal_of_table({1, {none, none}}), "the least scale");
  expect("", refusal_of_table({kMaxPaid - 1, {none, none}}), "the largest scale");
  expect(kCosts, refusal_of_table({kMaxPaid, {none, none}}), "a larger scale");
  expect(kColours, refusal_of_table({1, {none}}), "a table of fewer colours");
  expect(kColours, refusal_of_table({1, {none, none, none}}), "a table of more colours");
  expect(kRows, refusal_of_table({1, {none, {}}}), "a table of fewer rows");
  expect(kRows, refusal_of_table({1, {none, {{}, {}}}}), "a table of more rows");
  expect("", refusal_of_table({1, {none, {{1}}}}), "a table of all columns");
  expect(kColumns, refusal_of_table({1, {none, {{1, 0}}}}), "a table of more columns");
  for (const int sign : {1, -1}) {
    expect("", refusal_of_table({1, {none, {{sign * (kMaxPaid - 2)}}}}), "the largest price");
    expect(kPrices, refusal_of_table({1, {none, {{sign * (kMaxPaid - 1)}}}}), "a larger price");
    expect(kPrices, refusal_of_table({2, {none, {{sign * (kMaxPaid - 2)}}}}), "price and cost");
    expect(kPrice, refusal_of_table({1, {none, {{sign * kMaxPaid}}}}), "an invalid price");
    const int64_t half = sign * (kMaxPaid / 2 - 1);
    expect("", refusal_of_table({1, {{{half}}, {{half}}}}), "the largest prices");
    expect(kPrices, refusal_of_table({1, {{{half}}, {{-half - sign}}}}), "larger prices");
  }
  expect(kPrice, refusal_of_table({1, {none, {{INT64_MIN}}}}), "the least number");
  expect(kPrice, refusal_of_table({1, {none, {{INT64_MAX}}}}), "the largest number");
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 3000;
  const int seed = argc > 2 ? std::atoi(argv[2]) : 1;
  check_sizes();
  check_claims();
  check_tables();
  int num_proven = 0;
  for (int number = 0; number < rounds; ++number) {
    fuzzing::start("prices", number, seed);
    num_values = chance(70) ? 2 : 3;
    height = 1 + below(4), width = 1 + below(num_values == 2 ? 3 : 2);
    const bool is_known = chance(10);
    PricedClaim claim = is_known ? draw_known() : draw_claim();
    const auto found =
        is_known ? std::vector<Cells>(!claim.solution.empty(), claim.solution) : solutions(claim);
    if (!is_known && !found.empty() && chance(90)) {
      claim.solution = found[below(static_cast<int>(found.size()))];
    }
    std::vector<PricedTable> tables;
    for (int left = below(3); left > 0; --left) {
      tables.push_back(draw_table(chance(80) ? 3 : int64_t{1} << 53));
    }
    if (is_known) tables.push_back(draw_known_table(claim));
    num_proven += is_proven(claim, found.size(), tables);
    check_refused(claim);
  }
  require(rounds < 1000 || num_proven > rounds / 100, "hardly anything was proven");
  std::printf("checked %d certificates of prices, %d of them proved something\n", rounds,
              num_proven);
}
