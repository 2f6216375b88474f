"""Journal of results: its content after its writer ended in any way."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.drawing import examples
from nonosat.core.errors import FormatError, UnsupportedError, counted
from nonosat.processes import journal
from nonosat.processes.journal import Journal

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
finite = scalars.filter(lambda value: value not in (float("inf"), float("-inf")))
values = st.dictionaries(st.text(), finite | st.lists(finite, max_size=3), max_size=4)
records = values.map(lambda one: {"kind": "result"} | one | {"kind": "result"})


@pytest.mark.slow
@examples(20)
@given(batches=st.lists(st.lists(records, max_size=4), max_size=4), data=st.data())
def test_a_file_cut_anywhere_keeps_its_whole_lines_and_goes_on(tmp_path_factory, batches, data):
    path = tmp_path_factory.mktemp("journal") / "r.jsonl"
    written = []
    for batch in batches:
        with Journal(path) as writer:
            writer.append(batch)
            written += batch
    content = path.read_bytes() if batches else b""
    assert [json.loads(line) for line in content.splitlines()] == written
    cut = data.draw(st.integers(0, len(content)))
    path.write_bytes(content[:cut])
    left = written[: content[:cut].count(b"\n")]
    is_torn = content[:cut] != b"" and not content[:cut].endswith(b"\n")
    assert list(journal.read(path)) == left
    with Journal(path) as writer:
        assert bool(writer.note) == is_torn
        assert writer.is_new == (not left)
        assert list(journal.read(path)) == left
        writer.append([{"after": 1}])
    assert list(journal.read(path)) == [*left, {"after": 1}]


def test_an_incomplete_line_longer_than_a_chunk_is_cut_off(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'{"a":1}\n{"kind":"' + b"x" * (3 * 2**16 + 8))
    with Journal(path) as writer:
        assert "196625 bytes" in writer.note
    assert path.read_bytes() == b'{"a":1}\n'
    path.write_bytes(b'{"kind":"' + b"y" * 2**17)
    with Journal(path) as writer:
        assert writer.is_new
    assert path.read_bytes() == b""


@pytest.mark.parametrize(
    "torn", [b"{", b'{"kin', b'{"kind":"ru', b"\0" * 5000, b'{"k\0\0\0\0\0\0\0']
)
def test_the_rest_of_a_line_after_a_power_cut_is_cut_off(tmp_path, torn):
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'{"kind":"header"}\n' + torn)
    with Journal(path) as writer:
        assert counted(len(torn), "byte") + " cut off" in writer.note
    assert path.read_bytes() == b'{"kind":"header"}\n'


@pytest.mark.parametrize(
    "text", [b'{"rows":[[1]],"columns":[[1]]}', b"some\nnotes", b"7", b'{"kind":7}', b"\0\0{"]
)
def test_a_file_of_another_program_is_left_unchanged(tmp_path, text):
    """If a name after -o is mistyped, a puzzle of one line must not be taken for an incomplete
    record.
    """
    path = tmp_path / "r.jsonl"
    path.write_bytes(text)
    with pytest.raises(FormatError, match="does not end with a record"), Journal(path):
        pass
    assert path.read_bytes() == text


def test_a_second_writer_is_refused_until_the_first_has_ended(tmp_path):
    path = tmp_path / "r.jsonl"
    script = f"""
from nonosat.processes.journal import Journal
with Journal({str(path)!r}) as writer:
    writer.append([{{"first": True}}])
    print("ready", flush=True)
    input()
"""
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout.readline() == "ready\n"
        with pytest.raises(UnsupportedError, match="another process"), Journal(path):
            pass
        process.kill()
        process.wait()
    with Journal(path) as writer:
        writer.append([{"second": True}])
    assert list(journal.read(path)) == [{"first": True}, {"second": True}]


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "r.jsonl"
    write = os.write
    calls = []

    def full(fd, data):
        calls.append(len(data))
        if len(calls) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(fd, data[:5])

    with Journal(path) as writer:
        writer.append([{"kept": 1}])
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(OSError, match="No space") as caught:
            writer.append([{"lost": 2}, {"lost": 3}])
        assert caught.value.filename == str(path)
        monkeypatch.undo()
        assert path.read_bytes() == b'{"kept":1}\n'
        writer.append([{"kept": 4}])
    assert list(journal.read(path)) == [{"kept": 1}, {"kept": 4}]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b'{"a":', "not JSON"),
        (b"[1, 2]", "a JSON object"),
        (b"", "not JSON"),
        (b"\xff\xfe{}", "not JSON"),
        (b"[" * 100_000, "not JSON"),
    ],
)
def test_a_bad_line_in_the_middle_is_named(tmp_path, line, problem):
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'{"a":1}\n' + line + b'\n{"b":2}\n')
    reading = journal.read(path)
    assert next(reading) == {"a": 1}
    with pytest.raises(FormatError, match=problem) as caught:
        next(reading)
    assert (caught.value.path, caught.value.line) == (str(path), 2)


def test_json_that_is_not_strict_is_refused_and_not_written(tmp_path):
    path = tmp_path / "r.jsonl"
    with Journal(path) as writer, pytest.raises(ValueError, match="JSON compliant"):
        writer.append([{"fine": 1}, {"ratio": float("nan")}])
    assert path.read_bytes() == b""


@pytest.mark.parametrize("name", ["/dev/full", "/dev/null", "pipe"])
def test_devices_that_keep_nothing_are_refused(tmp_path: Path, name: str) -> None:
    """A device that never ends would be read without end."""
    os.mkfifo(tmp_path / "pipe")
    with (
        pytest.raises(UnsupportedError, match="keeps nothing; choose another one"),
        Journal(tmp_path / name),
    ):
        pass
