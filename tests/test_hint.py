"""Hints: a sound next step from states that can be completed, otherwise the wrong cells."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nonosat
from helpers.clocks import Clock
from helpers.drawing import examples
from helpers.explained import State, assert_sound
from nonosat import render
from nonosat.core.errors import FormatError, LimitReached, PuzzleError
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.result import Verdict
from nonosat.explain import Minimality, contradiction, hint
from nonosat.explain.nonogram import hinting
from nonosat.explain.nonogram.given import read_state
from nonosat.explain.nonogram.knowledge import Knowledge
from nonosat.explain.nonogram.solver import needed
from nonosat.explain.nonogram.step import Step
from nonosat.puzzles.nonogram.data import Nonogram, mono
from nonosat.testing import oracles
from nonosat.testing.strategies import puzzles

INSTANCES = Path(__file__).parent.parent / "instances"


def state_of(puzzle: Nonogram, *rows: str) -> Grid:
    return read_state("\n".join(rows).encode(), puzzle)


every = cache(oracles.solutions)  # requested several times for a puzzle


def extensions(puzzle: Nonogram, cells: bytes) -> set[bytes]:
    """Solutions that agree with a state."""
    return {
        solution
        for solution in every(puzzle)
        if all(mine in (UNKNOWN, yours) for mine, yours in zip(cells, solution, strict=True))
    }


def with_given(puzzle: Nonogram, cells: bytes) -> bytes:
    """State in which the given cells are known, too."""
    known = bytearray(cells)
    for row, column, value in puzzle.given:
        known[row * puzzle.width + column] = value
    return bytes(known)


@st.composite
def states(draw: st.DrawFn) -> tuple[Nonogram, Grid]:
    """Puzzle and some progress: of a solution or arbitrary."""
    puzzle = draw(puzzles(max_cells=20, max_colours=2))
    size = puzzle.height * puzzle.width
    solutions = sorted(every(puzzle))
    if solutions and draw(st.booleans()):
        cells = bytearray(draw(st.sampled_from(solutions)))
        for place in draw(st.sets(st.integers(0, size - 1))):
            cells[place] = UNKNOWN
    else:
        values = st.sampled_from([UNKNOWN] * 4 + list(range(len(puzzle.colours) + 1)))
        cells = bytearray(draw(st.lists(values, min_size=size, max_size=size)))
    return puzzle, Grid(puzzle.height, puzzle.width, bytes(cells))


def test_an_unsolvable_puzzle_is_reported_before_marks_that_differ_from_its_cells() -> None:
    puzzle = replace(mono([[]], [[], []]), given=((0, 1, 1),))
    found = hint(puzzle, state_of(puzzle, "?."))
    assert (found.verdict, found.wrong) == (Verdict.UNSOLVABLE, ())


@pytest.mark.slow
@given(drawn=states())
@examples(50)
def test_hints_are_true(drawn: tuple[Nonogram, Grid]) -> None:
    puzzle, grid = drawn
    found = hint(puzzle, grid)
    left = extensions(puzzle, grid.cells)
    assert (found.verdict is Verdict.UNSOLVABLE) == (not every(puzzle))
    assert found.is_wrong == (not left and found.verdict is None)
    if found.step is not None:
        state = State(puzzle)
        for place, value in enumerate(grid.cells):
            if value != UNKNOWN:
                state.may[divmod(place, puzzle.width)] = frozenset([value])
        assert_sound(state, found.step)
    elif found.verdict is Verdict.SOLVED:
        assert left == {with_given(puzzle, grid.cells)}
    elif found.verdict is Verdict.MULTIPLE:
        assert len(left) > 1
        open_places = (place for place, value in enumerate(grid.cells) if value == UNKNOWN)
        known = {place for place in open_places if len({cells[place] for cells in left}) == 1}
        assert not known
    else:
        assert_wrong(drawn, found)


def assert_wrong(drawn: tuple[Nonogram, Grid], found: nonosat.explain.Hint) -> None:
    """Check that wrong marks are wrong, and that the conflict is one, and a smallest one."""
    puzzle, grid = drawn
    solutions = every(puzzle)
    assert (found.contradiction is None) == bool(solutions)
    if not solutions:
        assert found.wrong == found.conflict == ()
        return
    filled = {divmod(at, puzzle.width): value for at, value in enumerate(grid.cells)}
    wrong = {
        (*place, value)
        for place, value in filled.items()
        if value != UNKNOWN
        and all(cells[place[0] * puzzle.width + place[1]] != value for cells in solutions)
    }
    given_values = {(row, column): value for row, column, value in puzzle.given}
    if not any(given_values.get((r, c), v) != v for r, c, v in found.wrong):
        assert set(found.wrong) == wrong
    assert found.conflict
    assert all(filled[row, column] == value for row, column, value in found.conflict)
    assert contradicts(puzzle, found.conflict, found.line)
    assert found.minimality is Minimality.SMALLEST
    for fewer in combinations(found.conflict, len(found.conflict) - 1):
        assert not contradicts(puzzle, fewer, found.line)


def contradicts(
    puzzle: Nonogram, cells: tuple[tuple[int, int, int], ...], line: int | None
) -> bool:
    """True if no solution, or no filling of the line, has these cells."""
    state = State(puzzle)
    for row, column, value in cells:
        state.may[row, column] &= {value}
    if line is not None:
        return state.supported(line) is None
    return not any(
        all(solution[r * puzzle.width + c] == v for r, c, v in cells) for solution in every(puzzle)
    )


PUZZLE = mono([[2, 1], [1], [1]], [[1], [2], [], [1, 1]])


def test_sentences() -> None:
    puzzle = mono([[2, 1], [2]], [[1], [2], [1], [1]])
    assert hint(puzzle).sentence.startswith("Row 1 (clue 2 1): wherever the blocks go, ")
    line = hint(puzzle, state_of(puzzle, "#.??", "????"))
    assert line.sentence == (
        "Row 1 (clue 2 1) cannot be completed while cell (1, 2) is empty. "
        "One mark is wrong: cell (1, 2) is not empty."
    )
    assert (line.line, line.verdict, line.is_wrong) == (0, None, True)
    hidden = hint(puzzle, state_of(puzzle, "????", "#???"))
    assert hidden.sentence == "One mark is wrong: cell (2, 1) is not filled."
    assert hidden.line is None
    solved = hint(puzzle, state_of(puzzle, "##.#", ".##."))
    assert (solved.sentence, solved.verdict) == ("The board is complete and right.", Verdict.SOLVED)


def test_ambiguous_puzzles() -> None:
    switch = mono([[1], [1]], [[1], [1]])
    found = hint(switch)
    assert found.verdict is Verdict.MULTIPLE
    assert found.sentence == "No step is left: two solutions differ in each of the 4 open cells."
    crossed = hint(switch, state_of(switch, "#?", "#?"))
    assert crossed.sentence == (
        "Column 1 (clue 1) cannot be completed while cells (1, 1) and (2, 1) are filled."
    )
    rooks = mono([[1]] * 3, [[1]] * 3)
    assert hint(rooks, state_of(rooks, "#??", "?#?", "???")).step is not None


def test_cells_that_only_together_are_wrong() -> None:
    """Two cells on different lines, each of them in some solution."""
    puzzle = mono([[1]] * 3, [[1]] * 3, given=((2, 2, 0),))
    found = hint(puzzle, state_of(puzzle, "#??", "?#?", "???"))
    assert (found.wrong, found.line) == ((), None)
    assert found.conflict == ((0, 0, 1), (1, 1, 1))
    assert found.sentence == "The clues cannot be satisfied if cells (1, 1) and (2, 2) are filled."


def test_puzzles_that_cannot_be_solved() -> None:
    puzzle = mono([[2]], [[1], []])
    unsolvable = hint(puzzle)
    assert unsolvable.sentence == "The puzzle has no solution, with or without the marks."
    assert unsolvable.contradiction == contradiction(puzzle)
    given_cell = mono([[1]], [[1], []], given=((0, 0, 1),))
    found = hint(given_cell, state_of(given_cell, ".?"))
    assert found.sentence == (
        "The puzzle gives these cells other values. One mark is wrong: cell (1, 1) is not empty."
    )
    assert (found.verdict, found.is_wrong) == (None, True)


def test_hints_begin_at_the_saved_state() -> None:
    puzzle = mono([[1]], [[1], []])
    saved = replace(puzzle, saved=(state_of(puzzle, "??"), state_of(puzzle, "#.")))
    assert hint(saved).verdict is Verdict.SOLVED
    assert hint(saved, state_of(puzzle, "??")).step is not None


@pytest.mark.parametrize("name", ["pictures.jsonl#smile", "colour.jsonl#steps-colour"])
def test_every_hint_makes_progress(name: str) -> None:
    """Hint after hint solves a puzzle, although a state does not show values that are only ruled
    out.
    """
    puzzle = nonosat.load(INSTANCES / name)
    cells = bytearray([UNKNOWN]) * (puzzle.height * puzzle.width)
    while UNKNOWN in cells:
        found = hint(puzzle, Grid(puzzle.height, puzzle.width, bytes(cells)))
        assert found.step is not None
        assert found.step.settled
        for row, column, value in found.step.settled:
            cells[row * puzzle.width + column] = value
    assert hint(puzzle, Grid(puzzle.height, puzzle.width, bytes(cells))).verdict is Verdict.SOLVED


@given(puzzle=puzzles(max_cells=20, max_colours=3))
@examples(15)
def test_steps_before_a_hint_are_its_premises(puzzle: Nonogram) -> None:
    found = hint(puzzle)
    if found.step is None:
        return
    state = State(puzzle)
    for step in (*found.before, found.step):
        assert_sound(state, step)
        assert bool(step.settled) == (step is found.step)
        assert step.sentence in found.sentence
        state.take(step)


def test_either_way_depends_on_all_lines() -> None:
    """The consequences of each value use any lines, and values that are only ruled out there."""
    known = Knowledge(mono([[]] * 3, [[]] * 3))
    far = Step("probing", (2, 5), (), ((2, 2, 1),), "Far away.")
    either = Step("either way", (0, 3), ((0, 1, 0),), (), "Either way.")
    near = Step("complete line", (0,), ((0, 1, 0),), (), "Near.")
    assert needed([far, either], known, [1]) == (far, either)
    assert needed([far, near], known, [1]) == (near,)


@pytest.mark.slow
def test_state_that_a_search_does_not_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    """The step is returned all the same, with the remark that the state may be wrong."""
    puzzle = nonosat.load(INSTANCES / "domino.jsonl#domino-14")
    empty = Grid(29, 29, bytes([UNKNOWN]) * 841)
    unsure = hint(puzzle, empty)
    assert not unsure.is_sure
    monkeypatch.setattr(hinting, "CONFLICTS", 10**6)
    found = hint(puzzle, empty)
    assert (found.is_sure, found.step) == (True, unsure.step)
    assert unsure.sentence == (
        f"{found.sentence} (A search of 3000 conflicts did not determine whether any solution "
        "agrees with the marks.)"
    )


def test_a_broken_line_is_reported_within_any_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The wrong cells are not, because they require a solution."""

    def nothing_left(*_: object) -> None:
        raise LimitReached("time limit of 1 s")

    monkeypatch.setattr(hinting, "solution_of", nothing_left)
    puzzle = mono([[2, 1], [2]], [[1], [2], [1], [1]])
    broken = hint(puzzle, state_of(puzzle, "#.??", "????"))
    assert (broken.verdict, broken.line, broken.wrong, broken.is_wrong) == (None, 0, (), True)
    assert broken.sentence == "Row 1 (clue 2 1) cannot be completed while cell (1, 2) is empty."
    hidden = hint(puzzle, state_of(puzzle, "????", "#???"))
    assert (hidden.verdict, hidden.sentence) == (Verdict.UNKNOWN, "Time limit of 1 s.")


