#include "board/deduction.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <utility>

#include "board/trial.hpp"

namespace nonosat {

Deduction::Deduction(Board& board) : board_(board), prober_(board), num_recorded_(board.mark()) {}

bool Deduction::propagate(Watch& watch) {
  const bool is_consistent = board_.propagate(watch);
  record_new();
  return is_consistent;
}

Progress Deduction::probe(Watch& watch, int64_t budget_end) {
  prober_.on_productive([this, &watch](int cell) { replay(cell, watch); });
  const Progress progress = prober_.run(watch, budget_end);
  record_new();
  return progress;
}

std::vector<Deduction::Step> Deduction::take_steps() {
  record_new();
  return std::exchange(steps_, {});
}

// Probes a cell again, because the prober is about to remove values by its last probe, and records
// the removals under each value. The board is unchanged afterwards. Its zones are traced into an
// unused buffer, so that no version changes and no probe is repeated because of this.
void Deduction::replay(int cell, Watch& watch) {
  record_new();
  std::vector<Word> zones((board_.num_zones() + kWordBits - 1) / kWordBits);
  for (int value = 0; value < board_.num_values(); ++value) {
    if (!board_.may(cell, value)) continue;
    const Tracing tracing(board_, zones.data());
    try_value(board_, cell, value, watch, [&](bool is_consistent, size_t mark) {
      record(mark, cell, value);
      if (!is_consistent) steps_.push_back({cell, value, -1, 0});
    });
  }
}

// Appends the removals since a mark as steps, oldest first. Only words of rows are read, which
// contain all of them. The trail is read backwards: a word's value after one change is its value
// before the next, which is kept in `afters`. O(changes).
void Deduction::record(size_t mark, int if_cell, int if_value) {
  const auto changes = board_.changes_since(mark);
  const size_t first = steps_.size();
  std::unordered_map<size_t, Word> afters;
  for (size_t i = changes.size(); i-- > 0;) {
    const auto [index, before] = changes[i];
    if (index >= board_.num_row_words()) continue;
    const Word after =
        std::exchange(afters.try_emplace(index, board_.word(index)).first->second, before);
    for (Word removed = before & ~after; removed; removed &= removed - 1) {
      const int cell = board_.cell_at(index, std::countr_zero(removed));
      if (cell != if_cell) steps_.push_back({cell, board_.value_at(index), if_cell, if_value});
    }
  }
  std::reverse(steps_.begin() + static_cast<std::ptrdiff_t>(first), steps_.end());
}

void Deduction::record_new() {
  record(std::exchange(num_recorded_, num_recorded_ + board_.changes_since(num_recorded_).size()),
         -1, 0);
}

}  // namespace nonosat
