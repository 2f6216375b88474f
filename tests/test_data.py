"""Nonogram data: valid and refused values, and the verifier."""

from __future__ import annotations

import io
import json
import pickle
import random
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from typing import Any

import pytest

import nonosat
from nonosat import _core
from nonosat.batch.fingerprint import fingerprint
from nonosat.core.errors import PuzzleError
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.model import Block
from nonosat.core.result import Verdict
from nonosat.puzzles.nonogram import data
from nonosat.puzzles.nonogram.data import (
    BLACK,
    INKS,
    MAX_LENGTH,
    Colour,
    Nonogram,
    from_grid,
    mono,
)
from nonosat.puzzles.nonogram.verify import mistake, refutation
from nonosat.solving.pipeline import check

ONE = ((Block(1),),)
FLOAT: Any = 1.0
HUGE = 10**5000  # Python refuses to print it


def test_lists_and_pairs_become_tuples_of_blocks() -> None:
    loose: Any = [[(2, 1)], [[1, 1]]]
    colours: Any = [BLACK]
    given: Any = [[0, 0, 1]]
    puzzle = Nonogram(loose, loose, colours=colours, given=given)
    assert puzzle == mono([[2], [1]], [[2], [1]], given=((0, 0, 1),))
    assert hash(puzzle) == hash(mono([[2], [1]], [[2], [1]], given=((0, 0, 1),)))
    assert all(type(clue) is tuple for clue in (puzzle.rows, *puzzle.rows, puzzle.given))
    assert all(type(block) is Block for clue in puzzle.rows for block in clue)
    assert check(puzzle).verdict is Verdict.UNIQUE


