#include "beliefs/segment_sums.hpp"

#include <algorithm>
#include <cmath>

#include "beliefs/four.hpp"
#include "line/vectors.hpp"

namespace nonosat {
namespace {

using namespace four;

// Padding entries before and after every row, so that four can be read or written at each entry.
constexpr int64_t kBefore = 4, kAfter = 8;

constexpr double kMaxLog = 690;  // doubles hold e^708

// Incoming messages: a row of logarithms for each plane, by cell of the segment.
struct Incoming {
  const double* logs;
  int64_t stride;  // entries of a row
};

// Loads the logarithms of four cells' weights in the colour of a plane: 0 for cells that must not
// have it, or, with one colour, that are known.
template <bool kColoured>
NONOSAT_INLINE void load_log(const Segments& segments, const SumSegment& segment,
                             const Incoming& incoming, int64_t plane, int64_t cell, Doubles& log) {
  load(incoming.logs + plane * incoming.stride + cell, log);
  keep(kMasks[segments.may_be_filled(segment, plane)[cell / kLanes]].own, log);
  if constexpr (!kColoured) keep(kMasks[segments.may_be_empty(segment)[cell]].own, log);
}

// Computation of one call of `run` or `run_coloured`. Rows (arrays of sums) are indexed by cell, or
// by the offset of a block's start; all entries that are read are finite. If `is_scaled_`, because
// sums may exceed the range of doubles, those before and after each block have powers of two as
// separate factors; else all powers are 0.
template <bool kColoured>
class Summing {
 public:
  Summing(const Segments& segments, const SumSegment& segment, Incoming incoming, SumMemory& memory)
      : segments_(segments),
        segment_(segment),
        blocks_(segments.blocks(segment)),
        sizes_(segments.sizes(segment)),
        may_be_empty_(segments.may_be_empty(segment)),
        incoming_(incoming),
        num_planes_(kColoured ? static_cast<int64_t>(segment.num_colours) : 1),
        num_cells_(segment.num_cells),
        slack_(segment.slack),
        cells_(num_cells_ + kBefore + kAfter),
        places_(slack_ + 1 + kBefore + kAfter) {
    const int64_t num_blocks = std::ssize(blocks_), num_results = kColoured ? 1 + num_planes_ : 2;
    const auto num_rows = num_planes_ + num_results + std::ssize(sizes_);
    const auto num_sums = kColoured ? 2 * num_blocks + 4 : num_blocks + 2;
    const auto size = num_rows * cells_ + num_sums * places_;
    if (std::ssize(memory.rows) < size) memory.rows.resize(size);
    if (memory.powers.size() < blocks_.size()) memory.powers.resize(blocks_.size());
    powers_ = memory.powers.data();
    weights_ = memory.rows.data() + kBefore;
    started_ = weights_ + num_planes_ * cells_;
    stopped_ = started_ + cells_;
    products_ = started_ + num_results * cells_;
    after_ = products_ + std::ssize(sizes_) * cells_;
    starts_ = after_ + places_;
    emptied_ = starts_ + places_;
    ended_ = kColoured ? emptied_ + (num_blocks + 1) * places_ : starts_;
  }

  // Returns the result of SegmentSums::run.
  const double* run(double clamp) {
    if (!sum()) return nullptr;
    write_log_odds(clamp);
    return started_;
  }

  // Returns the result of SegmentSums::run_coloured.
  SegmentSums::Logs run_coloured() {
    if (!sum()) return {nullptr, 0};
    write_logs();
    return {started_, cells_};
  }

 private:
  // Computes the results; false if there is no filling, or if doubles cannot represent the sums.
  bool sum() {
    weigh();
    multiply();
    const double total = sum_forward();
    return total > 0 && sum_backward(1 / total);
  }

  static void clear(double* row, int64_t from, int64_t to) {
    const Doubles zero = {0, 0, 0, 0};
    for (int64_t i = from; i < to; i += kLanes) store(zero, row + i);
  }

  static double total_of(const Doubles& lanes) { return lanes[0] + lanes[1] + lanes[2] + lanes[3]; }

