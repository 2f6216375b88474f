"""The fixture `nonosat_agrees` as users of pytest have it, and its recipe in the documentation."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

RECIPE = Path(__file__).parent.parent / ".docs" / "recipes" / "solver.md"
HELD = "from nonosat import nonogram\nSWITCH = nonogram([[1], [1]], [[1], [1]])\n"
PLAIN = """\
from hypothesis import Phase, settings
settings.register_profile("plain", phases=[Phase.generate, Phase.shrink], database=None)
settings.load_profile("plain")
"""


def ran(folder: Path, *words: str, **files: str) -> tuple[int, str]:
    """Return exit status and output of pytest in a folder with these modules."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    (folder / "pytest.ini").touch()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "", "COLUMNS": "200"},
    )
    return done.returncode, done.stdout + done.stderr


def test_the_plugin_imports_nothing_that_costs():
    code = (
        "import pytest, sys; before = {*sys.modules}\n"
        "import nonosat.testing.pytest_plugin\n"
        "print(*sorted({*sys.modules} - before))"
    )
    words = [sys.executable, "-c", code]
    found = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    rooms = ("core", "core.hooks", "core.lazy", "testing", "testing.pytest_plugin")
    expected = ["nonosat", *(f"nonosat.{name}" for name in rooms)]
    assert found == expected


@pytest.mark.thorough
def test_the_recipe_finds_the_bug_and_shrinks_it(tmp_path):
    (code,) = re.findall(r"^```python\n(# test_mine.py\n.*?)^```$", RECIPE.read_text(), re.M | re.S)
    status, text = ran(tmp_path, "--hypothesis-seed=0", test_mine=code, conftest=PLAIN)
    assert status == 1, text
    sizes = re.findall(r"solve is wrong: .* \(nonogram, (\d+) rows? x (\d+) columns?\)", text)
    assert sizes, text
    assert all(int(side) <= 3 for size in sizes for side in size), sizes


def test_the_recipe_is_a_test_that_fails(tmp_path):
    """The smallest counterexample makes it fail, for any strategies."""
    (code,) = re.findall(r"^```python\n(# test_mine.py\n.*?)^```$", RECIPE.read_text(), re.M | re.S)
    names: dict = {"__name__": "test_mine"}
    exec(code, names)  # the page's own code
    from nonosat import nonogram
    from nonosat.testing import assert_agrees

    with pytest.raises(AssertionError, match="solve is wrong: a solution of the puzzle is known"):
        assert_agrees(names["solve"], nonogram([[1], [2]], [[1], [2]]), against=["auto"])
    assert_agrees(names["solve"], nonogram([[2], [1]], [[2], [1]]), against=["auto"])


@pytest.mark.thorough
def test_limits_of_the_ini_file_and_of_the_command_line(tmp_path):
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\nnonosat_time_limit = 7\nnonosat_memory_limit = 900\n"
        "nonosat_against =\n    auto\n    cadical195 line=automaton\n"
    )
    told = "def test_it(nonosat_agrees):\n    print(sorted(nonosat_agrees.keywords.items()))\n"
    status, text = ran(tmp_path, "-s", "--nonosat-time-limit=2.5", test_it=told)
    assert status == 0, text
    against = "('against', ['auto', 'cadical195 line=automaton'])"
    assert f"[{against}, ('memory_limit_mib', 900), ('time_limit_s', 2.5)]" in text


def test_hypothesis_and_wrong_limits(pytestconfig, nonosat_agrees, monkeypatch):
    from nonosat import Verdict, nonogram

    puzzle = nonogram([[1], [1]], [[1], [1]])
    nonosat_agrees(lambda puzzle: Verdict.MULTIPLE, puzzle)
    with pytest.raises(AssertionError, match="<lambda> is wrong"):
        nonosat_agrees(lambda puzzle: Verdict.UNIQUE, puzzle)
    from nonosat.testing import pytest_plugin

    for text in ("x", "0", "-1", "nan", "inf"):
        monkeypatch.setattr(pytestconfig.option, "nonosat_time_limit", text)
        with pytest.raises(pytest.UsageError, match="expected a number above 0"):
            pytest_plugin._limit(pytestconfig, "time_limit_s")
