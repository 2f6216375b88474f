#include "board/probe.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "board/trial.hpp"
#include "cost.hpp"

namespace nonosat {
namespace {

constexpr size_t kCellsPerPoll = 4096;  // cells of a pass between two calls of Watch::work
constexpr double kFailureWeight = 2;

}  // namespace

template <class AnyBoard>
Probe<AnyBoard>::Probe(const AnyBoard& board)
    : branch_of_(board.num_row_words(), 0), removed_(new Word[board.num_row_words()]) {}

template <class AnyBoard>
void Probe<AnyBoard>::run(AnyBoard& board, int cell, Watch& watch) {
  refuted_.clear();
  consistent_.clear();
  common_.clear();
  for (int value = 0; value < board.num_values(); ++value) {
    if (!board.may(cell, value)) continue;
    ++num_tried_;
    const Branch branch =
        try_value(board, cell, value, watch, [&](bool is_consistent, size_t mark) {
          if (is_consistent) intersect_changes(board, mark);
        });
    if (branch.is_consistent) {
      consistent_.push_back({value, branch.num_ruled_out});
    } else {
      refuted_.push_back(value);
    }
  }
}

template <class AnyBoard>
bool Probe<AnyBoard>::removes_any() const {
  const auto is_new = [](const Common& common) { return common.removed != 0; };
  return !refuted_.empty() || std::any_of(common_.begin(), common_.end(), is_new);
}

// Intersects the removals of the branch since `mark` with those of the earlier branches. O(words
// changed + words in common).
//
// Invariant: `common_` has an entry for each row word changed by the first branch, with the values
// that all branches so far have removed from it; removed_[i] is of branch branch_of_[i].
template <class AnyBoard>
void Probe<AnyBoard>::intersect_changes(const AnyBoard& board, size_t mark) {
  if (++branch_ == 0) {  // overflow after 2^32 branches
    std::fill(branch_of_.begin(), branch_of_.end(), 0);
    branch_ = 1;
  }
  for (const auto& [index, before] : board.changes_since(mark)) {
    // The first change of a word holds its value before the branch.
    if (index >= branch_of_.size() || branch_of_[index] == branch_) continue;
    branch_of_[index] = branch_;
    removed_[index] = before & ~board.word(index);
    if (consistent_.empty()) common_.push_back({index, removed_[index]});
  }
  if (consistent_.empty()) return;
  for (Common& common : common_) {
    common.removed &= branch_of_[common.index] == branch_ ? removed_[common.index] : 0;
  }
}

template <class AnyBoard>
Prober<AnyBoard>::Prober(AnyBoard& board)
    : board_(board),
      zone_words_((board.num_zones() + kWordBits - 1) / kWordBits),
      cells_(board.open_cells()),
      focus_(cells_.size()),
      probe_(board) {
  std::iota(focus_.begin(), focus_.end(), size_t{0});
  // Only reserved, since a budget may end long before all cells of a large board are probed.
  memory_.reserve(cells_.size());
  zones_.reserve(cells_.size() * zone_words_);
}

template <class AnyBoard>
Prober<AnyBoard>::Prober(const Prober& other, AnyBoard& board)
    : board_(board),
      zone_words_(other.zone_words_),
      cells_(other.cells_),
      focus_(other.focus_),
      memory_(other.memory_),
      zones_(other.zones_),
      probe_(board) {}

template <class AnyBoard>
Progress Prober<AnyBoard>::run(Watch& watch, int64_t budget_end, bool briefly) {
  if (!board_.propagate(watch)) return Progress::kContradiction;
  best_cell_ = -1;
  bool learned = true;
  while (learned && !(briefly && can_branch())) {
    learned = false;
    best_cell_ = -1;
    best_score_ = -1;
    for (const size_t at : focus_) {
      if (at % kCellsPerPoll == kCellsPerPoll - 1) watch.work(cost::kPassCell * kCellsPerPoll);
      if (board_.num_left(cells_[at]) < 2) continue;
      if (!is_fresh(at)) {
        if (watch.done() >= budget_end) return Progress::kBudget;
        if (!probe(at, watch, learned)) return Progress::kContradiction;
        if (board_.num_left(cells_[at]) < 2) continue;
      }
      update_best(at);
    }
  }
  return Progress::kFixpoint;
}

// Makes a cell the best one for branching if its score is the highest so far. Earlier failures of
// the cell (contradictions) raise its score, as those of constraints do in Boussemart, Hemery,
// Lecoutre, Sais, "Boosting systematic search by weighting constraints" (2004). With factors of 0,
// 0.2, 0.5 and 2 for failures, 333 random 30x30 took 2.6, 2.1, 1.9 and 1.6 s (slowest 1.1, 0.5,
// 0.5, 0.3), 50 tournament puzzles of tcga2013 3.1, 2.0, 1.6 and 1.5 s, but 100 of taai2011 7.6,
// 10.5, 7.3 and 8.5 s.
template <class AnyBoard>
void Prober<AnyBoard>::update_best(size_t at) {
  const double score = memory_[at].score * (1 + kFailureWeight * memory_[at].failures);
  if (score <= best_score_) return;
  best_score_ = score;
  best_cell_ = cells_[at];
  best_value_ = memory_[at].value;
}

// Checks the cell and the value again, because later probes of a pass may have decided the cell, or
// removed the value.
template <class AnyBoard>
bool Prober<AnyBoard>::can_branch() const {
  return best_cell_ >= 0 && board_.num_left(best_cell_) > 1 && board_.may(best_cell_, best_value_);
}

template <class AnyBoard>
size_t Prober<AnyBoard>::place_of(int cell) const {
  return std::lower_bound(cells_.begin(), cells_.end(), cell) - cells_.begin();
}

template <class AnyBoard>
void Prober<AnyBoard>::focus(const std::vector<int>& cells) {
  focus_.clear();
  for (const int cell : cells) focus_.push_back(place_of(cell));
}

template <class AnyBoard>
void Prober<AnyBoard>::count_failure(int cell) {
  ++memory_[place_of(cell)].failures;
}

// Returns true if no line that the last probe of the cell read has changed since. Another probe
// would read the same lines, and its result would be the same.
template <class AnyBoard>
bool Prober<AnyBoard>::is_fresh(size_t at) const {
  if (at >= memory_.size() || !memory_[at].probed) return false;
  for (size_t i = 0; i < zone_words_; ++i) {
    for (Word left = zones_[at * zone_words_ + i]; left; left &= left - 1) {
      const int zone = static_cast<int>(i) * kWordBits + std::countr_zero(left);
      if (board_.version(zone) > memory_[at].time) return false;
    }
  }
  return true;
}

// Probes an open cell of a board at its line fixpoint, stores the zones read and the score, and
// applies the result to the board. False at a contradiction. The stored data become valid only when
// the probe has ended, so a stopped probe is repeated.
template <class AnyBoard>
bool Prober<AnyBoard>::probe(size_t at, Watch& watch, bool& learned) {
  const int cell = cells_[at];
  if (at >= memory_.size()) {
    memory_.resize(at + 1);
    zones_.resize((at + 1) * zone_words_);
  }
  memory_[at].probed = false;  // until the probe ends: it may be stopped
  Word* zones = &zones_[at * zone_words_];
  std::fill_n(zones, zone_words_, 0);
  {
    const Tracing tracing(board_, zones);
    probe_.run(board_, cell, watch);
  }
  const auto& consistent = probe_.consistent();
  if (!consistent.empty()) {
    // Not std::ranges, which libc++ of emscripten 3.1.6 lacks.
    loosest_ = *std::min_element(
        consistent.begin(), consistent.end(),
        [](const auto& one, const auto& other) { return one.num_ruled_out < other.num_ruled_out; });
  }
  int64_t total = 0;
  for (const auto& branch : consistent) total += branch.num_ruled_out;
  const double score = branching_score(loosest_.num_ruled_out, total);
  const int32_t failures = memory_[at].failures + consistent.empty();
  memory_[at] = {true, static_cast<int16_t>(loosest_.value), failures, board_.clock(), score};
  if (probe_.removes_any()) {
    productive_.push_back(cell);
    if (listener_) listener_(cell);
  }
  return !consistent.empty() && apply_result(cell, watch, learned);
}

// Removes the values that the probe has excluded and propagates; false at a contradiction. Sets
// `learned` if any value was removed.
template <class AnyBoard>
bool Prober<AnyBoard>::apply_result(int cell, Watch& watch, bool& learned) {
  const int64_t before = board_.num_pairs();
  for (const int value : probe_.refuted()) board_.remove(cell, value);
  for (const auto& [index, removed] : probe_.common()) {
    for (Word left = removed; left; left &= left - 1) {
      board_.remove(board_.cell_at(index, std::countr_zero(left)), board_.value_at(index));
    }
  }
  if (board_.num_pairs() == before) return true;
  learned = true;
  return board_.propagate(watch);
}

template class Probe<Board>;
template class Probe<LaneBoard>;
template class Prober<Board>;
template class Prober<LaneBoard>;

}  // namespace nonosat
