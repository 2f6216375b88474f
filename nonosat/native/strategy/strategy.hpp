// Sequence of attempts that decides if a board has one solution, several or none: the cheapest
// first, each with a budget (budgets.hpp), the last one unlimited.
//
// If the caller passes a solution, all attempts search for a second one, first close to it.
// Otherwise these attempts, in this order, try to find the first solution: a short search
// (search/search.hpp), dives (board/dive.hpp), prices (pricing.hpp), decimation (attempts.hpp) and
// the learning search (engine.hpp). After the first solution come cheap candidates close to it
// (neighbours.hpp), then prices, which can prove that it is the only one, then the learning search,
// which decides everything else.
//
// A deadline of the watch ends a slice; the next call continues from there.
//
// Invariant: a verdict is a proof. Every solution satisfies all lines, and the absence of others is
// a refutation by lines, by prices or by the learning search.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "board/board.hpp"
#include "board/probe.hpp"
#include "decimation/decimation.hpp"
#include "search/search.hpp"
#include "strategy/attempts.hpp"
#include "strategy/budgets.hpp"
#include "strategy/cells.hpp"
#include "strategy/engine.hpp"
#include "strategy/pricing.hpp"
#include "strategy/turns.hpp"
#include "strategy/whole.hpp"
#include "watch.hpp"

namespace nonosat::strategy {

enum class Verdict { kOpen, kUnique, kMultiple, kUnsolvable };

// Knowledge of the caller about a board and its solutions.
struct Known {
  Cells picture;  // a claimed solution, which is verified; empty if there is none

  // Cells in which the picture differs from another picture that is the only solution of its own
  // clues: a second solution differs from the picture near them (proof in questions/checker.py).
  std::optional<std::vector<int>> edited;

  // True if the board is presolved. `prober`: the last prober of this board or of its original, if
  // any.
  bool is_presolved = false;
  const Prober<Board>* prober = nullptr;
};

// Options of the caller.
struct Options {
  size_t num_solutions = 2;  // limit of the attempts; the native engine finds at most two
  std::optional<std::vector<Attempt>> decimations;  // replace those of the table
  bool is_led = true;  // until there is a solution, decimations set the engine's phases
};

class Strategy {
 public:
  // Counters of the attempts so far; those of prices and decimation are of the last attempt.
  struct Counts {
    int64_t nodes = 0, decisions = 0, neighbours = 0, sweeps = 0;
    std::optional<int64_t> bound;    // cells in which another solution differs from the known one
    std::optional<Attempt> attempt;  // the last decimation that is counted here
    int64_t steps = 0, pushes = 0, rounds = 0, refuted = 0, released = 0, complete = 0, times = 0;
  };

  // Takes a board with its clues and given cells, propagated or not.
  Strategy(const Board& board, Known known, const Budgets& budgets = {}, Options options = {});
  Strategy(const Strategy&) = delete;  // its searches refer to its board
  Strategy& operator=(const Strategy&) = delete;

  // Works on the current stage until the stage ends or finds a solution; does nothing after a
  // verdict. Throws Stopped, after which the next call continues, and TooLarge and bad_alloc, after
  // which all results so far are kept.
  void step(Watch& watch);

  // Name of the stage of the next step; "solve" is the learning search.
  const char* stage() const;

  Verdict verdict() const { return verdict_; }
  bool is_exhausted() const { return is_exhausted_; }  // no further solutions exist
  const Solutions& solutions() const { return solutions_; }
  const Counts& counts() const { return counts_; }

  // For callers that run their own engine instead of the native one: returns its next turn,
  // receives a solution that it found, and starts a pause between two turns. Afterwards the caller
  // calls `step` until the stage is "solve" again.
  Turn next_turn() { return turns_.next(!solutions_.empty()); }
  void take_found(const Cells& cells);
  void pause();

  // For callers that run their own decimations instead of the native ones: returns the settings of
  // the next ones, and receives the values reached, Board::kOpen for an open cell; empty if a
  // decimation refuted the board.
  const std::vector<Attempt>& decimations();
  void take_decimated(const Cells& cells);

  // The prices that have refuted the whole board; null if something else has, or nothing.
  Prices* refuting() const { return refuting_ ? refuting_->refuting() : nullptr; }

  // The last decimation; null before the first one.
  const Decimation* decimation() const { return decimation_.get(); }

  // Propagates and probes the board if the verdict did not need this. Throws Stopped, after which
  // the next call continues.
  void presolve(Watch& watch);

  // The board now; no solution has a value that was removed.
  const Board& board() const { return board_; }

  // The learning search over the board; null before its first turn.
  std::unique_ptr<Engine>& engine() { return engine_; }
  const Engine* engine() const { return engine_.get(); }

 private:
  enum class When { kAlways, kWithoutPicture, kWithFirst, kSettled, kWithoutSecond, kManyLikely };
  struct Stage {
    const char* name;
    bool (Strategy::*work)(Watch&);  // returns true at the end of the stage
    When when;
  };
  struct Searching {
    explicit Searching(const Board& from) : board(from) {}
    Board board;
    std::optional<Search<Board>> search;
  };
  static const Stage kStages[];
  static constexpr size_t kProbe = 2, kSearch = 3;  // indices of stages

  bool work(Watch& watch);
  void skip();
  bool try_neighbours(Watch& watch);
  bool propagate(Watch& watch);
  bool probe(Watch& watch);
  bool search(Watch& watch);
  bool go_on_searching(Watch& watch);
  bool dive(Watch& watch);
  bool price(Watch& watch);
  bool decimate(Watch& watch);
  bool solve(Watch& watch);

  bool take(Cells cells);
  void take_first(const Cells& cells, int64_t num_close);
  void end_without_others();
  void note_board();
  std::vector<Ends> ends() const;
  void begin_prices(bool with_marginals, int64_t work, bool is_patient);
  void run_prices(Watch& watch);
  bool run_decimation(const Attempt& attempt, Watch& watch);
  void begin_turn(Watch& watch);
  bool follow(int restart, Watch& watch);

  Budgets budgets_;
  Options options_;
  std::optional<std::vector<int>> edited_;
  Board board_;
  bool has_picture_;
  Verdict verdict_ = Verdict::kOpen;
  bool is_exhausted_ = false;
  size_t stage_ = 0;
  Solutions solutions_;
  Counts counts_;
  Whole whole_;
  std::optional<Prober<Board>> prober_;
  int64_t probing_left_;
  std::unique_ptr<Searching> searching_;
  bool tries_neighbours_ = false;     // the next step tries cheap candidates
  std::unique_ptr<Pricing> pricing_;  // during a search by prices
  std::unique_ptr<Pricing> refuting_;
  int64_t num_sweeps_ = 0;    // maximum over all searches by prices
  int num_pauses_ = 0;        // pauses that began a search by prices
  size_t num_attempted_ = 0;  // decimations finished before the engine's first turn
  bool is_large_ = false;     // the board was large when decimation began
  std::unique_ptr<Decimation> decimation_;
  bool is_decimating_ = false;  // `decimation_` is not finished
  int64_t decimated_ = 0;       // units of work of `decimation_`
  std::unique_ptr<Engine> engine_;
  Turns turns_;
  std::optional<Turn> turn_;   // current turn of the engine
  bool has_begun_ = false;     // `turn_` has begun
  bool seeks_second_ = false;  // the engine searches for a second solution
  int64_t turn_end_ = 0;       // the engine's total of conflicts at the end of the turn
};

}  // namespace nonosat::strategy
