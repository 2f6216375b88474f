"""Experiment: document 000's examples of dynamic programming and of a greedy choice, measured.

The measurements are the number of calls of Fibonacci's recursion with and without a memory, and the
cost of Kruskal's tree beside the costs of all spanning trees of a random complete graph.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import combinations
from math import log2
from statistics import mean
from typing import TYPE_CHECKING, NamedTuple

from nonosat.puzzles.nonogram import Nonogram
from nonosat.study._lines import Meter, Tick
from nonosat.study.experiments import Data, Plot, Row, Scale
from nonosat.study.experiments._figures import rounded_mean, shown, slope

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Document 000's examples for its terms: Fibonacci's numbers, Kruskal's spanning tree.
#
# Fibonacci's numbers show the value of a memory: the plain recursion takes 2 F(k + 1) - 1 calls,
# so O(1.618^k) (the document's O(2^k) is an upper bound that is never reached), the memoised
# recursion 2k - 1 and the table k + 1 steps. The recursion T of a line grows in the same way, as a
# filled cell takes its separator with it. Kruskal's algorithm is its example of a greedy choice
# that is right.
#
# Source: document 000 (Viblo article), "Các thuật ngữ" ("Quy hoạch động", "Giải thuật tham lam").


def fibonacci(k: int, tick: Tick) -> int:
    """Return the k-th Fibonacci number by plain recursion; `tick` is called at every call."""
    tick()
    return k if k <= 1 else fibonacci(k - 1, tick) + fibonacci(k - 2, tick)


def fibonacci_top_down(k: int, tick: Tick) -> int:
    """Return the k-th Fibonacci number by recursion with a memory; -1 marks an unknown value."""
    memory = [0, 1, *(-1,) * (k - 1)]

    def number(i: int) -> int:
        tick()
        if memory[i] == -1:
            memory[i] = number(i - 1) + number(i - 2)
        return memory[i]

    return number(k)


def fibonacci_bottom_up(k: int, tick: Tick) -> int:
    """Return the k-th Fibonacci number by a table that is filled from its small end."""
    table: list[int] = []
    for i in range(k + 1):
        tick()
        table.append(i if i <= 1 else table[i - 1] + table[i - 2])
    return table[k]


class Edge(NamedTuple):
    """An edge {u, v} of cost c(u, v)."""

    u: int
    v: int
    cost: int


def kruskal(num_vertices: int, edges: Sequence[Edge]) -> list[Edge]:
    """Return a spanning tree of least cost: repeatedly add the cheapest edge that closes no cycle.

    Args:
        num_vertices: Vertices are 0 to num_vertices - 1.
        edges: Edges of an undirected graph; if it is not connected, each part gets its tree.
    """
    parent = list(range(num_vertices))

    def root(vertex: int) -> int:
        while parent[vertex] != vertex:
            parent[vertex] = vertex = parent[parent[vertex]]
        return vertex

    tree = []
    for edge in sorted(edges, key=lambda edge: edge.cost):
        u, v = root(edge.u), root(edge.v)
        if u != v:  # there is no path from u to v yet
            parent[u] = v
            tree.append(edge)
    return tree


TITLE = "What do remembering results and greedy choices gain?"
QUESTION = (
    "The article explains its ideas by two examples: remembering results (Fibonacci's numbers) and "
    "greedy choices (Kruskal's cheapest spanning tree). Do the examples support these ideas?"
)
HOW = (
    "The calls that a Fibonacci number takes are counted with and without a memory. Kruskal's tree "
    "is compared with every spanning tree of small random graphs."
)

_PLAIN = "plain recursion"
_WAYS: dict[str, Callable[[int, Tick], int]] = {
    _PLAIN: fibonacci,
    "top-down memory": fibonacci_top_down,
    "bottom-up table": fibonacci_bottom_up,
}
_LARGEST = 6  # vertices: 1296 trees


def measure(scale: Scale, bundled: Sequence[Nonogram]) -> Data:
    """Measure calls by k, and costs of trees by vertices, the mean over the graphs."""
    del bundled
    numbers = range(1, scale.line + 1)
    graphs = {n: [drawn_graph(n, number) for number in range(10)] for n in range(3, _LARGEST + 1)}
    return {
        "curves": {name: [_calls(way, k) for k in numbers] for name, way in _WAYS.items()},
        "trees": [[n, *_mean_costs(n, drawn)] for n, drawn in graphs.items()],
    }


def _calls(way: Callable[[int, Tick], int], k: int) -> int:
    meter = Meter()
    way(k, meter)
    return meter.steps


def drawn_graph(num_vertices: int, number: int) -> list[Edge]:
    """Return a complete graph with random costs."""
    rng = random.Random(f"graph {num_vertices} {number}")
    return [Edge(u, v, rng.randint(1, 99)) for u, v in combinations(range(num_vertices), 2)]


def spanning_trees(num_vertices: int, edges: Sequence[Edge]) -> list[int]:
    """Return the costs of all spanning trees: the sets of edges from which Kruskal omits none."""
    return [
        sum(edge.cost for edge in chosen)
        for chosen in combinations(edges, num_vertices - 1)
        if len(kruskal(num_vertices, chosen)) == num_vertices - 1
    ]


def _mean_costs(num_vertices: int, graphs: Sequence[Sequence[Edge]]) -> list[float]:
    """Return mean costs of Kruskal's tree, of the cheapest tree, and of all trees."""
    costs = [spanning_trees(num_vertices, edges) for edges in graphs]
    greedy = [sum(edge.cost for edge in kruskal(num_vertices, edges)) for edges in graphs]
    least, every = [min(trees) for trees in costs], [mean(trees) for trees in costs]
    return [rounded_mean(values) for values in (greedy, least, every)]


