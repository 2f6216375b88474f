#include "count/loop_halves.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "count/loop_known.hpp"
#include "count/loop_order.hpp"

namespace nonosat::loops {
namespace {

using Numbers = std::vector<int32_t>;

// Factor by which halves have fewer states than their estimated cost, measured on knight's boards:
// with 6 x 8 their estimate is 4.2 times that of the whole sequence, and they take a tenth of its
// time.
constexpr double kFewer = 5;

Numbers edges_that_may_be_on(const std::vector<Value>& values) {
  Numbers edges;
  for (size_t edge = 0; edge < values.size(); ++edge) {
    if (values[edge] != Value::kOff) edges.push_back(static_cast<int32_t>(edge));
  }
  return edges;
}

Near near_in(const Graph& graph, const Numbers& edges) {
  Near near(static_cast<size_t>(graph.num_vertices));
  for (const int32_t edge : edges) {
    const int32_t u = graph.ends[2 * edge], v = graph.ends[2 * edge + 1];
    near[u].push_back(v);
    near[v].push_back(u);
  }
  return near;
}

// Divides edges by an order of vertices: each edge belongs to the half that it is nearer to, so
// that a graph that equals its mirror image has halves that are mirror images.
class Halver {
 public:
  Halver(const Graph& graph, const std::vector<Value>& values, Numbers ranks)
      : graph_(graph), values_(values), ranks_(std::move(ranks)), last_(graph.num_vertices - 1) {
    for (const int32_t edge : edges_that_may_be_on(values)) {
      (sum(edge) <= last_ ? front_ : back_).push_back(edge);
    }
  }

  // Returns nothing if the halves cannot be joined: a rule has edges of both, or a half may contain
  // a whole loop.
  std::optional<Halves> halves(Watch& watch) const {
    const Numbers border = border_vertices();
    if (border.empty()) return {};
    std::optional<Graph> before = part(true), after = part(false);
    if (!before || !after) return {};
    Numbers reversed(ranks_);
    for (int32_t& rank : reversed) rank = last_ - rank;
    Halves found{half_plan(*before, front_, back_, ranks_, watch),
                 half_plan(*after, back_, front_, reversed, watch),
                 {},
                 {},
                 graph_.rules.empty() && is_own_mirror_image()};
    for (const int32_t vertex : border) {
      found.front_slots.push_back(found.front.slot_of[vertex]);
      found.back_slots.push_back(found.back.slot_of[vertex]);
    }
    if (found.are_mirrored) {
      found.back_slots.assign(found.front_slots.rbegin(), found.front_slots.rend());
    }
    return found;
  }

 private:
  int32_t rank_of_end(int32_t edge, int end) const { return ranks_[graph_.ends[2 * edge + end]]; }
  int32_t sum(int32_t edge) const { return rank_of_end(edge, 0) + rank_of_end(edge, 1); }

  // Returns the vertices with edges in both halves, in their order; none if one half has no other
  // vertices.
  Numbers border_vertices() const {
    enum : uint8_t { kFront = 1, kBack = 2 };
    std::vector<uint8_t> sides(graph_.num_vertices);
    for (const int32_t edge : front_) side_of_ends(edge, sides, kFront);
    for (const int32_t edge : back_) side_of_ends(edge, sides, kBack);
    Numbers border;
    uint8_t alone = 0;
    for (int32_t vertex = 0; vertex < graph_.num_vertices; ++vertex) {
      if (sides[vertex] == (kFront | kBack)) {
        border.push_back(vertex);
      } else {
        alone |= sides[vertex];
      }
    }
    if (alone != (kFront | kBack)) return {};
    std::sort(border.begin(), border.end(),
              [&](int32_t a, int32_t b) { return ranks_[a] < ranks_[b]; });
    return border;
  }

  void side_of_ends(int32_t edge, std::vector<uint8_t>& sides, uint8_t side) const {
    for (const int end : {0, 1}) sides[graph_.ends[2 * edge + end]] |= side;
  }

  // Returns the graph with the rules of one half; nothing if a rule concerns both.
  std::optional<Graph> part(bool is_front) const {
    Graph found{graph_.num_vertices, graph_.ends, graph_.is_spanning, {}};
    for (const Rule& rule : graph_.rules) {
      size_t num_mine = 0, num_others = 0;
      for (const int32_t lit : rule.lits) {
        const int32_t edge = std::abs(lit) - 1;
        if (values_[edge] == Value::kOff) continue;
        ++((sum(edge) <= last_) == is_front ? num_mine : num_others);
      }
      if (num_mine && num_others) return {};
      if (!num_others) found.rules.push_back(rule);
    }
    return found;
  }

  Plan half_plan(const Graph& graph, const Numbers& mine, const Numbers& others,
                 const Numbers& ranks, Watch& watch) const {
    Numbers edges(mine);
    sort_by_ranks(graph, ranks, edges);
    edges.insert(edges.end(), others.begin(), others.end());
    Plan plan = plan_of(graph, values_, edges, mine.size(), watch);
    plan.may_end.assign(mine.size(), false);  // the other half has further vertices
    return plan;
  }

  // Returns true if the graph is unchanged when the order of vertices is reversed.
  bool is_own_mirror_image() const {
    using Place = std::pair<std::pair<int32_t, int32_t>, Value>;
    std::vector<Place> places, mirrored;
    for (const Numbers* half : {&front_, &back_}) {
      for (const int32_t edge : *half) {
        // Its mirror image is itself, in only one of the halves.
        if (sum(edge) == last_) return false;
        const auto [low, high] = std::minmax({rank_of_end(edge, 0), rank_of_end(edge, 1)});
        places.push_back({{low, high}, values_[edge]});
        mirrored.push_back({{last_ - high, last_ - low}, values_[edge]});
      }
    }
    std::sort(places.begin(), places.end());
    std::sort(mirrored.begin(), mirrored.end());
    return places == mirrored;
  }

  const Graph& graph_;
  const std::vector<Value>& values_;
  const Numbers ranks_;
  const int32_t last_;  // largest rank
  Numbers front_, back_;
};

}  // namespace

Plans plans_of(const Graph& graph, Halving halving, Watch& watch) {
  Plans plans;
  const auto values = known_values(graph, watch);
  if (!values) {
    plans.whole.is_contradictory = true;
    return plans;
  }
  Numbers edges = edges_that_may_be_on(*values);
  const Near near = near_in(graph, edges);
  const Numbers ranks = best_ranks(near, watch);
  sort_by_ranks(graph, ranks, edges);
  plans.whole = plan_of(graph, *values, edges, edges.size(), watch);
  if (!graph.is_spanning || plans.whole.is_contradictory || halving == Halving::kNever)
    return plans;
  // The order of the vertices' numbers often is symmetric, which saves the other half; so is that
  // by columns of a board that is wider than it is high.
  std::vector<Numbers> orders(2, ranks);
  std::iota(orders.front().begin(), orders.front().end(), 0);
  if (auto by_columns = ranks_by_columns(near, watch)) orders.push_back(std::move(*by_columns));
  double least = halving == Halving::kIfCheaper ? kFewer * plans.whole.cost : HUGE_VAL;
  for (Numbers& order : orders) {
    std::optional<Halves> halves = Halver(graph, *values, std::move(order)).halves(watch);
    if (!halves || halves->cost() >= least) continue;
    least = halves->cost();
    plans.halves = std::move(halves);
  }
  return plans;
}

}  // namespace nonosat::loops
