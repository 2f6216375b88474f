"""Public functions with values of wrong kinds: an error of the library, never one from inside."""

from __future__ import annotations

import inspect
import io
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy
import pytest

import nonosat
from nonosat.explain.hinting import Hint
from nonosat.puzzles.nonogram.grids import grid_of

CORNER = nonosat.nonogram([[2], [1]], [[1], [2]], goal=["##", ".#"])
TWO = nonosat.from_picture(["#.", ".#"])
RESULT = nonosat.solve(CORNER)
WRONG: dict[str, Any] = {
    "list": [["x", object()]],
    "empty": [],
    "ragged": [[1], [1, 0]],
    "text": "nonsense",
    "number": 7,
    "nothing": None,
    "mapping": {"rows": 1},
    "queens": nonosat.Queens(4),
    "slitherlink": nonosat.slitherlink(["3"]),
    "result": RESULT,
    "nonogram": CORNER,
    "grid": nonosat.Grid(2, 2, bytes([9, 0, 0, 255])),
    "edges": nonosat.Edges.unknown(1, 1),
}
# Functions of a puzzle or a picture; the value comes first.
OF_PUZZLES = sorted(
    name
    for name in dir(nonosat)
    if inspect.isfunction(getattr(nonosat, name))
    and next(iter(inspect.signature(getattr(nonosat, name)).parameters), "")
    in {"puzzle", "puzzles", "what", "first"}
)
FURTHER: dict[str, tuple[Any, ...]] = {
    "reason": (0, 0),
    "decode": ("s UNSATISFIABLE",),
    "encode": (io.BytesIO(),),
    "diff": (TWO,),
}


def called(function: Callable[..., Any], *args: Any, **named: Any) -> None:
    """Call a function; errors of the library are answers, all others fail the test."""
    with suppress(nonosat.NonosatError):
        found = function(*args, **named)
        if inspect.isgenerator(found):
            next(found, None)


@pytest.mark.slow
@pytest.mark.parametrize("kind", WRONG)
@pytest.mark.parametrize("name", OF_PUZZLES)
def test_a_value_in_place_of_a_puzzle(name: str, kind: str, tmp_path: Path) -> None:
    further = FURTHER.get(name, ())
    if name in {"draw", "draw_book", "save"}:
        further = (tmp_path / "file.svg",)
    called(getattr(nonosat, name), WRONG[kind], *further)


@pytest.mark.parametrize("kind", WRONG)
@pytest.mark.parametrize(
    "call",
    [
        lambda value: nonosat.hint(CORNER, value),
        lambda value: nonosat.hint(nonosat.slitherlink(["3"]), value),
        lambda value: nonosat.diff(CORNER, value),
        lambda value: nonosat.Checker(value),
        lambda value: nonosat.Checker(TWO).learn(value),
        lambda value: nonosat.Checker(TWO).set(value, 0, 1),
        lambda value: nonosat.encode(CORNER, io.BytesIO(), forbidden=value),
        lambda value: nonosat.encode(nonosat.Queens(4), io.BytesIO(), forbidden=value),
        lambda value: nonosat.repair(TWO, keep=value),
        lambda value: nonosat.reason(CORNER, value, 0),
        lambda value: nonosat.reason(CORNER, 0, value),
        lambda value: nonosat.decode(CORNER, value),
        lambda value: nonosat.from_picture(value),
        lambda value: nonosat.nonogram(value, [[1]]),
        lambda value: nonosat.nonogram([[1]], [[1]], goal=value),
        lambda value: nonosat.nonogram([[1]], [[1]], given=value),
        lambda value: nonosat.slitherlink(value),
        lambda value: nonosat.loads(value),
        lambda value: nonosat.verify(value),
        lambda value: nonosat.solve_model(value),
        lambda value: list(nonosat.enumerate_model(value)),
        lambda value: nonosat.Queens(value),
        lambda value: nonosat.Queens(4, given=value),
        lambda value: nonosat.Knight(value, 4),
        lambda value: nonosat.Knight(4, 4, given=value),
        lambda value: nonosat.Grid(2, 2, value),
        lambda value: nonosat.Grid(value, 2, b""),
        lambda value: nonosat.Placement(value),
        lambda value: nonosat.Tour(1, 1, value),
        lambda value: nonosat.Path(1, 1, value),
        lambda value: nonosat.Edges(1, 1, value),
    ],
)
def test_a_value_in_place_of_another(call: Callable[[Any], Any], kind: str) -> None:
    called(call, WRONG[kind])


STATES: list[Any] = [
    [["?", "?"], ["?", "?"]],
    ["??", "??"],
    [[None, None], [None, None]],
    [[255, 255], [255, 255]],
    (("?", None), "??"),
    numpy.full((2, 2), 255, dtype=numpy.uint8),
    "??\n??",
]


