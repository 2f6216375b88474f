#include "count/branching.hpp"

#include <algorithm>
#include <utility>

#include "board/probe.hpp"
#include "board/trial.hpp"
#include "cost.hpp"
#include "count/frontier.hpp"

namespace nonosat {
namespace {

// Limit of a frontier inside kInOrder, which does not probe.
constexpr int64_t kOrderedWork = 20'000;

constexpr int64_t kWaitingWork = 1'000'000;  // units of work for each time that a thread waits

// Presence of a thread at a component.
class Visit {
 public:
  Visit(SharedCounts& counts, const SharedCounts::Key& key, size_t num_probes, int num_values,
        bool may_fail)
      : counts_(counts), key_(key), node_(counts.enter(key, num_probes, num_values, may_fail)) {}
  ~Visit() {
    if (node_) counts_.leave(key_);
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

  SharedNode* node() const { return node_; }

 private:
  SharedCounts& counts_;
  const SharedCounts::Key& key_;
  SharedNode* node_;
};

}  // namespace

template <class AnyBoard>
Branching<AnyBoard>::Branching(AnyBoard& board, SharedStrips& strips, SharedCounts& counts,
                               size_t max_bytes, int max_depth)
    : board_(board),
      counts_(counts),
      max_bytes_(max_bytes),
      max_depth_(max_depth),
      splitter_(board, strips) {}

template <class AnyBoard>
Tally Branching<AnyBoard>::count(const Component& component, Order order, bool is_alone,
                                 Watch& watch) {
  order_ = order, is_alone_ = is_alone, was_stopped_ = false;
  reported_ = watch.done();
  return *count_component(component, false, watch);
}

// Reports the work since the last report. True if the turn is over.
template <class AnyBoard>
bool Branching<AnyBoard>::is_spent(const Watch& watch) {
  counts_.spend(watch.done() - std::exchange(reported_, watch.done()));
  return was_stopped_ || counts_.is_over();
}

// Polls the watch after a time of waiting, which is no work.
template <class AnyBoard>
void Branching<AnyBoard>::wait(Watch& watch) {
  watch.work(kWaitingWork);
  reported_ += kWaitingWork;  // not before: a turn that is over would go on if the watch stops
}

// Returns the product of the counts of components, on a board at a fixpoint. None if other threads
// are at work on one of them, and `may_leave`. The components are not divided among threads: one
// without a filling makes the work on the larger ones after it superfluous.
template <class AnyBoard>
typename Branching<AnyBoard>::MaybeTally Branching<AnyBoard>::count_product(
    const std::vector<Component>& components, bool may_leave, Watch& watch) {
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
  const size_t num_probes = order_ == Order::kByScore ? component.cells.size() : 1;
  std::optional<SharedNode> own;
  std::optional<Visit> visit;
  SharedNode* node;
  if (is_alone_) {
    node = &own.emplace(num_probes, board_.num_values());
  } else {
    node = visit.emplace(counts_, key, num_probes, board_.num_values(), may_leave).node();
  }
  if (!node) return {};
  Tally tally = branch(component, *node, watch);
  if (tally.is_exact) counts_.put(key, tally.value);
  return tally;
}

// Counts a component by branching on one of its cells, or by a cheaper method. If the watch stops,
// the tally is a lower bound, and `was_stopped_` makes the callers return: an exception would
// discard their sums. The board is unchanged afterwards.
template <class AnyBoard>
Tally Branching<AnyBoard>::branch(const Component& component, SharedNode& node, Watch& watch) {
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
Tally Branching<AnyBoard>::count_open(const Component& component, SharedNode& node, Watch& watch) {
  const Trial all(board_);
  if (!settle(component, node, watch)) return {Natural(), false};
  const Decision& decision = node.decision();
  if (decision.count) return {*decision.count, true};
  if (decision.removed.empty()) return sum_over_values(component, node, watch);
  const std::vector<Component>* parts = parts_of(component, node, 0, watch);
  return parts ? *count_product(*parts, false, watch) : Tally{Natural(), false};
}

// Decides how to branch, together with other threads at the component, and removes the refuted
// values. False if the turn is over.
template <class AnyBoard>
bool Branching<AnyBoard>::settle(const Component& component, SharedNode& node, Watch& watch) {
  if (node.join() && probe(component, node, watch)) {
    if (!decide(component, node, watch)) return false;
    node.note_decided();
    return true;
  }
  // A thread alone is here only if its turn is over: it must not wait.
  for (; !is_spent(watch); wait(watch)) {
    if (!node.await_decision()) continue;
    if (!node.decision().count) remove(node.decision().removed, watch);
    return true;
  }
  return false;
}

// Removes refuted values; false at a contradiction.
template <class AnyBoard>
bool Branching<AnyBoard>::remove(const std::vector<Decision::Removal>& refuted, Watch& watch) {
  for (const auto [cell, value] : refuted) board_.remove(cell, value);
  return board_.propagate(watch);
}

// Completes the decision after the probes: counts the component by a frontier, if values were not
// refuted and that takes less work than the probes. False if the turn is over.
template <class AnyBoard>
bool Branching<AnyBoard>::decide(const Component& component, SharedNode& node, Watch& watch) {
  Decision& decision = node.decision();
  if (!decision.count && !remove(decision.removed, watch)) decision.count = Natural();
  if (decision.count) return true;
  if (is_spent(watch)) return false;
  if (!decision.removed.empty()) return true;
  const int64_t work = order_ == Order::kByScore ? node.work() : kOrderedWork;
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
  Frontier frontier(component, max_bytes_);
  if (!frontier.run(work, alone_, watch)) return {};
  ++statistics_.num_frontiers;
  return frontier.count();
}

// Returns the components of a component's cells in the state `at` of its node, on the board in this
// state; null if the turn is over.
template <class AnyBoard>
const std::vector<Component>* Branching<AnyBoard>::parts_of(const Component& component,
                                                            SharedNode& node, int at,
                                                            Watch& watch) {
  if (node.take_parts(at)) {
    node.note_parts(at, splitter_.split(component.cells, watch));
  } else {
    for (; !node.await_parts(at); wait(watch)) {
      if (is_spent(watch)) return nullptr;
    }
  }
  return &node.parts(at);
}

// Returns the sum over the values of the decision's cell, each assumed and propagated. If it ends
// early, the sum is a lower bound.
template <class AnyBoard>
Tally Branching<AnyBoard>::sum_over_values(const Component& component, SharedNode& node,
                                           Watch& watch) {
  ++statistics_.num_nodes;
  const int cell = node.decision().cell;
  Tally sum{Natural(), true};
  std::vector<int> left;  // to other threads
  try {
    for (int value = 0; value < board_.num_values(); ++value) {
      if (!board_.may(cell, value)) continue;
      if (!add_value(component, node, value, !is_alone_, sum, watch)) left.push_back(value);
    }
    for (const int value : left) add_value(component, node, value, false, sum, watch);
  } catch (const Stopped&) {
    was_stopped_ = true;
    sum.is_exact = false;
  }
  return sum;
}

// Adds the count under the assumption of a value. False if it was left to another thread, which
// requires `may_leave`.
template <class AnyBoard>
bool Branching<AnyBoard>::add_value(const Component& component, SharedNode& node, int value,
                                    bool may_leave, Tally& sum, Watch& watch) {
  bool is_added = true;
  try_value(board_, node.decision().cell, value, watch, [&](bool is_consistent, size_t) {
    if (!is_consistent) return;
    const std::vector<Component>* parts = parts_of(component, node, value, watch);
    const MaybeTally found =
        parts ? count_product(*parts, may_leave, watch) : Tally{Natural(), false};
    is_added = found.has_value();
    if (!found) return;
    sum.value += found->value;
    sum.is_exact &= found->is_exact;
  });
  return is_added;
}

// Probes cells, to remove refuted values and to choose the cell to branch on, until none is left.
// True if this thread must decide.
template <class AnyBoard>
bool Branching<AnyBoard>::probe(const Component& component, SharedNode& node, Watch& watch) {
  const int64_t before = watch.done();
  try {
    probe_cells(component, node, watch);
  } catch (...) {
    node.leave(0);
    throw;
  }
  return node.leave(watch.done() - before);
}

template <class AnyBoard>
void Branching<AnyBoard>::probe_cells(const Component& component, SharedNode& node, Watch& watch) {
  size_t num_seen = 0;
  std::vector<Decision::Removal> news;
  while (const std::optional<size_t> taken = node.take_probe(num_seen, news)) {
    if (is_spent(watch)) return;
    if (order_ == Order::kInOrder) return node.note_score(first_cell(component), 0);
    const int cell = component.cells[*taken];
    const bool is_consistent =
        remove(news, watch) && (board_.num_left(cell) < 2 || probe_cell(cell, node, watch));
    if (!is_consistent) return node.note_contradiction();
  }
}

// Assumes each value of an open cell, removes the refuted ones, and notes its score. False at a
// contradiction. Unlike `Prober`, it does not probe the cell again after a refuted value, which
// counts for the score with its removals until the contradiction.
template <class AnyBoard>
bool Branching<AnyBoard>::probe_cell(int cell, SharedNode& node, Watch& watch) {
  int64_t least = INT64_MAX, total = 0;
  for (int value = 0; value < board_.num_values(); ++value) {
    if (!board_.may(cell, value)) continue;
    const Branch tried = try_value(board_, cell, value, watch, [](bool, size_t) {});
    least = std::min(least, tried.num_ruled_out);
    total += tried.num_ruled_out;
    if (tried.is_consistent) continue;
    node.note_refuted({cell, value});
    board_.remove(cell, value);
    if (!board_.propagate(watch)) return false;
    if (board_.num_left(cell) < 2) return true;
  }
  node.note_score(cell, branching_score(least, total));
  return true;
}

template class Branching<Board>;
template class Branching<LaneBoard>;

}  // namespace nonosat