def test_limit_is_reported(clock: Clock) -> None:
    clock.step_s = 0.01
    found = hint(nonosat.load(INSTANCES / "domino.jsonl#domino-20"), time_limit_s=0.1)
    assert (found.verdict, found.sentence) == (Verdict.UNKNOWN, "Time limit of 0.1 s.")


# States as text


def test_states_are_read() -> None:
    assert state_of(PUZZLE, "", "##.#", "?#??", "...#", "", "").cells == bytes(
        [1, 1, 0, 1, UNKNOWN, 1, UNKNOWN, UNKNOWN, 0, 0, 0, 1]
    )
    tulip = nonosat.load(INSTANCES / "colour.jsonl#tulip")
    solution = nonosat.check(tulip).solution
    assert solution is not None
    assert state_of(tulip, *solution.lines(tulip.symbols)) == solution


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("##.#\n?z??\n...#", 2, 2, "'z' is not a cell, expected . # or ? (or x, crossed out)"),
        ("XX.X\n?X??\n...X", 1, 1, "'X' next to '.' may mean filled or crossed out, expected #"),
        ("##.#\n?#?\n...#", 2, 4, "3 cells in this row, expected 4"),
        ("##.#\n?#???\n...#", 2, 5, "5 cells in this row, expected 4"),
        ("##.#\n?#??\n", 3, None, "2 rows, expected 3"),
        ("##.#\n?#??\n????\n????", 4, None, "4 rows, expected 3"),
        ("", 1, None, "0 rows, expected 3"),
        ("##.#\n\n?#??\n????", 2, 1, "0 cells in this row, expected 4"),
        ("##.\0", 1, 4, "a NUL character"),
    ],
)
def test_bad_states_are_refused(text: str, line: int, column: int | None, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_state(text.encode(), PUZZLE)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert message in caught.value.message


@pytest.mark.parametrize(
    "text",
    [
        "##x#\n?#??\nXX×#",
        "██x█\n?█??\nxxx█",
        "■■.■\n ■\n...■\n",
        "\n\n## #\n #  \n   #\n",
    ],
)
def test_usual_marks(text: str) -> None:
    cells = [1, 1, 0, 1, UNKNOWN, 1, UNKNOWN, UNKNOWN, 0, 0, 0, 1]
    if " #" in text:  # blanks are open
        cells = [value or UNKNOWN for value in cells]
    assert list(read_state(text.encode(), PUZZLE).cells) == cells


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("xXxx\n    \n    ", 0),
        ("xXxx\n    \n    \n", 0),
        ("    \nxXxx\n    \n", 1),
        ("\n\nxxxx\n", 2),
        ("xxxx\n\n\n", 0),
        ("????\n\nxxxx\n", 2),
        ("\n    \n    \nxxxx\n", 2),
        ("xxxx\n    \n    \n\n\n", 0),
        ("\n    \nxxxx\n    \n", 1),
    ],
)
def test_blank_lines_are_open_rows_if_their_number_fits(text: str, first: int) -> None:
    rows = [[UNKNOWN] * 4] * 3
    rows[first] = [0] * 4
    assert list(read_state(text.encode(), PUZZLE).cells) == [each for row in rows for each in row]


