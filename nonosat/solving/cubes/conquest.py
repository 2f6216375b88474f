"""The solutions of one puzzle, found cube by cube in processes that can be killed.

Invariant: when `solutions` has come to its end, every leaf of the tree has an end, and every
solution was given.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, nullcontext
from time import perf_counter
from typing import Any

from nonosat.board.presolve import Task
from nonosat.core import families, seams
from nonosat.core.errors import BackendError
from nonosat.core.limits import Watch
from nonosat.core.model import Model
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Options, Stage
from nonosat.processes.tools import Call
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.solving.choices import choices_of
from nonosat.solving.cubes import part
from nonosat.solving.cubes.cover import claimed
from nonosat.solving.cubes.grounds import ground_of
from nonosat.solving.cubes.kept import Kept
from nonosat.solving.cubes.leaves import Leaves
from nonosat.solving.cubes.part import Outcome, Part
from nonosat.solving.cubes.terms import Cells, Terms, Variables
from nonosat.solving.cubes.tree import LOOK_AHEAD, Cube, inside

MOST_AT_ONCE = 100  # solutions that a process may hold back


class Conquest:
    """One puzzle, split and conquered.

    Args:
        puzzle: Of any family.
        model: Its model.
        options: With `cubes`.
        watch: Holds for everything. Its limit of memory holds for each process.

    Attributes:
        tree: What was branched on, and what became of the leaves.
        engine: That decides the cubes.
    """

    def __init__(self, puzzle: Puzzle, model: Model, options: Options, watch: Watch) -> None:
        assert options.cubes is not None
        self._puzzle = puzzle
        self._options = options
        self._seen: Sequence[bytes] = ()
        self.engine = part.engine_of(options)
        self._counts = dict.fromkeys(("cubes", "conflicts", "split again"), 0)
        self._seconds = {"split": 0.0, "cubes": 0.0}
        started = perf_counter()
        task = Task.of(model, watch.check)
        encodings = choices_of(options, puzzle.family).encodings
        self._ground = ground_of(task, encodings, watch)
        self._num_vars = model.num_vars
        journal = options.journal
        self._kept = None if journal is None else Kept(journal, puzzle, options, self._num_vars)
        known = self._kept.outcome if self._kept else lambda _cube, _budget: None
        self._leaves = Leaves(self._ground, options.cubes, self._call, watch, known=known)
        self.tree = self._leaves.tree
        self._seconds["split"] = perf_counter() - started

    def solutions(
        self, seen: Sequence[bytes], stages: list[Stage], num_open: int
    ) -> Generator[bytes, None, None]:
        """Values of solutions as they are found; those of one cube are different.

        Args:
            seen: Values of all that are known; looked at again after each solution.
            stages: What was done is added here, whatever ends it.
            num_open: Cells that presolve has left; 0 without a board.

        Raises:
            LimitReached: A limit ended it.
            BackendError: A cube's process died, and died again.
        """
        self._seen, started = seen, perf_counter()
        run = self._leaves.outcomes(self._options.jobs, self._options.cluster)
        try:
            with self._kept or nullcontext(), closing(run) as ended:
                for number, (leaf, outcome) in enumerate(ended, start=1):
                    seams.doing("cubes", number, len(self.tree.nodes))
                    yield from self._took(leaf, outcome)
        finally:
            self._seconds["cubes"] += perf_counter() - started
            stages += self._stages(num_open if seen else 0)

    def covered(self, solutions: Sequence[bytes]) -> list[dict[str, Any]]:
        """The nodes of the tree when all is done, checked by code of its own (`cubes.cover`).

        Args:
            solutions: All of them, as values of the model.
        """
        nodes = self.tree.data(self._ground.named, solutions)
        terms: Terms = Variables(self._num_vars)
        if isinstance(self._puzzle, Nonogram):
            terms, decode = Cells(self._puzzle), families.family_of(self._puzzle).decode
            solutions = [decode(self._puzzle, values).cells for values in solutions]
        claimed(terms, solutions, nodes)
        return nodes

    def last_word(self) -> str:
        """What the verdict rests on when all is done: the engine, or look-ahead alone."""
        return self.engine if self._counts["cubes"] else LOOK_AHEAD

    def _stages(self, decided: int) -> list[Stage]:
        nodes = self.tree.nodes
        refuted = sum(node.ended_by == LOOK_AHEAD for node in nodes)
        split = {
            "cubes": self._leaves.num_first,
            "probes": self._ground.num_probes,
            LOOK_AHEAD: refuted,
        }
        found = {"engine": self.engine, **self._counts}
        return [
            Stage("split", self._seconds["split"], 0, split),
            Stage("cubes", self._seconds["cubes"], decided, found),
        ]

    def _call(self, cube: Cube, budget: int) -> Call:
        """What a process has to do with a cube, given all solutions that are known by now."""
        known, most = tuple(self._seen), self._options.max_solutions
        wanted = MOST_AT_ONCE if most is None else max(1, min(MOST_AT_ONCE, most - len(known)))
        asked = Part(self._puzzle, self._options, cube, known, wanted, budget, not known)
        return Call(part.decide, (asked,))

    def _took(self, leaf: int, outcome: Outcome) -> Iterator[bytes]:
        """What the end of a leaf's work means."""
        if outcome.cube != self.tree.cube(leaf):
            raise BackendError(f"a process has decided another cube than that of node {leaf}")
        if self._kept and not outcome.is_full:
            self._keep(leaf, outcome)
        yield from outcome.solutions
        self._counts["conflicts"] += outcome.conflicts
        if outcome.is_full:
            self._leaves.again(leaf)
        elif outcome.ended_by:
            node = self.tree.nodes[leaf]
            node.ended_by, node.conflicts = outcome.ended_by, outcome.conflicts
            self._counts["cubes"] += 1
            self._leaves.end(leaf)
        else:
            self._counts["split again"] += 1
            self._leaves.split(leaf)

    def _keep(self, leaf: int, outcome: Outcome) -> None:
        """Write an outcome down, unless it was read."""
        assert self._kept is not None
        budget = self._leaves.budget(leaf)
        if self._kept.outcome(outcome.cube, budget) is None:
            known = inside(self._seen, outcome.cube)
            self._kept.keep(outcome, budget, dict.fromkeys((*known, *outcome.solutions)))
