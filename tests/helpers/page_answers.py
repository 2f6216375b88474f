"""Answers of the studio's page without a server, by node."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from helpers.processes import PATIENCE_S
from nonosat.studio import static

BRIDGE = Path(__file__).parents[1] / "studio" / "helpers" / "core_bridge.mjs"
IS_BUILT = static.BUILT.joinpath("explain.wasm").is_file()
built = pytest.mark.skipif(not IS_BUILT, reason="the page is not built: .ci/page")
asks = pytest.mark.skipif(
    not IS_BUILT or shutil.which("node") is None, reason="needs node, and the page: .ci/page"
)


def ask(asked: list[tuple[str, Any]]) -> list[Any]:
    """Return the answer of the page without a server to each question with its body."""
    given = json.dumps({"folder": str(static.BUILT), "asked": asked})
    done = subprocess.run(
        ["node", str(BRIDGE)],
        input=given,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers: list[Any] = json.loads(done.stdout)
    return answers
