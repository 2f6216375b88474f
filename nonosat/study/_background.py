"""What document 000 explains its terms with: Fibonacci's numbers, Kruskal's spanning tree.

Fibonacci's numbers show what a memory is worth: the plain recursion takes 2 F(k + 1) - 1 calls, so
O(1.618^k) (the document's O(2^k) is an upper bound that is never reached), the memoised recursion
2k - 1 and the table k + 1 steps. The recursion T of a line grows in the same way, as a filled cell
takes its separator with it. Kruskal's algorithm is its example of a greedy choice that is right.

Source: document 000 (Viblo article), "Các thuật ngữ" ("Quy hoạch động", "Giải thuật tham lam").
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nonosat.study._lines import Tick


def fibonacci(k: int, tick: Tick) -> int:
    """By the plain recursion; `tick` is called at every call."""
    tick()
    return k if k <= 1 else fibonacci(k - 1, tick) + fibonacci(k - 2, tick)


def fibonacci_top_down(k: int, tick: Tick) -> int:
    """By the recursion with a memory, -1 where nothing is known yet."""
    memory = [0, 1, *(-1,) * (k - 1)]

    def number(i: int) -> int:
        tick()
        if memory[i] == -1:
            memory[i] = number(i - 1) + number(i - 2)
        return memory[i]

    return number(k)


def fibonacci_bottom_up(k: int, tick: Tick) -> int:
    """By a table that is filled from its small end."""
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
    """A spanning tree of least cost: the cheapest edge that closes no cycle, again and again.

    Args:
        num_vertices: Vertices are 0 to num_vertices - 1.
        edges: Of an undirected graph; where it is not connected, each part gets its tree.
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
