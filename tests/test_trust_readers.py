"""Short form of the check of readers: 10,000 files give only puzzles and refusals."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

CHECK = Path(__file__).parents[1] / "benchmarks" / "trust" / "readers.py"


@pytest.mark.slow
def test_ten_thousand_files_are_read_or_refused() -> None:
    command = [sys.executable, str(CHECK), "--short"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    found = json.loads(ran.stdout)
    assert found["failures"] == [], ran.stderr
    assert ran.returncode == 0
    assert sum(found["checked"].values()) == 10_000
    for name, number in found["checked"].items():
        assert number >= 200, name
        assert 0 < found["read"].get(name, 0) < number or name in NEVER_READ, name


# Almost every change is detected: proofs that stay valid are rare.
NEVER_READ = frozenset(
    f"{name} of a formula" for name in ("formula.cnf", "proof.drat", "proof.lrat")
)
