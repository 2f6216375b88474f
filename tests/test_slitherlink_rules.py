"""The 15 rules: each concludes what its text states and nothing unsound; together they solve
Slinks.

Soundness is by enumeration: the conclusions of a rule on a lattice of 5 x 5 corners around one cell
are compared with all sets of edges that have 0 or 2 edges at each inner corner and fit the clues.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest
from hypothesis import given

import nonosat
from helpers import boards
from helpers.drawing import FUZZ, examples
from nonosat.core.limits import Limits, Watch
from nonosat.core.result import Verdict
from nonosat.generate.slitherlink import generate_slitherlink
from nonosat.puzzles.slitherlink import Slitherlink, from_rows, sights
from nonosat.puzzles.slitherlink.rules import (
    IN,
    OF_CLUES,
    OF_CORNERS,
    OPEN,
    OUT,
    RULES,
    View,
    as_read,
    far,
    inner,
    opposite,
    outer,
)
from nonosat.puzzles.slitherlink.sights import MAX_TRACED, Deduction, Sights, rules
from nonosat.testing.boards import all_paths, clues_of, slitherlink_solutions
from nonosat.testing.strategies import slitherlinks

BY_NAME = {rule.name: rule for rule in RULES}


def view(clue: int, beside: str = "....", diagonal: str = "....", **known: str) -> View:
    """View; `known` marks edges, by number, as "IN" or "OUT": e3="IN"."""
    edges = [OPEN] * 12
    for edge, value in known.items():
        edges[int(edge[1:])] = IN if value == "IN" else OUT

    def clues(text: str) -> tuple[int | None, ...]:
        return tuple(None if char == "." else int(char) for char in text)

    return View(clue, tuple(edges), clues(beside), clues(diagonal), guarded=True)


CASES = {
    "zero": (view(0), {(0, OUT), (1, OUT), (2, OUT), (3, OUT)}),
    "no-choice": (view(3, e2="OUT"), {(0, IN), (1, IN), (3, IN)}),
    "satisfied": (view(1, e2="IN"), {(0, OUT), (1, OUT), (3, OUT)}),
    "adjacent-threes": (view(3, beside=".3.."), {(1, IN), (3, IN)}),
    "diagonal-threes": (view(3, diagonal="..3."), {(3, IN), (0, IN)}),
    "three-blocked": (view(3, e4="OUT", e5="OUT"), {(3, IN), (0, IN)}),
    "two-blocked": (view(2, e4="OUT", e5="OUT", e6="OUT", e10="OUT"), {(7, IN), (11, IN)}),
    "one-blocked": (view(1, e8="OUT", e9="OUT"), {(1, OUT), (2, OUT)}),
    "three-entered": (view(3, e4="IN", e5="OUT"), {(1, IN), (2, IN), (5, OUT)}),
    "three-sees-one": (view(3, diagonal="..1.", e4="OUT", e5="OUT"), {(16, OUT), (17, OUT)}),
    "two-entered": (view(2, e4="IN", e5="OUT", e1="OUT"), {(2, IN)}),
    "two-left": (view(2, e4="IN", e5="OUT", e9="OUT"), {(8, IN)}),
    "one-entered": (view(1, e4="OUT", e5="IN"), {(1, OUT), (2, OUT)}),
}
CORNERS = {
    "goes-on": ((IN, OUT, OPEN, OUT), {(2, IN)}),
    "passed": ((IN, OPEN, IN, OPEN), {(1, OUT), (3, OUT)}),
    "dead-end": ((OUT, OUT, OPEN, OUT), {(2, OUT)}),
}


def test_there_are_15_rules():
    assert {*CASES, *CORNERS} == set(BY_NAME)
    assert sorted({rule.number for rule in RULES}) == [*range(1, 16)]
    assert [rule.number for rule in RULES].count(14) == 2  # either reading of its text
    for rule in RULES:
        assert f"Rule {rule.number}" in str(rule.apply.__doc__)


@pytest.mark.parametrize("name", CASES)
def test_what_a_rule_of_clues_concludes(name):
    seen, expected = CASES[name]
    assert set(BY_NAME[name].apply(seen)) == expected
    other = View((seen.clue + 1) % 4, seen.edges, guarded=True)
    if name not in ("no-choice", "satisfied"):
        assert set(BY_NAME[name].apply(other)) == set()


@pytest.mark.parametrize("name", CORNERS)
def test_what_a_rule_of_corners_concludes(name):
    seen, expected = CORNERS[name]
    assert set(BY_NAME[name].apply(seen)) == expected
    assert set(BY_NAME[name].apply((OPEN,) * 4)) == set()


def test_edges_by_number():
    assert [inner(corner) for corner in range(4)] == [(3, 0), (0, 1), (1, 2), (2, 3)]
    assert [outer(corner) for corner in range(4)] == [(4, 5), (6, 7), (8, 9), (10, 11)]
    assert [far(corner) for corner in range(4)] == [(12, 13), (14, 15), (16, 17), (18, 19)]
    assert [opposite(corner) for corner in range(4)] == [2, 3, 0, 1]
    found = Sights(from_rows(["..." for _ in range(3)]))
    seen = found.edges_in_view(1, 1)
    assert len(set(seen)) == 20
    corner = {place: {*found.around_corner(*place)} for place in product(range(5), repeat=2)}
    for k, place in enumerate([(1, 1), (1, 2), (2, 2), (2, 1)]):
        assert {seen[edge] for edge in (*inner(k), *outer(k))} == corner[place]
    for k, place in enumerate([(0, 0), (0, 3), (3, 3), (3, 0)]):
        assert {seen[edge] for edge in far(k)} == corner[place] - {found.num_edges}


# Views


@pytest.mark.parametrize("rule", OF_CLUES, ids=str)
def test_rules_read_only_the_kept_parts_of_a_view(rule):
    rng = random.Random(rule.name)
    concluded = 0
    for _ in range(2000):
        edges = tuple(rng.choices((OPEN, OUT, IN), (4, 2, 1), k=12))
        around = [tuple(rng.choices((None, 0, 1, 2, 3), (4, 1, 1, 1, 1), k=4)) for _ in range(2)]
        whole = View(rng.randint(0, 4), edges, *around, guarded=rng.random() < 0.5)
        found = [*rule.apply(whole)]
        assert [*rule.apply(as_read(whole))] == found
        concluded += len(found)
    assert concluded > 20


def test_dropped_views_are_computed_again(monkeypatch):
    """Conclusions of rules from views are kept for all boards, up to a bound."""
    puzzle = generate_slitherlink(6, 6, seed=4)
    kept = Deduction(puzzle)
    kept.run()
    monkeypatch.setattr(sights, "MOST_KEPT", 1)
    sights._known_of.cache_clear()
    forgotten = Deduction(puzzle)
    forgotten.run()
    assert forgotten.steps == kept.steps != []
    assert max(map(len, forgotten._sights._known)) == 1


# Soundness


@cache
def local_fillings() -> tuple[tuple[int, ...], ...]:
    """Return all states of the edges that a clue sees, in the order of `rules`, with 0 or 2 edges
    at
    the four corners of its cell; far edges depend on whether diagonal cells are full of edges.
    """
    found = []
    for edges in product((OUT, IN), repeat=12):
        if all(sum(edges[e] for e in (*inner(k), *outer(k))) in (0, 2) for k in range(4)):
            found.append(edges)
    return tuple(found)


def views(rng: random.Random, filling: tuple[int, ...], clue: int) -> Iterator[View]:
    """Views that this filling agrees with."""
    for _ in range(6):
        share = rng.random()
        yield View(clue, tuple(e if rng.random() < share else OPEN for e in filling))


@pytest.mark.parametrize(
    "rule", [rule for rule in OF_CLUES if rule.number not in (4, 5, 13)], ids=str
)
def test_rules_of_clues_are_sound(rule):
    """On every filling around a cell: conclusions from any part of it hold in it."""
    rng = random.Random(5)
    concluded = 0
    for filling in local_fillings():
        for seen in views(rng, filling, sum(filling[:4])):
            for edge, value in rule.apply(seen):
                assert filling[edge] == value, (seen, edge)
                concluded += seen.edges[edge] == OPEN
    assert concluded > 20


@pytest.mark.parametrize("rule", OF_CORNERS, ids=str)
def test_rules_of_corners_are_sound(rule):
    for filling in product((OUT, IN), repeat=4):
        if sum(filling) in (0, 2):
            for known in product((True, False), repeat=4):
                seen = tuple(e if k else OPEN for e, k in zip(filling, known, strict=True))
                assert all(filling[edge] == value for edge, value in rule.apply(seen))


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["adjacent-threes", "diagonal-threes", "three-sees-one"])
@pytest.mark.parametrize("seed", range(3))
def test_rules_about_two_clues_are_sound(name, seed):
    """On every loop of a board of 3 x 4 and a part of its edges."""
    rng, used = random.Random(seed), 0
    for path in all_paths(3, 4):
        found = Deduction(Slitherlink(3, 4, clues_of(path)), [BY_NAME[name]])
        for edge, value in enumerate(path.edges):
            if rng.random() < 0.5:
                found.states[edge] = value
        found.run()
        used += len(found.steps)
        assert found.contradiction is None
        assert all(
            state in (OPEN, mine) for state, mine in zip(found.states, path.edges, strict=False)
        )
    assert used > 100


@pytest.mark.slow
@given(puzzle=slitherlinks(max_cells=16))
@examples(18)
def test_what_the_rules_leave_holds_in_every_solution(puzzle):
    expected = slitherlink_solutions(puzzle)
    found = Deduction(puzzle)
    found.run()
    if found.contradiction is not None:
        assert not expected
        return
    for path in expected:
        pairs = zip(found.states, path.edges, strict=False)
        assert all(state in (OPEN, mine) for state, mine in pairs)
    given = nonosat.solve(puzzle, backend="rules")
    if given.verdict is Verdict.UNSOLVABLE:
        assert not expected
    elif given.verdict is Verdict.SOLVED:
        assert expected == set(given.solutions)


# Pitfall 7: two threes alone


@pytest.mark.parametrize("rows", [["33"], ["0110", "1331", "0110"]])
def test_rule_4_needs_its_guard(rows):
    """The loop is the rectangle around two threes; the shared edge is not on it."""
    puzzle = from_rows(rows)
    result = nonosat.check(puzzle, backend="rules")
    assert result.verdict is not Verdict.UNSOLVABLE
    assert nonosat.check(puzzle).verdict is Verdict.UNIQUE
    assert sum(nonosat.solve(puzzle).solution.edges) == 6
    assert "adjacent-threes" not in str(result.stages)


# The engine


def run_rules(puzzle: Slitherlink):
    found = []
    run = rules(puzzle, Watch(Limits()))
    while True:
        try:
            found.append(next(run))
        except StopIteration as stop:
            return found, stop.value


def test_the_sample_is_solved_with_a_trace():
    (path,), ending = run_rules(boards.sample())
    assert ending.exhausted
    assert ending.detail["decided"] == 144
    assert set(ending.detail["used"]) <= {str(rule) for rule in RULES}
    assert sum(ending.detail["used"].values()) == len(ending.detail["trace"]) <= MAX_TRACED
    assert "rule 1 zero, cell (0, 1): 4 out" in ending.detail["trace"]
    assert {path} == {nonosat.solve(boards.sample(), backend="cadical195").solution}


@pytest.mark.parametrize("left_out", RULES, ids=str)
def test_each_rule_is_redundant_on_the_sample(left_out):
    found = Deduction(boards.sample(), [rule for rule in RULES if rule != left_out])
    found.run()
    assert found.num_open() == 0


def test_six_rules_suffice_for_the_sample():
    found = Deduction(
        boards.sample(), [rule for rule in RULES if rule.number in (1, 2, 3, 6, 7, 8)]
    )
    found.run()
    assert found.num_open() == 0
    assert len(RULES) == 16


def test_the_order_of_places_does_not_matter():
    """All rules together have one fixpoint: that of a mirrored board is the mirror image."""
    for seed in range(4 * FUZZ):
        puzzle = generate_slitherlink(7, 9, 0.5, seed)
        mirrored = from_rows([row[::-1] for row in puzzle.rows()])
        one, other = Deduction(puzzle), Deduction(mirrored)
        one.run()
        other.run()
        for row in range(8):
            mine = one.states[row * 9 : (row + 1) * 9]  # the edges above a row of cells
            assert mine == other.states[row * 9 : (row + 1) * 9][::-1]


@pytest.mark.parametrize("size", [4, 6, 10, 15])
def test_slinks_are_solved_by_rules_alone(size):
    by_verdict = defaultdict(int)
    for seed in range(8 * FUZZ):
        puzzle = generate_slitherlink(size, size, 1, seed)
        assert puzzle.is_slink
        by_verdict[nonosat.check(puzzle, backend="rules").verdict] += 1
    assert set(by_verdict) == {Verdict.UNIQUE}


def test_rules_report_that_they_do_not_suffice():
    result = nonosat.check(generate_slitherlink(10, 10, 0.35, 1), backend="rules")
    assert result.verdict is Verdict.UNKNOWN
    assert "edges open; another backend can search" in result.reason


def test_contradictions_are_refutations():
    result = nonosat.check(from_rows(["303", "...", "3.3"]), backend="rules")
    assert result.verdict is Verdict.UNSOLVABLE
    assert result.reason == (
        "the clue 3 in row 1, column 3 contradicts what other clues force (rule 9 three-blocked)"
    )
    two = from_rows(["202", "...", "202"])
    assert nonosat.check(two, backend="rules").verdict in (Verdict.UNSOLVABLE, Verdict.UNKNOWN)


def test_a_finished_board_with_two_loops_is_refuted():
    """The rules do not check for a single loop: boards that they complete are verified."""
    found, ending = run_rules(from_rows(["1321221", "2132111", "3221221"]))
    assert (found, ending.exhausted) == ([], True)
    assert "one path, which is none: the path is not one loop" in ending.reason


def test_rules_are_for_slitherlinks():
    from nonosat.core.errors import UnsupportedError
    from nonosat.puzzles.nonogram import mono

    with pytest.raises(UnsupportedError, match="'rules' is a method for slitherlink"):
        nonosat.solve(mono([(1,)], [(1,)]), backend="rules")
