"""Every encoding and formulation of `Loop`: its models are the cycles of the graph, each once.

Refiners keep their promise: each refused model is no single loop, and each of the clauses is
violated by the model that it was made of and satisfied by every loop of the graph.
"""

from __future__ import annotations

import random
from array import array
from itertools import combinations

import pytest
from pysat.solvers import Solver

from helpers.drawing import FUZZ
from helpers.formulated import formulate
from nonosat import _core
from nonosat.clauses.cnf import Cnf, split
from nonosat.clauses.loops import (
    PAIRWISE,
    _put_arrays,
    add_arcs,
    add_cycles,
    add_cycles_slowly,
    add_roots,
    is_true,
    possible,
)
from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError
from nonosat.core.model import FALSE, TRUE, Loop
from nonosat.encodings import loop_cells, loop_positions
from nonosat.formulations import Context
from nonosat.testing import loops
from nonosat.testing.encodings import check_loop
from nonosat.testing.formulations import solutions
from nonosat.testing.loops import board, knight, loop_of

ENCODINGS = {
    name: module for name, module in plugins.names("encodings").items() if name.startswith("loop-")
}
FORMULATIONS = [name for name in plugins.names("formulations") if name.startswith("loop-")]

COMPLETE = [*combinations(range(5), 2)]
PETERSEN = [*((i, (i + 1) % 5) for i in range(5)), *((i, i + 5) for i in range(5))]
PETERSEN += [(5 + i, 5 + (i + 2) % 5) for i in range(5)]
TRIANGLES = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]


def turned(loop: Loop, outer: int) -> Loop:
    """Return the same loop; edges of the outer face have it as the first or second of two faces."""
    assert loop.faces is not None
    edges, faces = [], []
    for (u, v, lit), (one, other) in zip(loop.edges, loop.faces, strict=True):
        turn = FALSE in (one, other) and (one, other)[outer] != FALSE
        edges.append((v, u, lit) if turn else (u, v, lit))
        faces.append((other, one) if turn else (one, other))
    return Loop(loop.num_vertices, tuple(edges), tuple(faces), loop.spanning)


STAR = [(0, i) for i in range(1, 10)]
APART = Loop(6, loop_of(6, TRIANGLES).edges, ((7, FALSE),) * 3 + ((8, FALSE),) * 3)

GRAPHS = {
    "no vertices": (loop_of(0, []), 0),
    "a path": (loop_of(4, [(0, 1), (1, 2), (2, 3)]), 0),
    "two edges side by side": (loop_of(2, [(0, 1), (0, 1)]), 1),
    "two triangles": (loop_of(6, TRIANGLES), 2),
    "two triangles, spanning": (loop_of(6, TRIANGLES, spanning=True), 0),
    "a triangle and a point, spanning": (loop_of(4, TRIANGLES[:3], spanning=True), 0),
    "complete": (loop_of(5, COMPLETE), 37),
    "complete, spanning": (loop_of(5, COMPLETE, spanning=True), 12),
    "Petersen": (loop_of(10, PETERSEN), 12 + 10 + 15 + 20),
    "Petersen, spanning": (loop_of(10, PETERSEN, spanning=True), 0),
    "knight 3x3": (loop_of(9, knight(3, 3)), 1),
    "knight 3x4": (loop_of(12, knight(3, 4)), 6),
    "two edges side by side, spanning": (loop_of(2, [(0, 1), (0, 1)], spanning=True), 1),
    "two triangles with their faces": (APART, 2),
    "a degree of 9": (loop_of(10, [*STAR, (1, 2), (2, 3), (3, 4)]), 6),
    "a degree of 9 beside a triangle": (loop_of(10, [*STAR, (1, 2), (2, 3), (3, 1)]), 7),
    "cell": (board(1, 1), 1),
    "board 2x3": (board(2, 3), 40),
    "board 2x2, outer faces first": (turned(board(2, 2), 0), 13),
    "board 2x2, outer faces second": (turned(board(2, 2), 1), 13),
    "board 3x3": (board(3, 3), 213),
    "board 2x3 without faces": (board(2, 3, planar=False), 40),
    "board 2x3, spanning": (board(2, 3, spanning=True), 2),
    "board 3x3, spanning": (board(3, 3, spanning=True), 6),
    "board 2x2, spanning": (board(2, 2, spanning=True), 0),
}


