"""What certificates of other families than nonograms say: rules, their clauses, and cuts."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.solvers import Minisat22

from helpers.drawing import examples
from nonosat.certify import cuts
from nonosat.certify.cuts import Border, Cut, Cutter, Walls
from nonosat.certify.encoder import Encoder, plain
from nonosat.certify.rules import Rules, rules_of
from nonosat.certify.stated_formula import StatedFormula
from nonosat.clauses.cnf import split
from nonosat.errors import CertificateError, UnsupportedError
from nonosat.model import FALSE, TRUE, Count, Loop, Model
from nonosat.puzzles.knight import Knight
from nonosat.puzzles.queens import Queens
from nonosat.puzzles.slitherlink import Slitherlink, from_rows
from nonosat.testing.deciding import canonical
from nonosat.testing.exhaustive import every_solution
from nonosat.testing.models import holds, solutions_of
from nonosat.testing.strategies import knights, models, queens, slitherlinks


def clauses_of(model: Model) -> list[list[int]]:
    return list(Encoder(model).clauses())


def found_in(clauses: Iterable[Sequence[int]], told: Sequence[int], model: Model) -> set[bytes]:
    """Every assignment of the told variables that clauses leave, loops in several parts aside."""
    found: set[bytes] = set()
    with Minisat22(bootstrap_with=[[*clause] for clause in clauses]) as solver:
        while solver.solve():
            true = {lit for lit in solver.get_model() if lit > 0}
            own = frozenset(v if v in true else -v for v in range(1, model.num_vars + 1)) | {TRUE}
            if all(holds(loop, own) for loop in model.loops):
                found.add(bytes(var in true for var in told))
            solver.add_clause([-var if var in true else var for var in told])
            if not told:
                break
    return found


# The encoder


@given(models(max_vars=8))
@examples(150)
def test_any_model_is_encoded(model: Model) -> None:
    every = range(1, model.num_vars + 1)
    assert found_in(clauses_of(model), every, model) == solutions_of(model)


@pytest.mark.parametrize("size", [6, 9, 13])
def test_every_bound_of_a_count(size: int) -> None:
    """With counters where single clauses would be too many."""
    for lower in range(size + 1):
        for upper in {lower, min(lower + 1, size), size}:
            model = Model(size, counts=(Count(range(1, size + 1), lower, upper),))
            encoder = Encoder(model)
            clauses = list(encoder.clauses())
            assert encoder.num_vars == max(chain([size], *map(_variables, clauses)))
            with Minisat22(bootstrap_with=clauses) as solver:
                for number in range(size + 1):
                    known = [var if var <= number else -var for var in range(1, size + 1)]
                    Random(number).shuffle(known)
                    known = [(at + 1) * (1 if lit > 0 else -1) for at, lit in enumerate(known)]
                    assert solver.solve(assumptions=known) == (lower <= number <= upper)


def _variables(clause: Sequence[int]) -> Iterator[int]:
    return map(abs, clause)


def test_the_same_clauses_each_time() -> None:
    model = rules_of(from_rows(["3.", ".2"])).model
    assert clauses_of(model) == clauses_of(model)


def test_constants_and_repetitions_leave_a_clause() -> None:
    assert plain([1, FALSE, 2, 1]) == [1, 2]
    assert plain([1, TRUE]) is None
    assert plain([1, 2, -1]) is None
    assert plain([FALSE]) == []


# The rules


def assert_stated(puzzle: Any) -> None:
    """The told values that the rules leave are those of the puzzle's solutions, each once."""
    rules = rules_of(puzzle)
    told = [*rules.told]
    found = found_in(clauses_of(rules.model), told, rules.model)
    solutions = every_solution(puzzle)
    assert solutions is not None
    every = {canonical(puzzle, solution) for solution in solutions}
    values = {bytes(var in rules.true_in(one) for var in told) for one in every}
    assert len(values) == len(every)
    assert found == values
    assert not rules.trusted


@given(slitherlinks(max_cells=9))
@examples(60)
def test_slitherlinks_are_stated(puzzle: Slitherlink) -> None:
    assert_stated(puzzle)


@given(queens(max_n=6))
@examples(60)
def test_queens_are_stated(puzzle: Queens) -> None:
    assert_stated(puzzle)


@given(knights(max_squares=12).filter(lambda puzzle: puzzle.height * puzzle.width <= 20))
@examples(100)
def test_tours_are_stated(puzzle: Knight) -> None:
    assert_stated(puzzle)


