"""Solutions of one puzzle, found cube by cube in processes that can be killed.

Invariant: after the end of `solutions`, every leaf of the tree is decided, and every solution has
been yielded.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, nullcontext
from functools import partial
from hashlib import sha256
from time import perf_counter
from typing import Any

from nonosat.board.presolve import PresolvedModel
from nonosat.core.errors import BackendError, FormatError, Remedy, UnsupportedError
from nonosat.core.result import Stage
from nonosat.processes.journal import Journal, read, removal
from nonosat.processes.tools import Call
from nonosat.processes.worker import serve
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.solving.cubes import part
from nonosat.solving.cubes.cover import claimed
from nonosat.solving.cubes.grounds import ground_of
from nonosat.solving.cubes.leaves import Leaves
from nonosat.solving.cubes.part import CubeOutcome, CubeTask
from nonosat.solving.cubes.terms import CellTerms, Terms, VariableTerms
from nonosat.solving.cubes.tree import LOOK_AHEAD, Branch, Cube, inside
from nonosat.solving.problem import Problem
from nonosat.solving.session import Session

# Record of the cubes of one puzzle in a file, from which a later call continues.
#
# The tree of cubes depends only on the puzzle and the options, so that a later call meets the same
# cubes and budgets. Invariant: a recorded cube has all its solutions with it, also those known
# before; a cube whose process was stopped by the number of solutions is not recorded. The file is a
# journal (`processes/journal.py`): a header, then a line for each cube.
#
# | key of a header | meaning |
# |---|---|
# | kind, schema | "header", 2 |
# | puzzle_sha256 | hash of the puzzle without metadata |
# | options | options that the tree and the answers depend on |
#
# | key of a cube | meaning |
# |---|---|
# | kind | "cube" |
# | cube | branching literals, of the model's variables, with their truth values |
# | budget | limit of conflicts |
# | ended_by | engine or step that refuted the rest of it; "" if it used up its budget |
# | conflicts | number of conflicts |
# | solutions | solutions in the cube, a character for each variable of the model |


SCHEMA = 2
_COMPARED = ("cubes", "backend", "encoding", "seed", "hints", "presolve", "redundant")


class CubeJournal:
    """The recorded cubes of one puzzle; a context manager that holds the file open.

    Args:
        path: The file; made if there is none.
        problem: The puzzle, with a journal among its options.

    Raises:
        UnsupportedError: On opening: the file has cubes and `resume` is not set, or they belong to
            another puzzle or to other options; another process writes to it.
        FormatError: On opening: the file is of another kind.
    """

    def __init__(self, path: str, problem: Problem) -> None:
        self._path = path
        self._problem = problem
        self._num_vars = problem.model.num_vars
        self._journal = Journal(path)
        self._header = _header(problem)
        self._resume = problem.options.resume
        self._known: dict[tuple[Cube, int], CubeOutcome] = {}

    def __enter__(self) -> CubeJournal:
        self._journal.__enter__()
        try:
            self._read()
        except BaseException:
            self._journal.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.__exit__()

    def outcome(self, cube: Cube, budget: int) -> CubeOutcome | None:
        """Return the recorded outcome of a cube under a budget, or None."""
        return self._known.get((cube, budget))

    def keep(self, outcome: CubeOutcome, budget: int, solutions: Iterable[bytes]) -> None:
        """Record the outcome of a cube; it is on the disk when this returns.

        Args:
            outcome: The outcome, not stopped by the number of solutions.
            budget: Budget of the cube.
            solutions: Values of all known solutions in the cube.
        """
        record = {
            "kind": "cube",
            "cube": [list(side) for side in outcome.cube],
            "budget": budget,
            "ended_by": outcome.ended_by,
            "conflicts": outcome.conflicts,
            "solutions": ["".join(map(str, values[1:])) for values in solutions],
        }
        self._journal.append([record])

    def _read(self) -> None:
        """Read the file's contents, or write its header."""
        if self._journal.is_new:
            self._journal.append([self._header])
            return
        if not self._resume:
            raise UnsupportedError(
                f"{self._path} has cubes already; choose another file, or resume them",
                remedy=Remedy("set", "resume", ("True",)),
            )
        for number, record in enumerate(read(self._path, removal), start=1):
            if number == 1:
                self._check(record)
                continue
            try:
                outcome, budget = self._outcome(record)
            except (IndexError, KeyError, TypeError, ValueError) as error:
                what = f"this is not a record of a cube; {removal(self._path, number)}"
                raise FormatError(what, path=self._path, line=number) from error
            self._known[outcome.cube, budget] = outcome

    def _check(self, header: dict[str, Any]) -> None:
        """Raise an error if the file belongs to another puzzle or to other options."""
        if header.get("kind") != "header" or "puzzle_sha256" not in header:
            what = "this file is no journal of cubes; choose another one"
            raise FormatError(what, path=self._path, line=1)
        if header.get("schema") != SCHEMA:
            raise UnsupportedError(
                f"{self._path} was written by another version of nonosat; choose another file"
            )
        if header["puzzle_sha256"] != self._header["puzzle_sha256"]:
            raise UnsupportedError(f"{self._path} has cubes of another puzzle; choose another file")
        if header != self._header:
            before, now = header.get("options"), self._header["options"]
            raise UnsupportedError(
                f"{self._path} has cubes under the options {json.dumps(before)}, now they are "
                f"{json.dumps(now)}; use the same, or choose another file"
            )

    def _outcome(self, record: dict[str, Any]) -> tuple[CubeOutcome, int]:
        """Return an outcome with its budget; raise ValueError or the like for malformed data."""
        family, puzzle = self._problem.family, self._problem.puzzle
        cube = tuple(Branch(int(lit), bool(holds)) for lit, holds in record["cube"])
        solutions = []
        for text in record["solutions"]:
            if len(text) != self._num_vars:
                raise ValueError(f"{len(text)} values, expected {self._num_vars}")
            solutions.append(bytes([0, *map("01".index, text)]))
            solution = family.decode(puzzle, solutions[-1])
            if mistake := family.refutation(puzzle, solution):
                raise ValueError(mistake)
        ended_by, conflicts = str(record["ended_by"]), int(record["conflicts"])
        return CubeOutcome(cube, tuple(solutions), ended_by, conflicts), int(record["budget"])


