#include "beliefs/segment_sums.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "beliefs/four.hpp"
#include "line/vectors.hpp"

namespace nonosat {
namespace {

using namespace four;

// Entries before and behind those of every row, so that four can be read or written wherever one
// of them is wanted.
constexpr int64_t kBefore = 4, kBehind = 8;

constexpr double kMaxLog = 690;  // doubles hold e^708

// One run. Rows are of cells, or of places in the slack; all entries that are read are finite.
// `kScaled`: the sums behind and before each block have a power of two of their own.
template <bool kScaled>
class Summing {
 public:
  Summing(const Segments& segments, const SumSegment& segment, const double* heard,
          SumMemory& memory)
      : blocks_(segments.blocks(segment)),
        lengths_(segments.lengths(segment)),
        may_be_empty_(segments.may_be_empty(segment)),
        may_be_filled_(segments.may_be_filled(segment)),
        heard_(heard + segment.from),
        num_cells_(segment.num_cells),
        slack_(segment.slack),
        cells_(num_cells_ + kBefore + kBehind),
        places_(slack_ + 1 + kBefore + kBehind) {
    const auto num_rows = std::ssize(lengths_) + 3;
    const auto size = num_rows * cells_ + (std::ssize(blocks_) + 2) * places_;
    if (std::ssize(memory.rows) < size) memory.rows.resize(size);
    if (memory.powers.size() < blocks_.size()) memory.powers.resize(blocks_.size());
    powers_ = memory.powers.data();
    weights_ = memory.rows.data() + kBefore;
    started_ = weights_ + cells_;
    stopped_ = started_ + cells_;
    products_ = stopped_ + cells_;
    behind_ = products_ + std::ssize(lengths_) * cells_;
    ended_ = behind_ + places_;
  }

  // The result of SegmentSums::run.
  const double* run(double clamp) {
    weigh();
    multiply();
    const double total = sum_up();
    if (!(total > 0)) return nullptr;
    if (!sum_down(1 / total)) return nullptr;
    conclude(clamp);
    return started_;
  }

 private:
  static void clear(double* row, int64_t from, int64_t to) {
    const Doubles zero = {0, 0, 0, 0};
    for (int64_t i = from; i < to; i += kLanes) store(zero, row + i);
  }

  // The weights of the cells, and half of how far the sums may lie apart as their scale.
  void weigh() {
    Doubles heard_all = {0, 0, 0, 0};
    for (int64_t cell = 0, i = 0; cell < num_cells_; cell += kLanes, ++i) {
      Doubles weight;
      load(heard_ + cell, weight);
      const Masks& filled = kMasks[may_be_filled_[i]];
      keep(filled.own, weight);
      keep(kMasks[may_be_empty_[cell]].own, weight);
      heard_all += weight;
      exponential(weight);
      keep(filled.own, weight);
      store(weight, weights_ + cell);
    }
    clear(weights_, num_cells_, num_cells_ + kLanes);
    const double sum = heard_all[0] + heard_all[1] + heard_all[2] + heard_all[3];
    scale_ = std::exp(-sum / 2);
  }

  // The products of the weights under a block of each length, by its first cell.
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

  // T of block `b`, by place; of -1 what stands before the first block.
  double* ended(int64_t b) const { return ended_ + (b + 1) * places_; }

  // Brings the largest entry of a row between 1 and 2; returns the power of two that it had.
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

  // The passes over the blocks; returns the sum over all fillings.
  double sum_up() {
    clear(ended(-1), 0, blocks_[0].high + kLanes);
    ended(-1)[0] = kScaled ? 1 : scale_;
    power_ = 0;
    for (int64_t b = 0; b < std::ssize(blocks_); ++b) pass(b);
    Doubles lanes, carry = {0, 0, 0, 0};
    for (int64_t i = blocks_.back().low; i <= slack_; i += kLanes) {
      load(ended(std::ssize(blocks_) - 1) + i, lanes);
      add_up(kMasks[may_be_empty_[num_cells_ + i - slack_]], lanes, carry);
      store(lanes, behind_ + i);
    }
    return behind_[slack_];
  }

