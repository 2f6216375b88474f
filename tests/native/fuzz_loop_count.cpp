// Random test of counting loops, built with sanitizers by .ci/run.
//
// On drawn graphs with drawn rules: the number equals that of enumeration (every set of edges,
// checked by its degrees and by flooding), in one sweep and in halves that are joined, in one call,
// in many small ones, and stopped in between; with too little memory it is never above that number.
// On larger graphs, whose halves have many states and may be mirror images, a sweep and halves find
// the same number.

#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

#include "count/loops.hpp"

namespace {

using namespace nonosat::loops;
using nonosat::Natural;
using nonosat::Rule;
using nonosat::Watch;

constexpr int64_t kMostAtOnce = 100'000;  // units of work, of one step

int failures = 0, num_halved = 0, num_mirrored = 0, num_poor_joins = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "failed: %s\n", what);
  ++failures;
}

Graph drawn(std::mt19937& rng) {
  Graph graph{static_cast<int32_t>(2 + rng() % 6), {}, rng() % 3 == 0, {}};
  for (unsigned edges = rng() % 13; edges--;) {
    const auto u = static_cast<int32_t>(rng() % graph.num_vertices);
    const auto v = static_cast<int32_t>(rng() % graph.num_vertices);
    if (u != v) graph.ends.insert(graph.ends.end(), {u, v});
  }
  const auto num_edges = static_cast<int32_t>(graph.num_edges());
  for (unsigned rules = num_edges ? rng() % 4 : 0; rules--;) {
    Rule rule{};
    for (unsigned lits = rng() % 6; lits--;) {
      const auto edge = static_cast<int32_t>(1 + rng() % num_edges);
      rule.lits.push_back(rng() % 3 ? edge : -edge);
    }
    const auto size = static_cast<unsigned>(rule.lits.size());
    rule.lower = static_cast<int32_t>(rng() % (size + 1));
    rule.upper = static_cast<int32_t>(rule.lower + rng() % (size + 1 - rule.lower));
    if (rng() % 9 == 0) rule.lower = 0, rule.upper = -1;
    graph.rules.push_back(rule);
  }
  return graph;
}

bool is_loop(const Graph& graph, unsigned chosen) {
  if (!chosen) return false;
  std::array<int, 8> degree{};
  unsigned reached = 0, used = 0;
  for (size_t edge = 0; edge < graph.num_edges(); ++edge) {
    if (!(chosen >> edge & 1)) continue;
    for (const int32_t end : {graph.ends[2 * edge], graph.ends[2 * edge + 1]}) {
      ++degree[end];
      used |= 1u << end;
      if (!reached) reached = 1u << end;
    }
  }
  for (int round = 0; round < 16; ++round) {
    for (size_t edge = 0; edge < graph.num_edges(); ++edge) {
      const unsigned ends = 1u << graph.ends[2 * edge] | 1u << graph.ends[2 * edge + 1];
      if (chosen >> edge & 1 && reached & ends) reached |= ends;
    }
  }
  for (int32_t vertex = 0; vertex < graph.num_vertices; ++vertex) {
    if (degree[vertex] != 2 && (degree[vertex] || graph.is_spanning)) return false;
  }
  return reached == used;
}

bool keeps(const Graph& graph, unsigned chosen) {
  for (const Rule& rule : graph.rules) {
    int count = 0;
    for (const int32_t lit : rule.lits) {
      count += static_cast<bool>(chosen >> (std::abs(lit) - 1) & 1) == (lit > 0);
    }
    if (count < rule.lower || count > rule.upper) return false;
  }
  return true;
}

// A graph of two halves and a border between them; no edge joins the halves directly.
Graph drawn_around_a_border(std::mt19937& rng) {
  const auto num_inner = static_cast<int32_t>(2 + rng() % 4);
  const auto num_border = static_cast<int32_t>(4 + rng() % 7);
  Graph graph{2 * num_inner + num_border, {}, true, {}};
  const unsigned density = 4 + rng() % 5, density_of_border = rng() % 3;
  for (int32_t v = 0; v < graph.num_vertices; ++v) {
    for (int32_t u = 0; u < v; ++u) {
      const bool is_u_inner = u < num_inner, is_v_inner = v >= num_inner + num_border;
      const bool is_between = !is_u_inner && !is_v_inner && v >= num_inner;
      if (is_u_inner && is_v_inner) continue;
      if (rng() % 8 < (is_between ? density_of_border : density)) {
        graph.ends.insert(graph.ends.end(), {u, v});
      }
    }
  }
  return graph;
}

