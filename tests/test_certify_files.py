"""Certificates from untrusted sources, and the commands `prove` and `verify`."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from helpers.commands import (
    COLOURED,
    INVALID,
    MULTIPLE,
    UNIQUE,
    UNSOLVABLE,
    is_read,
    put,
    run,
    whole,
)
from helpers.full import full_after
from helpers.processes import begun
from helpers.proofs import refutes
from nonosat import formats
from nonosat.certify import folder
from nonosat.certify.prove import ENGINE, prove
from nonosat.certify.verify import verify
from nonosat.core import plugins
from nonosat.core.errors import CertificateError, UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.puzzles.nonogram.data import mono

__all__ = ["put"]  # a fixture

INSTANCES = Path(__file__).parent.parent / "instances"


# Untrusted files


@pytest.fixture
def cat(tmp_path: Path) -> Path:
    prove(formats.load(f"{INSTANCES / 'pictures.jsonl'}#cat")).write(tmp_path / "cat")
    return tmp_path / "cat"


def refused(target: Path, why: str) -> None:
    with pytest.raises(CertificateError, match=why):
        verify(target)


def test_a_changed_byte_is_found(cat: Path) -> None:
    for name in folder.FILES["unique"]["clauses"]:
        data = (cat / name).read_bytes()
        changed = bytearray(data)
        changed[len(data) // 2] ^= 1
        (cat / name).write_bytes(changed)
        refused(cat, f"^{name}: its SHA-256 is not the one in the manifest$")
        (cat / name).write_bytes(data + b" ")
        refused(cat, f"^{name}: {len(data) + 1} bytes, expected at most {len(data)}$")
        (cat / name).write_bytes(data[:-1])
        refused(cat, f"^{name}: {len(data) - 1} bytes, the manifest states {len(data)}$")
        (cat / name).write_bytes(data)
    verify(cat)


def test_invalid_files(cat: Path, tmp_path: Path) -> None:
    target = cat / folder.DRAT
    target.rename(tmp_path / "elsewhere")
    refused(cat, "^proof.drat: No such file or directory$")
    target.symlink_to(tmp_path / "elsewhere")
    refused(cat, "^proof.drat: Too many levels of symbolic links$")
    target.unlink()
    target.mkdir()
    refused(cat, "^proof.drat: this is not an ordinary file$")
    target.rmdir()
    os.mkfifo(target)
    refused(cat, "^proof.drat: this is not an ordinary file$")
    refused(tmp_path / "nowhere", "^manifest.json: No such file or directory$")
    refused(tmp_path / "elsewhere", "^manifest.json: Not a directory$")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"certificate": 2}, "no 'certificate' of version 1"),
        ({"claim": "true"}, "the claim is none of unique, unsolvable, multiple"),
        ({"claim": ["unique"]}, "the claim is none of"),
        ({"claim": "unsolvable"}, "files other than puzzle.json, formula.cnf"),
        ({"files": {"../../etc/passwd": {}}}, "files other than"),
        (
            {"files": dict.fromkeys(folder.FILES["unique"]["clauses"], 1)},
            "no size and SHA-256 of puzzle.json",
        ),
        ({"certificate": 4}, "no 'certificate' of version 1 to 3"),
        ({"certificate": 1.0}, "no 'certificate' of version 1 to 3"),
        ({"certificate": True}, "no 'certificate' of version 1 to 3"),
        (None, "this is not JSON"),
        ([], "no 'certificate' of version 1"),
    ],
)
def test_invalid_manifests(cat: Path, change: Any, why: str) -> None:
    path = cat / folder.MANIFEST
    text = json.loads(path.read_text()) | change if isinstance(change, dict) else change
    path.write_text("{" if change is None else json.dumps(text))
    refused(cat, f"^manifest.json: {why}")
    path.write_bytes(b"[" * 2**15)
    refused(cat, "^manifest.json: this is not JSON")
    path.write_bytes(b" " * 2**17)
    refused(cat, "^manifest.json: 131072 bytes, expected at most 65536$")
    path.write_bytes(b'{"files": "\xff"}')
    refused(cat, "^manifest.json: this is not UTF-8 text")
    path.write_text('{"claim": "unique", "certificate": 1, "claim": "multiple"}')
    refused(cat, "^manifest.json: the key 'claim' is there twice, expected once")
    path.write_text('{"certificate": 1}', encoding="utf-16")
    refused(cat, "^manifest.json: this is UTF-16 text, expected UTF-8")


def rewritten(target: Path, claim: str, **changes: bytes) -> None:
    """Put other content into files of a certificate, with a matching manifest."""
    files = {
        name: changes.get(name.partition(".")[0]) or (target / name).read_bytes()
        for name in folder.FILES[claim]["clauses"]
    }
    for name, data in files.items():
        (target / name).write_bytes(data)
    (target / folder.MANIFEST).write_bytes(folder.manifest(claim, files, {}))


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        (folder.PUZZLE, b"[]", "0 puzzles, expected one"),
        (folder.PUZZLE, b'{"rows": [[1]], "columns": 3}', "1: columns is 3"),
        (folder.PUZZLE, b"\xff\xfe", "puzzle.json"),
        (folder.SOLUTION, b"\n", "the picture is not 20 rows x 20 columns"),
        (folder.SOLUTION, b"\xff", "this is not UTF-8 text"),
        (folder.SOLUTION, (b"!" * 20 + b"\n") * 20, "the character '!' is not a colour"),
        (folder.SOLUTION, (b"." * 20 + b"\n") * 20, "this is not a solution: row "),
        (
            folder.SOLUTION,
            (b"b" * 20 + b"\n") * 20,
            "this is not a solution: the picture has colour 3 in row 1, column 1, expected 0 to 1",
        ),
        (folder.PUZZLE, '{"rows": [[1]], "columns": [[1]]}'.encode("utf-16"), "this is UTF-16"),
        (folder.FORMULA, b"p cnf 1000 1\n1 0\n", "the clauses of row 1 are not those"),
        (
            folder.FORMULA,
            b"p cnf 1 1\n1 0\n",
            "1 variable, the rules alone need 400",
        ),
        (folder.FORMULA, b"1 0", "line 1: expected the header 'p cnf'"),
        (folder.DRAT, b"1 x", "line 1: expected a number"),
        (folder.LRAT, b"1 0 1 0", "line 1: the line is numbered 1"),
    ],
)
def test_invalid_contents(cat: Path, name: str, data: bytes, why: str) -> None:
    rewritten(cat, "unique", **{name.partition(".")[0]: data})
    refused(cat, why)


def test_a_puzzle_may_not_need_more_than_its_formula_holds(cat: Path) -> None:
    """The clauses of these clues would take gigabytes."""
    clue = [1] * 1000
    wide = json.dumps({"rows": [clue], "columns": [[]] * 100_000}).encode()
    rewritten(cat, "unsolvable", puzzle=wide, formula=b"p cnf 1000000000 1\n9 0\n")
    refused(cat, "the clauses of row 1 are not those")


@pytest.mark.parametrize("size", [10**30, 2**50])
def test_a_size_in_the_manifest_allocates_no_memory(cat: Path, size: int) -> None:
    found = json.loads((cat / folder.MANIFEST).read_text())
    found["files"][folder.SOLUTION]["bytes"] = size
    (cat / folder.MANIFEST).write_text(json.dumps(found))
    refused(cat, f"^solution.txt: 420 bytes, the manifest states {size}$")


def large_board() -> dict[str, Any]:
    """Board with more variables for its cells than 32 bits distinguish."""
    colours = {f"c{index}": f"#{index:06x}" for index in range(200)}
    return {
        "rows": [[]] * 4000,
        "columns": [[]] * 4000,
        "colors": colours,
        "given": [[0, 0, "c199"]],
    }


def test_variables_beyond_32_bits_are_refused(tmp_path: Path) -> None:
    files = {
        folder.PUZZLE: json.dumps(large_board()).encode(),
        folder.FORMULA: b"p cnf 1 1000\n" + b"1 0\n" * 1000,
        folder.DRAT: b"",
        folder.LRAT: b"",
    }
    folder.write(tmp_path / "large", "unsolvable", files, {})
    refused(tmp_path / "large", "has 1 variable, the rules alone need 3200000000$")


def test_a_board_with_too_many_variables_is_reported(put: Any) -> None:
    put(large_board())
    for command in (["prove", "-o", "new"], ["encode", "-o", "new.cnf"]):
        done = run(*command, "puzzles.jsonl")
        assert done.exit_code == 2
        assert "3,200,000,000 variables or more, expected at most 1,073,741,822" in done.stderr
    assert [path.name for path in Path().iterdir()] == ["puzzles.jsonl"]


def test_a_certificate_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, target = prove(mono([[1]], [[1]])), tmp_path / "above" / "new"
    plain = Path.replace
    num_named = 0

    def interrupted(self: Path, path: Path) -> Path:
        nonlocal num_named
        num_named += 1
        if num_named == 3:
            raise KeyboardInterrupt
        return plain(self, path)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", interrupted)
        with pytest.raises(KeyboardInterrupt):
            found.write(target)
    assert list(tmp_path.iterdir()) == []
    found.write(target)
    assert verify(target).claim == "unique"


def test_a_folder_that_cannot_be_written_is_reported_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UnsupportedError, match=r"file cannot be written to; name a folder else"):
        folder.check_target(tmp_path / "file" / "new")
    monkeypatch.setattr("os.access", lambda path, mode: path != tmp_path)
    with pytest.raises(UnsupportedError, match=f"^{tmp_path} cannot be written to"):
        folder.check_target(tmp_path / "new" / "newer")


@pytest.mark.parametrize("engine", ["cpsat", "auto", "portfolio", "minisat22", "nosuch"])
def test_an_engine_without_proofs_is_refused_before_it_is_needed(put: Any, engine: str) -> None:
    done = run("prove", put(UNIQUE), "-o", "new", "--backend", engine)
    assert done.exit_code == 2
    assert f"{engine} writes no proofs; these do: cadical103" in done.stderr
    assert not Path("new").exists()


def test_two_equal_pictures_are_not_multiple(tmp_path: Path) -> None:
    found = prove(mono([[1], [1]], [[1], [1]]))
    found.files[folder.SECOND] = found.files[folder.SOLUTION]
    found.write(tmp_path / "new")
    refused(tmp_path / "new", "^second.txt: the same solution as solution.txt$")


@pytest.mark.parametrize(
    ("columns", "claim"),
    [
        ([[1], [1]], "multiple"),  # no proof has a size
        ([[1], [2]], "unsolvable, 14 clauses, 6 lemmas"),
    ],
)
def test_verified_parts_are_reported_and_drawn(columns: Any, claim: str, tmp_path: Path) -> None:
    puzzle = mono([[1], [1]], columns)
    prove(puzzle, by="clauses").write(tmp_path / "new")
    verified = verify(tmp_path / "new")
    assert str(verified) == f"nonogram: 2 rows x 2 columns: {claim}"
    scene = verified.scene()
    assert (scene.puzzle, scene.solution, scene.caption) == (puzzle, None, verified.in_a_line())


# The commands


def test_the_help_names_the_engine() -> None:
    assert f"[default: {ENGINE}]" in " ".join(run("prove", "--help").stdout.split())


def test_the_commands(put: Any) -> None:
    path = put(UNIQUE, MULTIPLE, UNSOLVABLE, COLOURED)
    said = {"corner": "exactly one", "switch": "at least two", "crowded": "no", "flag": "exactly"}
    for name, words in said.items():
        done = run("prove", f"{path}#{name}", "-o", f"out/{name}")
        assert done.exit_code == 0, done.output
        assert done.stdout.startswith(f"{name}: ")
        done = run("verify", f"out/{name}")
        assert done.exit_code == 0
        assert done.stdout.startswith(f"out/{name}: valid: {words}")
    done = run("verify", *(f"out/{name}" for name in said))
    assert (done.exit_code, len(done.stdout.splitlines())) == (0, 4)


def test_mistakes_on_the_command_line(put: Any) -> None:
    path = put(UNIQUE, MULTIPLE, INVALID)
    Path("full").mkdir()
    Path("full/file").write_text("mine")
    for args, words in (
        (["prove", path, "-o", "new"], "block of length 0"),
        (["prove", put(UNIQUE, MULTIPLE, name="two.jsonl"), "-o", "new"], "holds 2 puzzles"),
        (["prove", f"{path}#corner", "-o", "full"], "full is not empty"),
        (["prove", f"{path}#corner", "-o", path], "is not a folder"),
        (["prove", f"{path}#corner"], "Missing option"),
        (["prove", "nowhere", "-o", "new"], "nowhere: the file cannot be read"),
        (["verify", "full"], "full: manifest.json: No such file"),
        (["verify", "new", "full"], "new: manifest.json: No such file"),
    ):
        done = run(*args)
        assert done.exit_code == 2, args
        assert words in done.stderr, done.stderr
        assert not Path("new").exists()


@pytest.mark.real_time
def test_limits_on_the_command_line(put: Any) -> None:
    path = f"{INSTANCES / 'domino.jsonl'}#domino-12"
    put(UNIQUE)
    words = ("prove", path, "-o", "new", "--by", "clauses", "--time-limit")
    done, limit_s = begun(lambda limit_s: whole(*words, f"{limit_s:g}"), is_read, 0.3)
    assert (done.returncode, done.stderr) == (5, "")
    assert done.stdout == f"domino-12: unknown: time limit of {limit_s:g} s; nothing was written\n"
    assert not Path("new").exists()
    assert run("prove", "puzzles.jsonl", "-o", "new").exit_code == 0
    done = whole("verify", "new", "--time-limit", "1e-9")
    assert (done.returncode, done.stdout) == (5, "new: unknown: time limit of 1e-09 s\n")


@pytest.mark.parametrize(
    "command", [["prove", "-o", "new"], ["encode", "--unique", "-o", "new.cnf"]]
)
def test_a_limit_that_is_spent_before_solving_is_a_limit(put: Any, command: list[str]) -> None:
    done = run(*command, put(MULTIPLE), "--time-limit", "1e-9")
    assert (done.exit_code, "time limit of 1e-09 s" in done.output) == (5, True)


def test_engines_that_write_proofs_are_declared() -> None:
    able = [name for name, one in plugins.names("backends").items() if one.proves]
    assert {"learn", "learn-lines", "glucose421", "cadical195"} <= set(able)
    for name in able:
        plugins.require_proofs(name)
        engine = plugins.find("backends", name).open_engine(name, 1, 0, {"proof": "yes"})
        engine.add([1])
        engine.add([-1])
        assert engine.solve((), Watch(Limits())) is plugins.Answer.UNSAT
        assert refutes([[1], [-1]], engine.proof().decode())
        engine.close()


@pytest.mark.parametrize("is_there", [False, True])
def test_a_full_disk_names_the_file_and_leaves_existing_files(
    tmp_path: Path, put: Any, is_there: bool
) -> None:
    path, target = put(UNIQUE), tmp_path / "c"
    words = ["prove", path, "-o", str(target), "--force"]
    if is_there:
        assert run(*words).exit_code == 0
    before = {path: path.read_bytes() for path in target.glob("*")}
    with full_after(100):
        told = run(*words)
    assert told.exit_code == 2
    assert re.fullmatch(f"nonosat: {target}/[a-z.]+: File too large\n", told.stderr)
    assert {path: path.read_bytes() for path in target.glob("*")} == before
    assert target.exists() == is_there
