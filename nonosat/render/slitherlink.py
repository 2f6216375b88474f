"""Pictures of Slitherlinks: the exact frame that document 002 specifies, and figures.

The frame has 4 columns of characters and 2 lines for each cell. A corner is `+` where the path
turns, `-` or `|` where it goes straight on. Marked places are cells, `?` after the clue,
and edges (row, column, row, column) between two corners, `?` on them. In a partial solution, `x`
are edges known to be off the path. Linear in the board.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from nonosat.core.grid import UNKNOWN
from nonosat.core.limits import checkpoint, polled
from nonosat.core.plugins import Drawing
from nonosat.puzzles.slitherlink.data import Path as Loop
from nonosat.puzzles.slitherlink.data import Slitherlink
from nonosat.puzzles.slitherlink.edges import Edges
from nonosat.questions.groups import OPEN, OPEN_RGB, OTHERS, OTHERS_NOTE, marks, tint
from nonosat.render._style import Style
from nonosat.render.look import ASSUMED, MARK, SEEN, USUAL, WRONG, Look, Theme
from nonosat.render.shapes import Figure, Group, Path, Shape, Texts

Places = Collection[tuple[int, ...]]

SIDE = 24  # pixels of a cell
EDGE = 6  # margin around the board
SIZE = 14  # size of a clue
_LETTER = 9  # size of a group's letter
INSIDE, LINE = ("#dceaf7", "#22364a"), ("#00539c", "#6db3f2")  # on light and on dark paper
_CORNERS = {
    (0, 0): " ",
    (0, 2): "-",
    (2, 0): "|",
    (1, 1): "+",
}  # index: the edges on the path; up and down, left and right
_ANSI = ("\x1b[1;36m", "\x1b[0m")  # the path, in styles with colours


class _DrawnPath(NamedTuple):
    """Path and signs on a board.

    Args:
        path: Edges that are on the path.
        signs: Sign to print at each marked or known place: "?" or "x".
    """

    path: Loop
    signs: dict[tuple[int, ...], str]


def _drawn(puzzle: Slitherlink, solution: Loop | Edges | None, marked: Places = ()) -> _DrawnPath:
    signs = dict.fromkeys((tuple(place) for place in marked), "?")
    solution = solution or (Edges.given(puzzle) if puzzle.given else None)
    if isinstance(solution, Edges):
        return _DrawnPath(solution.path(), dict.fromkeys(_off(solution), "x") | signs)
    return _DrawnPath(
        solution or Loop(puzzle.height, puzzle.width, bytes(_num_edges(puzzle))), signs
    )


def _off(edges: Edges) -> Iterator[tuple[int, int, int, int]]:
    """Yield the edges that are known to be off the path."""
    places = _places(edges.height, edges.width)
    return (place for place, value in zip(places, edges.values, strict=True) if value == 0)


def _places(height: int, width: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield all edges, each between its two corners, in the order of `Path.edges`."""
    for row in range(height + 1):
        yield from ((row, column, row, column + 1) for column in range(width))
    for row in range(height):
        yield from ((row, column, row + 1, column) for column in range(width + 1))


def text(
    puzzle: Slitherlink, solution: Loop | Edges | None, style: Style, marked: Places = ()
) -> str:
    """Return the frame with clues, and the path if there is one; a remark if it is too wide."""
    return _framed(puzzle, _drawn(puzzle, solution, marked), style)


def grouped(
    puzzle: Slitherlink, solution: Loop, groups: Sequence[Places], others: Places, style: Style
) -> str:
    """Return the frame with a mark of its own on the edges of each group, and "?" on others."""
    signs = marks(puzzle, len(groups), ascii_only=not style.unicode)
    drawn = _drawn(puzzle, solution, others)
    for sign, places in zip(signs, groups, strict=True):
        drawn.signs.update(dict.fromkeys(places, sign))
    text = _framed(puzzle, drawn, style)
    return f"{text}\n{OTHERS_NOTE}" if OTHERS in signs else text


def _framed(puzzle: Slitherlink, drawn: _DrawnPath, style: Style) -> str:
    width = 4 * puzzle.width + 1
    if remark := style.too_wide("the frame", width + 4):
        return remark
    body = [*_lines(puzzle, drawn)]
    if style.ansi:
        body = [_coloured(line) for line in body]
    bar, gap = "#" * (width + 4), f"#{' ' * (width + 2)}#"
    return "\n".join([bar, gap, *(f"# {line} #" for line in body), gap, bar])


def board(puzzle: Slitherlink, solution: Loop | Edges | None) -> list[str]:
    """Return the board without the frame."""
    return [*_lines(puzzle, _drawn(puzzle, solution))]


