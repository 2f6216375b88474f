#include "count/diagram.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "cost.hpp"

namespace nonosat {
namespace {

constexpr int64_t kMaxStates = int64_t{1} << 25;  // in all layers
constexpr int32_t kDead = -1;

// Automaton of a clue. State gap_[b] is the gap before block b, the last one that after all blocks;
// state gap_[b] + k means "k cells of block b". A block of unknown length has a single such state.
class Automaton {
 public:
  explicit Automaton(const Plan& plan) : plan_(plan) {
    for (const Block& block : plan.blocks) {
      gap_.push_back(num_states());
      block_of_.insert(block_of_.end(), 1 + std::max(block.length, 1), num_gaps() - 1);
    }
    gap_.push_back(num_states());
    block_of_.push_back(num_gaps() - 1);
  }

  int num_states() const { return static_cast<int>(block_of_.size()); }

  bool accepts(int state) const {
    const int last = static_cast<int>(plan_.blocks.size());
    return state == gap_[last] || (last && is_whole(state) && block_of_[state] == last - 1);
  }

  // Returns the transitions of a state by value, without regard to the cells.
  Node arcs(int state) const {
    const int b = block_of_[state];
    Node node;
    if (state == gap_[b]) {
      node[0] = {0, state};
      if (b < static_cast<int>(plan_.blocks.size())) node[1] = {plan_.blocks[b].colour, state + 1};
      return node;
    }
    const Block block = plan_.blocks[b];
    if (!is_whole(state)) {
      node[0] = {block.colour, state + 1};
      return node;
    }
    node[0] = {0, gap_[b + 1]};
    if (!block.length) node[1] = {block.colour, state};
    const bool may_touch = b + 1 < static_cast<int>(plan_.blocks.size()) && !plan_.separated[b];
    if (may_touch) node[2] = {plan_.blocks[b + 1].colour, gap_[b + 1] + 1};
    return node;
  }

 private:
  int num_gaps() const { return static_cast<int>(gap_.size()); }
  bool is_whole(int state) const {
    const int b = block_of_[state];
    return state > gap_[b] && state - gap_[b] == std::max(plan_.blocks[b].length, 1);
  }

  const Plan& plan_;
  std::vector<int> gap_;
  std::vector<int> block_of_;
};

bool may_be(const Plan& plan, const Word* may, int place, int value) {
  return has_bit(may + static_cast<int64_t>(value) * words_for(plan.length), place);
}

// Assigns numbers to the states of a layer: equal arcs, equal number.
class Numbering {
 public:
  void begin() { nodes.clear(), slots_.assign(64, kDead); }

  int32_t operator()(const Node& node) {
    if (2 * nodes.size() >= slots_.size()) grow();
    int32_t& slot = find(node);
    if (slot == kDead) {
      slot = static_cast<int32_t>(nodes.size());
      nodes.push_back(node);
    }
    return slot;
  }

  std::vector<Node> nodes;

 private:
  static bool equal(const Node& one, const Node& other) {
    for (size_t i = 0; i < one.size(); ++i) {
      if (one[i].value != other[i].value || one[i].target != other[i].target) return false;
    }
    return true;
  }

  int32_t& find(const Node& node) {
    uint64_t hash = 0;
    for (const Arc& arc : node) {
      hash = (hash ^ static_cast<uint64_t>(arc.value)) * 0x9e3779b97f4a7c15u;
      hash = (hash ^ static_cast<uint64_t>(arc.target)) * 0xff51afd7ed558ccdu;
    }
    size_t at = (hash >> 32) & (slots_.size() - 1);
    while (slots_[at] != kDead && !equal(nodes[slots_[at]], node)) at = (at + 1) % slots_.size();
    return slots_[at];
  }

  void grow() {
    slots_.assign(4 * slots_.size(), kDead);
    for (size_t i = 0; i < nodes.size(); ++i) find(nodes[i]) = static_cast<int32_t>(i);
  }

