#include "queens/count.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "queens/descent.hpp"

namespace nonosat::queens {
namespace {

template <class Word>
std::vector<Row<Word>> rows_of(const std::vector<uint64_t>& allowed) {
  std::vector<Row<Word>> rows(allowed.size());
  for (size_t row = 0; row < rows.size(); ++row)
    rows[row].allowed = static_cast<Word>(allowed[row]);
  return rows;
}

// Returns the rows restricted to placements with queens at (0, 0) and (1, `column`) and with the
// queen of the second column below row `column`.
template <class Word>
std::vector<Row<Word>> with_corner_queen(std::vector<Row<Word>> rows, int column) {
  rows[0].allowed = 1;
  rows[1].allowed &= Word{1} << column;
  for (int row = 2; row <= column; ++row) rows[row].allowed &= ~Word{2};
  return rows;
}

// Rows with the first row's queen at `column`, and no border queen closer to a corner.
template <class Word>
std::vector<Row<Word>> with_border_queen(std::vector<Row<Word>> rows, int column) {
  const int last = static_cast<int>(rows.size()) - 1, opposite = last - column;
  const Word sides = Word{1} | Word{1} << last, ends = Word{1} << column | Word{1} << opposite;
  for (int row = 0; row <= last; ++row) {
    if (row < column || row > opposite) rows[row].allowed &= ~sides;
  }
  for (int near = 0; near < column; ++near) {
    rows[last].allowed &= ~(Word{1} << near | Word{1} << (last - near));
  }
  rows[0].allowed = Word{1} << column;
  rows[column].ties = rows[opposite].ties = sides;
  rows[last].ties = ends;
  return rows;
}

uint64_t mirrored(uint64_t row, size_t size) {
  uint64_t image = 0;
  for (size_t column = 0; column < size; ++column) {
    image |= (row >> column & 1) << (size - 1 - column);
  }
  return image;
}

// A restricted board; each of its placements counts `weight` times.
template <class Word>
struct Part {
  std::vector<Row<Word>> rows;
  uint64_t weight = 1;
  bool is_shared = false;  // its placements occur in as many parts as they have ties, plus one
};

// Parts that contain one placement of each orbit under the board's symmetries, or several that
// share the weight of the orbit; see count.hpp.
template <class Word>
std::vector<Part<Word>> parts_of_orbits(const std::vector<Row<Word>>& rows) {
  const auto size = static_cast<int>(rows.size());
  std::vector<Part<Word>> parts;
  for (int column = 2; column < size; ++column)
    parts.push_back({with_corner_queen(rows, column), 8});
  // A queen in the middle column would leave no row for the border queens of both sides.
  for (int column = 1; 2 * column < size - 1; ++column) {
    parts.push_back({with_border_queen(rows, column), 8, true});
  }
  return parts;
}

// Parts for the squares of the first row that has more than one; on a mirror-symmetric board only
// the left half and the middle.
template <class Word>
std::vector<Part<Word>> parts_of_row(const std::vector<Row<Word>>& rows, bool is_mirrored) {
  const auto has_choice = [](const auto& row) { return std::popcount(row.allowed) > 1; };
  const auto found = std::find_if(rows.begin(), rows.end(), has_choice);
  const size_t split = found == rows.end() ? 0 : static_cast<size_t>(found - rows.begin());
  const size_t size = rows.size(), last = is_mirrored ? (size - 1) / 2 : size - 1;
  std::vector<Part<Word>> parts;
  for (size_t column = 0; column <= last; ++column) {
    const Word square = Word{1} << column;
    if (!(rows[split].allowed & square)) continue;
    parts.push_back({rows, is_mirrored && 2 * column != size - 1 ? uint64_t{2} : uint64_t{1}});
    parts.back().rows[split].allowed = square;
  }
  return parts;
}

template <class Word>
std::vector<Part<Word>> parts_of(const std::vector<uint64_t>& allowed) {
  const auto size = static_cast<int>(allowed.size());
  const auto is_unblocked = [&](uint64_t row) { return std::popcount(row) == size; };
  const auto is_mirrored = [&](uint64_t row) { return mirrored(row, allowed.size()) == row; };
  const bool has_room = size <= kTiesAt<Word>;  // for the bits that count ties
  const auto rows = rows_of<Word>(allowed);
  if (size > 1 && has_room && std::all_of(allowed.begin(), allowed.end(), is_unblocked)) {
    return parts_of_orbits(rows);
  }
  return parts_of_row(rows, std::all_of(allowed.begin(), allowed.end(), is_mirrored));
}

template <class Word>
uint64_t weighted_total(const Part<Word>& part, const std::array<uint64_t, 4>& counts) {
  if (!part.is_shared) {
    return part.weight * std::accumulate(counts.begin(), counts.end(), uint64_t{0});
  }
  uint64_t sum = 0;
  for (size_t ties = 0; ties < counts.size(); ++ties)
    sum += part.weight * counts[ties] / (ties + 1);
  return sum;
}

}  // namespace

Count::Count(std::vector<uint64_t> allowed, std::optional<size_t> part)
    : allowed_(std::move(allowed)), part_(part) {
  checked_size(allowed_);
  if (is_narrow()) {
    num_parts_ = allowed_.empty() ? 0 : parts_of<uint32_t>(allowed_).size();
  } else {
    num_parts_ = parts_of<uint64_t>(allowed_).size();
  }
  if (part_ && *part_ >= num_parts_) throw std::invalid_argument("there is no such part");
}

void Count::run(Watch& watch) {
  total_ = 0;
  if (allowed_.empty()) {
    total_ = 1;
  } else if (is_narrow()) {
    run_as<uint32_t>(watch);
  } else {
    run_as<uint64_t>(watch);
  }
}

bool Count::is_narrow() const { return allowed_.size() <= kTiesAt<uint32_t>; }

// Adds the placements found in a part even if the watch stops it; the total is then a lower bound.
template <class Word>
void Count::run_as(Watch& watch) {
  const auto parts = parts_of<Word>(allowed_);
  const size_t first = part_.value_or(0), end = part_ ? first + 1 : parts.size();
  for (size_t at = first; at < end; ++at) {
    Descent<Word> descent(parts[at].rows, watch);
    try {
      descent.run();
    } catch (...) {
      total_ += weighted_total(parts[at], descent.counts());
      throw;
    }
    total_ += weighted_total(parts[at], descent.counts());
  }
}

}  // namespace nonosat::queens
