"""Limits hold while puzzles are read, and reading counts towards a puzzle's time."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

import nonosat
from helpers.clocks import Clock
from helpers.commands import run
from nonosat import formats
from nonosat.batch.deciding import status_of
from nonosat.cli import main
from nonosat.core import limits as limits_
from nonosat.core.errors import FormatError, LimitReached
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits, original_limit
from nonosat.core.result import Options
from nonosat.formats._limited import limited
from nonosat.puzzles.nonogram.data import from_grid

TINY = '{"rows":[[1]],"columns":[[1]]}'
HOSTILE = "a\u202e\x1b[2Jb\nc\td" + "e" * 5000


def test_the_time_is_for_each_puzzle(clock: Clock) -> None:
    def items(*seconds: float) -> Iterator[float]:
        for each in seconds:
            clock.advance(each)
            yield each

    assert list(limited(items(*[0.5] * 10), Limits(1.0), "f")) == [(0.5, 0.5)] * 10
    *found, (last, _) = limited(items(0.5, 0.75, 2.0, 0.1), Limits(1.0), "a\nb")
    assert found == [(0.5, 0.5), (0.75, 0.75)]
    assert isinstance(last, LimitReached)
    assert str(last).startswith("time limit of 1 s while reading a\ufffdb; ")
    assert status_of(last) == "timeout"


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    """One puzzle that is read at once, and one that takes longer than its limit."""
    path = tmp_path / "slow memory.jsonl"
    large = ",".join(['[[1,"a"]]'] * 100_000)
    path.write_text(f'{TINY}\n{{"colors":{{"a":"#000000"}},"rows":[[]],"cols":[{large}]}}\n{TINY}')
    return path


@pytest.mark.real_time
def test_reading_stops_at_the_limit(slow: Path) -> None:
    items = [item for _, item in formats.iter_sources([slow], limits=Limits(0.05))]
    assert 1 <= len(items) <= 2
    assert isinstance(items[-1], LimitReached)
    with pytest.raises(LimitReached, match=r"time limit of 0\.001 s while reading"):
        nonosat.load_all(slow, time_limit_s=0.001)
    with pytest.raises(LimitReached, match="memory limit of 5 MiB while reading") as caught:
        nonosat.load(f"{slow}#2", memory_limit_mib=5)
    assert status_of(caught.value) == "memout"
    assert len(nonosat.load_all(slow, time_limit_s=60, memory_limit_mib=100_000)) == 3


def test_memory_of_reading_may_count_from_where_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    used = [100.0]
    monkeypatch.setattr(limits_.hooks, "resident_mib", lambda pid: used[0])

    def items() -> Iterator[str]:
        yield "small"
        used[0] += 5
        yield "large"

    limits = Limits(memory_mib=4)
    first, last = (item for item, _ in limited(items(), limits, "f", 0.0))
    assert first == "small"
    assert str(last).startswith("memory limit of 4 MiB while reading f")
    for begun_mib in (None, 95.0):
        (only,) = (item for item, _ in limited(items(), limits, "f", begun_mib))
        assert isinstance(only, LimitReached)


COMMANDS = {  # module and name of the function that each command calls
    "solve": "solving.pipeline.decide",
    "check": "solving.pipeline.check_problem",
    "count": "cli.count.count",
    "backbone": "cli.backbone.backbone",
    "rate": "cli.rate.rate",
    "explain": "cli.explain.explain",
    "hint": "cli.hint.hint",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_reading_takes_from_the_time_of_a_puzzle(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading and solving together have the limit."""
    path = tmp_path / "tiny.jsonl"
    path.write_text(TINY)
    each = formats.iter_timed

    def timed(*args: Any) -> Iterator[tuple[str, Any, float]]:
        return ((name, item, spent) for (name, item, _) in each(*args))

    given: list[float | None] = []

    def asked(asked: Any, *_: object, **options: Any) -> None:
        limit_s = options["time_limit_s"] if options else asked.options.time_limit_s
        given.append(limit_s)
        raise FormatError("enough")

    monkeypatch.setattr(formats, "iter_timed", timed)
    module, _, name = COMMANDS[command].rpartition(".")
    monkeypatch.setattr(import_module(f"nonosat.{module}"), name, asked)
    for spent in (0.0, 0.1, 150.0, 9900.0):  # noqa: B007  # `timed` gives it
        CliRunner().invoke(main, [command, str(path), "--time-limit", "200"])
    assert given == pytest.approx([200.0, 200.0, 50.0, 0.001], abs=30)  # marks take their time, too


