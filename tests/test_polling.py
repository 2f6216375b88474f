"""Every long loop in Python polls the limits of the work in progress.

Each reading moves the clock by a step, so that a loop of some hundred turns reaches its limit only
if it polls in each of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest

import nonosat
from helpers.clocks import Clock
from nonosat import formats, render
from nonosat.certify.rules import knight as knight_rules
from nonosat.certify.rules import queens as queens_rules
from nonosat.certify.rules import slitherlink as slitherlink_rules
from nonosat.clauses.sinks import Buffer
from nonosat.clauses.translate import translate
from nonosat.core import plugins
from nonosat.core.errors import LimitReached
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block
from nonosat.core.result import Verdict
from nonosat.core.scope import within
from nonosat.encodings import count_pairwise
from nonosat.explain.nonogram import given
from nonosat.explain.slitherlink.data import with_given
from nonosat.explain.slitherlink.knowledge import Lattice
from nonosat.formats._pixel_art import Pixels, cells_of
from nonosat.puzzles import knight, queens, slitherlink
from nonosat.puzzles.knight import way
from nonosat.puzzles.nonogram.data import Colour, Nonogram, from_grid
from nonosat.puzzles.slitherlink import verify
from nonosat.puzzles.slitherlink.data import Path, around
from nonosat.puzzles.slitherlink.sights import Sights
from nonosat.questions.backbone_result import BackboneResult
from nonosat.render import figures

SIDE = 300  # turns of a loop over rows
STEP_S, LIMIT_S = 0.005, 1.0  # 200 steps

INKS = (Colour("r", "#ff0000"), Colour("b", "#0000ff"))


@cache
def board() -> Nonogram:
    cells = Random(1).randbytes(SIDE * SIDE).translate(bytes(k % 3 for k in range(256)))
    return from_grid(Grid(SIDE, SIDE, cells), INKS)


@cache
def plain() -> Nonogram:
    cells = Random(1).randbytes(SIDE * SIDE).translate(bytes(k % 2 for k in range(256)))
    return from_grid(Grid(SIDE, SIDE, cells))


@cache
def loop() -> tuple[nonosat.Slitherlink, Path]:
    inside = bytes(0 < at // SIDE < SIDE - 1 for at in range(SIDE * SIDE))
    return nonosat.Slitherlink(SIDE, SIDE, bytes([1]) * (SIDE * SIDE)), around(SIDE, SIDE, inside)


def tour() -> tuple[nonosat.Knight, nonosat.Tour]:
    puzzle = nonosat.Knight(40, 40)
    solution = nonosat.solve(puzzle).solution
    assert solution is not None
    return puzzle, solution


TOUR = tour()  # before the clock is changed


def state_from(text: str) -> Callable[[], object]:
    puzzle = plain()
    return lambda: given.read_state(text.encode(), puzzle)


def edges() -> nonosat.Edges:
    return nonosat.Edges(SIDE, SIDE, bytes([UNKNOWN]) * (2 * SIDE * (SIDE + 1)))


@cache
def written(name: str, *, in_colour: bool) -> bytes:
    return formats.write([board() if in_colour else plain()], name)


def read_from(name: str, data: bytes) -> Callable[[], object]:
    return lambda: [*plugins.find("formats", name).read(data)]


def reading(name: str, *, in_colour: bool = False) -> Callable[[], object]:
    return read_from(name, written(name, in_colour=in_colour))


def writing(name: str, *, in_colour: bool = False) -> Callable[[], object]:
    puzzle = board() if in_colour else plain()
    return lambda: formats.write([puzzle], name)


def drawing(puzzle: Any, solution: Any) -> Callable[[], object]:
    return lambda: figures.figure(puzzle, solution)


def backbone() -> BackboneResult:
    settled = Grid(SIDE, SIDE, bytes([UNKNOWN]) * (SIDE * SIDE))
    return BackboneResult(plain(), Verdict.UNKNOWN, settled)


LOOPS: dict[str, Callable[[], Callable[[], object]]] = {
    **{
        f"write {name}": lambda name=name: writing(name)  # type: ignore[misc]
        for name in ("jsonl", "non", "webpbn", "csv", "pbm", "g", "pattern", "puzzlink", "gno")
    },
    "write non in colour": lambda: writing("non", in_colour=True),
    **{
        f"read {name}": lambda name=name: reading(name)  # type: ignore[misc]
        for name in ("csv", "puzzlink", "gno")
    },
    "pixels of a picture": lambda: lambda: cells_of(Pixels(SIDE, 2, 1, bytes(range(2)) * SIDE)),
    "data of a puzzle in colour": lambda: (
        lambda: nonosat.Nonogram.from_data(
            {
                "rows": [[[1, "r"]]] * SIDE,
                "columns": [[[1, "r"]]] * SIDE,
                "colors": {"r": "#ff0000"},
            }
        )
    ),
    "rows of a picture": lambda: lambda: nonosat.from_picture([[0, 1]] * SIDE),
    "lists of clues": lambda: lambda: nonosat.nonogram([[1]] * SIDE, [[1]] * SIDE),
    "given cells": lambda: (
        lambda: Nonogram(plain().rows, plain().columns, given=[[at, 0, 1] for at in range(SIDE)])
    ),
    "clues as lists": lambda: lambda: Nonogram([[Block(1)]] * SIDE, [[Block(1)]] * SIDE),
    "text of a nonogram": lambda: lambda: render.text(plain(), None, render.Style(width=None)),
    "picture of a nonogram": lambda: drawing(board(), board().goal),
    "model of a Slitherlink": lambda: lambda: slitherlink.build(loop()[0]),
    "clues of a Slitherlink": lambda: lambda: slitherlink.CLUES.of(loop()[0]),
    "clues that a path shows": lambda: lambda: slitherlink.CLUES.shown(*loop()),  # type: ignore[misc]
    "rules of a Slitherlink": lambda: lambda: slitherlink_rules.model_of(loop()[0]),
    "rules of queens": lambda: lambda: queens_rules.model_of(nonosat.Queens(SIDE)),
    "rules of a tour": lambda: lambda: knight_rules.model_of(nonosat.Knight(38, 38)),
    "state of a nonogram": lambda: state_from(f"{'?' * SIDE}\n" * SIDE),
    "crosses and dots": lambda: state_from(f"{'.' * SIDE}\n" * SIDE),
    "known cells": lambda: lambda: [*given.known_cells(backbone().settled)],
    "lattice of a Slitherlink": lambda: lambda: Lattice(loop()[0]),
    "known edges of a Slitherlink": lambda: lambda: with_given(loop()[0], edges()),
    "read loopy": lambda: read_from("loopy", formats.write([loop()[0]], "loopy")),
    "path of a Slitherlink": lambda: lambda: loop()[1].lines(),
    "mistake in a Slitherlink": lambda: lambda: verify.mistake(*loop()),
    "places of a Slitherlink": lambda: lambda: Sights(loop()[0]),
    "picture of a Slitherlink": lambda: drawing(*loop()),
    "model of queens": lambda: lambda: queens.build(nonosat.Queens(SIDE)),
    "placement of queens": lambda: (
        lambda: queens.refutation(nonosat.Queens(SIDE), nonosat.Placement(tuple(range(SIDE))))
    ),
    "model of a tour": lambda: lambda: knight.build(nonosat.Knight(38, 38)),
    "numbers of a tour": lambda: lambda: TOUR[1].squares(),
    "check of a tour": lambda: lambda: knight.refutation(*TOUR),
    "picture of a tour": lambda: drawing(*TOUR),
    "dots of a tour": lambda: lambda: way.drawn(40, 40, TOUR[1].squares(), closed=False),
    "pairwise encoding": lambda: (
        lambda: count_pairwise.encode_counts(
            [nonosat.Count((at, at + 1), 0, 1) for at in range(1, SIDE)]
        )
    ),
    "data of a backbone": lambda: backbone().found_data,
}


def spent(work: Callable[[], object], clock: Clock) -> float:
    """Return the time that the clock shows at the end of some work."""
    started, clock.step_s = clock(), STEP_S
    with pytest.raises(LimitReached, match=r"^time limit of 1 s$"):
        within(Watch(Limits(time_s=LIMIT_S)), work)
    clock.step_s = 0.0
    return clock() - started


@pytest.mark.parametrize("name", LOOPS)
def test_a_long_loop_polls(name: str, clock: Clock) -> None:
    work = LOOPS[name]()
    assert spent(work, clock) < LIMIT_S + 10 * STEP_S


def test_every_clause_that_an_encoding_adds_is_polled(clock: Clock) -> None:
    counts = [nonosat.Count(tuple(range(at, at + 3)), 1, 2) for at in range(1, 2 * SIDE)]
    model = nonosat.Model(2 * SIDE + 2, counts=tuple(counts))

    def work() -> object:
        return translate(model, Buffer(model.num_vars), {"count": "sequential"})

    assert spent(work, clock) < LIMIT_S + 10 * STEP_S


LONG_LINE = nonosat.Line((tuple(range(1, SIDE + 1)),), (Block(3),) * 40)
MIDDLE = nonosat.Count(LONG_LINE.cells[0], 140, 150)
# Except `order`, whose native code polls by a clock of its own.
PYTHONIC = (
    *("automaton", "automaton-run", "automaton-state", "bdd", "direct", "log", "mdd"),
    *("order-cover", "order-direct", "placements"),
)


@pytest.mark.parametrize(
    "name",
    [
        *(f"line-{name}" for name in PYTHONIC),
        *(f"count-{name}" for name in ("modulo", "sequential", "totalizer")),
    ],
)
def test_an_encoding_of_one_long_constraint_polls(name: str, clock: Clock) -> None:
    constraint = LONG_LINE if name.startswith("line") else MIDDLE

    def work() -> object:
        return plugins.find("encodings", name).encode(constraint, Buffer(SIDE))

    assert spent(work, clock) < LIMIT_S + 10 * STEP_S
