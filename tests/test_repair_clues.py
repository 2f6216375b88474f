"""Repairs by clues, against all sets of changes and all loops by enumeration."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given

import nonosat
from helpers.clocks import Clock
from helpers.commands import put, records, run
from helpers.drawing import examples
from helpers.lattices import Board
from nonosat.explain.minimal_sets import ImplicitHittingSet
from nonosat.puzzles.queens import Placement, Queens
from nonosat.puzzles.slitherlink import BLANK, Slitherlink
from nonosat.questions.clue_engine import clues_of
from nonosat.testing.boards import queens_solutions
from nonosat.testing.strategies import queens

__all__ = ["put"]  # a fixture
KEPT = "no repair is possible with the kept cells"
HOPELESS = "there is no solution, whichever clues are removed"
ALIKE = "another solution has the same clues in every cell"
FIRST = " for the solution that was found first"


def with_clues(board: Board, clues: bytes | bytearray) -> Slitherlink:
    return Slitherlink(board.height, board.width, bytes(clues))


def fewest_to_add(board: Board, puzzle: Slitherlink, edges: bytes) -> int | None:
    """Return the smallest number of clues to add, by trying all sets of blank cells."""
    mine = board.clues_of(edges)
    others = [board.clues_of(one) for one in board.solutions(puzzle) if one != edges]
    blank = [at for at, clue in enumerate(puzzle.clues) if clue == BLANK]
    for size in range(len(blank) + 1):
        for cells in combinations(blank, size):
            if all(any(one[at] != mine[at] for at in cells) for one in others):
                return size
    return None


def fewest_to_take(board: Board, puzzle: Slitherlink) -> int:
    """Smallest number of clues to remove, by the loop that satisfies most of the clues."""
    given = [(at, clue) for at, clue in enumerate(puzzle.clues) if clue != BLANK]
    return min(sum(board.clues_of(one)[at] != clue for at, clue in given) for one in board.every)


@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 4), (2, 3), (3, 3), (3, 4)])
def test_the_fewest_clues_are_added(height: int, width: int) -> None:
    board, rng = Board(height, width), random.Random(width)
    for _ in range(25):
        clues, share = board.clues_of(rng.choice(board.every)), rng.choice([0, 0.2, 0.5, 1])
        puzzle = with_clues(board, bytes(c if rng.random() < share else BLANK for c in clues))
        found = nonosat.repair(puzzle)
        least = fewest_to_add(board, puzzle, found.solution.edges)
        assert found.is_complete
        if least is None:
            assert (found.repaired(), found.description()) == ([], f"there is no repair{FIRST}")
            continue
        (repaired,) = found.repaired()
        assert board.solutions(repaired) == {found.solution.edges}
        assert (found.num_changes, found.least, found.taken) == (least, least, ())
        assert nonosat.ClueRepair.from_data(found.to_data()) == found


def test_the_fewest_clues_are_taken_away_or_changed() -> None:
    board, rng, several = Board(3, 3), random.Random(3), 0
    for _ in range(40):
        puzzle = with_clues(board, [rng.choice([0, 1, 2, 3, BLANK, BLANK]) for _ in range(9)])
        least = fewest_to_take(board, puzzle)
        if not least:
            continue
        found = nonosat.repair(puzzle)
        if not found.is_repaired:
            assert found.reason.startswith("another solution has the same clues")
            continue
        several += least > 1
        assert len(found.taken) == least
        (repaired,) = found.repaired()
        assert board.solutions(repaired) == {found.solution.edges}
        kept = [c if c == o else BLANK for c, o in zip(repaired.clues, puzzle.clues, strict=True)]
        changed = bytearray(kept)
        for row, column, _ in found.taken:
            at = row * 3 + column
            changed[at] = repaired.clues[at]
        more = fewest_to_add(board, with_clues(board, changed), found.solution.edges)
        assert more is not None
        assert found.least == found.num_changes == least + more
    assert several


def test_kept_cells_stay_as_they_are() -> None:
    puzzle = nonosat.slitherlink(["3..", "...", "..."])
    free = nonosat.repair(puzzle)
    kept = [clue[:2] for clue in free.added]
    found = nonosat.repair(puzzle, keep=kept)
    assert found.is_repaired
    assert not {clue[:2] for clue in found.added} & {*kept}
    every = [(row, column) for row in range(3) for column in range(3)]
    blocked = nonosat.repair(puzzle, keep=every)  # free cells would distinguish the solutions
    assert (blocked.description(), blocked.reason) == (f"there is no repair{FIRST}", KEPT)
    hopeless = nonosat.repair(nonosat.slitherlink(["00"]), keep=[(0, 0), (0, 1)])
    assert (hopeless.description(), hopeless.reason) == ("there is no repair", KEPT)


def test_kept_clues_are_named_only_if_they_prevent_a_repair() -> None:
    """All loops of the board decide if anything could be repaired without it."""
    board, rng, told = Board(3, 3), random.Random(7), set()
    every = [(row, column) for row in range(3) for column in range(3)]
    by_clues: dict[bytes, int] = {}
    for one in board.every:
        by_clues[board.clues_of(one)] = by_clues.get(board.clues_of(one), 0) + 1
    twins = [clues for clues, number in by_clues.items() if number > 1]
    for clues in [*twins, *rng.sample([*by_clues], 30)]:
        puzzle = with_clues(board, bytes([c if rng.random() < 0.5 else BLANK for c in clues]))
        found = nonosat.repair(puzzle, keep=rng.sample(every, 8))
        if not found.is_repaired:
            told.add(found.reason)
            is_twin = by_clues[board.clues_of(found.solution.edges)] > 1
            assert found.reason == (ALIKE if is_twin else KEPT)
    assert told == {KEPT, ALIKE}


@pytest.mark.parametrize("n", [2, 3])
def test_no_kept_square_is_named_if_no_placement_exists(n: int) -> None:
    for puzzle in (Queens(n), Queens(n, given=[(0, 0)]), Queens(n, blocked=[(0, 0)])):
        found = nonosat.repair(puzzle, keep=[(0, 0)])
        assert (found.description(), found.reason) == ("there is no repair", HOPELESS)


@pytest.mark.slow
def test_limits_keep_results_so_far(clock: Clock) -> None:
    clock.step_s = 0.05
    puzzle = nonosat.slitherlink(["." * 40] * 40)
    found = nonosat.repair(puzzle, time_limit_s=2)
    assert (found.is_complete, found.reason) == (False, "time limit of 2 s")
    assert not found.is_smallest
    if found.is_repaired:
        assert found.num_changes > found.least
        assert nonosat.is_unique(found.repaired()[0])
    small = nonosat.slitherlink(["3..2", "....", "...."])
    least = nonosat.repair(small).num_changes
    none = nonosat.repair(small, max_changes=least - 1)
    assert none.description() == f"there is no repair{FIRST} that changes fewer than {least} clues"
    assert nonosat.repair(small, max_changes=least).is_smallest


def test_queens_are_given() -> None:
    found = nonosat.repair(nonosat.Queens(6))
    assert nonosat.count(found.repaired()[0]).count == 1
    assert found.is_smallest
    clash = nonosat.repair(nonosat.Queens(6, given=[(0, 0), (1, 1)]))
    assert len(clash.taken) in (1, 2)
    assert nonosat.count(clash.repaired()[0]).count == 1


@examples(35)
@given(puzzle=queens(max_n=6))
def test_queens_on_any_board_are_mended(puzzle: Queens) -> None:
    found = nonosat.repair(puzzle)
    if puzzle.n in (2, 3):
        assert found.description() == "there is no repair"
        assert found.reason == HOPELESS
        return
    (repaired,) = found.repaired()
    assert len(queens_solutions(repaired)) == 1
    assert {*found.taken} <= {*clues_of(puzzle).of(puzzle)}
    if not found.taken:
        assert found.num_changes == fewest_queens(puzzle, found.solution)


def test_a_queen_on_a_blocked_square_is_taken_away() -> None:
    """The square has two clues, of which one stays."""
    puzzle = Queens(4, given=[(2, 1)], blocked=[(2, 1)])
    found = nonosat.repair(puzzle)
    assert found.taken in (((2, 1, 1),), ((2, 1, 0),))
    (repaired,) = found.repaired()
    assert len(queens_solutions(repaired)) == 1


def fewest_queens(puzzle: Queens, placement: Placement) -> int:
    """Return the fewest given queens to add that make this placement unique, by trying all sets."""
    others = [one.columns for one in queens_solutions(puzzle) if one != placement]
    mine = placement.columns
    return next(
        size
        for size in range(puzzle.n + 1)
        for rows in combinations(range(puzzle.n), size)
        if all(any(one[row] != mine[row] for row in rows) for one in others)
    )


def test_invalid_input_is_refused() -> None:
    puzzle = nonosat.slitherlink(["3."])
    for wishes in ({"most": 2}, {"logic_only": True}, {"grade": 2}):
        with pytest.raises(nonosat.UnsupportedError, match="are for nonograms"):
            nonosat.repair(puzzle, **wishes)  # type: ignore[arg-type]
    with pytest.raises(nonosat.UnsupportedError, match="family knight, expected a nonogram"):
        nonosat.repair(nonosat.Knight(5, 5))
    with pytest.raises(nonosat.PuzzleError, match="outside the board"):
        nonosat.repair(puzzle, keep=[(1, 0)])
    with pytest.raises(nonosat.UnsupportedError, match="max_changes is 0"):
        nonosat.repair(puzzle, max_changes=0)


def test_the_command_writes_the_repaired_puzzle(put: Any, tmp_path: Any) -> None:
    path, out = (
        put({"id": "a", "family": "slitherlink", "rows": ["3..", "..."]}),
        tmp_path / "b.jsonl",
    )
    done = run("repair", path, "-o", str(out))
    assert done.exit_code == 0
    assert " to add, fewer are not enough, " in done.stdout
    assert " added" in done.stdout
    assert nonosat.is_unique(nonosat.load(out))
    (record,) = records(run("repair", "--json", path))
    assert (record["complete"], len(record["repairs"])) == (True, 1)
    assert record["repairs"][0]["taken"] == []
    done = run("repair", put({"id": "b", "family": "slitherlink", "rows": ["33", "33"]}))
    assert (done.exit_code, "another solution has the same clues" in done.stdout) == (4, True)


def test_ctrl_c_shows_and_writes_the_best_so_far(
    put: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = ImplicitHittingSet._reduce

    def reduce(self: ImplicitHittingSet, *rest: Any) -> None:
        whole(self, *rest)
        raise KeyboardInterrupt

    monkeypatch.setattr(ImplicitHittingSet, "_reduce", reduce)
    puzzle = put({"id": "a", "family": "slitherlink", "rows": ["3..2", "....", "...."]})
    out = tmp_path / "b.jsonl"
    done = run("repair", puzzle, "-o", str(out))
    assert done.exit_code == 130
    assert "at least 0 are needed (interrupted)" in done.stdout
    assert nonosat.is_unique(nonosat.load(out))
