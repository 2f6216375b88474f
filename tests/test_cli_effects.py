"""No option of any command is read and ignored: each changes the command's behaviour."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click
import pytest

from helpers import recorded
from helpers.benches import AUTO, CORNER, suite_of
from helpers.commands import UNIQUE, put, run
from helpers.effects import LINES
from helpers.fuzzing import only_print
from helpers.images import plain_text
from helpers.photos import read_instead, read_page_instead
from test_cli_each import ALL
from test_cli_writing import WRITERS

__all__ = ["put"]  # a fixture

# Open after propagation and probing, so that engines have work to do.
OPEN = {"id": "open", "rows": [[1], [1], [1], [1]], "columns": [[1], [1], [1], [1]]}
TESTED_ELSEWHERE = {"--help", "--quiet", "--force"} | {
    name.split()[-1] for name in WRITERS if name.split()[-1].startswith("--")
}


def reported_instead(source: str | None, *, report: Any, **options: Any) -> None:
    """Print the arguments instead of starting a studio, which would serve without end."""
    report(f"{source} {options}")


@pytest.fixture
def things(put: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Create the files that the lines name."""
    suite_of(tmp_path, AUTO, CORNER)
    put({**OPEN, "goal": "1000010000100001"}, name="p.jsonl")
    put(UNIQUE, name="u.jsonl")
    put({"rows": [[1], [1]], "columns": [[2], [1]]}, name="bad.jsonl")
    files = {
        "answer": "s UNSATISFIABLE\n",
        "given": "#?\n??\n",
        "marks": "#???\n????\n????\n????\n",
        "square": "1 4\n",
        "holes": "1,1\n",
        "s.json": "{}",
        "p.pgm": plain_text(),
    }
    for name, text in files.items():
        Path(name).write_text(text)
    runs = [recorded.one("order", f"a#{n}", 1.0 + n, cpu_s=1.0 + n) for n in range(40)]
    recorded.write(tmp_path / "r.jsonl", runs)
    slower = [recorded.one("order", f"a#{n}", 1.0 + n, cpu_s=3.0 + 3 * n) for n in range(40)]
    recorded.write(tmp_path / "slower.jsonl", slower)
    only_print(monkeypatch)
    monkeypatch.setattr("nonosat.cli.study.experiments.run", lambda _, quick, tell: [quick])
    monkeypatch.setattr("nonosat.cli.study.markdown", lambda found: f"{found}\n")
    monkeypatch.setattr("nonosat.cli.read.read_photo", read_instead)
    monkeypatch.setattr("nonosat.cli.read.read_page", read_page_instead)
    monkeypatch.setattr("nonosat.cli.studio.run", reported_instead)
    assert run("prove", "u.jsonl", "-o", "certificate").exit_code == 0


def outcome(words: str, line: str, options: str, number: int) -> tuple[int, str]:
    """Status, output and written files, without seconds."""
    new = f"new-{number}"
    before = {*Path().iterdir()} - {Path("study.md")}
    done = run(*f"{words} {line.format(new=new)} {options}".split())
    paths = [path for path in sorted({*Path().iterdir()} - before) if path.is_file()]
    text = done.output + "".join(path.read_text(errors="replace") for path in paths)
    for pattern in (r"\d+\.\d+ s", r'(?<=_s":)[^,}]+', r'(?<="seconds": )[^,}]+', r"20\d\d-\S+"):
        text = re.sub(pattern, "T", text)
    return done.exit_code, text.replace(new, "new")


def options_of(command: click.Command) -> set[str]:
    options = (param for param in command.params if isinstance(param, click.Option))
    return {option.opts[-1] for option in options} - TESTED_ELSEWHERE


COMMANDS = {" ".join(words): one for words, one in ALL.items() if not isinstance(one, click.Group)}


@pytest.mark.parametrize("words", COMMANDS)
def test_every_option_is_here(words: str) -> None:
    assert options_of(COMMANDS[words]) == LINES[words][1].keys() - TESTED_ELSEWHERE


@pytest.mark.slow
@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("words", COMMANDS)
def test_every_option_has_an_effect(words: str) -> None:
    line, options = LINES[words]
    plain = outcome(words, line, "", 0)
    assert plain[0] != 70
    if not words.startswith(
        ("bench run", "bench encodings", "batch")
    ):  # these record the memory that they took
        assert outcome(words, line, "", 1) == plain
    for number, (option, added) in enumerate(options.items(), start=2):
        is_there = option == "--json" and "--json" in line  # then its absence has an effect
        without = line.replace("--json", "") if is_there else line
        found = outcome(words, without, "" if is_there else added, number)
        assert found != plain, f"{words} {added}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("check u.jsonl --force-jobs", "--force-jobs allows more --jobs than"),
        ("check u.jsonl --journal x", "journal is for cubes"),
        ("check u.jsonl --cubes 2 --resume", "resume is for a journal of cubes"),
        ("check u.jsonl --deterministic", "deterministic is for jobs without cubes"),
        ("count u.jsonl --force-jobs", "--force-jobs allows more --jobs than"),
        ("check u.jsonl --backend cadical195 --jobs 1", "these have several: auto, learn,"),
        ("batch u.jsonl -o new --force-jobs", "--force-jobs allows more --jobs than"),
        ("explain u.jsonl --steps --json", "--steps is for people"),
        ("explain u.jsonl --at 1", "--at is for --svg OUT.svg"),
        ("queens 6 --as board --json", "--as is for people"),
        ("knight 3 4 --as matrix --json", "--as is for people"),
        ("studio --force", "--force is for --static DIR and --player DIR"),
        ("studio --static site u.jsonl", "--static takes no puzzle; leave FILE out"),
        ("studio --static site --player package", "--static and --player write two folders"),
        ("studio --player package u.jsonl", "--player takes no puzzle; leave FILE out"),
        ("studio --static site --no-browser", "serves nothing; leave --no-browser out"),
        ("studio --static site --port 9000 --memory-limit 1G", "leave --port and --memory-limit"),
    ],
)
@pytest.mark.usefixtures("things")
def test_options_that_would_be_ignored_are_refused(line: str, told: str) -> None:
    done = run(*line.split())
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in done.stderr
