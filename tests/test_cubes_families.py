"""Cubes of families other than nonograms: by their models alone, against results without cubes.

The oracles are brute force on small boards, and otherwise the same query without cubes.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import nonosat
from helpers.cubed import here
from helpers.processes import PATIENCE_S, happens
from nonosat.core.errors import CertificateError, FormatError, UnsupportedError
from nonosat.core.result import Verdict
from nonosat.puzzles.knight import Knight
from nonosat.puzzles.queens import Queens
from nonosat.solving.cubes import leaves
from nonosat.solving.cubes.cover import claimed
from nonosat.solving.cubes.terms import VariableTerms

assert here  # a fixture


@cache
def sudoku() -> Any:
    """Return the external family."""
    path = Path(__file__).parent / "examples" / "sudoku.py"
    spec = importlib.util.spec_from_file_location("sudoku", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["sudoku"] = module
    spec.loader.exec_module(module)
    return module.Sudoku


PUZZLES: dict[str, Any] = {
    "one row": lambda: nonosat.slitherlink(["...."]),
    "one row, unique": lambda: nonosat.slitherlink(["3..3"]),
    "one column, unsolvable": lambda: nonosat.slitherlink(["3", "1", "3"]),
    "a loop, unique": lambda: nonosat.slitherlink(["33", ".."]),
    "loops": lambda: nonosat.slitherlink(["...", ".2.", "..."]),
    "queens": lambda: Queens(6),
    "queens, unique": lambda: Queens(6, given=((0, 1),)),
    "queens, unsolvable": lambda: Queens(6, given=((0, 0),)),
    "a tour with numbers": lambda: Knight(5, 5, given=((0, 0, 1), (2, 2, 25))),
    "a closed tour": lambda: Knight(
        6, 6, closed=True, given=((0, 0, 1), (1, 2, 2), (3, 3, 9), (2, 0, 15))
    ),
    "no tour": lambda: Knight(4, 4, given=((0, 0, 1),)),
    "sudoku": lambda: sudoku()(((1, 2, 0, 0), (3, 0, 1, 2), (0,) * 4, (0,) * 4)),
    "sudoku, many": lambda: sudoku()(((1, 2, 3, 4), (0,) * 4, (0,) * 4, (0,) * 4)),
    "sudoku, none": lambda: sudoku()(((1, 1, 0, 0), (0,) * 4, (0,) * 4, (0,) * 4)),
}
VERDICTS = {0: Verdict.UNSOLVABLE, 1: Verdict.UNIQUE}


def said(solution: Any) -> str:
    return str(solution.lines())


@cache
def truth(name: str) -> frozenset[str]:
    """Return all solutions, found without cubes."""
    return frozenset(map(said, nonosat.solutions(PUZZLES[name]())))


def assert_true(result: nonosat.Result, name: str) -> None:
    """Check that all solutions were found once, and that the tree covers everything."""
    found = [said(solution) for solution in result.solutions]
    assert len(found) == len(set(found))
    assert set(found) == truth(name)
    assert result.verdict is VERDICTS.get(len(found), Verdict.MULTIPLE)


@pytest.mark.thorough
@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("num_cubes", [1, 2, 8, 64])
@pytest.mark.parametrize("name", PUZZLES)
def test_all_solutions_are_found(monkeypatch, name, num_cubes):
    monkeypatch.setattr(leaves, "BUDGET", 3)  # cubes are split again
    puzzle = PUZZLES[name]()
    assert_true(nonosat.solve(puzzle, cubes=num_cubes, max_solutions=None), name)
    verdict = VERDICTS.get(len(truth(name)), Verdict.MULTIPLE)
    assert nonosat.check(puzzle, cubes=num_cubes).verdict is verdict
    first = nonosat.solve(puzzle, cubes=num_cubes)
    assert first.verdict is (Verdict.SOLVED if truth(name) else Verdict.UNSOLVABLE)
    if len(truth(name)) > 3:
        assert len(nonosat.solve(puzzle, cubes=num_cubes, max_solutions=3).solutions) == 3


@pytest.mark.usefixtures("here")
def test_against_brute_force():
    placements = [
        columns
        for columns in permutations(range(6))
        if all(abs(columns[i] - columns[j]) != j - i for i in range(6) for j in range(i + 1, 6))
    ]
    found = nonosat.solve(Queens(6), cubes=8, max_solutions=None).solutions
    assert sorted(placement.columns for placement in found) == sorted(placements)
    loops = nonosat.solve(nonosat.slitherlink(["...", "...", "..."]), cubes=8, max_solutions=None)
    assert len(loops.solutions) == 213  # found on a lattice of 3 x 3 cells
    assert (
        len(nonosat.solve(sudoku()(((0,) * 4,) * 4), cubes=8, max_solutions=None).solutions) == 288
    )


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["loops", "queens", "a closed tour", "no tour"])
def test_processes_give_the_same_tree(monkeypatch, name):
    monkeypatch.setattr(leaves, "BUDGET", 3)
    puzzle = PUZZLES[name]()
    trees = []
    for jobs in (1, 2):
        result = nonosat.solve(puzzle, cubes=8, jobs=jobs, max_solutions=None)
        assert_true(result, name)
        ends = [(node["cube"], node["ended by"]) for node in result.tree if "cube" in node]
        trees.append(sorted(ends))
    assert trees[0] == trees[1]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", ["loops", "queens", "a tour with numbers", "sudoku, many"])
@pytest.mark.parametrize("num_kept", [0, 1, 4])
def test_a_journal_is_continued(monkeypatch, tmp_path, name, num_kept):
    monkeypatch.setattr(leaves, "BUDGET", 5)
    path, puzzle = tmp_path / "cubes", PUZZLES[name]()
    ask: dict[str, Any] = {"cubes": 8, "max_solutions": None, "journal": str(path)}
    assert_true(nonosat.solve(puzzle, **ask), name)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[: 1 + num_kept], lines[-1][:20]]))  # and an incomplete one
    assert_true(nonosat.solve(puzzle, **ask, resume=True), name)
    records = path.read_bytes().splitlines()
    assert records[: 1 + num_kept] == [line.strip() for line in lines[: 1 + num_kept]]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("damage", [{"cube": [[1, 2, True]]}, {"solutions": ["1" * 36]}])
def test_a_damaged_record(tmp_path, damage):
    path = tmp_path / "cubes"
    ask: dict[str, Any] = {"cubes": 8, "max_solutions": None, "journal": str(path)}
    nonosat.solve(Queens(6), **ask)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[1] |= damage
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(FormatError, match="not a record of a cube"):
        nonosat.solve(Queens(6), **ask, resume=True)


def test_a_journal_of_another_version(tmp_path):
    path = tmp_path / "cubes"
    path.write_text('{"kind":"header","schema":1,"puzzle_sha256":"","options":{}}\n')
    with pytest.raises(UnsupportedError, match="another version of nonosat"):
        nonosat.solve(Queens(6), cubes=2, journal=str(path), resume=True)


def test_a_time_limit_ends_it(clock):
    clock.step_s = 1
    many = nonosat.solve(
        Queens(14), cubes=4, jobs=2, max_solutions=None, time_limit_s=60
    )  # 365,596 placements
    assert many.verdict in (Verdict.UNKNOWN, Verdict.MULTIPLE)
    assert many.reason == "time limit of 60 s"
    assert many.tree == ()


def test_engines_and_methods():
    for backend in ("learn", "learn-lines"):
        assert nonosat.check(Queens(6), cubes=3, jobs=1, backend=backend).backend == backend
    with pytest.raises(UnsupportedError, match="'backtracking' decides no cubes"):
        nonosat.check(Queens(6), cubes=3, backend="backtracking")


# The form of trees


@pytest.fixture
def covered(monkeypatch):
    """Return the values of all solutions, and the nodes of a tree of them."""
    from nonosat.solving.cubes.conquest import CubeSearch

    kept = []
    covers = CubeSearch.covered

    def noted(self, solutions):
        kept.append(list(solutions))
        return covers(self, solutions)

    monkeypatch.setattr(CubeSearch, "covered", noted)
    result = nonosat.solve(Queens(6), cubes=6, max_solutions=None)
    return kept[0], [dict(node) for node in result.tree]


@pytest.mark.usefixtures("here")
def test_a_tree_of_variables_is_checked(covered):
    values, nodes = covered
    terms = VariableTerms(36)
    assert claimed(terms, values, nodes).num_solutions == 4
    inner = next(index for index, node in enumerate(nodes) if "children" in node)
    leaf = next(index for index, node in enumerate(nodes) if node.get("solutions"))
    for index, change, told in (
        (inner, {"branch": [37]}, "there is no variable"),
        (inner, {"branch": [0]}, "there is no variable"),
        (inner, {"branch": [1, 2, 0]}, "is no literal"),
        (inner, {"branch": None}, "is no literal"),
        (inner, {"branch": [-nodes[inner]["branch"][0]]}, "its cube is not the way to it"),
        (inner, {"children": [1]}, "no two children"),
        (leaf, {"probed": [[0, 0]]}, "this model has none"),
        (leaf, {"solutions": []}, "is in no leaf"),
        (leaf, {"ended by": ""}, "left open"),
    ):
        wrong = [*nodes]
        wrong[index] = {**nodes[index], **change}
        with pytest.raises(CertificateError, match=told):
            claimed(terms, values, wrong)
    with pytest.raises(CertificateError, match=r"is not in its cube|is in two leaves"):
        claimed(terms, values[1:] + values[:1], nodes)


def test_covers_and_proofs_of_cubes_are_refused():
    from nonosat.certify.covers import refuse_others

    with pytest.raises(UnsupportedError, match="covers are for nonograms"):
        refuse_others(Queens(6))
    with pytest.raises(UnsupportedError, match="a puzzle of the family queens is not"):
        nonosat.prove(Queens(6), cubes=2)


def test_ctrl_c_and_resuming(tmp_path):
    import signal

    from helpers.commands import COMMAND
    from helpers.processes import interruptible

    puzzle, path = tmp_path / "puzzle.json", tmp_path / "cubes"
    puzzle.write_text(json.dumps({"family": "queens", "n": 13}))
    line = [*COMMAND, "solve", str(puzzle), "--cubes", "40", "--jobs", "1", "--journal", str(path)]
    line += ["--max-solutions", "100000"]
    with interruptible():
        run = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    happens(tmp_path, lambda: path.exists() and path.read_bytes().count(b"\n") > 2)
    run.send_signal(signal.SIGINT)
    assert ", --resume continues" in run.communicate(timeout=PATIENCE_S)[1]
    assert run.returncode == 130