  std::vector<int32_t> slots_;
};

// Reachable states before each cell, and after the last one.
struct Reached {
  std::vector<int32_t> states;
  std::vector<size_t> first;  // by cell
};

// Computes the reachable states from left to right. O(cells x states).
Reached reach(const Plan& plan, const Automaton& automaton, const Word* may, Watch& watch) {
  Reached found{{0}, {0}};
  std::vector<int32_t> seen(automaton.num_states(), -1);
  for (int place = 0; place < plan.length; ++place) {
    const size_t begin = found.first.back(), end = found.states.size();
    watch.work(cost::kDiagramState * static_cast<int64_t>(end - begin));
    if (static_cast<int64_t>(end) > kMaxStates) {
      throw TooLarge("the diagram of a line of " + std::to_string(plan.length) + " cells",
                     3 * static_cast<int64_t>(end), 3 * kMaxStates);
    }
    found.first.push_back(end);
    for (size_t at = begin; at < end; ++at) {
      for (const Arc& arc : automaton.arcs(found.states[at])) {
        if (arc.value < 0 || !may_be(plan, may, place, arc.value)) continue;
        if (seen[arc.target] == place) continue;
        seen[arc.target] = place;
        found.states.push_back(arc.target);
      }
    }
  }
  return found;
}

// Sorts arcs by value, missing ones last, so that equal futures have equal arcs.
void sort_by_value(Node& node) {
  const auto swap_unless = [&](size_t one, size_t other) {
    const bool is_sorted = static_cast<uint32_t>(node[one].value) <=
                           // As unsigned, -1 is the largest.
                           static_cast<uint32_t>(node[other].value);
    if (!is_sorted) std::swap(node[one], node[other]);
  };
  swap_unless(0, 1);
  swap_unless(1, 2);
  swap_unless(0, 1);
}

// Layers of the minimal diagram, last layer first, states in order of their creation.
struct Layers {
  std::vector<int32_t> places;
  std::vector<std::vector<Node>> nodes;
};

// Merges states from right to left: states with equal arcs have equal futures, since the states
// after them have been merged already. The layer of a known cell is omitted: its states are
// replaced by their successors. O(reached states), by hashing.
Layers merge(const Plan& plan, const Automaton& automaton, const Word* may, const Reached& reached,
             Watch& watch) {
  Layers layers;
  Numbering number;
  std::vector<int32_t> now(automaton.num_states(), kDead), next = now;
  for (size_t at = reached.first.back(); at < reached.states.size(); ++at) {
    if (automaton.accepts(reached.states[at])) next[reached.states[at]] = 0;
  }
  for (int place = plan.length - 1; place >= 0; --place) {
    int num_left = 0;
    for (int value = 0; value <= plan.num_colours; ++value)
      num_left += may_be(plan, may, place, value);
    number.begin();
    const size_t begin = reached.first[place], end = reached.first[place + 1];
    watch.work(2 * cost::kDiagramState * static_cast<int64_t>(end - begin));
    for (size_t at = begin; at < end; ++at) {
      const int state = reached.states[at];
      Node node;
      size_t num_arcs = 0;
      for (const Arc& arc : automaton.arcs(state)) {
        if (arc.value < 0 || !may_be(plan, may, place, arc.value)) continue;
        if (next[arc.target] != kDead) node[num_arcs++] = {arc.value, next[arc.target]};
      }
      sort_by_value(node);
      const bool is_dead = num_arcs == 0;
      now[state] = is_dead ? kDead : num_left == 1 ? node[0].target : number(node);
    }
    if (num_left > 1) {
      layers.places.push_back(place);
      layers.nodes.push_back(number.nodes);
    }
    std::swap(now, next);
  }
  return layers;
}

// Numbers the nodes of the next layer in the order in which arcs reach them.
class Renumbering {
 public:
  explicit Renumbering(size_t width) : number_(width, kDead) {}
  int32_t operator()(int32_t node) {
    if (number_[node] == kDead) {
      number_[node] = static_cast<int32_t>(order.size());
      order.push_back(node);
    }
    return number_[node];
  }
  std::vector<int32_t> order;

 private:
  std::vector<int32_t> number_;
};

double log_sum(double one, double other) {
  const double most = std::max(one, other), least = std::min(one, other);
  return std::isinf(least) ? most : most + std::log2(1 + std::exp2(least - most));
}

// Returns the binary logarithm of the number of fillings of a segment, layer by layer.
double log_fillings(const Segment& segment) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  std::vector<double> logs{0}, next;
  for (int layer = 0; layer < segment.num_cells(); ++layer) {
    next.assign(segment.width(layer + 1), kNone);
    for (int state = 0; state < segment.width(layer); ++state) {
      for (const Arc& arc : segment.node(layer, state)) {
        if (arc.value >= 0) next[arc.target] = log_sum(next[arc.target], logs[state]);
      }
    }
    std::swap(logs, next);
  }
  return logs[0];
}

// Renumbers the states of each layer from left to right in the order in which arcs reach them,
// which depends on the fillings alone, and begins a segment at each layer with one state.
std::vector<Segment> cut(const Layers& layers) {
  std::vector<Segment> segments;
  std::vector<int32_t> order{0};
  for (size_t i = layers.places.size(); i-- > 0;) {
    if (order.size() == 1) segments.emplace_back().first.push_back(0);
    Segment& segment = segments.back();
    segment.places.push_back(layers.places[i]);
    Renumbering renumber(i ? layers.nodes[i - 1].size() : 1);
    for (const int32_t old : order) {
      Node node = layers.nodes[i][old];
      for (Arc& arc : node) {
        if (arc.value >= 0) arc.target = renumber(arc.target);
      }
      segment.nodes.push_back(node);
    }
    segment.first.push_back(static_cast<int32_t>(segment.nodes.size()));
    order = std::move(renumber.order);
  }
  for (Segment& segment : segments) segment.log_fillings = log_fillings(segment);
  return segments;
}

}  // namespace

std::vector<int32_t> Segment::key(int line) const {
  std::vector<int32_t> key{line, num_cells()};
  key.reserve(2 + 2 * places.size() + 6 * nodes.size());
  key.insert(key.end(), places.begin(), places.end());
  key.insert(key.end(), first.begin(), first.end());
  for (const Node& node : nodes) {
    for (const Arc& arc : node) key.insert(key.end(), {arc.value, arc.target});
  }
  return key;
}

std::vector<Segment> segments_of(const Plan& plan, const Word* may, Watch& watch) {
  const Automaton automaton(plan);
  const Reached reached = reach(plan, automaton, may, watch);
  return cut(merge(plan, automaton, may, reached, watch));
}

}  // namespace nonosat
