// Local search over walks (focused Metropolis search: Seitz, Alava and Orponen 2005).
//
// A step draws a square that is not visited exactly once, and replaces up to four consecutive
// squares of the walk so that they visit it or leave it. A step that increases the number of missed
// squares or the penalties is accepted with a probability that decreases exponentially with both. A
// step takes about 40 ns. A walk that misses no square is a tour.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "knight/beliefs.hpp"
#include "knight/walk.hpp"

namespace nonosat::knight {

// Table of all sequences of up to `kMost` moves, by number of moves and difference of squares.
class Detours {
 public:
  static constexpr int kMost = 5;

  explicit Detours(const Board& board);

  // Draws a sequence of `num_moves` moves from one square to another, and writes the squares
  // between them. False if there is none, or if the one drawn contains a square that is not open.
  bool draw(const Walk& walk, Square from, Square to, int num_moves, Random& random,
            std::span<Square> between) const;

 private:
  struct Table {
    int32_t farthest;
    std::vector<uint32_t> starts;  // by difference + farthest: index of the first sequence
    std::vector<Square> moves;     // all but the last of each sequence, `num_moves` - 1
  };
  std::array<Table, kMost + 1> tables_;
};

class LocalSearch {
 public:
  LocalSearch(Walk& walk, const Beliefs& beliefs, Random& random);

  void step();

 private:
  static constexpr int kMostReplaced = Detours::kMost - 1;
  // A missed square (not visited by the walk) is inserted together with new moves: at most this
  // many that lead to it from a square of the walk, and at most as many that lead back to the walk.
  static constexpr int kMostToMissed = 3;

  void visit(Square missed);
  void leave(Square square);
  Square board_move() { return walk_.board().moves()[random_.below(kNumMoves)]; }
  bool draw_moves(Square from, std::span<Square> squares);
  bool draw_between(int first, std::span<Square> squares);
  void try_replacing(int first, std::span<const Square> squares);

  Walk& walk_;
  const Beliefs& beliefs_;
  Random& random_;
  Detours detours_;
  std::vector<uint32_t> acceptance_;  // by cost: 2^32 times the probability of acceptance
};

}  // namespace nonosat::knight
