"""Cuts of a certificate: clauses that every single loop satisfies, and several cycles do not.

A set of vertices is written down, and the clause is made of it here, from the edges of the loop. A
loop that passes through every vertex leaves each set that is neither empty nor everything: one of
the edges that lead out of it is chosen. Any other loop may lie on one side: if an edge within the
set is chosen, and one outside of it, then one of those that lead out is.

    {"cuts": [{"loop": 0, "vertices": [0, 1, 4, 5], "inside": 3, "outside": 20}, ...]}

`inside` and `outside` are places in the list of the loop's edges, and missing where the loop passes
through every vertex. `loop` is its place among the loops of the rules, and vertices and edges are
those of `certify.rules`, counted from 0.

Invariant: whatever a file holds, cuts or a CertificateError come out, and a clause is made only of
a cut that is one. Linear in the edges at the vertices of the set.

Source: Dantzig, Fulkerson, Johnson, "Solution of a large-scale traveling-salesman problem"
(Operations Research 2, 1954).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from nonosat.certify import folder
from nonosat.errors import CertificateError
from nonosat.model import Loop


class Cut(NamedTuple):
    """A set of vertices, in their order, and an edge on either side of its border.

    Args:
        loop: The place of the loop in the rules.
        vertices: The set.
        inside, outside: Places of edges; None where the loop passes through every vertex.
    """

    loop: int
    vertices: tuple[int, ...]
    inside: int | None = None
    outside: int | None = None


class Cutter:
    """Makes clauses of cuts.

    Args:
        loops: Those of the rules.
    """

    def __init__(self, loops: Sequence[Loop]) -> None:
        self._loops = loops
        self._incident: list[list[list[int]]] = []  # by loop and vertex the places of edges
        for loop in loops:
            ways: list[list[int]] = [[] for _ in range(loop.num_vertices)]
            for place, (u, v, _) in enumerate(loop.edges):
                ways[u].append(place)
                ways[v].append(place)
            self._incident.append(ways)

    def clause(self, cut: Cut) -> list[int]:
        """The clause of a cut; constants may be in it.

        Raises:
            CertificateError: Some loop might violate it; the message says why.
        """
        if not 0 <= cut.loop < len(self._loops):
            raise CertificateError(f"there is no loop {cut.loop}")
        loop, incident = self._loops[cut.loop], self._incident[cut.loop]
        within = set(cut.vertices)
        if len(within) != len(cut.vertices) or not all(
            0 <= vertex < loop.num_vertices for vertex in cut.vertices
        ):
            raise CertificateError(
                f"the vertices are not different ones of 0 .. {loop.num_vertices - 1}"
            )
        if not 0 < len(within) < loop.num_vertices:
            raise CertificateError("the vertices are none, or all there are")
        leaving = [
            loop.edges[place][2]
            for vertex in cut.vertices
            for place in incident[vertex]
            if not (loop.edges[place][0] in within and loop.edges[place][1] in within)
        ]
        return [*self._unless(cut, loop, within), *leaving]

    def _unless(self, cut: Cut, loop: Loop, within: set[int]) -> Iterable[int]:
        """The literals that say that one side has nothing of the loop."""
        sides = (("inside", cut.inside, 2), ("outside", cut.outside, 0))
        if loop.spanning:
            if cut.inside is not None or cut.outside is not None:
                raise CertificateError("edges are named, but the loop passes through every vertex")
            return
        for name, place, num_within in sides:
            if place is None or not 0 <= place < len(loop.edges):
                raise CertificateError(f"the edge {name} is none of 0 .. {len(loop.edges) - 1}")
            u, v, lit = loop.edges[place]
            if (u in within) + (v in within) != num_within:
                raise CertificateError(f"edge {place} is not {name}")
            yield -lit


def written(cuts: Iterable[Cut]) -> bytes:
    """The content of the file, a cut a line."""
    lines = [
        json.dumps({name: value for name, value in cut._asdict().items() if value is not None})
        for cut in cuts
    ]
    return ('{"cuts": [\n' + ",\n".join(lines) + "\n]}\n").encode()


def read(data: bytes) -> list[Cut]:
    """The cuts of a file. Raises CertificateError, which names it, where it holds none."""
    try:
        found: Any = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise CertificateError(f"{folder.CUTS}: this is no JSON: {error}") from None
    cuts = found.get("cuts") if isinstance(found, dict) else None
    if not isinstance(cuts, list):
        raise CertificateError(f"{folder.CUTS}: there is no list 'cuts'")
    return [_cut(number, cut) for number, cut in enumerate(cuts, start=1)]


def _cut(number: int, cut: Any) -> Cut:
    names = cut.keys() if isinstance(cut, dict) else frozenset[str]()
    if names not in ({"loop", "vertices"}, {*Cut._fields}):
        raise CertificateError(
            f"{folder.CUTS}: cut {number}: expected the keys {', '.join(Cut._fields)}"
        )
    numbers = [value for name, value in cut.items() if name != "vertices"]
    if not isinstance(cut["vertices"], list) or {
        type(value) for value in (*numbers, *cut["vertices"])
    } != {int}:
        raise CertificateError(
            f"{folder.CUTS}: cut {number}: expected whole numbers, and a list of vertices"
        )
    return Cut(**{**cut, "vertices": tuple(cut["vertices"])})
