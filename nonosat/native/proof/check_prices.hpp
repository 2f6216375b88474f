// A second checker of price tables, written apart from the rest of the core: what tables are, and
// what follows from them, says nonosat/certify/price_check.py, which is the first.
//
// One routine does everything: what a line is paid for its dearest filling with each value of each
// cell. A value that has no filling at all is taken from the cell, until nothing changes; the
// dearest of all bounds the line.
//
// Invariant: numbers stay below 2^62. Prices and costs of a table add up to less than 2^59, so a
// filling is paid less than that, and "no filling" stands for anything below -2^61.
// Cost: for a line of n cells, k blocks and slack s, O(n + k s log n) time and O(n + k s) memory.
#pragma once

#include <cstdint>
#include <vector>

#include "watch.hpp"

namespace nonosat {

struct PricedBlock {
  int64_t length;  // 0: unknown
  int colour;      // 1 ..
};

struct PricedGiven {
  int64_t row, column;
  int value;
};

// Clues, and the claim about them: that a solution is the only one, or that there is none.
struct PricedClaim {
  int num_colours;
  std::vector<std::vector<PricedBlock>> rows, columns;
  std::vector<PricedGiven> given;
  std::vector<uint8_t> solution;  // a value a cell, which the caller has checked; or nothing
};

// Prices by colour, row and column, `scale` of them a cell. Cells behind a row's end are free.
struct PricedTable {
  int64_t scale;
  std::vector<std::vector<std::vector<int64_t>>> prices;
};

struct PricedOutcome {
  bool is_proven;
  size_t num_used;  // tables that were looked at
  int64_t bound;    // of the last of them, times its scale
};

// Whether tables prove the claim. Throws Refused where claim and tables do not fit each other, or
// the numbers are too large, and Stopped.
PricedOutcome check_prices(const PricedClaim& claim, const std::vector<PricedTable>& tables,
                           Watch& watch);

}  // namespace nonosat
