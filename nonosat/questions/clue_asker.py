"""An engine that knows the rules of a puzzle, and each of some clues behind a literal.

A clue holds where its literal is assumed. So an UNSAT answer names the clues that it rests on.
Solutions are decoded, and verified against the clues that were assumed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from nonosat.core.families import family_of
from nonosat.core.plugins import Answer, Clues, PlacedClue, Puzzle
from nonosat.core.result import Options
from nonosat.questions.facts import told_apart_by
from nonosat.solving.findings import Findings
from nonosat.solving.live import LiveModel

if TYPE_CHECKING:
    from nonosat.core.limits import Watch

ENGINE = "learn"  # keeps what it has learnt while cuts are added, in this process


class ClueAsker:
    """The rules of a puzzle, and some clues.

    Args:
        puzzle: Its family says what a clue is in `clauses`, and which ones a solution has.
        clues: All that can be assumed, each once.
        watch: Ends every question.

    Attributes:
        lits: By clue, in order.
    """

    def __init__(self, puzzle: Puzzle, clues: Sequence[PlacedClue], watch: Watch) -> None:
        self._puzzle, self._watch = puzzle, watch
        self._family = family_of(puzzle)
        self._clues = clues_of(puzzle)
        model = self._family.build(self._clues.with_only(puzzle, ()))
        self._model = model
        self.lits = {clue: lit for lit, clue in enumerate(clues, model.num_vars + 1)}
        self._clue_of = {lit: clue for clue, lit in self.lits.items()}
        self._asked: list[int] = []
        options = Options(backend=ENGINE, encoding=dict(self._family.encodings))
        self._live = LiveModel(model.num_vars, options, watch)
        try:
            self._live.tell(model)
            self._live.grow(model.num_vars + len(clues))
            self._say_clues()
        except BaseException:
            self.close()
            raise

    def _say_clues(self) -> None:
        """The clauses of each clue hold where its literal does."""
        say = self._clues.clauses
        assert say is not None
        for clue, lit in self.lits.items():
            self._watch.check()
            for clause in say(self._puzzle, clue):
                self._live.forbid([lit, *(-other for other in clause)])

    @property
    def work(self) -> int:
        """What all questions so far have cost, in propagations."""
        return int(self._live.statistics().get("propagations", 0))

    def ask(self, assumptions: Sequence[int], budget: int | None = None) -> Answer:
        """Whether there is a solution under these literals; UNKNOWN after `budget` conflicts.

        Raises:
            LimitReached: The watch ended it.
        """
        self._watch.check()
        self._asked = list(assumptions)
        answer = self._live.ask(self._asked, self._watch, budget)
        if answer is Answer.UNKNOWN:
            self._watch.check()
        return answer

    def solution(self) -> Any:
        """After SAT: the verified solution.

        Raises:
            RefutedError: It has not all clues that were assumed.
        """
        values = self._live.values().data[: self._model.num_vars + 1]
        chosen = self.clues_of(self._asked)
        log = Findings(self._clues.with_only(self._puzzle, chosen), self._family)
        return log.decoded(self._live.suspects, values)

    def leave_out(self) -> None:
        """After SAT: the solution is none from now on."""
        values = self._live.values()
        self._live.forbid([var if values[var] else -var for var in told_apart_by(self._model)])

    def held(self) -> set[int]:
        """After SAT: the literals of all clues that the solution has."""
        assert self._clues.shown is not None
        shown = self._clues.shown(self._puzzle, self.solution())
        return {self.lits[clue] for clue in shown if clue in self.lits}

    def blamed(self) -> set[int]:
        """After UNSAT: assumptions that cannot hold together."""
        return set(self._live.failed(self._asked))

    def clues_of(self, lits: Iterable[int]) -> list[PlacedClue]:
        """The clues among some literals, in the order of all."""
        return [self._clue_of[lit] for lit in sorted(lits) if lit in self._clue_of]

    def one_of(self, lits: Sequence[int]) -> int:
        """A literal under which one of these holds."""
        self._live.grow(self._live.num_vars + 1)
        guard = self._live.num_vars
        self._live.forbid([guard, *(-lit for lit in lits)])
        return guard

    def tell(self, lits: Iterable[int]) -> None:
        """These hold from now on."""
        for lit in lits:
            self._live.forbid([-lit])

    def close(self) -> None:
        """Free the engine."""
        self._live.close()


def clues_of(puzzle: Puzzle) -> Clues:
    """What the family of a puzzle that has clues says of them."""
    clues = family_of(puzzle).clues
    assert clues is not None
    return clues
