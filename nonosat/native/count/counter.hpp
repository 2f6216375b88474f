// The exact number of a board's solutions.
//
// The open cells fall into components whose counts multiply. Each is counted in one of three ways,
// which take turns with growing budgets, so that none costs much more than the best:
//  * a frontier that goes through all of it;
//  * branching on its cells in their order, where exact propagation prunes what a frontier would
//    carry on, and components met before are remembered: far from the cells that are decided,
//    different decisions leave the same behind;
//  * branching on the cell whose values settle most, with probing before each decision.
// Components fall apart on the way, and a frontier takes over where that is cheap.
// Source of components and their memory: Sang, Bacchus, Beame, Kautz, Pitassi, "Combining component
// caching and clause learning for effective model counting" (2004).
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "board/board.hpp"
#include "count/aging.hpp"
#include "count/component.hpp"
#include "count/natural.hpp"
#include "watch.hpp"

namespace nonosat {

class Counter {
 public:
  struct Statistics {
    int64_t num_components = 0;  // of the open cells
    int64_t num_frontiers = 0;   // components counted so
    int64_t num_nodes = 0;       // cells branched on
    int64_t num_recalled = 0;    // components counted before
  };

  // Works on `board`, which nobody else may change and which may not have been propagated yet;
  // `max_bytes` is for what is remembered and for the states of a frontier.
  Counter(Board& board, size_t max_bytes);

  // Counts for so many units of work, and until the turn that is then under way has ended; true
  // when the number is exact. Leaves the board at its line fixpoint. Throws Stopped, TooLarge and
  // bad_alloc; the next call goes on, also after any of them, and `total` never falls.
  bool run(Watch& watch, int64_t budget);

  // Tells of a solution, one byte a cell: from then on `total` is at least the number of different
  // ones told of. Needs a call of `run` that has begun.
  void note(const std::vector<uint8_t>& cells);

  // The exact number of solutions, or a lower bound.
  Natural total() const;
  bool is_exact() const;
  int num_cells() const { return board_.num_cells(); }

  // By cell the number of its component, or -1 where it is decided; from the first call of `run`
  // on. The fillings of one component do not depend on those of another.
  std::vector<int32_t> component_of_cells() const;
  const Statistics& statistics() const { return statistics_; }

 private:
  // A number of fillings: all of them, or as many as were found before something ended the count.
  struct Tally {
    Natural value;
    bool is_exact;
  };

  // A component of the board at first, and what is known of it.
  struct Part {
    Component component;
    Tally tally;
    std::set<std::vector<uint8_t>> noted;  // its cells in the solutions told of
  };

  enum class Way { kFrontier, kInOrder, kByScore };

  struct Branching {
    int cell = -1;
    double score = -1;
    bool is_consistent = true;
    bool has_learned = false;
  };

  void begin(Watch& watch);
  void work_on(Part& part, Watch& watch);
  void turn();
  Tally count_cells(const std::vector<int>& cells, Watch& watch);
  Tally count_component(const Component& component, Watch& watch);
  Tally branch(const Component& component, Watch& watch);
  Tally count_probed(const Component& component, Watch& watch);
  Tally count_settled(const Component& component, int cell, int64_t work, Watch& watch);
  int first_cell(const Component& component) const;
  Tally sum_over_values(const Component& component, int cell, Watch& watch);
  Branching probe(const Component& component, Watch& watch);
  bool probe_cell(int cell, Branching& branching, Watch& watch);
  bool is_spent(const Watch& watch) const { return was_stopped_ || watch.done() >= work_end_; }

  Board& board_;
  size_t max_bytes_;
  Splitter splitter_;
  Aging<uint64_t, Natural> counts_;  // by component
  std::vector<Part> parts_;
  bool has_begun_ = false;
  bool is_contradictory_ = false;
  size_t part_ = 0;  // whose turn it is, and in which way
  Way way_ = Way::kFrontier;
  int64_t turn_work_;
  int64_t work_end_ = 0;
  int depth_ = 0;
  bool was_stopped_ = false;
  Statistics statistics_;
};

}  // namespace nonosat