def _num_edges(puzzle: Slitherlink) -> int:
    return 2 * puzzle.height * puzzle.width + puzzle.height + puzzle.width


def _coloured(line: str) -> str:
    """Return text with the path in colour; clues are digits and stay unchanged."""
    start, end = _ANSI
    parts = []
    for char in line:
        parts.append(f"{start}{char}{end}" if char in "+-|" else char)
    return "".join(parts).replace(end + start, "")


def _lines(puzzle: Slitherlink, drawn: _DrawnPath) -> Iterator[str]:
    nothing = bytes(puzzle.width + 1)
    above = nothing
    for row in polled(range(puzzle.height + 1)):
        below = drawn.path.vertical(row) if row < puzzle.height else nothing
        yield _corner_line(row, drawn, above, below)
        if row < puzzle.height:
            yield _cell_line(puzzle, row, drawn, below)
        above = below


def _corner_line(row: int, drawn: _DrawnPath, above: bytes, below: bytes) -> str:
    """Return the text of a row of corners, and the horizontal edges between them."""
    parts = []
    left = 0
    for column, right in enumerate([*drawn.path.horizontal(row), 0]):
        ways = above[column] + below[column], left + right
        line = "-" if right else " "
        sign = drawn.signs.get((row, column, row, column + 1), line)
        parts.append(f"{_CORNERS.get(ways, '+')}{line}{sign}{line}")
        left = right
    return "".join(parts)[:-3]


def _cell_line(puzzle: Slitherlink, row: int, drawn: _DrawnPath, edges: bytes) -> str:
    """Return the text of a row of cells: clues, and the vertical edges between them."""
    parts = []
    for column in range(puzzle.width):
        clue = puzzle[row, column]
        shown = " " if clue is None else str(clue)
        mark = drawn.signs.get((row, column), " ")
        parts.append(f"{_upright(row, column, drawn, edges)} {shown}{mark}")
    return "".join(parts) + _upright(row, puzzle.width, drawn, edges)


def _upright(row: int, column: int, drawn: _DrawnPath, edges: bytes) -> str:
    line = "|" if edges[column] else " "
    return drawn.signs.get((row, column, row + 1, column), line)


def figure(
    puzzle: Slitherlink, solution: Loop | Edges | None, marked: Places = (), look: Look = USUAL
) -> Figure:
    """Return the board with its clues, the inside of the path shaded, the path drawn as one line.

    Edges of a partial solution are drawn one by one, with a cross on those off the path. The cells,
    corners (edges without length) and edges that a step uses are tinted.
    """
    theme, states = look.theme, look.states
    if isinstance(solution, Edges):
        inside, drawn = "", _sketch(puzzle, solution, marked, theme)
    else:
        inside = "" if solution is None else _outline(solution)
        drawn = [
            Path(inside, stroke=LINE[theme.is_dark], width=3, is_round=True),
            Path(_segments(marked), stroke=MARK, width=2, dash=4),
        ]
    shapes: list[Shape] = [
        Path(inside, fill=INSIDE[theme.is_dark]),
        Path(_squares(states.seen, 0), fill=SEEN, opacity=0.3),
        Path(_segments(states.seen), stroke=SEEN, width=7, is_round=True),
        Path(_squares(marked, 4), fill=MARK, opacity=0.3, stroke=MARK, width=2),
        Path(_squares(states.wrong, 4), stroke=WRONG, width=2),
        _clues(puzzle, theme),
        Path(_dots(puzzle), stroke=theme.faint, width=3, is_round=True),
        *drawn,
        Path(_segments(states.assumed), stroke=ASSUMED, width=2, dash=4),
        Path(_segments(states.wrong), stroke=WRONG, width=4, dash=3),
        *_groups(solution, look),
    ]
    sides = puzzle.width * SIDE + 2 * EDGE, puzzle.height * SIDE + 2 * EDGE
    return Figure([Group(shapes, EDGE, EDGE)], *sides, SIDE, SIZE)


def _groups(solution: Loop | Edges | None, look: Look) -> Iterator[Shape]:
    """Yield the edges of each group in its colour, with a letter; those off the path are pale."""
    groups = look.states.groups
    path = solution if isinstance(solution, Loop) else None
    on = set() if path is None else _on(path)
    for index, (sign, places) in enumerate(groups):
        for is_on in (False, True):
            mine = [place for place in places if (place in on) is is_on]
            shade = OPEN_RGB if sign == OPEN else tint(index, is_on)
            yield Path(_segments(mine), stroke=shade, width=5 if is_on else 3, is_round=True)
    for sign, places in groups:
        middles = ((x, y + _LETTER / 3, sign) for x, y in _middles(places))
        yield Texts([*middles], _LETTER, look.theme.ink, "middle", True, look.theme.paper)


