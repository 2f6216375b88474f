#include "encoding/open_lines.hpp"

namespace nonosat {
namespace {

template <class AnyBoard>
LineLits lits_of(const AnyBoard& board, const CellLits& cells, int line) {
  const int length = board.plan(line).length;
  LineLits lits{length, board.plan(line).blocks, {}, {}};
  lits.cells.assign(board.num_values() - 1, std::vector<int32_t>(length));
  const int32_t* plane = cells.lits.data();
  for (std::vector<int32_t>& mine : lits.cells) {
    for (int at = 0; at < length; ++at) mine[at] = plane[board.cell_in(line, at)];
    plane += board.num_cells();
  }
  for (int at = 0; at < length && !cells.filled.empty(); ++at) {
    if (cells.filled[board.cell_in(line, at)]) lits.filled.push_back(at);
  }
  return lits;
}

}  // namespace

template <class AnyBoard>
OpenLines::OpenLines(const AnyBoard& board, const CellLits& cells, std::span<const int32_t> lines,
                     Watch& watch) {
  lits_.reserve(lines.size());  // without reallocation, since encodings refer to the items
  encodings_.reserve(lines.size());
  for (const int32_t line : lines) {
    lits_.push_back(lits_of(board, cells, line));
    encodings_.emplace_back(lits_.back(), board.plan(line), watch);
    watch.work(2 * lits_.back().length);
  }
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

template OpenLines::OpenLines(const Board&, const CellLits&, std::span<const int32_t>, Watch&);
template OpenLines::OpenLines(const LaneBoard&, const CellLits&, std::span<const int32_t>, Watch&);

}  // namespace nonosat
