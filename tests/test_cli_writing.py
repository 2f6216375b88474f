"""Options that name a file to write: --force, "-" and pipes."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import click
import pytest

from helpers import recorded
from helpers.benches import AUTO, CORNER, suite_of
from helpers.commands import MULTIPLE, UNIQUE, UNSOLVABLE, put, run
from helpers.fuzzing import only_print
from helpers.images import plain_text
from helpers.photos import read_instead
from helpers.processes import PATIENCE_S
from nonosat.cli import main

__all__ = ["put"]  # a fixture


class Writer(NamedTuple):
    """Command line that lacks only the name of the file that it writes.

    Args:
        line: Its words.
        name: A valid name.
        takes: The alternatives "-", "pipe" that it accepts.
    """

    line: str
    name: str
    takes: str = "- pipe"


WRITERS = {
    "backbone --svg": Writer("backbone p.jsonl --svg", "a.svg"),
    "batch --output": Writer("batch p.jsonl -o", "a.jsonl", ""),
    "beliefs --svg": Writer("beliefs p.jsonl --svg", "a.svg"),
    "bench encodings --output": Writer(
        "bench encodings p.jsonl --encoding order --results new.jsonl -o", "a.csv", "pipe"
    ),
    "bench encodings --proofs": Writer(
        "bench encodings p.jsonl --encoding order --results new.jsonl -o new.csv --proofs",
        "a.md",
        "pipe",
    ),
    "bench encodings --results": Writer(
        "bench encodings p.jsonl --encoding order -o new.csv --results", "a.jsonl", ""
    ),
    "bench report --output": Writer("bench report r.jsonl --csv -o", "a.csv"),
    "bench run --output": Writer("bench run suite.toml -o", "a.jsonl", ""),
    "bench run --report": Writer("bench run suite.toml -o new.jsonl --report", "a.csv", "pipe"),
    "check --cover": Writer("check p.jsonl --cubes 2 --cover", "a.jsonl"),
    "check --svg": Writer("check p.jsonl --svg", "a.svg"),
    "convert OUT": Writer("convert p.jsonl --to non", "a.non"),
    "decode --svg": Writer("decode p.jsonl answer --svg", "a.svg"),
    "diff --svg": Writer("diff p.jsonl p.jsonl --svg", "a.svg"),
    "encode --model": Writer("encode p.jsonl -o new.dzn --model", "a.mzn", "pipe"),
    "encode --output": Writer("encode p.jsonl -o", "a.cnf", "-"),
    "explain --html": Writer("explain p.jsonl --html", "a.html"),
    "explain --svg": Writer("explain p.jsonl --svg", "a.svg"),
    "fuzz --output": Writer("fuzz -o", "a.jsonl", ""),
    "generate image --output": Writer("generate image p.pgm --columns 4 -o", "a.txt"),
    "generate nonogram --output": Writer("generate nonogram 3 3 -o", "a.jsonl"),
    "generate pattern --output": Writer("generate pattern rose --size 9 -o", "a.txt"),
    "generate slitherlink --output": Writer("generate slitherlink 3 3 -o", "a.slitherlink"),
    "generate structured --output": Writer("generate structured dominoes 3 -o", "a.jsonl"),
    "generate tournament --output": Writer(
        "generate tournament --count 2 --to tournament -o", "a.txt"
    ),
    "generate triddler --output": Writer("generate triddler 2 -o", "a.jsonl"),
    "hint --svg": Writer("hint p.jsonl --svg", "a.svg"),
    "knight --svg": Writer("knight 5 5 --svg", "a.svg"),
    "prove --output": Writer("prove p.jsonl -o", "folder", ""),
    "queens --svg": Writer("queens 4 --svg", "a.svg"),
    "read --output": Writer("read p.pgm -o", "a.jsonl"),
    "read --svg": Writer("read p.pgm --svg", "a.svg"),
    "render --output": Writer("render p.jsonl -o", "a.svg"),
    "show --svg": Writer("show p.jsonl --svg", "a.svg"),
    "solve --cover": Writer("solve p.jsonl --cubes 2 --cover", "a.jsonl"),
    "solve --svg": Writer("solve p.jsonl --svg", "a.svg"),
    "study report --output": Writer("study report s.json -o", "a.md", "pipe"),
    "study run --output": Writer("study run --quick p.jsonl -o", "a.md", "pipe"),
    "repair --output": Writer("repair p.jsonl -o", "a.jsonl"),
    "repair --svg": Writer("repair p.jsonl --svg", "a.svg"),
    "why-multiple --svg": Writer("why-multiple p.jsonl --svg", "a.svg"),
}
FILES = {name: one for name, one in WRITERS.items() if name != "prove --output"}


@pytest.fixture
def things(put: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Create the files that the command lines name; the numbers of a study are replaced."""
    put(UNIQUE, name="p.jsonl")
    recorded.write(tmp_path / "r.jsonl", [recorded.one("order")])
    suite_of(tmp_path, AUTO, CORNER)
    (tmp_path / "answer").write_text("s SATISFIABLE\nv 1 2 3 -4 0\n")
    (tmp_path / "s.json").write_text("{}")
    (tmp_path / "p.pgm").write_text(plain_text())
    only_print(monkeypatch)
    monkeypatch.setattr("nonosat.cli.study.experiments.run", lambda *_: {})
    monkeypatch.setattr("nonosat.cli.study.markdown", lambda _: "numbers\n")
    monkeypatch.setattr("nonosat.cli.read.read_photo", read_instead)