  // Computes the weights of the cells, and bounds of all sums: a sum is at most the product of all
  // largest weights times the number of fillings, which is at most that of all values of all cells,
  // and at least the product of all smallest weights. The scale is the inverse square root of the
  // product of both bounds, without the number of fillings.
  void weigh() {
    Doubles middle = {0, 0, 0, 0}, range = {0, 0, 0, 0};
    for (int64_t cell = 0; cell < num_cells_; cell += kLanes) {
      Doubles most = {0, 0, 0, 0}, least = {0, 0, 0, 0}, weight;
      for (int64_t plane = 0; plane < num_planes_; ++plane) {
        load_log<kColoured>(segments_, segment_, incoming_, plane, cell, weight);
        most = weight > most ? weight : most;
        least = weight < least ? weight : least;
        exponential(weight);
        keep(kMasks[segments_.may_be_filled(segment_, plane)[cell / kLanes]].own, weight);
        store(weight, weights_ + plane * cells_ + cell);
      }
      middle += most + least;
      range += most - least;
    }
    for (int64_t plane = 0; plane < num_planes_; ++plane) {
      clear(weights_ + plane * cells_, num_cells_, num_cells_ + kLanes);
    }
    const double choices = std::log(static_cast<double>(1 + num_planes_));
    is_scaled_ = total_of(range) / 2 + choices * static_cast<double>(num_cells_ + 1) > kMaxLog;
    scale_ = is_scaled_ ? 1 : std::exp(-total_of(middle) / 2);
  }

  // Computes the products of the weights under a block of each size, by its first cell.
  void multiply() {
    for (int64_t size = 0; size < std::ssize(sizes_); ++size) {
      const auto [plane, length] = sizes_[size];
      const bool goes_on = size && sizes_[size - 1].plane == plane;  // from the preceding product
      const int64_t before = goes_on ? sizes_[size - 1].length : 0;
      const double* const weights = weights_ + plane * cells_;
      double* const to = products_ + size * cells_;
      clear(to, -kBefore, 0);
      for (int64_t cell = 0; cell <= num_cells_ - length; cell += kLanes) {
        Doubles product = {1, 1, 1, 1}, weight;
        if (goes_on) load(to - cells_ + cell, product);
        for (int64_t i = before; i < length; ++i) {
          load(weights + cell + i, weight);
          product *= weight;
        }
        store(product, to + cell);
      }
      clear(to, num_cells_ - length + 1, num_cells_ - length + 1 + kLanes);
    }
  }

  // T of block `b`, by place; -1 for the start.
  double* ended(int64_t b) const { return ended_ + (b + 1) * places_; }
  // N of block `b`; of the end of the segment for the number of blocks.
  double* emptied(int64_t b) const { return emptied_ + b * places_; }
  // Result for the colour of a plane, by cell; -1 for empty cells.
  double* result(int64_t plane) const { return started_ + (1 + plane) * cells_; }
  bool follows_separator(int64_t b) const { return b == 0 || blocks_[b - 1].separated; }

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
    ended(-1)[0] = scale_;
    power_ = 0;
    for (int64_t b = 0; b < std::ssize(blocks_); ++b) pass_forward(b);
    const int64_t last = blocks_.back().low;
    if constexpr (kColoured) clear(emptied(std::ssize(blocks_)), last - kLanes, last);
    Doubles lanes, carry = {0, 0, 0, 0};
    for (int64_t i = last; i <= slack_; i += kLanes) {
      load(ended(std::ssize(blocks_) - 1) + i, lanes);
      add_up(kMasks[may_be_empty_[num_cells_ + i - slack_]], lanes, carry);
      store(lanes, after_ + i);
      if constexpr (kColoured) store(lanes, emptied(std::ssize(blocks_)) + i);
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
    if constexpr (kColoured) clear(emptied(b), low - kLanes, low);
    Doubles lanes, product, carry = {0, 0, 0, 0};
    for (int64_t i = low; i <= block.high; i += kLanes) {
      load(from + i, lanes);
      if constexpr (kColoured) {
        add_gap(kMasks[sets[i]], follows_separator(b), emptied(b) + i, lanes, carry);
      } else {
        add_up(kMasks[sets[i]], lanes, carry);
      }
      load(products + i, product);
      lanes *= product;
      store(lanes, to + i);
    }
    clear(to, block.high + 1, next + kLanes);
    powers_[b] = is_scaled_ ? power_ += rescale(to, block.low, block.high) : 0;
  }

