"""What is certain of each place of a puzzle so far: settled, differing, or a candidate for either.

Places are numbered from 0: the cells of a board, or what the variables of another model decide.

Invariant: a settled place is equal in all solutions, a differing one has two verified solutions as
witnesses.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import closing
from itertools import islice
from time import perf_counter
from typing import Any

from nonosat.core import seams
from nonosat.core.errors import BackendError
from nonosat.core.grid import UNKNOWN
from nonosat.core.result import Verdict
from nonosat.questions.asker import Subject
from nonosat.questions.inquiry import Inquiry
from nonosat.solving.findings import Findings

CHUNK = 64  # candidates that the engine is asked about at once
KEPT = 64  # solutions in a result


class Certainty:
    """What is known so far.

    Args:
        log: Where solutions are verified and steps written down.
        num_places: How many places there are.
        named: A place in words, by its number.

    Attributes:
        settled: A byte a place, UNKNOWN where it may differ.
        differing: Places in which two solutions differ.
        solutions: The first solutions, in order, each with a byte a place.
        num_solutions: How many have been looked at.
        first: The first solution, a byte a place.
        no_solution: Why there is none.
    """

    def __init__(self, log: Findings, num_places: int, named: Callable[[int], str]) -> None:
        self.settled = bytearray([UNKNOWN]) * num_places
        self.differing: set[int] = set()
        self.solutions: dict[Any, bytes] = {}
        self.num_solutions = 0
        self.first: bytes | None = None
        self.no_solution = ""
        self._is_unsolvable = False
        self._named = named
        self._log = log

    def verdict(self) -> Verdict:
        if self._is_unsolvable:
            return Verdict.UNSOLVABLE
        if self.differing:
            return Verdict.MULTIPLE
        known = self.first is not None and not self.num_candidates()
        return Verdict.UNIQUE if known else Verdict.UNKNOWN

    def candidates(self) -> Iterator[int]:
        """Places that are proven neither way."""
        cells = enumerate(self.settled)
        return (at for at, value in cells if value == UNKNOWN and at not in self.differing)

    def num_candidates(self) -> int:
        return self.settled.count(UNKNOWN) - len(self.differing)  # all of which are unknown

    def refute(self, reason: str) -> None:
        """Take note that there is no solution."""
        self._is_unsolvable, self.no_solution = True, reason
        self.settled[:] = bytes([UNKNOWN]) * len(self.settled)

    def take(self, name: str, solution: Any, cells: bytes) -> None:
        """Look at a verified solution: where it is unlike the first one, solutions differ.

        Args:
            name: What gave it.
            solution: The solution.
            cells: The same, a byte a place.

        Raises:
            BackendError: It differs in a settled place.
        """
        self.num_solutions += 1
        if len(self.solutions) < KEPT:
            self.solutions.setdefault(solution, cells)
        if self.first is None:
            self.first = cells
        pairs = enumerate(zip(self.first, cells, strict=True))
        different = {at for at, (mine, yours) in pairs if mine != yours}
        self.refuse_settled(name, different)
        self.differing |= different

    def refuse_settled(self, name: str, different: Iterable[int]) -> None:
        """Raise BackendError where solutions differ in a place that is settled."""
        if wrong := [at for at in different if self.settled[at] != UNKNOWN]:
            raise BackendError(
                f"{name} gave a solution that differs from another one in {self._named(wrong[0])}, "
                "but that is equal in all solutions by propagation, or by what was asked before"
            )

    def ask(self, subject: Subject, take: Callable[[bytes], None], jobs: int) -> None:
        """Ask an engine for solutions that differ, until every place is proven.

        Args:
            subject: What it is told.
            take: Called with the values of each solution.
            jobs: Engines side by side.

        Raises:
            LimitReached: A limit or the budget ended it.
        """
        assert self.first is not None
        started, before = perf_counter(), self.num_solutions
        inquiry = Inquiry(subject, self.first)
        try:
            with closing(inquiry.answers(self._next_chunk, jobs)) as answers:
                for chunk, values in answers:
                    if values is not None:
                        take(values)
                        continue
                    for at in chunk:
                        self.settled[at] = self.first[at]
        finally:
            solutions = self.num_solutions - before
            engine, asked = subject.budget.engine, inquiry.num_asked
            self._log.stage("solve", started, engine=engine, asked=asked, solutions=solutions)

    def _next_chunk(self, asked: Container[int]) -> list[int]:
        """Candidates to be asked about, without those that somebody is being asked about."""
        proven = len(self.settled) - self.num_candidates()
        seams.doing("places proven", proven, len(self.settled))
        return list(islice((at for at in self.candidates() if at not in asked), CHUNK))