def written(group: click.Group, words: str = "") -> Iterator[str]:
    """Parameters that name something to write, by their metavars."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from written(command, f"{words}{name} ")
            continue
        for param in command.params:
            is_output = bool({"--output", "--results"} & {*param.opts})
            is_output |= str(param.metavar).startswith("OUT")
            if is_output:
                shown = param.opts[-1] if isinstance(param, click.Option) else param.metavar
                yield f"{words}{name} {shown}"


def test_all_of_them_are_here() -> None:
    assert sorted(written(main)) == sorted(WRITERS)


@pytest.mark.thorough
@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("writer", FILES.values(), ids=FILES)
def test_existing_files_are_replaced_only_with_force(writer: Writer) -> None:
    Path(writer.name).write_text("mine")
    before = sorted(Path().iterdir())
    done = run(*writer.line.split(), writer.name)
    assert done.exit_code == 2
    assert "--force" in done.stderr
    assert done.stdout == ""
    assert Path(writer.name).read_text() == "mine"
    assert {*Path().iterdir()} - {*before} <= {Path("new.jsonl")}
    done = run(*writer.line.split(), writer.name, "--force")
    assert done.exit_code == 0, done.stderr
    assert Path(writer.name).read_text() != "mine"


@pytest.mark.usefixtures("things")
def test_a_certificate_is_replaced_with_force_and_nothing_else_is() -> None:
    assert run("prove", "p.jsonl", "-o", "folder").exit_code == 0
    Path("folder", "proof.drat").write_text("broken")
    assert run("prove", "p.jsonl", "-o", "folder").exit_code == 2
    assert Path("folder", "proof.drat").read_text() == "broken"
    assert run("prove", "p.jsonl", "-o", "folder", "--force").exit_code == 0
    assert run("verify", "folder").exit_code == 0
    Path("folder", "letter").write_text("mine")
    done = run("prove", "p.jsonl", "-o", "folder", "--force")
    assert done.exit_code == 2
    assert "folder holds letter" in done.stderr
    assert Path("folder", "letter").read_text() == "mine"


@pytest.mark.thorough
@pytest.mark.usefixtures("things")
@pytest.mark.parametrize(
    "line", ["batch p.jsonl -o a.jsonl", "bench run suite.toml -o a.jsonl", "fuzz -o a.jsonl"]
)
def test_resuming_does_not_replace(line: str) -> None:
    assert run(*line.split()).exit_code == 0
    before = Path("a.jsonl").read_text()
    done = run(*line.split(), "--resume", "--force")
    assert (done.exit_code, Path("a.jsonl").read_text()) == (2, before)
    assert "--resume and --force" in done.stderr
    assert run(*line.split(), "--resume").exit_code == 0
    assert Path("a.jsonl").read_text() == before
    assert run(*line.split(), "--force").exit_code == 0
    assert json.loads(Path("a.jsonl").read_text().splitlines()[0])["session"] == 1


@pytest.mark.usefixtures("things")
def test_a_report_goes_on_with_its_results() -> None:
    line = ["bench", "run", "suite.toml", "-o", "a.jsonl", "--report", "a.csv"]
    assert run(*line).exit_code == 0
    Path("a.csv").write_text("old")
    assert run(*line, "--resume").exit_code == 0
    assert Path("a.csv").read_text() != "old"


@pytest.mark.slow
@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("name", [name for name, one in WRITERS.items() if "pipe" in one.takes])
def test_a_pipe_is_written_to_as_it_is(name: str) -> None:
    writer = WRITERS[name]
    os.mkfifo(writer.name)
    read: list[bytes] = []
    reader = Thread(target=lambda: read.append(Path(writer.name).read_bytes()), daemon=True)
    reader.start()
    done = run(*writer.line.split(), writer.name)
    reader.join(PATIENCE_S)
    assert done.exit_code == 0, done.stderr
    assert Path(writer.name).is_fifo()
    assert read
    assert read[0] or "--cover" in name  # of a puzzle that needed no cubes


@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("name", [name for name, one in WRITERS.items() if "-" in one.takes])
def test_standard_output_gets_the_file_and_nothing_else(name: str) -> None:
    writer = WRITERS[name]
    to_file = run(*writer.line.split(), writer.name)
    to_stdout = run(*writer.line.split(), "-")
    assert (to_file.exit_code, to_stdout.exit_code) == (0, 0), to_stdout.stderr
    clocks = re.compile(r"\d+\.\d+(e-\d+)?")
    expected = Path(writer.name).read_text(), to_file.stdout
    if name.startswith("bench report"):
        expected = Path(writer.name).read_text(), ""
    assert clocks.sub("T", to_stdout.stdout) == clocks.sub("T", expected[0])
    assert clocks.sub("T", expected[1]) in clocks.sub("T", to_stdout.stderr)


@pytest.mark.usefixtures("things")
@pytest.mark.parametrize(
    "line", ["study run -o -", "bench report r.jsonl -o -", "bench run suite.toml -o b --report -"]
)
def test_standard_output_has_no_suffix(line: str) -> None:
    done = run(*line.split())
    assert done.exit_code == 2
    assert "- has no suffix" in done.stderr


@pytest.mark.usefixtures("things")
def test_standard_output_is_one_file() -> None:
    done = run(*["check", "p.jsonl", "--cubes", "2", "--cover", "-", "--svg", "-"])
    assert done.exit_code == 2
    assert "standard output is written only once" in done.stderr


SUFFIXED = {name: one for name, one in FILES.items() if "--svg" in name or "--html" in name}
SUFFIXED |= {name: FILES[name] for name in ("encode --output", "generate slitherlink --output")}


@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("writer", SUFFIXED.values(), ids=SUFFIXED)
def test_invalid_targets_are_refused_at_once(writer: Writer) -> None:
    line, name = writer.line.split(), writer.name
    suffix = Path(name).suffix
    folder = Path(f"folder{suffix}")
    folder.mkdir()
    before = sorted(Path().iterdir())
    for target, told in (
        ("page.pdf", suffix),
        (str(folder), f"{folder} is a folder; name a file in it"),
        (f"nowhere/{name}", f"nowhere/{name}: there is no folder nowhere; make it first"),
    ):
        done = run(*line, target)
        assert done.exit_code == 2
        assert told in done.stderr
        assert done.stdout == ""
        assert sorted(Path().iterdir()) == before
    assert run(*line, name.upper()).exit_code == 0
    assert Path(name.upper()).read_text()


# Pictures


PICTURES = [one.line for name, one in WRITERS.items() if name.endswith("--svg")]
OF_ONE = [line for line in PICTURES if "p.jsonl" in line]
OF_MANY = [line for line in OF_ONE if line.split()[0] not in ("decode", "diff", "explain", "hint")]


@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("line", PICTURES)
def test_pictures_are_documents(line: str) -> None:
    from xml.etree import ElementTree

    done = run(*line.split(), "a.svg")
    assert done.exit_code == 0
    assert ElementTree.parse("a.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("line", OF_MANY)
def test_a_picture_is_of_one_puzzle(put: Any, line: str) -> None:
    put(UNIQUE, MULTIPLE, name="p.jsonl")
    done = run(*line.split(), "a.svg")
    assert done.exit_code == 2
    assert "--svg takes one puzzle, FILE has 2 puzzles; pick one: FILE#ID" in done.stderr
    assert not Path("a.svg").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("line", OF_ONE)
@pytest.mark.parametrize("puzzle", [MULTIPLE, UNSOLVABLE], ids=lambda puzzle: puzzle["id"])
def test_a_picture_is_drawn_for_every_verdict(put: Any, line: str, puzzle: dict[str, Any]) -> None:
    put(puzzle, name="p.jsonl")
    answers = {"switch": "s SATISFIABLE\nv 1 -2 -3 4 0\n", "crowded": "s UNSATISFIABLE\n"}
    Path("answer").write_text(answers[puzzle["id"]])
    assert run(*line.split(), "a.svg").exit_code in (0, 3, 4)
    drawn = Path("a.svg").read_text()
    if line.split()[0] in ("check", "backbone"):
        assert ("#e10082" in drawn) == (puzzle is MULTIPLE)  # the mark of cells that differ


def test_a_hint_marks_the_cells_of_the_step(put: Any) -> None:
    path = put({"rows": [[3], [1]], "columns": [[2], [1], [1]]})
    assert run("hint", path, "--svg", "a.svg").exit_code == 0
    assert "#e10082" in Path("a.svg").read_text()
    Path("given").write_text("...\n...\n")
    assert run("hint", path, "--given", "given", "--svg", "b.svg").exit_code == 1
    assert "#c62828" in Path("b.svg").read_text()  # marks that are wrong
