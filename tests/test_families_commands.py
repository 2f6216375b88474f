"""Every family in every command: each cell of the table in `benchmarks/families/README.md`.

The families are ours, and Sudoku, which `tests/examples/sudoku.py` adds as an external package. A
cell is a run of the command; if a command does not take a family, the cell is a sentence, and the
command's message states the reason.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from click.testing import Result
from pysat.formula import CNF
from pysat.solvers import Solver

import nonosat
from helpers.commands import run, whole
from nonosat import render
from nonosat.core import plugins
from nonosat.core.errors import PuzzleError, UnsupportedError
from nonosat.testing import check_plugin

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "benchmarks" / "families" / "README.md"
PUZZLES: dict[str, dict[str, Any]] = {
    "nonogram": {"rows": [[1], [1], [2]], "columns": [[1, 1], [2], []]},
    "slitherlink": {"family": "slitherlink", "rows": ["33", ".."]},
    "queens": {"family": "queens", "n": 6, "given": [[0, 1]]},
    "knight": {"family": "knight", "rows": 5, "columns": 5, "given": [[0, 0, 1], [2, 2, 25]]},
    "sudoku": {
        "family": "sudoku",
        "rows": [[1, 2, 0, 0], [3, 0, 1, 2], [0, 0, 0, 0], [0, 0, 0, 0]],
    },
}
UNSOLVABLE: dict[str, dict[str, Any]] = {
    "nonogram": {"rows": [[2]], "columns": [[1], []]},
    "slitherlink": {"family": "slitherlink", "rows": ["00", ".."]},
    "queens": {"family": "queens", "n": 6, "given": [[0, 1], [0, 2]]},
    "knight": {"family": "knight", "rows": 5, "columns": 5, "given": [[0, 0, 1], [2, 2, 2]]},
    "sudoku": {"family": "sudoku", "rows": [[1, 1, 0, 0], *[[0] * 4] * 3]},
}
RUNS = {  # By command: P is the puzzle, U one without a solution, F the family
    "solve": "solve P",
    "check": "check P",
    "check --jobs": "check --jobs 2 P",
    "check --why": "check --why U",
    "check --partial": "check P --partial marks.txt",
    "check --cubes": "check --cubes 2 P",
    "check --cubes --cover": "check --cubes 2 --cover cover.jsonl P",
    "prove --cubes": "prove --cubes 2 P -o of-cubes",
    "count": "count P",
    "sample": "sample P",
    "backbone": "backbone P",
    "why-multiple": "why-multiple P",
    "beliefs": "beliefs P",
    "prove, verify": "prove P -o certificate",
    "explain": "explain P",
    "hint": "hint P",
    "rate": "rate P",
    "repair": "repair P -o repaired.jsonl",
    "show": "show P",
    "render": "render P -o picture.svg",
    "convert": "convert P again.jsonl",
    "encode": "encode P -o formula.cnf",
    "decode": "decode P answer.txt",
    "generate": "generate F 3 3",
    "diff": "diff P P",
    "batch": "batch P -o results.jsonl",
    "bench encodings": "bench encodings P --encoding order -o page.md",
}
TOGETHER = {  # the same, once for all families; A are their puzzles
    "check --cubes --cluster": "check A --cubes 2 --cluster local:1",
    "batch --cluster": "batch A -o cluster.jsonl --cluster local:1",
    "bench run": "bench run suite.toml -o runs.jsonl",
    "fuzz": "fuzz --cases 80 --sort any --sort unique --jobs 1 --backends learn",
}
DONE = {0, 3}  # 3: several solutions
STATUS_UNSOLVABLE = 4
REFUSED = {1, 2}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the package of the family Sudoku, as an installer leaves it."""
    folder = tmp_path_factory.mktemp("site")
    copy(Path(__file__).parent / "examples" / "sudoku.py", folder)
    info = folder / "sudoku-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: sudoku\nVersion: 1.0\n")
    points = "[nonosat.puzzles]\nsudoku = sudoku:Sudoku.family\n"
    (info / "entry_points.txt").write_text(points)
    return folder


