"""Hints for a Slitherlink with marks: the next step, or the wrong edges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nonosat
from helpers.clocks import Clock
from helpers.drawing import examples
from helpers.loops_explained import assert_sound, edges
from nonosat.core.errors import FormatError, PuzzleError
from nonosat.core.grid import UNKNOWN
from nonosat.core.result import Verdict
from nonosat.explain import Minimality, hint
from nonosat.explain.slitherlink.data import read_state
from nonosat.puzzles.slitherlink import Edges, Path, Slitherlink
from nonosat.render import text
from nonosat.testing.boards import slitherlink_solutions
from nonosat.testing.strategies import slitherlinks

DOMINO = nonosat.slitherlink(["33", ".."])
FRAME = """\
#############
#           #
# +---+-- + #
# | 3 x 3 | #
# +---    + #
#     x     #
#   X       #
#           #
#############
p, 2 rows x 2 columns: unique
"""


@st.composite
def states(draw: st.DrawFn) -> tuple[Slitherlink, Edges]:
    """Board and some progress, of a solution or arbitrary."""
    puzzle = draw(slitherlinks(max_cells=9))
    number = len(edges(puzzle))
    solutions = sorted(slitherlink_solutions(puzzle), key=lambda path: path.edges)
    if solutions and draw(st.booleans()):
        values = draw(st.sampled_from(solutions)).edges
    else:
        values = bytes(draw(st.lists(st.sampled_from([0, 1]), min_size=number, max_size=number)))
    known = draw(st.lists(st.booleans(), min_size=number, max_size=number))
    pairs = zip(values, known, strict=True)
    return puzzle, Edges(
        puzzle.height,
        puzzle.width,
        bytes(value if is_known else UNKNOWN for value, is_known in pairs),
    )


def agreeing(given_: Edges, solutions: set[Path]) -> set[Path]:
    def agrees(path: Path) -> bool:
        pairs = zip(given_.values, path.edges, strict=True)
        return all(mine in (UNKNOWN, yours) for mine, yours in pairs)

    return {path for path in solutions if agrees(path)}


@pytest.mark.slow
@given(drawn=states())
@examples(40)
def test_hints_are_right(drawn: tuple[Slitherlink, Edges]) -> None:
    puzzle, state = drawn
    found = hint(puzzle, state)
    assert nonosat.Hint.from_data(found.to_data()) == found
    solutions = slitherlink_solutions(puzzle)
    possible = agreeing(state, solutions)
    number = edges(puzzle)
    if possible:
        assert not found.wrong
        assert not found.conflict
        if found.step is None:
            done = Verdict.SOLVED if UNKNOWN not in state.values else Verdict.MULTIPLE
            assert found.verdict is done
            return
        known = {place: state.values[at] for place, at in number.items()}
        known = {place: value for place, value in known.items() if value != UNKNOWN}
        assert_sound(puzzle, known, found.step, possible)
        return
    if not solutions:
        assert found.verdict is Verdict.UNSOLVABLE
        return
    assert found.is_wrong
    wrong = {
        place: state.values[at]
        for place, at in number.items()
        if state.values[at] != UNKNOWN
        and all(path.edges[at] != state.values[at] for path in solutions)
    }
    assert {mark[:4]: mark[4] for mark in found.wrong} == wrong
    conflict = [(number[mark[:4]], mark[4]) for mark in found.conflict]
    for left_out in range(-1, len(conflict)):
        rest = [pair for at, pair in enumerate(conflict) if at != left_out]
        holds = any(all(path.edges[at] == value for at, value in rest) for path in solutions)
        assert holds == (left_out >= 0)


def test_the_frame_is_read() -> None:
    found = hint(DOMINO, FRAME)
    assert str(found.given).splitlines() == ["##", "#x#", "#?", "?x?", "x?"]
    assert found.sentence == (
        "The 3 in cell (1, 2) needs all the edges that it has left, so its bottom edge is on the "
        "path."
    )
    assert found.step.settled == ((1, 1, 1, 2, 1),)


@given(puzzle=slitherlinks(max_cells=12), data=st.data())
@examples(35)
def test_frames_and_lines_are_read_back(puzzle: Slitherlink, data: st.DataObject) -> None:
    number = len(edges(puzzle))
    values = st.lists(st.sampled_from([0, 1, UNKNOWN]), min_size=number, max_size=number)
    state = Edges(puzzle.height, puzzle.width, bytes(data.draw(values)))
    assert read_state(text(puzzle, state).encode(), puzzle) == state
    assert read_state(str(state).encode(), puzzle) == state
    assert Edges.from_data(state.to_data()) == state


def test_wrong_marks_are_named() -> None:
    found = hint(DOMINO, FRAME.replace("| 3 x", "x 3 x"))
    assert found.is_wrong
    assert found.wrong == ((0, 0, 1, 0, 0),)
    assert found.sentence == "One mark is wrong: the left edge of cell (1, 1) is not off the path."
    assert found.minimality is Minimality.SMALLEST
    assert found.scene().states.wrong == [(0, 0, 1, 0)]


def test_marks_may_contradict_only_together() -> None:
    puzzle = nonosat.slitherlink(["2.", ".2"])
    found = hint(puzzle, "?x\n#??\n??\n???\n??")
    assert found.is_wrong
    assert found.sentence.startswith(("The clues cannot be satisfied if ", "One mark is wrong: "))


@pytest.mark.parametrize(
    ("given_", "told"),
    [
        ("###", "1 line, expected 5 of edges"),
        ("##\n###\n##\n###\n#", "1 edge in this line, expected 2"),
        (FRAME.replace("x", "q"), "'q' is not an edge, expected - or | on the path"),
        (FRAME.replace("#           #\n", "", 1), "6 lines in the frame, expected 7"),
        (FRAME.replace("| 3 x 3", "| 3 x 2"), "the clue 2 in row 1, column 2, expected the clue 3"),
        (FRAME.replace("| 3 x", "| 0 x"), "the clue 0 in row 1, column 1, expected the clue 3"),
    ],
)
def test_other_text_is_refused(given_: str, told: str) -> None:
    with pytest.raises(FormatError, match=told.replace("|", r"\|")):
        hint(DOMINO, given_)


def test_other_states_are_refused() -> None:
    with pytest.raises(PuzzleError, match="expected Edges of 2 rows x 2 columns"):
        hint(DOMINO, Edges.unknown(2, 3))
    with pytest.raises(PuzzleError, match="an edge is 7, expected 0, 1 or UNKNOWN"):
        Edges(1, 1, b"\7\0\0\0")
    with pytest.raises(PuzzleError, match="expected 4 bytes"):
        Edges(1, 1, b"")


def test_endings(clock: Clock) -> None:
    assert hint(DOMINO, nonosat.explain(DOMINO).grid).verdict is Verdict.SOLVED
    assert hint(nonosat.slitherlink([".."])).verdict is Verdict.MULTIPLE
    assert hint(nonosat.slitherlink(["33", "33"])).verdict is Verdict.UNSOLVABLE
    big = nonosat.generate_slitherlink(20, 20, 0.4, 1)
    clock.step_s = 1
    assert hint(big, time_limit_s=2).verdict is Verdict.UNKNOWN
