"""`nonosat fuzz` finds what is wrong: an encoding, engines and programs, and shrinks it.

Encoding and engines are of a package, found by entry points, so that they are in every process.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from helpers.commands import whole
from nonosat import formats

PLUGINS = '''
"""Plug-ins with mistakes."""
import os
from nonosat.backends.learn import PLUGINS as ENGINES
from nonosat.encodings.line_order import PLUGIN as ORDER

LEARN = ENGINES["learn"]


def strict(line, sink):
    """Lines of two blocks begin with an empty cell."""
    ORDER.encode(line, sink)
    if len(line.blocks) == 2:
        for plane in line.cells:
            sink.add([-plane[0]])


def aborting(name, num_vars, seed, options):
    if num_vars > 3:
        os.abort()
    return LEARN.opened("learn", num_vars, seed, options)


def sleeping(name, num_vars, seed, options):
    while num_vars > 3:
        pass
    return LEARN.opened("learn", num_vars, seed, options)


STRICT = ORDER.replaced(encode=strict)
ABORTS = LEARN.replaced(open_engine=aborting)
HANGS = LEARN.replaced(open_engine=sleeping)
'''
ENTRY_POINTS = """
[nonosat.backends]
aborts = faulty:ABORTS
hangs = faulty:HANGS
[nonosat.encodings]
line-strict = faulty:STRICT
"""


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Variables of a process that finds the package."""
    info = tmp_path / "site" / "faulty-1.0.dist-info"
    info.mkdir(parents=True)
    (tmp_path / "site" / "faulty.py").write_text(PLUGINS)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.chdir(tmp_path)
    return {**os.environ, "PYTHONPATH": str(tmp_path / "site")}


def fuzzed(environment: dict[str, str], *words: str) -> dict[str, Any]:
    """What a short campaign prints as JSON, with a failure."""
    usual = ["--cases", "50", "--seconds", "50", "--jobs", "1", "--family", "nonogram", "--json"]
    done = whole("fuzz", *usual, *words, env=environment)
    assert done.returncode == 1, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_wrong_encoding_is_found_and_shrunk(environment: dict[str, str]) -> None:
    found = fuzzed(environment, "--encodings", "line=strict", "--backends", "learn,minisat22")
    (failure,) = [one for one in found["failures"] if one["what"] == "wrong"]
    assert failure["guilty"]["options"]["encoding"] == {"line": "strict"}
    assert failure["is_shrunk"]
    puzzle = formats.load(failure["file"])
    assert puzzle.height * puzzle.width <= 4, failure["text"]
    assert failure["times"] > 1
    assert "is wrong: " in failure["text"]
    text = Path(failure["file"]).with_suffix(".txt").read_text()
    assert "--encoding line=strict" in text
    again = whole("fuzz", "--replay", failure["file"], env=environment)
    assert (again.returncode, again.stdout.partition(":")[0]) == (1, text.partition(":")[0])
