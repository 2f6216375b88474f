"""Reader of clues: each text is read correctly or refused; orders are stated; folders; time."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from helpers.drawing import examples
from nonosat import formats, solve
from nonosat.core.errors import FormatError
from nonosat.core.grid import Grid
from nonosat.puzzles.nonogram.data import Nonogram, from_grid
from nonosat.testing.strategies import grids

MANY = examples(150)
Lists = tuple[list[list[int]], list[list[int]]]


def lengths(puzzle: Nonogram) -> Lists:
    rows, columns = (
        [[block.length or 0 for block in clue] for clue in side]
        for side in (puzzle.rows, puzzle.columns)
    )
    return rows, columns


# ---- a random puzzle in random notation: one list as a text, and two lists as one


def cut(outer: str, inner: str, empty: str) -> Callable[[list[list[int]]], str]:
    """Notation: separators of clues and of blocks, and the sign of an empty line.

    The sign is empty only if the empty line is neither the first nor the last.
    """

    def dressed(side: list[list[int]]) -> str:
        clues = [inner.join(map(str, clue)) or empty for clue in side]
        clues[0], clues[-1] = clues[0] or "0", clues[-1] or "0"
        return outer.join(clues)

    return dressed


def labelled(side: list[list[int]]) -> str:
    return "\n".join(
        f"{number}. {' '.join(map(str, clue)) or '0'}" for number, clue in enumerate(side, 1)
    )


DRESSES = {
    "lines": cut("\n", " ", "0"),
    "lines of commas": cut("\n", ",", "0"),
    "lines of commas and blanks": cut("\n", ", ", "0"),
    "lines with a comma": cut(",\n", " ", "0"),
    "lines, blank where empty": cut("\n", " ", ""),
    "lines, hyphen where empty": cut("\n", " ", "-"),
    "lines far apart": cut("\n\n", " ", "0"),
    "bullets": lambda side: "- " + cut("\n- ", " ", "0")(side),
    "numbers of lines": labelled,
    "commas": cut(", ", " ", "0"),
    "commas, nothing where empty": cut(",", " ", ""),
    "commas and dots": cut(", ", ".", "0"),
    "blanks and dots": cut(" ", ".", "0"),
    "blanks and hyphens": cut(" ", "-", "0"),
    "semicolons": cut("; ", " ", "0"),
    "semicolons and commas": cut(";", ",", "0"),
    "semicolons, nothing where empty": cut(";", ",", ""),
    "slashes": cut("/", ".", ""),
    "slashes and blanks": cut(" / ", " ", "0"),
    "bars": cut(" | ", " ", "0"),
    "python": repr,
    "json": json.dumps,
    "python without blanks": lambda side: repr(side).replace(" ", ""),
    "python over lines": lambda side: repr(side).replace("], [", "],\n["),
    "python with zeros": lambda side: repr([clue or [0] for clue in side]),
    "tuples": lambda side: repr(tuple(map(tuple, side))),
    "numbers where they are alone": lambda side: repr(
        [clue[0] if len(clue) == 1 else clue for clue in side]
    ),
    "strings": lambda side: json.dumps([" ".join(map(str, clue)) for clue in side]),
    "one string": lambda side: '"' + cut(", ", " ", "0")(side) + '"',
    "blanks and commas": cut(" ", ",", "0"),
    "brackets": lambda side: " ".join(map(repr, side)),
    "brackets a line": lambda side: "\n".join(map(repr, side)),
    "curly brackets": lambda side: repr(side).replace("[", "{").replace("]", "}"),
}
HEADINGS = [
    ("Rows:", "Columns:"),
    ("rows", "cols"),
    ("ROWS", "COLUMNS"),
    ("Row clues:", "Column clues:"),
    ("Across", "Down"),
    ("horizontal:", "vertical:"),
    ("Left:", "Top:"),
    ("# rows", "# columns"),
    ("**Rows (top to bottom)**", "**Columns (left to right)**"),
    ("rows =", "columns ="),
    ('"rows":', '"columns":'),
    ("row_clues = ", "col_clues = "),
]


@st.composite
def worded(draw: st.DrawFn) -> tuple[str, Lists]:
    """Text with headings, and the lists in it."""
    lists = lengths(from_grid(draw(grids(max_cells=30, max_colours=1))))
    dress = DRESSES[draw(st.sampled_from(sorted(DRESSES)))]
    other = DRESSES[draw(st.sampled_from(sorted(DRESSES)))] if draw(st.booleans()) else dress
    if DRESSES["lines, blank where empty"] in (dress, other):  # otherwise the lists are ambiguous
        assume(any(one and two for side in lists for one, two in pairwise(side)))
    between = draw(st.sampled_from(["\n", " ", "\n\n"]))
    words = draw(st.sampled_from(HEADINGS))
    one, two = (
        head + between + each(side)
        for head, each, side in zip(words, (dress, other), lists, strict=True)
    )
    first, second = (one, two) if draw(st.booleans()) else (two, one)
    front = draw(st.sampled_from(["", "", "My puzzle\n\n", "// size 3 4?\n", "```\n"]))
    return front + first + draw(st.sampled_from(["\n", "\n\n"])) + second + "\n", lists


@pytest.mark.thorough
@MANY
@given(text=worded())
@example(text=("Rows:\n1\n\n1\nColumns:\n1\n\n0\n1\n", ([[1], [1]], [[1], [], [1]])))
def test_a_puzzle_in_any_notation_is_read_correctly_or_refused(text: tuple[str, Lists]) -> None:
    written, lists = text
    try:
        (puzzle,) = formats.read(written.encode(), name="pasted.txt")
    except FormatError:
        return
    assert lengths(puzzle) == lists


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(DRESSES))
@pytest.mark.parametrize("words", HEADINGS, ids=[rows for rows, _ in HEADINGS])
def test_every_notation_of_a_plain_puzzle_is_read(name: str, words: tuple[str, str]) -> None:
    """The test above must not pass by refusals: a puzzle without empty lines is read in each
    notation.
    """
    lists: Lists = ([[2], [5], [2, 1]], [[3], [3], [1], [2], [1]])
    pairs = zip(words, map(DRESSES[name], lists), strict=True)
    text = "".join(f"{head}\n{side}\n" for head, side in pairs)
    (puzzle,) = formats.read(text.encode(), name="pasted.txt")
    assert lengths(puzzle) == lists


@pytest.mark.thorough
@MANY
@given(
    grid=grids(max_cells=30, max_colours=1),
    name=st.sampled_from(sorted(DRESSES)),
    between=st.sampled_from(["\n\n", "\n---\n", " | ", "\n", "\n|\n"]),
)
def test_lists_without_headings_are_never_turned_in_silence(
    grid: object, name: str, between: str
) -> None:
    rows, columns = lengths(from_grid(grid))  # type: ignore[arg-type]
    assume(rows != columns)
    dress = DRESSES[name]
    data = (dress(rows) + between + dress(columns) + "\n").encode()
    with suppress(FormatError):
        found = formats.read(data, name="pasted.txt")
        assert not isinstance(found[0], Nonogram), "1 1 / 2 is a Slitherlink in the judge's format"
    for order, expected in (("rows-first", (rows, columns)), ("columns-first", (columns, rows))):
        try:
            (puzzle,) = formats.read(data, format=f"{order}:{len(expected[0])}x{len(expected[1])}")
        except FormatError:
            continue
        assert lengths(puzzle) == expected


WORDS = "rows Columns: c2 0 1 2 12 3a 5x4 words empty ``` --- // \ufeff é １ ² \u2588 None"
OTHERS = ["row 1:", "\n", "\n\n", " ", "width 3", "> "]
PIECES = st.sampled_from([*WORDS.split(" "), *OTHERS, *",;/|[](){}-.:=\"'#&*"])


@MANY
@given(pieces=st.lists(PIECES, max_size=25), name=st.sampled_from([None, "clues", "columns-first"]))
def test_any_text_is_a_puzzle_or_a_refusal(pieces: list[str], name: str | None) -> None:
    refused = None
    try:
        found = formats.read("".join(pieces).encode(), name="pasted.txt", format=name)
    except FormatError as error:
        refused = str(error)
    if refused is not None:
        assert refused.startswith("pasted.txt")
        assert len(refused) < 900
        return
    assert formats.read(formats.write(found, "jsonl"), format="jsonl") == found


# ---- decisions by size are reported; a requested order need not fit


def test_an_order_decided_by_size_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "nonosat"):
        formats.read(b"Rows: 2 1, 2\nColumns: 2, 2, 0, 1 \n", name="plain")
        formats.read(b"Rows: 1 2\nColumns: 2 1\n", name="tight")
    assert caplog.messages == ["tight: clues, read as rows 1 | 2, columns 2 | 1"]


@pytest.mark.parametrize(
    ("text", "is_said"),
    [
        ("rows:\n1\n2\n1\n1\n3\ncolumns:\n\n1 1\n5\n1\n\n", True),
        ("rows:\n1\n2\n1\n1\n3\ncolumns:\n1 1\n5\n1\n\n", True),
        ("columns:\n1 1\n5\n1\n\n\nrows:\n1\n2\n1\n1\n3\n", True),
        ("rows: 1|2|1|1|3\ncolumns: |1 1|5|1|\n", True),
        ("rows: 1|2|1|1|3\ncolumns: |1 1|5|1\n", True),
        ("rows: |1|2|1|1|3|\ncolumns: |1 1|5|1|\n", False),
        ("rows:\n\n1\n2\n1\n1\n3\n\ncolumns:\n\n1 1\n5\n1\n\n", False),
        ("rows:\n1\n2\n1\n1\n3\ncolumns:\n1 1\n5\n1\n", False),
        ("rows:\n1\n2\n1\n1\n3\ncolumns:\n1 1\n5\n1", False),
        ("rows:\n```\n1\n2\n1\n1\n3\n```\n\ncolumns:\n```\n1 1\n5\n1\n```\n", False),
        ("rows: 1, 2, 1, 1, 3\n\n\ncolumns: 1 1, 5, 1\n\n\nThanks!\n", False),
    ],
)
def test_blank_ends_that_may_be_empty_clues_are_reported(
    text: str, is_said: bool, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "nonosat"):
        (puzzle,) = formats.read(text.encode(), name="pasted.txt")
    assert lengths(puzzle) == ([[1], [2], [1], [1], [3]], [[1, 1], [5], [1]])
    said = "pasted.txt: clues, read as rows 1 | 2 | 1 | 1 | 3, columns 1 1 | 5 | 1, without empty "
    assert [each.startswith(said) for each in caplog.messages] == [True] * is_said


@pytest.mark.parametrize(
    ("text", "rows", "columns"),
    [
        ("rows:\n2\n1\n1\ncolumns:\n1\n1\n1\n", [[2], [1], [1]], [[1], [1], [1]]),
        ("Rows: 2, 1, 1\nColumns: 1, 1, 1\n", [[2], [1], [1]], [[1], [1], [1]]),
        ("Rows: 2 1; 2\nColumns: 2; 1; 1\n", [[2, 1], [2]], [[2], [1], [1]]),
        ("Rows: 3, 1 1, 3\nColumns: 3, 1, 3\n", [[3], [1, 1], [3]], [[3], [1], [3]]),
        ("rows = [[2, 1], []]\ncolumns = [[1], [1], [1], [2]]", [[2, 1], []], [[1], [1], [1], [2]]),
        ("Row 1: 2\nRow 2: 2\nColumn 1: 1\nColumn 2: 2\n", [[2], [2]], [[1], [2]]),
        ("Rows: 2a 1b, 1b\nColumns: 1a, 1b, 2b\n", [[2, 1], [1]], [[1], [1], [2]]),
    ],
)
def test_clues_below_headings_that_contradict_each_other_are_a_puzzle(
    text: str, rows: list[list[int]], columns: list[list[int]]
) -> None:
    (puzzle,) = formats.read(text.encode())
    assert lengths(puzzle) == (rows, columns)
    assert solve(puzzle).verdict.value == "unsolvable"


def test_sizes_are_no_clues() -> None:
    for text in ("Rows: 10\nColumns: 10\n", "rows: 150\ncolumns: 4\n"):
        with pytest.raises(FormatError, match=r"needs 1.*cells.*format='clues'"):
            formats.read(text.encode())


def test_an_order_against_the_headings_is_refused() -> None:
    text = b"Columns: 1, 1 1, 1, 1\nRows: 2 1, 0, 2\n"
    with pytest.raises(FormatError, match="columns-first; use format='clues'"):
        formats.read(text, format="rows-first")
    assert formats.read(text, format="columns-first") == formats.read(text)


def test_line_ends_of_other_systems_and_a_mark_of_order() -> None:
    text = "Rows:\n2 1\n0\n2\nColumns:\n1\n1 1\n1\n1\n"
    expected = formats.read(text.encode())
    for line_end in ("\r\n", "\r"):
        data = b"\xef\xbb\xbf" + text.replace("\n", line_end).encode()
        assert formats.read(data) == expected


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("Rows: 3, 1 1, 3\nColumns: 3, ?, 3\n", 2, 13),
        ("Rows:\n3\n1 1\nhere is more\n3\nColumns: 3, 1 1, 3\n", 4, 1),
        ("rows = [[3], [1, 1], [3]\ncols = [[3], [1, 1], [3]]\n", 1, 8),
        ("Rows: 1 0 1, 2\nColumns: 2, 1, 1\n", 1, 7),
        ("Row 1: 1\nRow 3: 1\nColumn 1: 2\n", 2, 1),
        ("Rows: 2\nColumns: 3\n", 1, 7),
    ],
)
def test_errors_name_the_place(text: str, line: int, column: int) -> None:
    with pytest.raises(FormatError) as caught:
        formats.read(text.encode(), name="pasted.txt")
    assert (caught.value.line, caught.value.column) == (line, column)


# ---- folders: only unmistakable puzzles


def test_a_folder_takes_clear_texts_alone(tmp_path: Path) -> None:
    texts = {
        "a.txt": "Rows: 1, 2\nColumns: 2, 1\n",
        "b.txt": "#.\n##\n",
        "c.txt": "Rows: 1, 2\nColumns: 2, 2\n",  # a mistake, but no prose
        "notes.txt": "Call Anna, 5551234.\nThere are 3 rows and 4 columns.\n",
        "shape.txt": "rows: 150\ncolumns: 4\n",
        "numbers.txt": "3 1 4 1 5\n",
        "turned.txt": "2 1\n0\n2\n\n1\n1 1\n1\n1\n",  # its format is known only with --from
        "empty.txt": "",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    found = [(Path(name).name, item) for name, item in formats.iter_sources([tmp_path])]
    assert [name for name, _ in found] == ["a.txt", "b.txt", "c.txt"]
    assert lengths(found[0][1]) == ([[1], [2]], [[2], [1]])
    assert lengths(found[2][1]) == ([[1], [2]], [[2], [2]])


# ---- two readings


def puzzle_in(text: str) -> Nonogram | None:
    """Return the puzzle of a text on standard input; None if it is refused."""
    try:
        (puzzle,) = formats.read(text.encode(), name="-")
    except FormatError:
        return None
    return puzzle if isinstance(puzzle, Nonogram) else None


def board_texts(lines: list[str]) -> dict[str, str]:
    """Return a board as people write it, by separators of cells."""
    every = {
        sign or "nothing": "\n".join(sign.join(line) for line in lines) for sign in ("", *", ;\t")
    }
    return {**every, "comma and blank": "\n".join(", ".join(line) for line in lines)}


def clue_texts(puzzle: Nonogram) -> list[str]:
    """Return the clues without headings as people write them, rows first."""
    sides = [
        [[str(block.length) for block in clue] or ["0"] for clue in side]
        for side in (puzzle.rows, puzzle.columns)
    ]
    most = max(len(clue) for side in sides for clue in side)
    padded = [[clue + ["0"] * (most - len(clue)) for clue in side] for side in sides]
    found = []
    for block, clue, lists in (
        (" ", "\n", "\n"),
        (",", "\n", "\n"),
        (" ", ",", "\n"),
        (",", ";", "\n"),
    ):
        for some in (sides, padded):
            found.append(lists.join(clue.join(map(block.join, side)) for side in some) + "\n")
    found.append(f"{puzzle.width} {puzzle.height}\n{found[0]}")
    return found


@pytest.mark.thorough
@given(grid=grids(max_cells=12, max_colours=1))
@example(grid=Grid(2, 5, b"\1" * 10))
@example(grid=Grid(2, 3, bytes(6)))
@example(grid=Grid(4, 1, b"\1" * 4))
@example(grid=Grid(4, 2, b"\1\0" * 4))
@examples(150)
def test_a_board_is_never_read_as_another_puzzle(grid: Grid) -> None:
    puzzle = from_grid(grid)
    for text in board_texts(list(grid.lines("01"))).values():
        found = puzzle_in(text + "\n")
        assert found is None or (found.rows, found.columns) == (puzzle.rows, puzzle.columns), text


@pytest.mark.thorough
@given(grid=grids(max_cells=12, max_colours=1))
@examples(150)
def test_clues_are_never_read_as_another_board(grid: Grid) -> None:
    puzzle = from_grid(grid)
    for text in clue_texts(puzzle):
        found = puzzle_in(text)
        assert found is None or (found.rows, found.columns) == (puzzle.rows, puzzle.columns), text


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("1,1,1,1,1\n1,1,1,1,1\n", "csv, rows-first:5x5"),
        ("1 1 1 1 1\n1 1 1 1 1\n", "picture, rows-first:5x5"),
        ("0,0,0\n0,0,0\n", "csv, rows-first:3x3"),
        ("1\n1\n1\n1\n", "picture, rows-first:"),
        ("1,0\n1,0\n1,0\n1,0\n", "csv, rows-first:2x2"),
    ],
)
def test_cells_that_may_be_clues_are_refused_with_the_ways(text: str, names: str) -> None:
    with pytest.raises(FormatError, match=f"format=: {names}"):
        formats.read(text.encode(), name="-")
    for name in names.replace("first:", "first:1x1" if names.endswith(":") else "first:").split(
        ", "
    ):
        assert formats.read(text.encode(), format=name)


# ---- names of lists


@pytest.mark.parametrize(
    "text",
    [
        "x = [[2, 1], []]\ny = [[1], [], [1], [1]]\n",
        "a: [[2,1],[]]; b: [[1],[],[1],[1]]",
        "clue_a := {{2, 1}, {}}\nclue_b := {{1}, {}, {1}, {1}}",
        '{"p": [[2, 1], []],\n "q": [[1], [], [1], [1]]}',
        "x =\n2 1\n0\ny =\n1\n0\n1\n1\n",
        "x: 2 1, 0\ny: 1, 0, 1, 1\n",
    ],
)
def test_two_names_are_headings_if_the_order_is_given(text: str) -> None:
    expected = ([[2, 1], []], [[1], [], [1], [1]])
    (rows_first,) = formats.read(text.encode(), format="rows-first")
    assert lengths(rows_first) == expected
    (columns_first,) = formats.read(text.encode(), format="columns-first")
    assert lengths(columns_first) == expected[::-1]


def test_two_names_do_not_decide_the_order() -> None:
    with pytest.raises(FormatError, match="format=: rows-first:2x2, columns-first:2x2"):
        formats.read(b"x = [[2], [1]]\ny = [[1], [2]]\n")
    (puzzle,) = formats.read(b"x = [[2], [1]]\ny = [[2], [1]]\n")
    assert lengths(puzzle) == ([[2], [1]], [[2], [1]])


# ---- letters


def test_letters_are_numbers_if_the_text_declares_them() -> None:
    text = "A = 1\nBA 0 B\nA AA A A\n"
    expected = ([[2, 1], [], [2]], [[1], [1, 1], [1], [1]])
    (puzzle,) = formats.read(text.encode(), format="rows-first")
    assert lengths(puzzle) == expected
    headed = "# A=1, B=2\nColumns: A AA A A\nRows: BA - B\n"
    assert lengths(formats.read(headed.encode())[0]) == expected


@pytest.mark.parametrize(("rows", "columns"), [("rows", "columns"), ("ROWS", "COLUMNS")])
def test_letters_may_have_a_line_for_each_clue(rows: str, columns: str) -> None:
    text = f"A = 1\n{rows}\nBA\n-\nB\n{columns}\nA\nAA\nA\nA\n"
    expected = ([[2, 1], [], [2]], [[1], [1, 1], [1], [1]])
    assert lengths(formats.read(text.encode())[0]) == expected


def test_letters_are_refused_with_advice() -> None:
    with pytest.raises(FormatError, match="write the line 'A = 1' in front"):
        formats.read(b"B A\nB A\n", name="letters.txt")


# ---- time: linear, for texts of any signs

SHAPES = {
    "lines": lambda n: "Rows:\n" + "1 1\n" * n + "Columns:\n" + "1\n0\n" * n,
    "numbers": lambda n: "1 " * n,
    "zeros": lambda n: "0\n" * n,
    "brackets": lambda n: "rows=[" + "[1]," * n + "]\ncols=[" + "[1]," * n + "]",
    "open": lambda n: "1" + "[" * n,
    "quotes": lambda n: "1" + '"' * n,
    "blank lines": lambda n: "rows\n" + "\n" * n + "1\n" + "\n" * n + "columns\n1",
    "headings": lambda n: "rows " * n + "1",
    "directions": lambda n: "1 rows " + "from top to " * n,
    "labels": lambda n: "".join(f"Row {number}: 1\n" for number in range(1, n)),
    "separators": lambda n: "1" + ";" * n + "," * n + "/" * n,
    "hyphens": lambda n: "1" + "-" * n + "- " * n,
    "comments": lambda n: "1 " + " #a" * n + "\n# a" * n,
    "sizes": lambda n: "5x5 " * n + "width 5 " * n,
    "misfits": lambda n: "rows: " + "1, " * 300 + "9999\ncolumns: " + "1, " * n,
}


@pytest.mark.real_time
@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(SHAPES))
def test_time_is_linear(name: str) -> None:
    """Ten times the text takes far less than a hundred times the time."""

    def taken(n: int) -> float:
        data = SHAPES[name](n).encode()
        start = time.process_time()
        with suppress(FormatError):
            formats.read(data)
        return time.process_time() - start

    taken(10)
    few = max(min(taken(750), taken(750)), 0.004)
    assert any(taken(7_500) < 60 * few for _ in range(2))  # once, if nothing else is at work
