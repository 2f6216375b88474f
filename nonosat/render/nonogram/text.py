"""Puzzles and solutions as text: pictures of block characters and printed sheets with clues.

Two rows of a picture make one line of text, so that cells are square. If half blocks cannot
distinguish the values (colours or marked places without escape codes), there is one
character per cell instead. Everything is linear in the cells drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from nonosat.core.errors import counted, printable
from nonosat.core.grid import UNKNOWN
from nonosat.core.limits import polled
from nonosat.core.wording import entry_text
from nonosat.puzzles.nonogram.data import Rgb, rgb_of
from nonosat.render._style import PLAIN, Style
from nonosat.render.nonogram.blocks import (
    RESET,
    TerminalScale,
    ansi_lines,
    ansi_quarters,
    code,
    fit_of,
    half_lines,
    quarter_lines,
)

if TYPE_CHECKING:
    from nonosat.core.grid import Grid
    from nonosat.core.model import Entry, OpenClue
    from nonosat.puzzles.ranges.data import AnyNonogram

Cells = Collection[tuple[int, int]]

MARKED_FILLED: Rgb = (225, 0, 130)  # disputed cells: a pink that hardly any puzzle uses
MARKED_EMPTY: Rgb = (255, 165, 215)
FAINT: Rgb = (150, 150, 150)
_LEAST = 12  # characters per line of wrapped clues
_MOST_OF_KEY = 40  # characters of a colour's name in a legend
SAMPLES = 4  # cells per side that a shrunk picture samples of each square


def is_dark(rgb: Rgb) -> bool:
    """Return True if white text is easier to read than black on `rgb` (ITU-R BT.601 luma)."""
    return 299 * rgb[0] + 587 * rgb[1] + 114 * rgb[2] < 128_000


# Pictures


def picture(puzzle: AnyNonogram, grid: Grid, style: Style = PLAIN, marked: Cells = ()) -> str:
    """Return a solution in half blocks; quarter blocks, or shrunk, if `style.width` is too narrow.

    Args:
        puzzle: Puzzle with the colours.
        grid: Cells to draw.
        style: Style of the terminal.
        marked: Cells (row, column) to mark: in pink, or as "?" without colours.
    """
    factor, columns = fit(puzzle, grid, style, marked)
    if style.ansi:
        pixels = _pixels(puzzle, grid, marked, factor)
        if columns == 1:
            return "\n".join(ansi_lines(pixels))
        blank = rgb_of(puzzle.background.rgb)
        return "\n".join(ansi_quarters(pixels, blank, (MARKED_FILLED, MARKED_EMPTY)))
    rows = _shrunk(grid, factor)
    if style.unicode and len(puzzle.colours) == 1 and not marked:
        return "\n".join(quarter_lines(rows) if columns > 1 else half_lines(rows))
    places = {(row // factor, column // factor) for row, column in polled(marked)}
    signs = puzzle.symbols
    return "\n".join(
        "".join("?" if (y, x) in places else signs[cell] for x, cell in enumerate(row))
        for y, row in enumerate(polled(rows))
    )


def fit(puzzle: AnyNonogram, grid: Grid, style: Style, marked: Cells = ()) -> TerminalScale:
    """Return the scale of a picture in this style."""
    is_halved = style.ansi or (len(puzzle.colours) == 1 and not marked)
    return fit_of(grid.width, style, has_quarters=is_halved)


def legend(puzzle: AnyNonogram) -> str:
    """Return the meaning of a coloured picture's characters: "a = red, b = blue"."""
    signs = puzzle.symbols[1:]
    named = (
        sign if sign == ink.key else f"{sign} = {printable(ink.key, _MOST_OF_KEY)}"
        for sign, ink in zip(signs, puzzle.colours, strict=True)
    )
    inks = (f"{name} ({ink.rgb})" for name, ink in zip(named, puzzle.colours, strict=True))
    return "colours: " + ", ".join(inks)


