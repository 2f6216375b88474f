// Belief propagation over the rows and columns of a board: how likely each cell has each value, if
// all fillings that the lines allow were equally likely. Rows and columns exchange messages about
// each cell: a line's message says how likely its clue, and the messages of its crossing lines
// about its other cells, make each value.
//
// Messages are log-odds of a colour versus empty (versus the lowest value left where the cell
// cannot be empty). A line's message is that of its exact marginal, by sums over all its fillings
// weighted with the incoming odds, minus the incoming message; it is clamped, and mixed with the
// line's message before. A round is all rows, then all columns. In the end exact where the open
// cells, as edges between rows and columns, close no cycle and the clamp is never reached;
// elsewhere a heuristic that need not converge.
//
// Invariant: messages are finite, and values that the board has ruled out weigh nothing. A round
// costs the sums of every line with an open cell (segment_sums.hpp, and line_sums.hpp for colours,
// unknown lengths and loud messages), memory is two messages a cell and
// colour and the sums of one line. Source: J. Pearl, Probabilistic Reasoning in Intelligent Systems
// (1988), for the sum-product rule; for nonograms, hyouv's FastNonogramSolver.
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
    double damping = 0.5;  // the share of a message that stays, below 1
    double clamp = 12;     // of messages, above 0 and at most 100
    double sigma = 0;      // of the normal distribution that the first messages are drawn from
    uint64_t seed = 0;
  };

  // Beliefs about `board`, which must outlive them and may change between runs: messages stay.
  // Needs settings in their ranges. Throws TooLarge above 2 GiB of messages.
  Beliefs(Board& board, Settings settings);

  // Draws the first messages, where that was not done; then does `num_rounds` rounds, which need
  // not have the board at its fixpoint. Leaves the board as it is. False when some line has no
  // filling. Throws Stopped and TooLarge: the messages are those of an unfinished round then, and
  // the next call begins another.
  bool run(Watch& watch, int num_rounds);

  // Multiplies the messages about a cell by `share`: 1 keeps them, 0 forgets them.
  void fade(int cell, double share);

  // Sets the messages about a cell to the clamp for a value, against all others. The next rounds
  // hear that once, and replace it by what the lines say.
  void insist(int cell, int value);

  // Takes over the messages of beliefs about a board of the same size and colours, which the caller
  // has to see to. Messages about a cell whose value is given in `cells` (not Board::kOpen) are set
  // to the clamp for that value, against all others.
  void follow(const Beliefs& other, const std::vector<uint8_t>& cells);

  int num_values() const { return board_.num_values(); }
  int num_lines() const { return board_.num_lines(); }
  const Board& board() const { return board_; }
  int64_t num_rounds() const { return num_rounds_; }
  double change() const { return change_; }  // largest one of a message in the last round

  // By cell: how likely it has the value, from the messages of both its lines; 0 where the board
  // rules it out. The values of a cell sum up to 1.
  std::vector<double> probabilities(int value, Watch& watch) const;

  // The most likely value of every open cell, in the order of the cells. `certainty` is the
  // logarithm of the odds for it against all other values. O(cells x colours).
  struct Choice {
    double certainty;
    int cell, value;
  };
  std::vector<Choice> choices(Watch& watch);

  // A block's feasible starts and ends (ascending; ends only of unknown lengths), and how likely
  // it starts, or ends, at or before each: from the clue and the messages of the crossing lines. No
  // value when the line has no filling.
  struct BlockBelief {
    std::vector<int> starts, ends;
    std::vector<double> started, ended;
  };
  std::optional<std::vector<BlockBelief>> blocks(int line, Watch& watch);

  // By block, whether it is likelier than not to start at or before each of its starts but the
  // last, then the same of its ends. No value when the line has no filling.
  std::optional<std::vector<uint8_t>> likely_bounds(int line, Watch& watch);

 private:
  void start(Watch& watch);
  // What row and column say of a value, against the cell's being empty.
  double log_odds(int cell, int value) const;
  bool refresh(Watch& watch);
  bool is_solved(int line, Watch& watch);
  void find_open(int line);
  bool find_windows(int line, std::vector<Window>& windows, Watch& watch);
  void load(int line, std::span<const Window> windows, Watch& watch);
  bool visit(size_t index, Watch& watch);
  bool visit_segments(size_t index, Watch& watch);
  void load_mono(int line);
  void tell(int line, size_t place, const double* heard);
  void tell_mono(int line);

  int length(int line) const { return line < board_.height() ? board_.width() : board_.height(); }
  // Messages from and to a line, and where those about a place of it begin.
  std::vector<double>& told_by(int line) { return messages_[line >= board_.height()]; }
  const std::vector<double>& told_to(int line) const { return messages_[line < board_.height()]; }
  size_t message_at(int line, size_t place) const {
    const size_t width = board_.width(), height = board_.height(), at = line;
    const size_t cell = at < height ? at * width + place : place * width + at - height;
    return cell * (board_.num_values() - 1);
  }

  Board& board_;
  Settings settings_;
  std::vector<double> messages_[2];  // of rows, of columns; by cell, then colour
  std::vector<int> lines_;           // that have open cells, ascending
  std::vector<Window> windows_;      // of their blocks, a line after another
  std::vector<size_t> windows_at_;   // where those of each begin, and the end
  Segments segments_;
  std::vector<size_t> segments_at_;  // where those of each begin, and the end; may be none
  WeightedLine line_;                // the one under way
  std::vector<int32_t> places_;      // of its open cells
  std::vector<double> heard_;        // of them, by value; for one colour a number each
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
