// Seeded fuzzing of the checker of price tables, meant to be built with
// -fsanitize=address,undefined.
//
// Small random puzzles (colours, blocks of unknown length, given cells) and tables, some of them
// close to such that prove something. What is accepted must be so by enumeration of
// all pictures; hostile tables are refused.
//
// Usage: fuzz_check_prices [rounds] [seed]. Prints what it checked; ends with status 1 at a
// mistake.
#include <cstdlib>
#include <string>
#include <vector>

#include "drawing.hpp"
#include "fuzzing.hpp"
#include "proof/check_prices.hpp"
#include "proof/check_text.hpp"

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
    if (!chance(20)) continue;
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

// Small puzzles that lines leave open, and that prices settle, are rare. One has the only solution
// that is returned, the other none.
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

// A table that settles a puzzle of draw_known(), or did before a few prices changed.
PricedTable draw_known_table(const PricedClaim& claim) {
  using Rows = std::vector<std::vector<int64_t>>;
  const Rows unique{{3, -22, -19, -3}, {19, 0, 16, 15}, {}, {18, -17, -1, 6}, {9, -17, -6, 2}};
  const Rows none{{-3, -1, 0, 1, -4}, {-3, 2, 0, 3, -4}, {0, 3, 0, 3, 2}, {-2, -2, 0, 1, 1}};
  PricedTable table{1, {claim.solution.empty() ? none : unique}};
  for (int left = below(4); left > 0; --left) {
    auto& row = table.prices[0][below(height)];
    row.resize(width, 0);
    row[below(width)] += below(5) - 2;
  }
  return table;
}

// What nobody should send is refused, whatever else is true.
void send_nonsense(const PricedClaim& claim) {
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

// A check can be stopped anywhere.
void stop(const PricedClaim& claim, const std::vector<PricedTable>& tables) {
  int patience = below(200);
  Watch watch({}, [&] { return patience-- <= 0; },
              {.look_every = 1, .poll_every = std::chrono::milliseconds(0)});
  try {
    check_prices(claim, tables, watch);
  } catch (const Stopped&) {
  }
}

// Whether tables prove the claim; if they do, it is true.
bool is_proven(const PricedClaim& claim, size_t num_solutions,
               const std::vector<PricedTable>& tables) {
  const PricedOutcome found = weighed(claim, tables);
  require(found.num_used <= tables.size(), "more tables than there are");
  if (found.is_proven) {
    require(num_solutions == !claim.solution.empty(), "something wrong was proven");
  }
  stop(claim, tables);
  return found.is_proven && found.num_used > 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 3000;
  const int seed = argc > 2 ? std::atoi(argv[2]) : 1;
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
    send_nonsense(claim);
  }
  require(rounds < 1000 || num_proven > rounds / 100, "hardly anything was proven");
  std::printf("checked %d certificates of prices, %d of them proved something\n", rounds,
              num_proven);
}
