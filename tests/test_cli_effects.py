"""No option of any command is read and ignored: each changes what the command does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click
import pytest

from helpers import recorded
from helpers.benches import AUTO, CORNER, suite_of
from helpers.commands import UNIQUE, put, run
from helpers.fuzzing import only_told
from helpers.images import plain_text
from test_cli_each import ALL
from test_cli_writing import WRITERS

__all__ = ["put"]  # a fixture

# Open after propagation and probing, so that engines have something to do.
OPEN = {"id": "open", "rows": [[1], [1], [1], [1]], "columns": [[1], [1], [1], [1]]}
TESTED_ELSEWHERE = {"--help", "--quiet", "--force"} | {
    name.split()[-1] for name in WRITERS if name.split()[-1].startswith("--")
}
LIMITS = {"--time-limit": "--time-limit 0.000001", "--memory-limit": "--memory-limit 1"}
READING = {"--from": "--from nin", "--family": "--family queens"}
EACH = LIMITS | READING | {"--json": "--json"}
JOBS = {"--jobs": "--jobs 9999", "--force-jobs": "--force-jobs"}  # of no number of jobs
PLACES = JOBS | {"--cluster": "--cluster nowhere:x"}
CHOICES = {
    "--backend": "--backend search",
    "--encoding": "--backend minisat22 --encoding line=mdd",
    "--formulation": "--backend cpsat --formulation line=booleans",
    "--presolve": "--presolve none",
    "--redundant": "--backend learn --redundant counts",
    "--hints": "--backend learn --hints none",
}
DECIDING = (
    EACH
    | CHOICES
    | PLACES
    | {
        "--seed": "--seed 3",
        "--cubes": "--cubes 2",
        "--deterministic": "--jobs 1 --deterministic",
        "--journal": "--cubes 2 --journal cubes.journal",
        "--resume": "--cubes 2 --journal resumed.journal --resume",
    }
)
BOARDS = LIMITS | {
    "--backend": "--backend learn",
    "--seed": "--seed 3",
    "--json": "--json",
    "--max-solutions": "--max-solutions 2",
}

# Of each command the line without options, and what to add to it for each of its options.
LINES: dict[str, tuple[str, dict[str, str]]] = {
    "solve": ("--json p.jsonl", DECIDING | {"--max-solutions": "--max-solutions 3"}),
    "check": (
        "--json p.jsonl bad.jsonl",
        DECIDING | {"--max-solutions": "--max-solutions 3", "--why": "--why"},
    ),
    "backbone": ("p.jsonl", EACH | JOBS),
    "count": ("p.jsonl", EACH | JOBS),
    "why-multiple": ("p.jsonl", EACH),
    "diff": ("u.jsonl u.jsonl", EACH),
    "rate": ("u.jsonl", EACH),
    "beliefs": (
        "--json p.jsonl",
        EACH
        | {
            "--rounds": "--rounds 1",
            "--damping": "--damping 0.9 --rounds 2 --start 2",
            "--clamp": "--clamp 0.1 --start 2",
            "--start": "--start 2",
            "--seed": "--start 2 --seed 4",
        },
    ),
    "show": ("p.jsonl", LIMITS | READING),
    "render": (
        "p.jsonl u.jsonl -o {new}.pdf",
        LIMITS
        | {"--from": "--from nin", "--family": "--family queens"}
        | {
            "--solution": "--solution",
            "--diff": "--diff",
            "--why": "--why",
            "--clues": "--clues none",
        }
        | {"--cell": "--cell 9", "--paper": "--paper a5", "--theme": "--theme dark"}
        | {"--per-page": "--per-page 2", "--book": "--book"}
        | {"--title": "--book --title mine", "--author": "--book --author me"}
        | {"--rate": "--book --rate", "--by-rating": "--book --by-rating"},
    ),
    "batch": (
        "p.jsonl -o {new}",
        LIMITS
        | READING
        | CHOICES
        | PLACES
        | {
            "--latest": "--latest",
            "--resume": "--resume --force",
            "--retry": "--retry crash",
            "--repair": "--repair",
            "--shards": "--shards",
            "--merge": "--merge nowhere",
            "--task": "--task solve",
            "--seed": "--seed 3",
        },
    ),
    "convert": ("p.jsonl - --to jsonl", LIMITS | {"--from": "--from nin", "--to": "--to non"}),
    "decode": ("p.jsonl answer", EACH),
    "encode": (
        "p.jsonl -o -",
        LIMITS
        | READING
        | {
            "--stats": "--stats",
            "--to": "--to mzn",
            "--encoding": "--encoding line=mdd",
            "--formulation": "--formulation line=starts",
            "--presolve": "--presolve nothing",
            "--unique": "--unique",
            "--solution": "--unique --solution goal",
            "--json": "--json",
        },
    ),
    "explain": (
        "u.jsonl",
        LIMITS
        | {"--from": "--from nin", "--cell": "--cell 1,1"}
        | {"--steps": "--steps", "--at": "--at 1", "--json": "--json"},
    ),
    "fuzz": (
        "",
        LIMITS
        | PLACES
        | {
            "--family": "--family nonogram",
            "--sort": "--sort unique",
            "--backends": "--backends learn",
            "--encodings": "--encodings line=order",
            "--command": "--command echo",
            "--seed": "--seed 3",
            "--seconds": "--seconds 1h",
            "--cases": "--cases 7",
            "--shrink-seconds": "--shrink-seconds 1",
            "--resume": "--resume",
            "--failures": "--failures elsewhere",
            "--replay": "--replay nothing",
            "--json": "--json",
        },
    ),
    "hint": (
        "u.jsonl",
        LIMITS | {"--from": "--from nin", "--given": "--given given", "--json": "--json"},
    ),
    "repair": (
        "p.jsonl",
        LIMITS
        | {
            "--from": "--from nin",
            "--family": "--family queens",
            "--to": "-o - --to non",
            "--max-changes": "--max-changes 1",
            "--all": "--all 2",
            "--keep": "--keep given",
            "--logic-only": "--logic-only",
            "--grade": "--grade 2",
            "--json": "--json",
        },
    ),
    "prove": (
        "p.jsonl -o {new}",
        LIMITS
        | JOBS
        | {"--from": "--from nin", "--backend": "--backend search", "--cubes": "--cubes 0"}
        | {"--by": "--by dice", "--family": "--family queens"}
        | {"--veripb": "--veripb"},
    ),
    "verify": ("certificate", LIMITS),
    "generate image": (
        "p.pgm --columns 12 --threshold 0.3 --edges 1",  # which has several solutions
        LIMITS
        | {
            "--columns": "--columns 21",
            "--unique": "--unique",
            "--logic-only": "--logic-only",
            "--grade": "--grade 2",
            "--rows": "--rows 29",
            "--colours": "--colours 2",
            "--threshold": "--threshold 0",
            "--invert": "--invert",
            "--edges": "--edges 0",
            "--to": "--to non",
        },
    ),
    "generate pattern": (
        "carpet --size 9",
        LIMITS | {"--size": "--size 27", "--dark": "--dark", "--to": "--to non"},
    ),
    "generate slitherlink": (
        "4 4",
        LIMITS
        | {
            "--clues": "--clues 1",
            "--grade": "--grade 2",
            "--symmetric": "--symmetric rotation",
            "--seed": "--seed 3",
            "--count": "--count 2",
            "--to": "--to jsonl",
        },
    ),
    "generate nonogram": (
        "5 5 --seed 7",
        LIMITS
        | {
            "--density": "--density 0.7",
            "--unique": "--unique",
            "--logic-only": "--logic-only",
            "--grade": "--grade 1",
            "--symmetric": "--symmetric",
            "--colours": "--colours 2",
            "--seed": "--seed 3",
            "--count": "--count 2",
            "--to": "--to non",
        },
    ),
    "generate structured": ("combs 4", LIMITS | {"--to": "--to non"}),
    "queens": (
        "--json 6",
        BOARDS
        | {
            "--all": "--all",
            "--count": "--count",
            "--given": "--given square",
            "--blocked": "--blocked square",
            "--encoding": "--encoding count=product",
            "--formulation": "--backend cpsat --formulation count=booleans",
            "--as": "--as board",
        },
    ),
    "knight": (
        "--json 3 4",
        BOARDS
        | {
            "--start": "--start 2,1",
            "--closed": "--closed",
            "--given": "--given holes",
            "--holes": "--holes holes",
            "--encoding": "--encoding loop=positions --backend minisat22",
            "--formulation": "--backend cpsat --formulation loop=nothing",
            "--as": "--as way",
        },
    ),
    "bench run": (
        "suite.toml -o {new}",
        PLACES
        | {
            "--resume": "--resume --force",
            "--retry": "--retry crash",
            "--repair": "--repair",
            "--instance": "--instance nothing",
            "--configuration": "--configuration nothing",
        },
    ),
    "bench encodings": (
        "u.jsonl --encoding order -o {new}.md",
        PLACES
        | READING
        | {
            "--encoding": "--encoding bdd",
            "--backend": "--backend learn-lines",
            "--time-limit": "--time-limit nothing",
            "--repetitions": "--repetitions 2",
            "--resume": "--resume --force",
            "--retry": "--retry crash",
            "--repair": "--repair",
        },
    ),
    "bench report": (
        "r.jsonl -o -",
        {
            "--markdown": "--markdown",
            "--csv": "--csv",
            "--csv-runs": "--csv-runs",
            "--baseline": "--csv --baseline nothing",
            "--seconds": "--markdown --seconds wall",
        },
    ),
    "bench compare": (
        "r.jsonl slower.jsonl",
        {"--threshold": "--threshold 99", "--seconds": "--seconds wall"},
    ),
    "study run": ("u.jsonl -o study.md --force", {"--quick": "--quick"}),
    "study report": ("s.json -o study.md --force", {}),
    "list": ("", {}),
    "studio": (
        "",
        {
            "--port": "--port 8000",
            "--no-browser": "--no-browser",
            "--static": "--static site",
            "--memory-limit": "--memory-limit 1G",
        },
    ),
}


def told_instead(source: str | None, *, say: Any, **asked: Any) -> None:
    """In the place of a studio that would serve without end."""
    say(f"{source} {asked}")


@pytest.fixture
def things(put: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the lines name."""
    suite_of(tmp_path, AUTO, CORNER)
    put({**OPEN, "goal": "1000010000100001"}, name="p.jsonl")
    put(UNIQUE, name="u.jsonl")
    put({"rows": [[1], [1]], "columns": [[2], [1]]}, name="bad.jsonl")
    files = {
        "answer": "s UNSATISFIABLE\n",
        "given": "#?\n??\n",
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
    only_told(monkeypatch)
    monkeypatch.setattr("nonosat.study.experiments.run.run", lambda _, quick, tell: [quick])
    monkeypatch.setattr("nonosat.study.experiments.text.markdown", lambda found: f"{found}\n")
    monkeypatch.setattr("nonosat.studio.opening.run", told_instead)
    assert run("prove", "u.jsonl", "-o", "certificate").exit_code == 0


def outcome(words: str, line: str, options: str, number: int) -> tuple[int, str]:
    """Status, output and what is written, without seconds."""
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


@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("words", COMMANDS)
def test_every_option_has_an_effect(words: str) -> None:
    line, options = LINES[words]
    plain = outcome(words, line, "", 0)
    assert plain[0] != 70
    if not words.startswith(
        ("bench run", "bench encodings", "batch")
    ):  # which record what they took
        assert outcome(words, line, "", 1) == plain
    for number, (option, added) in enumerate(options.items(), start=2):
        is_there = option == "--json" and "--json" in line  # then its absence tells
        without = line.replace("--json", "") if is_there else line
        found = outcome(words, without, "" if is_there else added, number)
        assert found != plain, f"{words} {added}"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("check u.jsonl --force-jobs", "--force-jobs allows more --jobs than there are"),
        ("check u.jsonl --journal x", "journal is for cubes"),
        ("check u.jsonl --cubes 2 --resume", "resume is for a journal of cubes"),
        ("check u.jsonl --deterministic", "deterministic is for jobs without cubes"),
        ("count u.jsonl --force-jobs", "--force-jobs allows more --jobs than there are"),
        ("check u.jsonl --backend cadical195 --jobs 1", "these have several: auto, learn,"),
        ("batch u.jsonl -o new --force-jobs", "--force-jobs allows more --jobs than there are"),
        ("explain u.jsonl --steps --json", "--steps is for people"),
        ("explain u.jsonl --at 1", "--at is for --svg OUT.svg"),
        ("queens 6 --as board --json", "--as is for people"),
        ("knight 3 4 --as matrix --json", "--as is for people"),
    ],
)
@pytest.mark.usefixtures("things")
def test_what_would_be_ignored_is_refused(line: str, told: str) -> None:
    done = run(*line.split())
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in done.stderr
