// Counting a component by branching on its cells: the work of one thread.
//
// Several threads that count the same component share what they find. Each begins at the root and
// takes first the values on which no other thread is working; when these are done, it helps with
// the others, whose finished parts it finds in the cache. It branches on the same cells as the
// thread that was there first. Source of this order: Weill, "The ABDADA distributed minimax-search
// algorithm" (1996), for game trees.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "board/board.hpp"
#include "count/aging.hpp"
#include "count/component.hpp"
#include "count/crew.hpp"
#include "count/natural.hpp"
#include "watch.hpp"

namespace nonosat {

// Number of fillings: all of them if `is_exact`, otherwise those found before the count was ended.
struct Tally {
  Natural value;
  bool is_exact;
};

// Result of the work on a component before it is branched on: its count, or else values that were
// refuted, without which it is split again, or else the cell to branch on.
struct Decision {
  struct Removal {
    int cell, value;
  };

  std::optional<Natural> count;
  std::vector<Removal> removed;
  int cell = -1;
};

// Counts of components, and the components on which threads are working.
class SharedCounts {
 public:
  using Key = std::vector<uint64_t>;

  // A component on which threads are working. `decision` is valid in the state kDecided.
  struct Node {
    enum class State { kOpen, kDeciding, kDecided };

    std::atomic<State> state = State::kOpen;
    Decision decision;
    int num_threads = 0;
  };

  explicit SharedCounts(size_t max_bytes);

  std::optional<Natural> find(const Key& key);
  void put(const Key& key, const Natural& number);

  // Counts this thread among those at work on a component, until `leave`; null if there are others
  // and `may_fail`.
  Node* enter(const Key& key, bool may_fail);
  void leave(const Key& key);

  std::atomic<bool> is_over = false;  // all threads must end the current turn

 private:
  static constexpr size_t kShards = 64;

  struct Shard {
    explicit Shard(size_t max_bytes) : counts(max_bytes) {}

    std::mutex mutex;
    Aging<uint64_t, Natural> counts;
    std::unordered_map<Key, Node, WordsHash> nodes;
  };

  Shard& shard_of(const Key& key) { return *shards_[(WordsHash()(key) >> 24) % kShards]; }

  std::vector<std::unique_ptr<Shard>> shards_;
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

  // Works on `board`, which is unchanged between two calls. `max_bytes` limits the diagrams, and
  // the states of a frontier. A thread with a small stack needs a small `max_depth`.
  Branching(AnyBoard& board, SharedNumbers& numbers, SharedCounts& counts, size_t max_bytes,
            int max_depth);

  // Returns the components of the open cells.
  std::vector<Component> split(Watch& watch) { return splitter_.split(board_.open_cells(), watch); }

  // Counts a component of the board at its line fixpoint for `work` units, or until the turn is
  // over. `is_alone`: no other thread counts. If the watch stops it, `was_stopped` returns true.
  Tally count(const Component& component, Order order, int64_t work, bool is_alone, Watch& watch);
  bool was_stopped() const { return was_stopped_; }
  const Statistics& statistics() const { return statistics_; }

 private:
  // A count; none if it was left to another thread.
  using MaybeTally = std::optional<Tally>;

  using Node = SharedCounts::Node;

  MaybeTally count_cells(const std::vector<int>& cells, bool may_leave, Watch& watch);
  MaybeTally count_component(const Component& component, bool may_leave, Watch& watch);
  Tally branch(const Component& component, Node& node, Watch& watch);
  Tally count_open(const Component& component, Node& node, Watch& watch);
  bool settle(const Component& component, Node& node, Watch& watch);
  bool decide(const Component& component, Decision& decision, Watch& watch);
  int first_cell(const Component& component) const;
  std::optional<Natural> count_by_frontier(const Component& component, int64_t work, Watch& watch);
  Tally sum_over_values(const Component& component, int cell, Watch& watch);
  bool add_value(const Component& component, int cell, int value, bool may_leave, Tally& sum,
                 Watch& watch);
  bool probe(const Component& component, Decision& decision, Watch& watch);
  bool probe_cell(int cell, Decision& decision, double& best, Watch& watch);
  bool is_spent(const Watch& watch) const {
    return was_stopped_ || watch.done() >= work_end_ || counts_.is_over;
  }

  AnyBoard& board_;
  SharedCounts& counts_;
  size_t max_bytes_;
  int max_depth_;
  Splitter<AnyBoard> splitter_;
  Crew alone_{1};  // for frontiers of small components
  Order order_ = Order::kInOrder;
  bool is_alone_ = true;
  int64_t work_end_ = 0;
  int depth_ = 0;
  bool was_stopped_ = false;
  Statistics statistics_;
};

extern template class Branching<Board>;
extern template class Branching<LaneBoard>;

}  // namespace nonosat
