"""Backbone status of each place of a puzzle: settled, differing, or still undecided (a candidate).

Places are numbered from 0. They are the cells of a board, or the parts of a solution (edges,
squares, moves) that the variables of another model represent.

Invariant: a settled place is equal in all solutions, a differing one has two verified solutions as
witnesses.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from time import perf_counter
from typing import Any

from nonosat.core.errors import BackendError
from nonosat.core.grid import UNKNOWN
from nonosat.core.limits import Watch
from nonosat.core.result import Verdict
from nonosat.processes.threads import Threads
from nonosat.questions.solution_oracle import OracleFactory, SolutionOracle
from nonosat.solving.solve_log import SolveLog

# Queries about many cells of one puzzle, by one engine or by several in parallel.
#
# Each query names cells; the answer is a solution that differs from a known one in some of them, or
# None. Engines in other threads are opened after several queries; they receive the cells settled by
# the others. The order of answers depends on timing if there are several engines.


ALONE = 8  # queries before a second engine is opened; most boards need no more

Answered = tuple[list[int], bytes | None]  # the cells, and values of a solution


class ParallelQueries:
    """Parallel search by several engines for solutions that differ from a known one.

    Args:
        factory: Opens engines; it is not changed.
        values: Values of the known solution, a byte per cell.

    Attributes:
        num_queries: Number of queries so far.
    """

    def __init__(self, factory: OracleFactory, values: bytes) -> None:
        self.num_queries = 0
        self._factory = factory
        self._values = values

    def answers(
        self, choose: Callable[[Container[int]], list[int]], jobs: int
    ) -> Generator[Answered, None, None]:
        """Yield answers in the order in which they arrive.

        Args:
            choose: Receives the cells of running queries; returns those of the next query, none of
                them among these. Empty if no query is left at present.
            jobs: Number of engines.

        Raises:
            LimitReached: A limit of the watch or the budget is reached.
        """
        oracle = self._factory.open(self._factory.watch)
        try:
            while cells := choose(()):
                if self._is_over() or (jobs > 1 and self.num_queries >= ALONE):
                    break
                self.num_queries += 1
                yield cells, oracle.differing(cells, self._values)
            if jobs > 1:
                yield from self._side_by_side(choose, jobs, oracle)
        finally:
            oracle.close()

    def _is_over(self) -> bool:
        return self.num_queries >= self._factory.budget.questions

    def _side_by_side(
        self, choose: Callable[[Container[int]], list[int]], jobs: int, first: SolutionOracle
    ) -> Generator[Answered, None, None]:
        workers: list[_QueryEngine] = []
        busy: dict[int, list[int]] = {}  # cells of each worker's query
        try:
            with closing(Threads[int](jobs, self._factory.watch)) as threads:
                first.watch = threads.watch
                for oracle in (first, *[None] * (jobs - 1)):
                    workers.append(_QueryEngine(self._factory.copy(), threads.watch, oracle))
                while self._hand_out(choose, workers, busy, threads):
                    number, values = threads.next()
                    cells = busy.pop(number)
                    if values is None:
                        for other in {*range(jobs)} - {number}:
                            workers[other].news += cells
                    yield cells, values
        finally:
            for worker in workers[1:]:
                worker.close()

    def _hand_out(
        self,
        choose: Callable[[Container[int]], list[int]],
        workers: Sequence[_QueryEngine],
        busy: dict[int, list[int]],
        threads: Threads[int],
    ) -> bool:
        """Give a query to every idle worker; return True if any worker is busy then."""
        for number, worker in enumerate(workers):
            requested = {cell for cells in busy.values() for cell in cells}
            if number not in busy and not self._is_over() and (cells := choose(requested)):
                busy[number] = cells
                self.num_queries += 1
                threads.submit(number, partial(worker.query, cells, self._values))
        return bool(busy)


class _QueryEngine:
    """Engine that answers one query at a time, in any thread.

    Attributes:
        oracle: The engine; None until the first query.
        news: Cells that other workers have settled since the last query of this one.
    """

    def __init__(self, factory: OracleFactory, watch: Watch, oracle: SolutionOracle | None) -> None:
        self.oracle = oracle
        self.news: list[int] = []
        self._factory = factory
        self._watch = watch

    def query(self, cells: list[int], values: bytes) -> bytes | None:
        if self.oracle is None:
            self.oracle = self._factory.open(self._watch)
        news, self.news = self.news, []
        self.oracle.settle(news, values)
        return self.oracle.differing(cells, values)

    def close(self) -> None:
        if self.oracle is not None:
            self.oracle.close()


CHUNK = 64  # candidates in one query
KEPT = 64  # solutions in a result


class BackboneState:
    """Backbone of a puzzle as far as it is known.

    Args:
        log: Verifies solutions and records stages.
        num_places: Number of places.
        named: Returns a place in words, by its number.

    Attributes:
        settled: A byte a place, UNKNOWN if it may differ.
        differing: Places in which two solutions differ.
        solutions: The first solutions, in order, each with a byte a place.
        num_solutions: Number of solutions that were added, kept or not.
        first: The first solution, a byte a place.
        no_solution: Reason why there is no solution.
    """

    def __init__(self, log: SolveLog, num_places: int, named: Callable[[int], str]) -> None:
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
        """Return the places that are neither settled nor differing."""
        cells = enumerate(self.settled)
        return (at for at, value in cells if value == UNKNOWN and at not in self.differing)

    def num_candidates(self) -> int:
        return self.settled.count(UNKNOWN) - len(self.differing)  # all of which are unknown

    def refute(self, reason: str) -> None:
        """Record that there is no solution."""
        self._is_unsolvable, self.no_solution = True, reason
        self.settled[:] = bytes([UNKNOWN]) * len(self.settled)

    def take(self, name: str, solution: Any, cells: bytes) -> None:
        """Add a verified solution, and mark the places in which it differs from the first one.

        Args:
            name: Source of the solution.
            solution: The solution.
            cells: The solution, a byte a place.

        Raises:
            BackendError: The solution differs in a settled place.
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
        """Raise BackendError if solutions differ in a settled place."""
        if wrong := [at for at in different if self.settled[at] != UNKNOWN]:
            raise BackendError(
                f"{name} gave a solution that differs from another one in {self._named(wrong[0])}, "
                "but propagation or an earlier query proved that this is equal in all solutions"
            )

    def query(self, factory: OracleFactory, take: Callable[[bytes], None], jobs: int) -> None:
        """Decide all candidates, by searching for solutions that differ in one of them.

        Args:
            factory: Opens engines.
            take: Called with the values of each solution.
            jobs: Number of engines in parallel.

        Raises:
            LimitReached: A limit or the budget is reached.
        """
        assert self.first is not None
        started, before = perf_counter(), self.num_solutions
        queries = ParallelQueries(factory, self.first)
        try:
            with closing(
                queries.answers(partial(self._next_chunk, factory.watch), jobs)
            ) as answers:
                for chunk, values in answers:
                    if values is not None:
                        take(values)
                        continue
                    for at in chunk:
                        self.settled[at] = self.first[at]
        finally:
            solutions = self.num_solutions - before
            requested = queries.num_queries
            self._log.stage(
                "solve", started, engine=factory.engine, asked=requested, solutions=solutions
            )

    def _next_chunk(self, watch: Watch, requested: Container[int]) -> list[int]:
        """Return undecided places for the next query; `requested` are those of running queries."""
        proven = len(self.settled) - self.num_candidates()
        watch.doing("places proven", proven, len(self.settled))
        return list(islice((at for at in self.candidates() if at not in requested), CHUNK))
