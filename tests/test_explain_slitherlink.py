"""Slitherlinks explained: steps hold in every solution, and end with all certain edges."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given

import nonosat
from helpers.clocks import Clock
from helpers.drawing import examples
from helpers.loops_explained import assert_explained
from nonosat.core.limits import Limits, Watch
from nonosat.core.result import Verdict
from nonosat.explain import Explanation, explain, rate
from nonosat.explain.explainers import explainer_of
from nonosat.explain.slitherlink.guessing import GuessOracle
from nonosat.explain.slitherlink.knowledge import Knowledge, Lattice
from nonosat.explain.slitherlink.probing import Prober
from nonosat.explain.slitherlink.solver import Solver
from nonosat.explain.slitherlink.solving import grade_within
from nonosat.explain.slitherlink.step import GRADES, OF_RULES, TECHNIQUES, Step
from nonosat.explain.slitherlink.ways import CutEdge
from nonosat.explain.story import storyboard
from nonosat.generate.slitherlink import clues_of
from nonosat.puzzles.slitherlink.data import BLANK, Slitherlink
from nonosat.puzzles.slitherlink.rules import OPEN
from nonosat.testing.boards import all_paths
from nonosat.testing.strategies import slitherlinks

NO_LIMITS = Limits()

# Boards whose explanations need the technique that they are named after; drawn by `generate
# slitherlink`.
NEEDING = {
    "way on": [".33320", "..1.21", "233..1", "2..122", "12.1..", "21312."],
    "blocked corner": [".12..0", "23....", "1...03", "22....", ".2....", ".0.322"],
    "entered corner": [".33.20", "..112.", "23...1", "2...22", ".221..", "21.12."],
    "early loop": [".....0", "23....", "1...0.", "22.1.3", ".2....", ".0.322"],
    "inside and outside": ["3.2...", ".33101", "......", "......", "00023.", "...3.2"],
    "look-ahead": ["3.2.12", "..3...", "0.11..", "..12.1", "...2..", "00.3.2"],
    "either way": ["23.11.", "...2..", ".221.1", "......", "22.123", "..33.."],
    "guess": [
        ".1....3",
        ".2.2..1",
        "2......",
        ".22.31.",
        "1..2..3",
        ".122..1",
        "1..11..",
    ],
}


@pytest.mark.thorough
@given(puzzle=slitherlinks(max_cells=12))
@examples(90)
def test_explanations_end_with_all_certain_edges(puzzle: Slitherlink) -> None:
    assert_explained(explain(puzzle))


@pytest.mark.parametrize("seed", range(4))
def test_boards_with_several_solutions_are_explained_as_far_as_they_go(seed: int) -> None:
    """Few clues of a loop on 3 x 4 cells: open edges differ in two solutions."""
    rng = random.Random(seed)
    paths = all_paths(3, 4)
    for path in rng.sample(paths, 8):
        clues = bytes(clue if rng.random() < 0.4 else BLANK for clue in clues_of(path))
        assert_explained(explain(Slitherlink(3, 4, clues)))


@given(puzzle=slitherlinks(max_cells=12))
@examples(15)
def test_explanations_are_data(puzzle: Slitherlink) -> None:
    found = explain(puzzle)
    assert Explanation.from_data(found.to_data()) == found
    assert nonosat.Rating.from_data(rate(puzzle).to_data()) == rate(puzzle)
    assert explain(puzzle) == found


@pytest.mark.parametrize("technique", NEEDING)
def test_techniques_that_boards_need(technique: str) -> None:
    found = explain(nonosat.slitherlink(NEEDING[technique]))
    assert found.verdict is Verdict.UNIQUE
    used = {step.technique for step in found.steps}
    assert technique in used
    assert rate(found.puzzle).difficulty >= GRADES[technique]
    assert used <= TECHNIQUES.keys() == GRADES.keys()
    assert {*OF_RULES} == {*range(1, 16)}
    for step in found.steps:
        assert (step.rule in OF_RULES) == (step.technique in OF_RULES.values())


def test_steps_are_sentences() -> None:
    found = explain(nonosat.slitherlink(["33", ".."]))
    assert [step.sentence for step in found.steps] == [
        "No edge leads away from the 3 in cell (1, 1) at its upper left corner, and a 3 has both "
        "its edges there or neither, which would be too few, so its left and top edges are on the "
        "path.",
        "No edge leads away from the 3 in cell (1, 2) at its upper right corner, and a 3 has both "
        "its edges there or neither, which would be too few, so its top and right edges are on "
        "the path.",
        "The path passes through the upper left corner of cell (1, 2) already, so the left edge "
        "of cell (1, 2) is off the path.",
        "The 3 in cell (1, 2) needs all the edges that it has left, so its bottom edge is on the "
        "path.",
        "The 3 in cell (1, 1) needs all the edges that it has left, so its bottom edge is on the "
        "path.",
        "The path is closed, so no other edge is on it: the bottom and left edges of cell (2, 1) "
        "and the bottom, left and right edges of cell (2, 2) are off the path.",
    ]
    assert str(found.grid).splitlines() == ["##", "#x#", "##", "xxx", "xx"]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (["33", "33"], "the top edge of cell (1, 1) closes the path while the 3 in cell "),
        (["0"], "no edge is left for the path"),
        (["1"], "the 1 in cell (1, 1) cannot have its edges"),
        (["4.", ".3"], "closes the path while the 3 in cell (2, 2) lacks an edge"),
    ],
)
def test_unsolvable_boards_end_with_a_contradiction(rows: list[str], reason: str) -> None:
    found = explain(nonosat.slitherlink(rows))
    assert found.verdict is Verdict.UNSOLVABLE
    assert reason in found.reason
    assert rate(found.puzzle).difficulty is None


# Grades


@pytest.mark.slow
@pytest.mark.parametrize("technique", NEEDING)
def test_a_grade_is_that_of_the_rating(technique: str) -> None:
    puzzle = nonosat.slitherlink(NEEDING[technique])
    grade = int(rate(puzzle).difficulty)
    for hardest in range(1, 8):
        found = grade_within(puzzle, Watch(NO_LIMITS), hardest)
        assert found == (grade if grade <= hardest else None)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(6))
def test_another_clue_makes_no_board_harder(seed: int) -> None:
    rng = random.Random(seed)
    puzzle = nonosat.generate_slitherlink(6, 6, 0.3, seed)
    path = nonosat.solve(puzzle).solution
    before = int(rate(puzzle).difficulty)
    clues, full = bytearray(puzzle.clues), clues_of(path)
    for cell in rng.sample(range(36), 36):
        if clues[cell] == BLANK:
            clues[cell] = full[cell]
            now = int(rate(Slitherlink(6, 6, bytes(clues))).difficulty)
            assert now <= before
            before = now


@pytest.mark.slow
def test_a_narrow_way_decided_earlier_hides_no_other() -> None:
    """A result found earlier and decided since must not prevent a new search."""

    class Stale(Solver):
        def _by_narrow_way(self, patience: int) -> Step | None:
            decided = [edge for edge, state in enumerate(self.known.states[:-1]) if state != OPEN]
            self._narrow.extend(CutEdge(edge, 0, 0, (0,), 1, None) for edge in decided[:1])
            return super()._by_narrow_way(patience)

    used = 0
    for seed in range(12):
        puzzle = nonosat.generate_slitherlink(8, 8, 0.5, seed)
        usual = [*Solver(puzzle, Watch(NO_LIMITS)).steps()]
        used += any(step.technique == "narrow way" for step in usual)
        assert [*Stale(puzzle, Watch(NO_LIMITS)).steps()] == usual
    assert used > 2


# Parts of steps


@given(puzzle=slitherlinks(max_cells=12))
@examples(20)
def test_assumptions_leave_no_trace(puzzle: Slitherlink) -> None:
    """The state after trials is the state before them."""
    known = Knowledge(Lattice(puzzle))
    before = repr(vars(known) | {"lattice": None, "tips": None})
    for is_far in (False, True):
        prober = Prober(known, Watch(NO_LIMITS), is_far=is_far)
        for edge in range(known.lattice.num_edges):
            for value in (0, 1):
                prober.trial(edge, value)
    assert repr(vars(known) | {"lattice": None, "tips": None}) == before


def test_trials_are_repeated_after_nearby_changes() -> None:
    """Kept trials give the same results as fresh ones."""
    puzzle = nonosat.slitherlink(NEEDING["look-ahead"])
    solver = Solver(puzzle, Watch(NO_LIMITS))
    for step in solver.steps():
        if step.technique != "look-ahead":
            continue
        fresh = Prober(solver.known, Watch(NO_LIMITS), is_far=False)
        kept = solver._near
        for (edge, value), trial in list(kept._trials.items()):
            if solver.known.states[edge] == OPEN:
                again = fresh.trial(edge, value)
                assert (again.broken is None) == (trial.broken is None)


def test_guesses_are_checked_by_an_engine() -> None:
    puzzle = nonosat.slitherlink(["33", ".."])
    oracle = GuessOracle(puzzle, Watch(NO_LIMITS))
    try:
        assert oracle.query(()).name == "SAT"
        assert oracle.edges() == nonosat.solve(puzzle).solution.edges
        assert oracle.query([(0, 0)]).name == "UNSAT"
    finally:
        oracle.close()


# Pictures, limits, other families


def test_a_story_is_drawn(tmp_path: Path) -> None:
    found = explain(nonosat.slitherlink(NEEDING["look-ahead"]))
    story = storyboard(found.puzzle, found.steps)
    assert story[-1][0] == f"Step {len(found.steps)} of {len(story)}"
    assert story[-1][1].solution == found.grid
    assert found._repr_svg_().startswith("<svg")
    nonosat.draw(found.puzzle, tmp_path / "a.svg")


def test_open_edges_are_marked() -> None:
    scene = explain(nonosat.slitherlink(["2.", ".2"])).scene()
    assert len(scene.marked) == 8


def test_boards_are_text() -> None:
    puzzle = nonosat.slitherlink(["33", ".."])
    board = explainer_of(puzzle).follow(puzzle, None)
    for step in explain(puzzle).steps:
        board.learn(step)
    lines = ["+-------+", "| 3 x 3 |", "+-------+", "x   x   x", "  x   x"]
    assert board.lines() == lines
    assert board.table(explain(puzzle).steps[0]) == []


@pytest.mark.slow
def test_limits_hold(clock: Clock) -> None:
    clock.step_s = 0.005
    puzzle = nonosat.generate_slitherlink(20, 20, 0.4, 1)
    found = explain(puzzle, time_limit_s=0.02)
    assert found.verdict is Verdict.UNKNOWN
    assert "time limit" in found.reason
    assert rate(puzzle, time_limit_s=0.02).difficulty is None
    large = Slitherlink(300, 300, bytes([BLANK]) * 90_000)  # its lattice alone takes longer
    for limited in (explain(large, time_limit_s=0.05), nonosat.hint(large, time_limit_s=0.05)):
        assert limited.verdict is Verdict.UNKNOWN


def test_other_families_are_refused_with_a_list() -> None:
    told = "explanations are for the families nonogram and slitherlink; this puzzle is of the"
    with pytest.raises(nonosat.UnsupportedError, match=told):
        explain(nonosat.Queens(4))
    with pytest.raises(nonosat.UnsupportedError, match="hints are for the families nonogram"):
        nonosat.hint(nonosat.Queens(4))


@pytest.mark.parametrize("rows", [["."], ["0.0", "...", "0.0"]])
def test_a_trial_that_leaves_nothing_for_the_path_is_refuted(rows: list[str]) -> None:
    """A loop has at least one edge: no guess is needed if the last ones would be off."""
    found = explain(nonosat.slitherlink(rows))
    assert "guess" not in {step.technique for step in found.steps}
    assert any("no edge would be left for the path" in step.sentence for step in found.steps)
