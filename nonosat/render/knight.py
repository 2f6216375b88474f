"""Knight's tours: the matrix of numbers as text, the path drawn in dots, a board as a figure.

Everything is linear in the squares. Marked places are squares (row, column), squares with a number
(row, column, number), and moves (row, column, row, column), which are marked if the drawn tour has
them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import polled
from nonosat.core.plugins import Drawing
from nonosat.puzzles.knight.data import check_drawn
from nonosat.puzzles.knight.way import SIDE, drawn
from nonosat.render.look import MARK, USUAL, Look
from nonosat.render.shapes import Circle, Figure, Group, Path, Shape, Texts

if TYPE_CHECKING:
    from nonosat.puzzles.knight.data import Knight, Square, Tour
    from nonosat.render._style import Style

CELL = 44  # pixels a side
EDGE = 2  # margin around the board
SIZE = 11  # size of numbers
MOST_NUMBERED = 1600  # most squares for which numbers fit next to the path
LIGHT, DARK = "#f4ecdc", "#d8c6a8"
WAY, INK, GIVEN_INK, START = "#b3541e", "#555555", "#0b5394", "#1a7f37"

Places = Collection[tuple[int, ...]]


def text(puzzle: Knight, tour: Tour | None, style: Style, marked: Places = ()) -> str:
    """Return the matrix of numbers, "x" for holes; marked ones are in brackets, or pink."""
    check_drawn(puzzle)
    lines = puzzle.lines() if tour is None else tour.lines()
    if remark := style.too_wide("the matrix", len(lines[0])):
        return f"{puzzle.size}\n{remark}"
    if not style.ansi and not marked:
        return "\n".join(lines)
    given = {(row, column) for row, column, _ in puzzle.numbered}
    squares = _marked_squares(puzzle, tour, marked)
    size = (len(lines[0]) + 1) // puzzle.columns
    return "\n".join(
        "".join(
            _word(line[at : at + size].ljust(size), (row, at // size), style, given, squares)
            for at in range(0, len(line), size)
        )
        + ("\x1b[0m" if style.ansi else "")
        for row, line in enumerate(polled(lines))
    ).rstrip(" ")


def _word(word: str, square: Square, style: Style, given: set[Square], marked: set[Square]) -> str:
    """Return the text of one square."""
    if not style.ansi:
        return f"{word.rstrip()}?".ljust(len(word)) if square in marked else word
    ink = MARK if square in marked else GIVEN_INK if square in given else "#222222"
    ground = DARK if sum(square) % 2 else LIGHT
    return f"\x1b[38;2;{_rgb(ink)}m\x1b[48;2;{_rgb(ground)}m{word}"


def _rgb(colour: str) -> str:
    return ";".join(map(str, bytes.fromhex(colour[1:])))


def way(puzzle: Knight, tour: Tour, style: Style) -> str:
    """Return the path of the knight in dots, with rings at its start and end.

    Raises:
        UnsupportedError: The output has no Braille characters, or lines are too narrow.
    """
    check_drawn(puzzle)
    if not style.unicode:
        raise UnsupportedError(
            "the way is drawn in Braille dots, which this output lacks; draw it as SVG"
        )
    width = puzzle.columns * SIDE // 2
    if style.width is not None and width > style.width:
        raise UnsupportedError(
            f"the way is {width} characters wide, the terminal {style.width}; draw it as SVG"
        )
    return "\n".join(drawn(puzzle.rows, puzzle.columns, tour.squares(), closed=puzzle.closed))


def figure(puzzle: Knight, tour: Tour | None, marked: Places = (), look: Look = USUAL) -> Figure:
    """Return a chessboard with the path over it, a ring at its start, a dot at its end."""
    del look  # a chessboard has the same colours in every theme
    check_drawn(puzzle)
    holes = set(puzzle.holes)
    way = [] if tour is None else _way(puzzle, tour)
    numbers = [*_numbers(puzzle, tour)]
    board = Group([*_board(puzzle, holes), *way], scale=CELL)
    sides = CELL * puzzle.columns + 2 * EDGE, CELL * puzzle.rows + 2 * EDGE
    squares = {(place[0], place[1]) for place in marked if len(place) < 4}
    doubtful = Group([_doubtful(_marked_moves(puzzle, tour, marked))], scale=CELL)
    shapes = [Group([board, *numbers, doubtful, _rings(sorted(squares))], EDGE, EDGE)]
    return Figure(shapes, *sides, CELL, SIZE if numbers else 0)


def _board(puzzle: Knight, holes: set[Square]) -> list[Path]:
    """Return the shapes of the squares to visit: the light ones and the dark ones."""
    paths: list[list[str]] = [[], []]
    for row in polled(range(puzzle.rows)):
        for column in range(puzzle.columns):
            if (row, column) not in holes:
                paths[(row + column) % 2].append(f"M{column} {row}h1v1h-1z")
    grounds = zip(paths, (LIGHT, DARK), strict=True)
    return [Path("".join(path), fill=ground, is_crisp=True) for path, ground in grounds]


def _way(puzzle: Knight, tour: Tour) -> list[Shape]:
    squares = tour.squares()
    line = "L".join(f"{column}.5 {row}.5" for row, column in polled(squares))
    (top, left), (bottom, right) = squares[0], squares[-1]
    path = f"M{line}{'z' if puzzle.closed else ''}"
    shapes: list[Shape] = [Path(path, stroke=WAY, width=0.05, is_round=True)]
    if not puzzle.closed:
        shapes.append(Circle(right + 0.5, bottom + 0.5, 0.13, WAY))
    return [*shapes, Circle(left + 0.5, top + 0.5, 0.16, LIGHT, START, 0.09)]


def _numbers(puzzle: Knight, tour: Tour | None) -> Iterator[Texts]:
    """Yield the numbers in the corners of their squares, given ones in blue."""
    given = {(row, column): number for row, column, number in puzzle.numbered}
    shown: Iterable[tuple[Square, int]] = given.items()
    if tour is not None and puzzle.rows * puzzle.columns <= MOST_NUMBERED:
        shown = ((square, number) for number, square in enumerate(tour.squares(), start=1))
    places: dict[tuple[bool, str], list[tuple[float, float, str]]] = {}
    for (row, column), number in polled(shown):
        halo = DARK if (row + column) % 2 else LIGHT  # the path may cross the number
        place = column * CELL + 3, row * CELL + 12, str(number)
        places.setdefault(((row, column) in given, halo), []).append(place)
    for (is_given, halo), texts in places.items():
        yield Texts(texts, SIZE, GIVEN_INK if is_given else INK, is_bold=is_given, halo=halo)


def _moves(puzzle: Knight, tour: Tour) -> Iterator[tuple[Square, Square]]:
    squares = tour.squares()
    return pairwise([*squares, *squares[:1]] if puzzle.closed else squares)


def _marked_moves(puzzle: Knight, tour: Tour | None, marked: Places) -> list[tuple[Square, Square]]:
    """Return the marked moves of the tour."""
    moves = {place for place in marked if len(place) == 4}
    if tour is None or not moves:
        return []
    return [pair for pair in polled(_moves(puzzle, tour)) if (*min(pair), *max(pair)) in moves]


def _marked_squares(puzzle: Knight, tour: Tour | None, marked: Places) -> set[Square]:
    """Return the squares that are marked, and those at the ends of marked moves."""
    ends = (square for pair in _marked_moves(puzzle, tour, marked) for square in pair)
    return {(place[0], place[1]) for place in marked if len(place) < 4}.union(ends)


def _doubtful(moves: Iterable[tuple[Square, Square]]) -> Path:
    line = "".join(f"M{x}.5 {y}.5L{u}.5 {v}.5" for (y, x), (v, u) in polled(moves))
    return Path(line, stroke=MARK, width=0.05, dash=0.1)


def _rings(marked: Iterable[Square]) -> Path:
    side = CELL - 4
    rings = (f"M{x * CELL + 2} {y * CELL + 2}h{side}v{side}h-{side}z" for y, x in polled(marked))
    return Path("".join(rings), stroke=MARK, width=2.5)


PLUGIN = Drawing(summary="numbered boards, the way drawn in dots", text=text, figure=figure)
