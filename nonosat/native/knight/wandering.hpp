// A local search over walks: what is missed and what is visited twice wanders until it meets.
//
// A step draws a square that is not visited exactly once, and up to four consecutive squares of the
// walk in whose place others would visit it or leave it; what misses more squares, or stands on
// less likely ones, is taken with a probability that falls with both (focused Metropolis search:
// Seitz, Alava and Orponen 2005). A step takes some 40 ns. One that misses no square is a tour.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "knight/beliefs.hpp"
#include "knight/walk.hpp"

namespace nonosat::knight {

// By number of moves, up to `kMost`, and by difference of squares: the moves that lead there.
class Detours {
 public:
  static constexpr int kMost = 5;

  explicit Detours(const Board& board);

  // Draws so many moves from one square to another, and writes down the squares between them. False
  // where no moves lead there, or those drawn lead over a square that is not open.
  bool draw(const Walk& walk, Square from, Square to, int num_moves, Random& random,
            std::span<Square> between) const;

 private:
  struct Table {
    int32_t farthest;
    std::vector<uint32_t> starts;  // by difference + farthest, in sequences
    std::vector<Square> moves;     // the first ones, `num_moves` - 1 for each sequence
  };
  std::array<Table, kMost + 1> tables_;
};

class Wandering {
 public:
  Wandering(Walk& walk, const Beliefs& beliefs, Random& random);

  void step();

 private:
  static constexpr int kMostReplaced = Detours::kMost - 1;
  static constexpr int kMostToMissed = 3;  // moves to a missed square from either side

  void visit(Square missed);
  void leave(Square square);
  Square board_move() { return walk_.board().moves()[random_.below(kNumMoves)]; }
  bool draw_moves(Square from, std::span<Square> squares);
  bool draw_between(int first, std::span<Square> squares);
  void take(int first, std::span<const Square> squares);

  Walk& walk_;
  const Beliefs& beliefs_;
  Random& random_;
  Detours detours_;
  std::vector<uint32_t> taken_;  // by penalty: 2^32 times the probability that a step is taken
};

}  // namespace nonosat::knight
