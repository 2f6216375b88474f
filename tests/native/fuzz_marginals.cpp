// Seeded fuzzing of marginals of lines, to be built with -fsanitize=address,undefined: they are
// compared with sums over fillings that share no code with the core. So are those of segments, with
// and without vector instructions, whose results must be equal to the last bit.
//
// Usage: fuzz_marginals [lines] [seed]. Prints what was checked; exit status 1 at an error.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <vector>

#include "beliefs/marginals.hpp"
#include "beliefs/segment_sums.hpp"
#include "drawing.hpp"
#include "fuzzing.hpp"
#include "line/vectors.hpp"
#include "reference.hpp"
#include "reference_sums.hpp"

using namespace nonosat;
using namespace drawing;
using namespace fuzzing;
using reference::support;

namespace {

bool close(double found, long double expected) {
  return std::abs(found - expected) <= 1e-9L * expected + 1e-300L;
}

// Weights around 1, or such that their products exceed the range of a double.
reference::Logs draw_logs(size_t num_values, size_t length) {
  const double largest = chance(30) ? 0 : chance(60) ? 3 : std::min(99.0, 4000.0 / length);
  std::uniform_real_distribution<double> log(-largest, largest);
  reference::Logs logs(num_values, std::vector<double>(length));
  for (auto& plane : logs) std::generate(plane.begin(), plane.end(), [&] { return log(rng); });
  return logs;
}

// All marginals of one line: the probability by value and cell, and the blocks.
struct LineShares {
  std::vector<std::vector<double>> values;
  std::vector<Window> windows;
  std::vector<BlockShares> blocks;
};

// Returns the marginals of a line whose cells have the weights exp(logs[value][cell]). Nothing if
// there is no filling.
std::optional<LineShares> line_shares(const Plan& plan, const Word* may,
                                      const std::vector<std::vector<double>>& logs, Watch& watch) {
  const auto num_cells = static_cast<size_t>(plan.length);
  const size_t num_values = logs.size();
  LineShares shares;
  shares.values.assign(num_values, std::vector<double>(num_cells, 0.0));
  WindowFinder finder;
  if (!finder.find(plan, may, shares.windows, watch)) return {};
  WeightedLine line;
  line.lay_out(plan, may, shares.windows);
  std::vector<double> relative(num_values);
  for (size_t cell = 0; cell < num_cells; ++cell) {
    double base = WeightedLine::kNever;
    for (size_t value = 0; value < num_values; ++value) {
      const bool allowed =
          has_bit(may + value * words_for(plan.length), static_cast<int64_t>(cell));
      if (allowed && base == WeightedLine::kNever) base = logs[value][cell];
      relative[value] = allowed ? logs[value][cell] - base : WeightedLine::kNever;
    }
    line.weigh(cell, relative.data());
  }
  Marginals marginals;
  if (!marginals.run(line, watch, &shares.blocks)) return {};
  for (size_t cell = 0; cell < num_cells; ++cell) {
    for (size_t value = 0; value < num_values; ++value) {
      if (marginals.log_odds(cell, value, value) == -HUGE_VAL) continue;
      double total = 0;
      for (size_t other = 0; other < num_values; ++other)
        total += std::exp(marginals.log_odds(cell, other, value));
      shares.values[value][cell] = 1 / total;
    }
  }
  return shares;
}

void check_marginals() {
  const int length = kSides[below(std::size(kSides))], num_colours = 1 + below(3);
  const Cells truth = draw_cells(length, num_colours, length);
  Clue clue = chance(85) ? clue_of(truth) : draw_clue(length, num_colours);
  if (chance(40) && length < 66) hide_lengths(clue, 1 + below(99));
  Planes may(num_colours + 1, std::vector<char>(length, 1));
  remove_values(may, truth, below(40));
  const reference::Logs logs = draw_logs(may.size(), length);
  const reference::Shares expected = reference::shares(clue, may, logs);
  Plan plan(length, num_colours, clue);
  Watch watch;
  const auto found = line_shares(plan, packed(may, length).data(), logs, watch);
  require(found.has_value() == support(clue, may).any, "a contradiction of marginals");
  if (!found) return;
  for (size_t value = 0; value < may.size(); ++value) {
    for (int i = 0; i < length; ++i) {
      require(close(found->values[value][i], expected.values[value][i]), "a cell's marginal");
    }
  }
  for (size_t b = 0; b < clue.size(); ++b) {
    const auto& [starts, ends] = found->blocks[b];
    const Window window = found->windows[b];
    for (size_t i = 0; i < starts.size(); ++i)
      require(close(starts[i], expected.starts[b][window.first + i]), "a start's share");
    for (size_t i = 0; i < ends.size(); ++i)
      require(close(ends[i], expected.ends[b][window.first_end + i]), "an end's share");
    require(ends.empty() == (clue[b].length > 0), "ends of unknown lengths alone");
  }
}

// Checks the messages of the open cells of a segment in one colour.
bool check_segment(const Segments& segments, const SumSegment& segment,
                   const std::vector<double>& incoming, const reference::Shares& expected,
                   const Planes& may, double clamp) {
  SegmentSums sums, portable;
  const double* const sent = sums.run(segments, segment, incoming.data(), clamp);
  vectors_allowed = false;
  const double* const portable_sent = portable.run(segments, segment, incoming.data(), clamp);
  vectors_allowed = true;
  require(!sent == !portable_sent, "a segment without vectors");
  if (!sent) return false;
  for (int cell = 0; cell < segment.num_cells; ++cell) {
    const int at = segment.from + cell;
    if (!may[0][at] || !may[1][at]) continue;
    require(sent[cell] == portable_sent[cell], "the same message without vectors");
    const long double odds = expected.values[1][at] / expected.values[0][at];
    const long double expected_sent =
        std::clamp<long double>(std::log(odds) - incoming[at], -clamp, clamp);
    // Sums have a relative precision of 1e-14.
    const long double least = std::min(expected.values[0][at], expected.values[1][at]);
    const long double off = std::abs(sent[cell] - expected_sent);
    require(off == 0 || (least > 0 && off <= 1e-14L / least + 1e-12L), "a segment's message");
  }
  return true;
}

// Checks the weights of the open cells of a segment in several colours.
bool check_coloured_segment(const Segments& segments, const SumSegment& segment,
                            const reference::Logs& relative, const reference::Shares& expected,
                            const Planes& may) {
  const auto colours = segments.colours(segment);
  const int64_t stride = std::ssize(may[0]) + Segments::kMargin;
  std::vector<double> incoming(colours.size() * stride, 0.0);
  for (size_t plane = 0; plane < colours.size(); ++plane) {
    const auto& logs = relative[colours[plane]];
    std::copy(logs.begin(), logs.end(), incoming.begin() + plane * stride);
  }
  SegmentSums sums, portable;
  const auto found = sums.run_coloured(segments, segment, incoming.data(), stride);
  vectors_allowed = false;
  const auto other = portable.run_coloured(segments, segment, incoming.data(), stride);
  vectors_allowed = true;
  require(!found.rows == !other.rows, "a coloured segment without vectors");
  if (!found.rows) return false;
  for (int cell = 0; cell < segment.num_cells; ++cell) {
    const int at = segment.from + cell;
    for (size_t row = 0; row <= colours.size(); ++row) {
      const long double share = expected.values[row ? colours[row - 1] : 0][at];
      const double log = found.at(row, cell);
      require(log == other.at(row, cell), "the same weight without vectors");
      require(std::isfinite(log), "a weight that can be represented");
      if (share == 0) {
        require(log < SegmentSums::kNone, "the weight of an impossible value");
      } else if (share > 1e-250L) {
        require(std::abs(log - std::log(share)) < 1e-9L, "a weight of a coloured segment");
      }
    }
  }
  return true;
}

int num_large, num_given_up;

// Lines of known lengths, split into segments as by `Beliefs`.
void check_segments(int num_colours) {
  const int length = 1 + below(chance(80) ? 130 : 300);
  const Cells truth = draw_cells(length, num_colours, length);
  const Clue clue = clue_of(truth);
  Planes may(num_colours + 1, std::vector<char>(length, 1));
  remove_values(may, truth, below(40));
  const double clamp = 1 + below(16);
  reference::Logs logs(num_colours + 1, std::vector<double>(length, 0));
  std::vector<double> incoming(length + 3, 0.0);
  const int share = below(101);
  long double magnitude = 0;
  for (int i = 0; i < length; ++i) {
    int num_left = 0;
    double base = 0;
    for (int value = 0; value <= num_colours; ++value) {
      if (!may[value][i]) continue;
      const double log = value == 0      ? 0
                         : chance(share) ? (chance(50) ? clamp : -clamp)
                                         : clamp * (below(2001) - 1000) / 1000;
      if (num_left++ == 0) base = log;
      logs[value][i] = log - base;
      magnitude += std::abs(log - base);
    }
    if (num_colours == 1 && num_left > 1) incoming[i] = logs[1][i];
  }
  Plan plan(length, num_colours, clue);
  require(SegmentSums::fits(plan, clamp) || length > 20, "a line that can be cut");
  if (!SegmentSums::fits(plan, clamp)) return;
  Watch watch;
  WindowFinder finder;
  std::vector<Window> windows;
  const bool any = finder.find(plan, packed(may, length).data(), windows, watch);
  require(any == support(clue, may).any, "a contradiction of windows");
  if (!any) return;
  Segments segments;
  const reference::Shares expected = reference::shares(clue, may, logs);
  num_large += magnitude > 1300;
  if (!segments.add(plan, packed(may, length).data(), windows)) {
    require(segments.size() == 0, "segments of a line that cannot be cut");
    return;
  }
  for (size_t i = 0; i < segments.size(); ++i) {
    const bool is_summed =
        num_colours == 1 ? check_segment(segments, segments[i], incoming, expected, may, clamp)
                         : check_coloured_segment(segments, segments[i], logs, expected, may);
    if (is_summed) continue;
    require(magnitude > 1200, "a segment given up");
    ++num_given_up;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int num_lines = argc > 1 ? std::atoi(argv[1]) : 1000;
  const int seed = argc > 2 ? std::atoi(argv[2]) : 1;
  for (int i = 0; i < num_lines; ++i) {
    start("marginals", i, seed);
    check_marginals();
    start("segments", i, seed);
    check_segments(1);
    start("coloured segments", i, seed);
    check_segments(2 + below(3));
  }
  std::printf(
      "checked the marginals of %d lines, segments of twice as many: %d loud, %d given up\n",
      num_lines, num_large, num_given_up);
}
