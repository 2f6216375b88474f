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

// What is known of a board's solutions beforehand.
struct Known {
  Cells picture;  // a solution that is claimed, which is verified; empty without one

  // Cells in which the picture differs from one that is the only solution of its own clues: another
  // solution differs from the picture near them (questions/checker.py has the proof).
  std::optional<std::vector<int>> edited;

  // True if the board is presolved; the last prober of the board, or of the board that it is a copy
  // of, if there was one.
  bool is_presolved = false;
  const Prober* prober = nullptr;
};

// Options of the caller.
struct Wanted {
  size_t num_solutions = 2;  // the attempts stop at; the native engine finds at most two
  std::optional<std::vector<Attempt>> decimations;  // replace those of the table
  bool is_led = true;  // turns of the engine have phases until there is a solution
};

class Strategy {
 public:
  // Work of the attempts so far; for prices and decimation, of the last ones.
  struct Counts {
    int64_t nodes = 0, decisions = 0, neighbours = 0, sweeps = 0;
    std::optional<int64_t> bound;    // cells in which another solution differs from the known one
    std::optional<Attempt> attempt;  // the last one of those that are counted here
    int64_t steps = 0, pushes = 0, rounds = 0, refuted = 0, released = 0, complete = 0, times = 0;
  };

  // Of a board as its clues and given cells say, propagated or not.
  Strategy(const Board& board, Known known, const Budgets& budgets = {}, Wanted wanted = {});
  Strategy(const Strategy&) = delete;  // its searches are about its board
  Strategy& operator=(const Strategy&) = delete;

  // Until there is a verdict: works on one stage, until it is over or has something to tell. Throws
  // Stopped, after which the next call goes on, and TooLarge and bad_alloc, after which what is
  // known stays.
  void step(Watch& watch);

  // The stage that the next step works on; "solve" is that of the learning search.
  const char* stage() const;

  Verdict verdict() const { return verdict_; }
  bool is_exhausted() const { return is_exhausted_; }  // there are no further solutions
  const Solutions& solutions() const { return solutions_; }
  const Counts& counts() const { return counts_; }

  // For an engine of the caller instead of the native one: its next turn, a solution that it has
  // found, a pause between two turns. Then steps follow until the stage is "solve" again.
  Turn next_turn() { return turns_.next(!solutions_.empty()); }
  void take_found(const Cells& cells);
  void pause();

  // For decimations of the caller instead of the native ones: the next attempts, and the values
  // reached, Board::kOpen for an open cell; empty if a decimation has refuted the board.
  const std::vector<Attempt>& decimations();
  void take_decimated(const Cells& cells);

  // The prices that have refuted the whole board; null if something else has, or nothing.
  Prices* refuting() const { return refuting_ ? refuting_->refuting() : nullptr; }

  // The last decimation; null before there is one.
  const Decimation* decimation() const { return decimation_.get(); }

  // Propagates and probes the board if the verdict was found before that. Throws Stopped, after
  // which the next call goes on.
  void presolve(Watch& watch);

  // As it is by now; what was ruled out is in no solution.
  const Board& board() const { return board_; }

  // The learning search over the board, null while there is none.
  std::unique_ptr<Engine>& engine() { return engine_; }
  const Engine* engine() const { return engine_.get(); }

 private:
  enum class When { kAlways, kWithoutPicture, kWithFirst, kSettled, kWithoutSecond, kManyLikely };
  struct Stage {
    const char* name;
    bool (Strategy::*work)(Watch&);  // returns whether it is over
    When when;
  };
  struct Searching {
    explicit Searching(const Board& from) : board(from) {}
    Board board;
    std::optional<Search> search;
  };
  static const Stage kStages[];
  static constexpr size_t kProbe = 2, kSearch = 3;  // among them

  bool work(Watch& watch);
  void skip();
  bool look_close(Watch& watch);
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
  Wanted wanted_;
  std::optional<std::vector<int>> edited_;
  Board board_;
  bool has_picture_;
  Verdict verdict_ = Verdict::kOpen;
  bool is_exhausted_ = false;
  size_t stage_ = 0;
  Solutions solutions_;
  Counts counts_;
  Whole whole_;
  std::optional<Prober> prober_;
  int64_t probing_left_;
  std::unique_ptr<Searching> searching_;
  bool looks_close_ = false;          // cheap candidates come next
  std::unique_ptr<Pricing> pricing_;  // during a search by prices
  std::unique_ptr<Pricing> refuting_;
  int64_t num_sweeps_ = 0;    // of the longest search by prices
  int num_pauses_ = 0;        // with a search by prices
  size_t num_attempted_ = 0;  // decimations before there is an engine
  bool is_large_ = false;     // the board was, when that began
  std::unique_ptr<Decimation> decimation_;
  bool is_decimating_ = false;  // it is under way
  int64_t decimated_ = 0;       // units of work of that
  std::unique_ptr<Engine> engine_;
  Turns turns_;
  std::optional<Turn> turn_;  // of the engine
  bool has_begun_ = false;    // the turn has
  bool has_asked_ = false;    // the engine searches for a second solution
  int64_t turn_end_ = 0;      // conflicts of the engine
};

}  // namespace nonosat::strategy
