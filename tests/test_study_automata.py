"""Document 003's automata and logic rules (nonosat/study/_automata.py, _rules.py).

`oracles` enumerates the fillings of a line. `test_documents.py` has the table of the items that
each test covers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.drawing import examples
from nonosat.core.model import Block
from nonosat.study._automata import (
    DEAD,
    Automaton,
    accepts,
    after,
    automaton_of,
    determinised,
    is_partial,
    values_left,
)
from nonosat.study._lines import EMPTY, FILLED, UNKNOWN, Lengths, normalised
from nonosat.study._rules import RULES, SlideRule, ranges, settled_by, shrunk_ranges
from nonosat.testing import oracles

CELLS = {".": EMPTY, "#": FILLED, "?": UNKNOWN}
VALUES = {EMPTY: frozenset({0}), FILLED: frozenset({1}), UNKNOWN: frozenset({0, 1})}
BY_NUMBER = {rule.number: rule for rule in RULES}
EXAMPLE = Automaton(0, frozenset({2}), ((1, 2, DEAD), (DEAD, 1, DEAD)))  # a b* a


def cells(text: str) -> bytes:
    return bytes(CELLS[char] for char in text)


def shown(line: bytes) -> str:
    return "".join({value: char for char, value in CELLS.items()}[value] for value in line)


def clues_up_to(num_cells: int) -> list[Lengths]:
    """Clues that fit into the line."""
    return [tuple(block.length or 0 for block in clue) for clue in oracles.clues(num_cells)]


def fillings(lengths: Lengths, num_cells: int) -> list[bytes]:
    return list(oracles.fillings(tuple(map(Block, lengths)), num_cells))


def agreeing(lengths: Lengths, line: bytes) -> list[bytes]:
    """Fillings that agree with the known cells."""
    known = [VALUES[cell] for cell in line]
    return [one for one in fillings(lengths, len(line)) if oracles.agrees(one, known)]


def truth(lengths: Lengths, line: bytes) -> bytes | None:
    """Complete propagation by enumeration."""
    found = [frozenset(values) for values in zip(*agreeing(lengths, line), strict=True)]
    if not found and line:
        return None
    return bytes(min(values) if len(values) == 1 else UNKNOWN for values in found)


def partial_lines(num_cells: int) -> Iterator[bytes]:
    return map(bytes, product((EMPTY, FILLED, UNKNOWN), repeat=num_cells))


def clued_lines(max_cells: int = 6) -> Iterator[tuple[Lengths, bytes]]:
    """Clues that fit, each with every partial line."""
    for num_cells in range(1, max_cells + 1):
        yield from product(clues_up_to(num_cells), partial_lines(num_cells))


@st.composite
def drawn_lines(draw: st.DrawFn) -> tuple[Lengths, bytes]:
    """Any clue, mostly one that fits, with any partial line."""
    line = bytes(draw(st.lists(st.sampled_from((EMPTY, FILLED, UNKNOWN, UNKNOWN)), max_size=9)))
    lengths = draw(st.lists(st.integers(1, 4), max_size=4))
    return tuple(lengths), line


# Automata


@pytest.mark.parametrize("word", ["aba", "aa", "abba", "abbbbba"])
def test_the_slides_example_accepts(word: str) -> None:
    assert accepts(EXAMPLE, ["ab".index(letter) for letter in word])


@pytest.mark.parametrize("word", ["a", "abaa", "baaa", "", "b"])
def test_the_slides_example_rejects(word: str) -> None:
    assert not accepts(EXAMPLE, ["ab".index(letter) for letter in word])


def test_the_automaton_of_2_3_is_the_slides() -> None:
    """Sum + |L| states: 7; empty cells loop before a block and after the last."""
    automaton = automaton_of((2, 3))
    assert automaton.num_states == 7
    assert (automaton.start, automaton.final) == (0, {6})
    assert automaton.delta[EMPTY] == (0, DEAD, 3, 3, DEAD, DEAD, 6)
    assert automaton.delta[FILLED] == (1, 2, DEAD, 4, 5, 6, DEAD)


def test_the_automaton_of_no_blocks_is_zeros() -> None:
    automaton = automaton_of(())
    assert automaton.num_states == 1
    assert accepts(automaton, cells("....."))
    assert not accepts(automaton, cells("..#.."))


def test_automata_accept_exactly_the_fillings() -> None:
    """Every clue that fits, on every word of up to 8 letters."""
    for num_cells in range(9):
        words = [bytes(word) for word in product((EMPTY, FILLED), repeat=num_cells)]
        for lengths in clues_up_to(num_cells):
            automaton = automaton_of(lengths)
            right = set(fillings(lengths, num_cells))
            assert {word for word in words if accepts(automaton, word)} == right


def test_a_clue_of_0_is_no_block() -> None:
    """Slip: the slides write 0 for an empty line and test "list empty"; to the automaton 0 is a
    block
    of no cells, which needs an empty cell before the next one. Normalised, 0 is ().
    """
    assert normalised((0,)) == ()
    assert normalised((0, 2, 0)) == (2,)
    assert accepts(automaton_of(normalised((0,))), cells("..."))
    assert automaton_of((0,)) == automaton_of(())  # by chance: next to another block it is a chain
    assert not accepts(automaton_of((0, 2)), cells("##."))
    assert accepts(automaton_of(normalised((0, 2))), cells("##."))


@pytest.mark.parametrize(
    ("strip", "is_solution", "example"),
    [
        ("?????", True, "?????"),
        ("xx???", True, "##???"),
        ("??xx?", True, "??.#?"),
        ("xxx??", False, "#.#??"),
        ("??xx?", False, "??##?"),
    ],
)
def test_partial_lines_of_2_1(strip: str, is_solution: bool, example: str) -> None:
    """The slides' strips of 5 cells. The slides show which cells are known, but their colours are
    lost:
    for one colouring the slide's result is correct, and for all of them that of enumeration.
    """
    automaton, said = automaton_of((2, 1)), set()
    for colours in product(".#", repeat=strip.count("x")):
        text = strip.replace("x", "{}").format(*colours)
        partial = is_partial(automaton, cells(text))
        assert partial == bool(agreeing((2, 1), cells(text))), text
        said.add((text, partial))
    assert (example, is_solution) in said


def test_one_branch_is_enough() -> None:
    """Slip: "if a single one of the branches reaches a final state". Two do here, rightly."""
    automaton, line = automaton_of((1,)), cells("??")
    assert len(agreeing((1,), line)) == 2
    assert is_partial(automaton, line)


def test_state_sets_stay_small_where_branches_do_not() -> None:
    """Slip: branches one by one are exponential; 40 unknown cells have 200 million of them."""
    automaton, line = automaton_of((1,) * 12), cells("?" * 40)
    branches, steps = {automaton.start: 1}, 0
    for cell in line:
        states, last = frozenset(branches), branches
        steps += 2 * len(states)  # an unknown cell lets a state go two ways at most
        branches = dict.fromkeys(after(automaton, states, cell), 0)
        for state, count in last.items():
            for row in automaton.delta:
                if row[state] != DEAD:
                    branches[row[state]] += count
    assert sum(branches.values()) == 200_263_387
    assert steps <= 2 * automaton.num_states * len(line) < 2000  # O(Q I)
    assert is_partial(automaton, line)


def test_partial_runs_and_values_agree_with_enumeration() -> None:
    for lengths, line in clued_lines(5):
        automaton, found = automaton_of(lengths), agreeing(lengths, line)
        assert is_partial(automaton, line) == bool(found)
        left = values_left(automaton, line)
        right = [frozenset(values) for values in zip(*found, strict=True)] if found else None
        assert left == right


@pytest.mark.parametrize(
    ("lengths", "states"), [((2, 3), 36), ((1,) * 8, 143), ((3,) * 5, 410), ((5, 5, 5), 692)]
)
def test_determinised_automata_are_small(lengths: Lengths, states: int) -> None:
    """Slip: "extremely costly". Only the table of all 2^Q sets would be."""
    table = determinised(automaton_of(lengths))
    assert len(table) == states
    assert states < 2 ** automaton_of(lengths).num_states


@pytest.mark.parametrize("lengths", [(), (1,), (2, 1), (1, 1, 1)])
def test_determinised_automata_accept_the_same_partial_lines(lengths: Lengths) -> None:
    automaton = automaton_of(lengths)
    table = determinised(automaton)
    for line in partial_lines(6):
        states = frozenset({automaton.start})
        for cell in line:
            states = table[states][cell] if states else states
        assert (not states.isdisjoint(automaton.final)) == is_partial(automaton, line)


# Rules


def test_rule_1_empties_a_line_without_blocks() -> None:
    rule = BY_NUMBER[1]
    assert rule.settle(normalised((0,)), cells("?.?")) == {0: EMPTY, 2: EMPTY}
    assert rule.settle((1,), cells("???")) == {}
    assert rule.settle((), cells("?#?")) is None


def test_rule_2_fills_what_every_placement_fills() -> None:
    rule = BY_NUMBER[2]
    assert rule.settle((4,), cells("??????")) == {2: FILLED, 3: FILLED}
    assert rule.settle((3,), cells("??#?.?")) == {1: FILLED}
    assert rule.settle((3,), cells("?.?")) is None


def test_rule_2_has_no_counterpart_for_empty_cells() -> None:
    """Slip: no rule here finds a cell that is empty in every placement."""
    line = cells("#?")
    assert truth((1,), line) == cells("#.")
    assert settled_by(RULES, (1,), line) == (line, dict.fromkeys((r.name for r in RULES), 0))


def test_rule_3_shrinks_a_range_next_to_a_foreign_cell() -> None:
    """Corrected: the cell just outside the range is filled, so the end of the range is removed."""
    line, lengths = cells("?#??????"), (1, 3)
    assert ranges(lengths, 8) == [range(4), range(2, 8)]
    assert shrunk_ranges(lengths, line, [range(4), range(2, 8)]) == [range(4), range(3, 8)]
    line = cells("?##?????")  # the removed end is filled itself: the next one follows it
    assert shrunk_ranges(lengths, line, [range(4), range(2, 8)]) == [range(4), range(4, 8)]
    line = cells("????#?")
    assert shrunk_ranges((1, 1), line, [range(4), range(2, 6)]) == [range(3), range(2, 6)]
    assert shrunk_ranges((3,), cells("#????#"), [range(1, 5)]) is None


def test_rule_3_decides_cells_through_rule_4() -> None:
    line, lengths = cells("??#???"), (2, 2)
    assert ranges(lengths, 6) == [range(3), range(3, 6)]
    assert BY_NUMBER[4].settle(lengths, line) == {}
    assert BY_NUMBER[3].settle(lengths, line) == {3: EMPTY}


def test_rule_4_empties_what_no_range_reaches() -> None:
    assert BY_NUMBER[4].settle((2, 3), cells("??????")) == {2: EMPTY}
    assert BY_NUMBER[4].settle((), cells("??")) == {0: EMPTY, 1: EMPTY}
    assert BY_NUMBER[4].settle((2, 3), cells("??#???")) is None
    assert BY_NUMBER[4].settle((4, 3), cells("??????")) is None


@pytest.mark.thorough
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_rules_are_sound_alone(rule: SlideRule) -> None:
    """On every clue and line of up to 6 cells."""
    for lengths, line in clued_lines():
        right, found = truth(lengths, line), rule.settle(lengths, line)
        if found is None:
            assert right is None
        elif right is not None:
            assert all(line[cell] == UNKNOWN for cell in found)
            assert all(right[cell] == value for cell, value in found.items())


@pytest.mark.thorough
def test_rules_are_sound_together_and_find_every_filled_cell() -> None:
    missed = 0
    for lengths, line in clued_lines():
        right, found = truth(lengths, line), settled_by(RULES, lengths, line)
        assert (found is None) == (right is None)  # rule 2 finds every contradiction
        if right is None or found is None:
            continue
        settled, counts = found
        assert not any(rule.settle(lengths, settled) for rule in RULES)  # a fixpoint
        assert sum(counts.values()) == line.count(UNKNOWN) - settled.count(UNKNOWN)
        for mine, true in zip(settled, right, strict=True):
            assert mine in (true, UNKNOWN)
            assert mine == true or true == EMPTY
        missed += settled != right
    assert missed > 1000


@given(drawn=drawn_lines())
@examples(90)
def test_rules_survive_any_line(drawn: tuple[Lengths, bytes]) -> None:
    lengths, line = drawn
    right, found = truth(lengths, line), settled_by(RULES, lengths, line)
    if line:
        assert (found is None) == (right is None)