@given(puzzle=puzzles(max_cells=30, max_colours=3, saved=True), unicode=st.booleans())
@examples(15)
def test_output_of_show_is_read(puzzle: Nonogram, unicode: bool) -> None:
    """The sheet contains the given cells; saved states above it take precedence; a picture is its
    own
    state.
    """
    style = render.Style(unicode=unicode)
    size = puzzle.height * puzzle.width
    start = Grid(puzzle.height, puzzle.width, bytes(Knowledge(puzzle).cells))
    expected = puzzle.saved[-1] if puzzle.saved else start
    shown = f"a heading\n{render.text(puzzle, None, style)}\n"
    assert read_state(shown.encode(), puzzle) == expected
    picture = Grid(puzzle.height, puzzle.width, bytes([1]) + bytes(size - 1))
    if len(puzzle.colours) == 1 and puzzle.height > 1:
        drawn = f"{render.text(puzzle, picture, style)}\nheart: solved, 0.1 s\n"
        if unicode:
            assert read_state(drawn.encode(), puzzle) == picture


def test_a_picture_whose_rows_come_in_pairs_is_read() -> None:
    puzzle = mono([[2]] * 4, [[4], [4], []])
    assert read_state("██\n██\n".encode(), puzzle).cells == bytes([1, 1, 0] * 4)
    marks = "██ \n" * 4
    assert read_state(marks.encode(), puzzle).cells == bytes([1, 1, UNKNOWN] * 4)


