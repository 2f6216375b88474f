#include "board/outlook.hpp"

#include <algorithm>

namespace nonosat {
namespace {

// Takes an assumption back whichever way it ends.
class Trial {
 public:
  Trial(Board& board, Assumption assumed) : board_(board), mark_(board.mark()) {
    board_.assign(assumed.cell, assumed.value);
  }
  ~Trial() { board_.undo(mark_); }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

 private:
  Board& board_;
  size_t mark_;
};

class Looking {
 public:
  Looking(Board& board, Watch& watch) : board_(board), watch_(watch), before_(board.cells()) {}

  void look_at(int cell) {
    is_first_ = true;
    for (int value = 0; value < board_.num_values(); ++value) {
      if (board_.may(cell, value)) assume({cell, value});
    }
    if (is_asking()) keep_agreed(cell);
  }

  Outlook found;

 private:
  // Whether it matters still that all values of a cell agree.
  bool is_asking() const { return found.refuted.empty() && found.either < 0; }

  void assume(Assumption assumed) {
    const int64_t num_pairs = board_.num_pairs();
    const Trial trial(board_, assumed);
    if (!board_.propagate(watch_)) {
      found.refuted.push_back(assumed);
      return;
    }
    found.open.push_back(assumed);
    found.ruled_out.push_back(num_pairs - board_.num_pairs());
    if (is_asking()) meet(board_.cells());
  }

  void meet(const std::vector<uint8_t>& cells) {
    if (is_first_) {
      common_ = cells;
    } else {
      for (size_t i = 0; i < cells.size(); ++i) {
        common_[i] = common_[i] == cells[i] ? cells[i] : Board::kOpen;
      }
    }
    is_first_ = false;
  }

  void keep_agreed(int cell) {
    if (common_ == before_) return;
    found.either = cell;
    for (size_t i = 0; i < common_.size(); ++i) {
      if (common_[i] != before_[i]) found.agreed.push_back({static_cast<int>(i), common_[i]});
    }
  }

  Board& board_;
  Watch& watch_;
  const std::vector<uint8_t> before_;
  std::vector<uint8_t> common_;  // what the cells are after each of the values tried
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