def _on(path: Loop) -> set[tuple[int, ...]]:
    """Return the edges of a path."""
    pairs = zip(_places(path.height, path.width), path.edges, strict=True)
    return {place for place, value in pairs if value}


def _sketch(puzzle: Slitherlink, edges: Edges, marked: Places, theme: Theme) -> list[Shape]:
    """Return lines and crosses on known edges; marked edges that are unknown are dashed."""
    found: dict[tuple[int, bool], set[tuple[int, ...]]] = {}
    emphasized = {*map(tuple, marked)}
    places = _places(puzzle.height, puzzle.width)
    for place, value in polled(zip(places, edges.values, strict=True)):
        found.setdefault((value, place in emphasized), set()).add(place)

    def of(value: int, is_marked: bool) -> set[tuple[int, ...]]:
        return found.get((value, is_marked), set())

    return [
        Path(_segments(of(1, False)), stroke=LINE[theme.is_dark], width=3, is_round=True),
        Path(_crosses(of(0, False)), stroke=theme.faint, width=1),
        Path(_segments(of(1, True)), stroke=MARK, width=4, is_round=True),
        Path(_crosses(of(0, True)), stroke=MARK, width=2),
        Path(_segments(of(UNKNOWN, True)), stroke=MARK, width=2, dash=4),
    ]


def _segments(places: Iterable[tuple[int, ...]]) -> str:
    """Return path data of a line along each edge; other places are left out."""
    edges = sorted(place for place in polled(places) if len(place) == 4)
    return "".join(f"M{x * SIDE} {y * SIDE}L{u * SIDE} {v * SIDE}" for y, x, v, u in edges)


def _squares(places: Iterable[tuple[int, ...]], inset: int) -> str:
    """Return path data of a square in each cell; other places are left out."""
    side = SIDE - 2 * inset
    cells = sorted(place for place in polled(places) if len(place) == 2)
    corners = ((y * SIDE + inset, x * SIDE + inset) for y, x in cells)
    return "".join(f"M{x} {y}h{side}v{side}h-{side}z" for y, x in corners)


def _crosses(places: Iterable[tuple[int, ...]]) -> str:
    """Return path data of a cross on the middle of each edge; other places are left out."""
    return "".join(f"M{x - 3:g} {y - 3:g}l6 6m0 -6l-6 6" for x, y in _middles(places))


def _middles(places: Iterable[tuple[int, ...]]) -> Iterator[tuple[float, float]]:
    """Yield the middle of each edge; other places are left out."""
    edges = sorted(place for place in polled(places) if len(place) == 4)
    return (((x + u) * SIDE / 2, (y + v) * SIDE / 2) for y, x, v, u in edges)


def _clues(puzzle: Slitherlink, theme: Theme) -> Texts:
    places = [
        (column * SIDE + SIDE / 2, row * SIDE + SIDE / 2 + 5, str(clue))
        for row in polled(range(puzzle.height))
        for column in range(puzzle.width)
        if (clue := puzzle[row, column]) is not None
    ]
    return Texts(places, SIZE, theme.ink, "middle")


def _dots(puzzle: Slitherlink) -> str:
    """Return path data of a dot at each corner."""
    return "".join(
        f"M{column * SIDE} {row * SIDE}h0"
        for row in polled(range(puzzle.height + 1))
        for column in range(puzzle.width + 1)
    )


def _outline(path: Loop) -> str:
    """Return path data of the closed path, corner by corner; of all loops if there are several."""
    ways: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def join(one: tuple[int, int], other: tuple[int, int]) -> None:
        ways.setdefault(one, []).append(other)
        ways.setdefault(other, []).append(one)

    for row in polled(range(path.height + 1)):
        for column, on in enumerate(path.horizontal(row)):
            if on:
                join((row, column), (row, column + 1))
    for row in polled(range(path.height)):
        for column, on in enumerate(path.vertical(row)):
            if on:
                join((row, column), (row + 1, column))
    drawn = ""
    while ways:
        corners = [next(iter(ways))]
        while onward := [there for there in ways.pop(corners[-1]) if there in ways]:
            checkpoint()
            corners.append(onward[0])
        drawn += "M" + "L".join(f"{x * SIDE} {y * SIDE}" for y, x in polled(corners)) + "Z"
    return drawn


PLUGIN = Drawing(summary="loops in their frame of clues", text=text, figure=figure, grouped=grouped)