@pytest.mark.real_time
def test_commands_report_that_reading_was_ended(slow: Path) -> None:
    options = ["check", str(slow), "--time-limit", "1ms"]
    shown = CliRunner().invoke(main, options)
    assert shown.exit_code == 5
    assert "time limit of 0.001 s while reading" in shown.output
    (record,) = CliRunner().invoke(main, [*options, "--json"]).stdout.splitlines()
    assert json.loads(record)["verdict"] == "unknown"
    assert json.loads(record)["reason"].startswith("time limit of 0.001 s while reading")
    assert CliRunner().invoke(main, ["rate", *options[1:]]).exit_code == 5
    proved = ["prove", f"{slow}#2", "-o", str(slow.parent / "proof"), *options[2:]]
    assert CliRunner().invoke(main, proved).exit_code == 5


@pytest.mark.real_time
def test_marks_and_answers_are_read_within_the_limits(tmp_path: Path) -> None:
    """Further input of any size is read within the command's limits."""
    puzzle, given, answer = (tmp_path / name for name in ("p.jsonl", "given", "answer"))
    puzzle.write_text(json.dumps({"rows": [[1]] * 1000, "columns": [[1]] * 1000}))
    given.write_text(f"{'?' * 1000}\n" * 1000)
    answer.write_text("s SATISFIABLE\n" + "".join(f"v -{k}\n" for k in range(1, 300_000)) + "v 0\n")
    for words in (
        ["hint", str(puzzle), "--given", str(given)],
        ["decode", str(puzzle), str(answer)],
    ):
        late = CliRunner().invoke(main, [*words, "--time-limit", "30ms"])
        assert late.exit_code == 5
        assert "time limit of 0.03 s" in late.output.lower()
        large = CliRunner().invoke(main, [*words, "--memory-limit", "1"])
        assert large.exit_code == 5
        assert "memory limit of 1 MiB" in large.output


def test_reasons_name_the_whole_limit_after_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reasons and recorded options name the requested limit, not the part left after reading."""
    rest = Limits(2.0, 500).after(0.5)
    assert (rest.time_s, rest.memory_mib) == (1.5, 500)
    for kept in (rest, pickle.loads(pickle.dumps(rest)), rest.after(1.4).after(1.0)):
        assert original_limit(kept.time_s) == 2.0
    assert Options(time_limit_s=rest.time_s).to_data()["time_limit_s"] == 2.0
    path = tmp_path / "hard.json"
    noise = Grid(90, 90, Random(1).randbytes(8100).translate(bytes(k & 1 for k in range(256))))
    path.write_text(nonosat.dumps(from_grid(noise)))
    each = formats.iter_timed
    monkeypatch.setattr(
        formats,
        "iter_timed",
        lambda *args: ((name, item, 1.9) for name, item, _ in each(*args)),
    )
    for command in ("solve", "backbone", "count"):
        told = CliRunner().invoke(main, [command, str(path), "--time-limit", "2", "--json"])
        data = json.loads(told.stdout)
        assert data["reason"] == "time limit of 2 s"
        assert data["options"]["time_limit_s"] == 2.0
        assert data["seconds"] < 1


def test_sheets_and_files_are_made_within_the_limits(clock: Clock, tmp_path: Path) -> None:
    path, out = tmp_path / "p.txt", tmp_path / "out"
    lines = (
        ["show", str(path)],
        ["show", str(path), "--svg", f"{out}.svg"],
        ["convert", str(path), f"{out}.xml"],
    )
    path.write_text("#.\n")
    for words in lines:  # all imports: if one is ended, Python itself leaves a file open
        assert CliRunner().invoke(main, words).exit_code == 0
    for made in tmp_path.glob("out*"):
        made.unlink()
    path.write_text(("#." * 1000 + "\n") * 1000)
    for words in lines:
        clock.step_s = 20
        for option in (["--time-limit", "60"], ["--memory-limit", "1"]):
            ended = CliRunner().invoke(main, [*words, *option])
            assert ended.exit_code == 5
            assert "limit of" in ended.output
            assert not list(tmp_path.glob("out*"))


def test_reading_ends_at_the_first_puzzle_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next line is damaged, which has no effect."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "many.jsonl"
    path.write_text(f"{TINY}\n" * 3 + "{\n")
    with pytest.raises(nonosat.FormatError, match="more than 2 puzzles, expected at most 2; split"):
        nonosat.load_all(path, max_puzzles=2)
    with pytest.raises(nonosat.FormatError, match="4"):
        nonosat.load_all(path, max_puzzles=3)
    path.write_text(f"{TINY}\n" * 3)
    assert len(nonosat.load_all(path, max_puzzles=3)) == 3
    text = f"{TINY}\n" * 1001 + "{\n"
    path.write_text(text)
    for ask in (lambda: nonosat.load(path), lambda: nonosat.loads(text)):
        with pytest.raises(nonosat.FormatError, match="more than 1,000 puzzles, expected one"):
            ask()
    for words in (["hint"], ["show", "--svg", "a.svg"], ["check", "--svg", "a.svg"]):
        result = run(words[0], "many.jsonl", *words[1:])
        assert result.exit_code == 2
        assert "more than 1,000 puzzles" in result.stderr
    result = run("count", "many.jsonl", "--svg", "a.svg")
    assert result.exit_code == 2