def test_valid_data_are_kept_unchanged() -> None:
    rows = (ONE[0], ())
    assert Nonogram(rows, ONE).rows is rows
    assert pickle.loads(pickle.dumps(Nonogram(rows, ONE))) == Nonogram(rows, ONE)


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (None, "rows is None, expected a tuple"),
        ("11", "rows is '11'"),
        ((), "0 rows x 1 column"),
        ((1,), "the clue of row 1 is 1"),
        (("1",), "the clue of row 1 is '1'"),
        (((1,),), "row 1 has the block 1, expected Block(length, colour)"),
        (((None,),), "row 1 has the block None"),
        ((ONE[0], ((1, 1, 1),)), "row 2 has the block (1, 1, 1)"),
        (((Block(0),),), "length 0"),
        (((Block(-1),),), "length -1"),
        (((Block(True),),), "length True"),
        (((Block(FLOAT),),), "length 1.0"),
        (((("1", 1),),), "length '1'"),
        (((Block(HUGE),),), "thousands of digits"),
        (((Block(MAX_LENGTH + 1),),), "length 1000000000, expected"),
        (((Block(1, 0),),), "colour 0, expected 1 to 1"),
        (((Block(1, 2),),), "colour 2, expected 1 to 1"),
        (((Block(1, FLOAT),),), "colour 1.0"),
    ],
)
def test_bad_clues_are_refused(rows: Any, told: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        Nonogram(rows, ONE)
    assert told in str(caught.value)
    assert len(str(caught.value)) < 300
    with pytest.raises(PuzzleError):
        Nonogram(ONE, rows)


@pytest.mark.parametrize("lengths", [None, 3, [3], ["1"], [[0]], [[1.0]]])
def test_bad_lengths_are_refused(lengths: Any) -> None:
    with pytest.raises(PuzzleError):
        mono(lengths, [[1]])


@pytest.mark.parametrize(
    "fields",
    [
        {"given": 5},
        {"given": (5,)},
        {"given": ((0, 0),)},
        {"given": ((0, 0, 1, 1),)},
        {"given": ((0.0, 0, 1),)},
        {"given": ((0, 0, True),)},
        {"given": ((0, 0, HUGE),)},
        {"given": ((HUGE, 0, 1),)},
        {"given": ((0, 0, 1), (0, 0, 0))},
        {"colours": ()},
        {"colours": BLACK},
        {"colours": ("red",)},
        {"colours": (BLACK, BLACK)},
        {"background": "white"},
        {"about": "me"},
        {"goal": "1"},
        {"goal": Grid(1, 2, bytes(2))},
        {"goal": Grid(1, 1, b"\2")},
        {"goal": Grid(1, 1, b"\xff")},
        {"saved": Grid(1, 1, b"\0")},
        {"saved": ("?",)},
        {"saved": (Grid(1, 2, b"\0\0"),)},
        {"saved": (Grid(1, 1, b"\2"),)},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_everything_else_is_checked_too(fields: dict[str, Any]) -> None:
    with pytest.raises(PuzzleError) as caught:
        mono([[1]], [[1]], **fields)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(("key", "rgb"), [("", "#000000"), ("a", "red"), (1, "#000000"), ("a", 0)])
def test_bad_colours_are_refused(key: Any, rgb: Any) -> None:
    with pytest.raises(PuzzleError, match="expected a key"):
        Colour(key, rgb)


def test_the_longest_blocks_are_a_verdict() -> None:
    assert check(mono([[MAX_LENGTH] * 9], [[1]])).verdict is Verdict.UNSOLVABLE


def test_about_with_changes_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = mono([[1]], [[1]], goal=Grid(1, 1, b"\1"))
    monkeypatch.setattr(data, "_clues", None)  # clues are not checked again
    named = puzzle.about_with(id="x", title="y")
    assert (named.about.id, named.about.title, puzzle.about.id) == ("x", "y", "")
    assert (named.rows, named.columns, named.goal) == (puzzle.rows, puzzle.columns, puzzle.goal)


# The verifier


def test_short_lines_are_quoted_in_full() -> None:
    mistake = refutation(mono([[2]], [[1], [1]]), Grid(1, 2, b"\1\0"))
    assert mistake == "row 1 has the run 1, its clue is 2"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("cells", "told"),
    [
        (
            b"\1\0" * 50_000 + b"\1\1\0\0" * 25_000,
            "has the runs (49999 before) 1 2 2 2 2 2 2 2 (24993 after)",
        ),
        (
            b"\1\0" * 99_999 + bytes(2),
            "has the runs (99998 before) 1, its clue is (99998 before) 1 1",
        ),
        (bytes(200_000), "has no filled cell, its clue is 1 1 1 1 1 1 1 1 (99992 after)"),
    ],
    ids=["longer", "fewer", "none"],
)
def test_long_lines_are_quoted_where_they_differ(cells: bytes, told: str) -> None:
    puzzle = mono([[1] * 100_000], [[1], []] * 100_000)
    mistake = refutation(puzzle, Grid(1, 200_000, cells))
    assert mistake is not None
    assert told in mistake
    assert len(mistake) < 300


def test_native_code_and_messages_agree_on_wrong_lines() -> None:
    """Native code rejects a line exactly if the message about it names a mistake."""
    rng = random.Random(4)
    right = wrong = 0
    for _ in range(600):
        height, width, most = rng.randint(1, 6), rng.randint(1, 9), rng.randint(1, 3)
        cells = bytes(rng.randint(0, most) for _ in range(height * width))
        puzzle = from_grid(Grid(height, width, cells), INKS[:most])
        rows = [[Block(rng.choice([b.length, None]), b.colour) for b in row] for row in puzzle.rows]
        puzzle = Nonogram(tuple(map(tuple, rows)), puzzle.columns, puzzle.colours)
        changed = bytearray(cells)
        for _ in range(rng.randint(0, 2)):
            changed[rng.randrange(len(cells))] = rng.randint(0, most)
        grid = Grid(height, width, bytes(changed))
        lines = [*map(grid.row, range(height)), *map(grid.column, range(width))]
        told = [mistake(*pair) for pair in zip(puzzle.rows + puzzle.columns, lines, strict=True)]
        first = next((line for line, words in enumerate(told) if words), None)
        assert _core.refuted_line(grid.cells, puzzle.rows, puzzle.columns) == first
        assert (refutation(puzzle, grid) is None) == (first is None)
        right, wrong = right + (first is None), wrong + (first is not None)
    assert min(right, wrong) > 100
    with pytest.raises(ValueError, match="a byte a cell"):
        _core.refuted_line(bytes(5), ONE * 2, ONE * 3)


def test_sums_of_clues_and_their_hash() -> None:
    """Native code computes the same from clues as a few lines of Python."""
    rng = random.Random(9)
    for _ in range(100):
        most, height = rng.randint(1, 3), rng.choice([1, 7, 130])
        clues = [
            [
                (rng.choice([None, *range(1, 12)]), rng.randint(1, most))
                for _ in range(rng.randint(0, 4))
            ]
            for _ in range(height)
        ]
        rows = tuple(tuple(Block(*one) for one in clue) for clue in clues)
        puzzle = Nonogram(rows, ONE, INKS[:most])
        least, filled = _core.clue_sizes(rows, most)
        for clue, needed in zip(clues, least, strict=True):
            gaps = sum(one[1] == other[1] for one, other in pairwise(clue))
            assert needed == gaps + sum(length or 1 for length, _ in clue)
        for colour, total in enumerate(filled):
            lengths = [length for clue in clues for length, own in clue if own == colour]
            assert total == (-1 if None in lengths else sum(map(int, lengths)))
        data = {"colors": most, "rows": clues, "columns": [[[1, 1]]], "given": []}
        written = json.dumps(data, separators=(",", ":"))
        assert fingerprint(puzzle) == sha256(written.encode()).hexdigest()


TWO_INKS = {"r": "#ff0000", "b": "#0000ff"}


@pytest.mark.parametrize("strange", [3, 77, 254, UNKNOWN])
def test_a_colour_that_the_puzzle_lacks_is_named_wherever_a_picture_enters(strange: int) -> None:
    why = "an unknown cell" if strange == UNKNOWN else f"has colour {strange} in row 1, column 2"
    puzzle = nonosat.from_picture(["rb", "b."], colours=TWO_INKS)
    forged = Grid(2, 2, bytes([1, strange, 2, 0]))
    assert why in str(refutation(puzzle, forged))
    marked = replace(puzzle, given=((0, 1, 2),))
    assert why in str(refutation(marked, forged))
    with pytest.raises(nonosat.UnsupportedError, match=why):
        nonosat.encode(puzzle, io.BytesIO(), forbidden=forged)
    with pytest.raises(nonosat.PuzzleError, match=why):
        nonosat.Checker(puzzle).learn(forged)


def test_a_filled_cell_of_another_colour_is_no_run_of_the_clue() -> None:
    puzzle = nonosat.nonogram([[1]], [[1]])
    wrong = refutation(puzzle, Grid(1, 1, b"\2"))
    assert wrong == "the picture has colour 2 in row 1, column 1, expected 0 to 1"


@pytest.mark.parametrize(
    ("kind", "args"),
    [
        ("Grid", (1, 1, [0])),
        ("Grid", (1, 1, None)),
        ("Grid", ("1", 1, b"\0")),
        ("Placement", ("0",)),
        ("Placement", ((0, "a"),)),
        ("Tour", (1, 1, ("a",))),
        ("Tour", (1, None, (1,))),
        ("Path", (1, 1, [0, 0, 0, 0])),
    ],
)
def test_solutions_of_other_types_are_refused(kind: str, args: tuple[object, ...]) -> None:
    with pytest.raises(nonosat.PuzzleError, match="expected"):
        getattr(nonosat, kind)(*args)