  // From T of the block before to that of block `b`.
  void pass(int64_t b) {
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

  // The passes back, with `first` behind everything: leaves in `started_` and `stopped_` how likely
  // blocks start at a cell, and end before it. False where too much was lost: the starts of some
  // block do not sum up to one.
  bool sum_down(double first) {
    clear(started_, -kBefore, num_cells_ + kLanes);
    clear(stopped_, -kBefore, num_cells_ + kLanes);
    const int64_t low = blocks_.back().low;
    clear(behind_, low - kLanes, slack_ + 1);
    behind_[slack_] = first;
    Doubles lanes, carry = {0, 0, 0, 0};
    for (int64_t i = slack_ - 3; i + 3 >= low; i -= kLanes) {
      load(behind_ + i, lanes);
      add_down(kMasks[may_be_empty_[num_cells_ + 1 - slack_ + i]], lanes, carry);
      store(lanes, behind_ + i);
    }
    power_ = -power_;
    for (int64_t b = std::ssize(blocks_); b-- > 0;) {
      if (!pass_back(b)) return false;
    }
    return true;
  }

  // From H of the block behind to that of block `b`, whose starts and ends are taken in.
  bool pass_back(int64_t b) {
    const SegmentBlock block = blocks_[b];
    const int64_t low = b ? blocks_[b - 1].low : 0;
    const double* products = products_ + block.size * cells_ + block.offset;
    const uint8_t* sets = may_be_empty_ + block.offset;
    const double* const to = ended(b);
    double* const starts = started_ + block.offset;
    double* const stops = stopped_ + block.offset + block.length;  // apart: stores wait for none
    clear(behind_, block.low - kLanes, block.low);
    double loud = 1, quiet = 1;
    if constexpr (kScaled) {
      const int power = power_ + powers_[b];
      loud = std::ldexp(1, power / 2), quiet = std::ldexp(1, power - power / 2);
    }
    Doubles lanes, start, product, sum, carry = {0, 0, 0, 0}, all = {0, 0, 0, 0};
    int64_t i = block.high - 3;
    for (; i + 3 >= block.low; i -= kLanes) {
      load(behind_ + i, lanes);
      keep(kMasks[sets[i + block.length]].own, lanes);
      load(to + i, start);
      if constexpr (kScaled) {
        start = (start * loud) * (lanes * quiet);
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
      store(lanes, behind_ + i);
    }
    for (; i + 3 >= low; i -= kLanes) {
      lanes = Doubles{0, 0, 0, 0};
      add_down(kMasks[sets[i]], lanes, carry);
      store(lanes, behind_ + i);
    }
    if constexpr (!kScaled) return true;
    power_ += rescale(behind_, low, block.high);
    return std::abs(all[0] + all[1] + all[2] + all[3] - 1) < 1e-6;
  }

  // From starts and ends to log-odds less what was heard.
  void conclude(double clamp) {
    constexpr double kLeast = 1e-18;  // below what the differences tell, beyond every clamp
    Doubles carry = {0, 0, 0, 0};
    for (int64_t cell = 0; cell < num_cells_; cell += kLanes) {
      Doubles odds, stopped, heard;
      load(started_ + cell, odds);
      load(stopped_ + cell, stopped);
      odds -= stopped;
      add_up(kMasks[15], odds, carry);
      Doubles rest = 1 - odds;
      raise(kLeast, odds);
      raise(kLeast, rest);
      odds /= rest;
      logarithm(odds);
      load(heard_ + cell, heard);
      odds -= heard;
      raise(-clamp, odds);
      lower(clamp, odds);
      store(odds, started_ + cell);
    }
  }

  const std::span<const SegmentBlock> blocks_;
  const std::span<const int32_t> lengths_;
  const uint8_t *const may_be_empty_, *const may_be_filled_;
  const double* const heard_;
  const int64_t num_cells_, slack_;
  const int64_t cells_, places_;  // entries of a row
  double *weights_, *started_, *stopped_, *products_, *behind_, *ended_;
  double scale_ = 1;
  int* powers_;    // of T, by block
  int power_ = 0;  // of the row under way
};

// Whether the sums may lie outside of what doubles hold: a sum is at most as heavy as all that was
// heard for being filled, and there are no more fillings than ways to choose a cell or not.
NONOSAT_INLINE bool is_loud(const Segments& segments, const SumSegment& segment,
                            const double* heard) {
  const uint8_t* const empty = segments.may_be_empty(segment);
  const uint8_t* const filled = segments.may_be_filled(segment);
  Doubles sum = {0, 0, 0, 0}, log;
  for (int32_t cell = 0; cell < segment.num_cells; cell += kLanes) {
    load(heard + segment.from + cell, log);
    keep(kMasks[empty[cell] & filled[cell / kLanes]].own, log);
    sum += log < 0 ? -log : log;
  }
  const double loudness = sum[0] + sum[1] + sum[2] + sum[3];
  return loudness / 2 + std::numbers::ln2 * (segment.num_cells + 1) > kMaxLog;
}

NONOSAT_INLINE const double* sum_over(const Segments& segments, const SumSegment& segment,
                                      const double* heard, double clamp, SumMemory& memory) {
  if (is_loud(segments, segment, heard)) {
    return Summing<true>(segments, segment, heard, memory).run(clamp);
  }
  return Summing<false>(segments, segment, heard, memory).run(clamp);
}

const double* run_portably(const Segments& segments, const SumSegment& segment, const double* heard,
                           double clamp, SumMemory& memory) {
  return sum_over(segments, segment, heard, clamp, memory);
}

#if NONOSAT_HAS_AVX2

NONOSAT_AVX2 __attribute__((flatten))
const double* run_with_vectors(const Segments& segments, const SumSegment& segment,
                               const double* heard, double clamp, SumMemory& memory) {
  return sum_over(segments, segment, heard, clamp, memory);
}

const auto vector_run = has_vectors() ? run_with_vectors : run_portably;

#else

const auto vector_run = run_portably;

#endif

}  // namespace

bool SegmentSums::fits(const Plan& plan, double clamp) {
  if (clamp > kMaxClamp || !Segments::fits(plan)) return false;
  constexpr int64_t kMaxSums = int64_t{1} << 24;  // 128 MiB; line_sums.hpp keeps windows alone
  if (std::ssize(plan.blocks) * int64_t{plan.slack} > kMaxSums) return false;
  int32_t longest = 0;
  for (const Block& block : plan.blocks) longest = std::max(longest, block.length);
  return clamp * longest <= kMaxLog;
}

const double* SegmentSums::run(const Segments& segments, const SumSegment& segment,
                               const double* heard, double clamp) {
  const auto run = vectors_allowed ? vector_run : run_portably;
  return run(segments, segment, heard, clamp, memory_);
}

}  // namespace nonosat
