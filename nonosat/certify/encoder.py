"""A model as clauses, for certificates alone: shared with nothing that solves.

The same model always gives the same clauses in the same order, so that who verifies makes them
again and compares. Counts that few clauses say take one for each set of literals that is too large;
others take a counter. A line is encoded as in the formulas of nonograms (`certify.formula`). A loop
takes degrees of 0 or 2, faces where there are any, and that some edge is chosen; that there is one
cycle and not several is for cuts to say (`certify.cuts`).

Invariant: without cuts, the assignments of the model's variables that can be extended to all
variables are those that the constraints allow, but for loops, which may fall apart into cycles.

Source: Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints" (CP 2005), for
the counter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations
from math import comb

from nonosat.certify.formula import NO, YES, OpenLine, line_clauses
from nonosat.core.model import FALSE, TRUE, Count, Line, Loop, Model

MOST_DIRECT = 70  # clauses for a bound: those of "at most three of eight"

assert (YES, NO) == (TRUE, FALSE)  # so that `plain` takes both words


class Encoder:
    """Clauses of a model.

    Attributes:
        num_vars: The variables so far are 1 .. num_vars; those of the model come first.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self.num_vars = model.num_vars

    def clauses(self) -> Iterator[list[int]]:
        """All of them, in their order; the variables are all there once it has ended."""
        return (found for clause in self._raw() if (found := plain(clause)) is not None)

    def _raw(self) -> Iterator[Collection[int]]:
        """The same with constants in them."""
        model = self._model
        yield from (clause.lits for clause in model.clauses)
        for count in model.counts:
            yield from self._count(count)
        for line in model.lines:
            yield from self._line(line)
        for loop in model.loops:
            yield from self._loop(loop)

    def _count(self, count: Count) -> Iterator[Collection[int]]:
        yield from self._at_most(count.lits, count.upper)
        yield from self._at_most([-lit for lit in count.lits], len(count.lits) - count.lower)

    def _at_most(self, lits: Sequence[int], upper: int) -> Iterator[Collection[int]]:
        """At most so many of the literals are true."""
        upper -= lits.count(TRUE)
        lits = [lit for lit in lits if abs(lit) != TRUE]
        if upper >= len(lits):
            return
        if upper < 0:
            yield []
        elif comb(len(lits), upper + 1) <= MOST_DIRECT:
            yield from ([-lit for lit in chosen] for chosen in combinations(lits, upper + 1))
        elif upper == 0:
            yield from ([-lit] for lit in lits)
        else:
            yield from self._counter(lits, upper)

    def _counter(self, lits: Sequence[int], upper: int) -> Iterator[Collection[int]]:
        """A row of variables for each literal: at least j of those up to it are true."""
        before: list[int] = []  # of the literals ahead of this one
        for place, lit in enumerate(lits):
            if len(before) == upper:
                yield [-lit, -before[-1]]
            if place == len(lits) - 1:
                return
            own = [self._new_var() for _ in range(min(place + 1, upper))]
            yield from ([-old, new] for old, new in zip(before, own, strict=False))
            yield [-lit, own[0]]
            yield from ([-lit, -old, new] for old, new in zip(before, own[1:], strict=False))
            before = own

    def _new_var(self) -> int:
        self.num_vars += 1
        return self.num_vars

    def _line(self, line: Line) -> Iterator[Collection[int]]:
        opened = OpenLine(line.blocks, len(line), self.num_vars + 1)
        self.num_vars = opened.next_var - 1
        yield from line_clauses(line.blocks, len(line), opened, line.cells)
        yield from ([plane[cell] for plane in line.cells] for cell in sorted(line.filled))

    def _loop(self, loop: Loop) -> Iterator[Collection[int]]:
        ways: list[list[int]] = [[] for _ in range(loop.num_vertices)]
        for u, v, lit in loop.edges:
            ways[u].append(lit)
            ways[v].append(lit)
        for lits in ways:
            if loop.spanning:
                yield from self._count(Count(lits, 2, 2))
                continue
            yield from ([-lit, *lits[:at], *lits[at + 1 :]] for at, lit in enumerate(lits))
            yield from self._at_most(lits, 2)
        pairs = zip(loop.edges, loop.faces or (), strict=False)
        for (_, _, lit), (one, other) in pairs:
            yield from ([-lit, one, other], [-lit, -one, -other])
            yield from ([lit, -one, other], [lit, one, -other])
        yield [lit for _, _, lit in loop.edges]


def plain(clause: Iterable[int]) -> list[int] | None:
    """A clause without constants and with each literal once; None where it always holds."""
    lits = dict.fromkeys(clause)
    if TRUE in lits or any(-lit in lits for lit in lits):
        return None
    return [lit for lit in lits if lit != FALSE]
