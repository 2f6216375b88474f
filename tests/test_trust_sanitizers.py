"""The check by sanitizers and valgrind, short: valgrind on one program, right and wrong."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks/trust"))
import natively
import sanitizers
from record import Asked

pytestmark = pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")


def test_the_short_form_finds_no_mistake():
    figures = sanitizers.check(Asked(short=True, seed=0))
    assert figures["failures"] == []
    assert "random pairs" in figures["programs"]["valgrind"]["fuzz_lines"]["said"]


def test_every_program_is_known():
    programs = {path.stem for path in natively.PROGRAMS.glob("*.cpp")}
    assert set(sanitizers.LONG) | set(sanitizers.BRIEF) <= programs


def test_what_is_read_before_it_is_written_is_reported(tmp_path, monkeypatch):
    wrong = "int main(int c, char**) { int a[9]; return a[c] == 7 ? 1 : a[c + 1] == 8; }"
    (tmp_path / "wrong.cpp").write_text(wrong)
    monkeypatch.setattr(natively, "PROGRAMS", tmp_path)
    program = natively.linked("wrong", tmp_path, ["-O0"], [])
    shown = {}
    failures = list(sanitizers.run(program, sanitizers.BUILDS["valgrind"], 0, shown))
    assert "uninitialised" in failures[0]
