#include "count/branching.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "board/probe.hpp"
#include "board/trial.hpp"
#include "cost.hpp"
#include "count/frontier.hpp"

namespace nonosat {
namespace {

// Limit of a frontier inside kInOrder, which does not probe.
constexpr int64_t kOrderedWork = 20'000;

// Time between two readings of the decision of another thread, which takes up to some milliseconds,
// and its units of work.
constexpr std::chrono::microseconds kWait{100};
constexpr int64_t kWaitingWork = 100'000;

// Presence of a thread at a component.
class Visit {
 public:
  Visit(SharedCounts& counts, const SharedCounts::Key& key, bool may_fail)
      : counts_(counts), key_(key), node_(counts.enter(key, may_fail)) {}
  ~Visit() {
    if (node_) counts_.leave(key_);
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

  SharedCounts::Node* node() const { return node_; }

 private:
  SharedCounts& counts_;
  const SharedCounts::Key& key_;
  SharedCounts::Node* node_;
};

// Takes a node's state back, unless a decision was made, so that another thread can decide.
class Deciding {
 public:
  explicit Deciding(SharedCounts::Node& node) : node_(node) {}
  ~Deciding() { node_.state = is_decided ? State::kDecided : State::kOpen; }
  Deciding(const Deciding&) = delete;
  Deciding& operator=(const Deciding&) = delete;

  bool is_decided = false;

