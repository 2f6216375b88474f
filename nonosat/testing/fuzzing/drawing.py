"""The chunks of a campaign: puzzles that hypothesis draws, and the ways that answer them.

Invariant: chunk k of a seed and a choice of families and ways holds the same cases wherever and
whenever it is drawn, by the same versions of this package and hypothesis. So chunks can be drawn by
any process, a campaign can go on later, and a failing case can be drawn again to be shrunk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import Any

from nonosat.core import families
from nonosat.core.errors import UnsupportedError, alternatives, install_command
from nonosat.core.plugins import Puzzle
from nonosat.testing.fuzzing.reach import Deck, ReachFilter
from nonosat.testing.fuzzing.ways import Way

# Sorts of puzzles that a campaign draws, each by a strategy of `nonosat.testing.strategies`.
#
# A chunk holds puzzles of one sort. Most are small, so that many ways answer them at once and brute
# force can; large ones come now and then, without the slow ways.


@dataclass(frozen=True, slots=True)
class Sort:
    """What a chunk holds.

    Args:
        family: Whose puzzles.
        name: Of the sort.
        weight: How often it comes, against the others.
        strategy: Gives the strategy; imports hypothesis.
        count: Puzzles in a chunk.
        is_large: Whether slow ways are left out, and brute force.
    """

    family: str
    name: str
    weight: int
    strategy: Callable[[], Any]
    count: int = 25
    is_large: bool = False


def _by(strategy: str, **asked: Any) -> Callable[[], Any]:
    """A strategy of the kit by its name."""

    def made() -> Any:
        from nonosat.testing import strategies

        return getattr(strategies, strategy)(**asked)

    return made


PLAIN = {"max_colours": 1, "unknown": False, "given": False}  # what every program understands
SORTS = (
    Sort("nonogram", "any", 4, _by("puzzles")),
    Sort("nonogram", "unique", 4, _by("unique_puzzles")),
    Sort("nonogram", "multiple", 6, _by("multiple_puzzles")),
    Sort("nonogram", "unsolvable", 4, _by("unsolvable_puzzles")),
    Sort("nonogram", "hard", 4, _by("hard_puzzles", max_cells=100)),
    Sort("nonogram", "plain-unique", 3, _by("unique_puzzles", **PLAIN)),
    Sort("nonogram", "plain-multiple", 3, _by("multiple_puzzles", **PLAIN)),
    Sort("slitherlink", "any", 4, _by("slitherlinks")),
    Sort("queens", "any", 3, _by("queens")),
    Sort("knight", "any", 3, _by("knights")),
    Sort("nonogram", "large", 2, _by("puzzles", max_cells=900), 8, True),
    Sort("nonogram", "large-hard", 2, _by("hard_puzzles", max_cells=1600), 8, True),
)


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a campaign draws from.

    Args:
        seed: Of everything.
        families: Names; empty for all that something can draw.
        sorts: Names of sorts; empty for all.
        wanted: The ways that the user has asked for.
    """

    seed: int = 0
    families: tuple[str, ...] = ()
    sorts: tuple[str, ...] = ()
    wanted: ReachFilter = field(default_factory=ReachFilter)

    @property
    def fitting(self) -> list[Sort]:
        """The sorts that are drawn."""
        return [
            one
            for one in SORTS
            if (not self.families or one.family in self.families)
            and (not self.sorts or one.name in self.sorts)
        ]

    def sort_of(self, chunk: int) -> Sort:
        """What a chunk holds."""
        fitting = self.fitting
        rng = Random(f"{self.seed} {chunk} sort")
        return rng.choices(fitting, [one.weight for one in fitting])[0]


@dataclass(frozen=True, slots=True)
class Case:
    """A puzzle, and the ways that answer it.

    Args:
        chunk: The number of its chunk.
        index: Its place in the chunk.
        sort: What it was drawn as.
        puzzle: The puzzle.
        ways: All different.
    """

    chunk: int
    index: int
    sort: str
    puzzle: Puzzle
    ways: tuple[Way, ...]


