#include "beliefs/segment_sums.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "beliefs/four.hpp"
#include "line/vectors.hpp"

namespace nonosat {
namespace {

using namespace four;

// Padding entries before and after every row, so that four can be read or written at each entry.
constexpr int64_t kBefore = 4, kAfter = 8;

constexpr double kMaxLog = 690;  // doubles hold e^708

// Computation of one call of `run`. Rows (arrays of sums) are indexed by cell, or by the offset of
// a block's start; all entries that are read are finite. If `kScaled`, the sums before and after
// each block have powers of two as separate factors.
template <bool kScaled>
class Summing {
 public:
  Summing(const Segments& segments, const SumSegment& segment, const double* incoming,
          SumMemory& memory)
      : blocks_(segments.blocks(segment)),
        lengths_(segments.lengths(segment)),
        may_be_empty_(segments.may_be_empty(segment)),
        may_be_filled_(segments.may_be_filled(segment)),
        incoming_(incoming + segment.from),
        num_cells_(segment.num_cells),
        slack_(segment.slack),
        cells_(num_cells_ + kBefore + kAfter),
        places_(slack_ + 1 + kBefore + kAfter) {
    const auto num_rows = std::ssize(lengths_) + 3;
    const auto size = num_rows * cells_ + (std::ssize(blocks_) + 2) * places_;
    if (std::ssize(memory.rows) < size) memory.rows.resize(size);
    if (memory.powers.size() < blocks_.size()) memory.powers.resize(blocks_.size());
    powers_ = memory.powers.data();
    weights_ = memory.rows.data() + kBefore;
    started_ = weights_ + cells_;
    stopped_ = started_ + cells_;
    products_ = stopped_ + cells_;
    after_ = products_ + std::ssize(lengths_) * cells_;
    ended_ = after_ + places_;
  }

  // Returns the result of SegmentSums::run.
  const double* run(double clamp) {
    weigh();
    multiply();
    const double total = sum_forward();
    if (!(total > 0)) return nullptr;
    if (!sum_backward(1 / total)) return nullptr;
    write_log_odds(clamp);
    return started_;
  }

 private:
  static void clear(double* row, int64_t from, int64_t to) {
    const Doubles zero = {0, 0, 0, 0};
    for (int64_t i = from; i < to; i += kLanes) store(zero, row + i);
  }

  // Computes the weights of the cells, and the scale: the inverse square root of the product of all
  // weights.
  void weigh() {
    Doubles incoming_sum = {0, 0, 0, 0};
    for (int64_t cell = 0, i = 0; cell < num_cells_; cell += kLanes, ++i) {
      Doubles weight;
      load(incoming_ + cell, weight);
      const Masks& filled = kMasks[may_be_filled_[i]];
      keep(filled.own, weight);
      keep(kMasks[may_be_empty_[cell]].own, weight);
      incoming_sum += weight;
      exponential(weight);
      keep(filled.own, weight);
      store(weight, weights_ + cell);
    }
    clear(weights_, num_cells_, num_cells_ + kLanes);
    const double sum = incoming_sum[0] + incoming_sum[1] + incoming_sum[2] + incoming_sum[3];
    scale_ = std::exp(-sum / 2);
  }

  // Computes the products of the weights under a block of each length, by its first cell.
  void multiply() {
    int64_t before = 0;
    for (int64_t size = 0; size < std::ssize(lengths_); before = lengths_[size++]) {
      double* const to = products_ + size * cells_;
      const int64_t length = lengths_[size];
      clear(to, -kBefore, 0);
      for (int64_t cell = 0; cell <= num_cells_ - length; cell += kLanes) {
        Doubles product = {1, 1, 1, 1}, weight;
        if (size) load(to - cells_ + cell, product);
        for (int64_t i = before; i < length; ++i) {
          load(weights_ + cell + i, weight);
          product *= weight;
        }
        store(product, to + cell);
      }
      clear(to, num_cells_ - length + 1, num_cells_ - length + 1 + kLanes);
    }
  }

  // T of block `b`, by place; -1 for the start.
  double* ended(int64_t b) const { return ended_ + (b + 1) * places_; }

  // Scales the largest entry of a row to [1, 2); returns the power of two divided out.
  static int rescale(double* row, int64_t low, int64_t high) {
    Doubles lanes, largest = {0, 0, 0, 0};
    int64_t i = low;
    for (; i + kLanes <= high + 1; i += kLanes) {
      load(row + i, lanes);
      largest = lanes > largest ? lanes : largest;
    }
    double most = std::max(std::max(largest[0], largest[1]), std::max(largest[2], largest[3]));
    for (; i <= high; ++i) most = std::max(most, row[i]);
    if (most == 0) return 0;
    const int power = std::clamp(std::ilogb(most), -1000, 1000);
    const double factor = std::ldexp(1, -power);
    for (i = low; i <= high; ++i) row[i] *= factor;
    return power;
  }

