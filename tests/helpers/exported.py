"""Puzzles and models for the tests of constraint files: boards, and models of all kinds."""

from __future__ import annotations

import io

import nonosat
from nonosat import export
from nonosat.core.about import About
from nonosat.core.model import FALSE, TRUE, Block, Clause, Count, Line, Loop, Model
from nonosat.core.plugins import Family
from nonosat.puzzles.knight.data import Knight
from nonosat.puzzles.nonogram.data import Colour, Nonogram, mono
from nonosat.puzzles.queens import Queens
from nonosat.puzzles.slitherlink.data import BLANK, Slitherlink

INKS = (Colour("r", "#ff0000"), Colour("g", "#00ff00"))


def slitherlink(height: int, width: int, clues: dict[int, int]) -> Slitherlink:
    return Slitherlink(height, width, bytes(clues.get(i, BLANK) for i in range(height * width)))


BOARDS = {
    "empty": mono([[]], [[]]),
    "full": mono([[3], [3]], [[2], [2], [2]]),
    "row": mono([[1, 1]], [[1], [], [1]]),
    "column": mono([[1], [], [1]], [[1, 1]]),
    "ones": mono([[1]] * 3, [[1]] * 3),
    "too long": mono([[3], []], [[1], [1]]),
    "contradiction": mono([[2], [2]], [[2], [1]]),
    "toy": mono([[2, 1], [], [2]], [[1], [1, 1], [1], [1]]),
    "unknown": Nonogram(
        rows=((Block(None),), (Block(1), Block(None))), columns=((Block(None),),) * 3
    ),
    "unknown, not two": Nonogram(((Block(None),),), ((Block(1),), (), (Block(1),))),
    "unknown, then known": Nonogram(
        ((Block(None), Block(2)),), tuple((Block(1),) if c else () for c in (1, 1, 0, 1, 1, 0))
    ),
    "unknown, a gap, unknown": Nonogram(
        ((Block(None), Block(None)),), tuple((Block(1),) if c else () for c in (1, 0, 1, 0, 1))
    ),
    "touching": Nonogram(
        rows=((Block(2, 1), Block(1, 2)), (Block(None, 2), Block(None, 1))),
        columns=(
            (Block(None, 1), Block(None, 2)),
            (Block(1, 1),),
            (Block(None, 2), Block(1, 1)),
        ),
        colours=INKS,
    ),
    "one colour of two": Nonogram(
        rows=((Block(1, 2),),), columns=((), (Block(1, 2),)), colours=INKS
    ),
    "given": Nonogram(rows=((Block(1),),) * 2, columns=((Block(1),),) * 2, given=((0, 1, 1),)),
    "given empty": Nonogram(
        rows=((Block(1),),) * 2, columns=((Block(1),),) * 2, given=((0, 1, 0),)
    ),
    "given unused": Nonogram(
        rows=((Block(1, 1),),), columns=((Block(1, 1),),), colours=INKS, given=((0, 0, 2),)
    ),
}
OTHERS = {
    "queens": Queens(4),
    "no queens": Queens(3),
    "one queen": Queens(1),
    "given queen": Queens(5, given=((0, 0),)),
    "blocked": Queens(4, blocked=((0, 1),)),
    "slitherlink": slitherlink(2, 2, {0: 2}),
    "one cell": slitherlink(1, 1, {}),
    "no loop": slitherlink(1, 2, {0: 0, 1: 3}),
    "knight": Knight(3, 4, start=(0, 0)),
    "no tour": Knight(2, 2),
    "closed": Knight(3, 10, closed=True),
    "one square": Knight(1, 1),
}


def written(puzzle, name: str, **how) -> str:
    stream = io.BytesIO()
    export.write_to(export.formula_of(puzzle, **how), stream, name)
    return stream.getvalue().decode()


def expected(puzzle) -> list[str]:
    return sorted(map(str, nonosat.solutions(puzzle)))


class Anything:
    """Puzzle that is its own model."""

    height = width = 1
    about = About()
    size = "a model"

    def __init__(self, model: Model) -> None:
        self.model = model
        self.family = Family(
            name="anything",
            summary="a model",
            build=lambda puzzle: puzzle.model,
            decode=lambda puzzle, values: values,
            refutation=lambda puzzle, values: None,
            to_data=lambda puzzle: {},
        )


MODELS = {
    "constants": Model(
        3,
        clauses=(Clause((1, FALSE)), Clause((TRUE, 2)), Clause((-2, -3))),
        counts=(Count((TRUE, -1, 2, 3), 1, 2), Count((1, 2), 0, 2), Count((FALSE, 1), 1, 2)),
    ),
    "never": Model(2, counts=(Count((1, FALSE), 2, 2),)),
    "an empty clause": Model(1, clauses=(Clause(()),)),
    "a plain line": Model(4, lines=(Line(((1, 2, 3, 4),), (Block(1), Block(1))),)),
    "a line of one cell": Model(1, lines=(Line(((1,),), (Block(1),)),)),
    "a line too short": Model(2, lines=(Line(((1, 2),), (Block(2), Block(1))),)),
    "negations and constants": Model(
        3, lines=(Line(((-1, TRUE, 2, FALSE, 3),), (Block(2), Block(None))),)
    ),
    "two colours": Model(
        4,
        lines=(Line(((1, 2, FALSE), (3, 4, -2)), (Block(1, 1), Block(None, 2)), frozenset({1})),),
        counts=tuple(Count((k, k + 2), 0, 1) for k in (1, 2)),
    ),
    "a triangle and more": Model(
        5,
        loops=(Loop(4, ((0, 1, 1), (1, 2, -2), (2, 0, 3), (2, 3, 4), (3, 0, 5), (3, 1, FALSE))),),
    ),
    "a loop through everything": Model(
        4,
        loops=(Loop(4, ((0, 1, 1), (1, 2, 2), (2, 3, TRUE), (3, 0, 3), (0, 2, 4)), spanning=True),),
    ),
    "a vertex alone": Model(3, loops=(Loop(4, ((0, 1, 1), (1, 2, 2), (2, 0, 3)), spanning=True),)),
}
