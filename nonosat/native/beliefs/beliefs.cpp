#include "beliefs/beliefs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <random>
#include <string>

namespace nonosat {
namespace {

constexpr double kLeastRest = 1e-300;  // lower limit of the probability of the other values
constexpr int64_t kMaxMessages = int64_t{1} << 27;  // of one side; both sides take two gibibytes

// Standard normal numbers, equal on all platforms: the distribution of the library is not
// specified.
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

// Returns the normalised sums over the positions up to each of `at`; shares[i] belongs to position
// `first` + i.
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
  for (auto& messages : messages_) messages.resize(static_cast<size_t>(count), 0.0);
}

// Draws the first messages; all of them again after the watch has stopped it.
void Beliefs::draw_first(Watch& watch) {
  Normal normal(settings_.seed);
  for (auto& messages : messages_) {
    for (double& message : messages) {
      watch.work(50);
      message = std::clamp(settings_.sigma * normal(), -settings_.clamp, settings_.clamp);
    }
  }
}

// Returns true if a line without open cells has the blocks of its clue.
bool Beliefs::is_solved(int line, Watch& watch) {
  kept_.resize(static_cast<size_t>(board_.num_values()) * words_for(length(line)));
  return propagate_line(board_.plan(line), board_.planes(line), kept_.data(), false, scratch_,
                        watch);
}

void Beliefs::fade(int cell, double share) {
  const size_t num_colours = board_.num_values() - 1;
  for (auto& messages : messages_) {
    for (size_t i = 0; i < num_colours; ++i) messages[cell * num_colours + i] *= share;
  }
}

void Beliefs::force(int cell, int value) {
  const int num_colours = board_.num_values() - 1;
  for (auto& messages : messages_) {
    double* const message = &messages[static_cast<size_t>(cell) * num_colours];
    for (int colour = 1; colour <= num_colours; ++colour)
      message[colour - 1] = colour == value ? settings_.clamp : -settings_.clamp;
  }
}

void Beliefs::copy_messages(const Beliefs& other, const std::vector<uint8_t>& cells) {
  is_started_ = true;
  for (const int side : {0, 1}) messages_[side] = other.messages_[side];
  for (int cell = 0; cell < board_.num_cells(); ++cell) {
    if (cells[cell] != Board::kOpen) force(cell, cells[cell]);
  }
}

// Finds the lines with open cells and the windows of their blocks, since the board may have changed
// since the last run. False if some line has no filling.
bool Beliefs::find_lines(Watch& watch) {
  lines_.clear();
  windows_.clear();
  windows_at_.assign(1, 0);
  segments_.clear();
  segments_at_.assign(1, 0);
  for (int line = 0; line < board_.num_lines(); ++line) {
    find_open(line);
    if (places_.empty()) {
      if (!is_solved(line, watch)) return false;
      continue;
    }
    if (!find_windows(line, windows_, watch)) return false;
    lines_.push_back(line);
    const Plan& plan = board_.plan(line);
    const auto windows = std::span(windows_).subspan(windows_at_.back());
    if (SegmentSums::fits(plan, settings_.clamp)) segments_.add(plan, board_.planes(line), windows);
    segments_at_.push_back(segments_.size());
    windows_at_.push_back(windows_.size());
  }
  return true;
}

bool Beliefs::run(Watch& watch, int num_rounds, int64_t end) {
  if (!is_started_ && settings_.sigma > 0) draw_first(watch);
  is_started_ = true;
  if (!find_lines(watch)) return false;
  for (int round = 0; round < num_rounds && (round == 0 || watch.done() < end); ++round) {
    change_ = 0;
    for (size_t index = 0; index < lines_.size(); ++index) {
      if (!visit(index, watch)) return false;
    }
    ++num_rounds_;
  }
  return true;
}

// Finds the cells of a line with more than one value left, into `places_`.
void Beliefs::find_open(int line) {
  const Word* planes = board_.planes(line);
  const int num_words = words_for(length(line));
  places_.clear();
  for (int i = 0; i < num_words; ++i) {
    Word open = values_left(planes, board_.num_values(), num_words, i).several;
    for (; open; open &= open - 1) places_.push_back(i * kWordBits + std::countr_zero(open));
  }
}

// Appends the windows of the blocks; false if the line has no filling.
bool Beliefs::find_windows(int line, std::vector<Window>& windows, Watch& watch) {
  return finder_.find(board_.plan(line), board_.planes(line), windows, watch, board_.windows(line));
}

// Loads a line and weights its open cells by the messages of the crossing lines, into `incoming_`
// and `places_`.
void Beliefs::load(int line, std::span<const Window> windows, Watch& watch) {
  const int num_values = board_.num_values();
  watch.work(10 * int64_t{length(line)} * num_values);
  line_.lay_out(board_.plan(line), board_.planes(line), windows);
  find_open(line);
  if (num_values == 2) return load_mono(line);
  receive(line);
  const double* incoming = incoming_.data();
  for (const int32_t place : places_) {
    line_.weigh(place, incoming);
    incoming += num_values;
  }
}

// Reads the messages about the cells in `places_` from the crossing lines into `incoming_`,
// relative to the lowest value left.
void Beliefs::receive(int line) {
  const int num_values = board_.num_values(), num_words = words_for(length(line));
  const Word* may = board_.planes(line);
  incoming_.resize(places_.size() * num_values);
  double* incoming = incoming_.data();
  for (const int32_t place : places_) {
    const double* received = &messages_to(line)[message_at(line, place)];  // of value v at v - 1
    double base = WeightedLine::kNever;
    for (int value = 0; value < num_values; ++value) {
      const bool allowed = has_bit(may + static_cast<size_t>(value) * num_words, place);
      const double log = value ? received[value - 1] : 0;
      if (allowed && base == WeightedLine::kNever) base = log;
      incoming[value] = allowed ? log - base : WeightedLine::kNever;
    }
    incoming += num_values;
  }
}

// Like `load`, for a line of one colour: every open cell has both values left, so the message about
// it is one number.
void Beliefs::load_mono(int line) {
  incoming_.resize(places_.size());
  const double* const received = &messages_to(line)[message_at(line, 0)];
  const size_t step = line < board_.height() ? 1 : board_.width();
  for (size_t i = 0; i < places_.size(); ++i) incoming_[i] = received[places_[i] * step];
  line_.weigh_mono(places_, incoming_.data());
}

// Updates the messages of one line: sums over its fillings weighted with the messages of its
// crossing lines, and sends the result to each open cell. False if the line has no filling.
bool Beliefs::visit(size_t index, Watch& watch) {
  const bool is_mono = board_.num_values() == 2;
  if (is_mono ? visit_segments(index, watch) : visit_coloured_segments(index, watch)) return true;
  const int line = lines_[index];
  const size_t from = windows_at_[index], to = windows_at_[index + 1];
  load(line, std::span(windows_).subspan(from, to - from), watch);
  if (!marginals_.run(line_, watch)) return false;
  if (is_mono) {
    send_mono(line);
    return true;
  }
  const double* incoming = incoming_.data();
  for (const int32_t place : places_) {
    send(line, place, incoming,
         [&](int value, int base) { return marginals_.log_odds(place, value, base); });
    incoming += board_.num_values();
  }
  return true;
}

// Like `visit`, for lines of one colour that are divided into segments. Returns false if
// SegmentSums cannot sum a segment, or if the line has no segment; messages of other segments may
// then be updated.
bool Beliefs::visit_segments(size_t index, Watch& watch) {
  const size_t first = segments_at_[index], end = segments_at_[index + 1];
  const int line = lines_[index];
  const double* const received = &messages_to(line)[message_at(line, 0)];
  double* const sent = &messages_from(line)[message_at(line, 0)];
  const size_t step = line < board_.height() ? 1 : board_.width();
  const double damping = settings_.damping;
  incoming_.resize(length(line) + Segments::kMargin);
  double change = change_;
  for (size_t i = first; i < end; ++i) {
    const SumSegment& segment = segments_[i];
    watch.work(4 * segment.num_cells + segment.num_blocks * (segment.slack + 8));
    for (int32_t at = segment.from; at < segment.from + segment.num_cells; ++at)
      incoming_[at] = received[at * step];
    const double* const update =
        segment_sums_.run(segments_, segment, incoming_.data(), settings_.clamp);
    if (!update) return false;
    const uint8_t* const empty = segments_.may_be_empty(segment);
    const uint8_t* const filled = segments_.may_be_filled(segment);
    for (int32_t cell = 0; cell < segment.num_cells; cell += 4) {
      for (unsigned open = empty[cell] & filled[cell / 4]; open; open &= open - 1) {
        const int32_t at = cell + std::countr_zero(open);
        double& message = sent[(segment.from + at) * step];
        const double mixed = damping * message + (1 - damping) * update[at];
        change = std::max(change, std::abs(mixed - message));
        message = mixed;
      }
    }
  }
  change_ = change;
  return first < end;
}

// Like `visit_segments`, for lines of several colours.
bool Beliefs::visit_coloured_segments(size_t index, Watch& watch) {
  const size_t first = segments_at_[index], end = segments_at_[index + 1];
  if (first == end) return false;
  const int line = lines_[index], num_values = board_.num_values();
  find_open(line);
  receive(line);
  const int64_t stride = length(line) + Segments::kMargin;
  size_t from = 0;  // index of a segment's first cell in `places_`
  for (size_t i = first; i < end; ++i) {
    const SumSegment& segment = segments_[i];
    watch.work((4 * segment.num_cells + 2 * segment.num_blocks * (segment.slack + 8)) * 2);
    size_t to = from;
    while (to < places_.size() && places_[to] < segment.from + segment.num_cells) ++to;
    const auto colours = segments_.colours(segment);
    weights_.assign(colours.size() * stride, 0.0);
    for (size_t plane = 0; plane < colours.size(); ++plane) {
      const double* const incoming = &incoming_[colours[plane]];
      for (size_t at = from; at < to; ++at) {
        const double log = incoming[at * num_values];
        if (log != WeightedLine::kNever) weights_[plane * stride + places_[at]] = log;
      }
    }
    const SegmentSums::Logs logs =
        segment_sums_.run_coloured(segments_, segment, weights_.data(), stride);
    if (!logs.rows) return false;
    planes_.assign(num_values, -1);
    planes_[0] = 0;
    for (size_t plane = 0; plane < colours.size(); ++plane) planes_[colours[plane]] = 1 + plane;
    for (; from < to; ++from) {
      const auto log = [&](int value) {
        const int row = planes_[value];
        const double found = row < 0 ? -HUGE_VAL : logs.at(row, places_[from] - segment.from);
        return found < SegmentSums::kNone ? -HUGE_VAL : found;
      };
      // As Marginals::log_odds, for values that the line does not allow although the board does.
      send(line, places_[from], &incoming_[from * num_values], [&](int value, int base) {
        const double mine = log(value);
        return mine == -HUGE_VAL ? mine : mine - log(base);
      });
    }
  }
  return true;
}

// Updates the line's message about one of its open cells: the log-odds of its marginal minus the
// incoming message, clamped and mixed with the message before. `incoming`: the message of the
// crossing line by value, kNever for removed values. `log_odds`: of a value versus another.
// Messages are relative to the lowest value left.
template <class LogOdds>
void Beliefs::send(int line, size_t place, const double* incoming, const LogOdds& log_odds) {
  double* sent = &messages_from(line)[message_at(line, place)];  // of value v at v - 1
  int base = 0;
  while (incoming[base] == WeightedLine::kNever) ++base;
  const double base_before = base ? sent[base - 1] : 0;
  for (int value = base + 1; value < board_.num_values(); ++value) {
    if (incoming[value] == WeightedLine::kNever) continue;
    const double before = sent[value - 1] - base_before;
    const double update =
        std::clamp(log_odds(value, base) - incoming[value], -settings_.clamp, settings_.clamp);
    const double mixed = settings_.damping * before + (1 - settings_.damping) * update;
    sent[value - 1] = mixed;
    change_ = std::max(change_, std::abs(mixed - before));
  }
  if (base) sent[base - 1] = 0;
}

// Like `send`, for all open cells of a line of one colour.
void Beliefs::send_mono(int line) {
  double* const sent = &messages_from(line)[message_at(line, 0)];
  const size_t step = line < board_.height() ? 1 : board_.width();
  const double damping = settings_.damping, clamp = settings_.clamp;
  double change = change_;  // a local copy: messages may alias the member
  for (size_t i = 0; i < places_.size(); ++i) {
    double& message = sent[places_[i] * step];
    const double update =
        std::clamp(marginals_.log_odds(places_[i], 1, 0) - incoming_[i], -clamp, clamp);
    const double mixed = damping * message + (1 - damping) * update;
    change = std::max(change, std::abs(mixed - message));
    message = mixed;
  }
  change_ = change;
}

double Beliefs::log_odds(int cell, int value) const {
  if (!value) return 0;
  const size_t at = size_t(cell) * (board_.num_values() - 1) + value - 1;
  return messages_[0][at] + messages_[1][at];
}

std::vector<double> Beliefs::probabilities(int value, Watch& watch) const {
  const size_t num_colours = board_.num_values() - 1;
  std::vector<double> found(board_.num_cells(), 0.0);
  for (int cell = 0; cell < board_.num_cells(); ++cell) {
    watch.work(10 * static_cast<int64_t>(num_colours));
    if (!board_.may(cell, value)) continue;
    const double mine = log_odds(cell, value);
    double total = 0;  // relative to this value; infinite if its probability is 0
    for (int other = 0; other < board_.num_values(); ++other) {
      if (board_.may(cell, other)) total += std::exp(log_odds(cell, other) - mine);
    }
    found[cell] = 1 / total;
  }
  return found;
}

auto Beliefs::choices(Watch& watch) -> std::vector<Choice> {
  std::vector<Choice> found;
  const int num_values = board_.num_values();
  for (int row = 0; row < board_.height(); ++row) {
    watch.work(10 * int64_t{board_.width()} * num_values);
    find_open(row);
    for (const int32_t place : places_) {
      const int cell = row * board_.width() + place;
      if (num_values == 2) {
        const double log = log_odds(cell, 1);
        found.push_back({std::abs(log), cell, log > 0});
        continue;
      }
      Choice likeliest{-HUGE_VAL, cell, 0};
      double total = 0;
      for (int value = 0; value < num_values; ++value) {
        if (!board_.may(cell, value)) continue;
        const double log = log_odds(cell, value);
        total += std::exp(log);
        if (log > likeliest.certainty) likeliest = {log, cell, value};
      }
      const double log = likeliest.certainty - std::log(total);  // logarithm of the probability
      likeliest.certainty = log - std::log(-std::expm1(std::min(log, -kLeastRest)));
      found.push_back(likeliest);
    }
  }
  return found;
}

auto Beliefs::blocks(int line, Watch& watch) -> std::optional<std::vector<BlockBelief>> {
  std::vector<Window> windows;
  if (!find_windows(line, windows, watch)) return {};
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

std::optional<std::vector<uint8_t>> Beliefs::likely_bounds(int line, Watch& watch) {
  const auto found = blocks(line, watch);
  if (!found) return {};
  std::vector<uint8_t> likely;
  for (const BlockBelief& block : *found) {
    for (const auto* shares : {&block.started, &block.ended}) {
      for (size_t i = 0; i + 1 < shares->size(); ++i) likely.push_back((*shares)[i] > 0.5);
    }
  }
  return likely;
}

}  // namespace nonosat
