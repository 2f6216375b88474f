"""Choco: constraint programming with restarts and weighted degrees, without learning.

With `--encoding line=native` a line is Choco's `regular` constraint. Choco solves a model once:
every solve makes it anew, with assumptions as constraints.

Source: Prud'homme, Fages, "Choco-solver: a Java library for constraint programming" (JOSS 2022);
Pesant, "A regular language membership constraint for finite sequences of variables" (CP 2004).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nonosat.backends._packages import imported
from nonosat.board.automaton import automaton
from nonosat.clauses.cnf import split
from nonosat.clauses.counts import counted
from nonosat.clauses.sinks import Buffer
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import Watch
from nonosat.core.model import FALSE, TRUE, Constraint, Count, Line
from nonosat.core.plugins import Answer, Backend, Engine


class ChocoEngine(Buffer, Engine):
    """Constraints of which each solve makes a model.

    Args:
        num_vars: Variables of the model.
    """

    label = "choco"

    def __init__(self, num_vars: int) -> None:
        super().__init__(num_vars)
        self._choco = imported("choco", "pychoco", "pychoco")
        self._counts: list[tuple[Sequence[int], int, int]] = []
        self._lines: list[Line] = []
        self._values = b""

    def constrain(self, constraint: Constraint) -> None:
        if isinstance(constraint, Line):
            self._lines.append(constraint)
        elif not isinstance(constraint, Count):
            super().constrain(constraint)
        elif bounds := counted(constraint, self):
            self._counts.append(bounds)

    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        """Decide satisfiability; it has no budget."""
        del watch  # Choco is not interrupted: it runs in a child process
        if budget is not None:
            raise UnsupportedError("choco keeps to no budget of conflicts")
        self._values = b""
        clauses = [*split(self.buffer), *([lit] for lit in assumptions)]
        if not all(clauses) or any(not automaton(line)[1] for line in self._lines):
            return Answer.UNSAT
        model = self._choco.Model()
        booleans = [model.boolvar(False), *model.boolvars(self.num_vars)]
        writer = _Writer(self._choco, model, booleans)
        for clause in clauses:
            writer.add_clause(clause)
        for count in self._counts:
            writer.add_count(*count)
        for line in self._lines:
            writer.add_line(line)
        if not model.get_solver().solve():
            return Answer.UNSAT
        self._values = bytes(int(one.get_value()) for one in booleans)
        return Answer.SAT

    def values(self) -> bytes:
        return self._values


class _Writer:
    """Writer of constraints into a model.

    Args:
        choco: The package.
        model: The model.
        booleans: Its variables; booleans[0] is false.
    """

    def __init__(self, choco: Any, model: Any, booleans: Sequence[Any]) -> None:
        self._choco, self._model, self._booleans = choco, model, booleans
        self._true = model.boolvar(True)

    def _literal(self, lit: int) -> Any:
        if lit in (TRUE, FALSE):
            return self._true if lit == TRUE else self._booleans[0]
        return self._booleans[lit] if lit > 0 else self._model.bool_not_view(self._booleans[-lit])

    def add_clause(self, lits: Sequence[int]) -> None:
        known = set(lits)
        if not any(-lit in known for lit in known):
            true = [self._booleans[lit] for lit in known if lit > 0]
            false = [self._booleans[-lit] for lit in known if lit < 0]
            self._model.add_clauses(true, false)

    def add_count(self, lits: Sequence[int], lower: int, upper: int) -> None:
        literals = [self._literal(lit) for lit in lits]
        if lower > 0:
            self._model.sum(literals, ">=", lower).post()
        if upper < len(literals):
            self._model.sum(literals, "<=", upper).post()

    def add_line(self, line: Line) -> None:
        """Add a line that has fillings."""
        transitions, finals = automaton(line)
        states = self._choco.FiniteAutomaton()
        used = {0, *finals, *(state for one in transitions for state in (one[0], one[2]))}
        number = {state: states.add_state() for state in sorted(used)}
        states.set_initial_state(number[0])
        states.set_final(*(number[state] for state in finals))
        for state, value, following in transitions:
            states.add_transition(number[state], number[following], value)
        columns = enumerate(zip(*line.cells, strict=True))
        cells = [self._cell(lits, place in line.filled) for place, lits in columns]
        self._model.regular(cells, states).post()

    def _cell(self, lits: Sequence[int], is_filled: bool) -> Any:
        """Return the integer of a cell: 0, or the colour whose literal is true."""
        cell = self._model.intvar(int(is_filled), len(lits))
        empty = self._model.boolvar()
        literals = [empty, *map(self._literal, lits)]
        self._model.bools_int_channeling(literals, cell, 0).post()
        return cell


def open_engine(name: str, num_vars: int, seed: int, options: dict[str, str]) -> ChocoEngine:
    """Return fresh constraints; there are no options, and Choco's search is not random."""
    del name, seed, options
    return ChocoEngine(num_vars)


PLUGIN = Backend(
    summary="Choco: constraint programming; counts, lines by its `regular`; restarted for every "
    "solution",
    needs="pychoco",
    open_engine=open_engine,
    native=frozenset({Count, Line}),
)