@pytest.mark.parametrize(
    "puzzle",
    [
        *(Queens(n) for n in range(7)),
        Queens(4, given=((0, 1), (0, 2))),
        Queens(1, blocked=((0, 0),)),
        from_rows(["."]),
        from_rows(["0"]),
        from_rows([".."]),
        from_rows([".", "."]),
        from_rows(["4.", ".."]),
        from_rows(["...", "...", "..."]),
        *(Knight(rows, columns) for rows, columns in ((1, 1), (1, 2), (3, 3), (3, 4), (4, 4))),
        *(Knight(1, 1, closed=True, given=given) for given in ((), ((0, 0, 1),))),
        Knight(1, 1, start=(0, 0)),
        Knight(2, 3, closed=True, holes=((0, 1), (1, 0), (1, 1), (0, 2))),  # two squares
        Knight(2, 3, closed=True, holes=((0, 1), (1, 1), (0, 2), (1, 0)), given=((0, 0, 2),)),
        Knight(2, 3, closed=True, holes=((0, 1), (1, 1), (0, 2), (1, 0)), start=(1, 2)),
        Knight(3, 3, holes=((1, 1),)),
        Knight(3, 3, closed=True, holes=((1, 1),)),
        Knight(3, 3, closed=True, holes=((1, 1),), start=(0, 0), given=((2, 2, 5),)),
        Knight(3, 3, closed=True, holes=((1, 1),), given=((2, 2, 5),)),
        Knight(3, 3, holes=((1, 1),), given=((2, 2, 5), (0, 0, 1), (1, 2, 8))),
        Knight(3, 4, start=(0, 0)),
        Knight(3, 4, given=((1, 1, 12),)),
        Knight(3, 4, given=((1, 1, 6),)),
        Knight(3, 4, given=((0, 0, 12), (0, 2, 1))),
        Knight(4, 5, start=(0, 0), given=((0, 1, 20),)),
    ],
)
def test_special_boards_are_stated(puzzle: Any) -> None:
    assert_stated(puzzle)


@pytest.mark.parametrize("number", range(2, 9))
def test_numbers_of_a_closed_tour_and_its_direction(number: int) -> None:
    """Half the tour apart, two given numbers leave the direction open, and the loop is one."""
    ring = [(0, 0), (1, 2), (2, 0), (0, 1), (2, 2), (1, 0), (0, 2), (2, 1)]
    for first, other in permutations(ring, 2):
        puzzle = Knight(3, 3, closed=True, holes=((1, 1),), start=first, given=((*other, number),))
        assert_stated(puzzle)


def test_boards_that_are_too_large_are_refused() -> None:
    for puzzle in (Queens(1001), Knight(600, 600), Knight(99, 99, given=((50, 50, 4000),))):
        with pytest.raises(UnsupportedError, match="formula"):
            rules_of(puzzle)


# Cuts


def loops_in(loop: Loop) -> Iterator[frozenset[int]]:
    """Every single loop, as the places of its edges."""
    for size in range(len(loop.edges) + 1):
        for chosen in combinations(range(len(loop.edges)), size):
            lits = frozenset(
                lit if place in chosen else -lit for place, (_, _, lit) in enumerate(loop.edges)
            )
            if holds(Loop(loop.num_vertices, loop.edges, spanning=loop.spanning), lits):
                yield frozenset(chosen)


@st.composite
def graphs(draw: st.DrawFn) -> Loop:
    """Few vertices and few edges, some of them parallel."""
    size = draw(st.integers(2, 5))
    ends = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)).filter(
        lambda pair: pair[0] != pair[1]
    )
    edges = draw(st.lists(ends, max_size=8))
    numbered = tuple((u, v, lit) for lit, (u, v) in enumerate(edges, start=1))
    return Loop(size, numbered, spanning=draw(st.booleans()))


@given(graphs(), st.randoms(use_true_random=False))
@examples(150)
def test_what_is_taken_for_a_cut_is_one(loop: Loop, rng: Any) -> None:
    every = list(loops_in(loop))
    cutter = Cutter((loop,))
    for _ in range(20):
        places = [None, *range(-1, len(loop.edges) + 1)]
        vertices = tuple(v for v in range(loop.num_vertices) if rng.random() < 0.5)
        cut = Border(0, vertices, *(rng.choice(places) for _ in range(2)))
        try:
            clause = cutter.clause(cut)
        except CertificateError:
            continue
        for chosen in every:
            lits = {
                lit if place in chosen else -lit for place, (_, _, lit) in enumerate(loop.edges)
            }
            assert lits & set(clause)


