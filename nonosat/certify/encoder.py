"""Encoder of models into clauses for certificates; shares no code with the solvers.

A model always yields the same clauses in the same order, so that the verifier can build them again
and compare. A count that needs few clauses gets one for each set of literals that is too large;
other counts get a counter. A loop is encoded by degrees of 0 or 2, by its faces if it has any, and
by a clause that some edge is chosen; cuts exclude several cycles (`certify.cuts`).

A line gets the lean order encoding: block b of an open line has slack + 1 starts, and its variable
i (i < slack) means "at most i cells after its first start"; for i < 0 that is false, for i >= slack
true. A block of unknown length counts as one cell and has a second row of variables for its end;
the end of other blocks is a shifted start. Size: O(n + k s) clauses for a line of n cells, k blocks
and slack s. An open clue has variables for its states (`certify.open_clue`).

Invariant: without cuts, the assignments of the model's variables that can be extended to all
variables are those that satisfy the constraints, except that a loop may consist of several cycles.

Source: Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints" (CP 2005), for
the counter; Tamura, Taga, Kitagawa, Banbara, "Compiling finite linear CSP into SAT" (Constraints,
2009), for lines.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, combinations, pairwise
from math import comb

from nonosat.certify import open_clue
from nonosat.core.model import FALSE, TRUE, Clause, Count, Line, Loop, Model, is_plain

MOST_DIRECT = 70  # clauses for a bound; "at most three of eight" has 70


class Encoder:
    """Generator of the clauses of a model.

    Args:
        model: The model.
        direct: Encode all counts without counters.

    Attributes:
        num_vars: Number of variables so far; those of the model come first.
    """

    def __init__(self, model: Model, *, direct: bool = False) -> None:
        self._model, self._direct = model, direct
        self.num_vars = model.num_vars

    def parts(self) -> Iterator[Iterator[list[int]]]:
        """Yield clauses and counts, then each line, then the loops, without constants.

        A part must be exhausted before the next one is taken, because parts number their variables
        in order.
        """
        model = self._model
        model.refuse_others("a certificate", Clause, Count, Line, Loop)
        clauses = (clause.lits for clause in model.clauses)
        yield _plain(chain(clauses, chain.from_iterable(map(self._count, model.counts))))
        yield from map(self._line, model.lines)
        yield _plain(chain.from_iterable(map(self._loop, model.loops)))

    def clauses(self) -> Iterator[list[int]]:
        """Yield all clauses in their order; `num_vars` is complete at the end of the iteration."""
        return chain.from_iterable(self.parts())

    def _count(self, count: Count) -> Iterator[Collection[int]]:
        yield from self._at_most(count.lits, count.upper)
        if count.lower > 0:
            yield from self._at_most([-lit for lit in count.lits], len(count.lits) - count.lower)

    def _at_most(self, lits: Sequence[int], upper: int) -> Iterator[Collection[int]]:
        """Encode that at most `upper` of the literals are true."""
        upper -= lits.count(TRUE)
        lits = [lit for lit in lits if abs(lit) != TRUE]
        if upper >= len(lits):
            return
        if upper < 0:
            yield []
        elif self._direct or comb(len(lits), upper + 1) <= MOST_DIRECT:
            yield from ([-lit for lit in chosen] for chosen in combinations(lits, upper + 1))
        elif upper == 0:
            yield from ([-lit] for lit in lits)
        else:
            yield from self._counter(lits, upper)

    def _counter(self, lits: Sequence[int], upper: int) -> Iterator[Collection[int]]:
        """Encode a bound with a counter: variable j of a literal means "at least j up to here"."""
        before: list[int] = []  # counter variables of the preceding literal
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

    def _line(self, line: Line) -> Iterator[list[int]]:
        filled = ([plane[cell] for plane in line.cells] for cell in sorted(line.filled))
        if not is_plain(line.blocks):
            yield from _plain(chain(open_clue.clauses(line, self._new_var), filled))
            return
        opened = _OpenLine(line, self.num_vars + 1)
        self.num_vars = opened.next_var - 1
        for clause in opened.clauses():  # each clause has every literal once
            if TRUE not in clause:
                yield [lit for lit in clause if lit != FALSE] if FALSE in clause else clause
        yield from _plain(filled)

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


class _AtMostLiterals:
    """The literals "at most i cells after the first place", for any i."""

    def __init__(self, place: int, first_var: int, slack: int) -> None:
        self.place, self._first, self._slack = place, first_var, slack

    def by(self, cell: int) -> int:
        """Return the literal "at or before this cell"; TRUE or FALSE if that is certain."""
        behind = cell - self.place
        if behind < 0:
            return FALSE
        return TRUE if behind >= self._slack else self._first + behind


class _OpenLine:
    """A line and its variables.

    Attributes:
        starts, ends: A `_AtMostLiterals` for the first and the last cell of each block.
        next_var: The first variable of the next line.
        slack: Negative if the blocks do not fit.
    """

    def __init__(self, line: Line, next_var: int) -> None:
        clue = line.clue
        gaps = [int(before.colour == after.colour) for before, after in pairwise(clue)]
        least = [block.length or 1 for block in clue]
        self.line = line
        self.slack = len(line) - sum(least) - sum(gaps)
        self.starts: list[_AtMostLiterals] = []
        self.ends: list[_AtMostLiterals] = []
        self.next_var = next_var
        if self.slack < 0:
            return
        place = 0
        for block, size, gap in zip(clue, least, [*gaps, 0], strict=False):
            self.starts.append(_AtMostLiterals(place, self.next_var, self.slack))
            if block.length is None:
                self.next_var += self.slack
            self.ends.append(_AtMostLiterals(place + size - 1, self.next_var, self.slack))
            self.next_var += self.slack
            place += size + gap

    def clauses(self) -> Iterator[list[int]]:
        """Yield the clauses of the line, possibly with constants."""
        if self.slack < 0:
            yield []
            return
        clue, cells, starts, ends = self.line.clue, self.line.cells, self.starts, self.ends
        for b, (block, start, end) in enumerate(zip(clue, starts, ends, strict=True)):
            yield from self._implied(start, start, 1)
            if block.length is None:
                yield from self._implied(end, end, 1)
                yield from self._implied(end, start, 0)
            if b:
                yield from self._implied(start, ends[b - 1], 0)
        for block, start, end in zip(clue, starts, ends, strict=True):
            plane = cells[block.colour - 1]
            for cell in range(start.place, end.place + self.slack + 1):
                yield [-start.by(cell), end.by(cell - 1), plane[cell]]
        for b in range(len(clue) + 1):  # the gap before block b
            first = ends[b - 1].place + 1 if b else 0
            stop = starts[b].place + self.slack if b < len(clue) else len(self.line)
            around = []  # cells that may be in the gap, each with the two literals that exclude it
            for cell in range(first, stop):
                ended = -ends[b - 1].by(cell - 1) if b else FALSE
                begun = starts[b].by(cell) if b < len(clue) else FALSE
                if TRUE not in (ended, begun):
                    around.append((cell, ended, begun))
            for plane in cells:
                for cell, ended, begun in around:
                    yield [ended, begun, -plane[cell]]

    def _implied(
        self, one: _AtMostLiterals, other: _AtMostLiterals, more: int
    ) -> Iterator[list[int]]:
        """Encode: if `one` is at most i after its first place, `other` is at most i + more."""
        for behind in range(self.slack):
            yield [-one.by(one.place + behind), other.by(other.place + behind + more)]


def _plain(clauses: Iterable[Iterable[int]]) -> Iterator[list[int]]:
    """Return the simplified clauses without tautologies; see `plain`."""
    return (found for clause in clauses if (found := plain(clause)) is not None)


def plain(clause: Iterable[int]) -> list[int] | None:
    """Return a clause without constants and duplicates; None if it is a tautology."""
    lits = dict.fromkeys(clause)
    if TRUE in lits or not lits.keys().isdisjoint([-lit for lit in lits]):
        return None
    lits.pop(FALSE, None)
    return [*lits]
