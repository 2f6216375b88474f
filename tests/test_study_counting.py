"""Document 000's counting: placements of a clue, and the cells that are fixed in all of them.

Every slip is shown with its counterexample (`slips` has the printed formulas) and the correction.
`test_documents.py` has the table of the items that each test covers.
"""

from __future__ import annotations

from itertools import product
from math import comb

import pytest

from helpers import slips
from nonosat.study._counting import (
    fixed_cells,
    gamma,
    num_fixed,
    num_placements,
    num_solutions,
    placements,
    slack,
)
from nonosat.study._lines import Lengths
from test_study_automata import clues_up_to, fillings, shown

# The document's examples on 11 cells, in its order and with its numbers of ways.
EXAMPLES: dict[Lengths, list[str]] = {
    (8,): ["########...", ".########..", "..########.", "...########"],
    (3, 5): [
        "###.#####..",
        "###..#####.",
        "###...#####",
        ".###.#####.",
        ".###..#####",
        "..###.#####",
    ],
    (2, 3, 2): [
        "##.###.##..",
        "##.###..##.",
        "##.###...##",
        "##..###.##.",
        "##..###..##",
        "##...###.##",
        ".##.###.##.",
        ".##.###..##",
        ".##..###.##",
        "..##.###.##",  # the document's second "Cách 9"
    ],
    (3,): ["." * at + "###" + "." * (8 - at) for at in range(9)],
    (3, 2): [
        "###.##.....",
        "###..##....",
        "###...##...",
        "###....##..",
        "###.....##.",
        "###......##",
        ".###.##....",
        ".###..##...",
        ".###...##..",
        ".###....##.",
        ".###.....##",
        "..###.##...",
        "..###..##..",
        "..###...##.",
        "..###....##",
        "...###.##..",
        "...###..##.",
        "...###...##",
        "....###.##.",
        "....###..##",
        ".....###.##",
    ],
    (): ["..........."],
    (11,): ["###########"],
    (3, 7): ["###.#######"],
    (2, 4, 3): ["##.####.###"],
    (1, 1, 1, 1, 1, 1): ["#.#.#.#.#.#"],
}
FIXED = {(8,): [3, 4, 5, 6, 7], (3, 5): [2, 6, 7, 8], (2, 3, 2): [5], (3,): [], (3, 2): []}


# Counting


@pytest.mark.parametrize("lengths", EXAMPLES, ids=str)
def test_the_documents_placements_in_its_order(lengths: Lengths) -> None:
    found = list(placements(lengths, 11))
    assert list(map(shown, found)) == EXAMPLES[lengths]
    assert found == fillings(lengths, 11)
    assert num_placements(lengths, 11) == len(found)


def test_example_3_has_ten_placements() -> None:
    """Slip: two of them are numbered "Cách 9"."""
    assert num_placements((2, 3, 2), 11) == len(set(EXAMPLES[2, 3, 2])) == 10


@pytest.mark.parametrize("lengths", FIXED, ids=str)
def test_the_documents_fixed_cells(lengths: Lengths) -> None:
    assert fixed_cells(lengths, 11) == FIXED[lengths]
    assert num_fixed(lengths, 11) == len(FIXED[lengths])


def test_counting_agrees_with_enumeration() -> None:
    for num_cells in range(1, 11):
        for lengths in clues_up_to(num_cells):
            found = fillings(lengths, num_cells)
            assert list(placements(lengths, num_cells)) == found
            assert num_placements(lengths, num_cells) == len(found)
            common = [i for i, values in enumerate(zip(*found, strict=True)) if set(values) == {1}]
            assert fixed_cells(lengths, num_cells) == common
            assert num_fixed(lengths, num_cells) == len(common)


@pytest.mark.parametrize("count", [num_placements, num_fixed])
def test_a_clue_that_is_too_long_has_no_placement(count) -> None:
    assert count((3, 2), 5) == 0
    assert list(placements((3, 2), 5)) == []
    assert fixed_cells((3, 2), 5) == []
    assert (gamma((3, 2)), slack((3, 2), 5)) == (6, -1)


