"""Reasons for several solutions: the independent parts of the cells in which they differ.

Values equal in all solutions are settled (`backbones.py`). The other cells, or places that a model
decides, are divided into parts, and every part is sound: its fillings in all solutions do not
depend on the rest of the solution, so the product of the numbers of fillings is the number of
solutions. Three steps, each finer:

* Parts that are obviously independent (`components` in `fillings.py`).
* For the cells of a constraint in a part, the engine finds all fillings that occur in solutions.
  Each of them satisfies the constraint, so any combination of such fillings is a solution, and vice
  versa. Hence cells that no chain of the factors (`factors`) of these fillings connects are
  independent of each other; for the edges of a loop that needs a further check
  (`Fillings.dependent`).
* For a part with few fillings the engine finds all; their factors are the finest parts.
  A larger one may be divisible further, though hardly ever is.

The fillings of a part are counted natively, with all other cells as in one solution: as parts are
independent, the choice of the solution makes no difference.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from time import perf_counter
from typing import Any, NamedTuple

from nonosat.core.errors import BackendError, counted
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import TimeLeft, left_of, original_limit
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Options, Stage, Verdict
from nonosat.core.scope import run_limited
from nonosat.questions.ambiguity import Ambiguity, Place, Switch
from nonosat.questions.backbone_result import BackboneResult
from nonosat.questions.backbones import backbone_of
from nonosat.questions.fillings import BoardFillings, Cells, Fillings, ModelFillings, unsettled
from nonosat.questions.union_find import UnionFind
from nonosat.solving.problem import Problem

# The independent parts of a set of fillings: the finest partition of its places.
#
# A set of fillings is the product of its projections to some parts of its places exactly if these
# parts are independent of each other. There is one finest such partition.
#
# Source: prime factors of a relation: Antova, Koch, Olteanu, "World-set decompositions:
# expressiveness and efficient algorithms" (ICDT 2007).


Filling = tuple[int, ...]


class Factor(NamedTuple):
    """Places that depend on each other, and their fillings."""

    places: tuple[int, ...]
    fillings: frozenset[Filling]


def factors(fillings: Collection[bytes]) -> list[Factor]:
    """Return the finest division into parts such that `fillings` is the product of theirs.

    Consider the factors of all fillings that agree in one place. A factor that is the same for
    every value of the place does not depend on the place, so it is a factor of the whole. All other
    places depend on it: a factor of the whole without the place would be a factor of the fillings
    that agree in it, too.

    Args:
        fillings: Fillings of equal length, at least one, with a byte per place.

    Returns:
        The factors by their first place. The product of their numbers of fillings is the number of
        fillings.
    """
    found = _factors(sorted(set(fillings)))
    return sorted(found, key=lambda factor: factor.places)


def _factors(fillings: list[bytes]) -> set[Factor]:
    """Return the factors of different fillings; a place in which they agree is its own factor."""
    first = fillings[0]
    varying = (at for at, values in enumerate(zip(*fillings, strict=True)) if len(set(values)) > 1)
    split = next(varying, None)
    if split is None:
        return {Factor((at,), frozenset({(value,)})) for at, value in enumerate(first)}
    by_value: dict[int, list[bytes]] = {}
    for filling in fillings:
        by_value.setdefault(filling[split], []).append(filling)
    shared = set.intersection(*map(_factors, by_value.values()))
    free = {place for factor in shared for place in factor.places}
    bound = tuple(at for at in range(len(first)) if at not in free)
    mine = frozenset(tuple(filling[at] for at in bound) for filling in fillings)
    return {*shared, Factor(bound, mine)}


MOST_FILLINGS = 256  # of a part that is divided by enumerating them
MOST_OF_RULE = 24  # of the cells of a rule in a part
KEPT = 8  # fillings in a result
POOL = 512  # solutions that are stored
SOON = 20_000_000  # units of native work, about a nanosecond each, to find if a part is small
LONG = 3_000_000_000  # the same for a number without a time limit

SHARE = 0.75  # of the time limit that the backbone may take


def why_multiple(
    puzzle: Puzzle, *, time_limit_s: float | None = None, memory_limit_mib: int | None = None
) -> Ambiguity:
    """Find the independent switches that give a puzzle several solutions.

        >>> puzzle = nonosat.nonogram([[1, 1], [1, 1]], [[1], [1], [], [1], [1]])
        >>> found = nonosat.why_multiple(puzzle)
        >>> [len(switch.cells) for switch in found.switches], found.count
        ([4, 4], 4)
        >>> found = nonosat.why_multiple(nonosat.slitherlink(["3.."]))
        >>> found.description(), found.switches[0].cells[:2]
        ('1 switch, 2 solutions', ((0, 2, 0, 3), (0, 2, 1, 2)))

    Args:
        puzzle: A puzzle of any family.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the process; None is without limit.

    Returns:
        The switches, each with its number of fillings: exact, or a lower bound if counting takes
            long. After a limit, switches may be divisible further, and cells undecided. A unique or
            unsolvable puzzle has none.

    Raises:
        NotAPuzzleError: `puzzle` is not a puzzle; the message names valid inputs.
        UnsupportedError: Limits out of range, or the puzzle is too large for a model.
        BackendError: A solver failed or gave an answer that the clues refute.
    """
    options = Options(time_limit_s=time_limit_s, memory_limit_mib=memory_limit_mib)
    problem, started = Problem(puzzle, options), perf_counter()
    run = _ComponentSearch(problem)
    limit = run_limited(problem.watch, run.work)
    return run.result(limit, perf_counter() - started)


class _Component:
    """A part: cells whose values do not depend on other cells, with their fillings.

    Args:
        cells: Ascending.
        fillings: All fillings; empty if they are not known.

    Attributes:
        count: Lower bound on the number of fillings.
        is_exact: True if `count` is their number.
    """

    def __init__(self, cells: Cells, fillings: Iterable[bytes] = ()) -> None:
        self.cells, self.fillings = cells, sorted(fillings)
        self.count, self.is_exact = max(1, len(self.fillings)), bool(self.fillings)


class _OpenCells(NamedTuple):
    """Cells of a part that are not settled.

    Args:
        differing: Indices of cells in which some two solutions differ.
        undecided: Indices of cells that may differ.
        fillings: Known fillings of the differing cells, that of the first solution first.
    """

    differing: list[int]
    undecided: list[int]
    fillings: list[bytes]


class _ComponentSearch:
    """Search for the parts; those found so far are always independent of each other."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._watch, self._log = problem.watch, problem.log
        self._common: BackboneResult | None = None
        self._parts: list[_Component] = []
        self._known: dict[bytes, None] = {}  # cells of solutions, in order
        self._fill: Fillings | None = None

    # Computation

    def work(self) -> None:
        """Find the parts; raise LimitReached at a limit."""
        self._common = common = backbone_of(self._problem.part(**self._share()))
        detail = {"differing": len(common.differing), "undecided": common.num_undecided}
        self._log.stages.append(Stage("backbone", common.seconds, 0, detail))
        if common.verdict is not Verdict.MULTIPLE:
            return
        self._known = dict.fromkeys(common.cells)
        open_cells = enumerate(common.settled.cells)
        self._parts = [_Component([at for at, value in open_cells if value == UNKNOWN])]
        self._parts = [_Component(unsettled(self._problem, common.settled))]
        started = perf_counter()
        try:
            self._take_apart(common)
        finally:
            if self._fill is not None:
                self._fill.oracle.close()
            self._log.stage("parts", started, parts=len(self._parts))

    def _share(self) -> dict[str, Any]:
        """Return limits for the backbone: a share of the time, as the parts need the rest."""
        left = left_of(self._watch)
        if (left_s := left["time_limit_s"]) is not None:
            left["time_limit_s"] = TimeLeft(SHARE * left_s, original_limit(left_s))
        return left

    def _take_apart(self, common: BackboneResult) -> None:
        self._watch.doing("take the differing cells apart")
        self._fill = fill = self._fillings_of(common)
        self._split(self._parts[0], map(_Component, fill.components()))
        for part in [*self._parts]:
            self._refine(part)
        for number, part in enumerate(self._parts):
            if not part.is_exact:
                self._watch.doing("parts counted", number, len(self._parts))
                self._count(part, LONG)

    def _fillings_of(self, common: BackboneResult) -> Fillings:
        """Return queries about cells of a board, or about places of a model."""
        if isinstance(common.settled, Grid):
            return BoardFillings(self._problem, common.settled)
        return ModelFillings(self._problem, common.settled, common.cells[0])

    def _split(self, part: _Component, into: Iterable[_Component]) -> list[_Component]:
        """Replace a part by finer ones, in one step, so that a limit leaves it whole or divided."""
        at, finer = self._parts.index(part), list(into)
        self._parts[at : at + 1] = finer
        return finer

    def _refine(self, part: _Component) -> None:
        """Divide a part further, and count its fillings if that is quick."""
        self._watch.check()
        self._watch.doing("parts taken apart", self._parts.index(part), len(self._parts))
        self._count(part, SOON)
        if part.is_exact and part.count <= MOST_FILLINGS:
            self._take_factors(part)
            return
        finer = self._by_rules(part.cells)
        if len(finer) > 1:
            for one in self._split(part, map(_Component, finer)):
                self._refine(one)

    def _take_factors(self, part: _Component) -> None:
        """Divide a part with few fillings into its finest parts, with all fillings."""
        fillings = self._fillings(part.cells, part.count)
        if fillings is None or len(fillings) < part.count:
            raise BackendError(
                f"{part.count} fillings of {counted(len(part.cells), 'cell')} were counted, an "
                f"engine finds {'more' if fillings is None else len(fillings)}"
            )
        finer = (
            _Component([part.cells[at] for at in factor.places], map(bytes, factor.fillings))
            for factor in factors(fillings)
        )
        self._split(part, finer)

    # Division into parts

    def _by_rules(self, cells: Cells) -> list[Cells]:
        """Split a part: cells stay together if the fillings of a constraint's cells relate them."""
        assert self._fill is not None
        joining = UnionFind(cells)
        for scope in self._fill.scopes(cells):
            if len({joining.root(cell) for cell in scope}) == 1:
                continue
            fillings = self._fillings(scope, MOST_OF_RULE)
            whole = [tuple(range(len(scope)))]  # if there are too many
            groups = [one.places for one in factors(fillings)] if fillings else whole
            for places in groups:
                joining.join([scope[place] for place in places])
        return self._independent(joining.parts())

    def _independent(self, parts: list[Cells]) -> list[Cells]:
        """Return the parts, with those that may depend on each other merged into one."""
        assert self._fill is not None
        if len(parts) == 1:
            return parts
        dependent = self._fill.dependent(parts, lambda one: self._fillings(one, MOST_FILLINGS))
        rest = sorted(cell for number in dependent for cell in parts[number])
        free = [cells for number, cells in enumerate(parts) if number not in dependent]
        return [*free, rest] if rest else free

    # Fillings

    def _fillings(self, cells: Cells, most: int) -> set[bytes] | None:
        """Return all fillings of cells that occur in solutions; None if more than `most`."""
        found = {bytes(known[cell] for cell in cells) for known in self._known}
        if len(found) > most:
            return None
        assert self._fill is not None
        for solution in self._fill.others(cells, [*found]):
            if len(self._known) < POOL:
                self._known[solution] = None
            found.add(bytes(solution[cell] for cell in cells))
            if len(found) > most:
                return None
        return found

    def _count(self, part: _Component, work: int) -> None:
        """Count the fillings of a part with all other cells as in the first solution."""
        assert self._fill is not None
        if self._watch.limits.time_s is not None and work == LONG:
            work = 2**60
        first = next(iter(self._known))
        part.count, part.is_exact = self._fill.count(part.cells, first, self._known, work)

    # The result

    def result(self, reason: str, seconds: float) -> Ambiguity:
        """Return the result so far."""
        common = self._common
        parts = sorted(self._parts, key=lambda part: part.cells)
        differing = self._differing()
        kinds = [self._kinds(part, differing) for part in parts]
        switches = map(self._switch, parts, kinds)
        undecided = [
            place
            for part, kind in zip(parts, kinds, strict=True)
            for place in self._places(part.cells[at] for at in kind.undecided)
        ]
        return Ambiguity(
            self._problem.puzzle,
            Verdict.UNKNOWN if common is None else common.verdict,
            None if common is None else common.solution,
            tuple(switch for switch in switches if switch.count > 1),
            tuple(sorted(undecided)),
            reason=reason or ("" if common is None else common.reason),
            seconds=seconds,
            stages=tuple(self._log.stages),
            limits=self._watch.limits,
        )

    def _differing(self) -> set[Place]:
        """Return the places in which some two known solutions differ."""
        if self._common is None:
            return set()
        first, *others = (int.from_bytes(cells, "big") for cells in self._known or [b"\0"])
        changed = 0
        for other in others:
            changed |= first ^ other
        size = len(self._common.settled.cells)
        cells = [at for at, value in enumerate(changed.to_bytes(size, "big")) if value]
        return {*self._common.differing, *self._places(cells)}

    def _places(self, cells: Iterable[int]) -> list[Place]:
        return [] if self._common is None else [*map(self._common.settled.place, cells)]

    def _kinds(self, part: _Component, differing: set[Place]) -> _OpenCells:
        """Return which cells of a part differ and which are undecided; the rest are settled.

        The number of fillings alone does not determine which cells differ: a cell that the backbone
        left undecided may be equal in all of them. The list of all fillings does.
        """
        known = (bytes(one[cell] for cell in part.cells) for one in self._known)
        fillings = [*dict.fromkeys([next(known), *(part.fillings or known)])]
        is_all = part.is_exact and len(fillings) == part.count
        sure, undecided = [], []
        columns = zip(self._places(part.cells), zip(*fillings, strict=True), strict=True)
        for at, (place, values) in enumerate(columns):
            if place in differing or len(set(values)) > 1:
                sure.append(at)
            elif not is_all:
                undecided.append(at)
        projected = (bytes(filling[at] for at in sure) for filling in fillings)
        return _OpenCells(sure, undecided, [*dict.fromkeys(projected)])

    def _switch(self, part: _Component, kind: _OpenCells) -> Switch:
        """Return a part as a `Switch` of its cells that differ; with a count of 1 if none does."""
        cells = tuple(self._places(part.cells[at] for at in kind.differing))
        count = max(part.count, len(kind.fillings), 2) if cells else 1
        return Switch(cells, count, part.is_exact, tuple(map(tuple, kind.fillings[:KEPT])))
