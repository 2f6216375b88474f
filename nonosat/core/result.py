"""Inputs and outputs of the pipeline: options, verdicts, stages, results."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from enum import Enum
from math import inf
from typing import TYPE_CHECKING, Any, NoReturn, Self

from nonosat.core import hooks
from nonosat.core.errors import UnsupportedError, counted, shown
from nonosat.core.limits import MAX_MEMORY_MIB, check_count, check_seconds, original_limit
from nonosat.core.presenting import Data, Drawn, Presented, Scene, puzzle_in, reading

if TYPE_CHECKING:
    from nonosat.core.plugins import Puzzle


PRESOLVE_LEVELS = ("none", "propagate", "probe")
# Options for several cores, with their defaults.
OF_CORES: Mapping[str, object] = {
    **dict.fromkeys(("cubes", "jobs", "cluster", "journal")),
    **dict.fromkeys(("deterministic", "resume"), False),
}
MAX_CUBES = 10**6
MAX_JOBS = 1024


def check_parallel(options: Options) -> None:
    cubes, jobs, cluster = options.cubes, options.jobs, options.cluster
    check_count("cubes", cubes, MAX_CUBES)
    check_count("jobs", jobs, MAX_JOBS)
    for name, text, expected in (
        ("cluster", cluster, "an address"),
        ("journal", options.journal, "a path as text"),
    ):
        if text is not None and not isinstance(text, str):
            raise UnsupportedError(f"{name} is {shown(text)}, expected {expected}")
        if cubes is None and text is not None:
            raise UnsupportedError(f"{name} is for cubes; set the number of cubes, or leave it out")
    for name in ("deterministic", "resume"):
        if type(value := getattr(options, name)) is not bool:
            raise UnsupportedError(f"{name} is {shown(value)}, expected True or False")
    if options.resume and options.journal is None:
        raise UnsupportedError("resume is for a journal of cubes; name its file, or leave it out")
    if None not in (jobs, cluster):
        raise UnsupportedError("jobs and cluster: expected one of them")
    if options.deterministic and (jobs is None or cubes is not None):
        what = "deterministic is for jobs without cubes; set the number of jobs, or leave it out"
        raise UnsupportedError(what)


class FrozenDict(dict[str, Any]):
    """An immutable mapping; unlike a mapping proxy it can be pickled and dumped as JSON."""

    def _refuse(self, *_args: Any, **_fields: Any) -> NoReturn:
        raise TypeError("this mapping belongs to a frozen object and cannot be changed")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]  # a dict has none, this one may
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type[FrozenDict], tuple[dict[str, Any]]]:
        return FrozenDict, (dict(self),)


class Verdict(Enum):
    """Proved property of a puzzle.

    >>> nonosat.Verdict.UNIQUE.value
    'unique'
    >>> nonosat.check(nonosat.nonogram([[1]], [[1]])).verdict is nonosat.Verdict.UNIQUE
    True
    """

    SOLVED = "solved"  # at least one solution; no search for another
    UNIQUE = "unique"
    MULTIPLE = "multiple"
    UNSOLVABLE = "unsolvable"
    UNKNOWN = "unknown"  # a limit was hit


@dataclass(frozen=True, slots=True, repr=False)
class Options(Presented):
    """Options of solving; recorded with the result.

        >>> nonosat.solve(nonosat.nonogram([[1]], [[1]]), backend="learn", seed=7).options
        <Options: backend='learn', seed=7>

    Args:
        max_solutions: Stop after this number of solutions (at least 1); None means all.
        backend: Name of a backend, or "auto".
        encoding: Encoding by constraint kind, e.g. {"line": "order"}; defaults for the others.
        formulation: CP-SAT formulation by constraint kind, e.g. {"line": "starts"}.
        engine_options: Options of the backend's engine by name, e.g. {"restartint": 50} for
            cadical195; numbers are stored as text.
        presolve: "none", "propagate" or "probe": how far lines are propagated before a backend
            receives the puzzle.
        time_limit_s: Wall seconds for one puzzle; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the solving process; None is without limit.
        seed: Random seed, for engines that take one.
        hints: Source of the initial phases of an engine that decides on variables: "none",
            "beliefs" or "decimation", optionally with settings of `nonosat.board.beliefs.Settings`
            or `nonosat.board.decimation.Settings` after a colon, as in
            "beliefs:rounds=100,damping=0.3". "auto" is the backend's default: decimation for `auto`
            and `decimation`, none for most others.
        redundant: Names of `nonosat.board.redundant.SUMMARIES`: redundant clauses to add to the
            encodings.
        cubes: Number of parts into which look-ahead splits a puzzle that one engine leaves open
            after 10,000 conflicts, or 100,000 without a solution; they are decided in parallel in
            separate processes (see `nonosat.solving.cubes`). The memory limit then holds for each
            process.
        jobs: Number of processes that decide cubes, by default the number of cores; without cubes
            the number of threads of the learning search (`solving/session.py`) and of decimations
            (`board/decimation.py`), by default 1.
        journal: File that records the results of cubes, so that a later call can continue.
        resume: Continue from the results in the journal; if False, the journal must be new.
        deterministic: With threads: make not only the verdict but also the solutions found
            independent of timing; all solutions are those of the first thread, and the other
            threads only refute.
        cluster: Decide the cubes on a Dask cluster: its scheduler's address, or "local:N".

    Raises:
        UnsupportedError: A value has a wrong type or is out of range; the message states what would
            work.
    """

    max_solutions: int | None = 1
    backend: str = "auto"
    encoding: Mapping[str, str] = field(default_factory=FrozenDict)
    formulation: Mapping[str, str] = field(default_factory=FrozenDict)
    presolve: str = "probe"
    time_limit_s: float | None = None
    memory_limit_mib: int | None = None
    seed: int = 0
    hints: str = "auto"
    redundant: tuple[str, ...] = ()
    cubes: int | None = None
    jobs: int | None = None
    cluster: str | None = None
    deterministic: bool = False
    journal: str | None = None
    resume: bool = False
    engine_options: Mapping[str, str | float] = field(default_factory=FrozenDict)

    def __post_init__(self) -> None:
        if self.time_limit_s == inf:
            object.__setattr__(self, "time_limit_s", None)
        if self.presolve not in PRESOLVE_LEVELS:
            levels = ", ".join(PRESOLVE_LEVELS)
            raise UnsupportedError(f"presolve {shown(self.presolve)} is not one of {levels}")
        for name in ("backend", "hints"):
            if not isinstance(value := getattr(self, name), str):
                raise UnsupportedError(f"{name} is {shown(value)}, expected a name")
        if type(self.seed) is not int:
            raise UnsupportedError(f"seed is {shown(self.seed)}, expected a whole number")
        check_count("max_solutions", self.max_solutions, sys.maxsize)
        check_count("memory_limit_mib", self.memory_limit_mib, MAX_MEMORY_MIB)
        check_parallel(self)
        check_seconds(self.time_limit_s)
        object.__setattr__(self, "redundant", _names(self.redundant))
        for name in ("encoding", "formulation"):
            object.__setattr__(self, name, _choices(name, getattr(self, name)))
        object.__setattr__(self, "engine_options", _engine_options(self.engine_options))

    @property
    def num_threads(self) -> int:
        """Number of search threads for one puzzle in this process."""
        return 1 if self.jobs is None or self.cubes is not None else self.jobs

    def __str__(self) -> str:
        """Return the fields that differ from their defaults."""
        changed = []
        for one in fields(self):
            usual = FrozenDict() if one.default is MISSING else one.default
            if (value := getattr(self, one.name)) != usual:
                changed.append(f"{one.name}={value!r}")
        return ", ".join(changed) or "all by default"

    def to_data(self) -> Data:
        """Return all options as JSON data; those of engines and several cores only if set."""
        rare = {**OF_CORES, "engine_options": {}}
        always = [one.name for one in fields(self) if one.name not in rare]
        names = [*always, *(name for name, usual in rare.items() if getattr(self, name) != usual)]
        data = {name: _plain(getattr(self, name)) for name in names}
        return data | {"time_limit_s": original_limit(self.time_limit_s)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the options for data of `to_data`.

        Raises:
            UnsupportedError: A value has a wrong type or is out of range.
        """
        with reading(cls):
            return cls(**{one.name: data[one.name] for one in fields(cls) if one.name in data})


