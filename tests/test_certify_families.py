"""Certificates of Slitherlinks, queens, knight's tours, and of families by somebody else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given

import nonosat
from helpers.commands import UNIQUE, put, run
from helpers.drawing import examples
from helpers.own_families import FENCES, ROWS, Row, fence
from nonosat import plugins
from nonosat.certify import cuts, folder, rules
from nonosat.certify.prove import Certificate, prove
from nonosat.certify.verify import verify
from nonosat.errors import BackendError, CertificateError, LimitReached, UnsupportedError
from nonosat.model import Clause
from nonosat.plugins import Puzzle
from nonosat.puzzles.knight import Knight
from nonosat.puzzles.queens import Queens
from nonosat.puzzles.slitherlink import from_rows
from nonosat.testing.deciding import canonical
from nonosat.testing.exhaustive import every_solution
from nonosat.testing.proofs import follows_hints, read_dimacs, refutes
from nonosat.testing.strategies import knights, queens, slitherlinks
from test_own_family import FAMILY, Lights

__all__ = ["put"]  # a fixture

INSTANCES = Path(__file__).parent.parent / "instances"
OPEN_TOUR = ((0, 2, 3), (1, 3, 8), (2, 1, 11))


def checked(puzzle: Puzzle, target: Path, **options: Any) -> Certificate:
    """A certificate that holds, and holds without `verify`."""
    certificate = prove(puzzle, **options)
    certificate.write(target)
    found = verify(target, puzzle=puzzle)
    assert (found.claim, found.puzzle) == (certificate.claim, puzzle)
    assert found.trusted == certificate.trusted
    assert Certificate.from_data(certificate.to_data()) == certificate
    assert (
        nonosat.Verified.from_data({**found.to_data(), "puzzle": {}} and found.to_data()) == found
    )
    if certificate.claim == "multiple":
        assert not found.num_clauses
        return certificate
    sizes = (certificate.num_clauses, certificate.num_cuts, certificate.num_lemmas)
    assert (found.num_clauses, found.num_cuts, found.num_lemmas) == sizes
    files = certificate.files
    _, clauses = read_dimacs(files[folder.FORMULA].decode())
    assert len(clauses) == certificate.num_clauses
    assert len(cuts.read(files[folder.CUTS])) == certificate.num_cuts
    if certificate.num_lemmas < 300:  # the naive checkers are slow
        assert refutes(clauses, files[folder.DRAT].decode(), strict=True)
        assert follows_hints(clauses, files[folder.LRAT].decode())
    return certificate


def assert_right(puzzle: Puzzle, target: Path) -> None:
    """The claim is what brute force says."""
    solutions = every_solution(puzzle)
    assert solutions is not None
    number = len({canonical(puzzle, solution) for solution in solutions})
    claim = ("unsolvable", "unique", "multiple")[min(number, 2)]
    assert checked(puzzle, target).claim == claim


@given(slitherlinks(max_cells=12))
@examples(40)
def test_any_small_slitherlink(tmp_path_factory: Any, puzzle: nonosat.Slitherlink) -> None:
    assert_right(puzzle, tmp_path_factory.mktemp("certificates") / "new")


@given(queens(max_n=6))
@examples(40)
def test_any_small_board_of_queens(tmp_path_factory: Any, puzzle: Queens) -> None:
    assert_right(puzzle, tmp_path_factory.mktemp("certificates") / "new")


@given(knights(max_squares=14).filter(lambda puzzle: puzzle.height * puzzle.width <= 20))
@examples(60)
def test_any_small_tour(tmp_path_factory: Any, puzzle: Knight) -> None:
    assert_right(puzzle, tmp_path_factory.mktemp("certificates") / "new")


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


@pytest.mark.parametrize(
    "engine", [n for n, one in plugins.names("backends").items() if one.proves]
)
def test_every_engine_that_writes_proofs(engine: str, tmp_path: Path) -> None:
    """Also where it is asked again and again, with more cuts each time."""
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


# Families by somebody else


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Entry points of the families."""
    points = [
        SimpleNamespace(name=one.name, value=one.name, load=lambda one=one: one)
        for one in (FAMILY, FENCES, ROWS)
    ]
    monkeypatch.setattr(
        "importlib.metadata.entry_points",
        lambda *, group: points if group == "nonosat.puzzles" else [],
    )
    plugins.find.cache_clear()
    yield
    plugins.find.cache_clear()


