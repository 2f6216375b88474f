"""Short form of the kills at random moments: `benchmarks/trust/faults.py` does hundreds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent.parent / "benchmarks" / "trust" / "faults.py"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="what is left is found in /proc")
def test_killed_commands_leave_nothing() -> None:
    words = [sys.executable, str(PROGRAM), "--short"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert found["failures"] == []
    assert sum(found["checked"].values()) == 12
