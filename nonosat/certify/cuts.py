"""Cuts of a certificate: clauses that every single loop satisfies and several cycles violate.

The file stores places on the board. The clause is built from them here, after a check on the board
that the cut is valid. There are two kinds.

A border is a set of vertices. A loop that passes through every vertex leaves each nonempty proper
subset, so at least one edge that leads out of it is chosen. Any other loop may be on one side: if
an edge within the set and an edge outside it are chosen, then so is one that leads out.

Walls are faces of a loop that is drawn in the plane. A single loop has a connected inside and a
connected outside, which contains the outer face. So faces inside the loop cannot separate a face
outside it from the outer face, and faces outside it (with the outer face) cannot separate two faces
inside it.

    {"cuts": [{"loop": 0, "vertices": [0, 1, 4, 5], "within": 3, "beyond": 20},
              {"loop": 0, "inside": [25, 31], "outside": [26]}]}

`within` and `beyond` are indices in the list of the loop's edges, and missing if the loop passes
through every vertex. A face is given by its variable. `loop` is the index among the loops of the
rules. Vertices, edges and loops are those of `certify.rules`, counted from 0.

Invariant: any file content yields cuts or raises a CertificateError, and clauses are built only
from valid cuts. Cost: linear in the edges at the vertices of a border, and in the region that walls
enclose.

Source: Dantzig, Fulkerson, Johnson, "Solution of a large-scale traveling-salesman problem"
(Operations Research 2, 1954), for borders; for walls Jordan's curve theorem, or that the cycles of
a plane graph are the minimal cuts of its dual (Whitney, 1932).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from nonosat.certify import folder
from nonosat.certify.folder import json_of
from nonosat.core.errors import CertificateError
from nonosat.core.model import FALSE, Loop

OUTER = FALSE  # the unbounded face


class Border(NamedTuple):
    """A set of vertices in their order, with an edge inside it and one outside it.

    Args:
        loop: Index of the loop in the rules.
        vertices: The set.
        within, beyond: Indices of edges; None if the loop passes through every vertex.
    """

    loop: int
    vertices: tuple[int, ...]
    within: int | None = None
    beyond: int | None = None


class Walls(NamedTuple):
    """Faces whose stated sides contradict a single loop.

    Args:
        loop: Index of the loop in the rules.
        inside, outside: Faces. Either one outside face is separated from the outer face, or two
            inside faces from each other.
    """

    loop: int
    inside: tuple[int, ...]
    outside: tuple[int, ...]


Cut = Border | Walls
_KEYS: dict[frozenset[str], type[Border | Walls]] = {
    frozenset(Border._fields): Border,
    frozenset(Border._fields[:2]): Border,
    frozenset(Walls._fields): Walls,
}


class Cutter:
    """Builder of clauses from cuts.

    Args:
        loops: The loops of the rules.
    """

    def __init__(self, loops: Sequence[Loop]) -> None:
        self._boards = [_LoopGraph(loop) for loop in loops]

    def clause(self, cut: Cut) -> list[int]:
        """Return the clause of a cut, possibly with constants.

        Raises:
            CertificateError: A single loop might violate the clause; the message gives the reason.
        """
        if not 0 <= cut.loop < len(self._boards):
            raise CertificateError(f"there is no loop {cut.loop}")
        board = self._boards[cut.loop]
        return board.around(cut) if isinstance(cut, Border) else board.walled(cut)


class _LoopGraph:
    """The graph of a loop, with adjacency by vertex and by face."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop

    @cached_property
    def _incident(self) -> list[list[int]]:
        """Indices of the edges at each vertex."""
        ways: list[list[int]] = [[] for _ in range(self._loop.num_vertices)]
        for place, (u, v, _) in enumerate(self._loop.edges):
            ways[u].append(place)
            ways[v].append(place)
        return ways

    @cached_property
    def _near(self) -> Mapping[int, list[int]]:
        """Faces across the edges of each face."""
        near: dict[int, list[int]] = {}
        for one, other in self._loop.faces or ():
            near.setdefault(one, []).append(other)
            near.setdefault(other, []).append(one)
        return near

    def around(self, cut: Border) -> list[int]:
        """Return the clause of a border; raise CertificateError if the border is no valid cut."""
        loop, within = self._loop, set(cut.vertices)
        if len(within) != len(cut.vertices) or not all(
            0 <= vertex < loop.num_vertices for vertex in cut.vertices
        ):
            raise CertificateError(
                f"the vertices are not different ones of 0 .. {loop.num_vertices - 1}"
            )
        if not 0 < len(within) < loop.num_vertices:
            raise CertificateError("expected some of the vertices, not none or all")
        leaving = [
            loop.edges[place][2]
            for vertex in cut.vertices
            for place in self._incident[vertex]
            if not (loop.edges[place][0] in within and loop.edges[place][1] in within)
        ]
        return [*self._unless(cut, within), *leaving]

    def _unless(self, cut: Border, within: set[int]) -> Iterator[int]:
        """Yield the literals that exempt a loop on one side of a border from crossing it.

        They are the negations of the edges `within` and `beyond`; a spanning loop has none.
        """
        loop = self._loop
        if loop.spanning:
            if cut.within is not None or cut.beyond is not None:
                raise CertificateError("edges are named, but the loop passes through every vertex")
            return
        for name, place, num_within in (("within", cut.within, 2), ("beyond", cut.beyond, 0)):
            if place is None or not 0 <= place < len(loop.edges):
                raise CertificateError(f"the edge {name} is not one of 0 .. {len(loop.edges) - 1}")
            u, v, lit = loop.edges[place]
            if (u in within) + (v in within) != num_within:
                raise CertificateError(f"edge {place} is not {name} the vertices")
            yield -lit

    def walled(self, cut: Walls) -> list[int]:
        """Return the clause of walls; raise CertificateError if they do not separate the faces."""
        inside, outside = cut.inside, cut.outside
        faces = {*inside, *outside}
        if len(faces) != len(inside) + len(outside) or not faces <= self._near.keys() - {OUTER}:
            raise CertificateError("these are not different faces of the loop")
        # without an outer face the inside may be taken as the outside
        has_outer = OUTER in self._near
        is_locked_off = has_outer and len(outside) == 1 and not self._leads(*outside, OUTER, inside)
        is_parted = len(inside) == 2 and not self._leads(*inside, (*outside, OUTER))
        if not is_locked_off and not is_parted:
            raise CertificateError("the faces lock off neither one outside nor two inside")
        return [*(-face for face in inside), *outside]

    def _leads(self, start: int, goal: int, walls: Collection[int]) -> bool:
        """Return True if some path between two faces avoids all walls."""
        reached = {start, *walls}
        waiting = [start]
        for face in waiting:
            if face == goal:
                return True
            for other in self._near[face]:
                if other not in reached:
                    reached.add(other)
                    waiting.append(other)
        return False


