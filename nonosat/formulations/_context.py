"""A CP-SAT model under construction, shared by its formulations, and clauses in it.

Invariant: every variable made here or by a formulation is determined by the model's literals, so
solutions may be counted without projection. OR-Tools is imported when a context is made.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from nonosat.clauses import ENCODINGS, foreign
from nonosat.clauses.cnf import split
from nonosat.clauses.sinks import SinkBase
from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import polled
from nonosat.core.model import FALSE, TRUE
from nonosat.core.plugins import Formulation


class Context:
    """A CP-SAT model under construction.

    Attributes:
        model: The `CpModel`.
        variables: variables[v] is the Boolean of the model's variable v; variables[0] is constant
            0.
        children: Child processes that run encodings of other packages.
    """

    def __init__(self, num_vars: int) -> None:
        """Make an empty model over the variables 1 .. num_vars."""
        from ortools.sat.python import cp_model

        self._domain_of = cp_model.Domain.from_values
        self.model = cp_model.CpModel()
        self.variables = [self.model.new_constant(0)]
        self.variables += [self.model.new_bool_var(f"x{v}") for v in polled(range(1, num_vars + 1))]
        self._constants = {TRUE: self.model.new_constant(1), FALSE: self.variables[0]}
        self.children: foreign.Children = {}
        self._cells: dict[tuple[int, ...], Any] = {}

    def literal(self, lit: int) -> Any:
        """Return the CP-SAT literal of a model literal or constant."""
        if lit in self._constants:
            return self._constants[lit]
        return self.variables[lit] if lit > 0 else ~self.variables[-lit]

    def cell(self, lits: tuple[int, ...]) -> Any:
        """Return an expression for a cell's value: 0 empty, k when its k-th literal is true.

        If several colours are possible it is an integer variable, the same one for the same
        literals, and the constraint that the cell has at most one colour is added.
        """
        expression = self._cells.get(lits)
        if expression is None:
            expression = self._cells[lits] = self._make_cell(lits)
        return expression

    def _make_cell(self, lits: tuple[int, ...]) -> Any:
        colours = [(colour, lit) for colour, lit in enumerate(lits, start=1) if lit != FALSE]
        if len(colours) < 2:
            return sum(colour * self.literal(lit) for colour, lit in colours)
        value = self.integer([0, *(colour for colour, _ in colours)])
        for colour, lit in colours:
            self.model.add(value == colour).only_enforce_if(self.literal(lit))
            self.model.add(value != colour).only_enforce_if(~self.literal(lit))
        return value

    def integer(self, values: Iterable[int]) -> Any:
        """Return an integer variable with these values; the plain number if there is only one."""
        values = list(values)
        if len(values) == 1:
            return values[0]
        return self.model.new_int_var_from_domain(self._domain_of(values), "")

    def tie(self, literal: Any, expression: Any, inside: list[int], outside: list[int]) -> None:
        """Make a CP-SAT literal true exactly when the expression has a value of `inside`.

        Args:
            literal: A CP-SAT literal.
            expression: An integer expression.
            inside: The values that make the literal true.
            outside: The other values of the expression.
        """
        for values, condition in ((inside, literal), (outside, ~literal)):
            if values:
                self.model.add_linear_expression_in_domain(
                    expression, self._domain_of(values)
                ).only_enforce_if(condition)
            else:
                self.model.add_bool_and([~condition])


class CpClauseSink(SinkBase):
    """A sink whose clauses become Boolean constraints, so that any encoding can write into it.

    Its own variables are numbered after those of the model; two sinks over one context never share
    any. A clause costs 2 us.

    Attributes:
        own: Its own Booleans, the first of them numbered after the model's variables.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._first = len(context.variables)
        self.own: list[Any] = []

    def literal(self, lit: int) -> Any:
        """Return the CP-SAT literal of an own variable, a model variable or a constant."""
        place = abs(lit) - self._first
        if 0 <= place < len(self.own):
            return self.own[place] if lit > 0 else ~self.own[place]
        return self._context.literal(lit)

    def new_vars(self, count: int) -> int:
        first = self._first + len(self.own)
        self.own += [self._context.model.new_bool_var("") for _ in range(count)]
        return first

    def add(self, clause: Sequence[int]) -> None:
        self._context.model.add_bool_or([self.literal(lit) for lit in clause])

    def add_batch(self, clauses: array[int]) -> None:
        for clause in split(clauses):
            self.add(clause)


def booleans(kind: str, name: str = "") -> Formulation:
    """Return the formulation `booleans` of a constraint kind.

    Args:
        kind: Name of the kind as in the names of encodings: "line".
        name: Name of the encoding; the default one if empty.
    """

    def of(argument: str) -> Formulation:
        plugins.find("encodings", f"{kind}-{argument}")
        return booleans(kind, argument)

    return Formulation(
        summary="the clauses of an encoding; booleans:NAME for another than the default one",
        source="that of the encoding",
        formulate=partial(_add_encoded, f"{kind}-{name or ENCODINGS[kind]}"),
        with_argument=of,
    )


def _add_encoded(encoding: str, constraint: Any, context: Context) -> None:
    """Add a constraint as the clauses of an encoding.

    Raises:
        UnsupportedError: The encoding is lazy: it returns a refiner.
        BackendError: A third-party encoding added an invalid clause or an undeclared variable.
    """
    num_vars, sink = len(context.variables) - 1, CpClauseSink(context)
    if foreign.encode(encoding, constraint, sink, num_vars, context.children) is not None:
        raise UnsupportedError(
            f"the encoding {encoding} adds clauses to what an engine answers, which cannot be done "
            "with CP-SAT; use another one"
        )
