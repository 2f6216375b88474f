#include "board/outlook.hpp"

#include <algorithm>
#include <bit>

#include "board/trial.hpp"

namespace nonosat {
namespace {

class Looking {
 public:
  Looking(Board& board, Watch& watch) : board_(board), watch_(watch) {}

  // Assumes each value of an open cell in turn.
  void look_at(int cell) {
    is_first_ = true;
    for (int value = 0; value < board_.num_values(); ++value) {
      if (board_.may(cell, value)) assume({cell, value});
    }
    if (is_asking()) keep_agreed(cell);
  }

  Outlook found;

 private:
  // Whether a cell whose values agree is still wanted: the first one serves, and none once anything
  // is refuted.
  bool is_asking() const { return found.refuted.empty() && found.either < 0; }

  void assume(Assumption assumed) {
    const int64_t num_pairs = board_.num_pairs();
    const Trial trial(board_);
    board_.assign(assumed.cell, assumed.value);
    if (!board_.propagate(watch_)) {
      found.refuted.push_back(assumed);
      return;
    }
    found.open.push_back(assumed);
    found.ruled_out.push_back(num_pairs - board_.num_pairs());
    if (is_asking()) meet(trial.mark());
  }

  // Intersects what the assumption under way settles with what the cell's earlier values settled.
  void meet(size_t mark) {
    if (is_first_) {
      common_ = settled_since(mark);
    } else {
      std::erase_if(common_, [&](const Assumption& settled) {
        return board_.num_left(settled.cell) > 1 || !board_.may(settled.cell, settled.value);
      });
    }
    is_first_ = false;
  }

  // The cells that have come down to one value since `mark`, ascending, with these values.
  std::vector<Assumption> settled_since(size_t mark) const {
    std::vector<Assumption> settled;
    for (const auto& [index, before] : board_.changes_since(mark)) {
      if (index >= board_.num_row_words()) continue;
      for (Word left = before & ~board_.word(index); left; left &= left - 1) {
        const int cell = board_.cell_at(index, std::countr_zero(left));
        if (board_.num_left(cell) == 1) settled.push_back({cell, value_of(cell)});
      }
    }
    std::sort(settled.begin(), settled.end());
    settled.erase(std::unique(settled.begin(), settled.end()), settled.end());
    return settled;
  }

  int value_of(int cell) const {
    int value = 0;
    while (!board_.may(cell, value)) ++value;
    return value;
  }

  // The cell itself never is among what all its values agree on.
  void keep_agreed(int cell) {
    if (common_.empty()) return;
    found.either = cell;
    found.agreed = common_;
  }

  Board& board_;
  Watch& watch_;
  std::vector<Assumption> common_;  // what each of the cell's values tried so far settles
  bool is_first_ = true;
};

}  // namespace

Outlook look_ahead(Board& board, int most, Watch& watch) {
  Looking looking(board, watch);
  for (const int cell : board.open_cells()) {
    if (static_cast<int>(looking.found.refuted.size()) >= most) break;
    looking.look_at(cell);
  }
  if (!looking.found.refuted.empty()) looking.found.either = -1;
  return std::move(looking.found);
}

}  // namespace nonosat
