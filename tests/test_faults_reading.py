"""Records and certificates that are nested too deeply, or have lines of megabytes: one sentence."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from helpers.commands import UNIQUE, put, run
from test_cli_writing import things

__all__ = ["put", "things"]  # fixtures

DEEP = 100_000
BAD = {
    "arrays": "[" * DEEP + "]" * DEEP,
    "objects": '{"a":' * DEEP + "1" + "}" * DEEP,
    "nested record": '{"kind":"result","stages":' + "[" * DEEP + "]" * DEEP + "}",
    "long line": "x" * 10_000_000,
    "long text": '{"kind":"result","id":"' + "y" * 10_000_000 + '"}',
}
LINES = (
    "batch p.jsonl -o bad --resume",
    "batch -o bad --latest",
    "batch -o bad --repair",
    "bench run suite.toml -o bad --resume",
    "bench run bad -o new",
    "bench report bad --csv -o -",
    "bench compare bad bad",
    "fuzz -o bad --resume",
    "fuzz --replay bad",
    "study report bad -o a.md",
    "verify bad",
    "check bad --from jsonl",
)


@pytest.mark.thorough
@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("kind", BAD)
def test_a_bad_record_is_reported_in_a_line(kind: str) -> None:
    for line in LINES:
        if kind == "long text" and line.startswith("study"):
            continue  # an object without numbers is a study that has measured nothing
        Path("bad").write_text(BAD[kind] + "\n")
        done = run(*line.split())
        assert done.exit_code == 2, (line, done.output[:300])
        *others, last = done.stderr.rstrip("\n").split("\n")
        assert last.startswith(("nonosat: ", "Error: ")), (line, done.stderr[:300])
        assert len(others) in (0, 3)
        assert len(done.stderr) < 2500
        assert Path("bad").read_text() == BAD[kind] + "\n"  # nothing is lost


def test_a_certificate_of_bad_files_does_not_hold(put: object) -> None:
    put(UNIQUE)  # type: ignore[operator]
    assert run("prove", "puzzles.jsonl", "-o", "good").exit_code == 0
    for name in sorted(path.name for path in Path("good").iterdir()):
        for kind in ("arrays", "objects", "long line"):
            shutil.rmtree("bad", ignore_errors=True)
            shutil.copytree("good", "bad")
            Path("bad", name).write_text(BAD[kind])
            done = run("verify", "bad")
            assert done.exit_code == 2, (name, kind)
            assert done.stderr.count("\n") == 1
            assert len(done.stderr) < 2500