SQUARES = Loop(  # two squares with an edge between them
    8,
    tuple(
        (u, v, lit)
        for lit, (u, v) in enumerate(
            [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5)], 1
        )
    ),
)


def test_the_clause_of_a_cut() -> None:
    assert Cutter((SQUARES,)).clause(Border(0, (0, 1, 2, 3), 0, 4)) == [-1, -5, 9, 10]
    spanning = Loop(8, SQUARES.edges, spanning=True)
    assert Cutter((spanning,)).clause(Border(0, (0, 1, 2, 3))) == [9, 10]


@pytest.mark.parametrize(
    ("cut", "why"),
    [
        (Border(1, (0, 1, 2, 3), 0, 4), "there is no loop 1"),
        (Border(-1, (0, 1, 2, 3), 0, 4), "there is no loop -1"),
        (Border(0, (), 0, 4), "the vertices are none, or all there are"),
        (Border(0, tuple(range(8)), 0, 4), "the vertices are none, or all there are"),
        (Border(0, (0, 0, 1), 0, 4), r"the vertices are not different ones of 0 \.\. 7"),
        (Border(0, (-1, 1), 0, 4), r"not different ones of 0 \.\. 7"),
        (Border(0, (1, 8), 0, 4), r"not different ones of 0 \.\. 7"),
        (Border(0, (0, 1, 2, 3), 4, 5), "edge 4 is not within the vertices"),
        (Border(0, (0, 1, 2, 3), 8, 5), "edge 8 is not within the vertices"),
        (Border(0, (0, 1, 2, 3), 0, 1), "edge 1 is not beyond the vertices"),
        (Border(0, (0, 1, 2, 3), 0, 8), "edge 8 is not beyond the vertices"),
        (Border(0, (0, 1, 2, 3), -1, 4), r"the edge within is none of 0 \.\. 9"),
        (Border(0, (0, 1, 2, 3), 0, 10), r"the edge beyond is none of 0 \.\. 9"),
        (Border(0, (0, 1, 2, 3)), r"the edge within is none of 0 \.\. 9"),
    ],
)
def test_what_is_no_cut_is_refused(cut: Cut, why: str) -> None:
    with pytest.raises(CertificateError, match=f"^{why}$|{why}"):
        list(Cutter((SQUARES,)).clause(cut))


def test_a_spanning_cut_names_no_edges() -> None:
    spanning = Loop(8, SQUARES.edges, spanning=True)
    with pytest.raises(CertificateError, match="edges are named"):
        Cutter((spanning,)).clause(Border(0, (0, 1, 2, 3), 0, 4))


BLANK = from_rows(["...", "...", "..."])  # with the cells 25 to 33


def test_what_is_taken_for_walls_holds_in_every_loop() -> None:
    """All sets of cells that are inside with one that is not, and of those outside with two."""
    (loop,) = rules_of(BLANK).model.loops
    cutter, cells, num_taken = Cutter((loop,)), frozenset(range(25, 34)), 0
    solutions = every_solution(BLANK)
    assert solutions is not None
    loops = [dict(enumerate(path.inside(), start=25)) for path in solutions]
    few = [ends for size in (1, 2) for ends in combinations(sorted(cells), size)]
    for ends in few:
        for size in range(9):
            for walls in combinations(sorted(cells - {*ends}), size):
                cut = Walls(0, walls, ends) if len(ends) == 1 else Walls(0, ends, walls)
                try:
                    clause = cutter.clause(cut)
                except CertificateError:
                    continue
                num_taken += 1
                for is_inside in loops:
                    assert any(is_inside[abs(lit)] == (lit > 0) for lit in clause)
    assert num_taken > 1000


def test_walls() -> None:
    """The middle is locked off by the cells beside it, two corners by a diagonal."""
    (loop,) = rules_of(BLANK).model.loops
    cutter = Cutter((loop,))
    beside = (26, 28, 30, 32)
    assert cutter.clause(Walls(0, beside, (29,))) == [-26, -28, -30, -32, 29]
    assert cutter.clause(Walls(0, (25, 33), (27, 29, 31))) == [-25, -33, 27, 29, 31]
    assert cutter.clause(Walls(0, (25, 33), (26, 28))) == [-25, -33, 26, 28]
    for inside, outside in (
        (beside[:3], (29,)),
        (beside, (25,)),
        ((25, 33), (27, 29)),
        ((25, 26), ()),
        ((25, 33, 27), (26, 28)),
        ((25,), (26, 28)),
        (beside, (29, 25)),
        (beside, ()),
        ((), ()),
    ):
        with pytest.raises(CertificateError, match="lock off neither one outside nor two inside"):
            cutter.clause(Walls(0, inside, outside))
    for inside, outside in (
        ((*beside, 26), (29,)),
        ((*beside, 29), (29,)),
        ((25, 34), ()),
        ((24,), (29,)),
        ((FALSE,), (29,)),
        (beside, (FALSE,)),
    ):
        with pytest.raises(CertificateError, match="not different faces of the loop"):
            cutter.clause(Walls(0, inside, outside))
    with pytest.raises(CertificateError, match="not different faces of the loop"):
        Cutter((SQUARES,)).clause(Walls(0, (1,), (2,)))