@pytest.mark.parametrize("state", STATES, ids=repr)
def test_an_empty_state_in_every_form(state: Any) -> None:
    expected: Hint = nonosat.hint(CORNER, nonosat.Grid.unknown(2, 2))
    found = nonosat.hint(CORNER, state)
    assert (found.sentence, found.step, found.given) == (
        expected.sentence,
        expected.step,
        expected.given,
    )


PICTURES: list[Any] = [
    [".#", "#."],
    [[0, 1], [1, 0]],
    [[".", "#"], ["#", "."]],
    numpy.array([[0, 1], [1, 0]]),
    numpy.array([[0, 1], [1, 0]]) > 0,
    ((False, True), (True, False)),
]


@pytest.mark.parametrize("picture", PICTURES, ids=repr)
def test_a_picture_in_every_form(picture: Any) -> None:
    grid = nonosat.Grid(2, 2, bytes([0, 1, 1, 0]))
    assert nonosat.diff(TWO, picture).switches == (((0, 0), (0, 1), (1, 0), (1, 1)),)
    assert nonosat.Checker(picture).picture == grid
    nonosat.Checker(TWO).learn(picture)
    files = [io.BytesIO(), io.BytesIO()]
    for file, forbidden in zip(files, (grid, picture), strict=True):
        nonosat.encode(TWO, file, forbidden=forbidden)
    assert files[0].getvalue() == files[1].getvalue()
    assert nonosat.repair(picture) == nonosat.repair(grid)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (" #\n# ", ".# #."),
        (" #\n#", ".# #."),
        ("  \n##", ".. ##"),
        ("\n##", ".. ##"),
        ("##\n  \n", "## .."),
        ("\n     #\n    #\n    ", ".# #."),
        ("\n    .#\n    #.\n", ".# #."),
        ("  \n  ", ".. .."),
        ("\n    ??\n    #?\n", "?? #?"),
        ([" #", "# "], ".# #."),
        (["  ", "##"], ".. ##"),
        (["  ", "  "], ".. .."),
    ],
)
def test_text_that_begins_with_empty_cells(text: Any, rows: str) -> None:
    puzzle = nonosat.nonogram([[None]] * 2, [[None]] * 2)
    grid = grid_of(text, puzzle, name="the state", has_unknown=True)
    assert str(grid).split() == rows.split()
    if isinstance(text, list):
        assert grid_of(text, name="the picture", has_unknown=True) == grid


def test_a_picture_that_begins_with_empty_cells() -> None:
    for text in (" #\n# ", "\n #\n# \n", [" #", "#"], [[" ", "#"], ["#", " "]]):
        assert str(nonosat.from_picture(text).goal).split() == [".#", "#."]
    three = nonosat.from_picture("   \n # \n   ")
    assert str(three.goal).split() == ["...", ".#.", "..."]
    assert nonosat.nonogram([1, 1], [1, 1], goal=" #\n# ").goal == nonosat.Grid(2, 2, b"\0\1\1\0")


def test_messages_give_the_valid_form() -> None:
    with pytest.raises(nonosat.NotAPuzzleError, match="the picture of a result is its `solution`"):
        nonosat.hint(CORNER, RESULT)
    with pytest.raises(nonosat.PuzzleError, match="row 2 of the state has 1 cell, the first row 2"):
        nonosat.hint(CORNER, [[0, 0], [0]])
    for grid, says in [
        ([[1, 0], [2, 0]], r"the second picture has colour 2 in row 2, column 1, expected 0 to 1"),
        (nonosat.Grid(2, 2, b"\3\0\0\0"), "the second picture has colour 3 in row 1, column 1"),
    ]:
        with pytest.raises(nonosat.PuzzleError, match=says):
            nonosat.diff(TWO, grid)
        with pytest.raises(nonosat.PuzzleError, match=says.replace("second", "first")):
            nonosat.diff(grid, TWO)
    no_rows, no_cells = "the picture is empty, expected rows", r"row 1 of the picture is \[\]"
    for empty, says in (([], no_rows), ([""], no_rows), ([[]], no_cells)):
        with pytest.raises(nonosat.PuzzleError, match=says):
            nonosat.nonogram([[1]], [[1]], goal=empty)
        with pytest.raises(nonosat.PuzzleError, match=says):
            nonosat.from_picture(empty)
    with pytest.raises(nonosat.PuzzleError, match="row 1 of the state has the cell 'y', expected"):
        nonosat.hint(CORNER, [["y", 0], [0, 0]])


def test_integers_of_numpy_are_whole_numbers():
    numpy = pytest.importorskip("numpy")
    one, zero = numpy.int64(1), numpy.int64(0)
    assert nonosat.Placement((one, zero)) == nonosat.Placement((1, 0))
    assert nonosat.Grid(one, 2, b"\0\1") == nonosat.Grid(1, 2, b"\0\1")
    nonosat.Checker([[one, zero]])
    with pytest.raises(nonosat.PuzzleError, match="expected a list of whole numbers"):
        nonosat.Placement((True,))
