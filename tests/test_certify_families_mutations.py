"""Damaged certificates of families other than nonograms: refused, or still right by brute force.

NONOSAT_FUZZ=N makes N times as many mutations.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from helpers.drawing import FUZZ
from helpers.own_families import Fence, Row, fence
from helpers.proofs import follows_hints, read_dimacs, refutes
from nonosat import _core
from nonosat.certify import cuts, folder
from nonosat.certify.certificate import Certificate
from nonosat.certify.cuts import Border, Walls
from nonosat.certify.formula import Formula
from nonosat.certify.prove import prove
from nonosat.certify.rules import rules_of
from nonosat.certify.verify import verify
from nonosat.core.errors import CertificateError
from nonosat.core.plugins import Puzzle
from nonosat.formats import jsonl
from nonosat.puzzles.knight import Knight
from nonosat.puzzles.queens import Queens
from nonosat.puzzles.slitherlink import from_rows
from nonosat.testing.deciding import canonical
from nonosat.testing.oracles import every_solution
from test_certify_mutations import _mutated

MUTATIONS = 600
CUT_OFF = ["2.02", "....", "2.02"]  # two loops would satisfy the clues if several were allowed


def _subjects() -> list[Any]:
    """Unique, unsolvable and multiple puzzles of each family, with cuts and without."""
    return [
        from_rows(["33", ".."]),
        from_rows(CUT_OFF),
        from_rows(["..", ".."]),
        Queens(6, given=((0, 1),)),
        Queens(4),
        Queens(3),
        Knight(3, 3, closed=True, holes=((1, 1),)),
        Knight(3, 4, closed=True),
        Knight(3, 4),
        Knight(3, 4, start=(0, 0), given=((0, 1, 4), (0, 3, 10))),
        Row(6, (2, 3), 2),
        Row(6, (2, 3), 1),
        fence("33", ".."),
    ]


def solutions_of(puzzle: Puzzle) -> set[Any]:
    found = every_solution(puzzle)
    assert found is not None, "a board that brute force can handle"
    return {canonical(puzzle, one) for one in found}


def assert_right(claim: str, puzzle: Puzzle, files: dict[str, bytes]) -> None:
    """Check by brute force, and the proof by naive checkers."""
    if isinstance(puzzle, Row):
        number = {Row(6, (2, 3), 2): 1, Row(6, (2, 3), 1): 0}[puzzle]
    else:
        number = len(solutions_of(puzzle.board if isinstance(puzzle, Fence) else puzzle))
    assert claim == ("unsolvable", "unique", "multiple")[min(number, 2)]
    if claim != "multiple":
        _, clauses = read_dimacs(files[folder.FORMULA].decode("latin-1"))
        assert refutes(clauses, files[folder.DRAT].decode("latin-1"))
        assert follows_hints(clauses, files[folder.LRAT].decode("latin-1"))


def damaged(
    rng: random.Random, found: Certificate, certificates: list[Certificate]
) -> tuple[str, dict[str, bytes]]:
    """Certificate with a changed file, or with files of another one."""
    claim, files = found.claim, dict(found.files)
    name = rng.choice([*files, "claim", "other"])
    if name == "claim":
        claim = rng.choice([*folder.FILES])
        others = rng.choice(certificates).files
        kind = "solutions" if claim == "multiple" else "rules"
        files = {of: files.get(of, others.get(of, b"")) for of in folder.FILES[claim][kind]}
    elif name == "other":
        others = rng.choice([one for one in certificates if one.claim == claim]).files
        name = rng.choice([*files])
        files[name] = others[name]
    else:
        files[name] = _mutated(rng, files[name])
    return claim, files


@pytest.mark.thorough
def test_mutations_are_refused_or_still_right(tmp_path: Path) -> None:
    puzzles = _subjects()
    certificates = [prove(puzzle) for puzzle in puzzles]
    assert {found.claim for found in certificates} == set(folder.FILES)
    assert {found.num_cuts > 0 for found in certificates} == {True, False}
    refused = Counter[str]()
    for seed in range(MUTATIONS * FUZZ):
        rng = random.Random(seed)
        at = rng.randrange(len(puzzles))
        claim, files = damaged(rng, certificates[at], certificates)
        given = puzzles[at] if certificates[at].trusted else None
        target = tmp_path / str(at)
        target.mkdir(exist_ok=True)
        for path in target.iterdir():
            path.unlink()
        for name, data in {**files, folder.MANIFEST: folder.manifest(claim, files, {})}.items():
            (target / name).write_bytes(data)
        try:
            found = verify(target, puzzle=given)
        except CertificateError as error:
            refused[str(error).partition(":")[0]] += 1
        else:
            assert_right(claim, found.puzzle, files)
    assert {name for name in refused if "." in name} == {
        folder.PUZZLE, folder.SOLUTION_JSON, folder.SECOND_JSON, *folder.RULES
    }  # fmt: skip
    assert refused.total() > MUTATIONS * FUZZ // 2


@pytest.mark.parametrize("index", range(len(_subjects())))
def test_undamaged_ones_are_right(index: int) -> None:
    puzzle = _subjects()[index]
    found = prove(puzzle)
    assert_right(found.claim, puzzle, found.files)


def test_a_cut_that_some_loop_violates_proves_nothing(tmp_path: Path) -> None:
    """The formula matches, its proof holds: only the cut is invalid, so that nothing false is
    accepted.
    """
    puzzle = from_rows(["..", ".."])  # of several solutions
    honest = prove(from_rows(["33", ".."]))
    for cut in (
        Border(0, (), 0, 1),
        Border(0, tuple(range(9)), 0, 1),
        Border(0, (0, 1, 3, 4), 0, 7),  # edge 7 leads from the set to the rest
        Border(0, (0, 1, 3, 4), 4, 0),
        Border(0, (0, 1, 3, 4)),
        Walls(0, (13,), (14,)),
        Walls(0, (13, 14), ()),
    ):
        files = {
            **honest.files,
            folder.PUZZLE: jsonl.write([puzzle]),
            folder.CUTS: cuts.written([cut]),
            folder.FORMULA: _formula(puzzle),
        }
        for name, data in {**files, folder.MANIFEST: folder.manifest("unique", files, {})}.items():
            (tmp_path / name).write_bytes(data)
        with pytest.raises(CertificateError, match=r"^cuts\.json: cut 1: "):
            verify(tmp_path)


def _formula(puzzle: Puzzle) -> bytes:
    """Formula of the rules, so that the cuts are checked next."""
    made = Formula(rules_of(puzzle), lambda: None)
    clauses = made.of_rules()
    return f"p cnf {made.num_vars} {clauses.count(0)}\n".encode() + _core.dimacs_text(clauses)