@pytest.mark.parametrize(
    ("puzzle", "claim"),
    [
        (Lights(3), "multiple"),
        (Lights(3, frozenset({0, 2})), "unique"),
        (Lights(3, frozenset({0, 1})), "unsolvable"),
        (fence("..", ".."), "multiple"),
        (fence("33", ".."), "unique"),
        (fence("33", "33"), "unsolvable"),
        (fence("3.3", "...", "3.3", "..."), "multiple"),
        (fence("4.", ".2"), "unsolvable"),
        (Row(9, (2, 1, 1), 3), "multiple"),
        (Row(9, (2, 1, 1), 2), "multiple"),
        (Row(7, (2, 3), 2), "multiple"),
        (Row(6, (2, 3), 2), "unique"),
        (Row(6, (2, 3), 1), "unsolvable"),
    ],
)
def test_own_families(puzzle: Any, claim: str, tmp_path: Path, offered: None) -> None:
    certificate = checked(puzzle, tmp_path / "new")
    assert certificate.claim == claim
    assert certificate.trusted == puzzle.family.name
    said = f"as the model of the family {puzzle.family.name} states the rules"
    assert said in str(certificate)
    found = verify(tmp_path / "new")  # now it is found by its name
    assert said in str(found)
    assert found.puzzle == puzzle


def test_a_family_without_a_name_that_is_found_takes_the_puzzle(tmp_path: Path) -> None:
    prove(Lights(3, frozenset({0, 2}))).write(tmp_path / "new")
    refused(tmp_path / "new", "puzzle.json: 1: the family 'lights', expected one of")
    with pytest.raises(CertificateError, match="another puzzle than the one that was asked about"):
        verify(tmp_path / "new", puzzle=Lights(3))


def test_the_values_of_an_own_family_are_looked_at(tmp_path: Path, offered: None) -> None:
    certificate = prove(Row(6, (2, 3), 2))
    for changes, why in (
        ({"true": [1, 2, 4, 5]}, "the model has no such values: the runs are"),
        ({"true": [1, 2, 4, 5, 7]}, r"'true' is no list of variables of 1 \.\. 6"),
        ({"true": [0, 2, 4, 5, 6]}, r"'true' is no list of variables of 1 \.\. 6"),
        ({"true": "12456"}, r"'true' is no list of variables of 1 \.\. 6"),
        ({"solution": ["######"]}, "the true variables stand for another solution"),
        ({"more": 1}, "expected the keys solution, true"),
    ):
        data = json.loads(certificate.files[folder.SOLUTION_JSON]) | changes
        rewrite(tmp_path, certificate, {folder.SOLUTION_JSON: json.dumps(data).encode()})
        refused(tmp_path, f"^solution.json: {why}")


def test_a_model_that_its_own_verifier_refutes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(FAMILY), "refutation", lambda *_: "it is Monday")
    with pytest.raises(BackendError, match=r"the model of lights has .*: it is Monday"):
        prove(Lights(3))


# What is refused


def rewrite(target: Path, certificate: Certificate, changes: dict[str, bytes]) -> None:
    """Write a certificate with other content in some files, and a manifest that fits."""
    files = {**certificate.files, **changes}
    files[folder.MANIFEST] = folder.manifest(certificate.claim, files, {})
    target.mkdir(exist_ok=True)
    for name, data in files.items():
        (target / name).write_bytes(data)


def refused(target: Path, why: str) -> None:
    with pytest.raises(CertificateError, match=why):
        verify(target)


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        (folder.PUZZLE, b"[]", "^puzzle.json: 0 puzzles, expected one"),
        (folder.PUZZLE, b'{"family":"queens","n":10000}', "^puzzle.json: .* at most 1000 queens"),
        (folder.PUZZLE, b'{"family":"queens","n":4}', "^solution.json: this is no solution"),
        (folder.PUZZLE, json.dumps(UNIQUE).encode(), "^puzzle.json: .*, expected no nonogram besi"),
        (folder.SOLUTION_JSON, b"{", "^solution.json: this is no JSON"),
        (folder.SOLUTION_JSON, b"[]", "^solution.json: expected the keys solution"),
        (folder.SOLUTION_JSON, b'{"solution": 3}', "^solution.json: this is no solution"),
        (folder.SOLUTION_JSON, b'{"solution": ["#"]}', "^solution.json: this is no solution"),
        (
            folder.SOLUTION_JSON,
            b'{"solution": ["##", "##"]}',
            "^solution.json: this is no solution: the cell in row 1, column 1 has 2 edges",
        ),
        (folder.FORMULA, b"p cnf 16 1\n1 0\n", "^formula.cnf: its first clauses are not those"),
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
        (folder.DRAT, b"1 x", "^proof.drat: line 1: something that is no number"),
        (folder.DRAT, b"", "^proof.drat: "),
        (folder.LRAT, b"1 0 1 0", "^proof.lrat: line 1: the line is numbered 1"),
    ],
)
def test_contents_that_do_not_hold(name: str, data: bytes, why: str, tmp_path: Path) -> None:
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
    refused(tmp_path, "^puzzle.json: slitherlink: 1 row x 1 column, expected a nonogram beside")