def suits(name: str, loop: Loop) -> bool:
    """True if an encoding supports the loop."""
    return name != "loop-cells" or loop.faces is not None


def encoded(name: str, loop: Loop):
    """Return the clauses over the variables of edges and faces, and the refiner, None if there is
    none.
    """
    cnf = Cnf(max(loops.variables(loop), default=0))
    return cnf, ENCODINGS[name].encode(loop, cnf)


@pytest.mark.parametrize("graph", GRAPHS)
def test_the_oracle_counts_cycles(graph):
    loop, number = GRAPHS[graph]
    assert len(loops.cycles(loop)) == len(loops.solutions_of(loop)) == number


@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("name", ENCODINGS)
def test_models_of_loops(name, graph):
    loop, _ = GRAPHS[graph]
    if not suits(name, loop):
        with pytest.raises(UnsupportedError, match="use loop=cut-sets or loop=positions"):
            encoded(name, loop)
        return
    assert check_loop(ENCODINGS[name], loop)


def with_knowledge(rng: random.Random) -> Loop:
    """Return a board with known edges, negated ones, and some equal to others."""
    whole = board(2, 3, planar=rng.random() < 0.7)
    edges = []
    for u, v, lit in whole.edges:
        known = rng.choice((lit, lit, lit, lit, -lit, FALSE, TRUE if lit < 3 else lit))
        edges.append((u, v, known))
    return Loop(whole.num_vertices, tuple(edges), whole.faces)


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("seed", range(6 * FUZZ))
def test_edges_that_are_known(name, seed):
    loop = with_knowledge(random.Random(seed))
    if suits(name, loop):
        assert check_loop(ENCODINGS[name], loop)


@pytest.mark.parametrize("name", FORMULATIONS)
@pytest.mark.parametrize("graph", GRAPHS)
def test_solutions_of_loops(name, graph):
    loop, _ = GRAPHS[graph]
    check_formulation(name, loop)


@pytest.mark.parametrize("name", FORMULATIONS)
@pytest.mark.parametrize("seed", range(6 * FUZZ))
def test_solutions_with_known_edges(name, seed):
    check_formulation(name, with_knowledge(random.Random(seed)))


def check_formulation(name: str, loop: Loop) -> None:
    """Check that the solutions are the cycles, each once over all variables."""
    variables = sorted(loops.variables(loop))
    context = Context(max(variables, default=0))
    for unused in set(range(1, len(context.variables))) - set(variables):
        context.model.add_bool_and([~context.literal(unused)])
    formulate(name, loop, context)
    found = [frozenset(v if row[v - 1] else -v for v in variables) for row in solutions(context)]
    assert len(found) == len(set(found))
    assert set(found) == loops.solutions_of(loop)


def test_negating_every_loop_would_lose_solutions():
    """One of two cycles may be the whole loop: the cut-set leaves both."""
    loop = loop_of(6, TRIANGLES)
    refine = ENCODINGS["loop-cut-sets"].encode(loop, Cnf(6))
    clauses = refine(loops.values_of(frozenset(range(1, 7))))
    assert clauses
    for cycle in ({1, 2, 3}, {4, 5, 6}):
        lits = frozenset(v if v in cycle else -v for v in range(1, 7))
        assert all(loops.is_satisfied(clause, lits) for clause in clauses)


@pytest.mark.parametrize("name", ["loop-cut-sets", "loop-cells"])
def test_no_edge_at_all_is_refused(name):
    loop = board(2, 2)
    refine = ENCODINGS[name].encode(loop, Cnf(16))
    nothing = frozenset(-v for v in range(1, 17))
    (clause,) = refine(loops.values_of(nothing))
    assert not loops.is_satisfied(clause, nothing)
    assert [*clause] in ([*range(1, 13)], [*range(13, 17)])


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("edge", [(0, 0), (0, 3), (3, 0), (-1, 2), (2, -1)])
def test_edges_without_two_vertices_are_refused(name, edge):
    loop = Loop(3, ((*edge, 1),), ((2, FALSE),))
    with pytest.raises(ValueError, match=r"expected two vertices of 0 .. 2"):
        encoded(name, loop)


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("face", [-2, TRUE, 0])
def test_faces_are_variables(name, face):
    loop = Loop(2, ((0, 1, 1), (0, 1, 3)), ((face, FALSE), (face, FALSE)))
    with pytest.raises(ValueError, match="expected a variable or FALSE"):
        encoded(name, loop)


