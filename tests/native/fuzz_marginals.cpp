// Seeded fuzzing of marginals of lines, meant to be built with -fsanitize=address,undefined: they
// are compared with sums over fillings that share nothing with the core.
//
// Usage: fuzz_marginals [lines] [seed]. Prints what it checked; ends with status 1 at a mistake.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "beliefs/marginals.hpp"
#include "drawing.hpp"
#include "fuzzing.hpp"
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

// Weights around 1, or such that their products are beyond a double.
reference::Logs draw_logs(size_t num_values, size_t length) {
  const double largest = chance(30) ? 0 : chance(60) ? 3 : std::min(99.0, 4000.0 / length);
  std::uniform_real_distribution<double> log(-largest, largest);
  reference::Logs logs(num_values, std::vector<double>(length));
  for (auto& plane : logs) std::generate(plane.begin(), plane.end(), [&] { return log(rng); });
  return logs;
}

void check_marginals() {
  const int length = kSides[below(std::size(kSides))], num_colours = 1 + below(3);
  const Cells truth = draw_cells(length, num_colours, length);
  Clue clue = chance(85) ? clue_of(truth) : draw_clue(length, num_colours);
  if (chance(40) && length < 66) blot(clue, 1 + below(99));
  Planes may(num_colours + 1, std::vector<char>(length, 1));
  forget(may, truth, below(40));
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

}  // namespace

int main(int argc, char** argv) {
  const int num_lines = argc > 1 ? std::atoi(argv[1]) : 1000;
  const int seed = argc > 2 ? std::atoi(argv[2]) : 1;
  for (int i = 0; i < num_lines; ++i) {
    start("marginals", i, seed);
    check_marginals();
  }
  std::printf("checked the marginals of %d lines\n", num_lines);
}
