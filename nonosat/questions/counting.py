"""Number of solutions of a puzzle: exact, or a lower bound.

Native counting comes first: of a board by components of its open cells, a frontier over narrow ones
of rows and columns and branching with a cache over the others; of a loop by a frontier over its
edges; of other models by components of their constraints. A longer count alternates with the
computation of the backbone: places that are equal in all solutions need no counting, a unique
puzzle is decided by it, and the solutions found are a first lower bound. If a loop is too large for
all that, an engine enumerates its solutions.

Invariant: `count` is the number of solutions if `is_exact`, and never above it otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

from nonosat import _core
from nonosat.core.answer_source import AnswerSource
from nonosat.core.errors import LimitReached, Remedy, UnsupportedError, shown
from nonosat.core.limits import MAX_TIME_S, Watch
from nonosat.core.model import Model
from nonosat.core.plugins import Puzzle, Symmetry, names
from nonosat.core.presenting import Data
from nonosat.core.result import Options, Stage, Verdict
from nonosat.core.scope import run_limited
from nonosat.processes.memory import resident_mib
from nonosat.processes.threads import Threads
from nonosat.questions.backbone_result import BackboneResult
from nonosat.questions.backbones import backbone_of
from nonosat.questions.countable import (
    Countable,
    Counter,
    ModelCountable,
    board_countable,
)
from nonosat.questions.other_counters import count_by, require
from nonosat.questions.reply import Reply
from nonosat.solving import pipeline
from nonosat.solving.problem import Problem

FIRST_WORK = 100_000_000  # units of native work, about a nanosecond each
SLICE_S = 2.0  # seconds of the first computation of the backbone
SOON_S = 1.0  # seconds of a backbone without a count beside it
GROWTH = 4  # factor of both for each turn
MEMORY_MIB = 1024  # for the counter if there is no limit
_SHARE = 0.75  # share of the remaining memory
_MOST_WORK = 2**60
_WORK_A_SECOND = 1e9


@dataclass(frozen=True, slots=True, repr=False)
class CountResult(Reply):
    """Number of solutions of a puzzle; the other fields are those of `Reply`.

        >>> found = nonosat.count(nonosat.nonogram([[1], [1]], [[1], [1]]))
        >>> found
        <CountResult: nonogram: 2 rows x 2 columns: 2 solutions>
        >>> found.count, found.is_exact
        (2, True)
        >>> nonosat.CountResult.from_data(found.to_data()) == found
        True

    Args:
        count: The number of solutions, or a lower bound.
        is_exact: True if `count` and `up_to_symmetry` are exact.
        up_to_symmetry: Number of classes of solutions that turns and reflections map to each other,
            or a lower bound; None if the classes were not counted.
    """

    count: int
    is_exact: bool
    up_to_symmetry: int | None = None

    def description(self) -> str:
        """Return the number in words."""
        return solutions_text(self.count, self.is_exact, self.up_to_symmetry)

    def found_data(self) -> Data:
        """Return the count as data; the number is a string, because few readers keep long ones."""
        data: Data = {"count": digits(self.count), "exact": self.is_exact}
        if self.up_to_symmetry is not None:
            data["up_to_symmetry"] = digits(self.up_to_symmetry)
        return data

    @classmethod
    def found_in(cls, data: Mapping[str, Any], puzzle: Any) -> dict[str, Any]:
        """Return constructor arguments from the data that `found_data` returned."""
        classes = data.get("up_to_symmetry")
        return {
            "count": number(data["count"]),
            "is_exact": data["exact"],
            "up_to_symmetry": None if classes is None else number(classes),
        }


def digits(number: int) -> str:
    """Return a whole number in decimal, without Python's limit on the number of digits."""
    if number < 10**4000:
        return str(number)
    half = int(number.bit_length() * 0.15)  # about half of the decimal digits
    upper, lower = divmod(number, 10**half)
    return digits(upper) + digits(lower).rjust(half, "0")


def number(text: str) -> int:
    """Return the whole number of decimal digits, without Python's limit on their number."""
    if len(text) <= 4000:
        return int(text)
    half = len(text) // 2
    power: int = 10 ** (len(text) - half)
    return number(text[:half]) * power + number(text[half:])


def solutions_text(count: int, is_exact: bool, up_to_symmetry: int | None = None) -> str:
    """Return a number of solutions in words: "no solution", "at least 2 solutions", ..."""
    if is_exact and count < 2:
        return "exactly one solution" if count else "no solution"
    least = "" if is_exact else "at least "
    text = f"{least}{digits(count)} solution{'' if count == 1 else 's'}"
    if up_to_symmetry is None:
        return text
    return f"{text}, {least}{digits(up_to_symmetry)} up to symmetry"


