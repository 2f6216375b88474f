"""Helpers of the encodings and formulations of loops: degrees, faces, components, directions.

Invariant: the clauses made here admit exactly the sets of disjoint cycles (the empty set among
them unless the loop is spanning); each encoding adds that there is only one cycle. Their
number is linear in the edges if degrees are bounded.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations

from nonosat import _core
from nonosat.clauses.batches import negated, put, put_arrays, put_columns
from nonosat.core import plugins
from nonosat.core.model import FALSE, TRUE, Count, Loop
from nonosat.core.plugins import Sink

PAIRWISE = 8  # up to this degree "at most two" is encoded without auxiliary variables
_PAIRWISE, _SEQUENTIAL = "count-pairwise", "count-sequential"


def is_true(lit: int, values: bytes) -> bool:
    """True if a literal or constant holds under values[v] of every variable v."""
    if abs(lit) == TRUE:
        return lit == TRUE
    return bool(values[lit]) if lit > 0 else not values[-lit]


def possible(loop: Loop) -> list[int]:
    """Return the indices of the edges that may be chosen: their literal is not FALSE.

    Raises:
        ValueError: An edge has an undefined vertex, or is a self-loop.
    """
    for u, v, _ in loop.edges:
        if u == v or not (0 <= u < loop.num_vertices and 0 <= v < loop.num_vertices):
            raise ValueError(
                f"an edge from {u} to {v}, expected two vertices of 0 .. {loop.num_vertices - 1}"
            )
    return [edge for edge, (_, _, lit) in enumerate(loop.edges) if lit != FALSE]


def incident(loop: Loop, edges: Iterable[int]) -> list[list[int]]:
    """Return for each vertex its incident edges among those given."""
    found: list[list[int]] = [[] for _ in range(loop.num_vertices)]
    for edge in edges:
        u, v, _ = loop.edges[edge]
        found[u].append(edge)
        found[v].append(edge)
    return found


def add_cycles(loop: Loop, sink: Sink) -> None:
    """Add clauses for degrees 0 or 2 (2 if the loop is spanning), and for faces."""
    if (batch := _cycles(loop)) is None:
        add_cycles_slowly(loop, sink)
    else:
        sink.add_batch(batch)


def _cycles(loop: Loop) -> array[int] | None:
    """Return the clauses of `add_cycles`, made natively; None if that supports no such loop."""
    if loop.spanning:
        return None
    edges = array("i", chain.from_iterable(loop.edges))
    faces = array("i", chain.from_iterable(loop.faces or ()))
    clauses = _core.cycle_clauses(loop.num_vertices, edges, faces, PAIRWISE)
    return None if clauses is None else array("i", clauses)


def add_cycles_slowly(loop: Loop, sink: Sink) -> None:
    """Add the clauses of `add_cycles`; readable twin of the native code, for every loop."""
    by_degree: dict[int, list[list[int]]] = {}
    for edges in incident(loop, possible(loop)):
        by_degree.setdefault(len(edges), []).append([loop.edges[edge][2] for edge in edges])
    for degree, vertices in sorted(by_degree.items()):
        if loop.spanning:
            count = plugins.find("encodings", _PAIRWISE if degree <= PAIRWISE else _SEQUENTIAL)
            for lits in vertices:
                count.encode(Count(tuple(lits), 2, 2), sink)
        elif degree:
            _add_degrees(degree, vertices, sink)
    if loop.faces is not None:
        _add_faces(loop, sink)


def _add_degrees(degree: int, vertices: Sequence[list[int]], sink: Sink) -> None:
    """Add clauses against one edge alone and three edges, at many vertices of one degree."""
    batch = array("i")
    columns = [array("i", column) for column in zip(*vertices, strict=True)]
    against = [array("i", negated(column)) for column in columns]
    for place in range(degree):
        others = (column for other, column in enumerate(columns) if other != place)
        _put_arrays(batch, against[place], *others)
    if degree <= PAIRWISE:
        for three in combinations(against, 3):
            _put_arrays(batch, *three)
    sink.add_batch(batch)
    if degree > PAIRWISE:
        for lits in vertices:
            plugins.find("encodings", _SEQUENTIAL).encode(Count(tuple(lits), 0, 2), sink)


def _add_faces(loop: Loop, sink: Sink) -> None:
    """Add clauses: an edge is chosen exactly if one of its faces is inside and the other is not."""
    assert loop.faces is not None
    for face in {face for pair in loop.faces for face in pair}:
        if face != FALSE and not 0 < face < TRUE:
            raise ValueError(f"the face {face}, expected a variable or FALSE, the outer one")
    batch = array("i")
    inner = [place for place, pair in enumerate(loop.faces) if FALSE not in pair]
    outer = [place for place, pair in enumerate(loop.faces) if FALSE in pair]
    for places in (inner, outer):  # without constants the arrays are put quickly
        edge = array("i", (loop.edges[place][2] for place in places))
        one = array("i", (loop.faces[place][0] for place in places))
        other = array("i", (loop.faces[place][1] for place in places))
        no_edge, not_one, not_other = (array("i", negated(part)) for part in (edge, one, other))
        _put_arrays(batch, no_edge, one, other)
        _put_arrays(batch, no_edge, not_one, not_other)
        _put_arrays(batch, edge, not_one, other)
        _put_arrays(batch, edge, one, not_other)
    sink.add_batch(batch)


def _put_arrays(batch: array[int], *columns: array[int]) -> None:
    """Append one clause per row; `columns` are the arrays of its literals, constants included."""
    has_constants = any(constant in column for column in columns for constant in (TRUE, FALSE))
    (put_columns if has_constants else put_arrays)(batch, *columns)


# Components


def components(neighbours: Sequence[Sequence[int]], inside: Iterable[int]) -> list[list[int]]:
    """Return the connected components of a set of nodes, in the order of their first nodes."""
    left = dict.fromkeys(inside)
    found = []
    while left:
        start = next(iter(left))
        del left[start]
        part = [start]
        for node in part:
            for other in neighbours[node]:
                if other in left:
                    del left[other]
                    part.append(other)
        found.append(part)
    return found


# Directions


def add_arcs(loop: Loop, sink: Sink) -> list[tuple[int, int, int]]:
    """Orient the cycles: return arcs (from, to, literal), two for each possible edge.

    A chosen edge is used in one direction, and a vertex is entered as often as left. If there
    are faces the inside is to the left, which needs no variables beyond the arcs'.
    """
    batch = array("i")
    arcs: list[tuple[int, int, int]] = []
    for edge in possible(loop):
        u, v, lit = loop.edges[edge]
        there = sink.new_vars(2)
        back = there + 1
        arcs += [(u, v, there), (v, u, back)]
        put(batch, [(-lit, there, back), (lit, -there), (lit, -back), (-there, -back)])
        if loop.faces is not None:
            left, right = loop.faces[edge]
            put(batch, [(-there, left), (-there, -right), (-back, right), (-back, -left)])
    for leaving, entering in by_vertex(loop, arcs):
        for one_way in (leaving, entering):
            if len(one_way) <= PAIRWISE:
                put(batch, combinations(negated(one_way), 2))
            else:
                plugins.find("encodings", _SEQUENTIAL).encode(Count(tuple(one_way), 0, 1), sink)
    sink.add_batch(batch)
    return arcs


def by_vertex(
    loop: Loop, arcs: Sequence[tuple[int, int, int]]
) -> Iterator[tuple[list[int], list[int]]]:
    """Return for each vertex the literals of arcs that leave it and of those that enter, paired."""
    leaving: list[list[int]] = [[] for _ in range(loop.num_vertices)]
    entering: list[list[int]] = [[] for _ in range(loop.num_vertices)]
    for place, (u, v, lit) in enumerate(arcs):
        leaving[u].append(lit)
        entering[u].append(arcs[place ^ 1][2])
        del v
    return zip(leaving, entering, strict=True)


def add_roots(
    loop: Loop, arcs: Sequence[tuple[int, int, int]], sink: Sink
) -> list[tuple[int, int]]:
    """Add clauses that make the first vertex on a cycle the root, and require that there is one.

    Without faces the root also determines the direction: at the root, the cycle leaves by an edge
    before the one by which it enters.

    Returns:
        For each vertex two literals: it is on a cycle; it is the root.
    """
    batch = array("i")
    roots = []
    before = FALSE  # some vertex before this one is on a cycle
    for leaving, entering in by_vertex(loop, arcs):
        used, root, since = _add_root(leaving, before, loop.spanning, batch, sink)
        roots.append((used, root))
        if loop.faces is None and root != FALSE:
            for i, out in enumerate(leaving):
                put(batch, [(-root, -out, -come) for come in entering[:i]])
        before = since
    put(batch, [(before,)])
    sink.add_batch(batch)
    return roots


def _add_root(
    leaving: Sequence[int], before: int, spanning: bool, batch: array[int], sink: Sink
) -> tuple[int, int, int]:
    """Add the clauses of one vertex that make the first vertex on a cycle the root.

    Returns:
        Three literals: the vertex is on a cycle; it is the root; it or an earlier vertex is on a
        cycle.
    """
    if spanning:
        put(batch, [leaving])
        return TRUE, TRUE if before == FALSE else FALSE, TRUE
    used, root, since = (sink.new_var() for _ in range(3))
    put(batch, [(-used, *leaving), *((used, -lit) for lit in leaving)])
    put(batch, [(-root, used), (-root, -before), (root, -used, before)])
    put(batch, [(-since, before, used), (since, -before), (since, -used)])
    return used, root, since
