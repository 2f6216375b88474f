"""Steps, marks and states of a Slitherlink as JSON data and back; board after each step.

A mark is [row, column, row, column, value]: an edge between two corners, "#" on the path, "x" off
it, "?" if both values are tried. All numbers count from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nonosat.core.errors import PuzzleError, counted
from nonosat.core.grid import UNKNOWN
from nonosat.core.limits import polled
from nonosat.core.presenting import Data, Scene, States
from nonosat.core.wording import cell_text, corner_text
from nonosat.explain.slitherlink.step import Evidence, Mark, Step
from nonosat.formats import Numbered, decode, fail, inflate, numbered
from nonosat.puzzles.slitherlink.data import BLANK
from nonosat.puzzles.slitherlink.edges import Edges
from nonosat.puzzles.slitherlink.model import places
from nonosat.render.slitherlink import board

if TYPE_CHECKING:
    from nonosat.explain.slitherlink.step import Mark, Step
    from nonosat.puzzles.slitherlink import Slitherlink


# Edges as text: the frame that `show` and `solve` print, with marks of a person in it.
#
# On an edge `-` or `|` is on the path, `x` (or `X`, a times sign) is off it, a blank or `?` is
# unknown. Text around the frame, such as a verdict, is ignored. Alternating lines of edges, as
# `str(Edges)` prints them, are read as well. Linear in the text.


_OFF = "xX×✕✗"
_VALUE_OF_SIGN = dict.fromkeys(_OFF, 0) | dict.fromkeys("-|#─│", 1) | dict.fromkeys(" ?.", UNKNOWN)


def read_state(data: bytes, puzzle: Slitherlink) -> Edges:
    """Return the state in a file.

    Args:
        data: The file's content.
        puzzle: The puzzle, which defines the size.

    Raises:
        FormatError: There are more or fewer lines, or other signs; has line and column.
    """
    lines = numbered(decode(inflate(data)))
    bar = "#" * (4 * puzzle.width + 5)
    bars = [at for at, line in enumerate(lines) if line.text.strip() == bar]
    if bars:
        found = _framed(lines, bars, puzzle)
    else:
        found = _by_turns([line for line in lines if line.text.strip()], puzzle)
    return Edges(puzzle.height, puzzle.width, found)


def with_given(puzzle: Slitherlink, edges: Edges) -> Slitherlink:
    """Return the puzzle with the known edges as given ones.

    Raises:
        PuzzleError: An edge contradicts a given one.
    """
    values = bytearray(Edges.given(puzzle).values)
    for edge, value in enumerate(polled(edges.values)):
        if values[edge] == UNKNOWN:
            values[edge] = value
        elif value not in (UNKNOWN, values[edge]):
            row, column, *_ = places(puzzle)[edge + 1]
            corner = corner_text(row, column, puzzle.height, puzzle.width)
            raise PuzzleError(f"an edge at {corner} is drawn otherwise than it is given")
    return replace(puzzle, given=bytes(values))


def _framed(lines: Sequence[Numbered], bars: Sequence[int], puzzle: Slitherlink) -> bytes:
    """Return the edges in the first frame of a text, the form in which `show` prints a board.

    `bars` are the indices of the lines that are horizontal rules of frames.
    """
    expected = 2 * puzzle.height + 3
    inside = lines[bars[0] + 1 : bars[1] if len(bars) > 1 else len(lines)]
    if len(bars) < 2 or len(inside) != expected:
        count = counted(len(inside), "line")
        fail(f"{count} in the frame, expected {expected}", lines[bars[0]].line)
    across, beside = bytearray(), bytearray()
    for at, line in enumerate(polled(inside[1:-1])):
        if at % 2:
            beside += bytes(_upright(line, column) for column in range(puzzle.width + 1))
            _check_clues(line, at // 2, puzzle)
        else:
            across += bytes(_level(line, column) for column in range(puzzle.width))
    return bytes(across + beside)


def _check_clues(line: Numbered, row: int, puzzle: Slitherlink) -> None:
    """Raise an error if the clues in a line of a frame are not those of the puzzle."""
    for column in range(puzzle.width):
        at, clue = 4 + 4 * column, puzzle.clues[row * puzzle.width + column]
        sign = line.text[at : at + 1]
        if "0" <= sign <= "9" and sign != str(clue):
            required = "no clue" if clue == BLANK else f"the clue {clue}"
            where = cell_text(row, column)
            expected = f"expected {required} as in the puzzle; `show` prints its frame"
            fail(f"the clue {sign} in {where}, {expected}", line.line, at + 1)


def _level(line: Numbered, column: int) -> int:
    """Return the value of a horizontal edge from the three signs between two corners.

    Blanks around the edge's sign are ignored.
    """
    first = 3 + 4 * column
    signs = line.text[first : first + 3].replace(" ", "") or " "
    return _value(signs[len(signs) // 2], line, first + 2)


def _upright(line: Numbered, column: int) -> int:
    """Return the value of a vertical edge from its sign."""
    at = 2 + 4 * column
    return _value(line.text[at : at + 1] or " ", line, at + 1)


def _value(sign: str, line: Numbered, column: int) -> int:
    if sign not in _VALUE_OF_SIGN:
        known = "- or | on the path, x off it, a blank or ? unknown"
        fail(f"{sign!r} is not an edge, expected {known}", line.line, column)
    return _VALUE_OF_SIGN[sign]


def _by_turns(lines: Sequence[Numbered], puzzle: Slitherlink) -> bytes:
    """Return the edges from lines without a frame.

    In turn, a line has the horizontal edges above a row of cells, the next one the vertical edges
    of this row.
    """
    if len(lines) != 2 * puzzle.height + 1:
        expected = f"{2 * puzzle.height + 1} of edges, or the frame that `show` prints"
        last = lines[-1].line if lines else 1
        fail(f"{counted(len(lines), 'line')}, expected {expected}", last)
    parts = [bytes(_signs(line, puzzle.width + at % 2)) for at, line in enumerate(lines)]
    return b"".join([*parts[::2], *parts[1::2]])


def _signs(line: Numbered, length: int) -> Iterator[int]:
    text = line.text.rstrip()
    if len(text) != length:
        fail(f"{counted(len(text), 'edge')} in this line, expected {length}", line.line, 1)
    for column, sign in enumerate(text, start=1):
        yield _value(sign, line, column)


_SIGNS = {1: "#", 0: "x", -1: "?"}
_VALUES = {sign: value for value, sign in _SIGNS.items()}


def marks_data(puzzle: Slitherlink, marks: Iterable[Mark]) -> list[list[Any]]:
    """Return marks with signs for their values."""
    del puzzle
    return [[*mark[:4], _SIGNS[mark[4]]] for mark in marks]


def marks_of(puzzle: Slitherlink, marks: Iterable[Sequence[Any]]) -> tuple[Mark, ...]:
    """Return marks (edge and value) from their JSON data."""
    del puzzle
    return tuple(
        (int(row), int(column), int(down), int(right), _VALUES[sign])
        for row, column, down, right, sign in marks
    )


def step_data(puzzle: Slitherlink, step: Step) -> Data:
    """Return a step as JSON data, without keys of empty fields."""
    data: Data = {"technique": step.technique, "settled": marks_data(puzzle, step.settled)}
    for name, evidence in step.evidence._asdict().items():
        if evidence:
            data[name] = [list(place) for place in evidence]
    if step.rule:
        data["rule"] = step.rule
    if step.assumed is not None:
        (data["assumed"],) = marks_data(puzzle, [step.assumed])
    if step.chain:
        data["chain"] = marks_data(puzzle, step.chain)
    return data | {"sentence": step.sentence}


def step_of(puzzle: Slitherlink, data: Mapping[str, Any]) -> Step:
    """Return a step from its JSON data."""
    evidence = (tuple(tuple(map(int, one)) for one in data.get(f, ())) for f in Evidence._fields)
    assumed = data.get("assumed")
    return Step(
        technique=data["technique"],
        settled=marks_of(puzzle, data["settled"]),
        sentence=data["sentence"],
        evidence=Evidence(*evidence),  # type: ignore[arg-type]  # places of two or four numbers
        rule=data.get("rule", 0),
        assumed=None if assumed is None else marks_of(puzzle, [assumed])[0],
        chain=marks_of(puzzle, data.get("chain", ())),
    )


def state_data(puzzle: Slitherlink, state: Edges) -> list[str]:
    """Return a state as lines of edges, alternately above a row of cells and beside them."""
    del puzzle
    return state.lines()


def state_of(puzzle: Slitherlink, lines: Sequence[str]) -> Edges:
    """Return the state for lines of `state_data`."""
    found = Edges.of_lines(lines)
    if (found.height, found.width) != (puzzle.height, puzzle.width):
        raise ValueError(f"edges of {found.size}, expected {puzzle.size}")
    return found


# Board after each step


def _number_of(mark: Mark, height: int, width: int) -> int:
    """Return the number of a mark's edge, as in `Path.edges`."""
    row, column, down, *_ = mark
    if row == down:
        return row * width + column
    return (height + 1) * width + row * (width + 1) + column


