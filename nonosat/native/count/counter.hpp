// Exact number of a board's solutions.
//
// The open cells form components whose counts are multiplied. Each component is counted by three
// methods in turns with growing budgets, so that the total cost is close to that of the best
// method:
//  * a frontier over the whole component, if the board is a rectangle;
//  * branching on its cells in their order, with exact propagation, which prunes states that a
//    frontier would keep, and with a cache of components: far from the decided cells, different
//    decisions leave equal components;
//  * branching on the cell whose values remove most, with probing before each decision.
// Components are split again during branching, and a frontier counts those for which it is cheap.
// With several threads, each turn has the same total work, which the threads share.
// Source of component caching: Sang, Bacchus, Beame, Kautz, Pitassi, "Combining component caching
// and clause learning for effective model counting" (2004).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "board/board.hpp"
#include "board/lanes.hpp"
#include "count/branching.hpp"
#include "count/component.hpp"
#include "count/crew.hpp"
#include "count/frontier.hpp"
#include "count/natural.hpp"
#include "watch.hpp"

namespace nonosat {

template <class AnyBoard>
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
  Counter(AnyBoard& board, size_t max_bytes);

  // Counts for `budget` units of work of the calling thread, and until the current turn has ended,
  // in up to `num_threads` threads that share work of a `grain` or more; true when the number is
  // exact. Leaves the board at its line fixpoint. Throws Stopped, TooLarge and bad_alloc; the next
  // call continues, also after any of them, and `total` never decreases.
  bool run(Watch& watch, int64_t budget, int num_threads = 1, int64_t grain = Crew::kGrain);

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
  Statistics statistics() const;

 private:
  // A component of the board at the start, and its count so far.
  struct Part {
    Component component;
    Tally tally;
    bool is_wide = false;                     // a frontier needs too much memory
    std::set<std::vector<uint8_t>> recorded;  // its cells in the recorded solutions
  };

  enum class Method { kFrontier, kInOrder, kByScore };

  // A thread's board and its search.
  struct Worker {
    std::optional<AnyBoard> copy;  // none for the calling thread
    Branching<AnyBoard> branching;

    Worker(Counter& counter, size_t max_bytes);  // of the calling thread
    Worker(Counter& counter, const AnyBoard& board, size_t max_bytes);
  };

  void begin(Watch& watch);
  void turn();
  void sweep(Part& part, Crew& crew, Watch& watch);
  void branch(Part& part, Crew& crew, Watch& watch);
  void add_workers(int number);

  AnyBoard& board_;
  size_t max_bytes_;
  SharedStrips strips_;
  SharedCounts counts_;
  std::vector<std::unique_ptr<Worker>> workers_;  // by thread
  std::vector<Part> parts_;
  bool has_begun_ = false;
  bool is_contradictory_ = false;
  size_t part_ = 0;  // part and method of the current turn
  Method method_ = Method::kFrontier;
  int64_t turn_work_;
  std::optional<Frontier> frontier_;  // of `frontier_part_`, unfinished
  size_t frontier_part_ = 0;
  int64_t num_swept_ = 0;  // parts that a frontier counted
  bool was_stopped_ = false;
};

extern template class Counter<Board>;
extern template class Counter<LaneBoard>;

}  // namespace nonosat