def test_a_face_may_be_the_first_variable():
    formula = Cnf(3)
    add_cycles(Loop(2, ((0, 1, 2), (0, 1, 3)), ((1, FALSE), (1, FALSE))), formula)
    assert len(formula) > 0


def test_positions_refuse_large_graphs():
    assert loop_positions.MAX_CLAUSES < 4 * 2 * 40 * 41 * 1680
    told = r"positions would make about .* use loop=cut-sets, .* of files use \.pb, \.mzn or \.xml"
    with pytest.raises(UnsupportedError, match=told):
        ENCODINGS["loop-positions"].encode(board(40, 40), Cnf())


@pytest.mark.parametrize("name", [*ENCODINGS])
def test_encodings_declare_their_properties(name):
    module = ENCODINGS[name]
    assert module.summary
    assert module.source
    assert module.size


@pytest.mark.parametrize("degree", [4, PAIRWISE, PAIRWISE + 1])
def test_one_arc_at_most_leaves_and_one_enters_a_place(degree):
    """Few edges are encoded by pairs, of which there would be too many for more."""
    loop = loop_of(degree + 1, [*combinations(range(degree + 1), 2)])
    formula = Cnf(len(loop.edges))
    arcs = add_arcs(loop, formula)
    assert (formula.num_vars > 3 * len(loop.edges)) is (degree > PAIRWISE)
    with Solver("cadical153", bootstrap_with=list(formula)) as solver:
        for end in (0, 1):
            mine = [arc[2] for arc in arcs if arc[end] == 0]
            assert len(mine) == degree
            assert all(solver.solve([lit]) for lit in mine)
            assert not any(solver.solve([*two]) for two in combinations(mine, 2))


def test_places_of_few_edges_need_no_counters():
    formula = Cnf(len(COMPLETE))
    add_cycles(loop_of(5, COMPLETE), formula)
    assert formula.num_vars == len(COMPLETE)


def test_pairs_and_threes_are_used_up_to_their_degree():
    loop = loop_of(PAIRWISE + 1, [*combinations(range(PAIRWISE + 1), 2)])
    formula = Cnf(len(loop.edges))
    add_cycles(loop, formula)
    assert formula.num_vars == len(loop.edges)
    add_arcs(loop, formula)
    assert formula.num_vars == 3 * len(loop.edges)


def test_the_limit_of_positions_is_of_four_clauses_for_an_edge_and_a_position(monkeypatch):
    loop = loop_of(5, COMPLETE)
    monkeypatch.setattr(loop_positions, "MAX_CLAUSES", 4 * 10 * 4)
    loop_positions.encode(loop, Cnf(10))
    monkeypatch.setattr(loop_positions, "MAX_CLAUSES", 4 * 10 * 4 - 1)
    with pytest.raises(UnsupportedError, match="about 160 clauses"):
        loop_positions.encode(loop, Cnf(10))


@pytest.mark.parametrize("degree", [PAIRWISE, PAIRWISE + 1])
def test_three_edges_at_a_place_are_refused_for_any_degree(degree):
    loop = loop_of(degree + 1, [*combinations(range(degree + 1), 2)])
    formula = Cnf(len(loop.edges))
    add_cycles(loop, formula)
    mine = [lit for u, _, lit in loop.edges if u == 0]
    assert len(mine) == degree
    with Solver("cadical153", bootstrap_with=list(formula)) as solver:
        assert solver.solve(mine[:2])
        assert not any(solver.solve([*three]) for three in combinations(mine, 3))


# Code that the encodings share


def test_constants_are_true_and_false_for_any_values():
    for values in (b"\0\0", b"\0\1"):
        assert is_true(TRUE, values) is True
        assert is_true(FALSE, values) is False
        assert is_true(1, values) is not is_true(-1, values) is not bool(values[1])


def test_edges_that_are_false_are_left_out():
    loop = Loop(3, ((0, 1, 1), (1, 2, FALSE), (2, 0, TRUE)))
    assert possible(loop) == [0, 2]