def symmetry_of(problem: Problem) -> Symmetry:
    """Return the functions of the puzzle's family that count solutions up to symmetry.

    Raises:
        UnsupportedError: The family has none.
    """
    if symmetry := problem.family.symmetry:
        return symmetry
    able = sorted(name for name, family in names("puzzles").items() if family.symmetry)
    raise UnsupportedError(
        f"solutions are counted up to symmetry for the family {' and '.join(able)}; this puzzle is "
        f"of the family {problem.puzzle.family}",
        remedy=Remedy("leave", "up_to_symmetry"),
    )


def count(
    puzzle: Puzzle,
    *,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
    jobs: int = 1,
    up_to_symmetry: bool = False,
    backend: str = "auto",
) -> CountResult:
    """Count the solutions of a puzzle.

        >>> nonosat.count(nonosat.nonogram([[1]] * 12, [[1]] * 12)).count
        479001600
        >>> nonosat.count(nonosat.slitherlink(["...."] * 4)).count
        9349
        >>> nonosat.count(nonosat.Queens(8), up_to_symmetry=True)
        <CountResult: queens: 8 queens: 92 solutions, 12 up to symmetry>

    Args:
        puzzle: A puzzle of any family.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the process; without it the counter uses at most 1 GiB.
        jobs: Threads of a long count. Queens are counted part by part; for others, counting and a
            longer computation of the backbone run in parallel, and all threads share a count of a
            board once its backbone is known; if an engine enumerates solutions, it has that many
            workers.
        up_to_symmetry: Count also the classes of solutions that turns and reflections of the board
            map to each other (queens only). Clues do not move: members of a class are solutions of
            this puzzle.
        backend: "auto", or a model counter of another package, such as "ganak" or "d4", which
            counts the puzzle's formula in a child process, and has no bound if a limit is hit. If
            its package is not installed, the call raises UnsupportedError.

    Returns:
        The exact numbers, or lower bounds if a limit was hit.

    Raises:
        NotAPuzzleError: `puzzle` is not a puzzle; the message names valid inputs.
        UnsupportedError: Limits out of range, the puzzle is too large for a model, or its family
            does not support `up_to_symmetry`.
        BackendError: A solver failed or gave an answer that the clues refute.
    """
    options = Options(None, jobs=jobs, time_limit_s=time_limit_s, memory_limit_mib=memory_limit_mib)
    return count_problem(Problem(puzzle, options), up_to_symmetry=up_to_symmetry, backend=backend)


def count_problem(
    problem: Problem, *, up_to_symmetry: bool = False, backend: str = "auto"
) -> CountResult:
    """Count the solutions of a problem, as `count` does.

    A solver or an encoding that the options of the problem name enumerates them.
    """
    started = perf_counter()
    symmetry = symmetry_of(problem) if up_to_symmetry else None
    if not isinstance(backend, str):
        raise UnsupportedError(f"backend is {shown(backend)}, expected the name of a counter")
    if backend != "auto":
        require(backend)
        if problem.options.num_threads > 1:
            raise UnsupportedError(
                f"the counter {backend} uses one thread",
                remedy=Remedy("leave", "jobs"),
            )
        if symmetry:
            raise UnsupportedError(
                f"the counter {backend} counts no classes of solutions; leave it out, or count "
                "without symmetry"
            )
    run = CountComputation(problem, symmetry, backend)
    limit = run_limited(problem.watch, run.work)
    return CountResult(
        problem.puzzle,
        *run.known(),
        run.classes,
        reason=limit + run.how_far() if limit else run.no_solution,
        seconds=perf_counter() - started,
        stages=tuple(run.stages()),
        limits=problem.watch.limits,
    )


