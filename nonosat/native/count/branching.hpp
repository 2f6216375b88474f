// Counting a component by branching on its cells: the work of one thread.
//
// Several threads that count the same component share what they find. Each begins at the root and
// takes first the values on which no other thread is working; when these are done, it helps with
// the others, whose finished parts it finds in the cache. Threads that meet at a component divide
// its probes, and branch on the same cell. Source of this order: Weill, "The ABDADA distributed
// minimax-search algorithm" (1996), for game trees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "board/board.hpp"
#include "count/component.hpp"
#include "count/crew.hpp"
#include "count/natural.hpp"
#include "count/shared_counts.hpp"
#include "watch.hpp"

namespace nonosat {

// Number of fillings: all of them if `is_exact`, otherwise those found before the count was ended.
struct Tally {
  Natural value;
  bool is_exact;
};

// Order of the cells on which a count branches.
enum class Order {
  kInOrder,  // cells in their order, with exact propagation
  kByScore,  // the cell whose values remove most, with probing before each decision
};

template <class AnyBoard>
class Branching {
 public:
  struct Statistics {
    int64_t num_frontiers = 0;  // components counted by a frontier
    int64_t num_nodes = 0;      // cells branched on
    int64_t num_recalled = 0;   // components found in the cache
  };

  // Works on `board`, which is unchanged between two calls. `max_bytes` limits the states of a
  // frontier. A thread with a small stack needs a small `max_depth`.
  Branching(AnyBoard& board, SharedStrips& strips, SharedCounts& counts, size_t max_bytes,
            int max_depth);

  // Returns the components of the open cells.
  std::vector<Component> split(Watch& watch) { return splitter_.split(board_.open_cells(), watch); }

  // Counts a component of the board at its line fixpoint until the turn of `counts` is over.
  // `is_alone`: no other thread counts. If the watch stops it, `was_stopped` returns true.
  Tally count(const Component& component, Order order, bool is_alone, Watch& watch);
  bool was_stopped() const { return was_stopped_; }
  const Statistics& statistics() const { return statistics_; }

 private:
  // A count; none if it was left to another thread.
  using MaybeTally = std::optional<Tally>;

  MaybeTally count_product(const std::vector<Component>& components, bool may_leave, Watch& watch);
  MaybeTally count_component(const Component& component, bool may_leave, Watch& watch);
  Tally branch(const Component& component, SharedNode& node, Watch& watch);
  Tally count_open(const Component& component, SharedNode& node, Watch& watch);
  bool settle(const Component& component, SharedNode& node, Watch& watch);
  bool remove(const std::vector<Decision::Removal>& refuted, Watch& watch);
  bool decide(const Component& component, SharedNode& node, Watch& watch);
  int first_cell(const Component& component) const;
  std::optional<Natural> count_by_frontier(const Component& component, int64_t work, Watch& watch);
  const std::vector<Component>* parts_of(const Component& component, SharedNode& node, int at,
                                         Watch& watch);
  Tally sum_over_values(const Component& component, SharedNode& node, Watch& watch);
  bool add_value(const Component& component, SharedNode& node, int value, bool may_leave,
                 Tally& sum, Watch& watch);
  bool probe(const Component& component, SharedNode& node, Watch& watch);
  void probe_cells(const Component& component, SharedNode& node, Watch& watch);
  bool probe_cell(int cell, SharedNode& node, Watch& watch);
  void wait(Watch& watch);
  bool is_spent(const Watch& watch);

  AnyBoard& board_;
  SharedCounts& counts_;
  size_t max_bytes_;
  int max_depth_;
  Splitter<AnyBoard> splitter_;
  Crew alone_{1};  // for frontiers of small components
  Order order_ = Order::kInOrder;
  bool is_alone_ = true;
  int64_t reported_ = 0;  // reading of the watch at the last report of work
  int depth_ = 0;
  bool was_stopped_ = false;
  Statistics statistics_;
};

extern template class Branching<Board>;
extern template class Branching<LaneBoard>;

}  // namespace nonosat
