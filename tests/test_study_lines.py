"""Document 000's methods for one line: the recursion T, painting.

Every slip is shown with its counterexample (`slips` has the printed formulas) and the correction.
`test_documents.py` has the table of the items that each test covers.
"""

from __future__ import annotations

import pytest
from hypothesis import given

from helpers import slips
from helpers.drawing import examples
from nonosat.study._counting import fixed_cells, num_fixed
from nonosat.study._grid import score
from nonosat.study._lines import FILLED, UNKNOWN, Lengths, Meter
from nonosat.study._painting import Paint, by_branches, by_memory, by_trials, with_shortcuts
from nonosat.study._recursion import branch_nodes, completable, remembered_nodes, trial_nodes
from test_study_automata import (
    agreeing,
    cells,
    clued_lines,
    clues_up_to,
    drawn_lines,
    shown,
    truth,
)

PAINTERS = {
    "method 1": by_branches,
    "method 2": by_trials,
    "optimum": by_memory,
    "shortcuts": with_shortcuts(by_memory),
}
painters = pytest.mark.parametrize("paint", PAINTERS.values(), ids=PAINTERS.keys())

# The recursion


def t(lengths: Lengths, text: str, *, memory: bool = False) -> bool:
    return completable(cells(text), lengths, Meter(), set() if memory else None)


def test_without_blocks_all_cells_count() -> None:
    """Slip: the loops of the base case l = 0 leave out cell j, and j = 0 is always true."""
    assert slips.prose_t([2], (), 0, 0) is True
    assert slips.prose_t([0, 2], (), 1, 0) is True
    assert not t((), "#")
    assert not t((), "?#")
    assert t((), "?.")


def test_the_block_that_fills_the_prefix_reads_all_its_cells() -> None:
    """Slip: in the summary i < j where the text has i <= j."""
    assert slips.summary_t([0, 1], (2,), 1, 1) is True
    assert not t((2,), "?.")
    assert slips.prose_t([0, 1], (2,), 1, 1) is False


@pytest.mark.parametrize(("line", "text"), [([0, 0, 0], "???"), ([0], "?")])
def test_the_summary_leaves_cases_out(line: list[int], text: str) -> None:
    """Slip: l > 1 in the recursive cases, and no case for an unknown cell or for j = 0."""
    with pytest.raises(slips.UndefinedError):
        slips.summary_t(line, (1,), len(line) - 1, 1)
    assert t((1,), text)


def test_the_index_in_front_of_the_line() -> None:
    """Slip: T(., -1, 0) is not defined; no cells are left and no blocks, so it is true."""
    with pytest.raises(slips.UndefinedError):
        slips.prose_t([0, 2], (1,), 1, 1)
    assert t((1,), "?#")


def test_how_often_the_printed_formulas_fail() -> None:
    """All 19284 pairs of a line of up to 6 cells and a clue that fits: the summary is undefined
    on 13099 and wrong on 225, the text undefined on 963 and wrong on 441, T here on none.
    """
    pairs = list(clued_lines())
    assert len(pairs) == 19284
    for formula, undefined, wrong in ((slips.summary_t, 13099, 225), (slips.prose_t, 963, 441)):
        found = [0, 0]
        for lengths, line in pairs:
            try:
                said = formula(slips.coded(line), lengths, len(line) - 1, len(lengths))
            except slips.UndefinedError:
                found[0] += 1
            else:
                found[1] += said != t(lengths, shown(line))
        assert found == [undefined, wrong]


@pytest.mark.slow
def test_t_agrees_with_enumeration() -> None:
    for lengths, line in clued_lines():
        right = bool(agreeing(lengths, line))
        assert completable(line, lengths, Meter()) == right
        assert completable(line, lengths, Meter(), set()) == right


@pytest.mark.slow
def test_the_memory_bounds_the_recursion() -> None:
    """A line that cannot be completed: its nodes without a memory, and at most m |s| with one."""
    line = bytes([FILLED] * 3) + bytes([UNKNOWN]) * 30
    plain, remembering = Meter(), Meter()
    assert not completable(line, (1, 2, 1, 2, 1, 2), plain)
    assert not completable(line, (1, 2, 1, 2, 1, 2), remembering, set())
    assert remembering.steps <= 2 * 33 * 7 < 10_000 < plain.steps


@pytest.mark.parametrize("num_cells", [1, 5, 9])
def test_the_estimates_are_upper_bounds(num_cells: int) -> None:
    """Method 1 has exactly so many nodes on an untouched line, the others at most so many."""
    for lengths in clues_up_to(num_cells):
        line = bytes([UNKNOWN]) * num_cells
        meters = [Meter() for _ in range(3)]
        by_branches(line, lengths, meters[0])
        by_trials(line, lengths, meters[1])
        by_memory(line, lengths, meters[2])
        assert meters[0].steps == branch_nodes(lengths, num_cells)
        assert meters[1].steps <= trial_nodes(lengths, num_cells)
        assert meters[2].steps <= remembered_nodes(lengths, num_cells)


# Painting


@pytest.mark.thorough
@painters
def test_painting_is_complete_propagation(paint: Paint) -> None:
    """Every clue and line of up to 6 cells."""
    for lengths, line in clued_lines():
        assert paint(line, lengths, Meter()) == truth(lengths, line), (lengths, shown(line))


@painters
@given(drawn=drawn_lines())
@examples(60)
def test_painting_any_line(paint: Paint, drawn: tuple[Lengths, bytes]) -> None:
    lengths, line = drawn
    painted = paint(line, lengths, Meter())
    if line:
        assert painted == truth(lengths, line)


