"""Terms of document 000 (nonosat/study/experiments/terms.py), and its recurrences.

`test_documents.py` has the table of the items that each test covers.
"""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from nonosat.study._lines import Meter
from nonosat.study._recursion import num_nodes
from nonosat.study.experiments.terms import (
    Edge,
    fibonacci,
    fibonacci_bottom_up,
    fibonacci_top_down,
    kruskal,
)
from test_study_automata import clues_up_to

NUMBERS = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987]


@pytest.mark.parametrize("k", range(len(NUMBERS)))
def test_three_ways_to_fibonacci(k: int) -> None:
    """O(2^k) claimed: 2 F(k + 1) - 1 calls; O(k) with a memory, each number computed once."""
    plain, top_down, bottom_up = Meter(), Meter(), Meter()
    assert fibonacci(k, plain) == NUMBERS[k]
    assert fibonacci_top_down(k, top_down) == NUMBERS[k]
    assert fibonacci_bottom_up(k, bottom_up) == NUMBERS[k]
    assert plain.steps == 2 * fibonacci_bottom_up(k + 1, Meter()) - 1 <= 2**k
    assert top_down.steps == max(1, 2 * k - 1)
    assert bottom_up.steps == k + 1


def test_the_recursion_t_branches_like_fibonacci() -> None:
    """At most 2 F(m + 1) - 1 nodes for any clue, where the document states O(2^m)."""
    for num_cells in range(1, 13):
        most = 2 * fibonacci_bottom_up(num_cells + 1, Meter()) - 1
        nodes = [num_nodes(lengths, num_cells) for lengths in clues_up_to(num_cells)]
        assert max(nodes) <= most
        assert num_cells < 8 or max(nodes) > most / 4


def test_the_recurrences_of_both_methods_are_2_to_the_j() -> None:
    """Slip: c_j = j + 2 c_{j-1} is in O(2^j), so that O(j 2^j) is loose; so is 1 + 2 c_{j-1}."""
    painting = testing = 0
    for j in range(1, 40):
        painting, testing = j + 2 * painting, 1 + 2 * testing
        assert painting == 2 ** (j + 1) - j - 2 < 2 * 2**j
        assert testing == 2**j - 1
        assert j < 8 or 2 * painting < j * 2**j


def drawn_graph(seed: int) -> tuple[int, list[Edge]]:
    """Up to 6 vertices, not always connected; equal costs occur."""
    rng = random.Random(seed)
    n = rng.randint(1, 6)
    pairs = [pair for pair in combinations(range(n), 2) if rng.random() < 0.75]
    return n, [Edge(u, v, rng.randint(1, 6)) for u, v in pairs]


def joined(n: int, edges: tuple[Edge, ...]) -> list[set[int]]:
    """Connected parts of a graph."""
    parts = [{vertex} for vertex in range(n)]
    for u, v, _ in edges:
        one, other = (next(part for part in parts if end in part) for end in (u, v))
        if one is not other:
            parts.remove(other)
            one |= other
    return parts


@pytest.mark.parametrize("seed", range(60))
def test_kruskal_finds_a_tree_of_least_cost(seed: int) -> None:
    """Against all sets of as many edges that connect the same vertices."""
    n, edges = drawn_graph(seed)
    parts = joined(n, tuple(edges))
    tree = kruskal(n, edges)
    spanning = [
        sum(edge.cost for edge in chosen)
        for chosen in combinations(edges, n - len(parts))
        if len(joined(n, chosen)) == len(parts)
    ]
    assert len(tree) == n - len(parts)
    assert len(joined(n, tuple(tree))) == len(parts)
    assert sum(edge.cost for edge in tree) == min(spanning)


def test_kruskal_takes_the_cheapest_edges_first() -> None:
    triangle = [Edge(0, 1, 3), Edge(1, 2, 1), Edge(0, 2, 2)]
    assert kruskal(3, triangle) == [Edge(1, 2, 1), Edge(0, 2, 2)]
