"""A partly filled board as text, as people write it and as `show` and `solve` print it.

* Marks, a line a row: the puzzle's symbols, `#` or a block for filled if there is one colour, `x`,
  `X` or a times sign for crossed out, `?` or a blank for open. Blank lines are open rows if there
  are as many lines as rows, or if they contain blanks; others around the rows are ignored, and so
  are blanks at the ends of lines.
* The printed sheet: the cells in its frame; dots are open there, for it has no sign for them. If
  there are saved states above it, the last of them counts.
* A picture in half blocks, two rows a line; cells that are not filled are empty.

Lines of `solve` below a picture, its colours and the verdict, are ignored.

Time is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

from nonosat.core.errors import counted
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import polled
from nonosat.formats import Numbered, decode, fail, inflate, numbered
from nonosat.render.nonogram.blocks import HALVES

if TYPE_CHECKING:
    from nonosat.puzzles.nonogram import Nonogram

OPEN = "?"
_CROSSES = dict.fromkeys("xX×✕✗", 0)
_BLOCKS = dict.fromkeys("#█■▓●", 1)
_DOTS = ".·"
_RULE = re.compile(r"-*\+(?:-+\+)+\s*")
_SAVED = re.compile(r"saved state: \d+ of \d+ cells? known")
_OF_HALVES = {sign: halves for halves, sign in HALVES.items()}
_LEGEND = "colours: "
_FRAME = str.maketrans("│─┼", "|-+")
_PARTLY = "▀▄"  # signs used only by half blocks


def read_state(data: bytes, puzzle: Nonogram) -> Grid:
    """Return the state in a file.

    Args:
        data: The file's content.
        puzzle: The puzzle, which defines the size and the symbols.

    Raises:
        FormatError: There are more or fewer rows or cells, other symbols, or signs that may mean
            two things; has line and column.
    """
    lines = numbered(decode(inflate(data)))
    saved = [at for at, line in enumerate(polled(lines)) if _SAVED.fullmatch(line.text)]
    rules = [at for at, line in enumerate(polled(lines)) if _RULE.fullmatch(_ascii(line.text))]
    if saved:
        first = saved[-1] + 1
        cells = _marks(lines[first : first + puzzle.height], puzzle)
    elif rules:
        cells = _sheet(lines[rules[0] :], puzzle)
    else:
        above = _above_verdict(lines, puzzle)
        cells = (_halves if _is_in_halves(above, puzzle) else _marks)(above, puzzle)
    return Grid(puzzle.height, puzzle.width, cells)


def with_given(puzzle: Nonogram, state: Grid) -> Nonogram:
    """Return the puzzle with the known cells as given ones; PuzzleError if one contradicts them."""
    found = [(*state.place(at), cell) for at, cell in known_cells(state)]
    return replace(puzzle, given=tuple(dict.fromkeys((*puzzle.given, *found))))


def known_cells(state: Grid) -> Iterator[tuple[int, int]]:
    """Yield the known places of a state, with their values."""
    step = max(1, state.width)
    for first in polled(range(0, len(state.cells), step)):
        row = state.cells[first : first + step]
        if row.count(UNKNOWN) < len(row):
            yield from (pair for pair in enumerate(row, first) if pair[1] != UNKNOWN)


def _above_verdict(lines: Sequence[Numbered], puzzle: Nonogram) -> Sequence[Numbered]:
    """Return the lines above the report of `solve` on a picture; all if there is no report."""
    size = f", {puzzle.size}: "
    ends = (
        at
        for at, line in enumerate(polled(lines))
        if line.text.startswith(_LEGEND) or size in line.text
    )
    return lines[: next(ends, None)]


def _values(puzzle: Nonogram) -> dict[str, int]:
    """Return the value of a cell by the sign that people write for it."""
    own = {symbol: value for value, symbol in enumerate(puzzle.symbols)}
    blocks = _BLOCKS if len(puzzle.colours) == 1 else {}
    return {**_CROSSES, **blocks, **own, OPEN: UNKNOWN, " ": UNKNOWN}


def _fail_sign(sign: str, line: int, column: int, puzzle: Nonogram) -> NoReturn:
    known = " ".join(puzzle.symbols)
    fail(f"{sign!r} is not a cell, expected {known} or {OPEN} (or x, crossed out)", line, column)


def _ascii(text: str) -> str:
    """Return a line of a sheet with a frame of plain characters."""
    return text.translate(_FRAME)


def _trimmed(lines: Sequence[Numbered], most: int) -> list[Numbered]:
    """Remove blank lines at both ends, empty ones first, while there are over `most` lines."""
    kept = list(lines)
    for is_outside in (_is_empty, _is_blank):  # a line of blanks may be a row
        while len(kept) > most and is_outside(kept[-1]):
            kept.pop()
        while len(kept) > most and is_outside(kept[0]):
            kept.pop(0)
    return kept


def _is_empty(line: Numbered) -> bool:
    return not line.text


def _is_blank(line: Numbered) -> bool:
    return line.blank


# A line a row


def _marks(lines: Sequence[Numbered], puzzle: Nonogram) -> bytes:
    """Return the cells of a board that has a line for each row."""
    values, width = _values(puzzle), puzzle.width
    has_blanks = any(" " in line.text[:width] for line in polled(lines) if not line.blank)
    has_open_rows = any(line.blank and line.text for line in lines) or len(lines) == puzzle.height
    lines = _trimmed(lines, puzzle.height if has_blanks or has_open_rows else 0)
    _check_crosses(lines, values)
    cells = bytearray()
    for line in polled(lines[: puzzle.height]):
        text = line.text.rstrip()
        for column, sign in enumerate(text, start=1):
            if sign not in values:
                _fail_sign(sign, line.line, column, puzzle)
        text = text.ljust(width) if has_blanks or (line.blank and has_open_rows) else text
        if len(text) != width:
            found = f"{counted(len(text), 'cell')} in this row, expected {width}"
            fail(found, line.line, min(len(text), width) + 1)
        cells += bytes(values[sign] for sign in text)
    if len(lines) != puzzle.height:
        last = lines[puzzle.height].line if len(lines) > puzzle.height else len(lines) + 1
        fail(f"{counted(len(lines), 'row')}, expected {puzzle.height}", last)
    return bytes(cells)


def _check_crosses(lines: Sequence[Numbered], values: Mapping[str, int]) -> None:
    """Raise an error for crosses and dots without filled cells: either may then mean filled."""
    signs = {sign for line in polled(lines) for sign in line.text}
    filled = {sign for sign in signs if values.get(sign) not in (None, 0, UNKNOWN)}
    if "." not in signs or filled:
        return
    for line in polled(lines):
        for column, sign in enumerate(line.text, start=1):
            if sign in "xX" and values[sign] == 0:
                what = f"{sign!r} next to '.' may mean filled or crossed out"
                fail(f"{what}, expected # for filled cells", line.line, column)


# Output of `show` and `solve`


def _sheet(lines: Sequence[Numbered], puzzle: Nonogram) -> bytes:
    """Return the cells in the frame of a printed sheet; its first line is horizontal."""
    values, width = _values(puzzle), puzzle.width
    _, _, rule = _ascii(lines[0].text).partition("+")
    size = rule.count("-") // width
    rows = [Numbered(line.line, _ascii(line.text).rstrip()) for line in polled(lines)]
    rows = [line for line in rows if line.text.endswith("|")]
    cells = bytearray()
    for line in polled(rows[: puzzle.height]):
        first = line.text.index("|") + 1
        inside = line.text[first:].replace("|", "")
        if len(inside) != size * width:
            what = f"{len(inside)} characters in this row of the sheet, expected {size * width}"
            fail(what, line.line, first + 1)
        for at in range(0, len(inside), size):
            sign = inside[at : at + size].strip() or OPEN
            value = UNKNOWN if sign in _DOTS else values.get(sign[0])
            if value is None or set(sign) != {sign[0]}:
                _fail_sign(sign, line.line, first + at + 1, puzzle)
            cells.append(value)
    if len(rows) != puzzle.height:
        fail(f"{counted(len(rows), 'row')} in the sheet, expected {puzzle.height}", lines[0].line)
    return bytes(cells)


def _is_in_halves(lines: Sequence[Numbered], puzzle: Nonogram) -> bool:
    """True if the lines are a picture in half blocks, even if all halves are alike."""
    signs = {sign for line in polled(lines) for sign in line.text}
    are_all_alike = "█" in signs and signs <= _OF_HALVES.keys()
    num_lines = len(_trimmed(lines, 0))
    return bool(signs & set(_PARTLY)) or (are_all_alike and num_lines <= puzzle.height // 2)


def _halves(lines: Sequence[Numbered], puzzle: Nonogram) -> bytes:
    """Return the cells of a picture in half blocks; other lines around it are ignored."""
    height, width = puzzle.height, puzzle.width
    num_lines = -(-height // 2)
    of_picture = [line for line in polled(lines) if set(line.text.rstrip()) <= _OF_HALVES.keys()]
    picture = _trimmed(of_picture, num_lines)
    if len(picture) != num_lines:
        fail(f"{counted(len(picture), 'line')} of half blocks, expected {num_lines}", lines[0].line)
    cells = bytearray()
    for line in polled(picture):
        text = line.text.rstrip().ljust(width)
        if len(text) != width:
            fail(
                f"{counted(len(text), 'cell')} in this row, expected {width}", line.line, width + 1
            )
        pairs = [_OF_HALVES[sign] for sign in text]
        cells += bytes(top for top, _ in pairs) + bytes(below for _, below in pairs)
    return bytes(cells[: height * width])