@pytest.mark.parametrize("degree", [PAIRWISE, PAIRWISE + 1])
@pytest.mark.parametrize("spanning", [False, True])
def test_places_of_many_edges_have_counters_instead_of_combinations(degree, spanning):
    loop = loop_of(degree + 1, [*combinations(range(degree + 1), 2)], spanning=spanning)
    formula = Cnf(len(loop.edges))
    add_cycles(loop, formula)
    plain = [c for c in formula if len(c) == 3 and all(-len(loop.edges) <= lit < 0 for lit in c)]
    assert (formula.num_vars > len(loop.edges)) is (degree > PAIRWISE)
    assert bool(plain) is (degree <= PAIRWISE)


def test_the_clauses_of_faces_are_made_once():
    formula = Cnf(16)
    add_cycles(board(2, 2), formula)
    assert len({frozenset(clause) for clause in formula}) == len(formula)


@pytest.mark.parametrize("graph", GRAPHS)
def test_native_clauses_of_cycles_are_those_of_the_readable_twin(graph):
    loop, _ = GRAPHS[graph]
    native, readable = (Cnf(max(loops.variables(loop), default=0)) for _ in range(2))
    add_cycles(loop, native)
    add_cycles_slowly(loop, readable)
    assert [*native] == [*readable]


@pytest.mark.parametrize(
    ("edges", "faces"),
    [
        ([0, 1, TRUE, 1, 0, 2], []),
        ([0, 1, FALSE, 1, 0, 2], []),
        ([0, 1, 1, 1, 2, 2], []),  # there are two vertices
        ([0, 1, 1, 1, 1, 2], []),
        ([0, 1, 1, 1, 0, 2], [3, FALSE, TRUE, 3]),
        ([0, 1, 1, 1, 0, 2], [3, -4, FALSE, 3]),
        ([end for edge in range(1, PAIRWISE + 2) for end in (0, 1, edge)], []),
    ],
)
def test_unusual_cycles_are_left_to_the_twin(edges, faces):
    assert _core.cycle_clauses(2, array("i", edges), array("i", faces), PAIRWISE) is None


def test_clauses_in_columns_lose_their_constants():
    for columns in (
        [[TRUE, FALSE, 1, 4], [FALSE, TRUE, 2, FALSE]],
        [[4, 1], [FALSE, 2]],
        [[3, 4, 1], [TRUE, FALSE, 2]],
    ):
        batch = array("i")
        _put_arrays(batch, *(array("i", column) for column in columns))
        assert sorted(split(batch)) == [[1, 2], [4]]


def test_if_all_places_are_on_the_loop_the_first_is_its_root():
    loop = loop_of(5, COMPLETE, spanning=True)
    formula = Cnf(len(loop.edges))
    arcs = add_arcs(loop, formula)
    num_vars = formula.num_vars
    assert add_roots(loop, arcs, formula) == [(TRUE, TRUE), *[(TRUE, FALSE)] * 4]
    assert formula.num_vars == num_vars
    clauses = [set(clause) for clause in formula]
    for place in range(5):
        assert {lit for u, _, lit in arcs if u == place} in clauses  # one of them leaves it
    whole = Cnf(len(loop.edges))
    loop_positions.encode(loop, whole)
    assert whole.num_vars == 3 * len(loop.edges) + 4 * 4  # no positions of the root


def test_the_cut_around_a_part_of_a_spanning_loop_is_always_crossed():
    loop = loop_of(6, [*combinations(range(6), 2)], spanning=True)
    refine = ENCODINGS["loop-cut-sets"].encode(loop, Cnf(len(loop.edges)))
    parts = ({0, 1, 2}, {3, 4, 5})
    inside = {lit for u, v, lit in loop.edges if any({u, v} <= part for part in parts)}
    values = bytes(lit in inside for lit in range(16))
    (clause,) = refine(values)
    assert {*clause} == {*range(1, 16)} - inside


def test_cuts_are_free_of_constants():
    edges = [(*edge, TRUE if lit == 1 else lit) for *edge, lit in loop_of(6, TRIANGLES).edges]
    edges.append((0, 3, FALSE))
    refine = ENCODINGS["loop-cut-sets"].encode(Loop(6, tuple(edges)), Cnf(6))
    (clause,) = refine(bytes([0, *[1] * 6]))
    assert len(clause) == 1
    assert -6 <= clause[0] < 0


def test_parts_separated_only_by_the_outer_face():
    assert APART.faces is not None
    both = bytes([0, *[1] * 6, 1, 1])
    for refine in (loop_cells.encode(APART, Cnf(8)), loop_cells.FaceRefiner(APART.faces)):
        assert [sorted(clause) for clause in refine(both)] == [[-8, -7]]