def check(drawn: Drawn) -> None:
    """Raise UnsupportedError where hypothesis is missing, or a name is not known."""
    try:
        import hypothesis
    except ImportError:
        needed = f"hypothesis is not installed; {install_command('testing')} installs it"
        raise UnsupportedError(needed) from None
    del hypothesis
    known = sorted({one.family for one in SORTS})
    for name in drawn.families:
        families.named(name)
        if name not in known:
            raise UnsupportedError(f"nothing draws puzzles of {name}; expected {', '.join(known)}")
    if not drawn.fitting:
        able = Drawn(families=drawn.families).fitting
        raise UnsupportedError(
            f"no sort is called {alternatives(drawn.sorts)}; "
            f"there are: {', '.join(dict.fromkeys(one.name for one in able))}"
        )
    drawn.wanted.check({one.family for one in drawn.fitting})


def chunk_of(drawn: Drawn, chunk: int) -> list[Case]:
    """The cases of a chunk; no puzzle stands twice in it."""
    sort = drawn.sort_of(chunk)
    found: list[Puzzle] = []
    _run(drawn, chunk, sort, found.append, shrinks=False)
    deck = Deck(drawn.wanted, Random(f"{drawn.seed} {chunk} ways"), sort.is_large)
    cases = []
    for index, puzzle in enumerate(dict.fromkeys(found)):
        kinds = tuple(sorted(families.family_of(puzzle).build(puzzle).kinds()))
        cases.append(Case(chunk, index, sort.name, puzzle, tuple(deck.deal(puzzle, kinds))))
    return cases


class _Failing(AssertionError):  # noqa: N818  # nobody sees it
    """What a test says of a puzzle that fails it, for hypothesis."""


def smallest(
    drawn: Drawn, case: Case, fails: Callable[[Puzzle], bool], until: float
) -> list[Puzzle]:
    """Smaller and smaller puzzles that fail as a case does, found by hypothesis.

    Args:
        drawn: What the case is from.
        case: The case.
        fails: Whether a puzzle fails.
        until: When to end, on the monotonic clock.

    Returns:
        Each smaller than those before; empty where nothing smaller was found.
    """
    found: list[Puzzle] = []
    known: dict[Puzzle, bool] = {case.puzzle: True}
    is_reached = False

    def look(puzzle: Puzzle) -> None:
        nonlocal is_reached
        is_reached = is_reached or puzzle == case.puzzle
        if not is_reached or (puzzle not in known and monotonic() > until):
            return
        if puzzle not in known:
            known[puzzle] = fails(puzzle)
        if known[puzzle]:
            found.append(puzzle)
            raise _Failing

    with suppress(_Failing):
        _run(drawn, case.chunk, drawn.sort_of(case.chunk), look, shrinks=True)
    return list(dict.fromkeys(found))


def _run(
    drawn: Drawn, chunk: int, sort: Sort, look: Callable[[Any], None], *, shrinks: bool
) -> None:
    """Let hypothesis draw the puzzles of a chunk, and shrink what fails."""
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

    def test(puzzle: Any) -> None:
        look(puzzle)

    first = Random(f"{drawn.seed} {chunk} puzzles").randrange(2**64)
    with by_seed_alone():
        decorators: list[Any] = [given(sort.strategy()), settings_, seed(first)]
        run: Any = test
        for decorator in decorators:
            run = decorator(run)
        run()


@contextmanager
def by_seed_alone() -> Iterator[None]:
    """Hypothesis takes numbers from the sources of whatever modules are loaded here: not now.

    They would make the draws depend on what this process has done before, and it keeps them in a
    folder where the user happens to be.
    """
    from hypothesis.internal.conjecture import providers

    names = ("_get_local_constants", "CONSTANTS_CACHE")
    if not all(hasattr(providers, name) for name in names):  # other versions
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
