// Sums over all fillings of a line, each weighted by the product of its cells' weights: for every
// cell the weight of the fillings in which it is empty, or has a colour; for every block the weight
// of those in which it starts, or ends, at a position.
//
// Forward and backward sums over blocks and positions (Baum, Petrie 1966): `gap(b)` holds at p the
// weight of all ways to fill the cells before p with the blocks before b, `after_` that of all ways
// to fill the cells from p on with the blocks from b on. An empty cell has weight 1, or 0 if it
// cannot be empty, so only the weights of blocks are multiplied, each by a quotient of prefix
// products. There is no subtraction, so every sum is as precise as its terms. Only the windows of
// feasible starts are visited: O(cells + pairs of a block and a start), and for blocks of unknown
// length also the cells that they can cover.
//
// `Number` is double if it can represent all sums, else Wide.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "beliefs/weighted_line.hpp"
#include "beliefs/wide.hpp"

namespace nonosat {

// Throws TooLarge if a line needs more than a gibibyte.
inline void check_sums(const Plan& plan, int64_t num_sums) {
  constexpr int64_t kMaxSums = int64_t{1} << 26;  // of two words each
  if (num_sums <= kMaxSums) return;
  throw TooLarge("summing over a line of " + std::to_string(plan.length) + " cells with " +
                     std::to_string(plan.blocks.size()) + " blocks",
                 2 * num_sums, 2 * kMaxSums);
}

template <class Number>
class LineSums {
 public:
  // Sums over the fillings of a line whose cells have their weights; a Number must be able to
  // represent all sums. The line must not change while `of` is used. Returns false, with the sums
  // undefined, if there is no filling. If `blocks` is not null, it receives the shares of every
  // block. Throws Stopped and TooLarge.
  bool run(const WeightedLine& line, Watch& watch, std::vector<BlockShares>* blocks) {
    return run(line, line.logs(), watch, blocks);
  }

  // Like `run` above, with other weights than those of the line: one per plane and cell.
  template <class Weight>
  bool run(const WeightedLine& line, const std::vector<Weight>& weights, Watch& watch,
           std::vector<BlockShares>* blocks);

  // Weight of all fillings.
  Number total() const { return gaps_[places_.back().at + static_cast<int64_t>(length_)]; }

  // Weight of all fillings in which a cell has a value.
  Number of(size_t cell, int value) const {
    if (value == 0) return empty_[cell];
    const int plane = line_->plane_of(value);
    return plane < 0 ? Number(0.0) : filled_[plane * length_ + cell];
  }

 private:
  struct Place {
    int64_t from, to;  // range of positions with sums of the gap
    int64_t at;        // the sum of position p is gaps_[at + p]
  };

  // Data of one block for the passes.
  struct Terms {
    Window window;
    int64_t length;
    bool separated;
    const int32_t* reach;   // reach of its colour: see WeightedLine
    const Number* weights;  // weights of the cells in its colour
    const Number* up;       // up[p + length] * down[p] is the weight of the block at p
    const Number* down;
    Number* before;  // sums of the gap before it, by position
    Number* filled;  // results for its colour, by cell
  };

  void lay_out();
  template <class Weight>
  void multiply_up(const std::vector<Weight>& given);
  Terms terms(size_t b);
  void forward(size_t b);
  void forward_unknown_length(size_t b);
  void flood(size_t b, int64_t at, Number sum);
  void backward(size_t b);
  void backward_unknown_length(size_t b);
  void backward_gap(size_t b, int64_t first, int64_t last);
  void cover(const Terms& block);
  BlockShares shares_of(size_t b, Number total) const;

  Number open(int64_t cell, Number sum) const {
    return line_->may_be_empty(cell) ? sum : Number(0.0);
  }
  Number* gap(size_t b) { return gaps_.data() + places_[b].at; }
  Number* inside(size_t b) { return inside_.data() + inside_at_[b]; }

