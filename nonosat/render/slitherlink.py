"""Pictures of Slitherlinks: the exact frame that document 002 asks for, and figures.

The frame has 4 columns of characters and 2 lines for each cell. A corner is `+` where the path
turns, `-` or `|` where it goes straight on. Places that stand out are cells, `?` behind the clue,
and edges (row, column, row, column) between two corners, `?` on them. Linear in the board.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from nonosat.plugins import Drawing
from nonosat.puzzles.slitherlink.data import Path as Loop
from nonosat.puzzles.slitherlink.data import Slitherlink
from nonosat.render._style import Style
from nonosat.render.look import MARK, USUAL, Look, Theme
from nonosat.render.shapes import Figure, Group, Path, Shape, Texts

Places = Collection[tuple[int, ...]]

SIDE = 24  # pixels of a cell
EDGE = 6  # beside the board
SIZE = 14  # of a clue
INSIDE, LINE = ("#dceaf7", "#22364a"), ("#00539c", "#6db3f2")  # on light and on dark paper
_CORNERS = {
    (0, 0): " ",
    (0, 2): "-",
    (2, 0): "|",
    (1, 1): "+",
}  # by the edges on the path: up and down, left and right
_ANSI = ("\x1b[1;36m", "\x1b[0m")  # the path, where colours can be shown


def text(puzzle: Slitherlink, solution: Loop | None, style: Style, marked: Places = ()) -> str:
    """The frame with clues, and the path where there is one; a remark where it is too wide."""
    path = solution or Loop(puzzle.height, puzzle.width, bytes(_num_edges(puzzle)))
    width = 4 * puzzle.width + 1
    if remark := style.too_wide("the frame", width + 4):
        return remark
    body = [*_lines(puzzle, path, set(marked))]
    if style.ansi:
        body = [_coloured(line) for line in body]
    bar, gap = "#" * (width + 4), f"#{' ' * (width + 2)}#"
    return "\n".join([bar, gap, *(f"# {line} #" for line in body), gap, bar])


def _num_edges(puzzle: Slitherlink) -> int:
    return 2 * puzzle.height * puzzle.width + puzzle.height + puzzle.width


def _coloured(line: str) -> str:
    """The path in colour; clues are digits and stay as they are."""
    start, end = _ANSI
    parts = []
    for char in line:
        parts.append(f"{start}{char}{end}" if char in "+-|" else char)
    return "".join(parts).replace(end + start, "")


def _lines(puzzle: Slitherlink, path: Loop, marked: set[tuple[int, ...]]) -> Iterator[str]:
    nothing = bytes(puzzle.width + 1)
    above = nothing
    for row in range(puzzle.height + 1):
        below = path.vertical(row) if row < puzzle.height else nothing
        yield _corner_line(row, path.horizontal(row), above, below, marked)
        if row < puzzle.height:
            yield _cell_line(puzzle, row, below, marked)
        above = below


def _corner_line(
    row: int, edges: bytes, above: bytes, below: bytes, marked: set[tuple[int, ...]]
) -> str:
    """Corners and the edges between them."""
    parts = []
    left = 0
    for column, right in enumerate([*edges, 0]):
        ways = above[column] + below[column], left + right
        line = "-" if right else " "
        sign = "?" if (row, column, row, column + 1) in marked else line
        parts.append(f"{_CORNERS.get(ways, '+')}{line}{sign}{line}")
        left = right
    return "".join(parts)[:-3]


def _cell_line(puzzle: Slitherlink, row: int, edges: bytes, marked: set[tuple[int, ...]]) -> str:
    """Clues and the edges between them."""
    parts = []
    for column in range(puzzle.width):
        clue = puzzle[row, column]
        shown = " " if clue is None else str(clue)
        mark = "?" if (row, column) in marked else " "
        parts.append(f"{_upright(row, column, edges, marked)} {shown}{mark}")
    return "".join(parts) + _upright(row, puzzle.width, edges, marked)


def _upright(row: int, column: int, edges: bytes, marked: set[tuple[int, ...]]) -> str:
    if (row, column, row + 1, column) in marked:
        return "?"
    return "|" if edges[column] else " "


def figure(
    puzzle: Slitherlink, solution: Loop | None, marked: Places = (), look: Look = USUAL
) -> Figure:
    """The board with its clues, the inside of the path shaded, the path drawn as one line."""
    theme = look.theme
    line = "" if solution is None else _outline(solution)
    side = SIDE - 8
    cells, edges = (sorted(place for place in marked if len(place) == size) for size in (2, 4))
    squares = (f"M{x * SIDE + 4} {y * SIDE + 4}h{side}v{side}h-{side}z" for y, x in cells)
    others = (f"M{x * SIDE} {y * SIDE}L{u * SIDE} {v * SIDE}" for y, x, v, u in edges)
    shapes: list[Shape] = [
        Path(line, fill=INSIDE[theme.is_dark]),
        Path("".join(squares), fill=MARK, opacity=0.3, stroke=MARK, width=2),
        _clues(puzzle, theme),
        Path(_dots(puzzle), stroke=theme.faint, width=3, is_round=True),
        Path(line, stroke=LINE[theme.is_dark], width=3, is_round=True),
        Path("".join(others), stroke=MARK, width=2, dash=4),
    ]
    sides = puzzle.width * SIDE + 2 * EDGE, puzzle.height * SIDE + 2 * EDGE
    return Figure([Group(shapes, EDGE, EDGE)], *sides, SIDE, SIZE)


def _clues(puzzle: Slitherlink, theme: Theme) -> Texts:
    places = [
        (column * SIDE + SIDE / 2, row * SIDE + SIDE / 2 + 5, str(clue))
        for row in range(puzzle.height)
        for column in range(puzzle.width)
        if (clue := puzzle[row, column]) is not None
    ]
    return Texts(places, SIZE, theme.ink, "middle")


def _dots(puzzle: Slitherlink) -> str:
    """A dot at each corner."""
    return "".join(
        f"M{column * SIDE} {row * SIDE}h0"
        for row in range(puzzle.height + 1)
        for column in range(puzzle.width + 1)
    )


def _outline(path: Loop) -> str:
    """The closed path, corner by corner; every loop that there is."""
    ways: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def join(one: tuple[int, int], other: tuple[int, int]) -> None:
        ways.setdefault(one, []).append(other)
        ways.setdefault(other, []).append(one)

    for row in range(path.height + 1):
        for column, on in enumerate(path.horizontal(row)):
            if on:
                join((row, column), (row, column + 1))
    for row in range(path.height):
        for column, on in enumerate(path.vertical(row)):
            if on:
                join((row, column), (row + 1, column))
    drawn = ""
    while ways:
        corners = [next(iter(ways))]
        while onward := [there for there in ways.pop(corners[-1]) if there in ways]:
            corners.append(onward[0])
        drawn += "M" + "L".join(f"{x * SIDE} {y * SIDE}" for y, x in corners) + "Z"
    return drawn


PLUGIN = Drawing(summary="loops in their frame of clues", text=text, figure=figure)
