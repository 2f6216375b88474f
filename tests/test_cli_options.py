"""Values of options: times and sizes with units, suggestions for misspelt names."""

from __future__ import annotations

from math import inf
from typing import Any

import click
import pytest

from helpers.commands import UNIQUE, put, records, run
from nonosat.cli import main
from nonosat.cli._options import _memory, _time
from nonosat.core.errors import UnsupportedError, meant
from nonosat.core.plugins import find

__all__ = ["put"]  # a fixture

CONTEXT, PARAM = click.Context(main), click.Option(["--limit"])


# Times and sizes


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90", 90.0),
        ("0.25", 0.25),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("500ms", 0.5),
        ("1.5s", 1.5),
        ("5m", 300.0),
        ("2h", 7200.0),
        ("1h30m", 5400.0),
        ("1h 30m 5s", 5405.0),
        ("1m500ms", 60.5),
        ("2H", 7200.0),
        ("inf", None),
    ],
)
def test_times(text: str, seconds: float | None) -> None:
    assert _time(CONTEXT, PARAM, text) == seconds


@pytest.mark.parametrize(
    "text", ["", " ", "5x", "m", "h30m", "30m1h", "5 minutes", "-5", "-5m", "0", "0s", "0h0m",
             "nan", "-inf", "1e10", "9999999h", "1h30", "1_000s"]
)  # fmt: skip
def test_invalid_times(text: str) -> None:
    with pytest.raises(click.BadParameter, match=r"expected|examples"):
        _time(CONTEXT, PARAM, text)


@pytest.mark.parametrize(
    ("text", "mib"),
    [
        ("500", 500),
        ("500M", 500),
        ("500MiB", 500),
        ("500mb", 500),
        ("2G", 2048),
        ("1.5g", 1536),
        ("2 GiB", 2048),
        ("1T", 2**20),
        ("2048K", 2),
    ],
)
def test_sizes(text: str, mib: int) -> None:
    assert _memory(CONTEXT, PARAM, text) == mib


@pytest.mark.parametrize("text", ["", "G", "2X", "-1", "0", "0G", "1K", "nan", "inf", "99999999T"])
def test_invalid_sizes(text: str) -> None:
    with pytest.raises(click.BadParameter, match=r"expected|examples"):
        _memory(CONTEXT, PARAM, text)


def test_the_library_gets_numbers(put: Any) -> None:
    asked = ("--time-limit", "1h30m", "--memory-limit", "2G")
    (record,) = records(run("check", "--json", put(UNIQUE), *asked))
    limits = {key: record["options"][key] for key in ("time_limit_s", "memory_limit_mib")}
    assert limits == {"time_limit_s": 5400.0, "memory_limit_mib": 2048}


def test_infinity_is_no_limit(put: Any) -> None:
    (record,) = records(run("check", "--json", put(UNIQUE), "--time-limit", str(inf)))
    assert record["options"]["time_limit_s"] is None


# Names


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ("chek x", "'chek' (did you mean check?)"),
        ("bench rum", "'rum' (did you mean run?)"),
        ("generate slitherlnk", "did you mean slitherlink?"),
        ("study rep", "did you mean report?"),
        ("check x --backend kissat", "(did you mean kissat404?)"),
        ("check x --backend cadical", "cadical103, cadical153, cadical195 or cadical300?"),
        ("check x --backend rule", "(did you mean rules?)"),  # a method of Slitherlink
        ("check x --backend study:optimm", "(did you mean optimum?)"),
        ("check x --encoding line=ordr", "(did you mean line=order"),
        ("check x --encoding lines=order", "(did you mean line?)"),
        ("check x --formulation line=startz", "(did you mean line=starts"),
        ("check x --redundant count", "(did you mean counts?)"),
        ("check x --hints belief", "(did you mean beliefs?)"),
        ("check x --hints decimatoin:rounds=3", "(did you mean decimation?)"),
        ("check x --family slitherlnk", "(did you mean slitherlink?)"),
        ("check x --from jsnl", "(did you mean jsonl"),
        ("check x --presolve prob", "(did you mean probe?)"),
        ("list encodngs", "(did you mean encodings?)"),
        ("list f", "short for formats, formulations or families"),
        ("check x --bakend learn", "--backend"),  # click's own
    ],
)
def test_names_nearly_right(args: str, told: str) -> None:
    done = run(*args.split())
    assert done.exit_code == 2
    assert told in done.stderr


def test_ids_nearly_right(put: Any) -> None:
    path = put({**UNIQUE, "id": "Teapot"}, {**UNIQUE, "id": "cup"})
    assert (
        "no puzzle 'teapo' (did you mean Teapot?) in the file"
        in run("check", f"{path}#teapo").stderr
    )
    assert "did you mean" not in run("check", f"{path}#zebra").stderr


def test_names_of_nothing() -> None:
    assert meant("zzz", ["line-order", "cpsat"]) == ""
    assert meant("c", ["cpsat"]) == ""
    told = run("zzz").stderr
    assert "did you mean" not in told
    assert "there are: backbone, " in told


def test_the_library_makes_suggestions_too() -> None:
    with pytest.raises(UnsupportedError, match=r"\(did you mean kissat404\?\)"):
        find("backends", "kissat")


def test_programs_of_the_name_are_named(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "mysolver"
    program.write_text("#!/bin/sh\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    told = "the program of that name is 'program:mysolver {cnf}'"
    assert told not in run("check", "x", "--backend", "mysolver").stderr
    program.chmod(0o755)
    assert told in run("check", "x", "--backend", "mysolver").stderr


@pytest.mark.parametrize(
    ("short", "kind"),
    [
        ("backend", "backends"),
        ("family", "families"),
        ("b", "backends"),
        ("fam", "families"),
        ("red", "redundant"),
        ("stud", "study"),
    ],
)
def test_kinds_of_lists_may_be_short(short: str, kind: str) -> None:
    assert run("list", short).stdout == run("list", kind).stdout
