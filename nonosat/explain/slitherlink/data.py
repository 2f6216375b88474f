"""Steps, marks and states of a Slitherlink as JSON data and back.

A mark is [row, column, row, column, value]: an edge between two corners, "#" on the path, "x" off
it, "?" where either is tried. All numbers count from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from nonosat.core.presenting import Data
from nonosat.explain.slitherlink.step import Evidence, Mark, Step
from nonosat.puzzles.slitherlink.edges import Edges

if TYPE_CHECKING:
    from nonosat.puzzles.slitherlink import Slitherlink

_SIGNS = {1: "#", 0: "x", -1: "?"}
_VALUES = {sign: value for value, sign in _SIGNS.items()}


def marks_data(puzzle: Slitherlink, marks: Iterable[Mark]) -> list[list[Any]]:
    """Marks with signs for their values."""
    del puzzle
    return [[*mark[:4], _SIGNS[mark[4]]] for mark in marks]


def marks_of(puzzle: Slitherlink, marks: Iterable[Sequence[Any]]) -> tuple[Mark, ...]:
    """Marks with their values."""
    del puzzle
    return tuple(
        (int(row), int(column), int(down), int(right), _VALUES[sign])
        for row, column, down, right, sign in marks
    )


def step_data(puzzle: Slitherlink, step: Step) -> Data:
    """A step; keys of empty fields are left out."""
    data: Data = {"technique": step.technique, "settled": marks_data(puzzle, step.settled)}
    for name, places in step.evidence._asdict().items():
        if places:
            data[name] = [list(place) for place in places]
    if step.rule:
        data["rule"] = step.rule
    if step.assumed is not None:
        (data["assumed"],) = marks_data(puzzle, [step.assumed])
    if step.chain:
        data["chain"] = marks_data(puzzle, step.chain)
    return data | {"sentence": step.sentence}


def step_of(puzzle: Slitherlink, data: Mapping[str, Any]) -> Step:
    """A step."""
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
    """A state as lines of edges, by turns above a row of cells and beside them."""
    del puzzle
    return state.lines()


def state_of(puzzle: Slitherlink, lines: Sequence[str]) -> Edges:
    """And back."""
    found = Edges.of_lines(lines)
    if (found.height, found.width) != (puzzle.height, puzzle.width):
        raise ValueError(f"edges of {found.size}, expected {puzzle.size}")
    return found
