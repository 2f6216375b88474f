// How likely a tour with given numbers stands on each square at each step: what leads local search.
//
// Sum-product messages (Kschischang, Frey and Loeliger 2001) between gaps and squares. A gap is a
// chain of moves between given squares, summed over exactly, though its walks may visit a square
// twice; an open square is visited by one step. The graph has loops, so that these are estimates.
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
  // Penalties: units in a nat, and how many of them a square has at most.
  static constexpr int kUnits = 100;
  static constexpr int kMost = 200;

  // Needs a walk that has started. Where steps have too many squares, memory going with them,
  // there are no beliefs and no penalties. Throws Stopped.
  Beliefs(const Walk& walk, Watch& watch);

  // Exchanges messages, so many times. Once the walk `leads`, its squares count as likelier, but
  // for those near squares that it misses or visits too often. Throws Stopped.
  void exchange(int num_rounds, bool leads, Watch& watch);

  // The penalty of squares at consecutive steps: the less likely, the more.
  int penalty(int first, std::span<const Square> squares) const {
    int sum = 0;
    for (size_t i = 0; i < squares.size(); ++i) sum += penalty(first + i, squares[i]);
    return sum;
  }

 private:
  // Candidates, squares of a step, are numbered through all steps.
  struct Step {
    size_t first = 0, end = 0;     // its candidates, by rising square
    Square lowest = 0, width = 0;  // the squares from the first to the last of them
    size_t penalties = 0;          // where their penalties begin
  };

  int penalty(size_t step, Square square) const {
    const Step& at = steps_[step];
    const auto offset = static_cast<uint32_t>(square - at.lowest);
    return offset < static_cast<uint32_t>(at.width) ? penalties_[at.penalties + offset] : beyond_;
  }
  bool add_candidates(const Walk::Gap& gap, Watch& watch);
  void weigh(bool leads);
  void mark_near();
  float gather(size_t step, int neighbour, std::vector<float>& sums);
  void sum_forward(const Walk::Gap& gap);
  void sum_back(const Walk::Gap& gap);
  void answer();
  void write_penalties();

  const Walk& walk_;
  std::vector<Step> steps_;
  std::vector<Square> squares_;  // by candidate, like the five below
  std::vector<float> messages_;  // of the square to its step, log odds
  std::vector<float> weights_;   // their odds, with what the walk says
  std::vector<float> forward_;   // sums over walks from the gap's beginning
  std::vector<float> odds_;      // of the gap to the square; sums over walks back, before
  std::vector<float> beliefs_;   // probabilities
  std::vector<uint8_t> penalties_;
  std::vector<float> of_neighbour_;  // by square, what a step sums up; zero between two uses
  std::vector<double> sums_;         // by square, of its odds
  std::vector<uint8_t> is_near_;     // by square, whether one that is wrong is near
  int beyond_ = 0;                   // penalty of squares that are no candidates
};

}  // namespace nonosat::knight
