#include "count/loop_order.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace nonosat::loops {
namespace {

constexpr size_t kMostTried = 20'000;  // approximate total number of vertices of the orders tried
constexpr size_t kFewest = 4;          // smallest number of orders

// An order, and an estimate of the frontier's states.
struct Order {
  std::vector<int32_t> vertices;
  double cost = 0;
};

// Greedy walk over the vertices. The next vertex is always the one of the frontier that adds the
// fewest new vertices to it; of several, the one that has been in the frontier for longest.
class Walk {
 public:
  Walk(const Near& near, Watch& watch) : near_(near), watch_(watch), state_(near.size(), kNew) {}

  Order from(int32_t start) {
    visit(start);
    for (size_t unseen = 0; order_.vertices.size() < near_.size();) {
      if (frontier_.empty()) {
        while (state_[unseen] != kNew) ++unseen;
        visit(static_cast<int32_t>(unseen));
      } else {
        visit(best());
      }
    }
    return std::move(order_);
  }

  Order in_order() { return by_columns(1, HUGE_VAL); }

  // Order by columns of a rectangle; incomplete if its cost reaches `most`.
  Order by_columns(size_t num_columns, double most) {
    for (size_t column = 0; column < num_columns; ++column) {
      for (size_t at = column; at < near_.size() && order_.cost < most; at += num_columns) {
        visit(static_cast<int32_t>(at));
      }
    }
    return std::move(order_);
  }

 private:
  enum State : uint8_t { kNew, kReached, kDone };

  int32_t best() {
    int32_t found = -1;
    long fewest = 0;
    for (const int32_t vertex : frontier_) {
      const auto& others = near_[vertex];
      watch_.work(static_cast<int64_t>(others.size()) + 1);
      const auto is_new = [&](int32_t other) { return state_[other] == kNew; };
      const long fresh = std::count_if(others.begin(), others.end(), is_new);
      if (found < 0 || fresh < fewest) found = vertex, fewest = fresh;
    }
    return found;
  }

  void visit(int32_t vertex) {
    if (state_[vertex] == kReached) {
      frontier_.erase(std::find(frontier_.begin(), frontier_.end(), vertex));
    }
    state_[vertex] = kDone;
    order_.vertices.push_back(vertex);
    for (const int32_t other : near_[vertex]) {
      if (state_[other] != kNew) continue;
      state_[other] = kReached;
      frontier_.push_back(other);
    }
    watch_.work(static_cast<int64_t>(frontier_.size()) + 1);
    // Estimate of the number of states.
    order_.cost += std::pow(3.0, static_cast<double>(frontier_.size()));
  }

  const Near& near_;
  Watch& watch_;
  std::vector<State> state_;
  std::vector<int32_t> frontier_;  // oldest first
  Order order_;
};

std::vector<int32_t> ranks_of(const Order& order) {
  std::vector<int32_t> ranks(order.vertices.size());
  for (size_t at = 0; at < ranks.size(); ++at) {
    ranks[order.vertices[at]] = static_cast<int32_t>(at);
  }
  return ranks;
}

}  // namespace

std::vector<int32_t> best_ranks(const Near& near, Watch& watch) {
  Order best = Walk(near, watch).in_order();
  std::vector<int32_t> starts(near.size());
  std::iota(starts.begin(), starts.end(), 0);
  std::stable_sort(starts.begin(), starts.end(),
                   [&](int32_t a, int32_t b) { return near[a].size() < near[b].size(); });
  std::erase_if(starts, [&](int32_t vertex) { return near[vertex].empty(); });
  const size_t num_orders = std::max(kFewest, kMostTried / (near.size() + 1));
  for (size_t at = 0; at < starts.size() && at < num_orders; ++at) {
    Order other = Walk(near, watch).from(starts[at]);
    if (other.cost < best.cost) best = std::move(other);
  }
  return ranks_of(best);
}

std::optional<std::vector<int32_t>> ranks_by_columns(const Near& near, Watch& watch) {
  const double in_order = Walk(near, watch).in_order().cost;
  Order best{{}, in_order};
  for (size_t num_columns = 2; num_columns < near.size(); ++num_columns) {
    if (near.size() % num_columns) continue;
    Order other = Walk(near, watch).by_columns(num_columns, best.cost);
    if (other.cost < best.cost) best = std::move(other);
  }
  if (best.vertices.empty()) return {};
  return ranks_of(best);
}

void sort_by_ranks(const Graph& graph, const std::vector<int32_t>& ranks,
                   std::vector<int32_t>& edges) {
  const auto key = [&](int32_t edge) {
    const int32_t one = ranks[graph.ends[2 * edge]], other = ranks[graph.ends[2 * edge + 1]];
    return std::pair(std::min(one, other), std::max(one, other));
  };
  std::stable_sort(edges.begin(), edges.end(),
                   [&](int32_t a, int32_t b) { return key(a) < key(b); });
}

}  // namespace nonosat::loops
