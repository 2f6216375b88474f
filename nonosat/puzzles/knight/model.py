"""Model of a tour as one loop through every square, with moves as its edges.

An open tour is closed by two vertices beyond the board, one joined to every possible first square,
one to every possible last square, and both to each other: so the two ends are distinguished.
`segments` states the constraints of given numbers on the edges.

Invariant: the chosen edges of every model are one tour of the puzzle, and every tour is the edges
of a model. Other variables need not be determined by them. Linear in the moves, without
given numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from nonosat.core.errors import Remedy, UnsupportedError
from nonosat.core.limits import checkpoint, polled
from nonosat.core.model import TRUE, Clause, Count, Loop, Model
from nonosat.core.plugins import Clues, PlacedClue
from nonosat.core.wording import cell_text
from nonosat.puzzles.knight.data import Knight, Tour, tour_of
from nonosat.puzzles.knight.graph import Squares
from nonosat.puzzles.knight.segments import Chessboard, NumberedVertex, segments

MAX_SQUARES = 250_000  # a million moves, the most that engines can handle
MOST_COUNTED_ENDS = 250  # literals of a `Count` that the native counter of loops accepts

Edge = tuple[int, int]


class Graph(NamedTuple):
    """Graph of a tour: places and, for an open tour, two more vertices; edge i is variable 1 + i.

    Args:
        squares: The squares to visit.
        edges: Pairs of vertices.
        stops: Vertices with known numbers, in the order of these. Those of an open tour begin with
            the vertex before its first square, which has number 0, and end with the vertex
            after its last square; those of a closed tour end with the first one, a round later.
    """

    squares: Squares
    edges: tuple[Edge, ...]
    stops: tuple[NumberedVertex, ...]


@lru_cache(maxsize=2)
def graph_of(puzzle: Knight) -> Graph:
    """Return the graph of a puzzle.

    Raises:
        UnsupportedError: It has more edges than any engine can handle.
    """
    if puzzle.num_squares > MAX_SQUARES:
        raise UnsupportedError(
            f"a tour of {puzzle.num_squares} squares is too long for engines, expected at most "
            f"{MAX_SQUARES}",
            remedy=Remedy("set", "backend", ("construction", "warnsdorff")),
        )
    squares = Squares(puzzle)
    edges = tuple(squares.edges())
    stops = [NumberedVertex(row * puzzle.columns + column, k) for row, column, k in puzzle.numbered]
    if puzzle.closed:
        if stops:
            stops.append(NumberedVertex(stops[0].vertex, stops[0].number + puzzle.num_squares))
        return Graph(squares, edges, tuple(stops))
    before = puzzle.rows * puzzle.columns
    ends = [(square, before) for square in possible_at(puzzle, squares, 1)]
    ends += [(square, before + 1) for square in possible_at(puzzle, squares, puzzle.num_squares)]
    stops = [NumberedVertex(before, 0), *stops, NumberedVertex(before + 1, puzzle.num_squares + 1)]
    return Graph(squares, (*edges, *ends), tuple(stops))


def possible_at(puzzle: Knight, squares: Squares, number: int) -> list[int]:
    """Return the squares that may have this number, by given numbers and colours."""
    known = {k: row * puzzle.columns + column for row, column, k in puzzle.numbered}
    if number in known:
        return [known[number]]
    odd = colour_of_odd(puzzle, squares)
    taken = {*known.values()}
    return [
        place
        for place in polled(squares.places)
        if place not in taken
        and (odd is None or (sum(divmod(place, puzzle.columns)) + number + 1) % 2 == odd)
    ]


def colour_of_odd(puzzle: Knight, squares: Squares) -> int | None:
    """Return the colour (row plus column modulo 2) of squares with odd numbers; None if unknown."""
    for row, column, number in puzzle.numbered:
        return (row + column + number + 1) % 2
    if puzzle.num_squares % 2 == 0:
        return None
    num_odd = sum(sum(divmod(place, puzzle.columns)) % 2 for place in polled(squares.places))
    return int(2 * num_odd > puzzle.num_squares)


def build(puzzle: Knight) -> Model:
    """Return the model of a puzzle.

    Raises:
        UnsupportedError: The board is too large for engines.
    """
    graph = graph_of(puzzle)
    vertices = {place: vertex for vertex, place in enumerate(polled(graph.squares.places))}
    behind = puzzle.rows * puzzle.columns
    vertices |= {behind: len(vertices), behind + 1: len(vertices) + 1}
    edges = [
        (vertices[one], vertices[other], lit)
        for lit, (one, other) in enumerate(polled(graph.edges), start=1)
    ]
    if not puzzle.closed:
        edges.append((vertices[behind], vertices[behind + 1], TRUE))
    loop = Loop(puzzle.num_squares + 2 * (not puzzle.closed), tuple(edges), spanning=True)
    odd = colour_of_odd(puzzle, graph.squares)
    more = segments(Chessboard(graph.squares, puzzle.columns, odd), graph.edges, graph.stops)
    num_vars = len(graph.edges) + more.num_vars
    colours = [] if puzzle.closed or odd is not None else _ends_differ(puzzle, graph, num_vars + 1)
    return Model(
        num_vars=num_vars + bool(colours),
        counts=tuple(more.counts),
        clauses=(*more.clauses, *colours),
        loops=(loop,),
        blocked_on=range(1, 1 + len(graph.edges)),
        blocked_by_true=True,
    )


def _ends_differ(puzzle: Knight, graph: Graph, begins_odd: int) -> list[Clause]:
    """Return clauses: the ends of a tour of an even number of squares have different colours.

    All moves together imply that, but engines do not find it: without these clauses they did not
    finish on boards with many holes that have no tour (KNIGHT.md).
    """
    before = puzzle.rows * puzzle.columns
    found = []
    for lit, (place, end) in enumerate(graph.edges, start=1):
        if end >= before:
            is_odd = sum(divmod(place, puzzle.columns)) % 2 == 1
            found.append(Clause((-lit, begins_odd if is_odd == (end == before) else -begins_odd)))
    return found


def tally(puzzle: Knight) -> tuple[Model, int] | None:
    """Return a model that is easier to count; None if a number is given or the tour is closed.

    It has one solution for each open tour and its reversal together: one vertex beyond the board,
    joined to every square that can be an end, closes both into the same loop. With an even number
    of squares one end has the first colour: `Count` cuts off partial paths that miss it.

    Returns:
        The model, and the number of tours for each of its solutions.
    """
    if puzzle.closed or puzzle.numbered or puzzle.num_squares < 2:
        return None
    graph = graph_of(puzzle)
    vertices = {place: vertex for vertex, place in enumerate(polled(graph.squares.places))}
    beyond = len(vertices)
    moves = [edge for edge in graph.edges if edge[1] in vertices]
    ends = possible_at(puzzle, graph.squares, 1)
    edges = [(vertices[one], vertices[other]) for one, other in moves]
    edges += [(vertices[place], beyond) for place in ends]
    loop = Loop(
        beyond + 1, [(*edge, lit) for lit, edge in enumerate(edges, start=1)], spanning=True
    )
    first_colour = [
        lit
        for lit, place in enumerate(ends, start=1 + len(moves))
        if sum(divmod(place, puzzle.columns)) % 2 == 0
    ]
    is_split = puzzle.num_squares % 2 == 0 and len(first_colour) <= MOST_COUNTED_ENDS
    counts = (Count(tuple(first_colour), 1, 1),) if is_split else ()
    return Model(num_vars=len(edges), counts=counts, loops=(loop,)), 2


def places(puzzle: Knight) -> dict[int, tuple[int, ...]]:
    """Map variables to moves (row, column, row, column), from the lower place to the higher one.

    For an open tour some variables are mapped to (row, column, number): it begins there with number
    1, or ends there with the last one.
    """
    behind = puzzle.rows * puzzle.columns
    found: dict[int, tuple[int, ...]] = {}
    for var, (one, other) in enumerate(polled(graph_of(puzzle).edges), start=1):
        square = divmod(one, puzzle.columns)
        if other < behind:
            found[var] = (*square, *divmod(other, puzzle.columns))
        else:
            found[var] = (*square, 1 if other == behind else puzzle.num_squares)
    return found


def decode(puzzle: Knight, values: bytes) -> Tour:
    """Return the tour of `values`, where values[v] is 1 if variable v is true (index 0 unused)."""
    graph = graph_of(puzzle)
    near: dict[int, list[int]] = {}
    for (one, other), is_chosen in zip(polled(graph.edges), values[1:], strict=False):
        if is_chosen:
            near.setdefault(one, []).append(other)
            near.setdefault(other, []).append(one)
    at = graph.squares.places[0] if puzzle.closed else puzzle.rows * puzzle.columns
    path = [at]
    while following := [place for place in near[at] if place not in path[-2:-1]]:
        checkpoint()
        at = following[0]
        if at == path[0]:
            break
        path.append(at)
    return tour_of(puzzle, path if puzzle.closed else path[1:-1])


# Clues are squares with the number of their move. The first square of a tour follows from its
# numbers, so other numbers give a model with other variables, and no clause states a clue.


def _clues_of(puzzle: Knight) -> Sequence[PlacedClue]:
    """Return row, column and number of each square whose number is given."""
    return puzzle.numbered


def _with_only(puzzle: Knight, clues: Sequence[PlacedClue]) -> Knight:
    """Return the board with these given numbers only."""
    given = tuple((row, column, number) for row, column, number in clues)
    return replace(puzzle, start=None, given=given)


def _clue_text(puzzle: Knight, clue: PlacedClue) -> str:
    """Return a clue in words: "the number 4 in row 1, column 2"."""
    del puzzle
    row, column, number = clue
    return f"the number {number} in {cell_text(row, column)}"


CLUES = Clues(of=_clues_of, with_only=_with_only, told=_clue_text)
