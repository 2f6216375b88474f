// Failed literal probing on a board: assumes every value of an open cell, propagates exactly,
// removes the refuted values, and applies what all other values have in common.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "board/board.hpp"
#include "board/lanes.hpp"
#include "watch.hpp"

namespace nonosat {

enum class Progress { kFixpoint, kContradiction, kBudget };

// Returns the score of a cell for branching. Each value of the cell, if it is assumed, excludes
// some (cell, value) pairs: `least` is the smallest number over all values, `total` the sum. The
// product favours cells of which each value decides much: with it 200 puzzles of 25x25 took 24.5 s,
// with a weighted sum 31.0 s, and with the sum 29.1 s.
inline double branching_score(int64_t least, int64_t total) {
  return static_cast<double>(least) * static_cast<double>(total - least);
}

// Probe of one open cell: each of its values is assumed and propagated; the board is unchanged
// afterwards.
template <class AnyBoard>
class Probe {
 public:
  struct Consistent {
    int value;
    int64_t num_ruled_out;  // (cell, value) pairs
  };
  struct Common {  // values that all consistent assumptions remove from one row word
    size_t index;
    Word removed;
  };

  explicit Probe(const AnyBoard& board);

  // Assumes and propagates each value of the open cell, and restores the board afterwards. The
  // results are returned by the functions below. The board must have the size of the constructor's
  // board and be at its line fixpoint. Throws Stopped. Costs a propagation for each value, and
  // O(words changed + words in common).
  void run(AnyBoard& board, int cell, Watch& watch);

  // Values refuted and not refuted, ascending.
  const std::vector<int>& refuted() const { return refuted_; }
  const std::vector<Consistent>& consistent() const { return consistent_; }

  // Values that every consistent assumption removes, by row word. They can be removed from the
  // board, like the refuted values. `removed` is 0 in an entry without such values.
  const std::vector<Common>& common() const { return common_; }
  // Returns true if at least one value can be removed.
  bool removes_any() const;

  int64_t num_tried() const { return num_tried_; }  // values probed in all runs

 private:
  void intersect_changes(const AnyBoard& board, size_t mark);

  std::vector<uint32_t> branch_of_;  // by row word: the branch of its `removed_`
  std::unique_ptr<Word[]> removed_;  // by row word: values that a branch removed
  uint32_t branch_ = 0;
  std::vector<int> refuted_;
  std::vector<Consistent> consistent_;
  std::vector<Common> common_;
  int64_t num_tried_ = 0;
};

template <class AnyBoard>
class Prober {
 public:
  // Probes `board`, which must outlive it. Only cells that are open now are ever probed.
  explicit Prober(AnyBoard& board);

  // Copies another prober and its stored data to `board`, a copy of that prober's board in its
  // present state.
  Prober(const Prober& other, AnyBoard& board);

  const AnyBoard& board() const { return board_; }

  // Propagates, then probes until a whole pass over the open cells finds nothing new, or until the
  // watch has done `budget_end` units of work. Unless it returns kContradiction, the board is at a
  // line fixpoint; after kFixpoint no probe would remove anything more. A probe is not repeated
  // while all lines that it read are unchanged. Throws Stopped: removals made until then are sound,
  // and the next call continues. A pass costs a propagation for each value of each open cell
  // without a current probe; there are at most as many passes as values to be removed, in practice
  // a few.
  Progress run(Watch& watch, int64_t budget_end) { return run(watch, budget_end, false); }

  // Like `run`, but ends after the first pass that finds a cell to branch on. Inside a search a
  // further pass does not pay: without it, 1250 random 30x30 took 9.1 instead of 11.2 s, 50
  // tournament puzzles 8.8 instead of 9.6 s (benchmarks/native/SEARCH.md).
  Progress run_briefly(Watch& watch, int64_t budget_end) { return run(watch, budget_end, true); }

  // Restricts all further passes to these cells: ascending, and open when the prober was made.
  void focus(const std::vector<int>& cells);

  // Records that a branch on the cell was refuted, so that the cell is chosen earlier.
  void count_failure(int cell);

  // After kFixpoint: the open cell with the best score, and its value that excludes the least,
  // according to the last probes; earlier contradictions of a cell raise its score. -1 on a
  // complete board.
  int best_cell() const { return best_cell_; }
  int best_value() const { return best_value_; }

  // Returns true if there is a best cell; after kBudget, among the cells probed so far.
  bool can_branch() const;

  int64_t num_probes() const { return probe_.num_tried(); }

  // Cells whose probes removed values, in order. Probing them again in this order, with propagation
  // in between, removes as much.
  const std::vector<int>& productive_cells() const { return productive_; }

  // Sets a function to be called with every cell whose probe removes values, before the board
  // changes.
  void on_productive(std::function<void(int)> listener) { listener_ = std::move(listener); }

 private:
  struct Memory {  // of a cell's last probe
    bool probed = false;
    int16_t value = 0;     // value that excludes the least
    int32_t failures = 0;  // probes that refuted all values, and refuted branches
    uint64_t time = 0;     // the board's clock
    double score = -1;     // higher is better for branching
  };

  Progress run(Watch& watch, int64_t budget_end, bool briefly);
  size_t place_of(int cell) const;
  void update_best(size_t at);
  bool is_fresh(size_t at) const;
  bool probe(size_t at, Watch& watch, bool& learned);
  bool apply_result(int cell, Watch& watch, bool& learned);

  AnyBoard& board_;
  size_t zone_words_;
  std::vector<int> cells_;      // open when the prober was made
  std::vector<size_t> focus_;   // indices into `cells_`, ascending
  std::vector<Memory> memory_;  // by index into `cells_`, up to the last one probed
  std::vector<Word> zones_;     // zones that the last probe of each of these read
  Probe<AnyBoard> probe_;       // the current one
  typename Probe<AnyBoard>::Consistent loosest_{
      0, 0};  // value of the last probe that excludes the least
  int best_cell_ = -1;
  int best_value_ = 0;
  double best_score_ = -1;
  std::vector<int> productive_;
  std::function<void(int)> listener_;
};

extern template class Probe<Board>;
extern template class Probe<LaneBoard>;
extern template class Prober<Board>;
extern template class Prober<LaneBoard>;

}  // namespace nonosat
