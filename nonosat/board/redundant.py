"""Clauses and counts that a model implies, or that leave one solution of each symmetric set.

Redundant constraints change how a solver propagates and searches, never whether there is a
solution. Clauses that break a symmetry exclude solutions: they must not be used for counts or for
proofs of uniqueness.

Source: Crawford, Ginsberg, Luks, Roy, "Symmetry-breaking predicates for search problems" (KR 1996),
for the lexicographically least image; Lynce, Marques-Silva, "Probing-based preprocessing
techniques for propositional satisfiability" (ICTAI 2003), for implications by probing.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from nonosat import _core
from nonosat.board.presolve import PresolvedModel, Reduced, rectangle
from nonosat.clauses.batches import put
from nonosat.core.limits import raising
from nonosat.core.model import FALSE, TRUE, Clue, Count, Line, Model, RowsAndColumns
from nonosat.core.plugins import Sink

SUMMARIES = {
    "counts": "how many cells of each colour a line has, as a count",
    "all-starts": "keep block positions that known cells rule out, and leave those to clauses",
    "implications": "binary clauses that follow from probing the values of open cells",
    "symmetry": "one solution of each set of mirror images and turns; for one solution only",
}
MAX_PROBES = 10_000  # values that `implications` tries


def widened(model: Model, names: Collection[str]) -> Model:
    """Return the model with those redundant constraints among `names` that change its constraints.

    They are "counts" and "all-starts"; all others are clauses (`add_clauses`).
    """
    if "counts" in names:
        model = with_counts(model)
    return with_all_starts(model) if "all-starts" in names else model


def add_clauses(
    names: Collection[str],
    task: PresolvedModel,
    reduced: Reduced,
    sink: Sink,
    pause: Callable[[], None],
) -> dict[str, Any]:
    """Add those redundant constraints among `names` that are clauses to a sink.

    Returns:
        Numbers of added clauses and names of symmetries, for the stage "encode".
    """
    added: dict[str, Any] = {}
    if "implications" in names:
        before = 0
        for batch in implications(task, reduced, MAX_PROBES, pause):
            sink.add_batch(batch)
            before += _core.num_clauses(batch)
        added["implications"] = before
    if "symmetry" in names:
        added["symmetries"] = break_symmetries(task.model, reduced, sink)
    return added


# Counts


def line_counts(line: Line) -> Iterator[Count]:
    """Yield a count for each colour whose blocks all have known lengths: its number of cells.

    A colour without blocks has no cells. Constants among the literals stay.
    """
    for colour, plane in enumerate(line.cells, start=1):
        lengths = [block.length for block in line.clue if block.colour == colour]
        if None not in lengths:
            number = sum(length or 0 for length in lengths)
            yield Count(tuple(plane), number, number)


def with_counts(model: Model) -> Model:
    """Return the model with the counts of its lines added; solutions are the same."""
    more = chain.from_iterable(map(line_counts, model.lines))
    return replace(model, counts=[*model.counts, *more])


# Starts


def with_all_starts(model: Model) -> Model:
    """Return the model with variables for all starts of blocks, also for infeasible ones.

    Clauses then exclude the infeasible starts; the solutions are the same.
    """
    return replace(model, lines=[replace(line, feasible_starts=False) for line in model.lines])


# Symmetry

Move = Callable[[int, int, int, int], tuple[int, int]]  # row, column, height, width to the image
_MOVES: dict[str, Move] = {
    "left-right": lambda r, c, h, w: (r, w - 1 - c),
    "upside-down": lambda r, c, h, w: (h - 1 - r, c),
    "half-turn": lambda r, c, h, w: (h - 1 - r, w - 1 - c),
    "transpose": lambda r, c, h, w: (c, r),
    "anti-transpose": lambda r, c, h, w: (w - 1 - c, h - 1 - r),
    "quarter-turn": lambda r, c, h, w: (c, h - 1 - r),
    "three-quarter-turn": lambda r, c, h, w: (w - 1 - c, r),
}


def _image(name: str, lines: RowsAndColumns) -> tuple[tuple[Clue, ...], tuple[Clue, ...]]:
    """Return rows and columns after the rotation or reflection `name`."""
    rows, columns = lines.rows, lines.columns
    turned = name in ("transpose", "anti-transpose", "quarter-turn", "three-quarter-turn")
    upside_down = name in ("upside-down", "half-turn", "anti-transpose", "three-quarter-turn")
    left_right = name in ("left-right", "half-turn", "anti-transpose", "quarter-turn")
    if turned:
        rows, columns = columns, rows
    if upside_down:
        rows, columns = rows[::-1], tuple(clue[::-1] for clue in columns)
    if left_right:
        rows, columns = tuple(clue[::-1] for clue in rows), columns[::-1]
    return rows, columns


def symmetries(model: Model) -> dict[str, tuple[int, ...]]:
    """Return the mirrors and turns of a rectangle that map the model to itself.

    Returns:
        A permutation by name: if the assignment `values` is a solution, so is the one in which
        v has the value of permutation[v] (index 0 unused). Empty for a model without a rectangle.
    """
    shape = rectangle(model)
    if shape is None:
        return {}
    assert isinstance(model.lines, RowsAndColumns)
    known = {lit for clause in model.clauses for lit in clause.lits}
    found = {}
    for name, move in _MOVES.items():
        if _image(name, model.lines) != (model.lines.rows, model.lines.columns):
            continue
        cells = (divmod(cell, shape.width) for cell in range(shape.size))
        images = [move(row, column, shape.height, shape.width) for row, column in cells]
        permutation = (
            0,
            *(
                1 + k * shape.size + row * shape.width + column
                for k in range(shape.num_colours)
                for row, column in images
            ),
        )
        if {permutation[lit] if lit > 0 else -permutation[-lit] for lit in known} == known:
            found[name] = permutation
    return found


def break_symmetries(model: Model, reduced: Reduced, sink: Sink) -> list[str]:
    """Add clauses that keep the lexicographically first of each solution and its images.

    At least one solution of each symmetric set remains, others are lost: never to be used for
    counts or uniqueness, nor with phases of a whole solution.

    Args:
        model: The whole model, whose symmetries count.
        reduced: The reduced model; known cells are known in all solutions.
        sink: Takes clauses over the reduced model's variables, and new ones.

    Returns:
        The names of the symmetries broken.
    """
    lits = [FALSE if not value else TRUE for value in reduced.known]
    for variable, original in enumerate(reduced.origin[1:], start=1):
        lits[original] = variable
    found = symmetries(model)
    batch = array("i")
    for permutation in found.values():
        pairs = [(lits[v], lits[image]) for v, image in enumerate(permutation) if v]
        put(batch, _least(pairs, sink))
    sink.add_batch(batch)
    return list(found)


def _least(pairs: Sequence[tuple[int, int]], sink: Sink) -> Iterator[tuple[int, ...]]:
    """Yield clauses for a lexicographic order: the first literals are at most the second ones.

    A new variable for each pair is true if all pairs so far are equal, and otherwise free.
    """
    same = TRUE
    seen = set()
    for one, other in pairs:
        if one == other or (other, one) in seen:
            continue  # always equal, or equal if the previous pairs are
        seen.add((one, other))
        yield (-same, -one, other)
        before, same = same, sink.new_var()
        yield (-before, -one, same)  # then the other is true as well
        yield (-before, other, same)  # then the one is false as well


# Implications


def implications(
    task: PresolvedModel, reduced: Reduced, budget: int, pause: Callable[[], None] = lambda: None
) -> Iterator[array[int]]:
    """Yield binary clauses found by propagating one value of each open cell.

    A value that rules out another one gives the clause "not both", once for each pair; a value
    that leads to a contradiction gives the clause "not this". The work is done natively.

    Args:
        task: A board, of which `reduced` was made; consequences of its lines alone are included.
        reduced: The clauses are over its variables.
        budget: Maximal number of values tried, in the order of the cells.
        pause: Called before each batch and every 20 ms; an exception that it raises ends the work.

    Yields:
        Batches of clauses, each clause ended by 0.
    """
    if task.board is None:
        return

    poll, variables = raising(pause), array("i", bytes(4 * (task.model.num_vars + 1)))
    for variable, original in enumerate(reduced.origin):
        variables[original] = variable
    native = _core.Implications(task.board, variables[1:], budget, poll)
    while True:
        pause()
        batch = array("i", native.next(poll))
        if not batch:
            return
        yield batch
