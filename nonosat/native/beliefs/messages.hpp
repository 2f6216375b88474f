// Messages of the lines of a board about the values of its cells, as log-odds of a colour versus
// empty. A line receives about each of its cells the sum of the messages of the cell's other lines.
//
// On a rectangle each cell has one other line, so what a row sends is what columns receive. On a
// board of lanes the messages are stored by lane and place, and their sum by cell; what a lane
// receives is clamped, because the sums of a line need bounded messages (segment_sums.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "board/board.hpp"
#include "board/lanes.hpp"

namespace nonosat {

template <class AnyBoard>
class Messages;

template <>
class Messages<Board> {
 public:
  // The messages that one line receives and sends, by place in the line and colour, from 1.
  class OfLine {
   public:
    OfLine(const double* received, double* sent, size_t step)
        : received_(received), sent_(sent), step_(step) {}
    double received(size_t at, int colour = 1) const { return received_[at * step_ + colour - 1]; }
    double sent(size_t at, int colour = 1) const { return sent_[at * step_ + colour - 1]; }
    void send(size_t at, int colour, double message) { sent_[at * step_ + colour - 1] = message; }

   private:
    const double* received_;
    double* sent_;
    size_t step_;
  };

  Messages(const Board& board, double clamp)
      : height_(board.height()),
        width_(board.width()),
        num_colours_(board.num_values() - 1),
        clamp_(clamp) {
    for (auto& side : by_side_) side.resize(size_t(board.num_cells()) * num_colours_, 0.0);
  }

  OfLine of(int line) {
    const bool is_row = line < height_;
    const size_t first = is_row ? static_cast<size_t>(line) * width_ : line - height_;
    const size_t at = first * num_colours_, step = is_row ? 1 : width_;
    return {&by_side_[is_row][at], &by_side_[!is_row][at], step * num_colours_};
  }

  double log_odds(int cell, int colour) const {
    const size_t at = size_t(cell) * num_colours_ + colour - 1;
    return by_side_[0][at] + by_side_[1][at];
  }

  // Replaces every message by a number that `draw` returns.
  template <class Draw>
  void fill(Draw draw) {
    for (auto& side : by_side_) {
      for (double& message : side) message = draw();
    }
  }

  void fade(int cell, double share) {
    for (auto& side : by_side_) {
      for (size_t i = 0; i < num_colours_; ++i) side[cell * num_colours_ + i] *= share;
    }
  }

  void force(int cell, int value) {
    for (auto& side : by_side_) {
      double* const message = &side[static_cast<size_t>(cell) * num_colours_];
      for (int colour = 1; colour <= static_cast<int>(num_colours_); ++colour)
        message[colour - 1] = colour == value ? clamp_ : -clamp_;
    }
  }

  void copy(const Messages& other) {
    for (const int side : {0, 1}) by_side_[side] = other.by_side_[side];
  }

 private:
  int height_, width_;
  size_t num_colours_;
  double clamp_;
  std::vector<double> by_side_[2];  // of rows, of columns; by cell, then colour
};

template <>
class Messages<LaneBoard> {
 public:
  class OfLine {
   public:
    OfLine(Messages& all, int lane) : all_(all), lane_(lane), first_(all.first_[lane]) {}
    double received(size_t at, int colour = 1) const {
      const double others = all_.total_[in_total(at, colour)] - sent(at, colour);
      return std::clamp(others, -all_.clamp_, all_.clamp_);
    }
    double sent(size_t at, int colour = 1) const { return all_.sent_[in_sent(at, colour)]; }
    void send(size_t at, int colour, double message) {
      double& mine = all_.sent_[in_sent(at, colour)];
      all_.total_[in_total(at, colour)] += message - mine;
      mine = message;
    }

   private:
    size_t in_sent(size_t at, int colour) const {
      return (first_ + at) * all_.num_colours_ + colour - 1;
    }
    size_t in_total(size_t at, int colour) const {
      const auto cell = static_cast<size_t>(all_.board_.cell_in(lane_, static_cast<int>(at)));
      return cell * all_.num_colours_ + colour - 1;
    }

    Messages& all_;
    int lane_;
    size_t first_;
  };

  // `board` must outlive the messages.
  Messages(const LaneBoard& board, double clamp)
      : board_(board),
        num_colours_(board.num_values() - 1),
        clamp_(clamp),
        total_(static_cast<size_t>(board.num_cells()) * num_colours_, 0.0) {
    size_t num_places = 0;
    for (int lane = 0; lane < board.num_lines(); ++lane) {
      first_.push_back(num_places);
      num_places += static_cast<size_t>(board.plan(lane).length);
    }
    sent_.resize(num_places * num_colours_, 0.0);
  }

  OfLine of(int lane) { return {*this, lane}; }

  double log_odds(int cell, int colour) const { return total_[cell * num_colours_ + colour - 1]; }

  template <class Draw>
  void fill(Draw draw) {
    for (int cell = 0; cell < board_.num_cells(); ++cell) {
      change(cell, [&](double, int) { return draw(); });
    }
  }

  void fade(int cell, double share) {
    change(cell, [&](double before, int) { return before * share; });
  }

  void force(int cell, int value) {
    change(cell, [&](double, int colour) { return colour == value ? clamp_ : -clamp_; });
  }

  void copy(const Messages& other) {
    sent_ = other.sent_;
    total_ = other.total_;
  }

 private:
  // Replaces each message about a cell, and sums them up again.
  template <class Change>
  void change(int cell, Change changed) {
    double* const total = &total_[static_cast<size_t>(cell) * num_colours_];
    std::fill_n(total, num_colours_, 0.0);
    board_.for_places_of(cell, [&](int lane, int at) {
      double* const mine = &sent_[(first_[lane] + at) * num_colours_];
      for (size_t i = 0; i < num_colours_; ++i) {
        total[i] += mine[i] = changed(mine[i], static_cast<int>(i) + 1);
      }
    });
  }

  const LaneBoard& board_;
  size_t num_colours_;
  double clamp_;
  std::vector<size_t> first_;  // by lane: its first place
  std::vector<double> sent_;   // by place, then colour
  std::vector<double> total_;  // by cell, then colour
};

}  // namespace nonosat