def test_marks_in_a_sheet() -> None:
    sheet = render.text(PUZZLE, None, render.Style(unicode=True)).splitlines()
    marked = [line.replace("2 1 │ ·", "2 1 │ #") for line in sheet]
    assert marked != sheet
    cells = read_state("\n".join(marked).encode(), PUZZLE).cells
    assert cells == bytes([1]) + bytes([UNKNOWN] * 11)
    broken = [line.replace("2 1 │ ·", "2 1 │") for line in sheet]
    with pytest.raises(FormatError, match=r"6 characters in this row of the sheet, expected 8"):
        read_state("\n".join(broken).encode(), PUZZLE)
    with pytest.raises(FormatError, match=r"2 rows in the sheet, expected 3"):
        read_state("\n".join(sheet[:-2]).encode(), PUZZLE)


@given(data=st.binary(max_size=30) | st.text(" #.x?▀█│┼─+|-\n", max_size=40).map(str.encode))
@examples(50)
def test_any_bytes_are_a_state_or_refused(data: bytes) -> None:
    try:
        found = read_state(data, PUZZLE)
    except FormatError:
        return
    assert (found.height, found.width) == (3, 4)


def test_states_of_other_boards_are_refused() -> None:
    with pytest.raises(PuzzleError, match="1 row x 1 column, the puzzle 3 rows x 4 columns"):
        hint(PUZZLE, Grid(1, 1, b"\0"))
    with pytest.raises(PuzzleError, match="colour 2 in row 1, column 1, expected 0 to 1"):
        hint(PUZZLE, Grid(3, 4, bytes([2]) * 12))
