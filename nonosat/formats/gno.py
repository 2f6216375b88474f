"""Gnonograms' .gno: headings in brackets with the lines of each part below them.

    [Description]
    toy
    A. Person
    2026-11-27
    0
    [Dimensions]
    3
    4
    [Row clues]
    2,1
    0
    2
    [Column clues]
    ...
    [Solution grid]
    2 2 1 2
    ...

Only the first three letters of a heading count. The description has the title and, if there are
four lines, the author; the dimensions are the number of ROWS, then that of columns. Of the cells 1
is empty, 2 filled, 0 unknown. The solution is kept as the goal (and gives the clues if there are
none), the working grid as a saved state. One colour, one puzzle. Linear in the text.

Source: the readers and writers of Gnonograms (Jeremy Wootten, GPL-2+), by their behaviour.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from nonosat.core.about import About
from nonosat.core.errors import counted
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import polled
from nonosat.core.plugins import Format, FormatCapabilities
from nonosat.formats._hold import require
from nonosat.formats._lines import Numbered, NumberedLines, clue_lines, clues, numbered
from nonosat.formats._text import (
    build,
    clean,
    clues_of,
    decode,
    fail,
    number,
    plain,
    shorten,
    sized,
)
from nonosat.puzzles.nonogram.data import Nonogram

CAPABILITIES = FormatCapabilities(inks=1)

_HEADING = re.compile(r"\[\s*([A-Za-z][A-Za-z ]*)\s*\]\s*")
_MAGIC = re.compile(rb"(?:^|[\r\n])\[[ \t]*Dimensions?[ \t]*\][ \t]*[\r\n]", re.IGNORECASE)
_CELLS = {"0": UNKNOWN, "1": 0, "2": 1}
_SIGNS = {value: sign for sign, value in _CELLS.items()}


class Section(NamedTuple):
    """The line of a heading, and the lines below it."""

    line: int
    body: NumberedLines


def sniff(data: bytes) -> bool:
    """Return True if the text has a heading [Dimensions], at its beginning or with another one.

    The other heading must be that of row clues or of the solution.
    """
    if b"[" not in data or (found := _MAGIC.search(data)) is None:
        return False
    if not data[: found.start()].strip():
        return True
    return re.search(rb"[\r\n]\[[ \t]*(?i:row|sol)[A-Za-z ]*\]", data) is not None


def read(data: bytes) -> list[Nonogram]:
    """Return the one puzzle of the file."""
    parts = _parts(numbered(decode(data)))
    if "DIM" not in parts:
        fail("the heading [Dimensions] is missing, expected it above the numbers of lines", 1)
    height, width = _sizes(parts["DIM"])
    about = _about(parts)
    goal = _grid(parts["SOL"], height, width) if "SOL" in parts else None
    if goal is not None and UNKNOWN in goal.cells:
        fail("an unknown cell (0) in the solution, expected 1 or 2", parts["SOL"].line)
    state = _grid(parts["WOR"], height, width) if "WOR" in parts else None
    is_blank = state is None or state.cells.count(UNKNOWN) == len(state.cells)
    fields: dict[str, Any] = {"goal": goal, "about": about, "saved": () if is_blank else (state,)}
    line = parts["DIM"].line
    if goal is not None and not {"ROW", "COL"} & parts.keys():
        return [build(line, **clues_of(goal), **fields)]
    for key, name in (("ROW", "Row clues"), ("COL", "Column clues")):
        if key not in parts:
            fail(f"the heading [{name}] is missing, expected clues or a solution", line)
    rows, columns = (
        clues(clue_lines(parts[key].body, count, f"clues under {name}", parts[key].line), gaps=",")
        for key, count, name in (("ROW", height, "[Row clues]"), ("COL", width, "[Column clues]"))
    )
    return [build(line, rows=rows, columns=columns, **fields)]


def _parts(lines: NumberedLines) -> dict[str, Section]:
    """Return the parts by the first three letters of their headings."""
    marks = [at for at, text in enumerate(lines.texts) if text[:1] == "["]
    before = lines[: marks[0] if marks else len(lines)].full()
    if before or not marks:
        first = shorten(before.texts[0]) if before else "an empty file"
        fail(f"{first}, expected a heading such as [Dimensions]", before[0].line if before else 1)
    found: dict[str, Section] = {}
    for at, end in zip(marks, [*marks[1:], len(lines)], strict=True):
        heading = _HEADING.fullmatch(lines.texts[at])
        if heading is None:
            what = f"{shorten(lines.texts[at])}, expected a heading such as [Row clues]"
            fail(what, lines[at].line)
        key = heading[1][:3].upper()
        if key in found:
            fail(f"the heading [{heading[1]}] again, expected it once", lines[at].line)
        found[key] = Section(lines[at].line, lines[at + 1 : end])
    return found


def _sizes(part: Section) -> tuple[int, int]:
    """Return the height and the width."""
    full = part.body.full()
    if len(full) != 2:
        what = f"{counted(len(full), 'line')} under [Dimensions], expected the number of rows, then"
        fail(f"{what} that of columns", part.line)
    names = ("number of rows", "number of columns")
    height, width = (
        number(line.text.strip(), name, line.line) for line, name in zip(full, names, strict=True)
    )
    sized(height, width, part.line)
    return height, width


def _about(parts: dict[str, Section]) -> About:
    fields = {}
    if "DES" in parts:
        texts = [*map(clean, parts["DES"].body.texts), ""]
        fields["title"] = texts[0]
        if len(texts) > 4:  # a shorter one has no author
            fields["author"] = texts[1]
    if "LIC" in parts and (full := parts["LIC"].body.full()):
        fields["license"] = clean(full.texts[0])
    return About(**fields)


def _grid(part: Section, height: int, width: int) -> Grid:
    lines = part.body.full()
    if len(lines) != height:
        fail(f"{counted(len(lines), 'row')} of cells, expected {height}", part.line)
    return Grid(height, width, b"".join(_row(line, width) for line in polled(lines)))


def _row(line: Numbered, width: int) -> bytes:
    words = line.text.split()
    if len(words) != width:
        fail(f"a row of {counted(len(words), 'cell')}, expected {width}", line.line)
    if strange := [word for word in words if word not in _CELLS]:
        what = f"the cell {shorten(strange[0])}, expected 1 for empty, 2 for filled or 0"
        fail(what, line.line, line.text.index(strange[0]) + 1)
    return bytes(map(_CELLS.__getitem__, words))


def write(puzzles: Sequence[Nonogram]) -> bytes:
    """Return the file of one puzzle."""
    require("gno", CAPABILITIES, puzzles)
    puzzle = puzzles[0]
    about = puzzle.about
    lines = ["[Description]", _line(about.title), _line(about.author), "", "0"]
    if about.license:
        lines += ["[License]", _line(about.license)]
    lines += ["[Dimensions]", str(puzzle.height), str(puzzle.width)]
    for heading, side in (("[Row clues]", puzzle.rows), ("[Column clues]", puzzle.columns)):
        lines.append(heading)
        lines += [plain(clue, ",") for clue in polled(side)]
    for heading, grids in (("[Solution grid]", (puzzle.goal,)), ("[Working grid]", puzzle.saved)):
        if grids and (grid := grids[0]) is not None and set(grid.cells) != {UNKNOWN}:
            rows = map(grid.row, range(grid.height))
            lines += [heading, *(" ".join(map(_SIGNS.__getitem__, row)) for row in rows)]
    return "\n".join([*lines, ""]).encode("utf-8", "replace")


def _line(text: str) -> str:
    """Return text on a line of its own that is not a heading."""
    line = clean(text).partition("\n")[0]
    return f" {line}" if line[:1] == "[" else line


PLUGIN = Format(
    summary="Gnonograms' .gno: title, clues, solution, one saved state",
    suffixes=(".gno",),
    holds=CAPABILITIES,
    sniff=sniff,
    read=read,
    write=write,
)
