"""The cubes of one puzzle, decided side by side in processes that can be killed.

Leaves are handed out from left to right. A cube that has used up its conflicts is split again, and
its parts have more; budgets are counts of conflicts and every cube has an engine of its own, so
that the tree is the same however many processes there are and whatever becomes of them. A process
that dies has its cube done again (`nonosat.processes.pools`).

Invariant: when `solutions` has come to its end, every leaf of the tree has an end, and every
solution was given.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterator, Sequence
from time import perf_counter
from typing import Any

from nonosat import families
from nonosat.board.presolve import Task
from nonosat.errors import BackendError, NonosatError
from nonosat.limits import LOOK_EVERY_S, Watch
from nonosat.processes.cluster import pool_of
from nonosat.processes.pools import Call, Calls, Pool
from nonosat.result import Options, Stage
from nonosat.solving.cubes import part
from nonosat.solving.cubes.cover import claimed
from nonosat.solving.cubes.part import Outcome, Part
from nonosat.solving.cubes.split import Splitter
from nonosat.solving.cubes.tree import LOOK_AHEAD

BUDGET = 20_000  # conflicts of a cube that has not been split again
GROWTH = 2  # times as many for its parts
PARTS = 2  # of a cube that is split again
MOST_AT_ONCE = 100  # solutions that a process may hold back


class Conquest:
    """One puzzle, split and conquered.

    Args:
        puzzle: Of a family whose models are rows and columns.
        options: With `cubes`.
        watch: Holds for everything. Its limit of memory holds for each process.

    Attributes:
        tree: What was branched on, and what became of the leaves.
        engine: That decides the cubes.
    """

    def __init__(self, puzzle: Any, options: Options, watch: Watch) -> None:
        assert options.cubes is not None
        self._puzzle = puzzle
        self._options = options
        self._watch = watch
        self.engine = part.engine_of(options)
        self._pool: Pool[Call] | None = None
        self._generations: dict[int, int] = {}  # how often each leaf's ancestors were split again
        self._counts = dict.fromkeys(("cubes", "conflicts", "split again"), 0)
        self._seconds = {"split": 0.0, "cubes": 0.0}
        started = perf_counter()
        task = Task.of(families.family_of(puzzle).build(puzzle), watch.check)
        self._splitter = Splitter(task, watch)
        self.tree = self._splitter.tree
        self._first = self._splitter.split(0, options.cubes)
        self._seconds["split"] = perf_counter() - started

    def solutions(
        self, seen: Sequence[bytes], stages: list[Stage], num_open: int
    ) -> Generator[bytes, None, None]:
        """Values of solutions as they are found; those of one cube are different.

        Args:
            seen: Values of all that are known; looked at again after each solution.
            stages: What was done is added here, whatever ends it.
            num_open: Cells that presolve has left.

        Raises:
            LimitReached: A limit ended it.
            BackendError: A cube's process died, and died again.
        """
        started = perf_counter()
        try:
            self._pool = self._opened()
            self._submit(self._first, seen)
            while self._generations:
                self._watch.check()
                for done in self._done():
                    yield from self._took(done.number, done.outcome, seen)
        finally:
            self.close()
            self._seconds["cubes"] += perf_counter() - started
            stages += self._stages(num_open if seen else 0)

    def close(self) -> None:
        """End all processes."""
        pool, self._pool = self._pool, None
        if pool is not None:
            with self._watch.shield:
                pool.close()

    def covered(self, solutions: Sequence[bytes]) -> list[dict[str, Any]]:
        """The nodes of the tree when all is done, checked by code of its own (`cubes.cover`).

        Args:
            solutions: All of them, a byte a cell.
        """
        nodes = self.tree.data(self._puzzle.width, solutions)
        claimed(self._puzzle, solutions, nodes)
        return nodes

    def last_word(self) -> str:
        """What the verdict rests on when all is done: the engine, or look-ahead alone."""
        return self.engine if self._counts["cubes"] else LOOK_AHEAD

    def _stages(self, decided: int) -> list[Stage]:
        nodes = self.tree.nodes
        refuted = sum(node.ended_by == LOOK_AHEAD for node in nodes)
        split = {
            "cubes": len(self._first),
            "probes": self._splitter.num_probes,
            LOOK_AHEAD: refuted,
        }
        found = {"engine": self.engine, **self._counts}
        return [
            Stage("split", self._seconds["split"], 0, split),
            Stage("cubes", self._seconds["cubes"], decided, found),
        ]

    def _opened(self) -> Pool[Call]:
        options = self._options
        jobs = options.jobs or len(os.sched_getaffinity(0))
        return pool_of(jobs, options.cluster, Calls(options.memory_limit_mib))

    def _done(self) -> list[Any]:
        assert self._pool is not None
        with self._watch.shield:  # processes are started here
            return self._pool.done(min(LOOK_EVERY_S, self._watch.step_s()))

    def _submit(self, leaves: list[int], seen: Sequence[bytes], generation: int = 0) -> None:
        """Hand out leaves whose ancestors were split again so often."""
        assert self._pool is not None
        known = tuple(seen)
        most = self._options.max_solutions
        for leaf in leaves:
            is_last = not self._splitter.can_split(leaf)
            budget = sys.maxsize if is_last else BUDGET * GROWTH**generation
            wanted = MOST_AT_ONCE if most is None else max(1, min(MOST_AT_ONCE, most - len(known)))
            cube = self.tree.cube(leaf)
            asked = Part(self._puzzle, self._options, cube, known, wanted, budget, not known)
            self._generations[leaf] = generation
            with self._watch.shield:
                self._pool.submit(leaf, Call(part.decide, (asked,)))

    def _took(self, leaf: int, outcome: Any, seen: Sequence[bytes]) -> Iterator[bytes]:
        """What the end of a leaf's work means."""
        if isinstance(outcome, NonosatError):
            raise outcome
        assert isinstance(outcome, Outcome)
        if outcome.cube != self.tree.cube(leaf):
            raise BackendError(f"a process has decided another cube than that of node {leaf}")
        yield from outcome.solutions
        generation = self._generations.pop(leaf)
        self._counts["conflicts"] += outcome.conflicts
        if outcome.is_full:
            self._submit([leaf], seen, generation)
        elif outcome.ended_by:
            node = self.tree.nodes[leaf]
            node.ended_by, node.conflicts = outcome.ended_by, outcome.conflicts
            self._counts["cubes"] += 1
            self._splitter.forget(leaf)
        else:
            self._counts["split again"] += 1
            self._submit(self._splitter.split(leaf, PARTS), seen, generation + 1)