class Following:
    """Board to which the steps of a Slitherlink are applied; a `story.BoardState`.

    Args:
        puzzle: The puzzle.
        given: Edges known initially; None for the puzzle's given edges.
    """

    def __init__(self, puzzle: Slitherlink, given: Edges | None = None) -> None:
        self._puzzle = puzzle
        self._values = bytearray((given or Edges.given(puzzle)).values)

    def learn(self, step: Step) -> None:
        for mark in step.settled:
            at = _number_of(mark, self._puzzle.height, self._puzzle.width)
            self._values[at] = mark[4]

    def state(self) -> Edges:
        return Edges(self._puzzle.height, self._puzzle.width, bytes(self._values))

    def lines(self) -> list[str]:
        return [line.rstrip() for line in board(self._puzzle, self.state())]

    def table(self, step: Step) -> list[str]:
        del step
        return []

    def scene(self, step: Step, caption: str) -> Scene:
        marked = [mark[:4] for mark in step.settled]
        tried = [] if step.assumed is None else [step.assumed]
        assumed = [mark[:4] for mark in (*tried, *step.chain) if mark[4]]  # the path that would be
        cells, corners, edges = step.evidence
        seen = (*cells, *((*corner, *corner) for corner in corners), *edges)
        states = States(assumed=assumed, seen=seen)
        return Scene(self._puzzle, self.state(), marked, caption, states)
