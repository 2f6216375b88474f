#include "knight/beliefs.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "cost.hpp"

namespace nonosat::knight {

namespace {

// Limits on the average numbers per step of candidates and of penalties. On a board of 30 x 30 with
// every fourth number given these are 25 and about 200.
constexpr size_t kMostCandidates = 100, kMostPenalties = 2000;

// KNIGHT.md has the measurements for these.
// Weight of a message in its next value; smaller values oscillate.
constexpr float kKept = 0.8f;
constexpr float kLikelier = 1.65f;  // odds factor of the walk's squares, half a nat
constexpr int kNear = 4;            // distance in rows and columns that is near a wrong square
constexpr float kShare = 0.3f;      // share of a belief's logarithm that is its penalty

constexpr double kLeast = 1e-12;     // lower bound of divisors
constexpr double kNothing = 1e-300;  // initial value of sums that may underflow
constexpr float kStrongest = 25;     // largest message: floats can hold the products of its odds

}  // namespace

Beliefs::Beliefs(const Walk& walk, Watch& watch)
    : walk_(walk),
      steps_(walk.num_steps()),
      neighbour_weights_(walk.board().num_squares()),
      sums_(walk.board().num_squares()),
      is_near_(walk.board().num_squares()) {
  for (const Walk::Gap& gap : walk.gaps()) {
    if (add_candidates(gap, watch)) continue;
    steps_.assign(walk.num_steps(), {});
    squares_.clear();
    penalties_.clear();
    return;
  }
  for (auto* of_each : {&messages_, &weights_, &forward_, &odds_, &beliefs_}) {
    of_each->resize(squares_.size());
  }
  other_penalty_ = kMost;
}

// Adds the squares of each step of a gap from which both ends can be reached in the remaining
// moves; false if there are too many.
bool Beliefs::add_candidates(const Walk::Gap& gap, Watch& watch) {
  const size_t num_squares = is_near_.size(), num_steps = steps_.size();
  watch.work(2 * static_cast<int64_t>(gap.length() * num_squares));
  const auto ahead = walk_.reached(gap, true), back = walk_.reached(gap, false);
  for (int i = 0; i < gap.length(); ++i) {
    Step& step = steps_[gap.before + 1 + i];
    step.first = squares_.size();
    for (const Square square : walk_.open()) {
      const size_t at = i * num_squares + square;
      if (ahead[at] && back[at]) squares_.push_back(square);
    }
    step.end = squares_.size();
    assert(step.first < step.end);  // the walk's square is one of them
    step.lowest = squares_[step.first];
    step.width = squares_.back() - step.lowest + 1;
    step.penalties = penalties_.size();
    penalties_.resize(penalties_.size() + step.width);
    if (squares_.size() > kMostCandidates * num_steps) return false;
    if (penalties_.size() > kMostPenalties * num_steps) return false;
  }
  return true;
}

void Beliefs::exchange(int num_rounds, bool leads, Watch& watch) {
  if (squares_.empty()) return;
  if (leads) mark_near();
  for (int round = 0; round < num_rounds; ++round) {
    watch.work(cost::kCandidate * static_cast<int64_t>(squares_.size()));
    apply_weights(leads);
    for (const Walk::Gap& gap : walk_.gaps()) {
      sum_forward(gap);
      sum_backward(gap);
    }
    send_from_squares();
  }
  write_penalties();
}

void Beliefs::mark_near() {
  const auto& board = walk_.board();
  std::fill(is_near_.begin(), is_near_.end(), 0);
  for (const Square wrong : walk_.wrong()) {
    const Place at = board.place(wrong);
    const int row = at / board.columns(), column = at % board.columns();
    const int last_row = std::min(board.rows() - 1, row + kNear);
    const int last_column = std::min(board.columns() - 1, column + kNear);
    for (int r = std::max(0, row - kNear); r <= last_row; ++r) {
      for (int c = std::max(0, column - kNear); c <= last_column; ++c) {
        is_near_[board.square(r * board.columns() + c)] = 1;
      }
    }
  }
}

void Beliefs::apply_weights(bool leads) {
  for (size_t k = 0; k < squares_.size(); ++k) weights_[k] = std::exp(messages_[k]);
  if (!leads) return;
  for (int step = 0; step < walk_.num_steps(); ++step) {
    if (walk_.is_given(step) || is_near_[walk_.at(step)]) continue;
    const auto first = squares_.begin() + steps_[step].first;
    const auto end = squares_.begin() + steps_[step].end;
    const auto found = std::lower_bound(first, end, walk_.at(step));
    assert(found != end && *found == walk_.at(step));
    weights_[found - squares_.begin()] *= kLikelier;
  }
}

// Sums for each candidate of a step the weights of the neighbouring step's candidates that are a
// move away, or 1 if that step is given. Clears the weights of the neighbouring step, and returns
// the sum of all.
float Beliefs::sum_neighbours(size_t step, int neighbour, std::vector<float>& sums) {
  const auto& moves = walk_.board().moves();
  const Step& here = steps_[step];
  if (walk_.is_given(neighbour)) {
    std::fill(sums.begin() + here.first, sums.begin() + here.end, 1.0f);
    return static_cast<float>(here.end - here.first);
  }
  float total = 0;
  for (size_t k = here.first; k < here.end; ++k) {
    float sum = 0;
    for (const Square move : moves) sum += neighbour_weights_[squares_[k] + move];
    total += sums[k] = sum;
  }
  const Step& there = steps_[neighbour];
  for (size_t k = there.first; k < there.end; ++k) neighbour_weights_[squares_[k]] = 0;
  return total;
}

// Forward sums of a gap, normalised to one for each step, which does not change odds.
void Beliefs::sum_forward(const Walk::Gap& gap) {
  for (int step = gap.before + 1; step < gap.after; ++step) {
    const float total = sum_neighbours(step, step - 1, forward_);
    for (size_t k = steps_[step].first; k < steps_[step].end; ++k) {
      neighbour_weights_[squares_[k]] = (forward_[k] /= total) * weights_[k];
    }
  }
  const Step& last = steps_[gap.after - 1];
  for (size_t k = last.first; k < last.end; ++k) neighbour_weights_[squares_[k]] = 0;
}

// Backward sums of a gap, and the odds and beliefs of both directions together.
void Beliefs::sum_backward(const Walk::Gap& gap) {
  for (int step = gap.after - 1; step > gap.before; --step) {
    const Step& here = steps_[step];
    const float total = sum_neighbours(step, step + 1, odds_);
    double all = kNothing;
    for (size_t k = here.first; k < here.end; ++k) {
      const float back = odds_[k] / total;
      neighbour_weights_[squares_[k]] = back * weights_[k];
      odds_[k] = back * forward_[k];
      all += beliefs_[k] = odds_[k] * weights_[k];
    }
    for (size_t k = here.first; k < here.end; ++k) {
      odds_[k] = static_cast<float>(odds_[k] / std::max(all - beliefs_[k], kLeast * all));
      beliefs_[k] = static_cast<float>(beliefs_[k] / all);
    }
  }
  const Step& first = steps_[gap.before + 1];
  for (size_t k = first.first; k < first.end; ++k) neighbour_weights_[squares_[k]] = 0;
}

// Sends to each step the messages of squares: the smaller the odds that other steps are at the
// square, the larger the message.
void Beliefs::send_from_squares() {
  std::fill(sums_.begin(), sums_.end(), 0);
  for (size_t k = 0; k < squares_.size(); ++k) sums_[squares_[k]] += odds_[k];
  for (size_t k = 0; k < squares_.size(); ++k) {
    const double others = std::max(sums_[squares_[k]] - odds_[k], kLeast);
    const float message = -std::log(static_cast<float>(others));
    messages_[k] =
        std::clamp(kKept * messages_[k] + (1 - kKept) * message, -kStrongest, kStrongest);
  }
}

void Beliefs::write_penalties() {
  std::fill(penalties_.begin(), penalties_.end(), static_cast<uint8_t>(kMost));
  for (const Step& step : steps_) {
    for (size_t k = step.first; k < step.end; ++k) {
      const float nats = -kShare * std::log(std::max(beliefs_[k], 1e-30f));
      penalties_[step.penalties + squares_[k] - step.lowest] =
          static_cast<uint8_t>(std::min(kUnits * nats, static_cast<float>(kMost)));
    }
  }
}

}  // namespace nonosat::knight
