"""Short form of the check by sanitizers and valgrind: valgrind on one program, right and wrong."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks/trust"))
import natively
import record
import sanitizers
from record import Asked

pytestmark = pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")


@pytest.mark.slow
def test_the_short_form_finds_no_mistake():
    figures = sanitizers.check(Asked(short=True, seed=0))
    assert figures["failures"] == []
    assert "random pairs" in figures["programs"]["valgrind"]["fuzz_lines"]["said"]


def test_every_program_is_known():
    programs = {path.stem for path in natively.PROGRAMS.glob("*.cpp")}
    assert set(sanitizers.LONG) | set(sanitizers.BRIEF) <= programs


def test_ctrl_c_keeps_results_and_records_nothing(tmp_path, monkeypatch, capsys):
    for name in ("fine", "slow"):
        (tmp_path / f"{name}.cpp").write_text("int main() {}")
    ran = sanitizers.run

    def interrupted(path, *more):
        if path.name == "slow":
            raise KeyboardInterrupt
        return ran(path, *more)

    monkeypatch.setattr(natively, "PROGRAMS", tmp_path)
    monkeypatch.setattr(sanitizers, "PROGRAMS", tmp_path)
    monkeypatch.setattr(sanitizers, "objects", lambda *_: [])
    monkeypatch.setattr(sanitizers, "BUILDS", {"plain": sanitizers.Build(("-O0",), {})})
    monkeypatch.setattr(sanitizers, "run", interrupted)
    monkeypatch.setattr(record, "RESULTS", tmp_path)
    monkeypatch.setattr(sys, "argv", ["sanitizers.py", "--record"])
    with pytest.raises(SystemExit) as ended:
        record.perform("sanitizers", sanitizers.check)
    assert ended.value.code == record.INTERRUPTED
    printed = capsys.readouterr()
    assert [*json.loads(printed.out)["programs"]["plain"]] == ["fine"]
    assert "nothing is recorded" in printed.err
    assert not list(tmp_path.glob("*.json"))


@pytest.mark.slow
def test_uninitialised_reads_are_reported(tmp_path, monkeypatch):
    wrong = "int main(int c, char**) { int a[9]; return a[c] == 7 ? 1 : a[c + 1] == 8; }"
    (tmp_path / "wrong.cpp").write_text(wrong)
    monkeypatch.setattr(natively, "PROGRAMS", tmp_path)
    program = natively.linked("wrong", tmp_path, ["-O0"], [])
    shown = {}
    failures = list(sanitizers.run(program, sanitizers.BUILDS["valgrind"], 0, shown))
    assert "uninitialised" in failures[0]
