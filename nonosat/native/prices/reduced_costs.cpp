// Values of cells that prices rule out: with such a value the bound is too low for a solution.
//
// The bound given a cell's value is that of the table minus the decreases of the maximum payments
// of the cell's row and column if they are filled with that value. It corresponds to fixing by
// reduced costs in linear programming (G. Dantzig, R. Fulkerson, S. Johnson 1954).
#include <cmath>
#include <cstddef>

#include "prices/prices.hpp"

namespace nonosat {
namespace {

constexpr int64_t kScale = 32;  // finer ones rule out no more (PRICES.md)
constexpr double kMaxPrice = 0x1p20;

}  // namespace

std::vector<std::pair<int, int>> Prices::ruled_out(Watch& watch, int64_t goal) {
  return ruled_out_by(table_.prices, table_.scale, goal, watch);
}

std::vector<std::pair<int, int>> Prices::impossible(Watch& watch) {
  std::vector<int64_t> prices;
  for (const double price : minimiser_.point()) {
    if (!(std::abs(price) < kMaxPrice)) return {};
    prices.push_back(std::llround(price * kScale));
  }
  return ruled_out_by(prices, kScale, 0, watch);
}

std::vector<std::pair<int, int>> Prices::ruled_out_by(const std::vector<int64_t>& prices,
                                                      int64_t scale, int64_t goal, Watch& watch) {
  std::vector<int64_t> losses;
  const int64_t bound = priced_.bound(prices, scale, watch, &losses);
  std::vector<std::pair<int, int>> found;
  for (size_t open = 0; open < priced_.cells().size(); ++open) {
    const int cell = priced_.cells()[open];
    const auto consider = [&](int value, size_t at) {
      const bool is_known = !solution_.empty() && solution_[cell] == value;
      if (!is_known && bound - losses[at] < goal * scale) found.push_back({cell, value});
    };
    consider(priced_.lowest(open), priced_.price_at(open) + open);
    for (size_t price = priced_.price_at(open); price < priced_.price_at(open + 1); ++price) {
      consider(priced_.value_of(price), price + open + 1);
    }
  }
  return found;
}

}  // namespace nonosat
