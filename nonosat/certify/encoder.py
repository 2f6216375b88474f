"""Encoder of models into clauses for certificates; shares no code with the solvers.

A model always yields the same clauses in the same order, so that the verifier can build them again
and compare. A count that needs few clauses gets one for each set of literals that is too large;
other counts get a counter. A loop is encoded by degrees of 0 or 2, by its faces if it has any, and
by a clause that some edge is chosen; cuts exclude several cycles (`certify.cuts`).

A line gets the lean order encoding: block b of an open line has slack + 1 starts, and its variable
i (i < slack) means "at most i cells after its first start"; for i < 0 that is false, for i >= slack
true. A block of unknown length counts as one cell and has a second row of variables for its end;
the end of other blocks is a shifted start. Size: O(n + k s) clauses for a line of n cells, k blocks
and slack s.

A line with an open clue gets an automaton. A state is the place in the clue after a cell: the gap
before an entry, a number of cells of an entry's block, or a cell of a block that "*" absorbs. There
is a variable for each state after each cell that can be reached from the beginning, and from which
the end can be reached. Clauses: a cell's value is that of one of its states; a state has a state
before and one after it. Size: for a line of n cells, O(n) variables for each length of a block that
is counted, and as many clauses. The assignments of the cells that can be extended are the fillings:
the states of a filling are a path, whose variables alone are true; in the other direction a cell
has a state, which has one after it and one before it, up to both ends of a path that spells the
cells.

Invariant: without cuts, the assignments of the model's variables that can be extended to all
variables are those that satisfy the constraints, except that a loop may consist of several cycles.

Source: Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints" (CP 2005), for
the counter; Tamura, Taga, Kitagawa, Banbara, "Compiling finite linear CSP into SAT" (Constraints,
2009), for lines.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise
from math import comb

from nonosat.core.model import (
    FALSE,
    TRUE,
    AnyBlocks,
    Block,
    BlockOf,
    Clause,
    Count,
    Line,
    Loop,
    Model,
    OpenClue,
    is_plain,
)

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
            yield from _plain(chain(_open_clue_clauses(line, self._new_var), filled))
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


@dataclass(frozen=True, slots=True)
class _ClueState:
    """A place in a clue.

    Args:
        entry: Number of entries that precede it; in a block, those before the block's own.
        value: Value of the cell before it.
        size: Cells of the entry's own block so far; 0 in a gap and in a block that "*" absorbs.
    """

    entry: int
    value: int = 0
    size: int = 0


class _ClueStates:
    """The states of a clue in a line of some cells.

    Args:
        clue: The clue.
        length: Number of cells.
        num_colours: Number of colours.
    """

    def __init__(self, clue: OpenClue, length: int, num_colours: int) -> None:
        self._clue, self._length = clue, length
        self._colours = range(1, num_colours + 1)

    def _may_end(self, state: _ClueState) -> bool:
        """True if the block of a state may end there."""
        entry = self._clue[state.entry] if state.size else None
        match entry:
            case Block(length):
                return length in (None, state.size)
            case BlockOf(lengths):
                return state.size in lengths
        return True

    def _begun(self, first: int) -> Iterator[_ClueState]:
        """Yield the states in the first cell of a block, if entry `first` is the next one."""
        for entry, found in enumerate(self._clue[first:], first):
            if not isinstance(found, AnyBlocks):
                yield _ClueState(entry, found.colour, 1)
                return
            yield from (_ClueState(entry, colour) for colour in self._colours)

    def after(self, state: _ClueState) -> Iterator[_ClueState]:
        """Yield the states after one more cell."""
        if state.value:
            is_longer = state.size and state.size < self._length
            yield _ClueState(state.entry, state.value, state.size + 1) if is_longer else state
        if self._may_end(state):
            rest = state.entry + (state.size > 0)
            yield _ClueState(rest)
            yield from (one for one in self._begun(rest) if one.value != state.value)

    def is_last(self, state: _ClueState) -> bool:
        """True if the line may end in a state."""
        rest = self._clue[state.entry + (state.size > 0) :]
        return self._may_end(state) and all(isinstance(entry, AnyBlocks) for entry in rest)

    def by_cell(self) -> list[dict[_ClueState, list[_ClueState]]]:
        """Return for each number of cells, from 0 on, the states, each with those that follow."""
        found: list[dict[_ClueState, list[_ClueState]]] = []
        reached = [_ClueState(0)]
        for _ in range(self._length):
            found.append({state: [*self.after(state)] for state in reached})
            reached = [*dict.fromkeys(one for ways in found[-1].values() for one in ways)]
        found.append({state: [] for state in reached if self.is_last(state)})
        for states, later in zip(reversed(found[:-1]), reversed(found), strict=False):
            for state, ways in [*states.items()]:
                states[state] = [one for one in ways if one in later]
                if not states[state]:
                    del states[state]
        return found


def _open_clue_clauses(line: Line, new_var: Callable[[], int]) -> Iterator[list[int]]:
    """Yield the clauses of a line, possibly with constants and repeated literals."""
    first, *others = _ClueStates(line.blocks, len(line), line.num_colours).by_cell()
    if not first:
        yield []
        return
    before = [(TRUE, ways) for ways in first.values()]  # each state's literal and what follows
    for cell, states in enumerate(others):
        own = {state: new_var() for state in states}
        lits = [plane[cell] for plane in line.cells]
        yield [*lits, *(var for state, var in own.items() if not state.value)]
        for colour, lit in enumerate(lits, 1):
            yield [-lit, *(var for state, var in own.items() if state.value == colour)]
        sources: dict[_ClueState, list[int]] = {state: [] for state in states}
        for source, ways in before:
            yield [-source, *(own[one] for one in ways)]
            for one in ways:
                sources[one].append(source)
        for state, var in own.items():
            yield [-var, *sources[state]]
            for colour, lit in enumerate(lits, 1):
                yield [-var, lit if state.value == colour else -lit]
        before = [(own[state], ways) for state, ways in states.items()]


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
