"""The automaton of a clue, its runs over finished and partial lines, and its determinisation.

A finished line is a word over EMPTY and FILLED, which the deterministic automaton reads in time
linear in its length. A partial line has a third letter, `UNKNOWN`, that follows both: the automaton
becomes non-deterministic and is run with the *set* of its possible states, at most two steps a
state and cell, hence O(states * cells).

Corrected: a word is accepted if *at least one* branch reaches a final state (the slides have "if a
single one does"), and branches are not explored one by one, which would be exponential. The slides
call determinising "extremely costly"; only the table of all 2^states sets would be. The reachable
sets (`determinised`) are few: 36 for the clue 2 3. Their number grows quadratically with the number
of blocks, but exponentially with their length.

Source: document 003 (T. Lemoine), "Les automates" to "Determiniser l'automate?".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from nonosat.study._lines import EMPTY, FILLED, UNKNOWN, Lengths, Tick

DEAD = -1
_LETTERS = {EMPTY: (EMPTY,), FILLED: (FILLED,), UNKNOWN: (EMPTY, FILLED)}


class Automaton(NamedTuple):
    """A deterministic automaton, like `automate_d_s` in document 003, a set of slides.

    Args:
        start: The state before the first letter.
        final: The states in which a word may end.
        delta: delta[letter][state] is the next state, or `DEAD`.
    """

    start: int
    final: frozenset[int]
    delta: tuple[tuple[int, ...], ...]

    @property
    def num_states(self) -> int:
        return len(self.delta[0])


def automaton_of(lengths: Lengths) -> Automaton:
    """Return the automaton of a clue (`generer_automate_ligne` in the document).

    It has sum(L) + |L| states for the lengths L, and one state without blocks.
    """
    if not lengths:
        return Automaton(0, frozenset({0}), ((0,), (DEAD,)))  # the automaton "zeros"
    num_states = sum(lengths) + len(lengths)
    on_empty, on_filled = [DEAD] * num_states, [DEAD] * num_states
    state = 0
    for k in lengths:
        on_empty[state] = state  # any number of empty cells before the block
        for filled in range(k):
            on_filled[state + filled] = state + filled + 1
        if state + k + 1 < num_states:
            on_empty[state + k] = state + k + 1  # the empty cell that ends it
        state += k + 1
    last = num_states - 1
    on_empty[last] = last
    return Automaton(0, frozenset({last}), (tuple(on_empty), tuple(on_filled)))


def accepts(automaton: Automaton, word: Iterable[int]) -> bool:
    """Return True if the automaton recognises a word; linear in its length."""
    state = automaton.start
    for letter in word:
        state = automaton.delta[letter][state]
        if state == DEAD:
            return False
    return state in automaton.final


def after(automaton: Automaton, states: Iterable[int], cell: int) -> frozenset[int]:
    """Return the states that are reachable from `states` by reading one cell, known or not."""
    steps = (automaton.delta[letter][state] for letter in _LETTERS[cell] for state in states)
    return frozenset(state for state in steps if state != DEAD)


def is_partial(automaton: Automaton, cells: Iterable[int], tick: Tick = lambda: None) -> bool:
    """Return True if the unknown cells of a line can be chosen so that the clue holds.

    Args:
        automaton: Automaton of the clue.
        cells: The line.
        tick: Called for every cell.
    """
    states = frozenset({automaton.start})
    for cell in cells:
        tick()
        states = after(automaton, states, cell)
    return not states.isdisjoint(automaton.final)


def values_left(automaton: Automaton, cells: Sequence[int]) -> list[frozenset[int]] | None:
    """Return for each cell its letters in all words that agree with the line and are accepted.

    Return None if there is no such word.

    The state sets are computed from both ends: O(states * cells).
    """
    layers = [frozenset({automaton.start})]
    for cell in cells:
        layers.append(after(automaton, layers[-1], cell))
    alive = layers[-1] & automaton.final
    if not alive:
        return None
    found = []
    for cell, states in zip(reversed(cells), reversed(layers[:-1]), strict=True):
        used = {
            (state, letter)
            for letter in _LETTERS[cell]
            for state in states
            if automaton.delta[letter][state] in alive
        }
        alive = frozenset(state for state, _ in used)
        found.append(frozenset(letter for _, letter in used))
    return found[::-1]


def determinised(automaton: Automaton) -> dict[frozenset[int], dict[int, frozenset[int]]]:
    """Return the deterministic automaton of partial lines.

    It maps each reachable set of states to a table of the next set by letter. The empty set, which
    rejects the word like `DEAD`, has no entry.
    """
    table: dict[frozenset[int], dict[int, frozenset[int]]] = {}
    waiting = [frozenset({automaton.start})]
    while waiting:
        states = waiting.pop()
        if states and states not in table:
            table[states] = {cell: after(automaton, states, cell) for cell in _LETTERS}
            waiting += table[states].values()
    return table
