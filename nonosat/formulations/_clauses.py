"""Clauses in a CP-SAT model: a sink, so that any encoding can write into it.

A sink numbers its own variables from behind the model's; two sinks over one context never share
any. A clause costs 2 us.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import partial
from typing import Any

from nonosat.clauses import foreign
from nonosat.clauses.cnf import split
from nonosat.clauses.sinks import SinkBase
from nonosat.clauses.translate import ENCODINGS
from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError
from nonosat.core.plugins import Formulation
from nonosat.formulations._context import Context


class Clauses(SinkBase):
    """A sink whose clauses become Boolean constraints.

    Attributes:
        own: The Booleans made for it, the first of them numbered behind the model's variables.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._first = len(context.variables)
        self.own: list[Any] = []

    def literal(self, lit: int) -> Any:
        """The CP-SAT literal of one of ours, of the model's or of a constant."""
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
    """The formulation `booleans` of a constraint kind.

    Args:
        kind: The constraint's, as encodings are named: "line".
        name: The encoding's; the default one when empty.
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
        UnsupportedError: The encoding wants its models refined.
        BackendError: It is somebody else's, and adds what is no clause over variables there are.
    """
    num_vars = len(context.variables) - 1
    if foreign.encode(encoding, constraint, Clauses(context), num_vars) is not None:
        raise UnsupportedError(
            f"the encoding {encoding} adds clauses to what an engine answers, which cannot be done "
            "with CP-SAT; use another one"
        )