 private:
  using State = SharedCounts::Node::State;
  SharedCounts::Node& node_;
};

}  // namespace

SharedCounts::SharedCounts(size_t max_bytes) {
  while (shards_.size() < kShards) {
    shards_.push_back(std::make_unique<Shard>(max_bytes / kShards));
  }
}

std::optional<Natural> SharedCounts::find(const Key& key) {
  Shard& shard = shard_of(key);
  const std::lock_guard lock(shard.mutex);
  const Natural* known = shard.counts.find(key);
  return known ? std::optional(*known) : std::nullopt;
}

void SharedCounts::put(const Key& key, const Natural& number) {
  Shard& shard = shard_of(key);
  const std::lock_guard lock(shard.mutex);
  shard.counts.put(key, number);
}

SharedCounts::Node* SharedCounts::enter(const Key& key, bool may_fail) {
  Shard& shard = shard_of(key);
  const std::lock_guard lock(shard.mutex);
  Node& node = shard.nodes[key];
  if (may_fail && node.num_threads > 0) return nullptr;
  ++node.num_threads;
  return &node;
}

void SharedCounts::leave(const Key& key) {
  Shard& shard = shard_of(key);
  const std::lock_guard lock(shard.mutex);
  const auto node = shard.nodes.find(key);
  if (!--node->second.num_threads) shard.nodes.erase(node);
}

template <class AnyBoard>
Branching<AnyBoard>::Branching(AnyBoard& board, SharedNumbers& numbers, SharedCounts& counts,
                               size_t max_bytes, int max_depth)
    : board_(board),
      counts_(counts),
      max_bytes_(max_bytes),
      max_depth_(max_depth),
      splitter_(board, numbers, max_bytes / 3) {}

template <class AnyBoard>
Tally Branching<AnyBoard>::count(const Component& component, Order order, int64_t work,
                                 bool is_alone, Watch& watch) {
  order_ = order, is_alone_ = is_alone, was_stopped_ = false;
  work_end_ = watch.done() + work;
  return *count_component(component, false, watch);
}

// Returns the product of the counts of the components of some cells, on a board at a fixpoint. None
// if other threads are at work on one of them, and `may_leave`. The components are not divided
// among threads: one without a filling makes the work on the larger ones after it superfluous.
template <class AnyBoard>
typename Branching<AnyBoard>::MaybeTally Branching<AnyBoard>::count_cells(
    const std::vector<int>& cells, bool may_leave, Watch& watch) {
  const std::vector<Component> components = splitter_.split(cells, watch);
  Tally product{Natural(1), true};
  for (const Component& component : components) {
    if (is_spent(watch)) return Tally{Natural(), false};
    MaybeTally factor = count_component(component, may_leave, watch);
    if (!factor || (factor->is_exact && factor->value.is_zero())) return factor;
    product.value = product.value * factor->value;
    product.is_exact &= factor->is_exact;
  }
  return product;
}

// Returns the count of one component, from the cache if possible; none if other threads are at work
// on it, and `may_leave`. The recursion ends, since the components are smaller than the one that
// was branched on.
template <class AnyBoard>
typename Branching<AnyBoard>::MaybeTally Branching<AnyBoard>::count_component(
    const Component& component, bool may_leave, Watch& watch) {
  if (component.cells.size() == 1) {
    return Tally{Natural(static_cast<uint64_t>(board_.num_left(component.cells[0]))), true};
  }
  const SharedCounts::Key key = component.key();
  if (std::optional<Natural> known = counts_.find(key)) {
    ++statistics_.num_recalled;
    return Tally{std::move(*known), true};
  }
  Node own;
  std::optional<Visit> visit;
  if (!is_alone_ && !visit.emplace(counts_, key, may_leave).node()) return {};
  Tally tally = branch(component, visit ? *visit->node() : own, watch);
  if (tally.is_exact) counts_.put(key, tally.value);
  return tally;
}

// Counts a component by branching on one of its cells, or by a cheaper method. If the watch stops,
// the tally is a lower bound, and `was_stopped_` makes the callers return: an exception would
// discard their sums. The board is unchanged afterwards.
template <class AnyBoard>
Tally Branching<AnyBoard>::branch(const Component& component, Node& node, Watch& watch) {
  if (depth_ == max_depth_) return {Natural(), false};
  ++depth_;
  Tally tally{Natural(), false};
  try {
    tally = count_open(component, node, watch);
  } catch (const Stopped&) {
    was_stopped_ = true;
  } catch (...) {
    --depth_;
    throw;
  }
  --depth_;
  return tally;
}

template <class AnyBoard>
Tally Branching<AnyBoard>::count_open(const Component& component, Node& node, Watch& watch) {
  const Trial all(board_);
  if (!settle(component, node, watch)) return {Natural(), false};
  const Decision& decision = node.decision;
  if (decision.count) return {*decision.count, true};
  if (!decision.removed.empty()) return *count_cells(component.cells, false, watch);
  return sum_over_values(component, decision.cell, watch);
}

// Decides how to branch, or waits for the decision of another thread, and removes the refuted
// values. False if the turn is over.
template <class AnyBoard>
bool Branching<AnyBoard>::settle(const Component& component, Node& node, Watch& watch) {
  auto state = Node::State::kOpen;
  while (!node.state.compare_exchange_strong(state, Node::State::kDeciding)) {
    if (state == Node::State::kDecided) {
      for (const auto [cell, value] : node.decision.removed) board_.remove(cell, value);
      board_.propagate(watch);
      return true;
    }
    watch.work(kWaitingWork);
    if (is_spent(watch)) return false;
    std::this_thread::sleep_for(kWait);
    state = Node::State::kOpen;
  }
  Deciding deciding(node);
  node.decision = {};
  return deciding.is_decided = decide(component, node.decision, watch);
}

// Chooses a cell, or removes refuted values, or counts the component by a frontier, if that takes
// less work than the choice. False if the turn is over.
template <class AnyBoard>
bool Branching<AnyBoard>::decide(const Component& component, Decision& decision, Watch& watch) {
  int64_t work = kOrderedWork;
  if (order_ == Order::kInOrder) {
    decision.cell = first_cell(component);
  } else {
    const int64_t before = watch.done();
    const bool is_consistent = probe(component, decision, watch);
    if (!is_consistent) decision.count = Natural();
    if (!is_consistent || is_spent(watch)) return !is_consistent;
    if (!decision.removed.empty()) return true;
    work = watch.done() - before;
  }
  decision.count = count_by_frontier(component, work, watch);
  return true;
}

// Returns the first cell in the order along the shorter lines, in which equal components recur.
template <class AnyBoard>
int Branching<AnyBoard>::first_cell(const Component& component) const {
  if constexpr (!AnyBoard::kIsRectangle) {
    return component.cells.front();
  } else {
    const auto first = [](const std::vector<Strip>& strips) { return strips.front().line; };
    const auto span = [](const std::vector<Strip>& strips) {
      return strips.back().line - strips.front().line;
    };
    if (span(component.columns) <= span(component.rows)) return component.cells.front();
    const int column = first(component.columns) - board_.height();
    const auto in_column = [&](int cell) { return cell % board_.width() == column; };
    return *std::find_if(component.cells.begin(), component.cells.end(), in_column);
  }
}

template <class AnyBoard>
std::optional<Natural> Branching<AnyBoard>::count_by_frontier(const Component& component,
                                                              int64_t work, Watch& watch) {
  if constexpr (!AnyBoard::kIsRectangle) return {};
  watch.work(cost::kFrontierCell * static_cast<int64_t>(component.cells.size()));
  Frontier frontier(component, max_bytes_ / 3 * 2);
  if (!frontier.run(work, alone_, watch)) return {};
  ++statistics_.num_frontiers;
  return frontier.count();
}

// Returns the sum over the values of an open cell, each assumed and propagated. If it ends early,
// the sum is a lower bound.
template <class AnyBoard>
Tally Branching<AnyBoard>::sum_over_values(const Component& component, int cell, Watch& watch) {
  ++statistics_.num_nodes;
  Tally sum{Natural(), true};
  std::vector<int> left;  // to other threads
  try {
    for (int value = 0; value < board_.num_values(); ++value) {
      if (!board_.may(cell, value)) continue;
      if (!add_value(component, cell, value, !is_alone_, sum, watch)) left.push_back(value);
    }
    for (const int value : left) add_value(component, cell, value, false, sum, watch);
  } catch (const Stopped&) {
    was_stopped_ = true;
    sum.is_exact = false;
  }
  return sum;
}

// Adds the count under the assumption of a value. False if it was left to another thread, which
// requires `may_leave`.
template <class AnyBoard>
bool Branching<AnyBoard>::add_value(const Component& component, int cell, int value, bool may_leave,
                                    Tally& sum, Watch& watch) {
  bool is_added = true;
  try_value(board_, cell, value, watch, [&](bool is_consistent, size_t) {
    if (!is_consistent) return;
    const MaybeTally found = count_cells(component.cells, may_leave, watch);
    is_added = found.has_value();
    if (!found) return;
    sum.value += found->value;
    sum.is_exact &= found->is_exact;
  });
  return is_added;
}

// Probes each cell once, to remove refuted values and to choose the cell to branch on. False at a
// contradiction.
template <class AnyBoard>
bool Branching<AnyBoard>::probe(const Component& component, Decision& decision, Watch& watch) {
  double best = -1;
  for (const int cell : component.cells) {
    if (is_spent(watch)) break;
    if (board_.num_left(cell) > 1 && !probe_cell(cell, decision, best, watch)) return false;
  }
  return true;
}

// Assumes each value of an open cell, removes the refuted ones, and makes it the cell to branch on
// if its score is above `best`. False at a contradiction. Unlike `Prober`, it does not probe the
// cell again after a refuted value, which counts for the score with its removals until the
// contradiction.
template <class AnyBoard>
bool Branching<AnyBoard>::probe_cell(int cell, Decision& decision, double& best, Watch& watch) {
  int64_t least = INT64_MAX, total = 0;
  for (int value = 0; value < board_.num_values(); ++value) {
    if (!board_.may(cell, value)) continue;
    const Branch tried = try_value(board_, cell, value, watch, [](bool, size_t) {});
    least = std::min(least, tried.num_ruled_out);
    total += tried.num_ruled_out;
    if (tried.is_consistent) continue;
    decision.removed.push_back({cell, value});
    board_.remove(cell, value);
    if (!board_.propagate(watch)) return false;
    if (board_.num_left(cell) < 2) return true;
  }
  const double score = branching_score(least, total);
  if (score > best) best = score, decision.cell = cell;
  return true;
}

template class Branching<Board>;
template class Branching<LaneBoard>;

}  // namespace nonosat
