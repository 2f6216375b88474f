"""Verifier of models: checks values against the four kinds of constraint.

The verifier shares no code with encodings. Time is linear in the model.
"""

from __future__ import annotations

from collections.abc import Iterable

from nonosat.core.answer_source import AnswerSource
from nonosat.core.errors import RefutedError, counted, shown
from nonosat.core.model import (
    Clause,
    Constraint,
    Count,
    Line,
    Loop,
    Values,
    are_runs_of,
    unknown_kind,
)
from nonosat.core.wording import short_clue_text


def refutation(constraints: Iterable[Constraint], values: Values) -> str | None:
    """Return why the values are no solution, or None if every constraint holds."""
    for constraint in constraints:
        if mistake := _mistake(constraint, values):
            return f"{mistake}: {shown(constraint)}"
    return None


def _mistake(constraint: Constraint, values: Values) -> str | None:
    if isinstance(constraint, Clause):
        return None if values.true(constraint.lits) else "no literal is true"
    if isinstance(constraint, Count):
        num_true = len(values.true(constraint.lits))
        if constraint.lower <= num_true <= constraint.upper:
            return None
        return f"{counted(num_true, 'literal')} true"
    if isinstance(constraint, Line):
        return _of_line(constraint, values)
    if isinstance(constraint, Loop):
        return _of_loop(constraint, values)
    raise unknown_kind(constraint, "the check of values")


def _of_line(line: Line, values: Values) -> str | None:
    runs: list[tuple[int, int]] = []  # (length, colour)
    before = 0
    for cell in range(len(line)):
        colours = [k for k, plane in enumerate(line.cells, start=1) if values[plane[cell]]]
        if len(colours) > 1:
            return f"cell {cell} has colours {colours[0]} and {colours[1]}"
        colour = colours[0] if colours else 0
        if not colour and cell in line.filled:
            return f"cell {cell} is empty"
        if colour and colour == before:
            runs[-1] = runs[-1][0] + 1, colour
        elif colour:
            runs.append((1, colour))
        before = colour
    if are_runs_of(line.blocks, runs):
        return None
    if line.num_colours == 1:
        return f"the runs are {short_clue_text(runs)}"
    return f"the runs are {', '.join(f'{length} of colour {colour}' for length, colour in runs)}"


def _of_loop(loop: Loop, values: Values) -> str | None:
    chosen = [edge for edge, (_, _, lit) in enumerate(loop.edges) if values[lit]]
    if not chosen:
        return "no edge is chosen"
    ways: dict[int, list[tuple[int, int]]] = {}  # by vertex: (edge, other end)
    for edge in chosen:
        u, v, _ = loop.edges[edge]
        ways.setdefault(u, []).append((edge, v))
        ways.setdefault(v, []).append((edge, u))
    for vertex, edges in ways.items():
        if len(edges) != 2:
            return f"{counted(len(edges), 'edge')} at vertex {vertex}"
    if loop.spanning and len(ways) < loop.num_vertices:
        return f"only {len(ways)} of the vertices are on the loop"
    start = at = loop.edges[chosen[0]][0]
    edge, length = -1, 0
    while not length or at != start:
        edge, at = next(way for way in ways[at] if way[0] != edge)
        length += 1
    if length < len(chosen):
        return f"a cycle of {length} edges, and others"
    for (_, _, lit), (one, other) in zip(loop.edges, loop.faces or (), strict=False):
        if values[lit] != (values[one] != values[other]):
            return f"edge {lit} does not separate inside and outside"
    return None


def refuse_wrong(
    by: AnswerSource, constraints: Iterable[Constraint], assumptions: Iterable[int], values: Values
) -> None:
    """Raise RefutedError if the values that an engine returned are no solution."""
    mistake = refutation(constraints, values)
    if wrong := [lit for lit in assumptions if not values[lit]]:
        mistake = f"the assumption {wrong[0]} does not hold"
    if mistake:
        what = f"{by} gave values that the model refutes: {mistake}"
        raise RefutedError(what, advice=by.advice())
