"""Cuts of certificates: accepted cuts hold in every single loop."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.drawing import examples
from nonosat.certify import cuts
from nonosat.certify.cuts import Border, Cut, Cutter, Walls
from nonosat.certify.rules import rules_of
from nonosat.core.errors import CertificateError
from nonosat.core.model import FALSE, Loop
from nonosat.puzzles.slitherlink import from_rows
from nonosat.testing.oracles import every_solution
from nonosat.testing.strategies.models import holds


def loops_in(loop: Loop) -> Iterator[frozenset[int]]:
    """Every single loop, as the places of its edges."""
    for size in range(len(loop.edges) + 1):
        for chosen in combinations(range(len(loop.edges)), size):
            lits = frozenset(
                lit if place in chosen else -lit for place, (_, _, lit) in enumerate(loop.edges)
            )
            if holds(Loop(loop.num_vertices, loop.edges, spanning=loop.spanning), lits):
                yield frozenset(chosen)


@st.composite
def graphs(draw: st.DrawFn) -> Loop:
    """Graphs of few vertices and few edges, some of them parallel."""
    size = draw(st.integers(2, 5))
    ends = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)).filter(
        lambda pair: pair[0] != pair[1]
    )
    edges = draw(st.lists(ends, max_size=8))
    numbered = tuple((u, v, lit) for lit, (u, v) in enumerate(edges, start=1))
    return Loop(size, numbered, spanning=draw(st.booleans()))


@pytest.mark.slow
@given(graphs(), st.randoms(use_true_random=False))
@examples(45)
def test_accepted_cuts_are_cuts(loop: Loop, rng: Any) -> None:
    every = list(loops_in(loop))
    cutter = Cutter((loop,))
    for _ in range(20):
        places = [None, *range(-1, len(loop.edges) + 1)]
        vertices = tuple(v for v in range(loop.num_vertices) if rng.random() < 0.5)
        cut = Border(0, vertices, *(rng.choice(places) for _ in range(2)))
        try:
            clause = cutter.clause(cut)
        except CertificateError:
            continue
        for chosen in every:
            lits = {
                lit if place in chosen else -lit for place, (_, _, lit) in enumerate(loop.edges)
            }
            assert lits & set(clause)


SQUARES = Loop(  # two squares with an edge between them
    8,
    tuple(
        (u, v, lit)
        for lit, (u, v) in enumerate(
            [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5)], 1
        )
    ),
)


def test_the_clause_of_a_cut() -> None:
    assert Cutter((SQUARES,)).clause(Border(0, (0, 1, 2, 3), 0, 4)) == [-1, -5, 9, 10]
    spanning = Loop(8, SQUARES.edges, spanning=True)
    assert Cutter((spanning,)).clause(Border(0, (0, 1, 2, 3))) == [9, 10]


@pytest.mark.parametrize(
    ("cut", "why"),
    [
        (Border(1, (0, 1, 2, 3), 0, 4), "there is no loop 1"),
        (Border(-1, (0, 1, 2, 3), 0, 4), "there is no loop -1"),
        (Border(0, (), 0, 4), "expected some of the vertices, not none or all"),
        (Border(0, tuple(range(8)), 0, 4), "expected some of the vertices, not none or all"),
        (Border(0, (0, 0, 1), 0, 4), r"the vertices are not different ones of 0 \.\. 7"),
        (Border(0, (-1, 1), 0, 4), r"not different ones of 0 \.\. 7"),
        (Border(0, (1, 8), 0, 4), r"not different ones of 0 \.\. 7"),
        (Border(0, (0, 1, 2, 3), 4, 5), "edge 4 is not within the vertices"),
        (Border(0, (0, 1, 2, 3), 8, 5), "edge 8 is not within the vertices"),
        (Border(0, (0, 1, 2, 3), 0, 1), "edge 1 is not beyond the vertices"),
        (Border(0, (0, 1, 2, 3), 0, 8), "edge 8 is not beyond the vertices"),
        (Border(0, (0, 1, 2, 3), -1, 4), r"the edge within is not one of 0 \.\. 9"),
        (Border(0, (0, 1, 2, 3), 0, 10), r"the edge beyond is not one of 0 \.\. 9"),
        (Border(0, (0, 1, 2, 3)), r"the edge within is not one of 0 \.\. 9"),
    ],
)
def test_invalid_cuts_are_refused(cut: Cut, why: str) -> None:
    with pytest.raises(CertificateError, match=f"^{why}$|{why}"):
        list(Cutter((SQUARES,)).clause(cut))


def test_a_spanning_cut_names_no_edges() -> None:
    spanning = Loop(8, SQUARES.edges, spanning=True)
    with pytest.raises(CertificateError, match="edges are named"):
        Cutter((spanning,)).clause(Border(0, (0, 1, 2, 3), 0, 4))


BLANK = from_rows(["...", "...", "..."])  # with the cells 25 to 33


def test_accepted_walls_hold_in_every_loop() -> None:
    """All sets of inside cells, with another inside cell, and of outside cells, with two."""
    (loop,) = rules_of(BLANK).model.loops
    cutter, cells, num_taken = Cutter((loop,)), frozenset(range(25, 34)), 0
    solutions = every_solution(BLANK)
    assert solutions is not None
    loops = [dict(enumerate(path.inside(), start=25)) for path in solutions]
    few = [ends for size in (1, 2) for ends in combinations(sorted(cells), size)]
    for ends in few:
        for size in range(9):
            for walls in combinations(sorted(cells - {*ends}), size):
                cut = Walls(0, walls, ends) if len(ends) == 1 else Walls(0, ends, walls)
                try:
                    clause = cutter.clause(cut)
                except CertificateError:
                    continue
                num_taken += 1
                for is_inside in loops:
                    assert any(is_inside[abs(lit)] == (lit > 0) for lit in clause)
    assert num_taken > 1000


def test_walls() -> None:
    """Adjacent cells separate the middle, a diagonal separates two corners."""
    (loop,) = rules_of(BLANK).model.loops
    cutter = Cutter((loop,))
    beside = (26, 28, 30, 32)
    assert cutter.clause(Walls(0, beside, (29,))) == [-26, -28, -30, -32, 29]
    assert cutter.clause(Walls(0, (25, 33), (27, 29, 31))) == [-25, -33, 27, 29, 31]
    assert cutter.clause(Walls(0, (25, 33), (26, 28))) == [-25, -33, 26, 28]
    for inside, outside in (
        (beside[:3], (29,)),
        (beside, (25,)),
        ((25, 33), (27, 29)),
        ((25, 26), ()),
        ((25, 33, 27), (26, 28)),
        ((25,), (26, 28)),
        (beside, (29, 25)),
        (beside, ()),
        ((), ()),
    ):
        with pytest.raises(CertificateError, match="lock off neither one outside nor two inside"):
            cutter.clause(Walls(0, inside, outside))
    for inside, outside in (
        ((*beside, 26), (29,)),
        ((*beside, 29), (29,)),
        ((25, 34), ()),
        ((24,), (29,)),
        ((FALSE,), (29,)),
        (beside, (FALSE,)),
    ):
        with pytest.raises(CertificateError, match="not different faces of the loop"):
            cutter.clause(Walls(0, inside, outside))
    with pytest.raises(CertificateError, match="not different faces of the loop"):
        Cutter((SQUARES,)).clause(Walls(0, (1,), (2,)))


def test_without_an_outer_face_nothing_is_separated_from_it() -> None:
    """On a sphere a loop may have a single face outside."""
    faces = ((4, 5), (4, 5), (4, 5))
    ball = Loop(3, ((0, 1, 1), (1, 2, 2), (2, 0, 3)), faces)
    with pytest.raises(CertificateError, match="lock off neither"):
        Cutter((ball,)).clause(Walls(0, (4,), (5,)))


def test_cuts_are_read_as_written() -> None:
    for some in ([], [Border(0, (1, 2), 3, 4), Border(1, (5,)), Walls(0, (5, 3), (9,))]):
        assert cuts.read(cuts.written(some)) == some


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "this is not JSON"),
        ("[]", "there is no list 'cuts'"),
        ('{"cuts": {}}', "there is no list 'cuts'"),
        (
            '{"cuts": [3]}',
            "cut 1: expected the keys loop, vertices, within, beyond; or loop, inside, outside",
        ),
        ('{"cuts": [{"loop": 0}]}', "cut 1: expected the keys"),
        ('{"cuts": [{"loop": 0, "vertices": [1], "within": 1}]}', "cut 1: expected the keys"),
        ('{"cuts": [{"loop": true, "vertices": [1]}]}', "cut 1: expected whole numbers"),
        ('{"cuts": [{"loop": 0, "vertices": [1.0]}]}', "cut 1: expected whole numbers"),
        ('{"cuts": [{"loop": 0, "vertices": 1}]}', "cut 1: expected whole numbers"),
        ('{"cuts": [{"loop": [0], "vertices": [1]}]}', "cut 1: expected whole numbers"),
        ('{"cuts": [{"loop": 0, "inside": [1], "outside": 2}]}', "cut 1: expected whole numbers"),
        ('{"cuts": [{"loop": 0, "inside": [[1]], "outside": []}]}', "cut 1: expected whole num"),
    ],
)
def test_files_without_cuts(text: str, why: str) -> None:
    with pytest.raises(CertificateError, match=why):
        cuts.read(text.encode())
