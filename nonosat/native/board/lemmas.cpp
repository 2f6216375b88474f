#include "board/lemmas.hpp"

#include <algorithm>
#include <utility>

#include "cost.hpp"

namespace nonosat {
namespace {

constexpr int32_t kYes = INT32_MAX, kNo = -kYes;

// Order literals "at most n cells after the first place", a variable for each n below the slack.
struct Bound {
  int place;
  int32_t first;

  int32_t by(int cell, int slack) const {
    const int distance = cell - place;
    if (distance < 0) return kNo;
    return distance >= slack ? kYes : first + distance;
  }
};

// Order encoding of a line without known cells: the literals of its blocks' bounds.
struct OpenLine {
  int slack;  // negative if the clue does not fit; `starts` and `ends` are empty then
  std::vector<Bound> starts, ends;
};

class Writer {
 public:
  explicit Writer(Board& board) : board_(board), num_colours_(board.num_values() - 1) {}

  Lemmas take() { return std::move(found_); }

  // Writes the clause of a step; if it says that a cell in colours is not empty, also the lemmas of
  // the gaps of its two lines.
  void write(const Deduction::Step& step) {
    const bool is_fact = step.if_cell < 0;
    prefix_.clear();
    if (!is_fact) put_not(step.if_cell, step.if_value, prefix_);
    clause_ = prefix_;
    put_not(step.cell, step.value, clause_);
    add(is_fact);
    if (step.value || num_colours_ == 1) return;
    const int row = step.cell / board_.width(), column = step.cell % board_.width();
    add_gaps(row, column, is_fact);
    add_gaps(board_.height() + column, row, is_fact);
  }

 private:
  // Appends literals for "the cell does not have the value".
  void put_not(int cell, int value, std::vector<int32_t>& clause) const {
    if (value) clause.push_back(-(1 + (value - 1) * board_.num_cells() + cell));
    for (int k = 0; k < num_colours_ && !value; ++k) {
      clause.push_back(1 + k * board_.num_cells() + cell);
    }
  }

  void add(bool is_fact) {
    clause_.push_back(0);
    found_.clauses.insert(found_.clauses.end(), clause_.begin(), clause_.end());
    if (is_fact) found_.facts.insert(found_.facts.end(), clause_.begin(), clause_.end());
  }

  // Adds for each gap of the line the lemma that it does not cover the place.
  void add_gaps(int index, int place, bool is_fact) {
    if (lines_.empty()) open_lines();
    const OpenLine& line = lines_[index];
    const size_t num_blocks = line.starts.size();
    for (size_t b = 0; b <= num_blocks; ++b) {
      const int32_t ended = b ? line.ends[b - 1].by(place - 1, line.slack) : kYes;
      const int32_t begun = b < num_blocks ? line.starts[b].by(place, line.slack) : kNo;
      if (ended == kNo || begun == kYes) continue;
      clause_ = prefix_;
      if (ended != kYes) clause_.push_back(-ended);
      if (begun != kNo) clause_.push_back(begun);
      add(is_fact);
    }
  }

  void open_lines() {
    int32_t next = 1 + num_colours_ * board_.num_cells();
    for (int i = 0; i < board_.num_lines(); ++i)
      lines_.push_back(make_open_line(board_.plan(i), next));
  }

  // Numbers the variables of a line from `next` on, and advances `next`: those of each block's
  // start, then of its end if its length is unknown, as encodings/line_order.py does.
  static OpenLine make_open_line(const Plan& plan, int32_t& next) {
    OpenLine line{plan.slack, {}, {}};
    if (plan.slack < 0) return line;
    int place = 0;
    for (size_t b = 0; b < plan.blocks.size(); ++b) {
      const int length = plan.blocks[b].length;
      line.starts.push_back({place, next});
      if (length == 0) next += plan.slack;  // the end has variables of its own
      place += std::max(length, 1);
      line.ends.push_back({place - 1, next});
      next += plan.slack;
      if (b + 1 < plan.blocks.size()) place += plan.separated[b];
    }
    return line;
  }

  Board& board_;
  int num_colours_;
  std::vector<OpenLine> lines_;
  std::vector<int32_t> prefix_, clause_;
  Lemmas found_;
};

}  // namespace

Lemmas lemmas_of(Board& board, std::span<const Deduction::Step> steps, Watch& watch) {
  Writer writer(board);
  for (const Deduction::Step& step : steps) {
    writer.write(step);
    watch.work(cost::kLemma);
  }
  return writer.take();
}

}  // namespace nonosat
