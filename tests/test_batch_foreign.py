"""Files that other commands wrote are refused with the name of the command, and left alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import nonosat
from helpers import recorded
from helpers.benches import AUTO, CORNER, SWITCH, suite_of
from helpers.commands import run
from nonosat.batch.foreign import BENCH, FUZZ, foreign, foreign_file
from nonosat.testing.fuzzing.record import read as fuzzed


def made_by(folder: Path, what: str) -> Path:
    """Return a file that a command wrote."""
    puzzles, target = folder / "puzzles.jsonl", folder / "other.jsonl"
    if what == "batch":
        assert run("batch", str(puzzles), "-o", str(target)).exit_code == 3
    elif what == "json":
        target.write_text(run("check", str(puzzles), "--json").stdout)
    elif what == "cover":
        hard = Path(__file__).parents[1] / "instances" / "hard.jsonl"
        run("check", f"{hard}#steps-8", "--cubes", "2", "--cover", str(target))
    elif what == "fuzz":
        header = {"kind": "header", "schema": 1, "writer": "nonosat fuzz", "session": 1}
        target.write_text(json.dumps(header) + "\n")
    else:
        target.write_bytes(puzzles.read_bytes())
    return target


SAID = {
    "batch": "written by `nonosat batch`",
    "json": "what a command prints with --json",
    "fuzz": "written by `nonosat fuzz`",
    "cover": "written by `nonosat solve` or `check` with --cover",
    "puzzles": "a puzzle",
}


@pytest.mark.parametrize("what", SAID)
def test_other_files(tmp_path: Path, what: str) -> None:
    suite = str(suite_of(tmp_path, AUTO, CORNER, SWITCH).path)
    path = made_by(tmp_path, what)
    before, name = path.read_bytes(), str(path)
    results = recorded.write(tmp_path / "results", [recorded.one("order")])
    reading = (
        ("report", name, "--csv"),
        ("compare", name, results),
        ("compare", results, name),
    )
    for words in (
        *(reading if what != "batch" else ()),  # such records are read as runs of one configuration
        ("run", suite, "-o", name),
        ("run", suite, "-o", name, "--resume"),
        ("run", name, "-o", str(tmp_path / "new.jsonl")),
    ):
        done = run("bench", *words)
        assert done.exit_code == 2, words
        assert SAID[what] in done.stderr, words
    assert path.read_bytes() == before
    assert not (tmp_path / "new.jsonl").exists()


def test_own_files_have_no_other_origin(tmp_path: Path) -> None:
    path = Path(recorded.write(tmp_path / "results", [recorded.one("order")]))
    assert foreign_file(path, BENCH) is None
    for line in path.read_text().splitlines():
        assert foreign({**json.loads(line), "rows": [], "verdict": "unique"}, BENCH) is None
    later = {"kind": "later", "rows": []}  # readers ignore kinds that they do not know
    assert foreign(later, BENCH) is None
    suite = str(suite_of(tmp_path, AUTO, CORNER).path)
    assert "--resume continues it" in run("bench", "run", suite, "-o", str(path)).stderr


def test_batch_and_fuzz_name_each_others_files(tmp_path: Path) -> None:
    suite_of(tmp_path, AUTO, CORNER, SWITCH)
    theirs = str(made_by(tmp_path, "fuzz"))
    done = run("batch", str(tmp_path / "puzzles.jsonl"), "-o", theirs, "--resume")
    assert done.exit_code == 2
    assert "written by `nonosat fuzz`" in done.stderr
    Path(theirs).unlink()
    with pytest.raises(nonosat.FormatError, match="this is written by `nonosat batch`; expected"):
        fuzzed(str(made_by(tmp_path, "batch")))
    for kind in ("chunk", "failure"):
        assert foreign({"kind": kind}, FUZZ) is None
        assert foreign({"kind": kind}, BENCH) == "written by `nonosat fuzz`"


@pytest.mark.parametrize("data", [b"", b"\xff\n", b"[" * 10**5, b"7\n", b"[]\n", b"{}\n"])
def test_files_of_no_known_command(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "f").write_bytes(data)
    assert foreign_file(tmp_path / "f", BENCH) is None
    assert foreign_file(tmp_path / "none", BENCH) is None
