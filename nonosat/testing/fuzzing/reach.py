"""Ways to answer a puzzle, and the choice of ways for each puzzle, so that all are covered.

Every entry of `nonosat list` is covered: backends, methods (those of `study/methods/`, too),
encodings and formulations of the kinds of constraint in a puzzle, redundant constraints. Ways are
taken from a shuffled list, so that one or a few chunks cover all of them. Combinations that the
project's own checks of options reject are not used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import inf
from random import Random
from typing import Any

from nonosat.board.redundant import SUMMARIES
from nonosat.core import families, plugins
from nonosat.core.errors import UnsupportedError
from nonosat.core.plugins import Puzzle
from nonosat.solving import choices
from nonosat.solving.problem import Problem
from nonosat.testing.commands import command
from nonosat.testing.fuzzing.ways import BRUTE_FORCE, MOST_SOLUTIONS, PROGRAM, AnswerMethod

PER_CASE = 10  # ways that answer a puzzle
# Maximum number of places for brute force, by family; 0 for families without brute force.
MOST_FORCED = defaultdict(
    int, nonogram=64, ranges=16, lanes=64, slitherlink=12, queens=64, knight=20
)
# Maximum number of places for the documents' methods, which are slow; the last for all others.
MOST_STUDIED = {"study:brute-force": 12, "study:knight-backtracking": 25, "study:": 36}
# Mostly none, because presolve may leave nothing for the engine.
PRESOLVE = ("none", "none", "none", "propagate", "probe")
HINTS = ("none", "beliefs", "decimation", "beliefs:rounds=20,damping=0.3")
QUICK = ("auto", "learn", "learn-lines", "prices", "cadical195", "glucose421", "minisat22")
QUICK_ENCODINGS = ("order", "automaton", "mdd", "bdd", "automaton-state")
_Arm = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ReachFilter:
    """The ways selected by the user.

    Args:
        backends: Names of backends and methods; empty for all.
        encodings: Encodings as KIND=NAME; empty for all.
        commands: Commands of external programs.
    """

    backends: tuple[str, ...] = ()
    encodings: tuple[tuple[str, str], ...] = ()
    commands: tuple[str, ...] = ()

    def check(self, drawn: Iterable[str]) -> None:
        """Raise UnsupportedError if a name is unknown, or selects nothing for these families.

        So does a program that does not exist, which would silently answer no puzzle.

        Args:
            drawn: Families whose puzzles are drawn.
        """
        for one in self.commands:
            command(one)
        for name in self.backends:
            if not families.is_method(name) and name != "auto":
                found = plugins.find("backends", name)
                if not plugins.is_installed(found):
                    what = f"{name} needs the package {found.needs}, which is not installed"
                    raise UnsupportedError(what)
        every = {name for family in drawn for name in backends(family, self, is_large=False)}
        if idle := [name for name in self.backends if name not in every]:
            what = f"{', '.join(idle)} answers no puzzle of {', '.join(sorted(drawn))}"
            raise UnsupportedError(f"{what}; choose another family or engine")
        for kind, name in self.encodings:
            if name != choices.NATIVE:
                plugins.find("encodings", f"{kind}-{name}")


class MethodDealer:
    """Source of the ways to answer each puzzle of a chunk; it uses all choices in turn.

    Args:
        reach: The user's selection.
        rng: Random numbers for shuffling.
        is_large: True to leave out slow ways.
    """

    def __init__(self, reach: ReachFilter, rng: Random, is_large: bool) -> None:
        self._reach = reach
        self._rng = rng
        self._is_large = is_large
        self._piles: dict[tuple[str, ...], list[_Arm]] = {}

    def deal(self, puzzle: Puzzle, kinds: Sequence[str]) -> list[AnswerMethod]:
        """Return different ways to answer a puzzle; the first is the default one.

        Args:
            puzzle: The puzzle.
            kinds: Kinds of constraint in its model.
        """
        dealt = [AnswerMethod()]
        if not self._is_large and _num_places(puzzle) <= MOST_FORCED[families.name_of(puzzle)]:
            dealt.append(AnswerMethod(BRUTE_FORCE))
        dealt += [AnswerMethod(PROGRAM, command=one) for one in self._reach.commands]
        most = len(dealt) + PER_CASE
        for _ in range(4 * PER_CASE):
            if len(dealt) == most:
                break
            way = self._completed(puzzle, self._next(puzzle, kinds))
            if way is not None and way not in dealt:
                dealt.append(way)
        return dealt

    def _next(self, puzzle: Puzzle, kinds: Sequence[str]) -> _Arm:
        """Return the next arm (choice of some options) of the shuffled list; {} if it is empty."""
        key = (families.name_of(puzzle), *kinds)
        pile = self._piles.setdefault(key, [])
        if not pile:
            pile += arms(key[0], tuple(kinds), self._reach, self._is_large)
            self._rng.shuffle(pile)
        return dict(pile.pop()) if pile else {}

    def _completed(self, puzzle: Puzzle, arm: _Arm) -> AnswerMethod | None:
        """Return an answer method with the options of an arm, and all others chosen at random.

        None if the options are incompatible.
        """
        rng = self._rng
        question = arm.pop("question", None) or rng.choice(("check", "check", "solve", "all"))
        if question in ("count", "backbone"):
            return AnswerMethod(question, arm)
        if "encoding" in arm and "backend" not in arm:
            arm["backend"] = rng.choice(engines(self._reach, self._is_large))
        if question == "all":
            question, arm["max_solutions"] = "solve", MOST_SOLUTIONS + 1
        extras = {"presolve": rng.choice(PRESOLVE), "seed": rng.randrange(4)}
        if rng.random() < 0.2:
            extras["hints"] = rng.choice(HINTS)
        for name, value in extras.items():
            trial = {name: value, **arm}
            if value not in ("probe", 0) and is_possible(puzzle, AnswerMethod(question, trial)):
                arm = trial
        way = AnswerMethod(question, arm)
        return way if is_possible(puzzle, way) else None


def is_possible(puzzle: Puzzle, way: AnswerMethod) -> bool:
    """Return True if the project accepts these options for this puzzle."""
    if _num_places(puzzle) > _most_places(way.backend):
        return False
    if way.question == "count" and way.backend != "count":
        return True  # counters of other packages take every model, or every loop
    try:
        options = way.requested(None)
        problem = Problem(puzzle, options)
        choices.choices_of(options, problem.family)
        if options.hints != "auto":
            choices.chosen_phases(options)
        method = families.method(problem.family, puzzle, options.backend)
        if method is None and families.name_of(puzzle) != "nonogram":
            problem.refuse_without_board()
    except UnsupportedError:
        return False
    return True


@cache
def arms(
    family: str, kinds: tuple[str, ...], reach: ReachFilter, is_large: bool
) -> tuple[_Arm, ...]:
    """Return all arms: the choices of options that a campaign covers, one after another."""
    found: list[_Arm] = [{"backend": name} for name in backends(family, reach, is_large)]
    takers = engines(reach, is_large)
    if takers:
        found += [{"encoding": {kind: name}} for kind, name in encodings(kinds, reach, is_large)]
    if not reach.encodings and not is_large:
        if takers and family == "nonogram":
            found += [{"backend": takers[0], "redundant": (name,)} for name in sorted(SUMMARIES)]
            found += [{"backend": name, "encoding": {kind: "native"}} for name, kind in _native()]
        if "cpsat" in backends(family, reach, is_large):
            found += [_formulated(kind, name) for kind, name in formulations(kinds)]
    if not (reach.backends or reach.encodings):
        found += [{"question": "count"}, {"question": "backbone"}]
        counters = (name for name in _installed("counters") if _counts(name, kinds))
        found += [{"question": "count", "backend": name} for name in counters]
    for arm in found:
        if "symmetry" in arm.get("redundant", ()):
            arm["question"] = "solve"
    return tuple(found)


def backends(family: str, reach: ReachFilter, is_large: bool) -> list[str]:
    """Return installed engines and methods for a family."""
    own = list(plugins.find("puzzles", family).methods)
    installed = [name for name in _installed("backends") if name != "program"]
    studies = plugins.names("study").items()
    documents = [f"{families.STUDY}{name}" for name, one in studies if one.family == family]
    every = ["auto", *installed, *own, *documents]
    if reach.backends:
        return [name for name in every if name in reach.backends] + [
            name for name in reach.backends if ":" in name and name not in every
        ]
    return [name for name in every if name in QUICK] if is_large else every


def _installed(kind: str) -> list[str]:
    """Return the backends or counters whose packages are installed."""
    return [name for name, one in plugins.names(kind).items() if plugins.is_installed(one)]


def _counts(name: str, kinds: tuple[str, ...]) -> bool:
    """Return True if a counter takes models of these kinds of constraint."""
    return plugins.find("counters", name).count_loops is None or "loop" in kinds


@cache
def engines(reach: ReachFilter, is_large: bool) -> tuple[str, ...]:
    """Return engines that take clauses."""
    every = [name for name in backends("nonogram", reach, is_large) if _takes_clauses(name)]
    return tuple(every)


def encodings(
    kinds: Iterable[str], reach: ReachFilter, is_large: bool
) -> Iterator[tuple[str, str]]:
    """Yield (kind, name) of each selected encoding of some kinds."""
    if reach.encodings:
        yield from (pair for pair in reach.encodings if pair[0] in kinds)
        return
    for full, encoding in sorted(plugins.names("encodings").items()):
        kind, _, name = full.partition("-")
        if not plugins.is_installed(encoding):
            continue
        if kind in kinds and not (is_large and kind == "line" and name not in QUICK_ENCODINGS):
            yield kind, name


def formulations(kinds: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield (kind, name) of each formulation of some kinds, `booleans:ENCODING` included."""
    for full in sorted(plugins.names("formulations")):
        kind, _, name = full.partition("-")
        if kind in kinds:
            yield kind, name


def _formulated(kind: str, name: str) -> _Arm:
    return {"backend": "cpsat", "formulation": {kind: name}}


def _native() -> list[tuple[str, str]]:
    """Return (engine, kind) for engines of clauses that take a kind without an encoding."""
    return [
        (name, kind.__name__.lower())
        for name, one in plugins.names("backends").items()
        for kind in sorted(one.native, key=str)
        if one.takes_clauses and not one.formulates and plugins.is_installed(one)
    ]


def _takes_clauses(name: str) -> bool:
    if name == "auto" or not plugins.is_there("backends", name):
        return False
    return name != "portfolio" and plugins.find("backends", name).takes_clauses


def _most_places(backend: str) -> float:
    if not backend.startswith(families.STUDY):
        return inf
    return MOST_STUDIED.get(backend, MOST_STUDIED[families.STUDY])


def _num_places(puzzle: Puzzle) -> int:
    return puzzle.height * puzzle.width
