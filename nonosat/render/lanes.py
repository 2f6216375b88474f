"""Boards of lanes: triangles and squares, with clues along their lanes.

A triddler has the clues of rows at the left, those of lanes / at the top and those of lanes \\ at
the bottom, each along its lane. On other boards a clue is left of its row or above its column if no
cell and no other clue is there; all others are listed below by the names of their lanes. Linear in
the cells and blocks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import sqrt
from typing import NamedTuple

from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import polled
from nonosat.core.model import Block
from nonosat.core.plugins import Drawing
from nonosat.core.wording import clue_text
from nonosat.puzzles.lanes.data import NO_CELL, LaneNonogram
from nonosat.puzzles.lanes.shape import Place
from nonosat.puzzles.nonogram.data import BLACK, rgb_of
from nonosat.render._style import Style
from nonosat.render.look import MARK, USUAL, Look, Theme
from nonosat.render.nonogram.blocks import RESET, code
from nonosat.render.nonogram.text import FAINT, MARKED_FILLED, is_dark
from nonosat.render.shapes import Figure, Group, Path, Point, Shape, Texts, text_width

Places = Collection[tuple[int, ...]]
HALF = 13  # half of the side of a triangle
TALL = HALF * sqrt(3)  # height of a triangle
SIDE = 20  # of a square
EDGE = 8  # margin around a drawing
SIZE = 11  # of a number
_STEP = 15  # between numbers of a clue
_UNICODE = ("△▽", "▲▼")  # empty and filled triangles


# Text


def text(puzzle: LaneNonogram, solution: Grid | None, style: Style, marked: Places = ()) -> str:
    """Return the board in characters; without a solution, also the clue of each lane."""
    is_triddler = puzzle.shape.kind == "triddler"
    width = puzzle.width * (1 if is_triddler else 2)
    picture = _picture(puzzle, solution, style, {(place[0], place[1]) for place in marked})
    lines = [remark] if (remark := style.too_wide("the board", width)) else [*picture]
    if solution is None:
        lines += ["", *_clue_lines(puzzle, puzzle.layout.names)]
    return "\n".join(lines)


def _clue_lines(puzzle: LaneNonogram, names: Collection[str]) -> Iterator[str]:
    """Yield a line for the clue of each of some lanes."""
    for name, clue in zip(puzzle.layout.names, polled(puzzle.clues), strict=True):
        if name in names:
            yield f"{name}: {clue_text(clue, puzzle.signs)}"


def _picture(
    puzzle: LaneNonogram, solution: Grid | None, style: Style, marked: set[Place]
) -> Iterator[str]:
    """Yield the rows of the board; a triangle is one character, a square is two."""
    is_triddler = puzzle.shape.kind == "triddler"
    blank = NO_CELL if is_triddler else NO_CELL * 2
    rows = [[blank] * puzzle.width for _ in range(puzzle.height)]
    values = _values(puzzle, solution)
    is_up = _points_up(puzzle) if is_triddler else set()
    for place in polled(puzzle.layout.places):
        value, is_marked = values.get(place), place in marked
        sign = _sign(puzzle, value, style, place in is_up)
        if is_marked and not style.ansi:
            sign = "?" if is_triddler else "??"
        rows[place[0]][place[1]] = _painted(puzzle, sign, value, is_marked) if style.ansi else sign
    return ("".join(row).rstrip() for row in rows)


def _sign(puzzle: LaneNonogram, value: int | None, style: Style, is_up: bool) -> str:
    """Return the characters of a cell without their colour."""
    is_shape = style.unicode and (style.ansi or len(puzzle.colours) == 1)
    if puzzle.shape.kind == "triddler":
        if is_shape and value is not None:
            return _UNICODE[value > 0][not is_up]
        return "?" if value is None else puzzle.symbols[value]
    if is_shape and value is not None:
        return "██" if value else "· "
    return "? " if value is None else f"{puzzle.symbols[value]} "


def _painted(puzzle: LaneNonogram, sign: str, value: int | None, is_marked: bool) -> str:
    """Return the characters of a cell with the escape codes of its colour."""
    if is_marked:
        return f"\x1b[{code(38, MARKED_FILLED)}m{sign}{RESET}"
    if not value:
        return f"\x1b[{code(38, FAINT)}m{sign}{RESET}"
    ink = puzzle.colours[value - 1]
    return sign if ink == BLACK else f"\x1b[{code(38, rgb_of(ink.rgb))}m{sign}{RESET}"


def _values(puzzle: LaneNonogram, solution: Grid | None) -> dict[Place, int]:
    """Return the values of the known cells by their places."""
    if solution is None:
        return {(row, column): colour for row, column, colour in puzzle.given}
    places = puzzle.layout.places
    return {place: solution[place] for place in polled(places) if solution[place] != UNKNOWN}


def _points_up(puzzle: LaneNonogram) -> set[Place]:
    """Return the places of the triangles with their point up."""
    upper_left = puzzle.shape.parts[5]  # row 0 begins in column upper_left - 1, if it is above 0
    return {place for place in puzzle.layout.places if (sum(place) + upper_left) % 2}


# Figures


class _Board(NamedTuple):
    """Cells as polygons.

    Args:
        corners: Corners of each cell.
        is_triddler: True if cells are triangles.
    """

    corners: dict[Place, list[Point]]
    is_triddler: bool


def _board(puzzle: LaneNonogram) -> _Board:
    places = puzzle.layout.places
    if puzzle.shape.kind != "triddler":
        return _Board({place: _square(*place) for place in polled(places)}, False)
    up = _points_up(puzzle)
    corners = {place: _triangle(*place, place in up) for place in polled(places)}
    return _Board(corners, True)


def _square(row: int, column: int) -> list[Point]:
    x, y = column * SIDE, row * SIDE
    return [(x, y), (x + SIDE, y), (x + SIDE, y + SIDE), (x, y + SIDE)]


def _triangle(row: int, column: int, is_up: bool) -> list[Point]:
    left, middle, right = (column * HALF, (column + 1) * HALF, (column + 2) * HALF)
    top, bottom = round(row * TALL, 2), round((row + 1) * TALL, 2)
    if is_up:
        return [(middle, top), (right, bottom), (left, bottom)]
    return [(left, top), (right, top), (middle, bottom)]


def figure(
    puzzle: LaneNonogram, solution: Grid | None, marked: Places = (), look: Look = USUAL
) -> Figure:
    """Return the board with its filled cells, and the clues along the lanes if they are drawn."""
    theme, board, values = look.theme, _board(puzzle), _values(puzzle, solution)
    is_open = solution is None or len(values) < len(board.corners)
    is_plain = puzzle.colours == (BLACK,)
    by_value: dict[int, list[Place]] = defaultdict(list)
    for place, value in polled(values.items()):
        by_value[value].append(place)
    ground = theme.board if is_plain else puzzle.background.rgb
    inks = [theme.filled] if is_plain else [ink.rgb for ink in puzzle.colours]
    shapes: list[Shape] = [Path(_outline(board, board.corners), fill=ground)]
    for value, ink in enumerate(inks, 1):
        shapes.append(Path(_outline(board, by_value[value]), fill=ink))
    if is_open:
        shapes.append(Path(_dots(board, by_value[0]), stroke=theme.faint, width=3, is_round=True))
    if not look.is_bare:
        shapes.append(Path(_outline(board, board.corners), stroke=theme.thin, width=0.8))
    there = [(place[0], place[1]) for place in marked if (place[0], place[1]) in board.corners]
    shapes += [
        Path(_frame(board), stroke=theme.frame, width=1.6, is_round=True),
        Path(_outline(board, there), fill=MARK, opacity=0.3, stroke=MARK, width=2),
    ]
    drawn = _Clues(puzzle, board, theme)
    if look.has_clues(is_open=is_open):
        shapes += drawn.shapes()
    return _fitted(shapes, board, drawn, SIZE if look.has_clues(is_open=is_open) else 0)


def _fitted(shapes: Sequence[Shape], board: _Board, drawn: _Clues, smallest: float) -> Figure:
    """Return the figure around all cells and numbers."""
    points = [point for corners in board.corners.values() for point in corners]
    points += drawn.ends
    left, top = (min(point[part] for point in points) - EDGE for part in (0, 1))
    right, bottom = (max(point[part] for point in points) + EDGE for part in (0, 1))
    size = 2 * HALF if board.is_triddler else SIDE
    return Figure([Group(shapes, -left, -top)], right - left, bottom - top, size, smallest)


def _outline(board: _Board, places: Iterable[Place]) -> str:
    """Return path data of the cells."""
    parts = []
    for place in polled(places):
        first, *others = board.corners[place]
        rest = "".join(f"L{x:g} {y:g}" for x, y in others)
        parts.append(f"M{first[0]:g} {first[1]:g}{rest}z")
    return "".join(parts)


def _frame(board: _Board) -> str:
    """Return path data of the edges that have a cell on one side alone."""
    seen: dict[tuple[Point, Point], int] = defaultdict(int)
    for corners in polled(board.corners.values()):
        for one, other in zip(corners, [*corners[1:], corners[0]], strict=True):
            seen[min(one, other), max(one, other)] += 1
    outer = (edge for edge, number in seen.items() if number == 1)
    return "".join(f"M{x:g} {y:g}L{u:g} {v:g}" for (x, y), (u, v) in outer)


def _middle(corners: Sequence[Point]) -> Point:
    x, y = (sum(corner[part] for corner in corners) / len(corners) for part in (0, 1))
    return x, y


def _dots(board: _Board, places: Iterable[Place]) -> str:
    """Return path data of a dot in each cell."""
    middles = (_middle(board.corners[place]) for place in polled(places))
    return "".join(f"M{x:g} {y:g}h0" for x, y in middles)


class _Clues:
    """Numbers of all clues, at their places.

    Attributes:
        ends: Corners of the drawn texts.
    """

    def __init__(self, puzzle: LaneNonogram, board: _Board, theme: Theme) -> None:
        self._puzzle, self._board, self._theme = puzzle, board, theme
        self._numbers: list[tuple[Point, Block | None]] = []
        self._listed: list[str] = []
        self.ends: list[Point] = []

    def shapes(self) -> Iterator[Shape]:
        """Place all clues, and yield their shapes."""
        if self._board.is_triddler:
            self._along_lanes()
        else:
            self._beside_squares()
        for (x, y), _ in self._numbers:
            self.ends += [(x - SIZE, y - SIZE), (x + SIZE, y + SIZE)]
        yield from self._painted()
        yield from self._list()

    def _along_lanes(self) -> None:
        """Place the clues of a triddler at the ends of the lanes."""
        layout = self._puzzle.layout
        corners = [self._board.corners[place] for place in layout.places]
        kinds = [kind for kind, number in enumerate(layout.groups) for _ in range(number)]
        ways = ((-1.0, 0.0), (0.5, -sqrt(3) / 2), (0.5, sqrt(3) / 2))
        for lane, kind, clue in zip(layout.lanes, kinds, polled(self._puzzle.clues), strict=True):
            end = corners[lane[-1] if kind == 2 else lane[0]]
            over, down = ways[kind]
            # The edge that the lane leaves by is the one whose middle is farthest outside.
            edges = zip(end, [*end[1:], end[0]], strict=True)
            x, y = max(
                (_middle(edge) for edge in edges), key=lambda at: at[0] * over + at[1] * down
            )
            blocks = clue if kind == 2 else clue[::-1]
            for at, block in enumerate(blocks or (None,)):
                far = 0.8 * _STEP + at * self._step
                self._numbers.append(((x + over * far, y + down * far), block))

    @property
    def _step(self) -> float:
        lengths = [block.length or 0 for clue in self._puzzle.clues for block in clue]
        return _STEP + (4 if max(lengths, default=0) > 9 else 0)

    def _beside_squares(self) -> None:
        """Place clues in free squares left of rows and above columns; list all others."""
        layout, taken = self._puzzle.layout, set(self._board.corners)
        unplaced = []
        for lane, name, clue in zip(
            layout.lanes, layout.names, polled(self._puzzle.clues), strict=True
        ):
            way = _way([layout.places[cell] for cell in lane])
            row, column = layout.places[lane[0]]
            blocks = clue[::-1] or (None,)
            squares = [
                (row - at * way[0], column - at * way[1]) for at in range(1, len(blocks) + 1)
            ]
            if way == (0, 0) or not taken.isdisjoint(squares):
                unplaced.append(name)
                continue
            taken.update(squares)
            for square, block in zip(squares, blocks, strict=True):
                self._numbers.append((_middle(_square(*square)), block))
        self._listed = [*_clue_lines(self._puzzle, set(unplaced))]

    def _painted(self) -> Iterator[Shape]:
        """Yield the numbers, in puzzles of several colours on the colours of their blocks."""
        texts: dict[str, list[tuple[float, float, str]]] = defaultdict(list)
        boxes: dict[str, str] = defaultdict(str)
        half = SIZE / 2 + 1.5
        for (x, y), block in polled(self._numbers):
            fill = self._theme.faint if block is None else self._theme.ink
            if block is not None and self._puzzle.colours != (BLACK,):
                ink = self._puzzle.colours[block.colour - 1].rgb
                boxes[ink] += f"M{x - half:g} {y - half:g}h{2 * half}v{2 * half}h{-2 * half}z"
                fill = "#ffffff" if is_dark(rgb_of(ink)) else "#000000"
            label = "0" if block is None else "?" if block.length is None else str(block.length)
            texts[fill].append((x, y + SIZE * 0.36, label))
        for ink, data in boxes.items():
            yield Path(data, fill=ink, stroke=self._theme.thin, width=0.5)
        for fill, places in texts.items():
            yield Texts(places, SIZE, fill, "middle")

    def _list(self) -> Iterator[Shape]:
        """Yield the clues that have no room beside their lanes."""
        points = [point for corners in self._board.corners.values() for point in corners]
        left, bottom = min(x for x, _ in points), max(y for _, y in points)
        lines = [
            (left, bottom + (at + 2) * SIZE * 1.4, line) for at, line in enumerate(self._listed)
        ]
        self.ends += [(x + text_width(line, SIZE), y) for x, y, line in lines]
        if lines:
            yield Texts(lines, SIZE, self._theme.ink)


def _way(places: Sequence[Place]) -> Place:
    """Return the step of a lane along a row or a column; (0, 0) for any other lane."""
    first = places[0]
    ways = [(0, 1), (1, 0)]
    for down, over in ways:
        line = [(first[0] + at * down, first[1] + at * over) for at in range(len(places))]
        if [*places] == line and len(places) > 1:
            return down, over
    return 0, 0


PLUGIN = Drawing(
    summary="triddlers and other boards of lanes, clues along the lanes", text=text, figure=figure
)
