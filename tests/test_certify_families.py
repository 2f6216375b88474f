"""Certificates of Slitherlinks, queens, knight's tours, and of external families."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import nonosat
from helpers.certified import checked, refused, rewrite
from helpers.commands import UNIQUE, put
from helpers.drawing import examples
from nonosat.certify import cuts, folder, rules
from nonosat.certify.prove import prove
from nonosat.core import plugins
from nonosat.core.errors import BackendError, UnsupportedError
from nonosat.core.plugins import Puzzle
from nonosat.puzzles.knight import Knight
from nonosat.puzzles.queens import Queens
from nonosat.puzzles.slitherlink import from_rows
from nonosat.testing.deciding import canonical
from nonosat.testing.oracles import every_solution
from nonosat.testing.strategies import knights, queens, slitherlinks

__all__ = ["put"]  # a fixture

INSTANCES = Path(__file__).parent.parent / "instances"
OPEN_TOUR = ((0, 2, 3), (1, 3, 8), (2, 1, 11))


def assert_right(puzzle: Puzzle, target: Path) -> None:
    """Check the claim by brute force."""
    solutions = every_solution(puzzle)
    assert solutions is not None
    number = len({canonical(puzzle, solution) for solution in solutions})
    claim = ("unsolvable", "unique", "multiple")[min(number, 2)]
    assert checked(puzzle, target).claim == claim


@given(slitherlinks(max_cells=12))
@examples(10)
def test_any_small_slitherlink(tmp_path_factory: Any, puzzle: nonosat.Slitherlink) -> None:
    assert_right(puzzle, tmp_path_factory.mktemp("certificates") / "new")


@given(queens(max_n=6))
@examples(20)
def test_any_small_board_of_queens(tmp_path_factory: Any, puzzle: Queens) -> None:
    assert_right(puzzle, tmp_path_factory.mktemp("certificates") / "new")


@given(knights(max_squares=14).filter(lambda puzzle: puzzle.height * puzzle.width <= 20))
@examples(30)
def test_any_small_tour(tmp_path_factory: Any, puzzle: Knight) -> None:
    assert_right(puzzle, tmp_path_factory.mktemp("certificates") / "new")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("puzzle", "claim"),
    [
        (Queens(0), "unique"),
        (Queens(1), "unique"),
        (Queens(3), "unsolvable"),
        (Queens(6, given=((0, 1),)), "unique"),
        (Queens(200), "multiple"),
        (from_rows([".."]), "multiple"),
        (from_rows(["4."]), "unique"),
        (from_rows(["0.."]), "unique"),
        (from_rows(["00"]), "unsolvable"),
        (from_rows(["4", "4"]), "unsolvable"),
        (Knight(1, 1), "unique"),
        (Knight(1, 1, closed=True), "unsolvable"),
        (Knight(3, 4), "multiple"),
        (Knight(3, 4, closed=True), "unsolvable"),
        (Knight(4, 4), "unsolvable"),
        (Knight(4, 6, closed=True), "unsolvable"),
        (Knight(5, 5, closed=True), "unsolvable"),
        (Knight(51, 51, closed=True), "unsolvable"),
        (Knight(3, 3, closed=True, holes=((1, 1),)), "unique"),
        (Knight(2, 2), "unsolvable"),
        (Knight(2, 5), "unsolvable"),
        (Knight(3, 4, given=OPEN_TOUR), "unsolvable"),
        (Knight(3, 4, start=(0, 0), given=((0, 1, 4),)), "multiple"),
        (Knight(30, 30), "multiple"),
    ],
)
def test_special_boards(puzzle: Any, claim: str, tmp_path: Path) -> None:
    assert checked(puzzle, tmp_path / "new").claim == claim


def test_cuts_take_part_and_are_needed(tmp_path: Path) -> None:
    puzzle = nonosat.load(f"{INSTANCES / 'slitherlink.jsonl'}#loop-15")
    certificate = checked(puzzle, tmp_path / "new")
    assert certificate.claim == "unique"
    assert certificate.num_cuts > 10
    rewrite(tmp_path / "new", certificate, {folder.CUTS: cuts.written([])})
    refused(tmp_path / "new", "the last clause does not forbid the solution")
    tour = checked(Knight(3, 8, closed=True), tmp_path / "tour")
    assert (tour.claim, tour.num_cuts > 0) == ("unsolvable", True)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "engine", [n for n, one in plugins.names("backends").items() if one.proves]
)
def test_every_engine_that_writes_proofs(engine: str, tmp_path: Path) -> None:
    """Also if it is called repeatedly, with more cuts each time."""
    puzzle = nonosat.load(f"{INSTANCES / 'slitherlink.jsonl'}#loop-10")
    certificate = checked(puzzle, tmp_path / "new", engine=engine)
    assert (certificate.claim, certificate.how) == ("unique", engine)
    assert certificate.num_cuts > 1


# Numbers on a board of knights, where few tours are left


def test_a_tour_with_many_numbers_is_unique(tmp_path: Path) -> None:
    tour = nonosat.solve(Knight(8, 8, closed=True)).solution
    some = tuple((*tour.squares()[k], k + 1) for k in range(1, 64, 3))
    puzzle = Knight(8, 8, start=tour.squares()[0], closed=True, given=some)
    certificate = checked(puzzle, tmp_path / "new")
    assert certificate.claim == nonosat.check(puzzle).verdict.value
    open_tour = Knight(8, 8, given=some)
    assert checked(open_tour, tmp_path / "open").claim == nonosat.check(open_tour).verdict.value


# Refusals


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        (folder.PUZZLE, b"[]", "^puzzle.json: 0 puzzles, expected one"),
        (folder.PUZZLE, b'{"family":"queens","n":10000}', "^puzzle.json: .* at most 1000 queens"),
        (folder.PUZZLE, b'{"family":"queens","n":4}', "^solution.json: this is not a solution"),
        (folder.PUZZLE, json.dumps(UNIQUE).encode(), "^puzzle.json: .*, expected no nonogram with"),
        (folder.SOLUTION_JSON, b"{", "^solution.json: this is not JSON"),
        (folder.SOLUTION_JSON, b"[]", "^solution.json: expected the keys solution"),
        (folder.SOLUTION_JSON, b'{"solution": 3}', "^solution.json: this is not a solution"),
        (folder.SOLUTION_JSON, b'{"solution": ["#"]}', "^solution.json: this is not a solution"),
        (
            folder.SOLUTION_JSON,
            b'{"solution": ["##", "##"]}',
            "^solution.json: this is not a solution: the cell in row 1, column 1 has 2 edges",
        ),
        (folder.FORMULA, b"p cnf 16 1\n1 0\n", "^formula.cnf: the clauses of the rules are not"),
        (folder.FORMULA, b"p cnf 1 1\n1 0\n", "^formula.cnf: the formula has 1 variable, the rul"),
        (folder.CUTS, b'{"cuts": 1}', "^cuts.json: there is no list 'cuts'"),
        (
            folder.CUTS,
            b'{"cuts": [{"loop": 0, "vertices": [0, 1], "within": 0, "beyond": 1}]}',
            "^cuts.json: cut 1: edge 1 is not beyond",
        ),
        (
            folder.CUTS,
            b'{"cuts": [{"loop": 0, "inside": [13], "outside": [16]}]}',
            "^cuts.json: cut 1: the faces lock off neither one outside nor two inside",
        ),
        (folder.DRAT, b"1 x", "^proof.drat: line 1: expected a number"),
        (folder.DRAT, b"", "^proof.drat: "),
        (folder.LRAT, b"1 0 1 0", "^proof.lrat: line 1: the line is numbered 1"),
    ],
)
def test_invalid_contents(name: str, data: bytes, why: str, tmp_path: Path) -> None:
    rewrite(tmp_path, prove(from_rows(["33", ".."])), {name: data})
    refused(tmp_path, why)


def test_two_numberings_of_one_loop_are_not_multiple(tmp_path: Path) -> None:
    certificate = prove(Knight(6, 6, closed=True))
    assert certificate.claim == "multiple"
    first = json.loads(certificate.files[folder.SOLUTION_JSON])["solution"]
    turned = [[number % 36 + 1 for number in row] for row in first]
    data = json.dumps({"solution": turned}).encode()
    rewrite(tmp_path, certificate, {folder.SECOND_JSON: data})
    refused(tmp_path, "^second.json: the same solution as solution.json$")


def test_kinds_of_certificates_are_not_mixed(tmp_path: Path) -> None:
    nonogram, other = prove(nonosat.nonogram([[1]], [[1]])), prove(from_rows(["4"]))
    rewrite(tmp_path, nonogram, {folder.PUZZLE: other.files[folder.PUZZLE]})
    refused(tmp_path, "^puzzle.json: slitherlink: 1 row x 1 column, expected a nonogram with")


def test_solvers_that_contradict_each_other_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Incomplete rules leave another solution."""
    monkeypatch.setattr(rules.Rules, "forbidding", lambda *_: [1, -1])
    with pytest.raises(BackendError, match="contradict each other"):
        prove(from_rows(["33", ".."]))


def test_a_wrong_proof_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonosat.backends.learn.LearningEngine.proof", lambda _: b"9 0\n")
    with pytest.raises(BackendError, match="the proof of learn is wrong"):
        prove(from_rows(["33", ".."]))


def test_options_of_nonograms_alone_are_refused() -> None:
    for options, why in (
        ({"by": "prices"}, "prices are for rows and columns of clues, .* queens does not have; .*"),
        ({"veripb": True}, "prices are for rows and .* leave out veripb"),
        ({"cubes": 4}, "proofs are put together from cubes for nonograms .* leave cubes out"),
        ({"engine": "minisat22"}, "minisat22 writes no proofs; these do"),
        ({"engine": "backtracking"}, "backtracking writes no proofs; these do"),
        ({"by": "dice"}, "'dice' proves nothing"),
        ({"jobs": 2}, "set the number of cubes"),
    ):
        with pytest.raises(UnsupportedError, match=why):
            prove(Queens(4), **options)
    assert prove(Queens(3), by="clauses").claim == "unsolvable"
