"""Pumpkin: constraint programming with lazy clause generation.

With `--encoding line=native` a line is its automaton: a table for each cell, over the states before
and after it. Tables that share single variables in a row propagate completely.

Source: Flippo, Sidorov, Marijnissen, Smits, Demirovic, "A multi-stage proof logging framework to
certify the correctness of CP solvers" (CP 2024); Quimper, Walsh, "Global grammar constraints" (CP
2006), for automata by tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


class PumpkinEngine(Buffer, Engine):
    """A constraint model that grows between its solves.

    Args:
        num_vars: Variables of the model.
        seed: For the order of decisions; 0 keeps the default.
    """

    label = "pumpkin"

    def __init__(self, num_vars: int, seed: int) -> None:
        super().__init__(num_vars)
        self._pumpkin = imported("pumpkin", "pumpkin_solver", "pumpkin-solver")
        self._kinds = imported("pumpkin", "pumpkin_solver.constraints", "pumpkin-solver")
        self._model = self._pumpkin.Model(**({"seed": seed % 2**64} if seed else {}))
        self._booleans: list[Any] = [None]  # by variable
        self._waiting: list[Constraint] = []
        self._is_refuted = False  # it takes no constraints after that
        self._values = b""
        self._failed: list[int] = []

    def constrain(self, constraint: Constraint) -> None:
        if isinstance(constraint, Count | Line):
            self._waiting.append(constraint)
        else:
            super().constrain(constraint)

    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        """Decide satisfiability; it has no budget."""
        del watch  # Pumpkin is not interrupted: it runs in a child process
        if budget is not None:
            raise UnsupportedError("pumpkin keeps to no budget of conflicts")
        self._values, self._failed = b"", []
        self._flush()
        if self._is_over():
            return Answer.UNSAT
        if opposite := [lit for lit in assumptions if -lit in assumptions]:
            self._failed = opposite  # Pumpkin aborts the process
            return Answer.UNSAT
        assumed = {self._predicate(lit): lit for lit in assumptions}
        if assumed:
            found = self._model.satisfy_under_assumptions([*assumed])
            outcomes = self._pumpkin.SatisfactionUnderAssumptionsResult
        else:
            found = self._model.satisfy()
            outcomes = self._pumpkin.SatisfactionResult
        if isinstance(found, outcomes.Satisfiable):
            values = (found._0.bool_value(one) for one in self._booleans[1:])
            self._values = b"\0" + bytes(values)
            return Answer.SAT
        if isinstance(found, outcomes.Unknown):
            return Answer.UNKNOWN
        if isinstance(found, outcomes.Unsatisfiable):
            self._is_refuted = True
        else:
            self._failed = [assumed[predicate] for predicate in found._0]
        return Answer.UNSAT

    def values(self) -> bytes:
        return self._values

    def failed(self) -> list[int]:
        """Return the failed assumptions after UNSAT, not necessarily minimal."""
        return self._failed

    def _literal(self, lit: int) -> Any:
        return self._booleans[lit] if lit > 0 else self._booleans[-lit].negate()

    def _predicate(self, lit: int) -> Any:
        comparator = self._pumpkin.Comparator.GreaterThanOrEqual
        return self._pumpkin.Predicate(self._literal(lit).as_integer(), comparator, 1)

    def _flush(self) -> None:
        """Add new variables and constraints to the model."""
        waiting, self._waiting = self._waiting, []
        bounds = [counted(one, self) for one in waiting if isinstance(one, Count)]
        while len(self._booleans) <= self.num_vars and not self._is_over():
            self._booleans.append(self._model.new_boolean_variable())
        for clause in split(self.take()):
            if not self._is_over():
                self._post("Clause", [self._literal(lit) for lit in clause])
        if self._is_over():
            return
        for count in filter(None, bounds):
            for lits, _, upper in (count, count.of_false()):
                terms = [self._literal(lit).as_integer() for lit in lits]
                self._post("LessThanOrEquals", terms, upper)
        for line in waiting:
            if isinstance(line, Line):
                self._add_line(line)

    def _post(self, kind: str, *arguments: Any) -> None:
        """Post a constraint; Pumpkin takes no empty clause."""
        is_empty = kind == "Clause" and not arguments[0]
        if is_empty:
            self._is_refuted = True
        if self._is_over():
            return
        tag = self._model.new_constraint_tag()
        self._model.add_constraint(getattr(self._kinds, kind)(*arguments, tag))

    def _is_over(self) -> bool:
        """Return True after a contradiction: Pumpkin takes no variables and constraints then."""
        self._is_refuted = self._is_refuted or self._model.is_inconsistent()
        return self._is_refuted

    def _add_line(self, line: Line) -> None:
        if self._is_over():
            return
        transitions, finals = automaton(line)
        states = {0}
        before = self._model.new_integer_variable(0, 0)
        for place, lits in enumerate(zip(*line.cells, strict=True)):
            is_last = place == len(line) - 1
            rows = [
                (state, *bits, following)
                for state, value, following in transitions
                if state in states and not (is_last and following not in finals)
                for bits in _bits(lits, value, place in line.filled)
            ]
            if not rows:
                self._is_refuted = True
            if self._is_over():
                return
            states = {row[-1] for row in rows}
            after = self._model.new_integer_variable(min(states), max(states))
            cells = [self._literal(lit).as_integer() for lit in lits if lit not in (TRUE, FALSE)]
            self._post("Table", [before, *cells, after], [list(row) for row in rows])
            before = after


def _bits(lits: Sequence[int], value: int, is_filled: bool) -> Iterator[list[int]]:
    """Yield the values of a cell's literals, without constants, if it can have a value."""
    pairs = [(lit, int(colour == value)) for colour, lit in enumerate(lits, start=1)]
    is_impossible = any(pair in ((TRUE, 0), (FALSE, 1)) for pair in pairs)
    if not (is_impossible or (is_filled and not value)):
        yield [bit for lit, bit in pairs if lit not in (TRUE, FALSE)]


def open_engine(name: str, num_vars: int, seed: int, options: dict[str, str]) -> PumpkinEngine:
    """Return a fresh model; there are no options."""
    del name, options
    return PumpkinEngine(num_vars, seed)


PLUGIN = Backend(
    summary="Pumpkin: lazy clause generation; counts, lines as automata, seed",
    needs="pumpkin-solver",
    open_engine=open_engine,
    native=frozenset({Count, Line}),
    explains=True,
)