  // Computes four places of G in `lanes` from T of the preceding block, and of N in `ways`.
  static void add_gap(const Masks& set, bool separated, double* ways, Doubles& lanes,
                      Doubles& carry) {
    if (separated) {
      add_up(set, lanes, carry);
      return store(lanes, ways);
    }
    const Doubles before = carry;
    add_preceding(set, lanes, carry);
    Doubles empty = lanes;
    move_up(before, empty);
    keep(set.own, empty);
    store(empty, ways);
  }

  // Backward passes, beginning with `first` after the last block. Computes in `started_` and
  // `stopped_` the probabilities that a block starts at a cell, and ends before it. False if too
  // much precision was lost: the starts of some block do not sum up to one.
  bool sum_backward(double first) {
    for (int64_t row = 0; row < (kColoured ? 1 + num_planes_ : 2); ++row) {
      clear(started_ + row * cells_, -kBefore, num_cells_ + kLanes);
    }
    const int64_t low = blocks_.back().low;
    clear(after_, low - kLanes, slack_ + 1);
    after_[slack_] = first;
    const int64_t rest = num_cells_ - slack_;
    Doubles lanes, carry = {0, 0, 0, 0};
    for (int64_t i = slack_ - 3; i + 3 >= low; i -= kLanes) {
      load(after_ + i, lanes);
      add_down(kMasks[may_be_empty_[num_cells_ + 1 - slack_ + i]], lanes, carry);
      store(lanes, after_ + i);
      if constexpr (kColoured)
        add_empty(emptied(std::ssize(blocks_)) + i, lanes, Factors(0), i + rest);
    }
    power_ = -power_;
    for (int64_t b = std::ssize(blocks_); b-- > 0;) {
      if (!pass_backward(b)) return false;
    }
    return true;
  }

  // Factors that undo the scaling of the sums before and after a place.
  struct Factors {
    double up = 1, down = 1;
    explicit Factors(int power) {
      if (power == 0) return;
      up = std::ldexp(1, power / 2), down = std::ldexp(1, power - power / 2);
    }
  };
  static void multiply_by(const Doubles& after, const Factors& factors, Doubles& before) {
    before = (before * factors.up) * (after * factors.down);
  }

  static void add_to(double* row, const Doubles& lanes) {
    Doubles sum;
    load(row, sum);
    sum += lanes;
    store(sum, row);
  }

  // Adds to the empty cells from `cell` on: N at four places, and H there.
  void add_empty(const double* ways, const Doubles& after, const Factors& factors, int64_t cell) {
    Doubles lanes;
    load(ways, lanes);
    multiply_by(after, factors, lanes);
    add_to(result(-1) + cell, lanes);
  }

  // Adds the starts of a block to all cells that it covers. Cells are in the outer loop, so that no
  // load waits for the preceding store.
  void cover(const SegmentBlock& block) {
    double* const filled = result(sizes_[block.size].plane) + block.offset;
    for (int64_t cell = 0; cell < block.length; ++cell) {
      for (int64_t i = block.high - 3; i + 3 >= block.low; i -= kLanes) {
        Doubles start;
        load(starts_ + i, start);
        add_to(filled + cell + i, start);
      }
    }
  }

  // Computes H of block `b` from that of the following block, and adds its starts and ends, or its
  // cells and the empty ones before it.
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
    const Factors of_starts(power_ + powers_[b]), of_empty(power_ + (b ? powers_[b - 1] : 0));
    Doubles lanes, start, product, carry = {0, 0, 0, 0}, all = {0, 0, 0, 0};
    int64_t i = block.high - 3;
    for (; i + 3 >= block.low; i -= kLanes) {
      load(after_ + i, lanes);
      if (!kColoured || block.separated) keep(kMasks[sets[i + block.length]].own, lanes);
      load(to + i, start);
      multiply_by(lanes, of_starts, start);
      all += start;
      if constexpr (kColoured) {
        store(start, starts_ + i);
      } else {
        add_to(starts + i, start);
        add_to(stops + i, start);
      }
      load(products + i, product);
      lanes *= product;
      add_down(kMasks[sets[i]], lanes, carry);
      store(lanes, after_ + i);
      if constexpr (kColoured) add_empty(emptied(b) + i, lanes, of_empty, block.offset - 1 + i);
    }
    if constexpr (kColoured) cover(block);
    for (; i + 3 >= low; i -= kLanes) {
      lanes = Doubles{0, 0, 0, 0};
      add_down(kMasks[sets[i]], lanes, carry);
      store(lanes, after_ + i);
      if constexpr (kColoured) add_empty(emptied(b) + i, lanes, of_empty, block.offset - 1 + i);
    }
    if (!is_scaled_) return true;
    power_ += rescale(after_, low, block.high);
    return std::abs(total_of(all) - 1) < 1e-6;
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
      load(incoming_.logs + cell, incoming);
      odds -= incoming;
      at_least(-clamp, odds);
      at_most(clamp, odds);
      store(odds, started_ + cell);
    }
  }

