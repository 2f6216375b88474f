"""Puzzles and errors in the form in which page and library exchange them.

A drawn nonogram is sent as its picture, everything else as the library's own JSON; the README in
this folder describes both. Linear in the cells.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import nonosat
from nonosat.puzzles.nonogram.data import UNMISTAKABLE  # names of colours in sentences

MOST_SIDE = 200  # rows or columns of a board
LETTERS = "abcdefghijklmnop"  # colours 1 to 16 in a picture
SYMBOLS = "." + LETTERS
MOST_TEXT = 2000  # characters of a text about a puzzle
_ABOUT = ("title", "author", "copyright", "license", "source", "description")
_FAMILIES: Mapping[str, Any] = {
    "nonogram": nonosat.Nonogram,
    "slitherlink": nonosat.Slitherlink,
    "queens": nonosat.Queens,
    "knight": nonosat.Knight,
}
_LINES = (
    re.compile(r"\b(row|column) ([0-9]{1,4})\b"),  # in sentences, from 1
    re.compile(r"\b(row|column)s\[([0-9]{1,4})\]"),  # in JSON, from 0
)


def puzzle_of(sent: object) -> Any:
    """Return the puzzle that the page has sent.

    Raises:
        PuzzleError, FormatError: It is not a puzzle, or too large.
    """
    if not isinstance(sent, dict) or not sent.keys() & {"picture", "puzzle"}:
        raise nonosat.FormatError("no puzzle was sent, expected 'picture' or 'puzzle'")
    puzzle = _drawn(sent) if "picture" in sent else _clued(sent["puzzle"])
    check_room(puzzle)
    return puzzle


def check_room(puzzle: object) -> None:
    """Raise PuzzleError for puzzles that are too large for the page."""
    if why := why_no_room(puzzle):
        raise nonosat.PuzzleError(why)


def why_no_room(puzzle: object) -> str:
    """Return the reason why a puzzle is too large for the page; "" if it is not."""
    height = getattr(puzzle, "height", getattr(puzzle, "n", 0))
    width = getattr(puzzle, "width", height)
    num_colours = len(getattr(puzzle, "colours", ()))
    if max(height, width) > MOST_SIDE:
        what = f"a board of {height} x {width}, the studio has room for {MOST_SIDE} x {MOST_SIDE}"
    elif num_colours > len(LETTERS):
        what = f"a puzzle of {num_colours} colours, the studio shows at most {len(LETTERS)}"
    else:
        return ""
    return f"{what}; the command line takes more"


def _clued(data: object) -> Any:
    family = data.get("family", "nonogram") if isinstance(data, dict) else None
    if not isinstance(family, str) or family not in _FAMILIES:
        known = ", ".join(_FAMILIES)
        raise nonosat.FormatError(f"a puzzle of no family that the studio knows, expected {known}")
    return _FAMILIES[family].from_data(data)


def _drawn(sent: Mapping[str, Any]) -> nonosat.Nonogram:
    colours = sent.get("colours")
    if not isinstance(colours, dict) or "".join(colours) != LETTERS[: len(colours)] or not colours:
        raise nonosat.PuzzleError("the colours of a picture are a, b, ... to p, in this order")
    puzzle = nonosat.from_picture(
        grid_of(sent["picture"], SYMBOLS[: len(colours) + 1]),
        colours=dict(zip(UNMISTAKABLE, colours.values(), strict=False)),
        background=sent.get("background"),
        **{name: _text(sent, name) for name in _ABOUT},
    )
    if [colour.rgb for colour in puzzle.colours] == ["#000000"]:  # as in the library
        return replace(puzzle, colours=(nonosat.Colour("#", "#000000"),))
    return puzzle


def grid_of(rows: object, symbols: str = SYMBOLS) -> nonosat.Grid:
    """Return the grid of the sent rows; `?` is unknown. Raise PuzzleError if they are invalid."""
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise nonosat.PuzzleError(
            "the picture is not a list of rows, expected such as ['.a', 'b.']"
        )
    if not rows or not 0 < len(rows[0]) <= MOST_SIDE or len(rows) > MOST_SIDE:
        raise nonosat.PuzzleError(f"the picture has no cells, or a side beyond {MOST_SIDE}")
    try:
        return nonosat.Grid.of_rows(rows, symbols)
    except ValueError as error:
        raise nonosat.PuzzleError(f"this is not a picture: {error}") from error


def _text(sent: Mapping[str, Any], name: str) -> str:
    text = sent.get(name)
    if text is None:
        return ""
    if not isinstance(text, str) or len(text) > MOST_TEXT:
        raise nonosat.PuzzleError(f"the {name} is not text of at most {MOST_TEXT} characters")
    return text.encode("utf-8", "replace").decode()  # a lone surrogate cannot be written to a file


def sent_of(puzzle: Any) -> dict[str, Any]:
    """Return a puzzle in the form of the page: as its picture if that is sufficient."""
    picture = drawing_of(puzzle)
    if picture is None or puzzle.given or not is_of_goal(puzzle):
        return {"puzzle": puzzle.to_data()}
    texts = {name: getattr(puzzle.about, name) for name in _ABOUT}
    given = {name: text for name, text in texts.items() if text or name in ("title", "author")}
    return {**picture, **given}


def is_of_goal(puzzle: nonosat.Nonogram) -> bool:
    """Return True if the clues are those of the goal."""
    keys = {colour.key: colour.rgb for colour in puzzle.colours}
    drawn = nonosat.from_picture(puzzle.goal, colours=keys)
    return (drawn.rows, drawn.columns) == (puzzle.rows, puzzle.columns)


def drawing_of(puzzle: object) -> dict[str, Any] | None:
    """Return the picture of a nonogram with a goal that the page can show; else None."""
    goal = getattr(puzzle, "goal", None)
    if not isinstance(puzzle, nonosat.Nonogram) or goal is None:
        return None
    inks = zip(LETTERS, puzzle.colours, strict=False)
    return {
        "picture": goal.lines(SYMBOLS),
        "colours": {letter: colour.rgb for letter, colour in inks},
        "background": puzzle.background.rgb,
    }


def prices_of(proof: Any, file: bytes, puzzle: Any) -> dict[str, Any]:
    """Return the last price table of a proof by prices, with a price for every cell, and its bound.

    `file` is the certificate's `prices.json`: a list of rows for each colour, without the zeros at
    the end of a row. The result has the table of the first colour as `prices`, all as `layers`.
    """
    tables = json.loads(file)["tables"]
    empty: Any = {"scale": 1, "prices": [[[]] * puzzle.height] * len(puzzle.colours)}
    table = tables[-1] if tables else empty
    layers = [[_row(row, table["scale"], puzzle.width) for row in rows] for rows in table["prices"]]
    facts = {"bound": proof.bound, "distance": proof.distance, "tables": proof.num_tables}
    return {"prices": layers[0], "layers": layers, **facts}


def _row(prices: list[int], scale: int, width: int) -> list[float]:
    return [price / scale for price in prices] + [0.0] * (width - len(prices))


def is_ours(error: Exception) -> bool:
    """Return True if an error is internal, neither an error in the request nor a limit."""
    return isinstance(error, nonosat.BackendError) or not isinstance(error, nonosat.NonosatError)


def error_data(error: Exception) -> dict[str, Any]:
    """Return an error in the form of the page: fact, location and remedy separately."""
    data: dict[str, Any] = {"kind": type(error).__name__}
    if isinstance(error, nonosat.NonosatError):
        fact = error.fact() if error.remedy else str(error)
        data["message"] = error.message if isinstance(error, nonosat.FormatError) else fact
        if remedy := error.remedy:
            fields = {"kind": remedy.kind, "argument": remedy.argument, "values": remedy.values}
            data["remedy"] = fields
    else:  # no input of a user leads to it
        text = f"{data['kind']}: {error}" if str(error) else data["kind"]
        data["message"] = f"an internal error of the studio ({text}); please report it"
    if isinstance(error, nonosat.FormatError):
        data |= {"at": [error.line, error.column]} if error.line is not None else {}
    if isinstance(error, nonosat.FormatError | nonosat.PuzzleError):
        for from_one, pattern in enumerate(reversed(_LINES)):
            if found := pattern.search(str(error)):
                data["line"] = {found[1]: int(found[2]) - from_one}
    return data


def text_of(data: object) -> str:
    """Return data as JSON text; an unpaired surrogate, which UTF-8 cannot hold, becomes `?`."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace").decode()
