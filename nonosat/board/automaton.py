"""The automaton that reads a line cell by cell.

States count from 0 through the line as its clue describes it: the gap before each block, then a
state a cell of the block (one with a loop on itself for a block of unknown length). The state is
determined by the cells read so far: no two transitions of one state read the same value.

Invariant: the words of the line's length that the automaton accepts are its fillings. For a clue
that fills m cells with k blocks there are O(m + k) states and transitions.

Source: Pesant, "A regular language membership constraint for finite sequences of variables"
(CP 2004).
"""

from __future__ import annotations

from nonosat.core.model import Clue

Transition = tuple[int, int, int]


def automaton(blocks: Clue) -> tuple[list[Transition], list[int]]:
    """Return the automaton that reads the cells of a line with these blocks; state 0 is the start.

    Returns:
        Transitions (state, value read, next state), and the final states.
    """
    transitions: list[Transition] = []
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
    return transitions, [state, last[0]] if blocks else [state]
