"""Cubes against enumeration and against the pipeline without cubes; here without processes."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import nonosat
from helpers import drawing
from helpers.cubed import Here, coloured_rooks, here, rooks
from nonosat.board import presolve
from nonosat.certify import covers
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block
from nonosat.core.plugins import Answer
from nonosat.core.result import Options, Verdict
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram import Nonogram, mono
from nonosat.solving import auto
from nonosat.solving.auto import SearchRound
from nonosat.solving.cubes import conquest, leaves, part
from nonosat.solving.cubes.grounds import ground_of
from nonosat.solving.cubes.leaves import Splitter
from nonosat.solving.problem import Problem
from nonosat.solving.session import Session
from nonosat.testing import oracles, strategies

pytestmark = pytest.mark.usefixtures("here")
assert here  # a fixture

SWITCH = mono([[1], [1]], [[1], [1]])
quick = settings(drawing.examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
MOST = 130  # solutions; each takes a call of an engine
VERDICTS = {0: Verdict.UNSOLVABLE, 1: Verdict.UNIQUE}


def bundled(name: str) -> Nonogram:
    puzzle = nonosat.load(f"instances/{name}")
    assert isinstance(puzzle, Nonogram)
    return puzzle


def stage(result: nonosat.Result, name: str) -> dict:
    return next(dict(one.detail) for one in result.stages if one.name == name)


def assert_covered(result: nonosat.Result) -> None:
    cells = [grid.cells for grid in result.solutions]
    covers.check_tree(result.puzzle, cells, [dict(node) for node in result.tree])


def assert_true(puzzle: Nonogram, num_cubes: int, budget: int, monkeypatch) -> int:
    """Check that verdict and solutions are those of enumeration; return the number of leaves."""
    monkeypatch.setattr(leaves, "BUDGET", budget)
    truth = oracles.solutions(puzzle, MOST + 1)
    if len(truth) > MOST:
        return 0
    everything = nonosat.solve(puzzle, max_solutions=MOST + 1, cubes=num_cubes, jobs=2)
    assert {grid.cells for grid in everything.solutions} == truth
    assert everything.verdict is VERDICTS.get(len(truth), Verdict.MULTIPLE)
    if num_cubes and everything.tree:
        assert_covered(everything)
    assert nonosat.check(puzzle, cubes=num_cubes).verdict is everything.verdict
    first = nonosat.solve(puzzle, cubes=num_cubes)
    assert first.verdict is (Verdict.SOLVED if truth else Verdict.UNSOLVABLE)
    return sum("cube" in node for node in everything.tree)


@pytest.mark.thorough
@quick
@given(strategies.puzzles(max_cells=30), st.integers(1, 40), st.integers(1, 20))
def test_any_puzzle(monkeypatch, puzzle, num_cubes, budget):
    assert_true(puzzle, num_cubes, budget, monkeypatch)


@pytest.mark.thorough
@quick
@given(st.data())
def test_puzzles_that_probing_leaves_open(monkeypatch, data):
    """Rooks with some cells given, sometimes with more rows than columns."""
    size = data.draw(st.integers(3, 5))
    if data.draw(st.booleans()):
        puzzle = coloured_rooks(size := 3)
    else:
        puzzle = rooks(size + data.draw(st.integers(0, 1)), size)
    place = st.integers(0, size - 1)
    cells = data.draw(st.lists(st.tuples(place, place), max_size=2, unique=True))
    given_cells = tuple((*cell, data.draw(st.integers(0, len(puzzle.colours)))) for cell in cells)
    puzzle = Nonogram(puzzle.rows, puzzle.columns, colours=puzzle.colours, given=given_cells)
    assert_true(puzzle, data.draw(st.integers(1, 30)), data.draw(st.integers(1, 5)), monkeypatch)


@pytest.mark.parametrize("num_cubes", [1, 2, 7, 1000])
@pytest.mark.parametrize("size", [(4, 4), (5, 4), (6, 5)])
def test_rooks(monkeypatch, size, num_cubes):
    assert assert_true(rooks(*size), num_cubes, 3, monkeypatch) >= 1


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("hard.jsonl#steps-8", Verdict.UNIQUE),
        ("special.jsonl#exchanged-8", Verdict.UNSOLVABLE),
        ("special.jsonl#broken-steps", Verdict.UNSOLVABLE),
        ("special.jsonl#heart-blots", Verdict.MULTIPLE),
    ],
)
@pytest.mark.parametrize("num_cubes", [1, 6])
def test_puzzles_that_need_a_search(name, verdict, num_cubes):
    result = nonosat.check(bundled(name), cubes=num_cubes)
    assert result.verdict is verdict
    assert stage(result, "split")["cubes"] + stage(result, "split")["look-ahead"] >= 1
    if verdict is not Verdict.MULTIPLE:
        assert_covered(result)


def test_cubes_are_split_again_when_their_conflicts_are_used_up(monkeypatch):
    monkeypatch.setattr(leaves, "BUDGET", 100)
    result = nonosat.check(bundled("hard.jsonl#steps-8"), cubes=2)
    assert result.verdict is Verdict.UNIQUE
    assert stage(result, "cubes")["split again"] >= 2
    assert stage(result, "split")["cubes"] == 2
    assert_covered(result)


def test_the_tree_does_not_depend_on_the_order(monkeypatch):
    monkeypatch.setattr(leaves, "BUDGET", 200)
    puzzle = bundled("special.jsonl#broken-steps")

    def decided():
        tree = nonosat.check(puzzle, cubes=5).tree
        return sorted((node["cube"], node["ended by"]) for node in tree if "cube" in node)

    last_first = decided()
    monkeypatch.setattr(Here, "NEXT", 0)
    assert decided() == last_first


def test_a_puzzle_that_one_engine_decides_is_not_split(monkeypatch):
    monkeypatch.setattr(auto, "WHOLE_CONFLICTS", 10_000)
    result = nonosat.check(bundled("hard.jsonl#steps-8"), cubes=6)
    assert result.verdict is Verdict.UNIQUE
    assert "split" not in [each.name for each in result.stages]
    assert "cubes=6 was not used" in stage(result, "unused")["remark"]
    assert len(result.tree) == 1
    assert_covered(result)


def test_an_enumeration_is_divided_after_a_few_solutions(monkeypatch):
    monkeypatch.setattr(auto, "WHOLE_CONFLICTS", 10_000)
    result = nonosat.solve(rooks(5, 5), cubes=4, backend="learn", max_solutions=None)
    assert len(result.solutions) == 120
    assert stage(result, "split")["cubes"] == 4
    assert_covered(result)


@pytest.mark.parametrize("num_found", [0, 3, 120])
def test_an_engine_continues_in_cubes(num_found):
    """After some solutions of the whole puzzle it finds all others, cube by cube."""
    problem = Problem(rooks(5, 5), Options(presolve="none"))
    task = problem.own_task()
    session = Session("learn", task, problem.options, problem.choices, problem.watch)
    found: list[bytes] = []
    for values in islice(session.solutions([SearchRound()], found), num_found):
        found.append(values)
    session.prepare(found)
    for cube in ([1], [-1, 7], [-1, -7]):
        fresh: list[bytes] = []
        while isinstance(values := session.continued(cube, 10_000, fresh), bytes):
            assert all(bool(values[abs(lit)]) == (lit > 0) for lit in cube)
            found.append(values)
            fresh = [values]
        assert values is Answer.UNSAT
    assert len(found) == len({*found}) == 120
    session.close()


def test_turns_before_cubes_end_soon_after_a_solution(monkeypatch):
    monkeypatch.setattr(auto, "WHOLE_CONFLICTS", 10)
    monkeypatch.setattr(auto, "UNSOLVED_CONFLICTS", 100)
    planned = [SearchRound(5), SearchRound(30), SearchRound()]

    def budgets(solved_after):
        taken = []
        for turn in auto.before_cubes(iter(planned), lambda: len(taken) >= solved_after):
            taken.append(turn.budget)
        return taken

    assert budgets(0) == [5, 5]
    assert budgets(1) == [5, 10]
    assert budgets(2) == [5, 10, 10]
    assert budgets(99) == [5, 10, 10, 10, 10, 10, 10, 10, 10, 10, 5]


def test_two_solutions_in_one_cube():
    result = nonosat.check(SWITCH, cubes=1)
    assert result.verdict is Verdict.MULTIPLE
    assert stage(result, "split")["cubes"] == 1


def test_two_solutions_in_different_cubes(monkeypatch):
    monkeypatch.setitem(vars(nonogram.PLUGIN), "neighbours", lambda *_: iter(()))
    result = nonosat.check(SWITCH, cubes=2)
    assert result.verdict is Verdict.MULTIPLE
    assert stage(result, "split")["cubes"] == 2
    both = nonosat.solve(SWITCH, cubes=2, max_solutions=5)
    assert sorted(node["solutions"] for node in both.tree if "cube" in node) == [[0], [1]]


def test_puzzles_decided_by_presolve_need_no_cubes():
    result = nonosat.check(mono([[2], [1]], [[2], [1]]), cubes=4)
    assert result.verdict is Verdict.UNIQUE
    assert [one.name for one in result.stages] == ["propagate"]
    assert result.tree == ()


@pytest.mark.parametrize("length", [1, 2, 9])
@pytest.mark.parametrize("presolve_level", ["none", "probe"])
def test_boards_of_one_line(length, presolve_level):
    def verdict(columns):
        puzzle = Nonogram(rows=((Block(None),),), columns=columns)
        return nonosat.check(puzzle, cubes=3, presolve=presolve_level).verdict

    filled, empty = (Block(1),), ()
    assert verdict((filled,) * length) is Verdict.UNIQUE
    assert verdict((empty,) * length) is Verdict.UNSOLVABLE
    assert verdict((filled, *(empty,) * (length - 1))) is Verdict.UNIQUE


@pytest.mark.parametrize("presolve_level", ["none", "propagate"])
def test_without_presolve(presolve_level):
    result = nonosat.check(bundled("special.jsonl#broken-steps"), cubes=3, presolve=presolve_level)
    assert result.verdict is Verdict.UNSOLVABLE
    assert nonosat.check(SWITCH, cubes=3, presolve=presolve_level).verdict is Verdict.MULTIPLE
    corner = nonosat.check(mono([[2], [1]], [[2], [1]]), cubes=3, presolve=presolve_level)
    assert corner.verdict is Verdict.UNIQUE


@pytest.mark.parametrize("options", [{"backend": "learn"}, {"backend": "learn-lines"}, {"seed": 7}])
def test_engines_and_seeds(options):
    result = nonosat.check(bundled("special.jsonl#broken-steps"), cubes=3, **options)
    assert result.verdict is Verdict.UNSOLVABLE
    engine = options.get("backend", "learn")
    assert result.backend == engine
    assert {node["ended by"] for node in result.tree if "cube" in node} <= {
        engine,
        "look-ahead",
        "probe",
        "propagate",
    }


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"cubes": 0}, "at least 1"),
        ({"cubes": True}, "a whole number"),
        ({"cubes": 2, "jobs": 0}, "at least 1"),
        ({"cluster": "local:2"}, "set the number of cubes"),
        ({"cubes": 2, "jobs": 2, "cluster": "local:2"}, "expected one of them"),
        ({"cubes": 2, "backend": "cadical195"}, "these do: auto, learn, learn-lines"),
        ({"cubes": 2, "redundant": ("symmetry",)}, "inside a cube"),
    ],
)
def test_options_that_exclude_cubes(options, told):
    with pytest.raises(UnsupportedError, match=told):
        nonosat.solve(SWITCH, **options)


def splitter(puzzle: Nonogram) -> Splitter:
    task = presolve.PresolvedModel.of(nonogram.build(puzzle))
    return Splitter(ground_of(task, {}, Watch(Limits())))


def test_a_splitter_makes_the_requested_number_of_cubes():
    one = splitter(bundled("special.jsonl#broken-steps"))
    cubes = one.split(0, 9)
    assert len(set(cubes)) == 9
    assert all(map(one.can_split, cubes))
    refuted = [node.ended_by for node in one.tree.nodes if node.ended_by]
    assert len(one.tree.nodes) == 2 * (9 + len(refuted)) - 1


def test_more_cubes_than_a_puzzle_has_room_for_end_in_complete_boards():
    one = splitter(rooks(4, 4))
    cubes = one.split(0, 1000)
    assert len(cubes) == 24
    assert not any(map(one.can_split, cubes))


def test_a_part_that_is_full_is_not_exhausted():
    puzzle = rooks(4, 4)
    truth = oracles.solutions(puzzle)

    def cells_of(values):
        return nonogram.decode(puzzle, values).cells

    asked = part.CubeTask(puzzle, Options(), (), (), 5, 10**6, True)
    found = part.decide(asked)
    assert len(set(found.solutions)) == 5
    assert found.is_full
    assert found.ended_by == ""
    rest = part.decide(part.CubeTask(puzzle, Options(), (), found.solutions, 100, 10**6, True))
    assert {cells_of(values) for values in (*found.solutions, *rest.solutions)} == truth
    assert rest.ended_by == "learn"


def test_solutions_are_given_in_pieces(monkeypatch):
    monkeypatch.setattr(conquest, "MOST_AT_ONCE", 5)
    found = list(nonosat.solutions(rooks(5, 5), cubes=3))
    assert len(set(found)) == len(found) == 120
