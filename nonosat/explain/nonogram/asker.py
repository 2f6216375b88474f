"""An engine that answers questions about a puzzle's cells under chosen lines.

The clauses of each line (order encoding) stand behind a selector: they hold where this literal is
assumed. So an UNSAT answer names the lines that it rests on.

The engine looks at a budget only when it restarts, and a single restart took 2 s on a 40x40 of two
colours with all lengths unknown. So it works in a child process, which a limit or Ctrl-C ends.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from nonosat.backends import open_backend
from nonosat.clauses.cnf import Cnf
from nonosat.clauses.translate import ENCODINGS
from nonosat.core import plugins
from nonosat.core.model import Line, Model
from nonosat.core.plugins import Answer
from nonosat.encodings import line_order
from nonosat.explain.nonogram.knowledge import Knowledge
from nonosat.explain.smallest import ENGINE, decided
from nonosat.puzzles import nonogram

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.puzzles.nonogram import Nonogram

_CHUNK = 1024  # clauses between two looks at the watch


class Asker:
    """The clues of a puzzle, each line behind a selector.

    Args:
        puzzle: The puzzle; its given cells always hold.
        watch: Ends every question.

    Attributes:
        selectors: By line.
    """

    def __init__(self, puzzle: Nonogram, watch: Watch) -> None:
        self._puzzle, self._watch = puzzle, watch
        self._size = puzzle.height * puzzle.width
        self._num_colours = len(puzzle.colours)
        model = nonogram.build(puzzle)
        known = Knowledge(puzzle)
        num_lines = len(known.clues)
        num_vars = model.num_vars + num_lines
        self.selectors = list(range(model.num_vars + 1, num_vars + 1))
        self._engine = open_backend(ENGINE, num_vars, 0, {}, watch)
        try:
            self._load(model)
        except BaseException:
            self._engine.close()
            raise

    def _load(self, model: Model) -> None:
        """Hand the clauses to the engine."""
        for count in model.counts:
            plugins.find("encodings", f"count-{ENCODINGS['count']}").encode(count, self._engine)
        for clause in model.clauses:
            self._engine.add(clause.lits)
        for line, selector in zip(model.lines, self.selectors, strict=True):
            self._watch.check()
            self._engine.add_batch(self._guarded(line, selector))

    def _guarded(self, line: Line, selector: int) -> array[int]:
        """The clauses of a line, none of which holds where the selector is false."""
        own = _Own(self._engine)
        line_order.encode(line, own)
        guarded = array("i")
        for number, clause in enumerate(own.cnf):
            if not number % _CHUNK:
                self._watch.check()
            guarded.extend((*clause, -selector, 0))
        return guarded

    # Literals

    def is_value(self, place: int, value: int) -> list[int]:
        """Literals all of which hold where the cell has the value."""
        colours = range(1, self._num_colours + 1)
        mine = [(k, 1 + (k - 1) * self._size + place) for k in colours]
        return [var for k, var in mine if k == value] if value else [-var for _, var in mine]

    def is_not(self, place: int, value: int) -> int:
        """A literal under which the cell does not have the value."""
        lits = [-lit for lit in self.is_value(place, value)]
        return lits[0] if len(lits) == 1 else self.one_of(lits)

    def one_of(self, lits: Sequence[int]) -> int:
        """A literal under which one of these holds."""
        guard: int = self._engine.new_var()
        self._engine.add([-guard, *lits])
        return guard

    def all_of(self, lits: Sequence[int]) -> int:
        """A literal under which all of these hold."""
        if len(lits) == 1:
            return lits[0]
        guard: int = self._engine.new_var()
        for lit in lits:
            self._engine.add([-guard, lit])
        return guard

    def tell(self, lits: Iterable[int]) -> None:
        """These hold from now on."""
        for lit in lits:
            self._engine.add([lit])

    # Questions

    def suggest(self, cells: bytes) -> None:
        """Prefer these values."""
        lits = [lit for place, value in enumerate(cells) for lit in self._is_rather(place, value)]
        self._engine.suggest(lits)

    def _is_rather(self, place: int, value: int) -> list[int]:
        lits = [1 + k * self._size + place for k in range(self._num_colours)]
        return [lit if k == value else -lit for k, lit in enumerate(lits, start=1)]

    def ask(self, assumptions: Sequence[int], budget: int | None = None) -> Answer:
        """Whether there is a solution under these literals; UNKNOWN after `budget` conflicts.

        Raises:
            LimitReached: The watch ended it.
        """
        return decided(self._engine, assumptions, self._watch, budget)

    def cells(self) -> bytes:
        """After SAT: one byte a place."""
        return nonogram.decode(self._puzzle, self._engine.values()).cells

    def blamed(self) -> set[int]:
        """After UNSAT: assumptions that cannot hold together."""
        return set(self._engine.failed())

    @property
    def work(self) -> int:
        """What all questions so far have cost, in propagations."""
        return int(self._engine.statistics().get("propagations", 0))

    def close(self) -> None:
        """Free the engine."""
        self._engine.close()


class _Own:
    """A sink with clauses of its own and variables of an engine."""

    def __init__(self, engine: plugins.Engine) -> None:
        self._engine = engine
        self.cnf = Cnf()

    def new_var(self) -> int:
        return self._engine.new_var()

    def new_vars(self, count: int) -> int:
        return self._engine.new_vars(count)

    def add(self, clause: Sequence[int]) -> None:
        self.cnf.add(clause)

    def add_batch(self, clauses: array[int]) -> None:
        self.cnf.add_batch(clauses)
