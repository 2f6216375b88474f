#include "live/clash.hpp"

#include <algorithm>
#include <iterator>

namespace nonosat::live {
namespace {

constexpr int64_t kProbing = 20'000'000;  // units of work for each set of clues

}  // namespace

Clash::Clash(const Puzzle& puzzle, Watch& watch)
    : puzzle_(puzzle), board_(puzzle.num_colours, puzzle.rows, puzzle.columns, watch) {}

// Returns true if these clues contradict each other. Runs to its end, because it cannot resume.
bool Clash::is_refuted(const std::vector<int>& lines) {
  Watch free;
  Board board = board_;
  for (int line = 0; line < board.num_lines(); ++line) {
    if (!std::binary_search(lines.begin(), lines.end(), line)) board.leave_out(line);
  }
  for (size_t cell = 0; cell < puzzle_.given.size(); ++cell) {
    if (puzzle_.given[cell] == Board::kOpen) continue;
    board.assign(static_cast<int>(cell), puzzle_.given[cell]);
  }
  if (!board.propagate(free)) return true;
  return with_probes_ &&
         Prober(board).run(free, free.done() + kProbing) == Progress::kContradiction;
}

void Clash::run(Watch& watch) {
  if (!has_begun_) {
    std::vector<int> all;
    for (int line = 0; line < board_.num_lines(); ++line) all.push_back(line);
    with_probes_ = !is_refuted(all);
    if (!with_probes_ || is_refuted(all)) lines_ = all;
    batch_ = std::max<size_t>(1, lines_.size() / 4);
    has_begun_ = true;
  }
  while (at_ < lines_.size()) {
    watch.work(1'000'000);
    const size_t size = std::min(batch_, lines_.size() - at_);
    const auto first = lines_.begin() + static_cast<std::ptrdiff_t>(at_);
    std::vector<int> fewer(lines_.begin(), first);
    fewer.insert(fewer.end(), first + static_cast<std::ptrdiff_t>(size), lines_.end());
    if (is_refuted(fewer)) {
      lines_ = fewer;
      batch_ = 2 * size;
    } else if (size > 1) {
      batch_ = size / 2;
    } else {
      ++at_;
    }
  }
}

}  // namespace nonosat::live
