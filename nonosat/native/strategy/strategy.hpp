// The sequence of attempts that decides whether a board has one solution, several or none: the
// cheapest first, each with a budget (budgets.hpp), the last one without end.
//
// Where a solution is known from the beginning only a second one is looked for, first close to it.
// Else a short search, dives, prices, decimation and the learning search look for the first one.
// Once there is a solution, cheap candidates close to it come next, then prices, which prove that
// it is alone, then the learning search, which also has the last word.
//
// A watch with a deadline ends a slice, and the next call goes on from there.
//
// Invariant: a verdict is a proof: every solution was completed under all lines, and that there are
// no others was refuted by lines, prices or the learning search.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "board/board.hpp"
#include "board/probe.hpp"
#include "decimation/decimation.hpp"
#include "strategy/attempts.hpp"
#include "strategy/budgets.hpp"
#include "strategy/cells.hpp"
#include "strategy/engine.hpp"
#include "strategy/pricing.hpp"
#include "strategy/whole.hpp"
#include "watch.hpp"

namespace nonosat::strategy {

enum class Verdict { kOpen, kUnique, kMultiple, kUnsolvable };

// What is known of a board's solutions beforehand.
struct Known {
  Cells picture;  // a solution that is claimed, which is verified; empty without one

  // Cells in which the picture differs from one that is the only solution of its own clues: another
  // solution differs from the picture near them (questions/checker.py has the proof).
  std::optional<std::vector<int>> edited;
};

class Strategy {
 public:
  // Of a board as its clues and given cells say, propagated or not.
  Strategy(const Board& board, Known known, const Budgets& budgets = {});
  Strategy(const Strategy&) = delete;  // its searches are about its board
  Strategy& operator=(const Strategy&) = delete;

  // Until there is a verdict: works on one stage, until it is over or has something to tell. Throws
  // Stopped, after which the next call goes on, and TooLarge and bad_alloc, after which what is
  // known stays.
  void step(Watch& watch);

  // The stage that the next step works on.
  const char* stage() const;

  Verdict verdict() const { return verdict_; }
  const Cells& first() const { return first_; }    // a solution; empty while none is known
  const Cells& second() const { return second_; }  // another one

  // Propagates and probes the board if the verdict was found before that. Throws Stopped, after
  // which the next call goes on.
  void presolve(Watch& watch);

  // As it is by now; what was ruled out is in no solution.
  const Board& board() const { return board_; }

  // The learning search over the board, null while there is none.
  std::unique_ptr<Engine>& engine() { return engine_; }
  const Engine* engine() const { return engine_.get(); }

 private:
  enum class When { kAlways, kWithoutPicture, kWithoutFirst, kManyLikely };
  struct Stage {
    const char* name;
    bool (Strategy::*work)(Watch&);  // returns whether it is over
    When when;
  };
  static const Stage kStages[];
  static constexpr size_t kProbe = 2;  // among them

  bool work(Watch& watch);
  void skip();
  bool look_close(Watch& watch);
  bool propagate(Watch& watch);
  bool probe(Watch& watch);
  bool search(Watch& watch);
  bool dive(Watch& watch);
  bool price(Watch& watch);
  bool decimate(Watch& watch);
  bool solve(Watch& watch);

  bool take(const Cells& cells);
  void take_first(const Cells& cells, int64_t num_close);
  void end_without_others();
  void note_board();
  std::vector<Ends> ends() const;
  void begin_prices(bool with_marginals, int64_t work, bool is_patient);
  void run_prices(Watch& watch);
  Cells decimated(const Attempt& attempt, Watch& watch);
  void begin_turn(Watch& watch);
  void begin_led_turn(Watch& watch);
  void begin_turn_for_second();

  Budgets budgets_;
  std::optional<std::vector<int>> edited_;
  Board board_;
  bool has_picture_;
  Verdict verdict_ = Verdict::kOpen;
  size_t stage_ = 0;
  Cells first_, second_;
  Whole whole_;
  std::optional<Prober> prober_;
  int64_t probing_left_;
  std::unique_ptr<Pricing> pricing_;              // while prices are asked
  int64_t num_sweeps_ = 0;                        // of the longest look for prices
  std::optional<std::vector<Attempt>> attempts_;  // decimations before there is an engine
  size_t num_attempted_ = 0;
  bool is_large_ = false;                   // the board was, when that began
  std::unique_ptr<Decimation> decimation_;  // the one under way
  int64_t decimating_ = 0;                  // units of work of that
  Cells reached_;                           // by the last one
  std::unique_ptr<Engine> engine_;
  int turn_ = 0;           // of the engine, led ones alone
  bool is_alone_ = false;  // the turn is one without phases after a led one
  bool has_turn_ = false;
  int64_t turn_end_ = 0;    // conflicts of the engine, like these
  int64_t close_left_ = 0;  // for a turn close to the first solution
  int64_t next_pause_;
};

}  // namespace nonosat::strategy