def _header(problem: Problem) -> dict[str, Any]:
    data = problem.family.to_data(problem.puzzle)
    requested = problem.options.to_data()
    return {
        "kind": "header",
        "schema": SCHEMA,
        "puzzle_sha256": sha256(json.dumps(data, sort_keys=True).encode()).hexdigest(),
        "options": {name: requested[name] for name in _COMPARED},
    }


def journal_of(problem: Problem) -> CubeJournal | nullcontext[None]:
    """Return the journal that the options of a problem name, not yet open; else a null context."""
    path = problem.options.journal
    return nullcontext() if path is None else CubeJournal(path, problem)


MOST_AT_ONCE = 100  # solutions that a process may buffer


class CubeSearch:
    """The search for the solutions of one puzzle by cubes.

    Args:
        problem: A puzzle of any family, with `cubes` among its options. The watch limits all work;
            its memory limit holds for each process.
        kept: The open journal, if there is one.
        session: The engine that has searched the whole puzzle, if any: processes that are copies of
            this one continue with it.

    Attributes:
        tree: The branches, and the states of the leaves.
        engine: Engine that decides the cubes.
    """

    def __init__(
        self, problem: Problem, kept: CubeJournal | None, session: Session | None = None
    ) -> None:
        options, watch = problem.options, problem.watch
        self._watch = watch
        assert options.cubes is not None
        self._problem = problem
        self._puzzle = problem.puzzle
        self._options = options
        self._seen: Sequence[bytes] = ()
        self.engine = part.engine_of(options)
        self._counts = dict.fromkeys(("cubes", "conflicts", "split again"), 0)
        self._seconds = {"split": 0.0, "cubes": 0.0}
        started = perf_counter()
        task = PresolvedModel.of(
            problem.model, watch.check
        )  # trees depend only on the puzzle and the options
        self._ground = ground_of(task, problem.choices.encodings, watch)
        self._num_vars = problem.model.num_vars
        self._kept = kept
        known = self._kept.outcome if self._kept else lambda _cube, _budget: None
        served = partial(part.serve_with, session, tuple(problem.log.values)) if session else serve
        self._leaves = Leaves(
            self._ground, options.cubes, self._call, watch, known=known, serve=served
        )
        self.tree = self._leaves.tree
        self._seconds["split"] = perf_counter() - started

    def solutions(
        self, seen: Sequence[bytes], stages: list[Stage], num_open: int
    ) -> Generator[bytes, None, None]:
        """Yield values of solutions as they are found; those of one cube are distinct.

        Args:
            seen: Values of all known solutions; read again after each solution.
            stages: List that receives the stage, after any kind of end.
            num_open: Cells that presolve has left; 0 without a board.

        Raises:
            LimitReached: A limit ended it.
            BackendError: A cube's process died twice.
        """
        self._seen, started = seen, perf_counter()
        run = self._leaves.outcomes(self._options.jobs, self._options.cluster)
        try:
            with closing(run) as ended:
                for number, (leaf, outcome) in enumerate(ended, start=1):
                    self._watch.doing("cubes", number, len(self.tree.nodes))
                    yield from self._took(leaf, outcome)
        finally:
            self._seconds["cubes"] += perf_counter() - started
            stages += self._stages(num_open if seen else 0)

    def covered(self, solutions: Sequence[bytes]) -> list[dict[str, Any]]:
        """Return the nodes of the finished tree, checked by independent code (`cubes.cover`).

        Args:
            solutions: All solutions of the puzzle, as values of the model.
        """
        nodes = self.tree.data(self._ground.named, solutions)
        terms: Terms = VariableTerms(self._num_vars)
        if isinstance(self._puzzle, Nonogram):
            terms, decode = CellTerms(self._puzzle), self._problem.family.decode
            solutions = [decode(self._puzzle, values).cells for values in solutions]
        claimed(terms, solutions, nodes)
        return nodes

    def last_word(self) -> str:
        """Name of the engine that decided cubes, or "look-ahead" if it refuted all of them."""
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
        """Return the call that decides a cube in a process, given all known solutions."""
        known, most = tuple(self._seen), self._options.max_solutions
        most_found = MOST_AT_ONCE if most is None else max(1, min(MOST_AT_ONCE, most - len(known)))
        requested = CubeTask(
            self._puzzle, self._options, cube, known, most_found, budget, not known
        )
        return Call(part.decide, (requested,))

    def _took(self, leaf: int, outcome: CubeOutcome) -> Iterator[bytes]:
        """Yield the new solutions of a leaf's outcome, and mark, repeat or split the leaf."""
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

    def _keep(self, leaf: int, outcome: CubeOutcome) -> None:
        """Record an outcome, unless it was read from the journal."""
        assert self._kept is not None
        budget = self._leaves.budget(leaf)
        if self._kept.outcome(outcome.cube, budget) is None:
            known = inside(self._seen, outcome.cube)
            self._kept.keep(outcome, budget, dict.fromkeys((*known, *outcome.solutions)))
