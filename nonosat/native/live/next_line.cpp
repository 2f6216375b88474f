#include "live/next_line.hpp"

namespace nonosat::live {
namespace {

// Returns the line with those of its unknown cells that have one value left in `kept`.
NextLine settled_by(const Board& board, int line, const std::vector<Word>& kept,
                    const Cells& known) {
  NextLine found{line, true, {}, {}};
  const bool is_row = line < board.height();
  const int length = is_row ? board.width() : board.height();
  const int num_words = words_for(length);
  for (int at = 0; at < length; ++at) {
    const int cell =
        is_row ? line * board.width() + at : at * board.width() + line - board.height();
    int num_left = 0, value = 0;
    for (int other = 0; other < board.num_values(); ++other) {
      if (!has_bit(&kept[static_cast<size_t>(other) * num_words], at)) continue;
      ++num_left;
      value = other;
    }
    if (num_left > 1 || known[cell] != Board::kOpen) continue;
    found.settled.push_back(cell);
    found.values.push_back(static_cast<uint8_t>(value));
  }
  return found;
}

}  // namespace

NextLine next_line(const Puzzle& puzzle, const Cells& known, Watch& watch) {
  Board board(puzzle.num_colours, puzzle.rows, puzzle.columns, watch);
  for (int cell = 0; cell < board.num_cells(); ++cell) {
    if (known[cell] != Board::kOpen) board.assign(cell, known[cell]);
  }
  NextLine best;
  Scratch scratch;
  for (int line = 0; line < board.num_lines(); ++line) {
    const Plan& plan = board.plan(line);
    std::vector<Word> kept(static_cast<size_t>(board.num_values() * words_for(plan.length)));
    if (!propagate_line(plan, board.planes(line), kept.data(), false, scratch, watch)) {
      return {line, false, {}, {}};
    }
    NextLine found = settled_by(board, line, kept, known);
    if (found.settled.size() > best.settled.size()) best = found;
  }
  return best;
}

}  // namespace nonosat::live
