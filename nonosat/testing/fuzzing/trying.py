"""Answers to puzzles, computed in processes that may crash and hang.

A piece of work is one puzzle with one way to answer it, so that the end of its process is
attributed to that way. Invariant: every piece has an answer; exceptions become answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from time import perf_counter
from typing import Any

from nonosat.core.errors import LimitReached, NonosatError, UnsupportedError
from nonosat.core.limits import MEMORY, Limits, Watch
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Verdict
from nonosat.core.scope import within
from nonosat.processes.child import Child
from nonosat.processes.isolation import work_here
from nonosat.processes.memory import is_readable, resident_mib
from nonosat.processes.tools import TALK_S, Call, ToolProcess, Work, give_call, start_child
from nonosat.questions.backbones import backbone
from nonosat.questions.counting import count
from nonosat.solving import pipeline
from nonosat.testing.claims import Claim
from nonosat.testing.commands import command
from nonosat.testing.deciding import refutation
from nonosat.testing.fuzzing.ways import BRUTE_FORCE, MOST_SOLUTIONS, PROGRAM, AnswerMethod
from nonosat.testing.oracles import every_solution

GRACE_S = 1.0  # for an engine to notice its limit
MOST_GROWTH_MIB = 400  # growth of a worker after which it is replaced
# Ends of an answer: with a claim; at a limit that was noticed; without one, by cause.
OK, TIMEOUT, MEMOUT, UNSUPPORTED = "ok", "timeout", "memout", "unsupported"
LEFT_OUT = "left out"  # not called again after too many hangs or deaths
WRONG, FAILED, DIED, HUNG, NONSENSE = "wrong", "failed", "died", "hung", "nonsense"
Piece = tuple[Puzzle, AnswerMethod]


@dataclass(frozen=True, slots=True)
class Attempt:
    """Outcome of answering a puzzle in one way.

    Args:
        end: Kind of end: `OK` or another constant of this module.
        claim: The claim on the puzzle.
        settled: The grid of a complete backbone; None for other questions.
        decided_by: Step or engine that decided; "" if there is no choice.
        used: Encodings and formulations that were used, as KIND=NAME.
        seconds: Wall seconds.
        mib: Resident memory of the process that answered; 0 if unknown.
    """

    end: str
    claim: Claim
    settled: Any = None
    decided_by: str = ""
    used: frozenset[str] = frozenset()
    seconds: float = field(default=0.0, compare=False)
    mib: float = field(default=0.0, compare=False)


def answered(puzzle: Puzzle, way: AnswerMethod, time_limit_s: float | None) -> Attempt:
    """Answer a puzzle in this process; exceptions except Ctrl-C become answers."""
    started = perf_counter()
    try:
        found: Attempt = _BY_QUESTION.get(way.question, _requested)(puzzle, way, time_limit_s)
    except UnsupportedError as error:
        found = Attempt(UNSUPPORTED, Claim(unsupported=str(error)))
    except LimitReached as error:
        end = MEMOUT if error.kind == MEMORY else TIMEOUT
        found = Attempt(end, Claim(reason=str(error)))
    except MemoryError:
        found = Attempt(MEMOUT, Claim(reason="out of memory"))
    except Exception as error:
        text = str(error) if isinstance(error, NonosatError) else f"{type(error).__name__}: {error}"
        found = Attempt(FAILED, Claim(failure=text))
    return replace(found, seconds=perf_counter() - started)


def _limit(reason: str) -> str:
    return MEMOUT if "memory" in reason else TIMEOUT


def _requested(puzzle: Puzzle, way: AnswerMethod, time_limit_s: float | None) -> Attempt:
    options = way.requested(time_limit_s).to_data()
    result = getattr(pipeline, way.question)(puzzle, **options)
    claim = Claim.of_result(result)
    used = frozenset(f"{kind}={name}" for kind, name in result.encoding.items())
    found = Attempt(OK, claim, decided_by=result.backend, used=used)
    if claim.verdict is Verdict.UNKNOWN:
        is_open = not any(word in result.reason for word in ("limit", "memory"))
        return found if is_open else replace(found, end=_limit(result.reason))
    most = options["max_solutions"]
    # Fewer solutions than requested, without a limit, are all of them.
    if most > 2 and len(claim.solutions) < most and not result.reason:
        return replace(found, claim=replace(claim, count=len(claim.solutions)))
    return found


def _counted(puzzle: Puzzle, way: AnswerMethod, time_limit_s: float | None) -> Attempt:
    counter = way.options.get("backend", "auto")
    claim = Claim.of_result(count(puzzle, time_limit_s=time_limit_s, backend=counter))
    return Attempt(_limit(claim.reason) if claim.count is None else OK, claim)


def _settled(puzzle: Puzzle, _: AnswerMethod, time_limit_s: float | None) -> Attempt:
    found = backbone(puzzle, time_limit_s=time_limit_s)
    claim = Claim(found.verdict, found.solutions, reason=found.reason)
    if not found.is_complete:
        return Attempt(_limit(found.reason), claim)
    return Attempt(OK, claim, None if found.verdict is Verdict.UNSOLVABLE else found.settled)


def _forced(puzzle: Puzzle, _: AnswerMethod, time_limit_s: float | None) -> Attempt:
    found = every_solution(puzzle)
    if found is None:
        return Attempt(UNSUPPORTED, Claim(unsupported="the puzzle is too large for brute force"))
    watch = Watch(Limits(time_limit_s))
    every: list[Any] = within(watch, partial(list, islice(found, MOST_SOLUTIONS + 1)))
    return Attempt(OK, Claim.of_solutions(every, all_of_them=len(every) <= MOST_SOLUTIONS))


def _by_program(puzzle: Puzzle, way: AnswerMethod, time_limit_s: float | None) -> Attempt:
    claim = command(way.command, time_limit_s=time_limit_s)(puzzle)
    if any(refutation(puzzle, one) for one in claim.solutions):
        return Attempt(WRONG, claim)
    end = _ENDS.get(claim.failure.partition(" ")[0], FAILED) if claim.failure else OK
    return Attempt(UNSUPPORTED if claim.unsupported else end, claim)


_ENDS = {"hung": HUNG, "died": DIED, "used": MEMOUT, "printed": NONSENSE}  # of a program


_BY_QUESTION: Mapping[str, Any] = {
    "count": _counted,
    "backbone": _settled,
    BRUTE_FORCE: _forced,
    PROGRAM: _by_program,
}


@dataclass(frozen=True, slots=True)
class AnswerWork(Work[Piece, Child]):
    """Work whose pieces are puzzles, each with a way to answer it.

    Args:
        time_limit_s: Seconds for a piece.
        memory_limit_mib: Resident memory of a worker.
    """

    time_limit_s: float
    memory_limit_mib: int | None = None

    takes_all = True
    grace_s = GRACE_S

    def limits(self, piece: Piece) -> Limits:
        del piece
        return Limits(self.time_limit_s, self.memory_limit_mib)

    def start(self) -> Child:
        return start_child("a process that answers", Call(try_here, (self.time_limit_s, ())))

    def give(self, process: Child, pieces: Sequence[Piece]) -> None:
        give_call(process, Call(try_here, (self.time_limit_s, pieces)))

    def take(self, process: Child) -> tuple[Attempt, bool]:
        answer, is_last = process.finish(Watch(Limits(TALK_S)))
        return answer, is_last

    def ended(self, error: NonosatError, seconds: float) -> Attempt:
        if not isinstance(error, LimitReached):
            return Attempt(DIED, Claim(failure=str(error)), seconds=seconds)
        if "memory" in str(error):
            return Attempt(MEMOUT, Claim(reason=str(error)), seconds=seconds)
        return Attempt(HUNG, Claim(reason=str(error)), seconds=seconds)


_first_mib: list[float] = []  # resident memory of this process after its first answer


def try_here(time_limit_s: float, pieces: Iterable[Piece]) -> Iterator[tuple[Attempt, bool]]:
    """Answer puzzles in a worker process; without any, initialise it.

    Yields:
        (answer, True if the process has grown too much to answer further puzzles).
    """
    work_here()  # this process is killed at its limits, so engines need no child processes
    if not pieces:
        yield Attempt(OK, Claim()), False
        return
    for puzzle, way in pieces:
        answer = answered(puzzle, way, time_limit_s)
        mib = resident_mib(None) if is_readable() else 0.0
        if not _first_mib:
            _first_mib.append(mib)
        is_grown = mib > _first_mib[0] + MOST_GROWTH_MIB
        yield replace(answer, mib=mib), is_grown
        if is_grown:
            return


class AnsweringProcess:
    """Process that answers puzzles one after the other; a context manager.

    Args:
        work: The limits.
    """

    def __init__(self, work: AnswerWork) -> None:
        self._tool = ToolProcess[Piece](work)

    def __enter__(self) -> AnsweringProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self._tool.close()

    def answers(self, puzzle: Puzzle, ways: Sequence[AnswerMethod]) -> list[Attempt]:
        """Return the answers to a puzzle in these ways, in order."""
        found: dict[int, Attempt] = {}
        self._tool.begin([(puzzle, way) for way in ways])
        while not self._tool.is_done:
            found.update(self._tool.wait(0.1))
        return [found[place] for place in range(len(ways))]