  const WeightedLine* line_ = nullptr;
  size_t length_ = 0;
  std::vector<Place> places_;           // by gap; gap b precedes block b
  std::vector<int64_t> inside_at_;      // by block of unknown length
  std::vector<Number> gaps_;            // forward sums before position p, of all gaps
  std::vector<Number> inside_;          // forward sums before p + 1 if the block covers cell p
  std::vector<Number> weights_;         // by plane and cell
  std::vector<Number> up_, down_;       // prefix products of weights, and their inverses
  std::vector<Number> empty_, filled_;  // results by cell
  // Backward sums by position, of the blocks after the current one.
  std::vector<Number> after_;
  std::vector<Number> with_block_;     // backward sums by start, with the current block
  std::vector<Number> starts_, ends_;  // total weights by start, and by last cell
};

// Assigns ranges of sums to each gap and each block of unknown length. The first gap begins at
// position 0, each other one where the preceding block can end first.
template <class Number>
void LineSums<Number>::lay_out() {
  const auto windows = line_->windows();
  const Plan& plan = line_->plan();
  places_.resize(windows.size() + 1);
  inside_at_.resize(windows.size());
  int64_t from = 0, used = 0, inside_used = 0;
  for (size_t b = 0; b < windows.size(); ++b) {
    places_[b] = {from, windows[b].last, used - from};
    used += windows[b].last - from + 1;
    from = windows[b].first_end + 1 + plan.separated[b];
    if (plan.blocks[b].length) continue;
    inside_at_[b] = inside_used - windows[b].first;
    inside_used += windows[b].last_end - windows[b].first + 1;
  }
  places_.back() = {from, static_cast<int64_t>(length_), used - from};
  used += static_cast<int64_t>(length_) - from + 1;
  check_sums(plan, used + inside_used + (7 + 3 * line_->num_planes()) * (line_->length() + 1));
  gaps_.resize(static_cast<size_t>(used));
  inside_.resize(static_cast<size_t>(inside_used));
  for (auto* sums : {&after_, &with_block_, &starts_, &ends_}) sums->resize(length_ + 1);
}

// Computes prefix products of the weights of each colour, so that the weight of a block is a
// quotient of two of them, and clears the results.
template <class Number>
template <class Weight>
void LineSums<Number>::multiply_up(const std::vector<Weight>& given) {
  const int num_planes = line_->num_planes();
  weights_.resize(num_planes * length_);
  up_.resize(num_planes * (length_ + 1));
  down_.resize(up_.size());
  for (int plane = 0; plane < num_planes; ++plane) {
    Number* up = &up_[plane * (length_ + 1)];
    Number* down = &down_[plane * (length_ + 1)];
    Number* weights = &weights_[plane * length_];
    const Weight* from = &given[plane * length_];
    up[0] = Number(1.0);
    for (size_t cell = 0; cell < length_; ++cell) {
      weights[cell] = weighed<Number>(from[cell]);
      up[cell + 1] = up[cell] * weights[cell];
    }
    for (size_t cell = 0; cell <= length_; ++cell) down[cell] = inverse(up[cell]);
  }
  empty_.assign(length_, Number(0.0));
  filled_.assign(num_planes * length_, Number(0.0));
}

template <class Number>
template <class Weight>
bool LineSums<Number>::run(const WeightedLine& line, const std::vector<Weight>& weights,
                           Watch& watch, std::vector<BlockShares>* blocks) {
  line_ = &line;
  length_ = line.length();
  lay_out();
  multiply_up(weights);
  const size_t num_blocks = line.windows().size();
  if (blocks) blocks->resize(num_blocks);
  const auto border = static_cast<int64_t>(length_);
  gap(0)[0] = Number(1.0);
  flood(0, 0, Number(1.0));
  for (size_t b = 0; b < num_blocks; ++b) {
    watch.work(4 * (places_[b + 1].to - places_[b + 1].from));
    line.plan().blocks[b].length ? forward(b) : forward_unknown_length(b);
  }
  const Number total = gap(num_blocks)[border];
  if (is_zero(total)) return false;
  with_block_[border] = Number(1.0);
  backward_gap(num_blocks, border, border);
  for (size_t b = num_blocks; b-- > 0;) {
    watch.work(8 * (places_[b].to - places_[b].from));
    line.plan().blocks[b].length ? backward(b) : backward_unknown_length(b);
    if (blocks) (*blocks)[b] = shares_of(b, total);
    backward_gap(b, line.windows()[b].first, line.windows()[b].last);
  }
  return true;
}

// Extends the sums of gap b through empty cells, from `sum` at position `at` on.
template <class Number>
void LineSums<Number>::flood(size_t b, int64_t at, Number sum) {
  Number* gaps = gap(b);
  for (int64_t p = at + 1; p <= places_[b].to; ++p) gaps[p] = sum = open(p - 1, sum);
}

template <class Number>
auto LineSums<Number>::terms(size_t b) -> Terms {
  const Plan& plan = line_->plan();
  const int plane = line_->plane_of(plan.blocks[b].colour);
  const size_t products = plane * (length_ + 1);
  return {line_->windows()[b],        plan.blocks[b].length,
          plan.separated[b] != 0,     line_->reach(plane),
          &weights_[plane * length_], &up_[products],
          &down_[products],           gap(b),
          &filled_[plane * length_]};
}

// Computes gap b + 1 from gap b and a block of known length.
template <class Number>
void LineSums<Number>::forward(size_t b) {
  const Terms block = terms(b);
  const int64_t length = block.length;
  const Number* up = block.up + length;
  Number* after = gap(b + 1) + length + block.separated;
  Number sum(0.0);
  for (int64_t p = block.window.first; p <= block.window.last; ++p) {
    const Number here =
        block.reach[p] >= length ? block.before[p] * (up[p] * block.down[p]) : Number(0.0);
    // Either the separating cell after the block is empty, or the gap continues from the preceding
    // position.
    sum = block.separated ? open(p + length, sum + here) : open(p + length - 1, sum) + here;
    after[p] = sum;
  }
  flood(b + 1, block.window.last + length + block.separated, sum);
}

// Like `forward`, for a block of unknown length, by the sums inside the block.
template <class Number>
void LineSums<Number>::forward_unknown_length(size_t b) {
  const Terms block = terms(b);
  const Window window = block.window;
  Number* within = inside(b);
  Number sum(0.0);
  for (int64_t cell = window.first; cell <= window.last_end; ++cell) {
    if (cell <= window.last) sum += block.before[cell];
    within[cell] = sum = block.reach[cell] ? sum * block.weights[cell] : Number(0.0);
  }
  Number* after = gap(b + 1) + 1 + block.separated;
  sum = Number(0.0);
  for (int64_t end = window.first_end; end <= window.last_end; ++end) {
    sum = block.separated ? open(end + 1, sum + within[end]) : open(end, sum) + within[end];
    after[end] = sum;
  }
  flood(b + 1, window.last_end + 1 + block.separated, sum);
}

// Computes `with_block_` and `starts_` of a block of known length from `after_`, the sums after gap
// b + 1. Adds its cells, and the separating one, to the results.
template <class Number>
void LineSums<Number>::backward(size_t b) {
  const Terms block = terms(b);
  const int64_t length = block.length;
  const Number* up = block.up + length;
  const Number* after = after_.data() + length + block.separated;
  for (int64_t p = block.window.first; p <= block.window.last; ++p) {
    const Number rest = block.separated ? open(p + length, after[p]) : after[p];
    with_block_[p] = block.reach[p] >= length ? up[p] * block.down[p] * rest : Number(0.0);
    starts_[p] = block.before[p] * with_block_[p];
    if (block.separated) empty_[p + length] += starts_[p];
  }
  cover(block);
}

// Like `backward`, for a block of unknown length; computes `ends_`, too.
template <class Number>
void LineSums<Number>::backward_unknown_length(size_t b) {
  const Terms block = terms(b);
  const Window window = block.window;
  const Number* within = inside(b);
  const Number* after = after_.data() + 1 + block.separated;
  Number sum(0.0);  // weight of everything after a cell that the block covers
  for (int64_t cell = window.last_end; cell >= window.first; --cell) {
    if (cell >= window.first_end) {
      const Number rest = block.separated ? open(cell + 1, after[cell]) : after[cell];
      ends_[cell] = within[cell] * rest;
      if (block.separated) empty_[cell + 1] += ends_[cell];
      sum += rest;
    }
    block.filled[cell] += within[cell] * sum;
    sum = block.reach[cell] ? sum * block.weights[cell] : Number(0.0);
    if (cell > window.last) continue;
    with_block_[cell] = sum;
    starts_[cell] = block.before[cell] * sum;
  }
}

// Computes the sums after gap b from those with block b at its starts first..last.
template <class Number>
void LineSums<Number>::backward_gap(size_t b, int64_t first, int64_t last) {
  const Number* before = gap(b);
  Number sum = after_[last] = with_block_[last];
  for (int64_t p = last - 1; p >= places_[b].from; --p) {
    sum = open(p, sum);
    empty_[p] += before[p] * sum;
    if (p >= first) sum += with_block_[p];
    after_[p] = sum;
  }
}

// Adds to every cell the weights of the starts from which a block covers it. The starts are divided
// into pieces of the block's length: those that cover a cell are the end of one piece and the
// beginning of the next, so prefix and suffix sums of the pieces suffice (van Herk 1992).
template <class Number>
void LineSums<Number>::cover(const Terms& block) {
  const Window window = block.window;
  Number* filled = block.filled;
  for (int64_t piece = window.first; piece <= window.last; piece += block.length) {
    const int64_t end = std::min<int64_t>(piece + block.length, window.last + 1);
    Number sum(0.0);
    for (int64_t p = piece; p < end; ++p) filled[p] += sum += starts_[p];
    for (int64_t p = end; p < piece + block.length; ++p) filled[p] += sum;
    sum = Number(0.0);
    for (int64_t p = end - 1; p > piece; --p) filled[p + block.length - 1] += sum += starts_[p];
  }
}

template <class Number>
BlockShares LineSums<Number>::shares_of(size_t b, Number total) const {
  const Window window = line_->windows()[b];
  BlockShares shares;
  for (int64_t p = window.first; p <= window.last; ++p)
    shares.starts.push_back(ratio(starts_[p], total));
  if (line_->plan().blocks[b].length) return shares;
  for (int64_t p = window.first_end; p <= window.last_end; ++p)
    shares.ends.push_back(ratio(ends_[p], total));
  return shares;
}

}  // namespace nonosat
