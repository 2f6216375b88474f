// Exact number of a board's solutions.
//
// The open cells form components whose counts are multiplied. Each component is counted by three
// methods in turns with growing budgets, so that the total cost is close to that of the best
// method:
//  * a frontier over the whole component;
//  * branching on its cells in their order, with exact propagation, which prunes states that a
//    frontier would keep, and with a cache of components: far from the decided cells, different
//    decisions leave equal components;
//  * branching on the cell whose values remove most, with probing before each decision.
// Components are split again during branching, and a frontier counts those for which it is cheap.
// Source of component caching: Sang, Bacchus, Beame, Kautz, Pitassi, "Combining component caching
// and clause learning for effective model counting" (2004).
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
    int64_t num_components = 0;  // components of the open cells
    int64_t num_frontiers = 0;   // components counted by a frontier
    int64_t num_nodes = 0;       // cells branched on
    int64_t num_recalled = 0;    // components found in the cache
  };

  // Works on `board`, which must not be changed by others and may be unpropagated. `max_bytes`
  // limits the caches and the states of a frontier.
  Counter(Board& board, size_t max_bytes);

  // Counts for `budget` units of work, and until the current turn has ended; true when the number
  // is exact. Leaves the board at its line fixpoint. Throws Stopped, TooLarge and bad_alloc; the
  // next call continues, also after any of them, and `total` never decreases.
  bool run(Watch& watch, int64_t budget);

  // Records a solution, one byte for each cell: `total` is then at least the number of different
  // recorded solutions. `run` must have been called before.
  void note(const std::vector<uint8_t>& cells);

  // The exact number of solutions, or a lower bound.
  Natural total() const;
  bool is_exact() const;
  int num_cells() const { return board_.num_cells(); }

  // Returns by cell the number of its component, or -1 for a decided cell; valid after the first
  // call of `run`. The fillings of one component do not depend on those of another.
  std::vector<int32_t> component_of_cells() const;
  const Statistics& statistics() const { return statistics_; }

 private:
  // Number of fillings: all of them if `is_exact`, otherwise those found before the count was
  // ended.
  struct Tally {
    Natural value;
    bool is_exact;
  };

  // A component of the board at the start, and its count so far.
  struct Part {
    Component component;
    Tally tally;
    std::set<std::vector<uint8_t>> recorded;  // its cells in the recorded solutions
  };

  enum class Method { kFrontier, kInOrder, kByScore };

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
  size_t part_ = 0;  // part and method of the current turn
  Method method_ = Method::kFrontier;
  int64_t turn_work_;
  int64_t work_end_ = 0;
  int depth_ = 0;
  bool was_stopped_ = false;
  Statistics statistics_;
};

}  // namespace nonosat
