"""Worker processes that decide a sequence of puzzles.

Limits hold in every state of a worker: one that exceeds them is killed and its puzzle recorded as
`timeout` or `memout`. A puzzle whose worker died is tried once more; if that dies as well, the
record has the status `crash`. At the end of a batch, idle workers leave their cores to the puzzles
in progress, whose learning searches then continue in several threads (`solving/session.py`), unless
memory is limited and a quarter of it is used. Invariant: every puzzle has one record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import inf
from typing import Any

from nonosat.batch.deciding import BatchTask, Record, TimedPuzzle, decide, end_data, status_of
from nonosat.core.answer_source import AnswerSource
from nonosat.core.errors import LimitReached, NonosatError
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block
from nonosat.core.result import Options
from nonosat.processes.beacon import Beacon
from nonosat.processes.child import Child
from nonosat.processes.memory import is_readable, resident_mib
from nonosat.processes.tools import TALK_S, Call, Work, give_call, start_child
from nonosat.processes.worker import serve
from nonosat.puzzles.nonogram.data import Nonogram

MOST_GROWTH_MIB = 512  # limit of a worker without a memory limit
LEAST_GROWTH_MIB = 64


@dataclass(frozen=True, slots=True)
class Deciding(Work[TimedPuzzle, Child]):
    """Work for a pool: a piece is a puzzle, its outcome the data of its record.

    Args:
        task: Task for every puzzle.
    """

    task: BatchTask

    takes_all = True
    grace_s = 1.0

    def __post_init__(self) -> None:
        # Raises before any work if the use of memory cannot be measured.
        self.task.limits(0.0)

    def limits(self, piece: TimedPuzzle) -> Limits:
        return self.task.limits(piece.seconds)

    def advice(self) -> str:
        options = self.task.options
        return AnswerSource(options.backend, choices=options.encoding).advice()

    def start(self) -> Child:
        """Start a worker that first solves a small puzzle, so that it has imported all modules."""
        task = BatchTask(self.task.question, replace(self.task.options, presolve="none"))
        _import_all()
        first = Call(decide_here, (task, (TimedPuzzle(_small_puzzle()),)))
        return start_child("a worker process", first, serve)

    def give(self, process: Child, pieces: Sequence[TimedPuzzle]) -> None:
        give_call(process, Call(decide_here, (self.task, pieces, process.beacon.fd)))

    def share(self, process: Child, num_cores: int) -> None:
        process.beacon.show(num_cores)

    def take(self, process: Child) -> tuple[Record, bool]:
        record, is_last = process.finish(Watch(Limits(TALK_S)))
        return record, is_last

    def ended(self, error: NonosatError, seconds: float) -> Record:
        status = status_of(error) if isinstance(error, LimitReached) else "crash"
        return end_data(status, str(error), seconds)


@cache
def _import_all() -> None:
    """Import the modules of the usual way, once for all workers that are copies of this process.

    A worker imports the packages of other engines itself, because some of them start threads.
    """
    decide(BatchTask("check", Options(presolve="none")), TimedPuzzle(_small_puzzle()))


def _small_puzzle() -> Any:
    return Nonogram(rows=((Block(1),),), columns=((Block(1),),))


_most_mib: list[float] = []  # resident memory of this process after its first work


def decide_here(
    task: BatchTask, puzzles: Iterable[TimedPuzzle], cores_fd: int | None = None
) -> Iterator[tuple[Record, bool]]:
    """Decide puzzles in a worker process, until its memory has grown too much.

    The first call in a process ignores the growth, and sets the limit for later calls.

    Args:
        task: Task for every puzzle.
        puzzles: The puzzles.
        cores_fd: Descriptor from which the number of cores for a puzzle is read (`Beacon`); None
            for one core.

    Yields:
        Data of the record, and True if it is the last because the process has grown: memory left
            by one puzzle must not count towards the limit of the next.
    """
    cores = None if cores_fd is None else Beacon(cores_fd)
    for read in puzzles:
        record = decide(task, read, cores)
        is_grown = has_grown()
        yield record, is_grown
        if is_grown:
            return
    if not _most_mib:
        _most_mib.append(_growth_limit_mib(task.options))


def has_grown() -> bool:
    """Return True if this process uses so much memory that a new one must take the next puzzle."""
    most_mib = _most_mib[0] if _most_mib else inf
    return most_mib < inf and resident_mib(None) > most_mib


def _growth_limit_mib(options: Options) -> float:
    """Return the use of memory at which this process must be replaced, given its present use.

    It is infinite if memory cannot be measured; the options have no memory limit then.
    """
    if not is_readable():
        return inf
    now, most = resident_mib(None), options.memory_limit_mib
    return now + (MOST_GROWTH_MIB if most is None else max(LEAST_GROWTH_MIB, (most - now) / 4))
