"""Puzzles from Python values, and messages about invalid values."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nonosat
from nonosat.core.errors import NonosatError, PuzzleError
from nonosat.puzzles.nonogram.data import Nonogram, from_grid, mono

CUP = mono([[1, 1], [3], []], [[2], [1], [2]])
FLAG = nonosat.nonogram(
    [[(2, "r"), (1, "b")]], [[(1, "r")], [(1, "r")], [(1, "b")]], colours={"r": "red", "b": "#00f"}
)


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ([[1, 1], [3], []], [[2], [1], [2]]),
        ([(1, 1), (3,), ()], ((2,), (1,), (2,))),
        ([[1, 1], 3, 0], [2, 1, 2]),
        (["1 1", "3", "0"], ["2", "1", " 2 "]),
        (["1,1", "3", ""], ["2", "1", "2"]),
        ([[1, 1], [3], [0]], [[2], [1], [2]]),
        (iter([[1, 1], [3], []]), (clue for clue in ([2], [1], [2]))),
        ([np.array([1, 1]), [np.int64(3)], np.array([], int)], np.array([2, 1, 2])),
        ([range(1, 2), [3], []], [[2], [1], [2]]),
        (CUP.rows, CUP.columns),
    ],
)
def test_clues_of_all_sorts_are_read(rows: Any, columns: Any) -> None:
    if isinstance(rows, list) and isinstance(rows[0], range):
        rows[0] = [1, 1]
    assert nonosat.nonogram(rows, columns) == CUP


def test_blocks_of_unknown_length() -> None:
    puzzle = nonosat.nonogram([[None, 1], "? 1"], [[None], [None], []])
    assert puzzle == mono([[None, 1], [None, 1]], [[None], [None], []])


def test_colours_given_cells_goal_and_metadata() -> None:
    assert FLAG.colours == (nonosat.Colour("r", "#ff0000"), nonosat.Colour("b", "#0000ff"))
    assert str(nonosat.solve(FLAG).solution) == "##a"
    same = nonosat.nonogram(
        FLAG.rows,
        FLAG.columns,
        colours={"r": "#f00", "b": "blue"},
        background="#eee",
        given={(0, 2): "b", (np.int64(0), 0): 1},
        goal="rrb",
        title="flag",
        author="me",
        id="f",
    )
    assert same.given == ((0, 2, 2), (0, 0, 1))
    assert same.goal == nonosat.Grid(1, 3, b"\1\1\2")
    assert same.background.rgb == "#eeeeee"
    assert (same.about.title, same.about.author, same.about.id) == ("flag", "me", "f")
    assert nonosat.nonogram([[1]], [[1]], given=[(0, 0, True)], goal=["#"]).goal is not None
    assert nonosat.nonogram([[1]], [[1]], given=[[0, 0, "#"]]).given == ((0, 0, 1),)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: nonosat.nonogram("1 1", [[1]]), "the rows are '1 1', expected a list of clues"),
        (lambda: nonosat.nonogram([[1]], None), "the columns are None"),
        (lambda: nonosat.nonogram({1: [1]}, [[1]]), "expected a list of clues, one a row"),
        (lambda: nonosat.nonogram([], [[1]]), "0 rows"),
        (lambda: nonosat.nonogram([[1], None], [[1]]), "row 2 is None; [None] is one block"),
        (lambda: nonosat.nonogram([[1]], [[1], [1, 0]]), "column 2 has a block 0, expected"),
        (lambda: nonosat.nonogram([[-1]], [[1]]), "row 1 has a block -1"),
        (lambda: nonosat.nonogram([[1.0]], [[1]]), "row 1 has a block 1.0"),
        (lambda: nonosat.nonogram([[True]], [[1]]), "row 1 has a block True"),
        (lambda: nonosat.nonogram(["1 x"], [[1]]), "row 1 has 'x', expected lengths"),
        (lambda: nonosat.nonogram([["1"]], [[1]]), "row 1 has a block '1'"),
        (lambda: nonosat.nonogram([[(1, "r")]], [[1]]), "row 1 has a block of colour 'r'"),
        (lambda: nonosat.nonogram([[(1, 2, 3)]], [[1]]), "expected (length, key)"),
        (lambda: nonosat.nonogram([[2]], [[1]] * 2, colours={"a": "red", "b": "tan"}), "without a"),
        (lambda: nonosat.nonogram([[1]], [[1]], colours={"a": "reddish"}), "'a' is 'reddish'"),
        (lambda: nonosat.nonogram([[1]], [[1]], colours={}), "colours are {}"),
        (lambda: nonosat.nonogram([[1]], [[1]], background=7), "the background is 7"),
        (lambda: nonosat.nonogram([[1]], [[1]], given=[(0, 0)]), "the given cell (0, 0)"),
        (lambda: nonosat.nonogram([[1]], [[1]], given={(0, 0): "q"}), "the given cell"),
        (lambda: nonosat.nonogram([[1]], [[1]], given={0: 1}), "the given cell (0, 1)"),
        (lambda: nonosat.nonogram([[1]], [[1]], given=3), "given is 3"),
        (lambda: nonosat.nonogram([[1]], [[1]], goal=["##"]), "the goal is 1 row x 2 columns"),
        (lambda: nonosat.from_picture([]), "the picture is empty"),
        (lambda: nonosat.from_picture(""), "the picture is empty"),
        (lambda: nonosat.from_picture([[1, 0], [1]]), "row 2 of the picture has 1 cell,"),
        (lambda: nonosat.from_picture([[1, None]]), "the picture has unknown cells"),
        (lambda: nonosat.from_picture([[]]), "row 1 of the picture is []"),
        (lambda: nonosat.from_picture([[1, 0.5]]), "row 1 of the picture has the cell 0.5"),
        (lambda: nonosat.from_picture(np.full((2, 2), 255)), "write picture < 128"),
        (lambda: nonosat.from_picture(np.zeros((2, 2, 3))), "row 1 of the picture has the cell"),
        (lambda: nonosat.from_picture(np.array([1, 0])), "row 1 of the picture is 1"),
        (lambda: nonosat.from_picture(7), "the picture is 7, expected"),
        (lambda: nonosat.from_picture("x?"), "not a picture"),
        (lambda: nonosat.from_picture("#.\n#"), "not a picture"),
        (lambda: nonosat.from_picture([["a"]]), "has the cell 'a'"),
        (lambda: nonosat.from_picture("ab", colours={"a": "red"}), "has the cell 'b'"),
        (lambda: nonosat.slitherlink(["3", "33"]), "expected 1 as in row 1"),
        (lambda: nonosat.slitherlink(["9"]), "the clue '9'"),
    ],
)
def test_invalid_puzzles_are_reported_with_their_place(make: Callable[[], Any], told: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        make()
    assert told in str(caught.value)
    assert len(str(caught.value)) < 300


def test_unknown_arguments_are_type_errors() -> None:
    with pytest.raises(TypeError, match="takes no 'colors'; it is spelt 'colours' here"):
        nonosat.nonogram([[1]], [[1]], colors={"a": "red"})
    with pytest.raises(TypeError, match="takes no 'titel'"):
        nonosat.from_picture("#", titel="x")
    with pytest.raises(TypeError, match="title is 7"):
        nonosat.slitherlink(["."], title=7)  # type: ignore[arg-type]


PICTURE = nonosat.Grid(2, 3, bytes([0, 1, 0, 1, 1, 1]))


@pytest.mark.parametrize(
    "picture",
    [
        PICTURE,
        ".#.\n###",
        ".#.\n###\n",
        "\n    .#.\n    ###\n  ",
        [".#.", "###"],
        (" # ", "###"),
        "_X_\nXXX",
        "010\n111",
        [[0, 1, 0], [1, 1, 1]],
        [[False, True, False], [True] * 3],
        [[".", "#", "."], ["#", "#", "#"]],
        [[0.0, 1.0, 0.0], [1, 1, 1]],
        np.array([[0, 1, 0], [1, 1, 1]]),
        np.array([[0, 1, 0], [1, 1, 1]], bool),
        np.array([[0.0, 1, 0], [1, 1, 1]]),
        (row for row in [[0, 1, 0], [1, 1, 1]]),
    ],
    ids=lambda picture: type(picture).__name__,
)
def test_pictures_of_all_sorts_are_read(picture: Any) -> None:
    assert nonosat.from_picture(picture) == from_grid(PICTURE)


def test_pictures_in_colours() -> None:
    named = {"a": "red", "b": "blue"}
    by_key = nonosat.from_picture("ab.\nb..", colours=named, title="t")
    assert by_key == nonosat.from_picture([[1, 2, 0], [2, 0, 0]], colours=named, title="t")
    assert [colour.rgb for colour in by_key.colours] == ["#ff0000", "#0000ff"]
    assert len(nonosat.from_picture([[1, 2, 3]]).colours) == 3
    assert nonosat.from_picture("ab").goal == nonosat.from_picture([["a", "b"]], colours=named).goal
    many = nonosat.from_picture([[*range(255)]])
    assert len({colour.key for colour in many.colours}) == 254
    assert nonosat.from_picture("#.", colours={"#": "tan"}).colours[0].rgb == "#d2b48c"
    assert nonosat.from_picture([[0, 0]]).colours == CUP.colours
    assert nonosat.from_picture("..\n..").goal == nonosat.Grid(2, 2, bytes(4))


# Files and texts


def test_save_refuses_to_replace_unless_requested(tmp_path: Path) -> None:
    path = tmp_path / "cup.json"
    nonosat.save(CUP, path)
    with pytest.raises(FileExistsError, match="force=True"):
        nonosat.save(FLAG, path)
    assert nonosat.load(path).rows == CUP.rows
    nonosat.save([FLAG], str(path), force=True)
    assert nonosat.load(path).rows == FLAG.rows
    nonosat.save(FLAG, tmp_path / "other", format="jsonl")
    assert nonosat.load(tmp_path / "other", "jsonl").rows == FLAG.rows
    with pytest.raises(NonosatError, match="suffix"):
        nonosat.save(CUP, tmp_path / "cup.unknown")
    with pytest.raises(OSError, match="nowhere"):
        nonosat.save(CUP, tmp_path / "nowhere" / "cup.json")
    assert {one.name for one in tmp_path.iterdir()} == {"cup.json", "other"}


def test_texts_are_read_and_written() -> None:
    text = nonosat.dumps(CUP)
    assert json.loads(text)["rows"] == [[1, 1], [3], []]
    assert nonosat.loads(text).rows == nonosat.loads(text.encode()).rows == CUP.rows
    assert nonosat.loads(nonosat.dumps(CUP, "non"), "non").columns == CUP.columns
    both = nonosat.dumps([CUP, FLAG], "jsonl")
    with pytest.raises(nonosat.FormatError, match="2 puzzles, expected one"):
        nonosat.loads(both)
    with pytest.raises(TypeError, match="expected text"):
        nonosat.loads(Path("a.non"))  # type: ignore[arg-type]
    with pytest.raises(NonosatError, match="no puzzle to write"):
        nonosat.dumps([])


# Functions that take a puzzle

QUESTIONS: dict[str, Callable[[Any], Any]] = {
    **{
        name: getattr(nonosat, name)
        for name in (
            "solve",
            "check",
            "is_unique",
            "solutions",
            "count",
            "sample",
            "backbone",
            "estimate",
            "why_multiple",
        )
    },
    **{name: getattr(nonosat, name) for name in ("explain", "rate", "hint", "prove", "dumps")},
    "reason": lambda puzzle: nonosat.reason(puzzle, 0, 0),
    "encode": lambda puzzle: nonosat.encode(puzzle, io.BytesIO()),
    "decode": lambda puzzle: nonosat.decode(puzzle, "s UNSATISFIABLE"),
    "save": lambda puzzle: nonosat.save(puzzle, "never"),
}
WRITE = {
    "a.non": "write nonosat.load('a.non')",
    Path("a.non"): "write nonosat.load('a.non')",
    ".#\n#.": "write nonosat.loads(text)",
    ((1,), (1,)): "write nonosat.nonogram(rows, columns)",
    PICTURE: "write nonosat.from_picture(picture)",
    nonosat.Model(1): "for nonosat.solve_model",
    None: "nonosat.load reads one",
    7: "nonosat.load reads one",
    Nonogram: "nonosat.load reads one",
}


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("wrong", WRITE, ids=str)
def test_other_values_raise_a_type_error_with_advice(
    question: str, wrong: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if question in ("save", "dumps") and isinstance(wrong, tuple | nonosat.Grid):
        wrong, told = [wrong], WRITE[wrong]  # by itself it is a list, whose items are no puzzles
    else:
        told = WRITE[wrong]
    with pytest.raises(TypeError) as caught:
        QUESTIONS[question](wrong)
    assert isinstance(caught.value, NonosatError)
    assert told in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ([[1], [1]], "write nonosat.nonogram(rows, columns)"),
        ([CUP, FLAG], "it holds puzzles; pass one of them"),
        ({"rows": [[1]]}, "write nonosat.Nonogram.from_data(data)"),
        (np.zeros((2, 2)), "write nonosat.from_picture(picture)"),
        (nonosat.check(CUP), "is its `puzzle`"),
    ],
    ids=["lists", "puzzles", "data", "array", "result"],
)
def test_further_invalid_values(wrong: Any, told: str) -> None:
    with pytest.raises(nonosat.NotAPuzzleError) as caught:
        nonosat.check(wrong)
    assert told in str(caught.value)


def test_is_unique_never_guesses() -> None:
    assert nonosat.is_unique(CUP)
    assert not nonosat.is_unique(nonosat.nonogram([[1], [1]], [[1], [1]]))
    assert not nonosat.is_unique(nonosat.nonogram([[3]], [[1]]))
    large = nonosat.nonogram([[1]] * 60, [[1]] * 60)
    with pytest.raises(nonosat.LimitReached, match="not decided: time limit"):
        nonosat.is_unique(large, time_limit_s=1e-9)


# Files for other solvers


def test_encode_and_decode(tmp_path: Path) -> None:
    path = tmp_path / "cup.cnf"
    nonosat.encode(CUP, path)
    with pytest.raises(FileExistsError, match="force=True"):
        nonosat.encode(CUP, str(path))
    before = path.read_bytes()
    nonosat.encode(CUP, path, encoding={"line": "automaton"}, force=True)
    assert path.read_bytes() != before
    stream = io.BytesIO()
    nonosat.encode(CUP, stream)
    assert stream.getvalue() == before
    with pytest.raises(nonosat.UnsupportedError, match="formulations"):
        nonosat.encode(CUP, tmp_path / "other.cnf", formulation={"line": "starts"})
    with pytest.raises(nonosat.UnsupportedError, match="suffix"):
        nonosat.encode(CUP, tmp_path / "other.exe")
    solution = nonosat.solve(CUP).solution
    values = " ".join(str(at if cell else -at) for at, cell in enumerate(solution.cells, start=1))
    answer = tmp_path / "answer.txt"
    answer.write_text(f"s SATISFIABLE\nv {values} 0\n")
    assert nonosat.decode(CUP, answer).solution == solution
    assert nonosat.decode(CUP, answer.read_text()).verdict is nonosat.Verdict.SOLVED
    forbidding = io.BytesIO()
    nonosat.encode(CUP, forbidding, forbidden=solution)
    assert len(forbidding.getvalue()) > len(before)
    with pytest.raises(nonosat.UnsupportedError, match="not a solution"):
        nonosat.encode(CUP, io.BytesIO(), forbidden=nonosat.Grid(3, 3, bytes(9)))
    with pytest.raises(nonosat.LimitReached):
        nonosat.encode(nonosat.nonogram([[1]] * 300, [[1]] * 300), stream, time_limit_s=1e-9)
    assert nonosat.decode(CUP, "s UNSATISFIABLE").verdict is nonosat.Verdict.UNSOLVABLE


def test_the_content_of_an_exported_file_can_be_chosen(tmp_path: Path) -> None:
    nonosat.encode(CUP, tmp_path / "cup.xml")
    nonosat.encode(CUP, tmp_path / "cup.txt", to="xcsp3")
    stream = io.BytesIO()
    nonosat.encode(CUP, stream, to="xcsp3")
    named = {(tmp_path / name).read_bytes() for name in ("cup.xml", "cup.txt")}
    assert named == {stream.getvalue()}
    with pytest.raises(nonosat.UnsupportedError, match="unknown target 'smt'"):
        nonosat.encode(CUP, stream, to="smt")
    with pytest.raises(nonosat.UnsupportedError, match="neither encodings nor formulations"):
        nonosat.encode(CUP, stream, to="mzn", encoding={"line": "automaton"})
    with pytest.raises(nonosat.UnsupportedError, match="its formulations can be chosen"):
        nonosat.encode(CUP, tmp_path / "cup.pb", encoding={"line": "automaton"})
