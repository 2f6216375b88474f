"""Output without a reader: status 141 and no message, for every command and every "-"."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from helpers.commands import put, run
from nonosat.cli import CLOSED_PIPE, main
from test_cli_writing import WRITERS, things

__all__ = ["put", "things"]  # fixtures

LINES = {
    "backbone": "backbone p.jsonl",
    "batch": "batch p.jsonl -o results --jobs 1",
    "beliefs": "beliefs p.jsonl",
    "bench compare": "bench compare r.jsonl r.jsonl",
    "bench encodings": "bench encodings p.jsonl --encoding order -o new.csv",
    "bench report": "bench report r.jsonl --csv -o -",
    "bench run": "bench run suite.toml -o new.jsonl",
    "check": "check p.jsonl",
    "convert": "convert p.jsonl - --to non",
    "count": "count p.jsonl",
    "decode": "decode p.jsonl answer",
    "diff": "diff p.jsonl p.jsonl",
    "encode": "encode p.jsonl -o -",
    "explain": "explain p.jsonl",
    "fuzz": "fuzz -o fuzzed.jsonl",
    "generate image": "generate image p.pgm --columns 4 -o -",
    "generate nonogram": "generate nonogram 3 3 -o -",
    "generate pattern": "generate pattern rose --size 9 -o -",
    "generate slitherlink": "generate slitherlink 3 3 -o -",
    "generate structured": "generate structured dominoes 3 -o -",
    "generate tournament": "generate tournament --count 2 -o -",
    "generate triddler": "generate triddler 2 -o -",
    "hint": "hint p.jsonl",
    "knight": "knight 5 5",
    "list": "list families",
    "prove": "prove p.jsonl -o proof",
    "queens": "queens 6",
    "rate": "rate p.jsonl",
    "read": "read p.pgm",
    "render": "render p.jsonl -o -",
    "repair": "repair p.jsonl",
    "sample": "sample p.jsonl",
    "show": "show p.jsonl",
    "solve": "solve p.jsonl",
    "studio": "studio --no-browser",
    "verify": "verify certificate",
    "why-multiple": "why-multiple p.jsonl",
}
SILENT = ("study report", "study run")  # they write a file, and name it on standard error
DASHED = {name: f"{one.line} -" for name, one in WRITERS.items() if "-" in one.takes}
HARD = f"{Path(__file__).parent.parent}/instances/hard.jsonl#steps-4 --presolve none"
DASHED["check --cover"] = f"check {HARD} --cubes 2 --jobs 1 --cover -"
del DASHED["solve --cover"]  # the same
JSON = (
    "solve",
    "check",
    "count",
    "backbone",
    "beliefs",
    "rate",
    "explain",
    "fuzz",
    "repair",
    "sample",
)
ALL = {**LINES, **DASHED, **{f"{name} --json": f"{LINES[name]} --json" for name in JSON}}


def leaves(group: click.Group, words: str = "") -> Iterator[str]:
    """Names of all commands."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from leaves(command, f"{words}{name} ")
        else:
            yield f"{words}{name}"


def test_every_command_is_here() -> None:
    assert sorted({*LINES, *SILENT}) == sorted(leaves(main))


@pytest.mark.thorough
@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("line", ALL.values(), ids=ALL)
def test_a_closed_pipe_ends_it_in_silence(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if "certificate" in line:
        assert run("prove", "p.jsonl", "-o", "certificate").exit_code == 0
    read, write = os.pipe()
    os.close(read)
    stdout, stderr = io.TextIOWrapper(os.fdopen(write, "wb"), encoding="utf-8"), io.StringIO()
    monkeypatch.setattr(sys, "stdout", stdout)
    monkeypatch.setattr(sys, "stderr", stderr)
    with pytest.raises(SystemExit) as end:
        main(line.split(), prog_name="nonosat")
    stdout.close()  # as Python does at exit, which would print "Exception ignored"
    # If the file goes to standard output, messages go to standard error.
    told = stderr.getvalue() if not line.endswith(" -") else ""
    assert (end.value.code, told) == (CLOSED_PIPE, "")
    assert "nonosat: " not in stderr.getvalue()
    assert not list(Path().glob(".*"))