def test_stars_and_bars_by_induction() -> None:
    """Slip: the base is n = k = 1 with the equation x_1 = 0, which does not support the induction;
    k =
    1 has one solution for every n, and t begins at 0.
    """
    for n, k in product(range(8), range(1, 8)):
        right = sum(1 for x in product(range(n + 1), repeat=k) if sum(x) == n) if k < 5 else None
        assert num_solutions(n, k) == comb(n + k - 1, k - 1)
        assert right in (None, num_solutions(n, k))
    assert [num_solutions(n, 1) for n in range(5)] == [1] * 5  # not only for n = 1
    from_1 = sum(num_solutions(3 - t, 1) for t in range(1, 4))  # "t in {1 .. n}"
    assert from_1 == 3 != num_solutions(3, 2) == 4


def test_there_is_one_gap_more_than_blocks() -> None:
    """Slip: "k = |s|"; the clue 8 would have C(3, 0) = 1 placement instead of 4."""
    n, blocks = slack((8,), 11), 1
    assert comb(n + blocks - 1, blocks - 1) == 1
    assert num_placements((8,), 11) == comb(n + blocks, blocks) == 4


def test_a_smaller_gamma_means_more_placements_of_as_many_blocks_only() -> None:
    """Claim: the smaller gamma, the more placements. It holds among clues with equally many blocks;
    the document's own examples 4 and 5 contradict it otherwise (gamma 3 with 9 placements, 6 with
    21).
    """
    by_gamma: dict[tuple[int, int], set[int]] = {}
    for lengths in clues_up_to(11):
        key = len(lengths), gamma(lengths)
        by_gamma.setdefault(key, set()).add(num_placements(lengths, 11))
    assert all(len(counts) == 1 for counts in by_gamma.values())
    for (blocks, one), (others, other) in product(by_gamma, by_gamma):
        if 0 < blocks == others and one < other:
            assert min(by_gamma[blocks, one]) > max(by_gamma[others, other])
    assert (gamma((3,)), num_placements((3,), 11)) == (3, 9)
    assert (gamma((3, 2)), num_placements((3, 2), 11)) == (6, 21)


@pytest.mark.thorough
def test_the_printed_number_of_fixed_cells_is_wrong() -> None:
    """Slip: max(0, sum s - n |s|); 307 counterexamples with |L| <= 15 and |s| <= 3."""
    assert (slips.num_fixed(7, (1, 3)), num_fixed((1, 3), 7)) == (0, 1)
    assert (slips.num_fixed(12, (1, 8)), num_fixed((1, 8), 12)) == (5, 6)
    pairs = ((m, s) for m in range(1, 16) for s in clues_up_to(m) if 0 < len(s) <= 3)
    assert sum(slips.num_fixed(m, s) != num_fixed(s, m) for m, s in pairs) == 307


def test_the_printed_fixed_interval_is_wrong() -> None:
    """Slip: [delta + n, delta + s_l] with delta = sum(s_i + i): one cell too many at the end, and
    blocks from the third on begin too late.
    """
    assert slips.fixed_interval(11, (3, 5), 1) == (2, 3)  # truth: cell 2 alone
    assert slips.fixed_interval(11, (3, 5), 2) == (6, 9)  # truth: 6 to 8
    assert fixed_cells((3, 5), 11) == [2, 6, 7, 8]
    first, _ = slips.fixed_interval(11, (2, 3, 2), 3)
    assert first - slack((2, 3, 2), 11) == 8  # delta, and 7 is right


def test_no_blocks_are_a_single_placement_too() -> None:
    """Slip: "one placement iff gamma = |L|"; without blocks gamma is -1."""
    assert gamma(()) == -1
    assert num_placements((), 11) == 1
    for num_cells in range(1, 9):
        for lengths in clues_up_to(num_cells):
            is_single = num_placements(lengths, num_cells) == 1
            assert is_single == (not lengths or gamma(lengths) == num_cells)
