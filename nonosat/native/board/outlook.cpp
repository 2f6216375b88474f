#include "board/outlook.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace nonosat {
namespace {

// Returns the cells that keep one common value under every value of the probed cell, ascending,
// with this value. The probed cell is never among them.
std::vector<Assumption> agreed_of(const Board& board, const Probe<Board>& probe) {
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

LookAhead::LookAhead(const Board& board)
    : probe_(board), num_pairs_(board.num_pairs()), cells_(board.open_cells()) {}

void LookAhead::run(Board& board, int most, Watch& watch) {
  if (board.num_pairs() != num_pairs_) *this = LookAhead(board);
  for (; num_probed_ < cells_.size() && std::ssize(found_.refuted) < most; ++num_probed_) {
    const int cell = cells_[num_probed_];
    probe_.run(board, cell, watch);
    for (const int value : probe_.refuted()) found_.refuted.push_back({cell, value});
    for (const auto& [value, num_ruled_out] : probe_.consistent()) {
      found_.open.push_back({cell, value});
      found_.ruled_out.push_back(num_ruled_out);
    }
    if (!found_.refuted.empty() || found_.either >= 0) continue;
    found_.agreed = agreed_of(board, probe_);
    if (!found_.agreed.empty()) found_.either = cell;
  }
  if (!found_.refuted.empty()) found_.either = -1;
}

Outlook look_ahead(Board& board, int most, Watch& watch) {
  LookAhead search(board);
  search.run(board, most, watch);
  return search.found();
}

}  // namespace nonosat