  // Converts the results to logarithms.
  void write_logs() {
    constexpr double kLeast = 1e-299;
    for (int64_t plane = -1; plane < num_planes_; ++plane) {
      for (int64_t cell = 0; cell < num_cells_; cell += kLanes) {
        Doubles share;
        load(result(plane) + cell, share);
        at_least(kLeast, share);
        logarithm(share);
        store(share, result(plane) + cell);
      }
    }
  }

  const Segments& segments_;
  const SumSegment& segment_;
  const std::span<const SegmentBlock> blocks_;
  const std::span<const SegmentSize> sizes_;
  const uint8_t* const may_be_empty_;
  const Incoming incoming_;
  const int64_t num_planes_, num_cells_, slack_;
  const int64_t cells_, places_;  // entries of a row
  // Results: starts and ends of one colour; else empty cells, then each plane.
  double *started_, *stopped_;
  double *weights_, *products_, *after_, *starts_, *emptied_, *ended_;
  double scale_ = 1;
  bool is_scaled_ = false;
  int* powers_;    // powers of two of T, by block
  int power_ = 0;  // of the current row
};

// Arguments of `run` or `run_coloured`.
struct Request {
  const Segments& segments;
  const SumSegment& segment;
  Incoming incoming;
  double clamp;  // for one colour
  SumMemory& memory;
};

template <bool kColoured>
NONOSAT_INLINE SegmentSums::Logs sum_over(const Request& request) {
  Summing<kColoured> summing(request.segments, request.segment, request.incoming, request.memory);
  if constexpr (kColoured) {
    return summing.run_coloured();
  } else {
    return {summing.run(request.clamp), 0};
  }
}

template <bool kColoured>
SegmentSums::Logs run_portably(const Request& request) {
  return sum_over<kColoured>(request);
}

#if NONOSAT_HAS_AVX2

template <bool kColoured>
NONOSAT_AVX2 __attribute__((flatten)) SegmentSums::Logs run_with_vectors(const Request& request) {
  return sum_over<kColoured>(request);
}

template <bool kColoured>
const auto vector_run = has_vectors() ? run_with_vectors<kColoured> : run_portably<kColoured>;

#else

template <bool kColoured>
const auto vector_run = run_portably<kColoured>;

#endif

template <bool kColoured>
SegmentSums::Logs run_here(const Request& request) {
  return vectors_allowed ? vector_run<kColoured>(request) : run_portably<kColoured>(request);
}

}  // namespace

bool SegmentSums::fits(const Plan& plan, double clamp) {
  if (clamp > kMaxClamp || !Segments::fits(plan)) return false;
  constexpr int64_t kMaxSums = int64_t{1} << 24;  // 128 MiB; line_sums.hpp stores only windows
  const int64_t num_rows = plan.num_colours > 1 ? 2 : 1;
  if (num_rows * std::ssize(plan.blocks) * plan.slack > kMaxSums) return false;
  int32_t longest = 0;
  for (const Block& block : plan.blocks) longest = std::max(longest, block.length);
  // Largest logarithm of a weight: messages are relative to a cell's lowest value left.
  const double most = plan.num_colours > 1 ? 2 * clamp : clamp;
  return most * longest <= kMaxLog;
}

const double* SegmentSums::run(const Segments& segments, const SumSegment& segment,
                               const double* incoming, double clamp) {
  return run_here<false>({segments, segment, {incoming + segment.from, 0}, clamp, memory_}).rows;
}

auto SegmentSums::run_coloured(const Segments& segments, const SumSegment& segment,
                               const double* incoming, int64_t stride) -> Logs {
  return run_here<true>({segments, segment, {incoming + segment.from, stride}, 0, memory_});
}

}  // namespace nonosat
