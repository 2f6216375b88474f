#include "count/loop_known.hpp"

#include <cstddef>
#include <cstdlib>
#include <utility>

namespace nonosat::loops {
namespace {

// Values of the edges, with propagation of one rule or one vertex at a time.
class Known {
 public:
  explicit Known(const Graph& graph)
      : values(graph.num_edges(), Value::kOpen), graph_(graph), at_vertex_(graph.num_vertices) {
    for (size_t edge = 0; edge < values.size(); ++edge) {
      for (const int32_t vertex : {graph.ends[2 * edge], graph.ends[2 * edge + 1]}) {
        at_vertex_[vertex].push_back(static_cast<int32_t>(edge));
      }
    }
  }

  // Propagates to a fixpoint; false at a contradiction.
  bool propagate(Watch& watch) {
    do {
      has_changed_ = false;
      for (const Rule& rule : graph_.rules) {
        watch.work(static_cast<int64_t>(rule.lits.size()) + 1);
        if (!propagate_rule(rule)) return false;
      }
      for (const auto& edges : at_vertex_) {
        watch.work(static_cast<int64_t>(edges.size()) + 1);
        if (!propagate_vertex(edges)) return false;
      }
    } while (has_changed_);
    return true;
  }

  std::vector<Value> values;

 private:
  void set(int32_t edge, bool is_on) {
    values[edge] = is_on ? Value::kOn : Value::kOff;
    has_changed_ = true;
  }

  bool propagate_rule(const Rule& rule) {
    int32_t num_true = 0, num_open = 0;
    for (const int32_t lit : rule.lits) {
      const Value value = values[std::abs(lit) - 1];
      num_open += value == Value::kOpen;
      num_true += value == (lit > 0 ? Value::kOn : Value::kOff);
    }
    if (num_true > rule.upper || num_true + num_open < rule.lower) return false;
    const bool is_full = num_true == rule.upper;
    if (!num_open || (!is_full && num_true + num_open != rule.lower)) return true;
    for (const int32_t lit : rule.lits) {
      const int32_t edge = std::abs(lit) - 1;
      if (values[edge] == Value::kOpen) set(edge, (lit > 0) != is_full);
    }
    return true;
  }

  bool propagate_vertex(const std::vector<int32_t>& edges) {
    int num_on = 0, num_open = 0;
    for (const int32_t edge : edges) {
      num_on += values[edge] == Value::kOn;
      num_open += values[edge] == Value::kOpen;
    }
    const bool is_on_loop = graph_.is_spanning || num_on;
    if (num_on > 2 || (is_on_loop && num_on + num_open < 2)) return false;
    const bool none = num_on == 2 || num_on + num_open < 2;
    if (!num_open || (!none && !(is_on_loop && num_on + num_open == 2))) return true;
    for (const int32_t edge : edges) {
      if (values[edge] == Value::kOpen) set(edge, !none);
    }
    return true;
  }

  const Graph& graph_;
  std::vector<std::vector<int32_t>> at_vertex_;
  bool has_changed_ = false;
};

}  // namespace

std::optional<std::vector<Value>> known_values(const Graph& graph, Watch& watch) {
  Known known(graph);
  if (!known.propagate(watch)) return {};
  return std::move(known.values);
}

}  // namespace nonosat::loops
