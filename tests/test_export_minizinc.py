"""MiniZinc itself, if it is installed, finds the solutions of the written files."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import nonosat
from helpers.drawing import examples
from helpers.exported import BOARDS, MODELS, OTHERS, Anything, expected, written
from nonosat import export
from nonosat.testing import oracles
from nonosat.testing.strategies import puzzles
from nonosat.testing.strategies.models import solutions_of

LEVELS = st.sampled_from(["none", "propagate", "probe"])
MOST = 30  # solutions compared; puzzles with more are left out


@pytest.fixture
def minizinc(tmp_path: Path):
    """Return all answers of MiniZinc's default solver to a written file."""
    if shutil.which("minizinc") is None:
        pytest.skip("minizinc is not installed")

    def run(puzzle, *names: str, **how) -> tuple[int, set[str]]:
        for name in names:
            (tmp_path / f"a.{name}").write_text(written(puzzle, name, **how))
        if names == ("dzn",):
            (tmp_path / "a.mzn").write_text(export.nonogram_model())
        files = [str(path) for path in sorted(tmp_path.glob("a.*"), reverse=True)]
        done = subprocess.run(
            ["minizinc", "-a", *files], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        answer = export.read_answer(done.stdout)
        if answer.verdict is nonosat.plugins.Answer.UNSAT:
            return 0, set()
        assert answer.printed.is_complete
        return len(answer.printed.solutions), set(map(str, export.pictures_of(puzzle, answer)))

    return run


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("kind", ["mzn", "dzn"])
@pytest.mark.parametrize("level", ["none", "probe"])
def test_minizinc_finds_the_solutions_of_a_board(minizinc, name, kind, level):
    puzzle = BOARDS[name]
    wanted = set(expected(puzzle))
    assert minizinc(puzzle, kind, presolve=level) == (len(wanted), wanted)


@pytest.mark.parametrize("name", ["ones", "touching", "unknown"])
def test_minizinc_leaves_out_a_forbidden_solution(minizinc, name):
    puzzle = BOARDS[name]
    first, *others = nonosat.solutions(puzzle)
    assert minizinc(puzzle, "mzn", forbidden=first) == (len(others), set(map(str, others)))


@pytest.mark.parametrize("name", OTHERS)
def test_minizinc_finds_the_solutions_of_other_families(minizinc, name):
    wanted = set(expected(OTHERS[name]))
    assert minizinc(OTHERS[name], "mzn") == (len(wanted), wanted)


@pytest.mark.parametrize("name", [name for name, model in MODELS.items() if model.lines])
def test_minizinc_reads_lines_of_any_literals(minizinc, name):
    model = MODELS[name]
    number, found = minizinc(Anything(model), "mzn")
    wanted = {str(bytes([0, *values])) for values in solutions_of(model)}
    assert (number, found) == (len(wanted), wanted)


@given(puzzles(max_cells=20, max_colours=3), LEVELS)
@examples(12)
def test_minizinc_finds_what_enumeration_finds(puzzle, level):
    if shutil.which("minizinc") is None:
        pytest.skip("minizinc is not installed")
    wanted = oracles.solutions(puzzle, MOST + 1)
    assume(len(wanted) <= MOST)
    done = subprocess.run(
        ["minizinc", "-a", "--input-from-stdin"],
        input=written(puzzle, "mzn", presolve=level),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = re.findall(r"^x = .*\[(.*)\]\);$", done.stdout, re.MULTILINE)
    pictures = [bytes(int(value) - 1 for value in one.split(",")) for one in found]
    assert sorted(pictures) == sorted(wanted)
