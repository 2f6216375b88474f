"""Lazy loop in the plane: its inside is connected, and so is its outside.

Edges that separate inside faces from outside ones are disjoint cycles (the degree constraints
exclude that two touch), and there is one cycle exactly when the inside faces are connected with
each other, and the outside ones with the outer face. If a model has more parts, each part but the
largest is cut off by a separator: the neighbouring faces through which a path to the largest one
leads. All of them are of the other kind. For a part that is outside: one of its faces is inside, or
one of the separator is not. For a part that is inside, whose cells may all be outside: one of its
faces is not inside, or one of the largest part is not, or one of the separator is.

Invariant: an accepted model is one cycle; a refused model violates each clause returned. The
clauses hold for every loop, whatever the other constraints are. Checking a model takes time linear
in the graph, and again for each part that is cut off.

Source: Jordan's curve theorem; that inside and outside are connected is how ASP programs write
loops (Gebser, Kaminski, Kaufmann, Schaub, "Answer set solving in practice", 2012), separators as
clauses are after Carvajal et al., "Imposing connectivity constraints in forest planning models"
(Operations Research 61, 2013).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from nonosat import _core
from nonosat.clauses.cnf import split
from nonosat.clauses.loops import add_cycles, components
from nonosat.core.errors import UnsupportedError
from nonosat.core.model import FALSE, Loop
from nonosat.core.plugins import Encoding, Refiner, Sink, SizeFormula, Strength

MOST_LITS = 200  # in the clauses about one part; 100 to 300 were best of 30 to 1000
_OUTER = 0


class FaceRefiner:
    """Refiner for models of the degree clauses of one loop that is drawn in the plane."""

    def __init__(self, pairs: Sequence[tuple[int, int]]) -> None:
        """Store the graph of faces, given the two faces of each edge."""
        self._lits = [FALSE, *{face: None for pair in pairs for face in pair if face != FALSE}]
        places = {lit: place for place, lit in enumerate(self._lits)}
        self._neighbours: list[list[int]] = [[] for _ in self._lits]
        for one, other in pairs:
            self._neighbours[places[one]].append(places[other])
            self._neighbours[places[other]].append(places[one])

    def __call__(self, values: bytes) -> list[list[int]]:
        """Return clauses that every single loop satisfies and these values violate; none for one
        loop.
        """
        is_inside = [lit != FALSE and bool(values[lit]) for lit in self._lits]
        parts: list[list[int]] = []
        for kind in (False, True):
            nodes = [place for place, inside in enumerate(is_inside) if inside is kind]
            parts += components(self._neighbours, nodes)
        insides = [part for part in parts if is_inside[part[0]]]
        if not insides:
            return [self._lits[1:]]
        largest = max(insides, key=len)
        clauses: list[list[int]] = []
        for part in parts[1:]:  # the first is that of the outer face
            if part is not largest:
                target = largest[0] if is_inside[part[0]] else _OUTER
                clauses += self._clauses(part, target, is_inside)
        return clauses

    def _clauses(
        self, part: Sequence[int], target: int, is_inside: Sequence[bool]
    ) -> Iterator[list[int]]:
        """Yield clauses that require a part (a connected component of faces) to reach its target.

        There is a clause for each of several faces of the part, evenly chosen; a clause for a
        single face is too weak.
        """

        def false(place: int) -> int:
            """Return the literal of a face that the model makes false."""
            return -self._lits[place] if is_inside[place] else self._lits[place]

        between = [false(place) for place in self._separator(part, target) if place != _OUTER]
        ends = [] if target == _OUTER else [false(target)]
        count = max(1, min(len(part), MOST_LITS // max(1, len(between))))
        for i in range(count):
            yield [false(part[i * len(part) // count]), *ends, *between]

    def _separator(self, part: Iterable[int], target: int) -> list[int]:
        """Return the neighbours of a part that a search from the target reaches first."""
        beside = {other for place in part for other in self._neighbours[place]}.difference(part)
        reached, queue, first = {target}, [target], dict[int, None]()
        for place in queue:
            for other in self._neighbours[place]:
                if other in beside:
                    first[other] = None
                elif other not in reached:
                    reached.add(other)
                    queue.append(other)
        return list(first)


def encode(loop: Loop, sink: Sink) -> Refiner:
    """Add degrees and faces; the refiner that is returned adds the separators.

    Raises:
        UnsupportedError: The loop has no faces.
        ValueError: An edge has a vertex out of range, or joins one to itself, or a face is neither
            a variable nor FALSE.
    """
    if loop.faces is None:
        raise UnsupportedError(
            "the encoding loop=cells is for loops along the sides of cells, as in a slitherlink; "
            "use loop=cut-sets or loop=positions"
        )
    add_cycles(loop, sink)
    return separators(loop.faces)


def separators(pairs: Sequence[tuple[int, int]]) -> Refiner:
    """Return the native equivalent of `FaceRefiner`, given the two faces of each edge."""
    cells = _core.Cells(array("i", chain.from_iterable(pairs)), MOST_LITS)

    def refine(values: bytes) -> Iterator[list[int]]:
        return split(array("i", cells.refine(values)))

    return refine


PLUGIN = Encoding(
    summary="lazy, in the plane: inside and outside are connected, by separators of their parts",
    source="Jordan; Gebser et al. 2012; Carvajal et al. 2013",
    strength=Strength.NONE,
    size=SizeFormula(
        "none for degrees up to 8, else a sequential counter a vertex",
        "degrees of 0 or 2, 8 a vertex of degree 4; 4 an edge between faces; and the separators",
    ),
    encode=encode,
)
