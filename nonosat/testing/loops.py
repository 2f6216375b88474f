"""Small graphs with loops, and all their cycles by enumeration of walks.

A graph's edges are the variables 1 .. edges, its faces the next ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from nonosat.core.limits import checkpoint
from nonosat.core.model import FALSE, TRUE, Loop

Edges = Sequence[tuple[int, int]]


def loop_of(num_vertices: int, edges: Edges, spanning: bool = False) -> Loop:
    """Return a loop whose edges are the variables 1, 2, ..."""
    triples = tuple((u, v, lit) for lit, (u, v) in enumerate(edges, start=1))
    return Loop(num_vertices, triples, spanning=spanning)


def board(rows: int, columns: int, spanning: bool = False, planar: bool = True) -> Loop:
    """Return the lattice around rows x columns cells, which are its faces."""
    width = columns + 1
    edges, faces = [], []

    def cell(row: int, column: int) -> int:
        num_edges = (rows + 1) * columns + rows * width
        is_inside = 0 <= row < rows and 0 <= column < columns
        return num_edges + 1 + row * columns + column if is_inside else FALSE

    for row in range(rows + 1):
        for column in range(columns):
            edges.append((row * width + column, row * width + column + 1))
            faces.append((cell(row - 1, column), cell(row, column)))
    for row in range(rows):
        for column in range(width):
            edges.append((row * width + column, (row + 1) * width + column))
            faces.append((cell(row, column), cell(row, column - 1)))
    triples = tuple((u, v, lit) for lit, (u, v) in enumerate(edges, start=1))
    return Loop((rows + 1) * width, triples, tuple(faces) if planar else None, spanning)


def knight(rows: int, columns: int) -> Edges:
    """Return the edges of the graph of a knight's moves on a board."""
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    return [
        (one, other)
        for one, other in combinations(range(len(cells)), 2)
        if sorted(abs(a - b) for a, b in zip(cells[one], cells[other], strict=True)) == [1, 2]
    ]


def samples() -> list[Loop]:
    """Return graphs without, with one or with many cycles; planar or not; spanning or not."""
    triangles = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]
    complete = [*combinations(range(5), 2)]
    return [
        loop_of(0, []),
        loop_of(4, [(0, 1), (1, 2), (2, 3)]),
        loop_of(2, [(0, 1), (0, 1)]),
        loop_of(6, triangles),
        loop_of(6, triangles, spanning=True),
        loop_of(4, triangles[:3], spanning=True),
        loop_of(5, complete),
        loop_of(5, complete, spanning=True),
        loop_of(12, knight(3, 4)),
        board(1, 1),
        board(2, 3),
        board(2, 3, planar=False),
        board(2, 3, spanning=True),
        board(2, 2, spanning=True),
    ]


def cycles(loop: Loop) -> set[frozenset[int]]:
    """Return the edges (indices in `loop.edges`) of every cycle, walked from its least vertex."""
    ways: list[list[tuple[int, int]]] = [[] for _ in range(loop.num_vertices)]
    for edge, (u, v, lit) in enumerate(loop.edges):
        if lit != FALSE:
            ways[u].append((v, edge))
            ways[v].append((u, edge))

    def walk(start: int, at: int, seen: set[int], used: list[int]) -> Iterator[frozenset[int]]:
        checkpoint()
        for there, edge in ways[at]:
            if edge in used[-1:]:
                continue
            if there == start:
                yield frozenset([*used, edge])
            elif there > start and there not in seen:
                yield from walk(start, there, seen | {there}, [*used, edge])

    starts = range(loop.num_vertices)[: 1 if loop.spanning else None]  # a spanning cycle contains 0
    found = {cycle for start in starts for cycle in walk(start, start, set(), [])}
    return {one for one in found if not loop.spanning or len(one) == loop.num_vertices}


def inside(loop: Loop, cycle: frozenset[int]) -> set[int]:
    """Return the faces separated from the outer one by the cycle."""
    assert loop.faces is not None
    outside = {FALSE}
    for _ in loop.faces:
        for edge, pair in enumerate(loop.faces):
            if edge not in cycle and outside & set(pair):
                outside |= set(pair)
    return {face for pair in loop.faces for face in pair} - outside


def literals(loop: Loop, cycle: frozenset[int]) -> frozenset[int] | None:
    """Return the literals that are true if the loop is this cycle, those of faces included.

    Return None if a constant forbids the cycle.
    """
    true = {lit if edge in cycle else -lit for edge, (_, _, lit) in enumerate(loop.edges)}
    if loop.faces is not None:
        within = inside(loop, cycle)
        faces = {face for pair in loop.faces for face in pair} - {FALSE}
        true |= {face if face in within else -face for face in faces}
    return None if FALSE in true else frozenset(true - {TRUE})


def solutions_of(loop: Loop) -> set[frozenset[int]]:
    """Return the true literals (see `literals`) for every cycle that the constants permit."""
    return {lits for cycle in cycles(loop) if (lits := literals(loop, cycle)) is not None}


def variables(loop: Loop) -> set[int]:
    """Return the variables of the edges and the faces."""
    lits = {lit for *_, lit in loop.edges} | {face for pair in loop.faces or () for face in pair}
    return {abs(lit) for lit in lits} - {TRUE}


def values_of(lits: frozenset[int]) -> bytes:
    """Return the values of the variables as bytes: values[v] is 1 if literal v is in `lits`."""
    values = bytearray(1 + max(map(abs, lits), default=0))
    for lit in lits:
        values[abs(lit)] = lit > 0
    return bytes(values)


def is_satisfied(clause: Sequence[int], lits: frozenset[int]) -> bool:
    return any(lit in lits for lit in clause)
