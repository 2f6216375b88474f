// Random test of counting loops, built with sanitizers by .ci/run.
//
// On drawn graphs with drawn rules: the number is that of enumeration (every set of edges, looked
// at by its degrees and by flooding), in one go, in many small ones, and stopped in between; with
// too little memory it is never above that number.

#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "count/loops.hpp"

namespace {

using namespace nonosat::loops;
using nonosat::Natural;
using nonosat::Rule;
using nonosat::Watch;

int failures = 0;

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

void check(std::mt19937& rng) {
  const Graph graph = drawn(rng);
  uint64_t number = 0;
  for (unsigned chosen = 0; chosen < 1u << graph.num_edges(); ++chosen) {
    number += is_loop(graph, chosen) && keeps(graph, chosen);
  }
  Watch watch;
  LoopCount whole(graph, 1 << 24, watch), slow(graph, 1 << 24, watch), poor(graph, 100, watch);
  expect(whole.run(watch, 1 << 30) && whole.is_exact(), "a count that ends");
  expect(whole.total() == Natural(number), "the number of enumeration");
  int turn = 0;
  Watch hurried({}, [&] { return ++turn % 3 == 0; }, {1, std::chrono::milliseconds(0)});
  for (bool is_done = false; !is_done;) {
    try {
      is_done = slow.run(hurried, 1);
    } catch (const nonosat::Stopped&) {
      expect(!(Natural(number) < slow.total()), "a bound that is none");
    }
  }
  expect(slow.total() == Natural(number), "the number in many turns");
  expect(poor.run(watch, 1 << 30) == poor.is_exact(), "what is said of an end");
  expect(!(Natural(number) < poor.total()), "a bound without memory");
}

}  // namespace

int main() {
  std::mt19937 rng(1);
  for (int i = 0; i < 4000; ++i) check(rng);
  if (!failures) std::puts("loop counts: ok");
  return failures ? 1 : 0;
}