def _plain(value: Any) -> Any:
    """Return a value as JSON data: mappings and tuples become dictionaries and lists."""
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [*map(_plain, value)]
    return value


def _names(requested: object) -> tuple[str, ...]:
    """Return distinct names as a tuple that the caller cannot change."""
    is_list = isinstance(requested, tuple | list) and all(
        isinstance(name, str) for name in requested
    )
    if not is_list or len(set(requested)) < len(requested):  # type: ignore[arg-type, call-overload]  # a list
        raise UnsupportedError(
            f"redundant is {shown(requested)}, expected a tuple of different names"
        )
    return tuple(requested)  # type: ignore[arg-type]  # a list


def _choices(name: str, value: object) -> FrozenDict:
    """Return names by constraint kind as a mapping that the caller cannot change."""
    if not isinstance(value, Mapping) or not all(
        isinstance(text, str) for pair in value.items() for text in pair
    ):
        raise UnsupportedError(
            f"{name} is {shown(value)}, expected names by constraint kind, "
            'such as {"line": "order"}'
        )
    return FrozenDict(value)


def _engine_options(value: object) -> FrozenDict:
    """Return options of an engine as texts, in a mapping that the caller cannot change."""
    texts = {}
    for name, one in value.items() if isinstance(value, Mapping) else ():
        if isinstance(name, str) and isinstance(one, str | int | float):
            texts[name] = str(int(one) if isinstance(one, bool) else one)
    if not isinstance(value, Mapping) or len(texts) < len(value):
        raise UnsupportedError(
            f"engine_options is {shown(value)}, expected values by name, such as "
            '{"restartint": 50}'
        )
    return FrozenDict(texts)


