#include "encoding/implications.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "board/trial.hpp"

namespace nonosat {
namespace {

constexpr size_t kBatch = size_t{1} << 20;  // literals of a batch, without those of its last value

}  // namespace

Implications::Implications(Board board, std::vector<int32_t> variables, int max_tries, Watch& watch)
    : board_(std::move(board)),
      variables_(std::move(variables)),
      before_(board_.num_row_words()),
      seen_(board_.num_row_words(), 0) {
  for (const int cell : board_.open_cells()) {
    if (std::ssize(pairs_) >= max_tries) break;
    watch.work(1);
    for (int value = 0; value < board_.num_values(); ++value) {
      if (board_.may(cell, value)) pairs_.push_back({cell, value});
    }
  }
  if (std::ssize(pairs_) > max_tries) pairs_.resize(max_tries);
  excluded_.resize(pairs_.size());
}

std::vector<int32_t> Implications::next(Watch& watch) {
  if (!std::exchange(begun_, true)) begin(watch);
  while (at_ < pairs_.size() && clauses_.size() < kBatch) assume_pair(at_++, watch);
  return std::exchange(clauses_, {});
}

// Propagates the board to its fixpoint and forbids each removed value by a unit clause; at a
// contradiction, forbids all values.
void Implications::begin(Watch& watch) {
  const size_t mark = board_.mark();
  if (board_.propagate(watch)) {
    for (const Pair pair : removed_since(mark)) forbid(pair);
    return;
  }
  for (const Pair pair : pairs_) forbid(pair);
  pairs_.clear();
}

// Assumes one value, and forbids it together with each value of another cell that it excludes, or
// by itself at a contradiction. The board is unchanged afterwards.
void Implications::assume_pair(size_t at, Watch& watch) {
  const auto [cell, value] = pairs_[at];
  if (!board_.may(cell, value)) return;
  const Trial trial(board_);
  board_.assign(cell, value);
  if (board_.propagate(watch)) {
    for (const Pair other : removed_since(trial.mark())) {
      if (other.cell != cell && is_new_exclusion(at, other)) forbid(pairs_[at], other);
    }
  } else {
    forbid(pairs_[at]);
  }
}

// Returns the values removed since a mark. Only words of rows are read, which contain all removals;
// the first change of a word holds its earlier value. O(changes).
std::vector<Implications::Pair> Implications::removed_since(size_t mark) {
  std::vector<size_t> changed;
  for (const auto& [index, before] : board_.changes_since(mark)) {
    if (index >= board_.num_row_words() || seen_[index]) continue;
    seen_[index] = 1;
    before_[index] = before;
    changed.push_back(index);
  }
  std::vector<Pair> removed;
  for (const size_t index : changed) {
    seen_[index] = 0;
    for (Word left = before_[index] & ~board_.word(index); left; left &= left - 1) {
      removed.push_back({board_.cell_at(index, std::countr_zero(left)), board_.value_at(index)});
    }
  }
  return removed;
}

// Returns true unless a clause already states that pair `at` and the other pair exclude each other,
// because the other one was assumed before. Records the result for pairs assumed later.
bool Implications::is_new_exclusion(size_t at, Pair other) {
  const auto found = std::lower_bound(pairs_.begin(), pairs_.end(), other);
  if (found == pairs_.end() || *found != other) return true;
  const size_t place = found - pairs_.begin();
  const auto bit = [](size_t i) { return Word{1} << (i % kWordBits); };
  if (place < at) {
    const auto& excluded = excluded_[place];
    return excluded.empty() || !(excluded[at / kWordBits] & bit(at));
  }
  if (excluded_[at].empty()) excluded_[at].resize(words_for(static_cast<int>(pairs_.size())));
  excluded_[at][place / kWordBits] |= bit(place);
  return true;
}

// Appends literals, at least one of which is true if the cell does not have the value.
void Implications::deny(Pair pair) {
  const auto variable = [&](int colour) {
    return variables_[static_cast<size_t>(colour - 1) * board_.num_cells() + pair.cell];
  };
  if (pair.value) {
    clauses_.push_back(-variable(pair.value));
    return;
  }
  for (int colour = 1; colour < board_.num_values(); ++colour) {
    if (variable(colour)) clauses_.push_back(variable(colour));
  }
}

void Implications::forbid(Pair one) {
  deny(one);
  clauses_.push_back(0);
}

void Implications::forbid(Pair one, Pair other) {
  deny(one);
  forbid(other);
}

}  // namespace nonosat
