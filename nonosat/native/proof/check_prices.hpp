// A second checker of price tables, independent of the rest of the core.
// nonosat/certify/price_check.py, the first one, defines the tables and explains the proof.
//
// One routine suffices: the maximum payment of a line over its fillings with each value of each
// cell. Values without any filling are removed until nothing changes; the overall maximum bounds
// the line.
//
// Invariant: numbers stay below 2^62 in magnitude. Prices and costs of a table add up to less than
// 2^59, so the payment for a filling is below that, and numbers below -2^61 represent "no filling".
// Cost: for a line of n cells, k blocks and slack s, O(n + k s log n) time and O(n + k s) memory.
#pragma once

#include <cstdint>
#include <vector>

#include "watch.hpp"

namespace nonosat {

struct PricedBlock {
  int64_t length;  // 0: unknown
  int colour;      // from 1
};

struct PricedGiven {
  int64_t row, column;
  int value;
};

// Clues and the claim that `solution` is their only solution or, if it is empty, that there is
// none.
struct PricedClaim {
  int num_colours;
  std::vector<std::vector<PricedBlock>> rows, columns;
  std::vector<PricedGiven> given;
  std::vector<uint8_t> solution;  // one value per cell, checked by the caller; or empty
};

// Prices by colour, row and column, `scale` per unit of cost. Rows may be short: further prices are
// 0.
struct PricedTable {
  int64_t scale;
  std::vector<std::vector<std::vector<int64_t>>> prices;
};

struct PricedOutcome {
  bool is_proven;
  size_t num_used;  // number of tables that were checked
  int64_t bound;    // of the last of them, times its scale
};

// Checks if tables prove the claim. Throws Refused if claim and tables do not match or numbers are
// too large, and Stopped.
PricedOutcome check_prices(const PricedClaim& claim, const std::vector<PricedTable>& tables,
                           Watch& watch);

}  // namespace nonosat
