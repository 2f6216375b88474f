#include "board/outlook.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "board/probe.hpp"

namespace nonosat {
namespace {

// Returns the cells that keep one common value under every value of the probed cell, ascending,
// with this value. The probed cell is never among them.
std::vector<Assumption> agreed_of(const Board& board, const Probe& probe) {
  std::vector<Assumption> removed;
  for (const auto& [index, word] : probe.common()) {
    for (Word left = word; left; left &= left - 1) {
      removed.push_back({board.cell_at(index, std::countr_zero(left)), board.value_at(index)});
    }
  }
  std::sort(removed.begin(), removed.end());
  std::vector<Assumption> agreed;
  for (size_t i = 0; i < removed.size(); ++i) {
    const int cell = removed[i].cell;
    if (i > 0 && removed[i - 1].cell == cell) continue;
    int num_left = 0, last = 0;
    for (int value = 0; value < board.num_values(); ++value) {
      if (!board.may(cell, value)) continue;
      if (std::binary_search(removed.begin(), removed.end(), Assumption{cell, value})) continue;
      ++num_left;
      last = value;
    }
    if (num_left == 1) agreed.push_back({cell, last});
  }
  return agreed;
}

}  // namespace

Outlook look_ahead(Board& board, int most, Watch& watch) {
  Outlook found;
  Probe probe(board);
  for (const int cell : board.open_cells()) {
    if (std::ssize(found.refuted) >= most) break;
    probe.run(board, cell, watch);
    for (const int value : probe.refuted()) found.refuted.push_back({cell, value});
    for (const auto& [value, num_ruled_out] : probe.consistent()) {
      found.open.push_back({cell, value});
      found.ruled_out.push_back(num_ruled_out);
    }
    if (!found.refuted.empty() || found.either >= 0) continue;
    found.agreed = agreed_of(board, probe);
    if (!found.agreed.empty()) found.either = cell;
  }
  if (!found.refuted.empty()) found.either = -1;
  return found;
}

}  // namespace nonosat
