#include "queens/count.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
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

// With a queen at (0, 0), the second row's at `column`, and the second column's further down.
template <class Word>
std::vector<Row<Word>> in_the_corner(std::vector<Row<Word>> rows, int column) {
  rows[0].allowed = 1;
  rows[1].allowed &= Word{1} << column;
  for (int row = 2; row <= column; ++row) rows[row].allowed &= ~Word{2};
  return rows;
}

// With the first row's queen at `column`, and no border queen nearer to a corner.
template <class Word>
std::vector<Row<Word>> on_the_border(std::vector<Row<Word>> rows, int column) {
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

// Runs a part and hands out what it has met, also where the watch ends it.
template <class Word, class Take>
void each_part(std::vector<Row<Word>> rows, Watch& watch, Take take) {
  Descent<Word> descent(std::move(rows), watch);
  try {
    descent.run();
  } catch (...) {
    take(descent.met());
    throw;
  }
  take(descent.met());
}

}  // namespace

Count::Count(std::vector<uint64_t> allowed) : allowed_(std::move(allowed)) {
  checked_size(allowed_);
}

void Count::run(Watch& watch) {
  total_ = 0;
  if (allowed_.empty()) {
    total_ = 1;
  } else if (allowed_.size() <= kTiesAt<uint32_t>) {
    run_as<uint32_t>(watch);
  } else {
    run_as<uint64_t>(watch);
  }
}

template <class Word>
void Count::run_as(Watch& watch) {
  const auto size = static_cast<int>(allowed_.size());
  const auto rows = rows_of<Word>(allowed_);
  const auto is_bare = [&](uint64_t row) { return std::popcount(row) == size; };
  const auto is_mirrored = [&](uint64_t row) { return mirrored(row, allowed_.size()) == row; };
  const bool has_room = size <= kTiesAt<Word>;  // to count ties; a larger board takes for ever
  if (size > 1 && has_room && std::all_of(allowed_.begin(), allowed_.end(), is_bare)) {
    run_orbits(rows, watch);
  } else if (size > 1 && std::all_of(allowed_.begin(), allowed_.end(), is_mirrored)) {
    const Word middle = size % 2 ? Word{1} << size / 2 : 0;
    run_from((Word{1} << size / 2) - 1, rows, 2, watch);
    run_from(middle, rows, 1, watch);
  } else {
    run_from(~Word{0}, rows, 1, watch);
  }
}

// The whole board, by one placement of each orbit under turning and mirroring, or by several with
// their share: see count.hpp. Each part adds a multiple of what it counts, so a part that the watch
// stops leaves a lower bound.
template <class Word>
void Count::run_orbits(const std::vector<Row<Word>>& rows, Watch& watch) {
  const auto size = static_cast<int>(rows.size());
  for (int column = 2; column < size; ++column) {
    each_part(in_the_corner(rows, column), watch, [&](const auto& met) { total_ += 8 * met[0]; });
  }
  // In the middle it would leave the middle row to the queens of both sides.
  for (int column = 1; 2 * column < size - 1; ++column) {
    each_part(on_the_border(rows, column), watch, [&](const auto& met) {
      for (size_t ties = 0; ties < met.size(); ++ties) total_ += 8 * met[ties] / (ties + 1);
    });
  }
}

// The placements whose first queen is in one of `columns`.
template <class Word>
void Count::run_from(Word columns, std::vector<Row<Word>> rows, uint64_t weight, Watch& watch) {
  rows[0].allowed &= columns;
  each_part(std::move(rows), watch, [&](const auto& met) {
    total_ += weight * std::accumulate(met.begin(), met.end(), uint64_t{0});
  });
}

}  // namespace nonosat::queens
