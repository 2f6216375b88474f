#include "board/deduction.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <utility>

#include "board/trial.hpp"

namespace nonosat {

Deduction::Deduction(Board& board) : board_(board), prober_(board), noted_(board.mark()) {}

bool Deduction::propagate(Watch& watch) {
  const bool is_consistent = board_.propagate(watch);
  note_new();
  return is_consistent;
}

Progress Deduction::probe(Watch& watch, int64_t budget_end) {
  prober_.on_lesson([this, &watch](int cell) { replay(cell, watch); });
  const Progress progress = prober_.run(watch, budget_end);
  note_new();
  return progress;
}

std::vector<Deduction::Step> Deduction::take_steps() {
  note_new();
  return std::exchange(steps_, {});
}

// Goes through the values of a cell once more, because the prober is about to learn from them, and
// notes what follows under each. The board is the same afterwards. Its zones are traced into a
// buffer that nobody reads, so that no version moves and no probe is repeated for this.
void Deduction::replay(int cell, Watch& watch) {
  note_new();
  std::vector<Word> zones((board_.num_zones() + kWordBits - 1) / kWordBits);
  for (int value = 0; value < board_.num_values(); ++value) {
    if (!board_.may(cell, value)) continue;
    const Tracing tracing(board_, zones.data());
    try_value(board_, cell, value, watch, [&](bool is_consistent, size_t mark) {
      note(mark, cell, value);
      if (!is_consistent) steps_.push_back({cell, value, -1, 0});
    });
  }
}

// Appends the removals since a mark as steps, oldest first. The words of the rows hold all of them.
// Going back through the trail, a word's value after one change is its value before the next, which
// `afters` keeps. O(changes).
void Deduction::note(size_t mark, int if_cell, int if_value) {
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

void Deduction::note_new() {
  note(std::exchange(noted_, noted_ + board_.changes_since(noted_).size()), -1, 0);
}

}  // namespace nonosat