@dataclass(frozen=True, slots=True, repr=False)
class Stage(Presented):
    """A step of the pipeline: wall seconds, number of cells it decided, and counters.

    >>> [stage.name for stage in nonosat.solve(nonosat.nonogram([[1]], [[1]])).stages]
    ['propagate']
    """

    name: str
    seconds: float
    decided: int = 0
    detail: Mapping[str, Any] = field(default_factory=FrozenDict, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "detail", FrozenDict(self.detail))

    def __str__(self) -> str:
        return f"{self.name}, {counted(self.decided, 'cell')}, {self.seconds:.3f} s"

    def to_data(self) -> Data:
        """Return the step as JSON data, with `detail` only if it is not empty."""
        data = {"name": self.name, "seconds": round(self.seconds, 6), "decided": self.decided}
        return data | ({"detail": _plain(self.detail)} if self.detail else {})

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the stage for data of `to_data`."""
        with reading(cls):
            return cls(data["name"], data["seconds"], data["decided"], data.get("detail", {}))


@dataclass(frozen=True, slots=True, repr=False)
class Result(Drawn):
    """A verdict with its solutions and the steps that led to it.

        >>> result = nonosat.check(nonosat.nonogram([[2], [1]], [[1], [2]]))
        >>> result
        <Result: nonogram: 2 rows x 2 columns: unique>
        >>> print(result.solution)
        ##
        .#
        >>> nonosat.Result.from_data(result.to_data()) == result
        True

    Args:
        puzzle: The puzzle as it was given.
        verdict: The proved property.
        solutions: Verified solutions, all different.
        reason: Why a puzzle is unsolvable (the contradictory place, or the step that refuted it),
            or which limit was hit; else "". A sentence for people: rows and columns count from 1.
        seconds: Wall seconds, everything included.
        stages: The steps taken, in order.
        backend: The engine or step that completed the verdict ("propagate" and "probe" included).
        encoding: The encodings or formulations used, by constraint kind; empty if none was.
        options: The options of the call.
        warnings: Claims of the file that proved wrong (a goal that the clues refute).
        tree: The cubes and their results, if they cover everything: JSON data, nodes that
            `nonosat.certify.covers` checks.
    """

    puzzle: Puzzle
    verdict: Verdict
    solutions: tuple[Any, ...] = ()
    reason: str = ""
    seconds: float = field(default=0.0, compare=False)
    stages: tuple[Stage, ...] = field(default=(), compare=False)
    backend: str = field(default="", compare=False)
    encoding: Mapping[str, str] = field(default_factory=FrozenDict, compare=False)
    options: Options = field(default=Options(), compare=False)
    warnings: tuple[str, ...] = ()
    tree: tuple[Mapping[str, Any], ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "encoding", FrozenDict(self.encoding))
        for name in ("solutions", "stages", "warnings", "tree"):
            object.__setattr__(self, name, tuple(getattr(self, name)))

    @property
    def solution(self) -> Any:
        """The first solution; None if there is none."""
        return self.solutions[0] if self.solutions else None

    @property
    def disputed(self) -> tuple[tuple[int, int], ...]:
        """Places (row, column), from 0, in which the first two solutions differ, in order.

        Further solutions may differ in more places; `questions.backbones.differing` finds them.
        """
        if len(self.solutions) < 2:
            return ()
        return tuple(self.solutions[0].differences(self.solutions[1]))

    def __str__(self) -> str:
        text = f"{self.puzzle}: {self.verdict.value}"
        return f"{text} ({self.reason})" if self.reason else text

    def scene(self) -> Scene:
        """Return the verdict with the first solution, disputed places marked, or the puzzle."""
        return Scene(self.puzzle, self.solution, self.disputed, str(self))

    def found_data(self) -> Data:
        """Return the findings: `to_data` without options, versions and puzzle.

        `legend`, `reason` and `warnings` are present only if they are not empty.
        """
        from nonosat.core.families import family_of

        family = family_of(self.puzzle)
        data: Data = {
            "verdict": self.verdict.value,
            "solutions": [family.solution_data(self.puzzle, one) for one in self.solutions],
        }
        if legend := family.legend(self.puzzle):
            data["legend"] = legend
        data |= {
            "disputed": [list(cell) for cell in self.disputed],
            "seconds": round(self.seconds, 6),
            "stages": [stage.to_data() for stage in self.stages],
            "backend": self.backend,
            "encoding": dict(self.encoding),
        }
        if self.reason:
            data["reason"] = self.reason
        if self.warnings:
            data["warnings"] = list(self.warnings)
        return data

    def to_data(self, *, with_puzzle: bool = True) -> Data:
        """Return the result as JSON data: the output of `nonosat solve --json`.

        Args:
            with_puzzle: True to include the puzzle; the command names its file instead.
        """
        from nonosat.core.versions import versions

        data = self.found_data()
        data |= {"options": self.options.to_data(), "versions": versions()}
        return data | ({"puzzle": hooks.data_of(self.puzzle)} if with_puzzle else {})

    @classmethod
    def from_data(cls, data: Mapping[str, Any], puzzle: Puzzle | None = None) -> Self:
        """Return the result for data of `to_data`; they do not contain a tree of cubes.

        Args:
            data: Data from `to_data` or `--json`.
            puzzle: The puzzle, if the data do not contain it.

        Raises:
            FormatError: They are no data of a result.
            UnsupportedError: The puzzle's family does not read solutions.
        """
        from nonosat.core import families

        puzzle = puzzle_in(data, puzzle)
        with reading(cls):
            return cls(
                puzzle,
                Verdict(data["verdict"]),
                tuple(families.solution_of(puzzle, one) for one in data["solutions"]),
                data.get("reason", ""),
                data["seconds"],
                tuple(map(Stage.from_data, data["stages"])),
                data["backend"],
                data["encoding"],
                Options.from_data(data.get("options", {})),
                tuple(data.get("warnings", ())),
            )
