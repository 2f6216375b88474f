#include "beliefs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <random>
#include <string>

namespace nonosat {
namespace {

constexpr int64_t kMaxMessages = int64_t{1} << 27;  // two gibibytes of both sides' together
// Standard normal numbers, the same everywhere: the library's distribution is not specified.
class Normal {
 public:
  explicit Normal(uint64_t seed) : bits_(seed) {}

  // Box, Muller 1958.
  double operator()() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  double uniform() { return (static_cast<double>(bits_() >> 11) + 0.5) * 0x1p-53; }

  std::mt19937_64 bits_;
};

// Sums over the positions up to each of `at`; shares[i] is of position `first` + i.
std::vector<double> cumulated(const std::vector<int>& at, const std::vector<double>& shares,
                              int first) {
  std::vector<double> sums;
  double sum = 0;
  for (const int position : at) sums.push_back(sum += shares[position - first]);
  for (double& each : sums) each = std::min(each / sum, 1.0);
  return sums;
}

}  // namespace

Beliefs::Beliefs(Board& board, Settings settings) : board_(board), settings_(settings) {
  const int64_t count = static_cast<int64_t>(board.num_cells()) * (board.num_values() - 1);
  if (count > kMaxMessages) {
    throw TooLarge("messages about " + std::to_string(board.num_cells()) + " cells in " +
                       std::to_string(board.num_values() - 1) + " colours",
                   2 * count, 2 * kMaxMessages);
  }
  Normal normal(settings.seed);
  for (auto& messages : messages_) {
    messages.resize(static_cast<size_t>(count), 0.0);
    if (settings.sigma == 0) continue;
    for (double& message : messages) {
      const double drawn = settings.sigma * normal();
      message = std::clamp(drawn, -settings.clamp, settings.clamp);
    }
  }
  logs_.resize(board.num_values());
}

// What the board knows may have changed since the last run.
bool Beliefs::refresh(Watch& watch) {
  lines_.clear();
  windows_.clear();
  windows_at_.assign(1, 0);
  for (int line = 0; line < board_.num_lines(); ++line) {
    if (!finder_.find(board_.plan(line), board_.planes(line), windows_, watch)) return false;
    find_open(line);
    if (places_.empty()) {
      windows_.resize(windows_at_.back());
    } else {
      lines_.push_back(line);
      windows_at_.push_back(windows_.size());
    }
  }
  return true;
}

bool Beliefs::run(Watch& watch, int num_rounds) {
  if (!refresh(watch)) return false;
  for (int round = 0; round < num_rounds; ++round) {
    change_ = 0;
    for (size_t index = 0; index < lines_.size(); ++index) {
      if (!visit(index, watch)) return false;
    }
    ++num_rounds_;
  }
  return true;
}

// The cells of a line that have more than one value left.
void Beliefs::find_open(int line) {
  const Word* planes = board_.planes(line);
  const int num_words = words_for(length(line));
  places_.clear();
  for (int i = 0; i < num_words; ++i) {
    Word once = 0, twice = 0;
    for (int value = 0; value < board_.num_values(); ++value) {
      const Word plane = planes[static_cast<size_t>(value) * num_words + i];
      twice |= once & plane;
      once |= plane;
    }
    for (; twice; twice &= twice - 1) places_.push_back(i * kWordBits + std::countr_zero(twice));
  }
}

// Lays out a line and weighs its open cells by what it is told.
void Beliefs::load(int line, std::span<const Window> windows, Watch& watch) {
  watch.work(10 * int64_t{length(line)} * board_.num_values());
  line_.lay_out(board_.plan(line), board_.planes(line), windows);
  find_open(line);
  for (const int32_t place : places_) {
    hear(line, place);
    line_.weigh(place, logs_.data());
  }
}

// What the crossing line says of a cell, into `logs_`; returns the value that it is relative to.
int Beliefs::hear(int line, size_t place) {
  const double* told = &told_to(line)[message_at(line, place)];
  int base = -1;
  double base_log = 0;
  for (int value = 0; value < board_.num_values(); ++value) {
    logs_[value] = WeightedLine::kNever;
    if (!may(line, place, value)) continue;
    const double log = value ? told[value - 1] : 0;
    if (base < 0) base = value, base_log = log;
    logs_[value] = log - base_log;
  }
  return base;
}

bool Beliefs::visit(size_t index, Watch& watch) {
  const int line = lines_[index];
  const size_t from = windows_at_[index], to = windows_at_[index + 1];
  load(line, std::span(windows_).subspan(from, to - from), watch);
  if (!marginals_.run(line_, watch)) return false;
  for (const int32_t place : places_) tell(line, place);
  return true;
}

void Beliefs::tell(int line, size_t place) {
  const int base = hear(line, place);
  double* telling = &told_by(line)[message_at(line, place)] - 1;  // by value, from 1 on
  const double base_before = base ? telling[base] : 0;
  for (int value = base + 1; value < board_.num_values(); ++value) {
    if (logs_[value] == WeightedLine::kNever) continue;
    const double heard = logs_[value], before = telling[value] - base_before;
    const double says = std::clamp(marginals_.log_odds(place, value, base) - heard,
                                   -settings_.clamp, settings_.clamp);
    telling[value] = settings_.damping * before + (1 - settings_.damping) * says;
    change_ = std::max(change_, std::abs(telling[value] - before));
  }
  if (base) telling[base] = 0;
}

std::vector<double> Beliefs::probabilities(int value, Watch& watch) const {
  const size_t num_colours = board_.num_values() - 1;
  std::vector<double> found(board_.num_cells(), 0.0);
  for (int cell = 0; cell < board_.num_cells(); ++cell) {
    watch.work(10 * static_cast<int64_t>(num_colours));
    if (!board_.may(cell, value)) continue;
    const size_t at = cell * num_colours;
    const auto log = [&](int other) {
      return other ? messages_[0][at + other - 1] + messages_[1][at + other - 1] : 0.0;
    };
    const double mine = log(value);
    double total = 0;  // relative to this value: one too large is a probability of 0
    for (int other = 0; other < board_.num_values(); ++other) {
      if (board_.may(cell, other)) total += std::exp(log(other) - mine);
    }
    found[cell] = 1 / total;
  }
  return found;
}

auto Beliefs::blocks(int line, Watch& watch) -> std::optional<std::vector<BlockBelief>> {
  std::vector<Window> windows;
  if (!finder_.find(board_.plan(line), board_.planes(line), windows, watch)) return {};
  load(line, windows, watch);
  std::vector<BlockShares> shares;
  if (!marginals_.run(line_, watch, &shares)) return {};
  std::vector<BlockBelief> found(windows.size());
  for (size_t b = 0; b < windows.size(); ++b) {
    BlockBelief& belief = found[b];
    belief.starts = finder_.starts(b);
    belief.started = cumulated(belief.starts, shares[b].starts, windows[b].first);
    if (shares[b].ends.empty()) continue;
    belief.ends = finder_.ends(b);
    belief.ended = cumulated(belief.ends, shares[b].ends, windows[b].first_end);
  }
  return found;
}

}  // namespace nonosat