@painters
def test_painting_keeps_known_cells_and_completes_fixed_ones(paint: Paint) -> None:
    """Two properties that the document claims of its methods."""
    for lengths, line in clued_lines(5):
        painted = paint(line, lengths, Meter())
        if painted is None:
            continue
        for old, new in zip(line, painted, strict=True):
            assert old in (UNKNOWN, new)
        if set(line) == {UNKNOWN}:
            assert all(painted[cell] == FILLED for cell in fixed_cells(lengths, len(line)))


@pytest.mark.parametrize(
    ("line", "clue", "printed"),
    [
        ([0], (), [0]),  # no blocks: cell j stays unpainted
        ([0, 0], (2,), [1, 0]),  # the block's cells are painted white, and the last not at all
        ([0, 0], (1, 2), [1, 0]),  # no l > 1: accepted
        ([0, 0, 1, 2], (2,), [0, 0, 1, 2]),  # the loop tests cell j instead of i: accepted
        ([0, 0, 0, 2], (1, 1), [0, 0, 0, 2]),  # T instead of ToMau: the prefix is never painted
    ],
)
def test_method_1_as_printed(line: list[int], clue: Lengths, printed: list[int]) -> None:
    """Slips: incomplete results of method 1's pseudo-code on a line that it accepts."""
    text = "".join("?.#"[cell] for cell in line)
    assert slips.paint_prefix(line, clue, len(line) - 1, len(clue)) is True
    assert line == printed
    right = by_branches(cells(text), clue, Meter())
    assert right == truth(clue, cells(text))
    assert right is None or slips.coded(right) != printed


def test_method_1_paints_the_separator_and_the_prefix() -> None:
    """Slips: L_{j - s_l} is not painted, and the recursion goes on without painting."""
    assert shown(by_branches(cells("???#"), (1, 1), Meter()) or b"") == "??.#"
    assert shown(by_branches(cells("?.?#"), (1, 2), Meter()) or b"") == "#.##"


def test_method_1_if_only_the_filled_branch_is_possible() -> None:
    """Slip: that branch tests if the *other* one has painted the cell."""
    line = [0, 0, 0]
    assert slips.paint_prefix(line, (1, 1), 2, 2) is True
    assert line != [2, 1, 2]
    assert shown(by_branches(cells("???"), (1, 1), Meter()) or b"") == "#.#"


def test_method_2_starts_at_the_end_of_the_line() -> None:
    """Slip: j and l are undefined in ToMau(L, s); |L| - 1 and |s| are meant."""
    assert shown(by_trials(cells("?????"), (4,), Meter()) or b"") == "?###?"
    assert by_trials(cells("#?.??"), (3,), Meter()) is None


@pytest.mark.slow
def test_a_memory_must_not_outlive_a_trial() -> None:
    """Slip: (j, l) alone, kept between trials: on 4140 of the 19284 pairs the answer is wrong."""
    line = [0, 0]
    assert slips.paint_by_trials(line, (1,), reset=False) is False  # "contradiction"
    assert shown(by_memory(cells("??"), (1,), Meter()) or b"") == "??"
    wrong = {True: 0, False: 0}
    for lengths, known in clued_lines():
        right = truth(lengths, known)
        for reset in wrong:
            painted = slips.coded(known)
            holds = slips.paint_by_trials(painted, lengths, reset=reset)
            wrong[reset] += holds != (right is not None) or (
                right is not None and painted != slips.coded(right)
            )
    assert wrong == {True: 0, False: 4140}


@pytest.mark.parametrize(("text", "clue"), [("#", ()), (".?", (2,))])
def test_shortcuts_keep_what_is_known(text: str, clue: Lengths) -> None:
    """Slip: they overwrite given cells, and the one for gamma = |L| returns nothing."""
    line = slips.coded(cells(text))
    slips.shortcut(line, clue)
    assert line == ([1] if not clue else [2, 2])
    assert with_shortcuts(by_memory)(cells(text), clue, Meter()) is None


@pytest.mark.parametrize(
    ("text", "clue", "right"),
    [("???", (), "..."), ("???", (3,), "###"), ("?.?", (1, 1), "#.#"), ("????", (3,), "?##?")],
)
def test_shortcuts_need_no_recursion(text: str, clue: Lengths, right: str) -> None:
    meter = Meter()
    assert shown(with_shortcuts(by_memory)(cells(text), clue, meter) or b"") == right
    assert meter.steps == 0


def test_an_untouched_line_paints_up_to_all_its_cells() -> None:
    """Slip: "O(log m)"; the clue m fills m cells."""
    for num_cells in (4, 64, 256):
        assert num_fixed((num_cells,), num_cells) == num_cells
        assert num_fixed((num_cells - 1,), num_cells) == num_cells - 2


# Scores


def test_the_score_of_a_line_without_blocks() -> None:
    """Slip: n = |L| + 1, so that the easiest line has the worst score, |L|."""
    assert slips.score([0] * 6, ()) == 6
    assert score(cells("??????"), ()) == 0


def test_sorting_by_score_is_more_than_linear() -> None:
    """Slip: "sorting is O(m)"; unsorted scores take more comparisons than lines."""
    compared = 0

    class Score(int):
        def __lt__(self, other: int) -> bool:
            nonlocal compared
            compared += 1
            return int(self) < other

    scores = [Score(line * 37 % 64) for line in range(64)]
    assert sorted(scores) == list(range(64))
    assert 2 * 64 < compared <= 64 * 6


def test_the_score_of_a_finished_line() -> None:
    """Slip: 0, the best of all, though there is nothing to paint."""
    assert slips.score([2, 2, 1], (2,)) == 0
    assert score(cells("##."), (2,)) == 4 > score(cells("???"), (1,))


def test_scores_are_the_documents_otherwise() -> None:
    for lengths, line in clued_lines(5):
        if lengths and UNKNOWN in line:
            assert score(line, lengths) == slips.score(slips.coded(line), lengths)
