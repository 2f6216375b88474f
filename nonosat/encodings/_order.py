"""The order variables of a line as the encoding `order` makes them, for encodings built on it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from nonosat.board.line import domains
from nonosat.clauses.cnf import Cnf
from nonosat.core.model import FALSE, TRUE, Line
from nonosat.encodings import line_order


class OrderVariables(NamedTuple):
    """Order variables of a block's start or end: "it is at or before p".

    Args:
        places: The feasible positions, ascending.
        first: Variable of the first position. Variables of further positions follow; the last
            position has none, because its bound is TRUE.
    """

    places: Sequence[int]
    first: int

    @property
    def num_vars(self) -> int:
        return len(self.places) - 1

    def at(self, place: int) -> int:
        """Return the literal "at or before `place`"."""
        index = bisect_right(self.places, place)
        if index == 0:
            return FALSE
        return TRUE if index > self.num_vars else self.first + index - 1


class Span(NamedTuple):
    """Bounds of a block's start and end; with a known length, both have the same variables."""

    start: OrderVariables
    end: OrderVariables

    def cells(self) -> range:
        """Cells that the block may cover."""
        return range(self.start.places[0], self.end.places[-1] + 1)


def spans(line: Line, first: int) -> list[Span] | None:
    """Return the bounds of each block, variables numbered from `first`; None if there is no
    filling.
    """
    found = domains(line)
    if found is None:
        return None
    made = []
    for block, domain in zip(line.clue, found, strict=True):
        start = OrderVariables(domain.starts, first)
        first += start.num_vars
        end = OrderVariables(domain.ends, start.first if block.length is not None else first)
        if block.length is None:
            first += end.num_vars
        made.append(Span(start, end))
    return made


def num_vars(of: Sequence[Span]) -> int:
    """Return the number of variables of the bounds."""
    return of[-1].end.first + of[-1].end.num_vars - of[0].start.first if of else 0


def clauses(line: Line, first: int) -> Cnf:
    """Return the clauses of `order` for the line, auxiliary variables numbered from `first`."""
    cnf = Cnf(first - 1)
    line_order.encode(line, cnf)
    return cnf