def test_solvers_that_contradict_each_other_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that forget something leave another solution."""
    monkeypatch.setattr(rules.Rules, "forbidding", lambda *_: [1, -1])
    with pytest.raises(BackendError, match="contradict each other"):
        prove(from_rows(["33", ".."]))


def test_a_proof_that_is_wrong_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonosat.backends.learn.LearningEngine.proof", lambda _: b"9 0\n")
    with pytest.raises(BackendError, match="the proof of learn is wrong"):
        prove(from_rows(["33", ".."]))


def test_what_only_nonograms_have_is_refused() -> None:
    for options, why in (
        ({"by": "prices"}, "prices are for rows and columns of clues, .* queens does not have; .*"),
        ({"veripb": True}, "prices are for rows and .* leave out veripb"),
        ({"cubes": 4}, "cubes are made of rows and columns of clues, .* leave them out"),
        ({"engine": "minisat22"}, "minisat22 writes no proofs; these do"),
        ({"engine": "backtracking"}, "backtracking writes no proofs; these do"),
        ({"by": "dice"}, "'dice' proves nothing"),
        ({"jobs": 2}, "say how many cubes"),
    ):
        with pytest.raises(UnsupportedError, match=why):
            prove(Queens(4), **options)
    assert prove(Queens(3), by="clauses").claim == "unsolvable"


def test_limits_hold() -> None:
    puzzle = nonosat.load(f"{INSTANCES / 'slitherlink.jsonl'}#loop-40")
    for one in (puzzle, Lights(40, frozenset({0, 2}))):
        with pytest.raises(LimitReached, match="time limit of 1e-05 s"):
            prove(one, time_limit_s=1e-5)
        with pytest.raises(LimitReached, match="memory limit of 1 MiB"):
            prove(one, memory_limit_mib=1)


def test_limits_hold_for_verify(tmp_path: Path) -> None:
    prove(from_rows(["33", ".."])).write(tmp_path / "new")
    with pytest.raises(LimitReached, match="time limit"):
        verify(tmp_path / "new", time_limit_s=1e-9)
    with pytest.raises(LimitReached, match="memory limit of 1 MiB"):
        verify(tmp_path / "new", memory_limit_mib=1)


def test_clauses_of_a_puzzle_are_not_made_beyond_the_formula(tmp_path: Path) -> None:
    certificate = prove(Queens(3))
    small = json.dumps({"family": "queens", "n": 300}).encode()
    formula = b"p cnf 90000 1\n1 0\n"
    rewrite(tmp_path, certificate, {folder.PUZZLE: small, folder.FORMULA: formula})
    refused(tmp_path, "^formula.cnf: its first clauses")


# The commands


def test_the_commands(put: Any, offered: None) -> None:
    path = put(
        {"family": "slitherlink", "id": "fence", "rows": ["33", ".."]},
        {"family": "queens", "id": "three", "n": 3},
        {"family": "knight", "id": "tour", "rows": 3, "columns": 4},
        {"family": "lights", "id": "lamps", "width": 3, "dark": [0, 2]},
    )
    trust = ", as the model of the family lights states the rules"
    for name, claim, said, more in (
        ("fence", "unique by learn", "exactly one solution", ""),
        ("three", "unsolvable by learn", "no solution", ""),
        ("tour", "multiple by search", "at least two solutions", ""),
        ("lamps", "unique by learn", "exactly one solution", trust),
    ):
        done = run("prove", f"{path}#{name}", "-o", f"out/{name}")
        assert done.exit_code == 0, done.output
        assert done.stdout.startswith(f"{name}: {claim}{more}: out/{name} (")
        done = run("verify", f"out/{name}")
        assert done.exit_code == 0
        assert done.stdout.startswith(f"out/{name}: valid: {said}{more} (")
    done = run("prove", f"{path}#fence", "-o", "new", "--by", "prices")
    assert (done.exit_code, "prices are for rows and columns of clues" in done.stderr) == (2, True)
    done = run("prove", f"{path}#fence", "-o", "new", "--cubes", "2")
    assert (done.exit_code, "cubes are made of rows" in done.stderr) == (2, True)
    done = run("prove", f"{path}#fence", "-o", "new", "--family", "queens")
    assert (done.exit_code, "no puzzle 'fence'" in done.stderr) == (2, True)
    assert not Path("new").exists()
    assert run("prove", f"{path}#three", "-o", "out/fence", "--force").exit_code == 0
    assert run("verify", "out/fence").stdout.startswith("out/fence: three: valid: no solution (")


def test_an_own_model_without_told_variables(tmp_path: Path) -> None:
    """Every variable tells solutions apart."""
    lamps = rules.rules_of(Lights(2))
    assert list(lamps.told) == [1, 2]
    assert lamps.forbidding(frozenset({2})) == [1, -2]
    assert lamps.model.clauses == (Clause((1, 2)),)
