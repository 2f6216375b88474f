"""Clauses of a line with an open clue for certificates; shares no code with the solvers.

A state is the place in the clue after a cell: the gap before an entry, a number of cells of an
entry's block, or a cell of a block that "*" absorbs. There is a variable for each state after each
cell that can be reached from the beginning, and from which the end can be reached. Clauses: a
cell's value is that of one of its states; a state has a state before and one after it. Size: for a
line of n cells, O(n) variables for each length of a block that is counted, and as many clauses.

Invariant: the assignments of the cells that can be extended to all variables are the fillings. The
states of a filling are a path, whose variables alone are true. In the other direction a cell has a
state, which has one after it and one before it, up to both ends of a path that spells the cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from nonosat.core.model import TRUE, AnyBlocks, Block, BlockOf, Line, OpenClue


@dataclass(frozen=True, slots=True)
class _State:
    """A place in a clue.

    Args:
        entry: Number of entries that precede it; in a block, those before the block's own.
        value: Value of the cell before it.
        size: Cells of the entry's own block so far; 0 in a gap and in a block that "*" absorbs.
    """

    entry: int
    value: int = 0
    size: int = 0


class _States:
    """The states of a clue in a line of some cells.

    Args:
        clue: The clue.
        length: Number of cells.
        num_colours: Number of colours.
    """

    def __init__(self, clue: OpenClue, length: int, num_colours: int) -> None:
        self._clue, self._length = clue, length
        self._colours = range(1, num_colours + 1)

    def _may_end(self, state: _State) -> bool:
        """True if the block of a state may end there."""
        entry = self._clue[state.entry] if state.size else None
        match entry:
            case Block(length):
                return length in (None, state.size)
            case BlockOf(lengths):
                return state.size in lengths
        return True

    def _begun(self, first: int) -> Iterator[_State]:
        """Yield the states in the first cell of a block, if entry `first` is the next one."""
        for entry, found in enumerate(self._clue[first:], first):
            if not isinstance(found, AnyBlocks):
                yield _State(entry, found.colour, 1)
                return
            yield from (_State(entry, colour) for colour in self._colours)

    def after(self, state: _State) -> Iterator[_State]:
        """Yield the states after one more cell."""
        if state.value:
            is_longer = state.size and state.size < self._length
            yield _State(state.entry, state.value, state.size + 1) if is_longer else state
        if self._may_end(state):
            rest = state.entry + (state.size > 0)
            yield _State(rest)
            yield from (one for one in self._begun(rest) if one.value != state.value)

    def is_last(self, state: _State) -> bool:
        """True if the line may end in a state."""
        rest = self._clue[state.entry + (state.size > 0) :]
        return self._may_end(state) and all(isinstance(entry, AnyBlocks) for entry in rest)

    def by_cell(self) -> list[dict[_State, list[_State]]]:
        """Return for each number of cells, from 0 on, the states, each with those that follow."""
        found: list[dict[_State, list[_State]]] = []
        reached = [_State(0)]
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


def clauses(line: Line, new_var: Callable[[], int]) -> Iterator[list[int]]:
    """Yield the clauses of a line, possibly with constants and repeated literals."""
    first, *others = _States(line.blocks, len(line), line.num_colours).by_cell()
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
        sources: dict[_State, list[int]] = {state: [] for state in states}
        for source, ways in before:
            yield [-source, *(own[one] for one in ways)]
            for one in ways:
                sources[one].append(source)
        for state, var in own.items():
            yield [-var, *sources[state]]
            for colour, lit in enumerate(lits, 1):
                yield [-var, lit if state.value == colour else -lit]
        before = [(own[state], ways) for state, ways in states.items()]
