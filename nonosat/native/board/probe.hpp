// Failed literal probing on a board: try every value of an open cell, propagate exactly, drop the
// values that are refuted and keep what all others agree on.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "board/board.hpp"
#include "watch.hpp"

namespace nonosat {

enum class Progress { kFixpoint, kContradiction, kBudget };

// How good a cell is to branch on whose values rule out `total` pairs together, one of them no more
// than `least`. A product rewards cells that settle much whichever value is right: on 200 puzzles
// of 25x25 it took 24.5 s where a weighted sum took 31.0 s and the sum 29.1 s.
inline double branching_score(int64_t least, int64_t total) {
  return static_cast<double>(least) * static_cast<double>(total - least);
}

// Every value of one open cell, each assumed and propagated in turn, the board left as it is.
class Probe {
 public:
  struct Consistent {
    int value;
    int64_t num_ruled_out;  // (cell, value) pairs
  };
  struct Common {  // what all consistent values rule out of one word of a row
    size_t index;
    Word removed;
  };

  explicit Probe(const Board& board);

  // Needs a board of that size at its line fixpoint. Throws Stopped. A propagation for each value,
  // and O(words changed + words in common).
  void run(Board& board, int cell, Watch& watch);

  // By ascending value.
  const std::vector<int>& refuted() const { return refuted_; }
  const std::vector<Consistent>& consistent() const { return consistent_; }

  // What follows whatever the value: the refuted ones go, and so does what is common to all others
  // (a failed literal, and the intersection of the branches). A word of 0 rules out nothing.
  const std::vector<Common>& common() const { return common_; }
  bool teaches() const;

  int64_t num_tried() const { return num_tried_; }  // values, in all runs

 private:
  void meet_changes(const Board& board, size_t mark);

  std::vector<uint32_t> branch_of_;  // by row word: the branch that `removed_` is of
  std::unique_ptr<Word[]> removed_;  // by row word: what a branch ruled out
  uint32_t branch_ = 0;
  std::vector<int> refuted_;
  std::vector<Consistent> consistent_;
  std::vector<Common> common_;
  int64_t num_tried_ = 0;
};

class Prober {
 public:
  // Probes `board`, which must outlive it. Cells that are open now are all that it ever probes.
  explicit Prober(Board& board);

  // Goes on from what another prober knows on `board`, a copy of that prober's as it is now.
  Prober(const Prober& other, Board& board);

  const Board& board() const { return board_; }

  // Propagates, then probes until a whole pass over the open cells brings nothing new, or until the
  // watch has done `budget_end` units of work. Leaves the board with fewer values and, unless it
  // returns kContradiction, at a line fixpoint; at kFixpoint no probe would rule out anything more.
  // A probe is not repeated while all lines that it looked at are unchanged. Throws Stopped: what
  // was kept stays sound, and the next call goes on. A pass costs a propagation for each value of
  // each open cell that is not fresh; there are at most as many passes as values to be ruled out,
  // in practice a few.
  Progress run(Watch& watch, int64_t budget_end) { return run(watch, budget_end, false); }

  // The same for one pass, or as many as it takes to find a cell to branch on. What a second pass
  // would learn is not worth it inside a search: without it, 1250 random 30x30 took 9.1 instead of
  // 11.2 s, 50 tournament puzzles 8.8 instead of 9.6 s (benchmarks/native/SEARCH.md).
  Progress run_briefly(Watch& watch, int64_t budget_end) { return run(watch, budget_end, true); }

  // From now on goes through these cells alone. They ascend, and were open when it was made.
  void focus(const std::vector<int>& cells);

  // Says that a branch on the cell came to nothing, so that it is branched on earlier.
  void blame(int cell);

  // After kFixpoint: the open cell whose values rule out most, and the value of it that rules out
  // least, as far as the last probes know; cells that met contradictions before count for more. The
  // cell is -1 on a complete board.
  int best_cell() const { return best_cell_; }
  int best_value() const { return best_value_; }

  // Whether there is such a cell; also after kBudget, then of the cells probed so far.
  bool can_branch() const;

  int64_t num_probes() const { return probe_.num_tried(); }

  // The cells whose probes ruled something out, in order. Who probes them again in this order,
  // propagating in between, rules out as much.
  const std::vector<int>& lessons() const { return lessons_; }

  // Called with every cell whose probe rules something out, before the board is told.
  void on_lesson(std::function<void(int)> listener) { listener_ = std::move(listener); }

 private:
  struct Memory {  // of a cell's last probe
    bool probed = false;
    int16_t value = 0;     // the one that ruled out least
    int32_t failures = 0;  // probes that refuted all values, and refuted branches
    uint64_t time = 0;     // the board's clock
    double score = -1;     // higher is a better cell to branch on
  };

  Progress run(Watch& watch, int64_t budget_end, bool briefly);
  size_t place_of(int cell) const;
  void consider(size_t at);
  bool is_fresh(size_t at) const;
  bool probe(size_t at, Watch& watch, bool& learned);
  bool keep(int cell, Watch& watch, bool& learned);

  Board& board_;
  size_t zone_words_;
  std::vector<int> cells_;          // open when the prober was made
  std::vector<size_t> focus_;       // places in `cells_`, ascending
  std::vector<Memory> memory_;      // of the cells probed so far, and those between them
  std::vector<Word> zones_;         // that the last probe of each of these looked at
  Probe probe_;                     // the one under way
  Probe::Consistent likely_{0, 0};  // value of the last probe that ruled out least
  int best_cell_ = -1;
  int best_value_ = 0;
  double best_score_ = -1;
  std::vector<int> lessons_;
  std::function<void(int)> listener_;
};

}  // namespace nonosat
