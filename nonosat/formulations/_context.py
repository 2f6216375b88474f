"""What the formulations of one model share: the CP-SAT model and its variables.

Invariant: every variable made here or by a formulation is determined by the model's literals, so
solutions may be counted without projection. OR-Tools is imported when a context is made.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nonosat.core.model import FALSE, TRUE


class Context:
    """A CP-SAT model under construction.

    Attributes:
        model: The `CpModel`.
        variables: variables[v] is the Boolean of the model's variable v; the constant 0 at 0.
    """

    def __init__(self, num_vars: int) -> None:
        """An empty model over the variables 1 .. num_vars."""
        from ortools.sat.python import cp_model

        self._domain_of = cp_model.Domain.from_values
        self.model = cp_model.CpModel()
        self.variables = [self.model.new_constant(0)]
        self.variables += [self.model.new_bool_var(f"x{v}") for v in range(1, num_vars + 1)]
        self._constants = {TRUE: self.model.new_constant(1), FALSE: self.variables[0]}
        self._cells: dict[tuple[int, ...], Any] = {}

    def literal(self, lit: int) -> Any:
        """The CP-SAT literal of a model literal or constant."""
        if lit in self._constants:
            return self._constants[lit]
        return self.variables[lit] if lit > 0 else ~self.variables[-lit]

    def cell(self, lits: tuple[int, ...]) -> Any:
        """An expression for a cell's value: 0 empty, k when its k-th literal is true.

        Where several colours are open it is an integer variable, the same one whenever the same
        literals are asked for, and the cell has at most one colour from then on.
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
        """An integer variable with these values; the plain number when there is only one."""
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
            outside: Its other values.
        """
        for values, condition in ((inside, literal), (outside, ~literal)):
            if values:
                self.model.add_linear_expression_in_domain(
                    expression, self._domain_of(values)
                ).only_enforce_if(condition)
            else:
                self.model.add_bool_and([~condition])
