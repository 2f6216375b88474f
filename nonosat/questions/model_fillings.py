"""Fillings of the places that a model decides, whose rules are its constraints.

Every constraint but a loop speaks of some places alone, and a loop of the edges at each vertex. A
loop is one more thing: that the chosen edges are connected. Of a part, they form paths. Where these
join the same pairs of ends in every filling of the part, one filling can take the place of another
and the loop stays one, whatever there is elsewhere. Parts of which that holds are independent of
all others; the rest are one part (`dependent`).

Variables that are no places, but unsettled, hide what they connect: cells that a chain of rules
about them connects stay together; where a loop is about them, all do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from nonosat.core.blame import Suspects
from nonosat.core.errors import UnsupportedError
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import Watch
from nonosat.core.model import Loop, Model
from nonosat.core.plugins import Puzzle
from nonosat.questions.asker import WITHOUT_END
from nonosat.questions.countable import ModelCountable
from nonosat.questions.counting import max_bytes
from nonosat.questions.facts import Facts, places_of, told_apart_by
from nonosat.questions.fillings import Cells, Fillings, FillingsOf
from nonosat.questions.joining import Joining
from nonosat.questions.on_model import ENGINE, ModelSubject

Edge = tuple[int, int, bool]  # two vertices, and the value that chooses it
Ends = frozenset[frozenset[int]]


def unsettled(puzzle: Puzzle, model: Model, settled: Grid | Facts) -> Cells:
    """The cells that are not settled; of a model's places those that tell solutions apart."""
    cells = [at for at, value in enumerate(settled.cells) if value == UNKNOWN]
    if isinstance(settled, Grid):
        return cells
    by, variables = set(told_apart_by(model)), [*places_of(puzzle, model).values()]
    return [at for at in cells if variables[at] in by]


class ModelFillings(Fillings):
    """What can be asked of a model.

    Args:
        puzzle: The puzzle.
        model: Its model.
        settled: What is equal in all solutions.
        first: A solution, a byte a place.
        watch: Ends all work.

    Attributes:
        cells: Those that tell solutions apart and are not settled.
    """

    def __init__(
        self, puzzle: Puzzle, model: Model, settled: Facts, first: bytes, watch: Watch
    ) -> None:
        self._subject = ModelSubject(puzzle, model, watch, WITHOUT_END)
        super().__init__(puzzle, self._subject.open(watch))
        self._watch, self._model = watch, model
        self._vars = tuple(self._subject.places.values())
        by = set(told_apart_by(model))
        self._places = [at for at, var in enumerate(self._vars) if var in by]
        self.cells = unsettled(puzzle, model, settled)
        known = [at for at, value in enumerate(settled.cells) if value != UNKNOWN]
        self.asker.settle(known, first)
        self._cell_of = {self._vars[at]: at for at in self.cells}
        self._settled = {self._vars[at] for at in known}
        self._groups = [*self._spoken_of()]
        self._hidden = {var for group in self._groups for var in group} - self._cell_of.keys()
        self._countable: ModelCountable | None = None

    def components(self) -> list[Cells]:
        """What rules connect; all cells where there is a loop."""
        if self._model.loops:
            return [self.cells]
        joining = Joining([*self.cells, *(-var for var in self._hidden)])
        for group in self._groups:
            joining.join([self._cell_of.get(var, -var) for var in group])
        parts = ([at for at in part if at >= 0] for part in joining.parts())
        return [part for part in parts if part]

    def _spoken_of(self) -> Iterator[list[int]]:
        """Of each rule the variables that are not settled."""
        model = self._model
        lists: Iterable[Iterable[int]] = chain(
            (clause.lits for clause in model.clauses),
            (count.lits for count in model.counts),
            (chain.from_iterable(line.cells) for line in model.lines),
            *map(_at_vertices, model.loops),
        )
        for lits in lists:
            open_ones = {abs(lit) for lit in lits if 0 < abs(lit) <= model.num_vars}
            if group := open_ones - self._settled:
                yield sorted(group)

    def scopes(self, cells: Cells) -> Iterator[Cells]:
        if self._hidden:
            yield cells
            return
        mine = set(cells)
        for group in self._groups:
            if scope := [at for var in group if (at := self._cell_of[var]) in mine]:
                yield scope

    def dependent(self, parts: Sequence[Cells], fillings_of: FillingsOf) -> list[int]:
        if not self._model.loops:
            return []
        edges = self._edges()
        return [
            number
            for number, cells in enumerate(parts)
            if edges is None
            or (fillings := fillings_of(cells)) is None
            or len({_ends(edges, cells, filling) for filling in fillings}) > 1
        ]

    def _edges(self) -> Mapping[int, Edge] | None:
        """By cell the edge of the loop that it decides; None where it is not so simple."""
        (loop, *more) = self._model.loops
        found = {
            self._cell_of.get(abs(lit), -place): (u, v, lit > 0)
            for place, (u, v, lit) in enumerate(loop.edges, start=1)
            if 0 < abs(lit) <= self._model.num_vars and abs(lit) not in self._settled
        }
        is_simple = not more and found.keys() == set(self.cells)
        return found if is_simple else None

    def count(
        self, cells: Cells, first: bytes, known: Iterable[bytes], work: int
    ) -> tuple[int, bool]:
        del known
        try:
            self._countable = self._countable or ModelCountable(
                self.puzzle, self._model, self._watch
            )
        except UnsupportedError:  # a loop that is too large to be said in clauses
            return 1, False
        free = set(cells)
        others = (at for at in self._places if at not in free)
        self._countable.units = [self._vars[at] if first[at] else -self._vars[at] for at in others]
        counter = self._countable.counter(max_bytes(self._watch), self._watch)
        is_exact = counter.run(work, self._watch.remaining_s(), self._watch.poll)
        if is_exact is None:
            raise self._watch.limit()
        return int.from_bytes(counter.total, "little"), is_exact

    def _cells_of(self, values: bytes) -> bytes:
        return self._subject.cells_of(values)

    def _suspects(self) -> Suspects:
        return Suspects(ENGINE)


def _at_vertices(loop: Loop) -> Iterable[list[int]]:
    """By vertex the literals of its edges."""
    found: dict[int, list[int]] = {}
    for u, v, lit in loop.edges:
        found.setdefault(u, []).append(lit)
        found.setdefault(v, []).append(lit)
    return found.values()


def _ends(edges: Mapping[int, Edge], cells: Cells, filling: bytes) -> Ends:
    """Which ends the paths of the chosen edges join; a loop has none."""
    chosen = [
        (u, v)
        for (u, v, sign), value in zip((edges[at] for at in cells), filling, strict=True)
        if bool(value) is sign
    ]
    degree = Counter(chain.from_iterable(chosen))
    joining = Joining(degree)
    for edge in chosen:
        joining.join(edge)
    return frozenset(
        frozenset(vertex for vertex in path if degree[vertex] == 1) for path in joining.parts()
    )
