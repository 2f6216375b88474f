"""Native English of explanations equals that of `nonosat.core.wording`, of which it has a copy."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nonosat import _core
from nonosat.core.model import Block
from nonosat.core.wording import lines_listed, listed, ranged, sentence
from nonosat.explain.nonogram.words import Words
from nonosat.puzzles.nonogram.data import Colour, Nonogram
from nonosat.render.nonogram.text import clue_text

SIDE = 12
CLUES = [(), (Block(2),), (Block(None), Block(3))] * 8


def words() -> _core.Words:
    return _core.Words(SIDE, SIDE, ["empty", "filled"], False, CLUES)


@given(places=st.lists(st.integers(0, SIDE * SIDE - 1), min_size=1, max_size=8, unique=True))
def test_lists_of_cells(places: list[int]) -> None:
    named = [f"({place // SIDE + 1}, {place % SIDE + 1})" for place in places]
    text = f"{'cell' if len(places) == 1 else 'cells'} {listed(named)}"
    verb = "is" if len(places) == 1 else "are"
    assert words().scattered([(place, 1) for place in places], []) == f"{text} {verb} filled"


@given(length=st.integers(1, 9), data=st.data())
def test_ranges_of_cells(length: int, data: st.DataObject) -> None:
    """A rule names the cells that overlapping placements cover."""
    width = data.draw(st.integers(length, 2 * length - 1))
    clue = (Block(length),)
    names = _core.Words(1, width, ["empty", "filled"], False, [clue, *[()] * width])
    found = _core.settled_by("ranges", width, clue, [b"\1" * width] * 2, names)
    assert found is not None
    cells = range(width - length, length)
    what = f"{'cell' if len(cells) == 1 else 'cells'} {ranged(cells)}"
    assert found[1].startswith(f"row 1 (clue {length}): wherever the block goes, it covers {what}")


def test_lines_with_their_clues() -> None:
    for line, clue in enumerate(CLUES):
        text = " ".join("?" if length is None else str(length) for length, _ in clue) or "0"
        assert words().line(line) == f"{lines_listed([line], SIDE)} (clue {text})"


def test_clues_in_colours() -> None:
    """Short, if keys are signs; in words otherwise."""
    rows = ((Block(2, 1), Block(None, 2)), ())
    columns = ((Block(1, 1),), (Block(1, 1),), (Block(1, 2),))
    inks = (Colour("r", "#ff0000"), Colour("b", "#0000ff"))
    puzzle = Nonogram(rows, columns, inks)
    assert Words(puzzle).clue(0) == clue_text(puzzle, rows[0]) == "2r ?b"
    named = Nonogram(rows, columns, (Colour("red", "#ff0000"), Colour("blue", "#0000ff")))
    assert Words(named).clue(0) == "2 red, ? blue"
    assert Words(named).clue(1) == "0"


def test_marks_that_are_wrong() -> None:
    many = [(place, place % 2) for place in range(14)]
    text = words().wrong(many)
    assert text.startswith("14 marks are wrong: cells (1, 2), (1, 4)")
    assert text.endswith(" are not empty and 2 more.")
    assert words().wrong([(0, 1)]) == sentence("one mark is wrong: cell (1, 1) is not filled")