def _draw(axes: Axes, data: Data) -> None:
    """Draw a curve for each algorithm, and the document's bound."""
    axes.set_yscale("log")
    for name, calls in data["curves"].items():
        axes.plot(range(1, len(calls) + 1), calls, label=name, marker="o", markersize=3)
    bound = range(1, min(len(data["curves"][_PLAIN]), 18) + 1)
    axes.plot(bound, [2**k for k in bound], label="2^k", linestyle=":")


def _draw_trees(axes: Axes, data: Data) -> None:
    """Draw the costs of the greedy tree over the cheapest one, and of all trees."""
    n, greedy, least, every = zip(*data["trees"], strict=True)
    axes.plot(n, least, label="the cheapest tree", linewidth=4, alpha=0.5)
    axes.plot(n, greedy, label="Kruskal's tree", marker="o", markersize=3)
    axes.plot(n, every, label="mean of all trees", linestyle=":")


def base(calls: Sequence[int]) -> float | None:
    """Return the base b if the number of calls grows like b^k, fitted to the larger half of k."""
    half = len(calls) // 2
    found = slope(range(half, len(calls)), [log2(count) for count in calls[half:]])
    return None if found is None else 2**found


def _conclusion(data: Data) -> str:
    """Return a sentence on the calls that a memory saves."""
    k = len(data["curves"][_PLAIN])
    text = ", ".join(f"{calls[-1]:,} in the {name}" for name, calls in data["curves"].items())
    return (
        f"Fibonacci's number {k} takes so many calls or steps: {text}. The plain recursion grows "
        f"by {shown(base(data['curves'][_PLAIN]), '{:.3f}')} for each k (the golden ratio is "
        "1.618), where the document's O(2^k) is an upper bound that is never reached; those with a "
        "memory take O(k), as it says."
    )


def _conclusion_trees(data: Data) -> str:
    """Return a sentence on the cost of the greedy tree: its optimality, and its gain."""
    wrong = sum(greedy != least for _, greedy, least, _ in data["trees"])
    n, greedy, _, every = data["trees"][-1]
    verdict = "always" if not wrong else f"not always (sizes that differ: {wrong})"
    return (
        f"Kruskal's tree is {verdict} the cheapest of all spanning trees. With {n} vertices it "
        f"costs {greedy / every:.0%} of a mean tree; the greedy order of lines has no such gain, "
        "as it decides when a line is solved and not what it gives."
    )


def answer(data: Data) -> str:
    """Return the results of the examples, in plain words."""
    calls = {name: counts[-1] for name, counts in data["curves"].items()}
    wrong = sum(greedy != least for _, greedy, least, _ in data["trees"])
    right = "always" if not wrong else "not always"
    return (
        f"A memory makes {min(calls.values()):,} steps of {calls[_PLAIN]:,} calls. The greedy tree "
        f"was {right} the cheapest. For nonograms the comparison is weak: a greedy order of lines "
        "changes when a line is solved, not what is found."
    )


def table(data: Data) -> list[Row]:
    """Return a row for every fourth k."""
    return [
        {"k": k, **{name: f"{calls[k - 1]:,}" for name, calls in data["curves"].items()}}
        for k in range(4, len(data["curves"][_PLAIN]) + 1, 4)
    ]


PLOTS = (
    Plot("Fibonacci's numbers", "k", "calls or steps", _draw, _conclusion),
    Plot(
        "Spanning trees of random graphs", "vertices", "mean cost", _draw_trees, _conclusion_trees
    ),
)