// As above, with the mirror image of each edge; no edge is its own image.
Graph drawn_with_its_image(std::mt19937& rng) {
  const Graph graph = drawn_around_a_border(rng);
  Graph both{graph.num_vertices, {}, true, {}};
  const int32_t last = graph.num_vertices - 1;
  for (size_t edge = 0; edge < graph.num_edges(); ++edge) {
    const int32_t u = graph.ends[2 * edge], v = graph.ends[2 * edge + 1];
    if (u + v >= last) continue;
    both.ends.insert(both.ends.end(), {u, v, last - v, last - u});
  }
  return both;
}

LoopCount counting(const Graph& graph, Halving halving, size_t max_bytes) {
  Watch watch;
  Plans ways = plans_of(graph, halving, watch);
  num_halved += ways.halves.has_value();
  num_mirrored += ways.halves && ways.halves->are_mirrored;
  return LoopCount(std::move(ways), max_bytes);
}

void check_ways(const Graph& graph, const Natural& number, Halving halving, size_t poor_bytes,
                int64_t turn_work) {
  LoopCount whole = counting(graph, halving, 1 << 26), slow = counting(graph, halving, 1 << 26);
  LoopCount poor = counting(graph, halving, poor_bytes);
  Watch watch;
  expect(whole.run(watch, int64_t{1} << 40) && whole.is_exact(), "a count that ends");
  expect(whole.total() == number, "the number");
  int turn = 0;
  const Watch* polled = nullptr;
  int64_t last_poll = 0;
  const auto check_pace = [&] {
    expect(polled->done() - last_poll <= turn_work + kMostAtOnce, "time between polls");
    last_poll = polled->done();
    return ++turn % 3 == 0;
  };
  Watch hurried({}, check_pace, {turn_work, std::chrono::milliseconds(0)});
  polled = &hurried;
  for (bool is_done = false; !is_done;) {
    try {
      is_done = slow.run(hurried, turn_work);
    } catch (const nonosat::Stopped&) {
      expect(!(number < slow.total()), "a bound that is none");
    }
  }
  expect(slow.total() == number, "the number in many turns");
  expect(poor.run(watch, int64_t{1} << 40) == poor.is_exact(), "the result of a run that ends");
  expect(poor.is_exact() || poor.is_full(), "a run that ends");
  num_poor_joins += poor.is_full() && poor.num_done() == poor.num_steps();
  expect(!(number < poor.total()), "a bound without memory");
}

void check_against_enumeration(std::mt19937& rng) {
  const Graph graph = drawn(rng);
  uint64_t number = 0;
  for (unsigned chosen = 0; chosen < 1u << graph.num_edges(); ++chosen) {
    number += is_loop(graph, chosen) && keeps(graph, chosen);
  }
  for (const auto halving : {Halving::kNever, Halving::kIfPossible}) {
    check_ways(graph, Natural(number), halving, 100, 1);
  }
}

void check_halves(std::mt19937& rng, const Graph& graph) {
  LoopCount whole = counting(graph, Halving::kNever, 1 << 30);
  Watch watch;
  expect(whole.run(watch, int64_t{1} << 40), "a sweep that ends");
  check_ways(graph, whole.total(), Halving::kIfPossible, rng() % (1 << 20), 50'000);
}

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int index, int otherwise) {
    return argc > index ? std::atoi(argv[index]) : otherwise;
  };
  const int num_small = argument(1, 4000), num_large = argument(2, 80), seed = argument(3, 1);
  std::mt19937 rng(static_cast<unsigned>(seed));
  for (int i = 0; i < num_small; ++i) check_against_enumeration(rng);
  expect(num_halved >= num_small / 160, "small graphs that are halved");
  num_halved = num_mirrored = 0;
  for (int i = 0; i < num_large; ++i) {
    check_halves(rng, i % 2 ? drawn_with_its_image(rng) : drawn_around_a_border(rng));
  }
  expect(num_halved > num_large, "larger graphs that are halved");
  expect(num_mirrored >= num_large / 8, "halves that are mirror images");
  expect(num_poor_joins >= num_large / 20, "joins without memory");
  if (!failures) std::printf("checked %d small graphs and %d larger ones\n", num_small, num_large);
  return failures ? 1 : 0;
}
