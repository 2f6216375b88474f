#include "board/probe.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "board/trial.hpp"

namespace nonosat {
namespace {

constexpr size_t kLookAfter = 4096;  // cells of a pass
constexpr int64_t kPassCost = 20;    // units of work a cell
constexpr double kFailureWeight = 2;

}  // namespace

Prober::Prober(Board& board)
    : board_(board),
      zone_words_((board.num_zones() + kWordBits - 1) / kWordBits),
      cells_(board.open_cells()),
      focus_(cells_.size()),
      branch_of_(board.num_row_words(), 0),
      removed_(new Word[board.num_row_words()]) {
  std::iota(focus_.begin(), focus_.end(), size_t{0});
  // Only reserved: a budget may end long before all cells of a large board are probed.
  memory_.reserve(cells_.size());
  zones_.reserve(cells_.size() * zone_words_);
}

Prober::Prober(const Prober& other, Board& board)
    : board_(board),
      zone_words_(other.zone_words_),
      cells_(other.cells_),
      focus_(other.focus_),
      memory_(other.memory_),
      zones_(other.zones_),
      branch_of_(board.num_row_words(), 0),
      removed_(new Word[board.num_row_words()]) {}

Progress Prober::run(Watch& watch, int64_t budget_end, bool briefly) {
  if (!board_.propagate(watch)) return Progress::kContradiction;
  best_cell_ = -1;
  bool learned = true;
  while (learned && !(briefly && can_branch())) {
    learned = false;
    best_cell_ = -1;
    best_score_ = -1;
    for (const size_t at : focus_) {
      if (at % kLookAfter == kLookAfter - 1) watch.work(kPassCost * kLookAfter);
      if (board_.num_left(cells_[at]) < 2) continue;
      if (!is_fresh(at)) {
        if (watch.done() >= budget_end) return Progress::kBudget;
        if (!probe(at, watch, learned)) return Progress::kContradiction;
        if (board_.num_left(cells_[at]) < 2) continue;
      }
      consider(at);
    }
  }
  return Progress::kFixpoint;
}

// Weights as of Boussemart, Hemery, Lecoutre, Sais, "Boosting systematic search by weighting
// constraints" (2004), but of cells. With 0, 0.2, 0.5 and 2, 333 random 30x30 took 2.6, 2.1, 1.9
// and 1.6 s (slowest 1.1, 0.5, 0.5, 0.3), 50 tournament puzzles of tcga2013 3.1, 2.0, 1.6 and 1.5
// s, but 100 of taai2011 7.6, 10.5, 7.3 and 8.5 s.
void Prober::consider(size_t at) {
  const double score = memory_[at].score * (1 + kFailureWeight * memory_[at].failures);
  if (score <= best_score_) return;
  best_score_ = score;
  best_cell_ = cells_[at];
  best_value_ = memory_[at].value;
}

// Later lessons of a pass may have settled the best cell, or removed its value.
bool Prober::can_branch() const {
  return best_cell_ >= 0 && board_.num_left(best_cell_) > 1 && board_.may(best_cell_, best_value_);
}

size_t Prober::place_of(int cell) const {
  return std::lower_bound(cells_.begin(), cells_.end(), cell) - cells_.begin();
}

void Prober::focus(const std::vector<int>& cells) {
  focus_.clear();
  for (const int cell : cells) focus_.push_back(place_of(cell));
}

void Prober::blame(int cell) { ++memory_[place_of(cell)].failures; }

// Whether no line that the last probe of the cell looked at has changed since. Then another probe
// would find the same, for it would look at the same lines.
bool Prober::is_fresh(size_t at) const {
  if (at >= memory_.size() || !memory_[at].probed) return false;
  for (size_t i = 0; i < zone_words_; ++i) {
    for (Word left = zones_[at * zone_words_ + i]; left; left &= left - 1) {
      const int zone = static_cast<int>(i) * kWordBits + std::countr_zero(left);
      if (board_.version(zone) > memory_[at].time) return false;
    }
  }
  return true;
}

// Tries every value of an open cell of a board at its line fixpoint, remembers the zones looked at
// and the score, and keeps what follows: the values that were refuted go, and so does what all
// other values rule out (a failed literal, and the intersection of the branches). False at a
// contradiction. The memory of the cell counts only once the probe has ended, so a stopped probe is
// repeated.
bool Prober::probe(size_t at, Watch& watch, bool& learned) {
  const int cell = cells_[at];
  if (at >= memory_.size()) {
    memory_.resize(at + 1);
    zones_.resize((at + 1) * zone_words_);
  }
  memory_[at].probed = false;  // until it ends: it may be stopped
  Word* zones = &zones_[at * zone_words_];
  std::fill_n(zones, zone_words_, 0);
  common_.clear();
  refuted_.clear();
  num_alive_ = 0;
  total_ = 0;
  {
    const Tracing tracing(board_, zones);
    for (int value = 0; value < board_.num_values(); ++value) {
      if (board_.may(cell, value)) try_value(cell, value, watch);
    }
  }
  // A product rewards cells that settle much whichever value is right: on 200 puzzles of 25x25 it
  // took 24.5 s where a weighted sum took 31.0 s and the sum 29.1 s.
  const double score = static_cast<double>(least_) * static_cast<double>(total_ - least_);
  const int32_t failures = memory_[at].failures + (num_alive_ == 0);
  memory_[at] = {true, static_cast<int16_t>(likely_), failures, board_.clock(), score};
  if (teaches()) {
    lessons_.push_back(cell);
    if (listener_) listener_(cell);
  }
  return num_alive_ > 0 && keep(cell, watch, learned);
}

// Whether the probe just made rules anything out.
bool Prober::teaches() const {
  const auto is_new = [](const Common& common) { return common.removed != 0; };
  return !refuted_.empty() || std::any_of(common_.begin(), common_.end(), is_new);
}

// One branch of a probe; the board is the same afterwards.
void Prober::try_value(int cell, int value, Watch& watch) {
  ++num_probes_;
  const Trial trial(board_);
  board_.assign(cell, value);
  if (!board_.propagate(watch)) {
    refuted_.push_back(value);
    return;
  }
  const int64_t size = meet_changes(trial.mark());
  if (!num_alive_++ || size < least_) least_ = size, likely_ = value;
  total_ += size;
}

// Intersects what the branch since `mark` ruled out with the earlier branches of the probe; returns
// how many (cell, value) pairs it ruled out. O(words changed + words in common).
//
// Invariant: `common_` holds a word of each row changed by the first branch, with what all branches
// so far ruled out of it; removed_[i] is of branch branch_of_[i].
int64_t Prober::meet_changes(size_t mark) {
  if (++branch_ == 0) {  // after 2^32 branches
    std::fill(branch_of_.begin(), branch_of_.end(), 0);
    branch_ = 1;
  }
  int64_t size = 0;
  for (const auto& [index, before] : board_.changes_since(mark)) {
    // The first change of a word holds what it was before the branch.
    if (index >= branch_of_.size() || branch_of_[index] == branch_) continue;
    branch_of_[index] = branch_;
    removed_[index] = before & ~board_.word(index);
    size += std::popcount(removed_[index]);
    if (!num_alive_) common_.push_back({index, removed_[index]});
  }
  if (num_alive_) {
    for (Common& common : common_) {
      common.removed &= branch_of_[common.index] == branch_ ? removed_[common.index] : 0;
    }
  }
  return size;
}

// Removes what the probe ruled out and propagates; false at a contradiction. `learned` becomes true
// where anything was removed.
bool Prober::keep(int cell, Watch& watch, bool& learned) {
  const int64_t before = board_.num_pairs();
  for (const int value : refuted_) board_.remove(cell, value);
  for (const auto& [index, removed] : common_) {
    for (Word left = removed; left; left &= left - 1) {
      board_.remove(board_.cell_at(index, std::countr_zero(left)), board_.value_at(index));
    }
  }
  if (board_.num_pairs() == before) return true;
  learned = true;
  return board_.propagate(watch);
}

}  // namespace nonosat
