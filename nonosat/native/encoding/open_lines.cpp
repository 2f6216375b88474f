#include "encoding/open_lines.hpp"

namespace nonosat {

OpenLines::OpenLines(const Board& board, const CellLits& cells, std::span<const int32_t> lines,
                     Watch& watch) {
  lits_.reserve(lines.size());  // without reallocation, since encodings refer to the items
  encodings_.reserve(lines.size());
  for (const int32_t line : lines) {
    lits_.push_back(lits_of(board, cells, line));
    encodings_.emplace_back(lits_.back(), board.plan(line), watch);
    watch.work(2 * lits_.back().length);
  }
}

LineLits OpenLines::lits_of(const Board& board, const CellLits& cells, int line) {
  const bool is_row = line < board.height();
  const int length = is_row ? board.width() : board.height();
  const size_t first = is_row ? static_cast<size_t>(line) * length : line - board.height();
  const size_t step = is_row ? 1 : board.width();
  LineLits lits{length, board.plan(line).blocks, {}, {}};
  lits.cells.assign(board.num_values() - 1, std::vector<int32_t>(length));
  const int32_t* plane = cells.lits.data() + first;
  for (std::vector<int32_t>& mine : lits.cells) {
    for (int i = 0; i < length; ++i) mine[i] = plane[i * step];
    plane += board.num_cells();
  }
  for (int i = 0; i < length && !cells.filled.empty(); ++i) {
    if (cells.filled[first + i * step]) lits.filled.push_back(i);
  }
  return lits;
}

std::vector<int64_t> OpenLines::num_vars() const {
  std::vector<int64_t> counts;
  counts.reserve(encodings_.size());
  for (const OrderEncoding& encoding : encodings_) counts.push_back(encoding.num_vars());
  return counts;
}

std::vector<int32_t> OpenLines::clauses(int32_t first, Watch& watch) {
  std::vector<int32_t> all;
  for (OrderEncoding& encoding : encodings_) {
    if (!encoding.is_feasible()) {
      all.push_back(0);
      continue;
    }
    const auto num_vars = static_cast<int32_t>(encoding.num_vars());
    encoding.clauses(first, all, watch);
    first += num_vars;
  }
  return all;
}

}  // namespace nonosat
