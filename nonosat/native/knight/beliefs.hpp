// Marginal probability of each square at each step of a tour with given numbers, as guidance for
// local search.
//
// Sum-product messages (Kschischang, Frey and Loeliger 2001) between gaps and squares. A gap is a
// chain of moves between given squares, whose walks are summed exactly, although they may visit a
// square twice; an open square is visited by one step. The graph has cycles, so these are
// estimates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "knight/walk.hpp"
#include "watch.hpp"

namespace nonosat::knight {

class Beliefs {
 public:
  // Penalties: units in a nat, and the largest penalty of a square.
  static constexpr int kUnits = 100;
  static constexpr int kMost = 200;

  // Needs a walk that has started. If the steps have too many squares for the memory, there are no
  // beliefs and no penalties. Throws Stopped.
  Beliefs(const Walk& walk, Watch& watch);

  // Runs `num_rounds` rounds of messages. If the walk `leads`, its squares count as more likely,
  // except those near squares that it misses or visits more than once. Throws Stopped.
  void exchange(int num_rounds, bool leads, Watch& watch);

  // Returns the penalty of squares at consecutive steps: higher for less likely squares.
  int penalty(int first, std::span<const Square> squares) const {
    int sum = 0;
    for (size_t i = 0; i < squares.size(); ++i) sum += penalty(first + i, squares[i]);
    return sum;
  }

 private:
  // Candidates are the possible squares of a step, numbered over all steps.
  struct Step {
    size_t first = 0, end = 0;     // its candidates, by ascending square
    Square lowest = 0, width = 0;  // range of their squares
    size_t penalties = 0;          // index of the first penalty
  };

  int penalty(size_t step, Square square) const {
    const Step& at = steps_[step];
    const auto offset = static_cast<uint32_t>(square - at.lowest);
    return offset < static_cast<uint32_t>(at.width) ? penalties_[at.penalties + offset]
                                                    : other_penalty_;
  }
  bool add_candidates(const Walk::Gap& gap, Watch& watch);
  void apply_weights(bool leads);
  void mark_near();
  float sum_neighbours(size_t step, int neighbour, std::vector<float>& sums);
  void sum_forward(const Walk::Gap& gap);
  void sum_backward(const Walk::Gap& gap);
  void send_from_squares();
  void write_penalties();

  const Walk& walk_;
  std::vector<Step> steps_;
  std::vector<Square> squares_;  // by candidate, like the following five
  std::vector<float> messages_;  // from the square to its step, log-odds
  std::vector<float> weights_;   // their odds, with those of the walk
  std::vector<float> forward_;   // sums over walks from the gap's beginning
  // Messages from the gap to the square. Before they are computed, the same memory holds the sums
  // over walks to the gap's end.
  std::vector<float> odds_;
  std::vector<float> beliefs_;  // probabilities
  std::vector<uint8_t> penalties_;
  // For each square, its weight at a neighbouring step; zero between two uses.
  std::vector<float> neighbour_weights_;
  std::vector<double> sums_;      // by square, sum of its odds
  std::vector<uint8_t> is_near_;  // by square, 1 if a wrong square is near
  int other_penalty_ = 0;         // penalty of squares that are not candidates
};

}  // namespace nonosat::knight