def test_the_example_keeps_the_contract_of_families(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(site)
    sudoku = importlib.import_module("sudoku")
    given, clashing = PUZZLES["sudoku"]["rows"], [[1, 1, 0, 0], *[[0] * 4] * 3]
    puzzles = [sudoku.Sudoku(tuple(map(tuple, rows))) for rows in (given, clashing, [[0]])]
    check_plugin(sudoku.Sudoku.family, "puzzles", puzzles=puzzles)
    assert nonosat.count(sudoku.Sudoku(((0,) * 4,) * 4)).count == 288  # found on 4 x 4
    with pytest.raises(PuzzleError, match="rows of as many digits"):
        sudoku.Sudoku(((1, 2), (3,)))


def test_differences_are_marked_in_place(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(site)
    sudoku = importlib.import_module("sudoku")
    rows = ["1 2 3 4", "3 4 1 2", "2 1 4 3", "4 3 2 1"]
    solution = sudoku.Filled(tuple(tuple(map(int, row.split())) for row in rows))
    puzzle = sudoku.Sudoku(solution.rows)
    marked = [(0, 1), (2, 3, 3), (3, 0, 1), (3, 0, 4)]  # cells, and digits of cells
    drawn = render.text(puzzle, solution, render.Style(), marked)
    assert drawn.splitlines() == ["1 ? 3 4", "3 4 1 2", "2 1 4 ?", "? 3 2 1"]
    large, row = sudoku.Sudoku(((0,) * 16,) * 16), sudoku.Filled(((10, 11, *range(1, 15)),))
    drawn = render.text(large, row, render.Style(), [(0, 1), (0, 3)])
    assert drawn == "10  ? 1 ? 3 4 5 6 7 8 9 10 11 12 13 14"
    with pytest.raises(UnsupportedError, match=r"of 4 x 4 digits; these can"):
        nonosat.dumps(puzzle, "non")


def cells() -> Iterator[tuple[str, str, str]]:
    """(command, family, cell) of the table."""
    rows = [
        [part.strip() for part in line.strip("|").split("|")]
        for line in TABLE.read_text().splitlines()
        if line.startswith("|")
    ]
    head, _, *body = rows
    for command, *row in body:
        for family, cell in zip(head[1:], row, strict=True):
            yield command.strip("`"), family, cell


def test_the_table_has_a_cell_for_each_command_and_family() -> None:
    found = {(command, family) for command, family, _ in cells()}
    assert found == {(command, family) for command in (*RUNS, *TOGETHER) for family in PUZZLES}
    assert all(cell for _, _, cell in cells())


@pytest.fixture
def installed(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the package available here and in other processes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(site))
    monkeypatch.syspath_prepend(site)
    plugins.find.cache_clear()
    yield
    plugins.find.cache_clear()
    sys.modules.pop("sudoku", None)


@pytest.mark.thorough
@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("family", PUZZLES)
def test_each_cell_states_what_the_command_does(family: str) -> None:
    words = {"P": "puzzle.json", "U": "unsolvable.json", "F": family}
    Path(words["P"]).write_text(json.dumps({"id": "it", **PUZZLES[family]}))
    Path(words["U"]).write_text(json.dumps({"id": "it", **UNSOLVABLE[family]}))

    def ran(line: str) -> Result:
        return run(*(words.get(word, word) for word in line.split()))

    Path("marks.txt").write_text(ran("show P").stdout)  # a board without marks
    for command, whose, cell in cells():
        if whose != family or command in TOGETHER:
            continue
        if command == "decode":
            answer()
        done = ran(RUNS[command])
        ends = {STATUS_UNSOLVABLE} if command == "check --why" else DONE
        if cell == "yes":
            assert done.exit_code in ends, (command, done.output)
            assert "nonosat:" not in done.stderr, (command, done.stderr)
        else:
            assert done.exit_code in REFUSED | (ends - DONE), (command, done.output)
            assert re.search(family, done.output), (command, done.output)
        if command == "check --why":
            assert re.search("contradict each other|cannot be satisfied", done.output)
            assert ("is unknown" not in done.output) is (cell == "yes")
    verified = whole("verify", "certificate", env={**os.environ, "PYTHONUTF8": "1"})
    assert verified.returncode == 0, verified.stderr


def answer() -> None:
    """Return an engine's answer to the file that `encode` wrote."""
    with Solver(bootstrap_with=CNF(from_file="formula.cnf")) as solver:
        assert solver.solve()
        values = " ".join(map(str, solver.get_model()))
    Path("answer.txt").write_text(f"s SATISFIABLE\nv {values} 0\n")


@pytest.fixture
def together() -> list[str]:
    """Names of files with a puzzle of each family, and a suite of them."""
    names = [f"{family}.json" for family in PUZZLES]
    for name, puzzle in zip(names, PUZZLES.values(), strict=True):
        Path(name).write_text(json.dumps({"id": name, **puzzle}))
    limits = "[limits]\nwall_s = 30\n[configurations.auto]\n"
    Path("suite.toml").write_text(f'task = "check"\ninstances = {names}\n{limits}')
    return names


@pytest.mark.thorough
@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("command", TOGETHER)
def test_commands_that_take_all_families_at_once(command: str, together: list[str]) -> None:
    open_to = [family for row, family, cell in cells() if row == command and cell == "yes"]
    words = TOGETHER[command].split()
    at = words.index("A") if "A" in words else len(words)
    words[at : at + 1] = together if "A" in words else []
    if command == "fuzz":
        words += [word for family in open_to for word in ("--family", family)]
    done = whole(*words, "--quiet")
    assert done.returncode in DONE, done.stderr
    told = done.stdout + "".join(path.read_text() for path in Path().glob("*.jsonl"))
    assert all(family in told for family in open_to)
    for family in PUZZLES.keys() - open_to:
        refused = run(*words, "--family", family)
        assert refused.exit_code in REFUSED
        assert family in refused.output