  // Forward passes over the blocks; returns the sum over all fillings.
  double sum_forward() {
    clear(ended(-1), 0, blocks_[0].high + kLanes);
    ended(-1)[0] = kScaled ? 1 : scale_;
    power_ = 0;
    for (int64_t b = 0; b < std::ssize(blocks_); ++b) pass_forward(b);
    Doubles lanes, carry = {0, 0, 0, 0};
    for (int64_t i = blocks_.back().low; i <= slack_; i += kLanes) {
      load(ended(std::ssize(blocks_) - 1) + i, lanes);
      add_up(kMasks[may_be_empty_[num_cells_ + i - slack_]], lanes, carry);
      store(lanes, after_ + i);
    }
    return after_[slack_];
  }

  // Computes T of block `b` from that of the preceding block.
  void pass_forward(int64_t b) {
    const SegmentBlock block = blocks_[b];
    const int64_t low = b ? blocks_[b - 1].low : 0;
    const int64_t next = b + 1 < std::ssize(blocks_) ? blocks_[b + 1].high : slack_;
    const uint8_t* sets = may_be_empty_ + block.offset - 1;
    const double* products = products_ + block.size * cells_ + block.offset;
    const double* from = ended(b - 1);
    double* const to = ended(b);
    clear(to, low - kLanes, low);
    Doubles lanes, product, carry = {0, 0, 0, 0};
    for (int64_t i = low; i <= block.high; i += kLanes) {
      load(from + i, lanes);
      add_up(kMasks[sets[i]], lanes, carry);
      load(products + i, product);
      lanes *= product;
      store(lanes, to + i);
    }
    clear(to, block.high + 1, next + kLanes);
    if constexpr (kScaled) powers_[b] = power_ += rescale(to, block.low, block.high);
  }

  // Backward passes, beginning with `first` after the last block. Computes in `started_` and
  // `stopped_` the probabilities that a block starts at a cell, and ends before it. False if too
  // much precision was lost: the starts of some block do not sum up to one.
  bool sum_backward(double first) {
    clear(started_, -kBefore, num_cells_ + kLanes);
    clear(stopped_, -kBefore, num_cells_ + kLanes);
    const int64_t low = blocks_.back().low;
    clear(after_, low - kLanes, slack_ + 1);
    after_[slack_] = first;
    Doubles lanes, carry = {0, 0, 0, 0};
    for (int64_t i = slack_ - 3; i + 3 >= low; i -= kLanes) {
      load(after_ + i, lanes);
      add_down(kMasks[may_be_empty_[num_cells_ + 1 - slack_ + i]], lanes, carry);
      store(lanes, after_ + i);
    }
    power_ = -power_;
    for (int64_t b = std::ssize(blocks_); b-- > 0;) {
      if (!pass_backward(b)) return false;
    }
    return true;
  }

  // Computes H of block `b` from that of the following block, and adds its starts and ends.
  bool pass_backward(int64_t b) {
    const SegmentBlock block = blocks_[b];
    const int64_t low = b ? blocks_[b - 1].low : 0;
    const double* products = products_ + block.size * cells_ + block.offset;
    const uint8_t* sets = may_be_empty_ + block.offset;
    const double* const to = ended(b);
    double* const starts = started_ + block.offset;
    // Separate arrays, so that no store waits for another.
    double* const stops = stopped_ + block.offset + block.length;
    clear(after_, block.low - kLanes, block.low);
    double up = 1, down = 1;
    if constexpr (kScaled) {
      const int power = power_ + powers_[b];
      up = std::ldexp(1, power / 2), down = std::ldexp(1, power - power / 2);
    }
    Doubles lanes, start, product, sum, carry = {0, 0, 0, 0}, all = {0, 0, 0, 0};
    int64_t i = block.high - 3;
    for (; i + 3 >= block.low; i -= kLanes) {
      load(after_ + i, lanes);
      keep(kMasks[sets[i + block.length]].own, lanes);
      load(to + i, start);
      if constexpr (kScaled) {
        start = (start * up) * (lanes * down);
        all += start;
      } else {
        start *= lanes;
      }
      load(starts + i, sum);
      sum += start;
      store(sum, starts + i);
      load(stops + i, sum);
      sum += start;
      store(sum, stops + i);
      load(products + i, product);
      lanes *= product;
      add_down(kMasks[sets[i]], lanes, carry);
      store(lanes, after_ + i);
    }
    for (; i + 3 >= low; i -= kLanes) {
      lanes = Doubles{0, 0, 0, 0};
      add_down(kMasks[sets[i]], lanes, carry);
      store(lanes, after_ + i);
    }
    if constexpr (!kScaled) return true;
    power_ += rescale(after_, low, block.high);
    return std::abs(all[0] + all[1] + all[2] + all[3] - 1) < 1e-6;
  }