def test_without_an_outer_face_nothing_is_locked_off_from_it() -> None:
    """On a ball a loop may have a single face outside."""
    faces = ((4, 5), (4, 5), (4, 5))
    ball = Loop(3, ((0, 1, 1), (1, 2, 2), (2, 0, 3)), faces)
    with pytest.raises(CertificateError, match="lock off neither"):
        Cutter((ball,)).clause(Walls(0, (4,), (5,)))


def test_cuts_are_read_as_written() -> None:
    for some in ([], [Border(0, (1, 2), 3, 4), Border(1, (5,)), Walls(0, (5, 3), (9,))]):
        assert cuts.read(cuts.written(some)) == some


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "this is no JSON"),
        ("[]", "there is no list 'cuts'"),
        ('{"cuts": {}}', "there is no list 'cuts'"),
        (
            '{"cuts": [3]}',
            "cut 1: expected the keys loop, vertices, within, beyond; or loop, inside, outside",
        ),
        ('{"cuts": [{"loop": 0}]}', "cut 1: expected the keys"),
        ('{"cuts": [{"loop": 0, "vertices": [1], "within": 1}]}', "cut 1: expected the keys"),
        ('{"cuts": [{"loop": true, "vertices": [1]}]}', "cut 1: expected whole numbers"),
        ('{"cuts": [{"loop": 0, "vertices": [1.0]}]}', "cut 1: expected whole numbers"),
        ('{"cuts": [{"loop": 0, "vertices": 1}]}', "cut 1: expected whole numbers"),
        ('{"cuts": [{"loop": [0], "vertices": [1]}]}', "cut 1: expected whole numbers"),
        ('{"cuts": [{"loop": 0, "inside": [1], "outside": 2}]}', "cut 1: expected whole numbers"),
        ('{"cuts": [{"loop": 0, "inside": [[1]], "outside": []}]}', "cut 1: expected whole num"),
    ],
)
def test_files_that_hold_no_cuts(text: str, why: str) -> None:
    with pytest.raises(CertificateError, match=why):
        cuts.read(text.encode())


# The whole formula


def formula_of(
    rules: Rules, some: Sequence[Cut], true: frozenset[int] | None
) -> tuple[int, list[list[int]]]:
    made = StatedFormula(rules, lambda: None)
    flat = made.of_rules() + made.of_cuts(some) + made.forbidding(true)
    return made.num_vars, list(split(flat))


def test_every_change_of_a_formula_is_seen() -> None:
    rules = rules_of(from_rows(["3.", "..", ".3"]))
    some = [Border(0, (0, 1, 3, 4), 0, 7)]
    true = frozenset({1, 2, 3})
    num_vars, clauses = formula_of(rules, some, true)
    assert clauses[-1] == [-1, -2, -3]

    def problem(changed: list[list[int]], num: int = num_vars) -> str:
        flat = array("i", [lit for clause in changed for lit in (*clause, 0)])
        try:
            StatedFormula(rules, lambda: None).refuse_other(num, flat, some, true)
        except CertificateError as error:
            return str(error).removeprefix("formula.cnf: ")
        return ""

    assert problem(clauses) == ""
    rest = clauses[:-2]
    assert "not those of the puzzle's rules" in problem([rest[0][::-1], *clauses[1:]])
    assert "not those of the puzzle's rules" in problem(clauses[1:])
    assert "not those of the cuts" in problem([*rest, clauses[-1]])
    assert "not those of the cuts" in problem([*rest, clauses[-2][1:], clauses[-1]])
    assert "does not forbid the solution" in problem([*rest, clauses[-2], [-1, -2]])
    assert "does not forbid the solution" in problem(clauses[:-1])
    assert problem([*clauses, [1]]) == "the formula has 1 clause more than the puzzle asks for"
    assert problem(clauses, num_vars + 1).endswith(f"variables, expected {num_vars}")
    assert problem(clauses, 3) == f"the formula has 3 variables, the rules alone need {num_vars}"