def written(cuts: Iterable[Cut]) -> bytes:
    """Return the content of the file of cuts, one cut per line."""
    lines = [
        json.dumps({name: value for name, value in cut._asdict().items() if value is not None})
        for cut in cuts
    ]
    return ('{"cuts": [\n' + ",\n".join(lines) + "\n]}\n").encode()


def read(data: bytes) -> list[Cut]:
    """Return the cuts of a file. Raise CertificateError, which names the file, if it is invalid."""
    found = json_of(data, folder.CUTS)
    cuts = found.get("cuts") if isinstance(found, dict) else None
    if not isinstance(cuts, list):
        raise CertificateError(f"{folder.CUTS}: there is no list 'cuts'")
    return [_cut(number, cut) for number, cut in enumerate(cuts, start=1)]


def _cut(number: int, cut: Any) -> Cut:
    kind = _KEYS.get(frozenset(cut)) if isinstance(cut, dict) else None
    where = f"{folder.CUTS}: cut {number}"
    if kind is None:
        known = "; or ".join(", ".join(keys._fields) for keys in (Border, Walls))
        raise CertificateError(f"{where}: expected the keys {known}")
    lists = ("vertices",) if kind is Border else ("inside", "outside")
    for name, value in cut.items():
        numbers = value if isinstance(value, list) else [value]
        if (name in lists) != isinstance(value, list) or {*map(type, numbers)} - {int}:
            raise CertificateError(f"{where}: expected whole numbers in {', '.join(lists)}")
    return kind(**{**cut, **{name: tuple(cut[name]) for name in lists}})
