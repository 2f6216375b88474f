"""Worker processes that decide puzzle after puzzle.

Limits hold whatever a worker is doing: one that overruns is killed and its puzzle recorded as
`timeout` or `memout`. A puzzle whose worker died is tried once more; if that dies as well, the
record says `crash`. At the end of a batch, workers that have nothing to do leave their cores to the
puzzles that others are at: their learning searches go on in several threads then
(`solving/session.py`), unless memory is limited and a quarter of it is used. Invariant: every
puzzle has one record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from nonosat.batch.deciding import Asked, Read, Record, decide, end_data, status_of
from nonosat.core.answer_source import AnswerSource
from nonosat.core.errors import LimitReached, NonosatError
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block
from nonosat.core.result import Options
from nonosat.processes.beacon import Beacon
from nonosat.processes.child import Child
from nonosat.processes.memory import is_readable, resident_mib
from nonosat.processes.tools import TALK_S, Call, Work, give_call, start_child
from nonosat.puzzles.nonogram.data import Nonogram

MOST_GROWTH_MIB = 512  # of a worker that has no limit of memory
LEAST_GROWTH_MIB = 64


@dataclass(frozen=True, slots=True)
class Deciding(Work[Read, Child]):
    """Work whose pieces are puzzles, and whose outcomes are records.

    Args:
        asked: What is wanted of every puzzle.
    """

    asked: Asked

    takes_all = True
    grace_s = 1.0

    def __post_init__(self) -> None:
        # Refused before any work where nothing can read how much memory is used.
        self.asked.limits(0.0)

    def limits(self, piece: Read) -> Limits:
        return self.asked.limits(piece.seconds)

    def advice(self) -> str:
        options = self.asked.options
        return AnswerSource(options.backend, choices=options.encoding).advice()

    def start(self) -> Child:
        """A worker that decides a small puzzle first: no other is charged with its imports."""
        asked = Asked(self.asked.question, replace(self.asked.options, presolve="none"))
        return start_child("a worker process", Call(decide_here, (asked, (Read(_small_puzzle()),))))

    def give(self, process: Child, pieces: Sequence[Read]) -> None:
        give_call(process, Call(decide_here, (self.asked, pieces, process.beacon.fd)))

    def share(self, process: Child, num_cores: int) -> None:
        process.beacon.show(num_cores)

    def take(self, process: Child) -> tuple[Record, bool]:
        record, is_last = process.finish(Watch(Limits(TALK_S)))
        return record, is_last

    def ended(self, error: NonosatError, seconds: float) -> Record:
        status = status_of(error) if isinstance(error, LimitReached) else "crash"
        return end_data(status, str(error), seconds)


def _small_puzzle() -> Any:
    return Nonogram(rows=((Block(1),),), columns=((Block(1),),))


_most_mib: list[float] = []  # resident memory of this process, once it has worked


def decide_here(
    asked: Asked, puzzles: Iterable[Read], cores_fd: int | None = None
) -> Iterator[tuple[Record, bool]]:
    """Decide puzzles in a worker process, as long as it is fit for it; the first call has no limit.

    Args:
        asked: What is wanted of every puzzle.
        puzzles: The puzzles.
        cores_fd: Where it is told how many cores a puzzle may use; None where that is one.

    Yields:
        Record, and whether it is the last because the process has grown: what one puzzle leaves
        behind must not count as memory of the next.
    """
    cores = None if cores_fd is None else Beacon(cores_fd)
    for read in puzzles:
        record = decide(asked, read, cores)
        is_grown = has_grown()
        yield record, is_grown
        if is_grown:
            return
    if not _most_mib:
        _most_mib.append(_growth_limit_mib(asked.options))


def has_grown() -> bool:
    """Whether this process should leave the next puzzle to another one."""
    most_mib = _most_mib[0] if _most_mib else inf
    return most_mib < inf and resident_mib(None) > most_mib


def _growth_limit_mib(options: Options) -> float:
    """The most that this process may use in the end, by what it uses now.

    Where that cannot be read there is none; then there is no memory limit either.
    """
    if not is_readable():
        return inf
    now, most = resident_mib(None), options.memory_limit_mib
    return now + (MOST_GROWTH_MIB if most is None else max(LEAST_GROWTH_MIB, (most - now) / 4))
