"""The workflows of .github/ are valid, and agree with `pyproject.toml`."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_actionlint_finds_nothing() -> None:
    actionlint = shutil.which("actionlint")
    if actionlint is None:
        pytest.skip("actionlint is not installed")
    done = subprocess.run(
        [actionlint, "-no-color", *map(str, WORKFLOWS)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_tests_and_wheels_are_those_of_the_project() -> None:
    test, release = (
        (ROOT / ".github" / "workflows" / name).read_text() for name in ("test.yml", "release.yml")
    )
    assert "run: .ci/run" in test
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "run cibuildwheel" in release
    built = project["tool"]["cibuildwheel"]["build"]
    stable = project["tool"]["scikit-build"]["wheel"]["py-api"]
    assert {"cp311-*", f"{stable}-*"} <= set(built)