def windows(length: int, factor: int) -> list[range]:
    """Return, for each position in a shrunk picture, the rows (or columns) that it shows."""
    step = max(1, factor // SAMPLES)
    return [range(at, min(at + factor, length), step) for at in range(0, length, factor)]


def _shrunk(grid: Grid, factor: int) -> list[bytes]:
    """Return the rows of a picture shrunk by `factor`.

    A square of `factor` x `factor` cells becomes one cell: empty if more than half of it is, else
    of the commonest filled value.
    """
    if factor == 1:
        return [grid.row(row) for row in range(grid.height)]
    columns = windows(grid.width, factor)
    small = []
    for rows in polled(windows(grid.height, factor)):
        strips = [grid.row(row) for row in rows]
        small.append(bytes(_commonest([s[x] for s in strips for x in xs]) for xs in columns))
    return small


def _commonest(cells: list[int]) -> int:
    filled = [cell for cell in cells if cell]
    return max(set(filled), key=filled.count) if 2 * len(filled) >= len(cells) else 0


def _by_row(marked: Cells) -> dict[int, list[int]]:
    places: dict[int, list[int]] = {}
    for row, column in polled(marked):
        places.setdefault(row, []).append(column)
    return places


def _pixels(puzzle: AnyNonogram, grid: Grid, marked: Cells, factor: int) -> Iterator[list[Rgb]]:
    """Yield, by row, the colour of each half character: that of a cell, or a square's mean."""
    inks = [rgb_of(puzzle.background.rgb), *(rgb_of(ink.rgb) for ink in puzzle.colours)]
    places = _by_row({(row // factor, column) for row, column in marked})
    columns = windows(grid.width, factor)
    for y, rows in enumerate(polled(windows(grid.height, factor))):
        strips = [[inks[cell] for cell in grid.row(row)] for row in rows]
        if factor == 1:
            pixels = strips[0]
        else:
            pixels = [_mean([strip[x] for strip in strips for x in xs]) for xs in columns]
        for column in places.get(y, ()):  # a single disputed cell would vanish in a mean
            is_filled = factor > 1 or grid[y, column]
            pixels[column // factor] = MARKED_FILLED if is_filled else MARKED_EMPTY
        yield pixels


def _mean(colours: list[Rgb]) -> Rgb:
    red, green, blue = (sum(part) // len(colours) for part in zip(*colours, strict=True))
    return red, green, blue


# Sheets


def sheet(puzzle: AnyNonogram, style: Style = PLAIN) -> str:
    """Return the puzzle as a printed sheet: column clues stacked on top, row clues at the left.

    Given cells are drawn, all others are dots. `style.width` does not limit its width, which
    `sheet_width` returns.
    """
    return "\n".join(line.rstrip() for line in _Sheet(puzzle, style).lines())


def sheet_width(puzzle: AnyNonogram, style: Style = PLAIN) -> int:
    """Return the characters of the longest line of `sheet`."""
    layout = _Sheet(puzzle, style)
    return layout.left + 2 + puzzle.width * layout.cell + (puzzle.width - 1) // 5 + 1


def clue_text(puzzle: AnyNonogram, clue: OpenClue) -> str:
    """Return a clue in one line, without escape codes: "3 1", "2r 4b", "? 1", or "0" if it is
    empty.
    """
    signs = puzzle.symbols if len(puzzle.colours) > 1 else ""
    parts = (
        entry_text(block) + (signs[block.colour] if signs and block.colour else "")
        for block in clue
    )
    return " ".join(parts) or "0"


class _Sheet:
    """Printer of a sheet, with its measures: characters for row clues and cells, lines on top."""

    def __init__(self, puzzle: AnyNonogram, style: Style) -> None:
        self.puzzle = puzzle
        self.style = style
        self.signs = puzzle.symbols
        labels = {block: self._label(block) for clue in polled(puzzle.columns) for block in clue}
        self.cell = 1 + max(map(len, labels.values()), default=1)
        self.left = max(len(self._row_text(clue)) for clue in polled(puzzle.rows))
        self.top = max(1, *map(len, puzzle.columns))

    def _label(self, block: Entry) -> str:
        is_named = len(self.puzzle.colours) > 1 and not self.style.ansi and block.colour
        return entry_text(block) + (self.signs[block.colour] if is_named else "")

    def _row_text(self, clue: OpenClue) -> str:
        return " ".join(map(self._label, clue)) or "0"

    def _paint(self, text: str, colour: int) -> str:
        """Return a label, in its colour if the style has colours."""
        if not self.style.ansi or len(self.puzzle.colours) == 1 or not colour:
            return text
        ink = rgb_of(self.puzzle.colours[colour - 1].rgb)
        front = (255, 255, 255) if is_dark(ink) else (0, 0, 0)
        return f"\x1b[{code(38, front)};{code(48, ink)}m{text}{RESET}"

    def lines(self) -> Iterator[str]:
        """Yield all lines from top to bottom, a rule before every fifth row and at the end."""
        for level in range(self.top):
            heads = (self._head(clue, level) for clue in polled(self.puzzle.columns))
            yield " " * self.left + self._joined(heads)
        given = {(row, column): colour for row, column, colour in polled(self.puzzle.given)}
        for row, clue in enumerate(polled(self.puzzle.rows)):
            if row % 5 == 0:
                yield self._rule()
            cells = (self._cell(given.get((row, x))) for x in polled(range(self.puzzle.width)))
            painted = " ".join(self._paint(self._label(block), block.colour) for block in clue)
            padding = " " * (self.left - len(self._row_text(clue)))
            yield padding + (painted or "0") + self._joined(cells)
        yield self._rule()

    def _joined(self, cells: Iterable[str], space: str = " ", bar: str = "") -> str:
        """Return cells of one text line with a bar before every fifth and at the end."""
        bar = bar or ("│" if self.style.unicode else "|")
        parts = ((bar if x % 5 == 0 else "") + cell for x, cell in enumerate(cells))
        return space + "".join(parts) + bar

    def _rule(self) -> str:
        dash, cross = "─┼" if self.style.unicode else "-+"
        cells = [dash * self.cell] * self.puzzle.width
        return dash * self.left + self._joined(cells, dash, cross)

    def _head(self, clue: OpenClue, level: int) -> str:
        """Return the text in line `level` above a column: its clue ends at the bottom."""
        index = level - (self.top - max(len(clue), 1))
        if index < 0:
            return " " * self.cell
        text = self._label(clue[index]) if clue else "0"
        return " " * (self.cell - len(text)) + (
            self._paint(text, clue[index].colour) if clue else text
        )

    def _cell(self, value: int | None) -> str:
        """Return a given cell: filled, or crossed out; a dot if it is unknown."""
        dot, cross = "·×" if self.style.unicode else ".x"
        text = (cross if value == 0 else dot).rjust(self.cell)
        if self.style.ansi:
            ink = self.puzzle.colours[value - 1] if value else self.puzzle.background
            front = rgb_of(ink.rgb) if value else FAINT
            return f"\x1b[{code(38, front)};{code(48, rgb_of(ink.rgb))}m{text}{RESET}"
        if not value:
            return text
        if len(self.puzzle.colours) > 1:
            return self.signs[value].rjust(self.cell)
        return ("█" if self.style.unicode else "#") * self.cell


# A puzzle or a solution with everything in its file


def text(puzzle: AnyNonogram, solution: Grid | None, style: Style, marked: Cells = ()) -> str:
    """Return a solution, with remarks on how to read it below; without a solution, the puzzle.

    A puzzle is shown as its goal, if it has one, its saved states, and the printed sheet.
    """
    if solution is not None:
        return _picture(puzzle, solution, style, marked)
    parts = []
    if puzzle.goal is not None:
        parts.append(_picture(puzzle, puzzle.goal, style, ()))
    elif len(puzzle.colours) > 1 and not style.ansi:
        parts.append(legend(puzzle))
    parts += _saved(puzzle, style)
    remark = style.too_wide("the printed sheet", sheet_width(puzzle, style))
    if style.width is None or not remark:
        return "\n".join([*parts, sheet(puzzle, style)])
    for kind, clues in (("row", puzzle.rows), ("column", puzzle.columns)):
        parts += _listed(kind, clues, puzzle, style.width)
    parts.append(remark)
    return "\n".join(parts)


def _picture(puzzle: AnyNonogram, grid: Grid, style: Style, marked: Cells) -> str:
    parts = [picture(puzzle, grid, style, marked)]
    if item := fit(puzzle, grid, style, marked).description(grid.width, style):
        parts.append(item)
    if len(puzzle.colours) > 1 and not style.ansi:
        parts.append(legend(puzzle))
    return "\n".join(parts)


def _saved(puzzle: AnyNonogram, style: Style) -> list[str]:
    """Return the partial solutions that are stored with the puzzle, as pictures.

    If a terminal is too narrow for them, only their numbers of known cells are returned.
    """
    parts = []
    for state in puzzle.saved:
        known = len(state.cells) - state.cells.count(UNKNOWN)
        sentence = f"saved state: {known} of {counted(len(state.cells), 'cell')} known"
        if style.width is None or puzzle.width <= style.width:
            parts += [sentence, *state.lines(puzzle.symbols)]
        else:
            wide = f"{puzzle.width} characters wide, the terminal {style.width}"
            parts.append(f"{sentence} ({wide})")
    if parts and style.ansi and len(puzzle.colours) > 1:
        parts.append(legend(puzzle))
    return parts


def _listed(kind: str, clues: tuple[OpenClue, ...], puzzle: AnyNonogram, width: int) -> list[str]:
    """Return the clues as a list, for a terminal too narrow for the sheet; lines end at blanks."""
    from textwrap import TextWrapper  # compiles patterns that wide terminals do not need

    texts = (f"{kind} {index}: {clue_text(puzzle, clue)}" for index, clue in enumerate(clues, 1))
    shape = TextWrapper(max(width, _LEAST), subsequent_indent="  ", break_on_hyphens=False)
    return [line for text in texts for line in shape.wrap(text)]