  // Converts starts and ends to log-odds minus the incoming messages.
  void write_log_odds(double clamp) {
    constexpr double kLeast = 1e-18;  // below the precision of the differences, beyond every clamp
    Doubles carry = {0, 0, 0, 0};
    for (int64_t cell = 0; cell < num_cells_; cell += kLanes) {
      Doubles odds, stopped, incoming;
      load(started_ + cell, odds);
      load(stopped_ + cell, stopped);
      odds -= stopped;
      add_up(kMasks[15], odds, carry);
      Doubles rest = 1 - odds;
      at_least(kLeast, odds);
      at_least(kLeast, rest);
      odds /= rest;
      logarithm(odds);
      load(incoming_ + cell, incoming);
      odds -= incoming;
      at_least(-clamp, odds);
      at_most(clamp, odds);
      store(odds, started_ + cell);
    }
  }

  const std::span<const SegmentBlock> blocks_;
  const std::span<const int32_t> lengths_;
  const uint8_t *const may_be_empty_, *const may_be_filled_;
  const double* const incoming_;
  const int64_t num_cells_, slack_;
  const int64_t cells_, places_;  // entries of a row
  double *weights_, *started_, *stopped_, *products_, *after_, *ended_;
  double scale_ = 1;
  int* powers_;    // powers of two of T, by block
  int power_ = 0;  // of the current row
};

// Returns true if the sums may exceed the range of doubles: a sum is at most the product of all
// weights above 1 times the number of fillings, which is at most that of sets of cells.
NONOSAT_INLINE bool may_overflow(const Segments& segments, const SumSegment& segment,
                                 const double* incoming) {
  const uint8_t* const empty = segments.may_be_empty(segment);
  const uint8_t* const filled = segments.may_be_filled(segment);
  Doubles sum = {0, 0, 0, 0}, log;
  for (int32_t cell = 0; cell < segment.num_cells; cell += kLanes) {
    load(incoming + segment.from + cell, log);
    keep(kMasks[empty[cell] & filled[cell / kLanes]].own, log);
    sum += log < 0 ? -log : log;
  }
  const double magnitude = sum[0] + sum[1] + sum[2] + sum[3];
  return magnitude / 2 + std::numbers::ln2 * (segment.num_cells + 1) > kMaxLog;
}

NONOSAT_INLINE const double* sum_over(const Segments& segments, const SumSegment& segment,
                                      const double* incoming, double clamp, SumMemory& memory) {
  if (may_overflow(segments, segment, incoming)) {
    return Summing<true>(segments, segment, incoming, memory).run(clamp);
  }
  return Summing<false>(segments, segment, incoming, memory).run(clamp);
}

const double* run_portably(const Segments& segments, const SumSegment& segment,
                           const double* incoming, double clamp, SumMemory& memory) {
  return sum_over(segments, segment, incoming, clamp, memory);
}

#if NONOSAT_HAS_AVX2

NONOSAT_AVX2 __attribute__((flatten))
const double* run_with_vectors(const Segments& segments, const SumSegment& segment,
                               const double* incoming, double clamp, SumMemory& memory) {
  return sum_over(segments, segment, incoming, clamp, memory);
}

const auto vector_run = has_vectors() ? run_with_vectors : run_portably;

#else

const auto vector_run = run_portably;

#endif

}  // namespace

bool SegmentSums::fits(const Plan& plan, double clamp) {
  if (clamp > kMaxClamp || !Segments::fits(plan)) return false;
  constexpr int64_t kMaxSums = int64_t{1} << 24;  // 128 MiB; line_sums.hpp stores only windows
  if (std::ssize(plan.blocks) * int64_t{plan.slack} > kMaxSums) return false;
  int32_t longest = 0;
  for (const Block& block : plan.blocks) longest = std::max(longest, block.length);
  return clamp * longest <= kMaxLog;
}

const double* SegmentSums::run(const Segments& segments, const SumSegment& segment,
                               const double* incoming, double clamp) {
  const auto run = vectors_allowed ? vector_run : run_portably;
  return run(segments, segment, incoming, clamp, memory_);
}

}  // namespace nonosat
