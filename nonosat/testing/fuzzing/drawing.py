"""The chunks of a campaign: puzzles drawn by hypothesis, and the ways that answer them.

Invariant: chunk k of a seed and a choice of families and ways contains the same cases in every
process, with the same versions of this package and hypothesis. So any process can draw chunks, a
campaign can be resumed, and a failing case can be drawn again to be shrunk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

from nonosat.core import families, hooks, plugins
from nonosat.core.errors import UnsupportedError, alternatives, install_command
from nonosat.core.plugins import Puzzle
from nonosat.testing.fuzzing.reach import MethodDealer, ReachFilter
from nonosat.testing.fuzzing.ways import AnswerMethod

# Sorts of puzzles that a campaign draws, each by a strategy of `nonosat.testing.strategies`.
#
# A chunk contains puzzles of one sort. Most are small, so that many ways and brute force can answer
# them; large ones are rarer, and leave out the slow ways.


@dataclass(frozen=True, slots=True)
class ChunkKind:
    """A sort of chunk, by the strategy that draws its puzzles.

    Args:
        family: Family of the puzzles.
        name: Name of the sort.
        weight: Relative frequency.
        strategy: Returns the strategy; imports hypothesis.
        count: Number of puzzles in a chunk.
        is_large: True if puzzles are too large for slow ways and brute force.
    """

    family: str
    name: str
    weight: int
    strategy: Callable[[], Any]
    count: int = 25
    is_large: bool = False


def _by(strategy: str, **requested: object) -> Callable[[], Any]:
    """Return a function that creates a strategy of this package by its name."""

    def made() -> Any:
        from nonosat.testing import strategies

        return getattr(strategies, strategy)(**requested)

    return made


# Features of puzzles that all external programs support.
PLAIN = {"max_colours": 1, "unknown": False, "given": False}
SORTS = (
    ChunkKind("nonogram", "any", 4, _by("puzzles")),
    ChunkKind("nonogram", "unique", 4, _by("unique_puzzles")),
    ChunkKind("nonogram", "multiple", 6, _by("multiple_puzzles")),
    ChunkKind("nonogram", "unsolvable", 4, _by("unsolvable_puzzles")),
    ChunkKind("nonogram", "hard", 4, _by("hard_puzzles", max_cells=100)),
    ChunkKind("nonogram", "plain-unique", 3, _by("unique_puzzles", **PLAIN)),
    ChunkKind("nonogram", "plain-multiple", 3, _by("multiple_puzzles", **PLAIN)),
    ChunkKind("ranges", "ranges", 2, _by("range_nonograms", stars=False)),
    ChunkKind("ranges", "star", 2, _by("range_nonograms", max_cells=16)),
    ChunkKind("lanes", "triddler", 2, _by("lane_nonograms", kinds=("triddler",))),
    ChunkKind("lanes", "grids", 2, _by("lane_nonograms", kinds=("grid", "grids", "lanes"))),
    ChunkKind("slitherlink", "any", 4, _by("slitherlinks")),
    ChunkKind("queens", "any", 3, _by("queens")),
    ChunkKind("knight", "any", 3, _by("knights")),
    ChunkKind("nonogram", "large", 2, _by("puzzles", max_cells=900), 8, True),
    ChunkKind("nonogram", "large-hard", 2, _by("hard_puzzles", max_cells=1600), 8, True),
)


@dataclass(frozen=True, slots=True)
class CaseSource:
    """Source of a campaign's cases.

    Args:
        seed: Seed of all random choices.
        families: Names of families; empty for all that have strategies.
        sorts: Names of sorts of chunks; empty for all.
        reach: The user's selection of ways.
    """

    seed: int = 0
    families: tuple[str, ...] = ()
    sorts: tuple[str, ...] = ()
    reach: ReachFilter = field(default_factory=ReachFilter)

    @property
    def fitting(self) -> list[ChunkKind]:
        """Sorts of chunks that the arguments select."""
        return [
            one
            for one in SORTS
            if (not self.families or one.family in self.families)
            and (not self.sorts or one.name in self.sorts)
        ]

    def sort_of(self, chunk: int) -> ChunkKind:
        """Return the sort of a chunk."""
        fitting = self.fitting
        rng = Random(f"{self.seed} {chunk} sort")
        return rng.choices(fitting, [one.weight for one in fitting])[0]


@dataclass(frozen=True, slots=True)
class Case:
    """A puzzle, and the ways that answer it.

    Args:
        chunk: Number of the chunk.
        index: Index of the case in the chunk.
        sort: Name of the chunk's sort.
        puzzle: The puzzle.
        ways: Different ways to answer the puzzle.
    """

    chunk: int
    index: int
    sort: str
    puzzle: Puzzle
    ways: tuple[AnswerMethod, ...]


def check(drawn: CaseSource) -> None:
    """Raise UnsupportedError if hypothesis is missing, or a name is unknown."""
    try:
        import hypothesis
    except ImportError:
        needed = f"hypothesis is not installed; {install_command('testing')} installs it"
        raise UnsupportedError(needed) from None
    del hypothesis
    known = sorted({one.family for one in SORTS})
    for name in drawn.families:
        plugins.find("puzzles", name)
        if name not in known:
            raise UnsupportedError(f"nothing draws puzzles of {name}; expected {', '.join(known)}")
    if not drawn.fitting:
        able = CaseSource(families=drawn.families).fitting
        raise UnsupportedError(
            f"no sort is called {alternatives(drawn.sorts)}; "
            f"there are: {', '.join(dict.fromkeys(one.name for one in able))}"
        )
    drawn.reach.check({one.family for one in drawn.fitting})


def chunk_of(drawn: CaseSource, chunk: int) -> list[Case]:
    """Return the cases of a chunk, with different puzzles."""
    sort = drawn.sort_of(chunk)
    found: list[Puzzle] = []
    _run(drawn, chunk, sort, found.append, shrinks=False)
    deck = MethodDealer(drawn.reach, Random(f"{drawn.seed} {chunk} ways"), sort.is_large)
    cases = []
    for index, puzzle in enumerate(dict.fromkeys(found)):
        kinds = tuple(sorted(families.family_of(puzzle).build(puzzle).kinds()))
        cases.append(Case(chunk, index, sort.name, puzzle, tuple(deck.deal(puzzle, kinds))))
    return cases


class _CaseFailure(AssertionError):  # noqa: N818  # caught inside this module
    """Failure of a puzzle, as reported to hypothesis."""


def smallest(
    drawn: CaseSource, case: Case, fails: Callable[[Puzzle], bool], until: float
) -> list[Puzzle]:
    """Return ever smaller puzzles that fail as a case does, found by hypothesis.

    Args:
        drawn: Source of the case.
        case: The case.
        fails: Returns True if a puzzle fails as the case does.
        until: Time of the end on the monotonic clock.

    Returns:
        Puzzles, each smaller than those before; empty if no smaller one was found.
    """
    found: list[Puzzle] = []
    known: dict[Puzzle, bool] = {case.puzzle: True}
    is_reached = False

    def visit(puzzle: Puzzle) -> None:
        nonlocal is_reached
        is_reached = is_reached or puzzle == case.puzzle
        if not is_reached or (puzzle not in known and hooks.clock() > until):
            return
        if puzzle not in known:
            known[puzzle] = fails(puzzle)
        if known[puzzle]:
            found.append(puzzle)
            raise _CaseFailure

    with suppress(_CaseFailure):
        _run(drawn, case.chunk, drawn.sort_of(case.chunk), visit, shrinks=True)
    return list(dict.fromkeys(found))


def _run(
    drawn: CaseSource, chunk: int, sort: ChunkKind, visit: Callable[[Any], None], *, shrinks: bool
) -> None:
    """Draw the puzzles of a chunk with hypothesis, and call `visit` for each.

    If `visit` raises, hypothesis shrinks the puzzle, if `shrinks`.
    """
    from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings

    settings_ = settings(
        max_examples=sort.count,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink] if shrinks else [Phase.generate],
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
        verbosity=Verbosity.quiet,
    )

    def test(puzzle: Puzzle) -> None:
        visit(puzzle)

    first = Random(f"{drawn.seed} {chunk} puzzles").randrange(2**64)
    with by_seed_alone():
        decorators: list[Any] = [given(sort.strategy()), settings_, seed(first)]
        run: Any = test
        for decorator in decorators:
            run = decorator(run)
        run()


@contextmanager
def by_seed_alone() -> Iterator[None]:
    """Disable hypothesis's collection of constants from the sources of loaded modules.

    They would make the draws depend on the history of this process, and hypothesis stores them in
    the current folder.
    """
    from hypothesis.internal.conjecture import providers

    names = ("_get_local_constants", "CONSTANTS_CACHE")
    if not all(hasattr(providers, name) for name in names):  # other versions of hypothesis
        yield
        return
    own = {name: getattr(providers, name) for name in names}
    from hypothesis.internal.constants_ast import Constants

    nothing = Constants()
    try:
        providers._get_local_constants = lambda: nothing
        providers.CONSTANTS_CACHE = type(providers.CONSTANTS_CACHE)(1024)
        yield
    finally:
        for name, value in own.items():
            setattr(providers, name, value)
