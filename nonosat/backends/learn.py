"""Native learning search as a backend: conflict-driven clause learning on the encoded puzzle.

`learn-lines` also solves each line by the native line propagator after unit propagation (lazy
clause generation: Ohrimenko, Stuckey, Codish 2009); learnt clauses may contain the order variables
of an encoding. `learn` uses the clauses alone.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from copy import copy
from itertools import chain

from nonosat import _core
from nonosat.clauses.sinks import Batching
from nonosat.core.errors import LimitReached, UnsupportedError
from nonosat.core.limits import Watch
from nonosat.core.model import Line, Loop
from nonosat.core.plugins import Answer, Backend, Engine

_BATCH = 2**16  # buffered literals: a millisecond of native work
_MOST_VERTICES = 2**22  # vertices of a loop that is followed
_ANSWERS = {
    _core.Answer.SAT: Answer.SAT,
    _core.Answer.UNSAT: Answer.UNSAT,
    _core.Answer.UNKNOWN: Answer.UNKNOWN,
    None: Answer.UNKNOWN,
}


class LearningEngine(Batching, Engine):
    """Engine of `learn` and `learn-lines`.

    Args:
        num_vars: Variables of the model.
        seed: Seed of the order of the first decisions.
        with_proof: True if `proof` will be called.
    """

    label = "learn"

    def __init__(self, num_vars: int, seed: int, with_proof: bool = False) -> None:
        super().__init__(num_vars, most=_BATCH)
        self._seed = seed
        self._learner = _core.Learner(seed % 2**64)
        if with_proof:
            self._learner.keep_proof()
        self._with_proof = with_proof
        self._learner.new_vars(num_vars)
        self._values = b""
        self._is_interrupted = False

    def new_vars(self, count: int) -> int:
        self._learner.new_vars(count)
        return super().new_vars(count)

    def _flush(self) -> None:
        self._learner.add_clauses(self.take())

    def follow(self, loop: Loop) -> None:
        """Propagate a loop in the plane: rule out edges that would close a path too early.

        Ignored if a proof is written, because its steps must follow from the clauses alone.
        """
        edges = array("i", chain.from_iterable(loop.edges))
        lits = edges[2::3]
        if self._with_proof or not loop.faces or loop.num_vertices > _MOST_VERTICES:
            return
        if min(lits) > 0 and max(lits) <= self.num_vars and len({*lits}) == len(lits):
            self._learner.follow_loop(edges)

    def set_phases(self, lits: Sequence[int]) -> bool:
        """Set permanent phases, which phase saving does not change."""
        self._learner.set_phases(list(lits))
        return True

    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        """Decide satisfiability; UNKNOWN after a limit, `interrupt` or the budget of conflicts."""
        if self._with_proof and assumptions:
            raise UnsupportedError("learn proves nothing under assumptions; add them as clauses")
        self._flush()
        try:
            watch.reserve(self._learner.packing_bytes())
        except LimitReached:
            self._is_interrupted = False
            return Answer.UNKNOWN

        def poll() -> bool:
            return self._is_interrupted or watch.poll()

        found = self._learner.solve(list(assumptions), budget, watch.remaining_s(), poll)
        self._is_interrupted = False
        self._values = self._learner.values() if found == _core.Answer.SAT else b""
        return _ANSWERS[found]

    def look_ahead(
        self,
        cube: Sequence[int],
        candidates: Sequence[int],
        most: int,
        budget: int,
        watch: Watch,
    ) -> tuple[bool, list[int], int, int] | None:
        """Choose variables to branch on below a cube, by propagating their literals.

        Returns:
            True if the cube is refuted; at most `most` literals of `candidates`, the best to branch
            on first; number of open variables; number of literals tried. None if the watch ended
            the call.
        """
        self._flush()
        return self._learner.look_ahead(
            cube, candidates, most, budget, watch.remaining_s(), watch.poll
        )

    def values(self) -> bytes:
        return self._values

    def failed(self) -> list[int]:
        """Return the failed assumptions after UNSAT, not necessarily minimal.

        Call it before further clauses are added: lines generate their explanations here.
        """
        return self._learner.failed()

    def lead(self, most: int, *, is_prompt: bool) -> _core.Exchange:
        """Become the first worker of a team that shares learnt clauses.

        Args:
            most: Maximum number of workers.
            is_prompt: True to pass on each clause immediately. Otherwise clauses are passed on only
                when all workers pause, and the team is deterministic.
        """
        exchange = _core.Exchange(most, self.num_vars, is_prompt)
        self._learner.join(exchange, 0)
        return exchange

    def recruit(self, exchange: _core.Exchange, number: int) -> LearningEngine:
        """Return a copy of this engine that joins its team as worker `number`."""
        self._flush()
        made = copy(self)
        made.buffer = array("i")
        made._learner = self._learner.twin((self._seed + number) % 2**64)
        made._learner.join(exchange, number)
        return made

    def statistics(self) -> dict[str, int]:
        return self._learner.statistics

    def proof(self) -> bytes:
        """Return a refutation of the clauses after UNSAT, DRAT in text; available once."""
        return self._learner.take_proof()

    def interrupt(self) -> None:
        """End the running `solve`, or else the next one."""
        self._is_interrupted = True


class LineEngine(LearningEngine):
    """A learning search with line propagators."""

    def observe(self, line: Line) -> None:
        """Propagate a line by the native line propagator, in addition to its clauses."""
        self._learner.add_line(line.cells, line.clue, list(line.filled))


def open_engine(name: str, num_vars: int, seed: int, options: dict[str, str]) -> LearningEngine:
    """Return a fresh engine; with the option {"proof": "yes"} it writes a proof.

    The seed determines the variables of the first decisions; with seed 0 all variables have equal
    scores.
    """
    engine = LineEngine if name == "learn-lines" else LearningEngine
    return engine(num_vars, seed, options.get("proof") == "yes")


def _backend(summary: str) -> Backend:
    return Backend(
        summary=summary,
        needs="nothing",
        open_engine=open_engine,
        in_process=True,
        proves=True,
        explains=True,
        has_teams=True,
    )


PLUGINS = {
    "learn": _backend(
        "native learning search: phases, budgets of conflicts, proof, seed; this process"
    ),
    "learn-lines": _backend("learn with exact propagation of lines in addition to their clauses"),
}
