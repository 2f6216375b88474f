"""The automaton that reads a line cell by cell.

For a clue of `Block` alone, states count from 0 through the line as its clue describes it: the gap
before each block, then a state a cell of the block (one with a loop on itself for a block of
unknown length). The state is determined by the cells read so far: no two transitions of one state
read the same value.

For an open clue (a `BlockOf` or `AnyBlocks` among its entries), the states are sets of places in
the clue: `AnyBlocks` leaves open to which entry a run belongs, so that several places are possible
after the same cells. A place is a gap before an entry, a number of cells of a block, or a cell of
a block that `AnyBlocks` absorbs.

Invariant: the words of the line's length that the automaton accepts are its fillings; all
transitions into a state other than the start read the same value. For a clue that fills m cells
with k blocks there are O(m + k) states and transitions; for an open clue without `AnyBlocks`,
O(k n) for a line of n cells; otherwise usually as few, at worst exponentially many.

Sources: Pesant, "A regular language membership constraint for finite sequences of variables"
(CP 2004); Rabin, Scott, "Finite automata and their decision problems" (1959), for sets of places.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import starmap
from typing import NamedTuple

from nonosat.core.limits import polled
from nonosat.core.model import AnyBlocks, Block, BlockOf, Clue, Line, OpenClue, is_plain

MAX_STATES = 20_000  # take a second


class Arc(NamedTuple):
    """A transition over one cell: from a state, reading a value, to a state."""

    tail: int
    value: int
    head: int


Automaton = tuple[list[Arc], list[int]]
Layers = list[list[Arc]]


def automaton(line: Line) -> Automaton:
    """Return the automaton that reads the cells of a line; state 0 is the start.

    Returns:
        Its transitions, and the final states.

    Raises:
        MemoryError: An open clue has more than `MAX_STATES` states.
    """
    if is_plain(line.blocks):
        return _of_blocks(line.blocks)
    return _determined(_OpenAutomaton(line.blocks, len(line)), line.num_colours)


def _of_blocks(blocks: Clue) -> Automaton:
    transitions: list[tuple[int, int, int]] = []
    state = 0  # the gap before the next block
    last = (0, 0)  # state after the last cell of the previous block, and its colour
    for index, (length, colour) in enumerate(blocks):
        transitions += [(state, 0, state), (state, colour, state + 1)]
        if index and last[1] != colour:
            transitions.append((last[0], colour, state + 1))
        end = state + (length or 1)
        transitions += [(cell, colour, cell + 1) for cell in range(state + 1, end)]
        if length is None:
            transitions.append((end, colour, end))
        transitions.append((end, 0, end + 1))
        state, last = end + 1, (end, colour)
    transitions.append((state, 0, state))
    return list(starmap(Arc, transitions)), [state, last[0]] if blocks else [state]


class _Place(NamedTuple):
    """A place in an open clue.

    Args:
        entry: Index of the next entry; of the present one inside a block.
        colour: Colour of the last cell; 0 in a gap.
        size: Number of cells of the entry's own block; 0 in a gap and in a block that `AnyBlocks`
            absorbs.
    """

    entry: int
    colour: int = 0
    size: int = 0


class _Sizes(NamedTuple):
    """Lengths of an entry's block, as far as they fit into the line.

    Args:
        whole: Numbers of cells after which the block may end.
        most: Largest number of cells that is counted; 0 if no length fits.
        is_open: True if the block may be longer than `most`, by any number of cells.
    """

    whole: Sequence[int]
    most: int
    is_open: bool = False


def _sizes(entry: Block | BlockOf, length: int) -> _Sizes:
    """Return the lengths of a block in a line of `length` cells."""
    match entry:
        case Block(None):
            return _Sizes((1,), 1, True)
        case Block(int(only)):
            lengths: Sequence[int] = (only,)
        case BlockOf(lengths):
            if isinstance(lengths, range) and lengths[0] <= length <= lengths[-1]:
                return _Sizes((lengths[0],), lengths[0], True)
    if isinstance(lengths, range):
        lengths = lengths[: max(length + 1 - lengths.start, 0)]
    fitting = [one for one in lengths if one <= length]
    return _Sizes(fitting, max(fitting, default=0))


class _OpenAutomaton:
    """Places in an open clue of a line of `length` cells, and the steps between them."""

    def __init__(self, clue: OpenClue, length: int) -> None:
        self._clue = clue
        self._sizes = [
            None if isinstance(entry, AnyBlocks) else _sizes(entry, length) for entry in clue
        ]

    def steps(self, place: _Place, value: int) -> Iterator[_Place]:
        """Yield the places after one more cell, which has this value."""
        entry, colour, size = place
        sizes = self._sizes[entry] if size else None
        if colour and value == colour:
            if sizes is None or (size == sizes.most and sizes.is_open):
                yield place
            elif size < sizes.most:
                yield _Place(entry, colour, size + 1)
        elif sizes is None or size in sizes.whole:
            rest = entry + (size > 0)
            yield from self._begun(rest, value) if value else (_Place(rest),)

    def is_final(self, place: _Place) -> bool:
        """True if the line may end at a place."""
        entry, _, size = place
        sizes = self._sizes[entry] if size else None
        is_whole = sizes is None or size in sizes.whole
        return is_whole and all(rest is None for rest in self._sizes[entry + (size > 0) :])

    def _begun(self, first: int, colour: int) -> Iterator[_Place]:
        """Yield the places in the first cell of a block, if the entries from `first` on remain."""
        for entry in range(first, len(self._clue)):
            match self._clue[entry], self._sizes[entry]:
                case AnyBlocks(), _:
                    yield _Place(entry, colour)
                case Block(_, own) | BlockOf(_, own), _Sizes(_, most):
                    if own == colour and most:
                        yield _Place(entry, colour, 1)
                    return


def _determined(open_: _OpenAutomaton, num_colours: int) -> Automaton:
    """Return the automaton whose states are sets of places."""
    states = [frozenset([_Place(0)])]
    number = {states[0]: 0}
    transitions = []
    for state, places in enumerate(polled(states)):  # which grows meanwhile
        for value in range(num_colours + 1):
            after = frozenset(one for place in places for one in open_.steps(place, value))
            if not after:
                continue
            if after not in number:
                number[after] = len(states)
                states.append(after)
            transitions.append(Arc(state, value, number[after]))
        if len(states) > MAX_STATES:
            raise MemoryError(
                f"the automaton of a clue has more than {MAX_STATES} states; write '*' for fewer "
                "blocks"
            )
    finals = [state for state, places in enumerate(states) if any(map(open_.is_final, places))]
    return transitions, finals


def unrolled(found: Automaton, values: Sequence[Collection[int]], length: int) -> Layers:
    """Return the transitions over each cell that lie on a path from the start to a final state.

    Args:
        found: The automaton.
        values: By value, the cells that may have it.
        length: Number of cells.
    """
    transitions, finals = found
    leaving = defaultdict(list)
    for arc in transitions:
        leaving[arc.tail].append(arc)
    layers: Layers = []
    reached = {0}
    for cell in polled(range(length)):
        arcs = [arc for state in reached for arc in leaving[state] if cell in values[arc.value]]
        reached = {arc.head for arc in arcs}
        layers.append(arcs)
    alive = set(finals)
    for cell in polled(reversed(range(length))):
        layers[cell] = [arc for arc in layers[cell] if arc.head in alive]
        alive = {arc.tail for arc in layers[cell]}
    return layers
