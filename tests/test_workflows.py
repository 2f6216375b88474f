"""The workflows agree with `pyproject.toml`; `.ci/actionlint` finds their other faults."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


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
