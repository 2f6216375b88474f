// What a page wants to know of a puzzle that is being drawn, found out in short slices: whether it
// has one solution, several or none; then all cells in which solutions differ, and how many
// solutions there are.
//
// A watch with a deadline ends a slice, and the next call goes on from there. The verdict takes the
// way of the backend `auto`, cheapest steps first, and that of `questions/checker.py` where a
// picture is known to be a solution: then only a second one is looked for.
//
// Invariant: a verdict is a proof: every solution that is told of was completed under all lines,
// and that there are no others was refuted by lines, prices or the learning search.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "board/board.hpp"
#include "board/probe.hpp"
#include "count/counter.hpp"
#include "decimation/decimation.hpp"
#include "live/engine.hpp"
#include "prices/prices.hpp"
#include "watch.hpp"

namespace nonosat::live {

enum class Verdict { kOpen, kUnique, kMultiple, kUnsolvable };

struct Puzzle {
  int num_colours = 1;
  std::vector<Clue> rows, columns;
  Cells given;    // Board::kOpen where nothing is given; empty where nothing is at all
  Cells picture;  // a solution that is claimed; empty where none is
};

// A board of a puzzle, not yet propagated. Throws Stopped and TooLarge.
Board board_of(const Puzzle& puzzle, Watch& watch);

class Inquiry {
 public:
  // `max_bytes`: what counting may remember. Throws Stopped and TooLarge.
  Inquiry(const Puzzle& puzzle, size_t max_bytes, Watch& watch);
  Inquiry(const Inquiry&) = delete;  // its searches are about its board
  Inquiry& operator=(const Inquiry&) = delete;

  // All three throw Stopped, after which they go on when called again, and TooLarge and bad_alloc,
  // after which what is known stays.

  // Works until the verdict is known.
  void judge(Watch& watch);

  // Of a puzzle with several solutions: works until all cells are known in which some differ.
  void compare(Watch& watch);

  // After the verdict: works until the number of solutions is known.
  void count(Watch& watch);

  Verdict verdict() const { return verdict_; }
  const Cells& first() const { return first_; }    // a solution; empty while none is known
  const Cells& second() const { return second_; }  // another one

  // By cell, whether two known solutions differ in it.
  const std::vector<uint8_t>& differing() const { return differing_; }
  bool is_compared() const { return is_compared_; }

  // The number of solutions, or a lower bound.
  Natural total() const;
  bool is_counted() const { return is_counted_; }

 private:
  // Steps towards the verdict; each returns whether it is done. All but the last may be so without
  // a verdict.
  using Step = bool (Inquiry::*)(Watch&);
  bool propagate(Watch& watch);
  bool probe(Watch& watch);
  bool look_at_picture(Watch& watch);
  bool search(Watch& watch);
  bool dive(Watch& watch);
  bool price(Watch& watch);
  bool decimate(Watch& watch);
  bool lead(Watch& watch);
  bool switch_corners(Watch& watch);
  bool settle(Watch& watch);
  bool seek_rival(Watch& watch);

  bool is_solution(const Cells& cells, Watch& watch);
  void take(const Cells& cells);
  void end_without_others();
  Cells reached(Watch& watch);
  void take_switches(size_t most);
  bool settle_by(const std::vector<std::pair<int, int>>& impossible, Watch& watch);
  int least_distance() const;

  Puzzle puzzle_;
  Board board_;
  size_t max_bytes_;
  Verdict verdict_ = Verdict::kOpen;
  size_t step_ = 0;
  Cells first_, second_;
  std::optional<Prober> prober_;
  int64_t probing_left_;
  std::unique_ptr<Prices> prices_;
  std::unique_ptr<Decimation> decimation_;
  int64_t decimating_ = 0;  // units of work of the one under way
  int turn_ = 0;            // of decimation, then of the engine that looks for a first solution
  bool has_turn_ = false;   // the engine, until it has had so many conflicts
  int64_t turn_end_ = 0;
  std::unique_ptr<Engine> engine_;
  bool is_asked_ = false;  // the engine, for what is missing in `differing_`
  std::vector<uint8_t> differing_;
  bool is_compared_ = false;
  std::optional<Board> counted_;  // changed by the counter alone
  std::unique_ptr<Counter> counter_;
  bool is_counted_ = false;
};

}  // namespace nonosat::live