class CountComputation:
    """Computation of a count; `known` returns a number after any interruption.

    Attributes:
        classes: Number of classes of solutions, or a lower bound; None if they are not counted.
        no_solution: Reason why there is no solution, or "".
    """

    def __init__(
        self, problem: Problem, symmetry: Symmetry | None = None, backend: str = "auto"
    ) -> None:
        self._symmetry, self._backend = symmetry, backend
        self.classes = None if symmetry is None else 0
        self._problem = problem
        self._puzzle, self._family = problem.puzzle, problem.family
        self._watch, self._log = problem.watch, problem.log
        self._jobs = problem.options.num_threads
        self.no_solution = ""
        self._exact: int | None = None
        self._backbone: BackboneResult | None = None
        self._is_tried = False  # a backbone without a count beside it
        self._least = 0  # the lower bound of earlier counters and backbones
        self._what: Countable | None = None
        self._counter: Counter | None = None
        self._seconds = 0.0

    def known(self) -> tuple[int, bool]:
        """Return the count, and True if it is exact."""
        if self._exact is not None:
            return self._exact, True
        num_known = len(self._backbone.solutions) if self._backbone else 0
        least = max(self._least, num_known)
        if self._counter is None:
            return least, False
        factor = self._what.factor if self._what else 1
        counted = factor * int.from_bytes(self._counter.total, "little")
        return (counted, True) if self._counter.is_exact else (max(counted, least), False)

    def how_far(self) -> str:
        """Return a note on the progress of a count that a limit has ended; "" if none is needed.

        A count of loops that visit every vertex has no lower bound until its last edges.
        """
        counter = self._counter
        if not isinstance(counter, _core.LoopCount) or counter.is_full or any(counter.total):
            return ""
        at = f"edge {counter.num_done} of {counter.num_steps}"
        return f"; the count came to {at} and has no bound of its own before the last ones"

    def stages(self) -> Iterator[Stage]:
        """Yield the stages; counting, though done in several turns, is a single stage."""
        yield from self._log.stages
        if self._counter is not None and self._what is not None:
            details = self._what.details.items()
            detail = {name: getattr(self._counter, attribute) for name, attribute in details}
            yield Stage("count", self._seconds, 0, detail)

    def work(self) -> None:
        """Count; raise LimitReached at a limit."""
        what = self._begin()
        if what is not None:
            self.take_turns(what)
        elif self._exact is None:  # too large for counters
            self._one_by_one()

    def _begin(self) -> Countable | None:
        """Return the object that makes counters, a presolved board or a model.

        None if the count is already known, or if solutions must be enumerated instead.
        """
        problem = self._problem
        if reason := problem.obstacle():
            self.no_solution, self._exact = reason, 0
            return None
        if self._backend != "auto":
            started = perf_counter()
            self._watch.doing("counting")
            self._exact = count_by(self._backend, problem)
            self._log.stage("count", started, engine=self._backend)
            return None
        if problem.options.backend != "auto" or problem.options.encoding:
            return None
        if self._counted_by_family() or self._symmetry:  # others with symmetry are enumerated
            return None
        if (tally := self._family.tally) and (easier := tally(self._puzzle)):
            return self._of_model(*easier)
        self._presolve()
        if self._exact is not None:
            return None
        return board_countable(problem) or self._of_model(problem.model)

    def _counted_by_family(self) -> bool:
        """Count by the family's own function; False if it has none for this puzzle."""
        own = self._symmetry.count if self._symmetry else self._family.count
        if own is None:
            return False
        started = perf_counter()
        self._watch.doing("counting")
        found = own(self._puzzle, self._watch, self._jobs)
        if found is None:
            return False
        self._least, *classes, is_exact = found
        if classes:
            (self.classes,) = classes
        self._log.stage("count", started)
        if not is_exact:
            raise self._watch.limit()
        self._exact = self._least
        return True

    def _of_model(self, model: Model, factor: int | None = None) -> Countable | None:
        """Return a model to be counted; None if it is too large for native counting."""
        try:
            return ModelCountable(self._puzzle, model, self._watch, factor)
        except UnsupportedError:
            return None

    def _one_by_one(self) -> None:
        """Count solutions by enumeration with an engine."""
        started = perf_counter()
        try:
            for solution in pipeline.enumerated(self._problem.part()):
                self._least += 1
                if self._symmetry and self.classes is not None:
                    self.classes += self._symmetry.is_first(self._puzzle, solution)
                self._watch.doing("solutions found one by one", self._least)
        except LimitReached as limit:
            raise LimitReached(self._watch.reason() or str(limit)) from None
        finally:
            self._log.stage("enumerate", started)
        self._exact = self._least

    def _presolve(self) -> None:
        """Propagate and probe, which may settle the puzzle."""
        task = self._problem.task
        for done in self._problem.presolve():
            if not done.is_consistent:
                self.no_solution, self._exact = done.reason, 0
            elif not task.num_open():
                self._log.decoded(AnswerSource(done.stage.name), task.values())
                self._exact = 1

    def take_turns(self, what: Countable) -> None:
        """Count natively; raise LimitReached at a limit.

        `what` stores the places that a backbone has settled: all, if that has found one solution.
        """
        self._what = what
        self._renew(what)
        work, slice_s = FIRST_WORK, SLICE_S
        if (remaining := self._watch.remaining_s()) is not None:
            work = min(work, int(remaining * _WORK_A_SECOND / 20))
        while not self._advance(what, work, self._jobs, self._watch):
            is_spent = what.is_spent(self._begun())
            if self._backbone is None or not self._backbone.is_complete:
                alone = self._jobs == 1 or is_spent
                common = (
                    self._common(slice_s, self._jobs)
                    if alone
                    else self._soon() or self._beside(what, slice_s)
                )
                if common is not None:
                    self._settle(what, common)
                if self._exact is not None:
                    return
            elif is_spent:
                raise LimitReached(f"counting needs more than {max_bytes(self._watch) >> 20} MiB")
            work, slice_s = min(GROWTH * work, _MOST_WORK), GROWTH * slice_s

    def _begun(self) -> Counter:
        assert self._counter is not None
        return self._counter

    def _renew(self, what: Countable) -> None:
        """Replace the counter by a new one that knows all settled places."""
        self._counter = None  # frees its memory for the next one
        self._counter = what.counter(max_bytes(self._watch), self._watch)

    def _soon(self) -> BackboneResult | None:
        """Return the backbone if one thread completes it soon, and at the first call; else None.

        A count beside it would be for nothing if the backbone settles places.
        """
        if self._is_tried:
            return None
        self._is_tried = True
        common = self._common(SOON_S, 1)
        self._least = max(self._least, len(common.solutions))
        return common if common.is_complete or common.verdict is Verdict.UNSOLVABLE else None

    def _beside(self, what: Countable, slice_s: float) -> BackboneResult | None:
        """Compute the backbone while other threads count: half of all, if they can share a count.

        Return None if the count ends before the backbone is complete.
        """
        with closing(Threads[None](1, self._watch)) as threads:
            number = (self._jobs + 1) // 2 if what.is_shared else 1
            going_on = partial(self._advance, what, _MOST_WORK, number, threads.watch)
            threads.submit(None, going_on)
            while not threads.has_ended():
                common = self._common(slice_s, max(1, self._jobs - number))
                if threads.has_ended():
                    break
                if common.is_complete or common.verdict is Verdict.UNSOLVABLE:
                    return common
                self._least = max(self._least, len(common.solutions))
                slice_s *= GROWTH
            threads.next()
        return None

    def _advance(self, what: Countable, work: int, threads: int, watch: Watch) -> bool:
        """Count natively within a budget of work; return True if the number is exact then."""
        started, counter = perf_counter(), self._begun()
        if isinstance(counter, _core.LoopCount):
            self._watch.doing("edges counted", counter.num_done, counter.num_steps)
        else:
            self._watch.doing("counting")
        try:
            return what.advance(counter, work, threads, watch)
        finally:
            self._seconds += perf_counter() - started

    def _common(self, slice_s: float, jobs: int) -> BackboneResult:
        """Return the backbone as far as it is found in `slice_s` seconds."""
        remaining = self._watch.remaining_s()
        slice_s = min(slice_s, MAX_TIME_S if remaining is None else remaining / 2)
        common = backbone_of(self._problem.part(time_limit_s=slice_s, jobs=jobs))
        detail = {"differing": len(common.differing), "undecided": common.num_undecided}
        self._log.stages.append(Stage("backbone", common.seconds, 0, detail))
        return common

    def _settle(self, what: Countable, common: BackboneResult) -> None:
        """Use a backbone: its settled places, and the count itself if it decides that."""
        self._least, _ = self.known()
        self._backbone = common
        if common.verdict is Verdict.UNSOLVABLE:
            self._exact, self.no_solution = 0, common.reason
            return
        has_news = what.settle(common, self._watch)
        if common.verdict is Verdict.UNIQUE:
            self._exact = 1
            return
        if has_news:
            self._renew(what)
        self._advance(what, 0, 1, self._watch)  # finds the components
        what.note(self._begun(), common)


def max_bytes(watch: Watch) -> int:
    """Return the memory that a native counter may take."""
    limit = watch.limits.memory_mib
    free = MEMORY_MIB if limit is None else _SHARE * max(limit - resident_mib(None), 0)
    return int(free * 2**20)
