// Belief propagation over the rows and columns of a board: estimates the probability of each value
// of each cell if all solutions were equally likely. Rows and columns exchange messages about each
// cell: a line's message contains the odds of each value according to its clue and the messages of
// its crossing lines about its other cells.
//
// Messages are log-odds of a colour versus empty (versus the lowest value left if the cell cannot
// be empty). A line's message is its exact marginal, computed by sums over all its fillings
// weighted with the incoming odds, minus the incoming message; it is clamped and mixed with the
// line's message before. A round is all rows, then all columns. The fixpoint is exact if the open
// cells, as edges between rows and columns, form no cycle and the clamp is never reached; otherwise
// it is a heuristic that need not converge.
//
// Invariant: messages are finite, and values that the board has removed have weight 0. A round
// costs the sums of every line with an open cell (segment_sums.hpp, and line_sums.hpp for unknown
// lengths and large messages); memory is two messages for each cell and colour and the sums
// of one line.
// Source: J. Pearl, Probabilistic Reasoning in Intelligent Systems (1988), for the sum-product
// rule; for nonograms, hyouv's FastNonogramSolver.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "beliefs/marginals.hpp"
#include "beliefs/segment_sums.hpp"
#include "board/board.hpp"
#include "watch.hpp"

namespace nonosat {

class Beliefs {
 public:
  struct Settings {
    double damping = 0.5;  // weight of a message in its next value, below 1
    double clamp = 12;     // largest absolute value of a message, above 0 and at most 100
    // Standard deviation of the first messages, which are normally distributed.
    double sigma = 0;
    uint64_t seed = 0;
  };

  // Beliefs about `board`, which must outlive them and may change between runs; messages are kept.
  // Needs settings in their ranges. Throws TooLarge above 2 GiB of messages.
  Beliefs(Board& board, Settings settings);

  // Draws the first messages if that has not been done; then runs `num_rounds` rounds, fewer if
  // `watch.done()` has reached `end` after one. The board need not be at its fixpoint, and does not
  // change. False if some line has no filling. Throws Stopped and TooLarge: the messages are those
  // of an unfinished round then, and the next call begins another.
  bool run(Watch& watch, int num_rounds, int64_t end = kAnyWork);

  static constexpr int64_t kAnyWork = int64_t{1} << 62;

  // Multiplies the messages about a cell by `share`: 1 keeps them, 0 resets them.
  void fade(int cell, double share);

  // Sets the messages about a cell to the clamp in favour of a value. The next rounds use them once
  // and replace them by messages of the lines.
  void force(int cell, int value);

  // Copies the messages of beliefs about a board, which must have the same size and colours.
  // Messages about a cell whose value is given in `cells` (not Board::kOpen) are set to the clamp
  // for that value.
  void copy_messages(const Beliefs& other, const std::vector<uint8_t>& cells);

  int num_values() const { return board_.num_values(); }
  int num_lines() const { return board_.num_lines(); }
  const Board& board() const { return board_; }
  int64_t num_rounds() const { return num_rounds_; }
  double change() const { return change_; }  // largest change of a message in the last round

  // Returns by cell the probability of the value, from the messages of both its lines; 0 if the
  // board has removed it. The probabilities of a cell sum up to 1.
  std::vector<double> probabilities(int value, Watch& watch) const;

  // Returns the most likely value of every open cell, in the order of the cells. `certainty` is the
  // log-odds of this value versus all others. O(cells x colours).
  struct Choice {
    double certainty;
    int cell, value;
  };
  std::vector<Choice> choices(Watch& watch);

  // Returns for each block its feasible starts and ends (ascending; ends only of unknown lengths),
  // and the probability that it starts, or ends, at or before each of them, from the clue and the
  // messages of the crossing lines. Nothing if the line has no filling.
  struct BlockBelief {
    std::vector<int> starts, ends;
    std::vector<double> started, ended;
  };
  std::optional<std::vector<BlockBelief>> blocks(int line, Watch& watch);

  // Returns for each block 1 if it probably starts at or before each of its starts but the last,
  // else 0, then the same for its ends. Nothing if the line has no filling.
  std::optional<std::vector<uint8_t>> likely_bounds(int line, Watch& watch);

 private:
  void draw_first(Watch& watch);
  // Log-odds of a value versus empty, from the messages of row and column.
  double log_odds(int cell, int value) const;
  bool find_lines(Watch& watch);
  bool is_solved(int line, Watch& watch);
  void find_open(int line);
  bool find_windows(int line, std::vector<Window>& windows, Watch& watch);
  void load(int line, std::span<const Window> windows, Watch& watch);
  bool visit(size_t index, Watch& watch);
  bool visit_segments(size_t index, Watch& watch);
  bool visit_coloured_segments(size_t index, Watch& watch);
  void receive(int line);
  void load_mono(int line);
  template <class LogOdds>
  void send(int line, size_t place, const double* incoming, const LogOdds& log_odds);
  void send_mono(int line);

  int length(int line) const { return line < board_.height() ? board_.width() : board_.height(); }
  // Messages from and to a line, and the index of those about one of its places.
  std::vector<double>& messages_from(int line) { return messages_[line >= board_.height()]; }
  const std::vector<double>& messages_to(int line) const {
    return messages_[line < board_.height()];
  }
  size_t message_at(int line, size_t place) const {
    const size_t width = board_.width(), height = board_.height(), at = line;
    const size_t cell = at < height ? at * width + place : place * width + at - height;
    return cell * (board_.num_values() - 1);
  }

  Board& board_;
  Settings settings_;
  std::vector<double> messages_[2];  // of rows, of columns; by cell, then colour
  std::vector<int> lines_;           // lines with open cells, ascending
  std::vector<Window> windows_;      // windows of their blocks, one line after another
  // For each line of `lines_`, the index of its first entry in `windows_`; then the size of
  // `windows_`.
  std::vector<size_t> windows_at_;
  Segments segments_;
  std::vector<size_t> segments_at_;  // likewise for segments; a line may have none
  WeightedLine line_;                // the current line
  std::vector<int32_t> places_;      // its open cells
  // Incoming messages of the cells in `places_`, by value; with one colour, one number per cell.
  std::vector<double> incoming_;
  std::vector<double> weights_;  // logarithms by plane and cell, for a segment
  std::vector<int> planes_;      // by value the row of its results; -1 without one
  std::vector<Word> kept_;
  Scratch scratch_;
  WindowFinder finder_;
  Marginals marginals_;
  SegmentSums segment_sums_;
  bool is_started_ = false;
  int64_t num_rounds_ = 0;
  double change_ = 0;
};

}  // namespace nonosat
