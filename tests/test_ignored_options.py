"""Options of encodings that a run did not use are named, with the reason."""

from __future__ import annotations

import pytest

import nonosat
from helpers.commands import MULTIPLE, UNIQUE, put, records, run
from nonosat.cli._output import picture
from nonosat.cli._sources import PuzzleItem
from nonosat.core.result import Result
from nonosat.puzzles.nonogram.data import mono
from nonosat.puzzles.slitherlink import from_rows
from nonosat.render import Style
from nonosat.solving.ignored_options import UNUSED, remark_of

SWITCH = mono([[1], [1]], [[1], [1]])
__all__ = ["put"]


def remark(result: Result) -> str:
    return "".join(map(remark_of, result.stages))


@pytest.mark.parametrize(
    ("puzzle", "options", "told"),
    [
        (
            mono([[1]], [[1]]),
            {"encoding": {"line": "direct"}},
            "line propagation decided the puzzle",
        ),
        (SWITCH, {"encoding": {"line": "direct"}}, "search decided the puzzle without it"),
        (SWITCH, {"encoding": {"loop": "cells"}}, "this puzzle has no constraint of that kind"),
        (mono([[3]], [[1]]), {"encoding": {"line": "direct"}}, "the clues contradict each other"),
        (SWITCH, {"encoding": {"line": "direct"}, "time_limit_s": 1e-9}, "a limit was hit before"),
        (
            mono([[1]], [[1]]),
            {"formulation": {"line": "table"}, "backend": "cpsat"},
            "formulation line=table was not used: line propagation decided",
        ),
        (from_rows(["..", ".."]), {"encoding": {"line": "direct"}}, "no constraint of that kind"),
    ],
)
def test_unused_options_are_named(puzzle, options, told: str) -> None:
    result = nonosat.check(puzzle, **options)
    (stage,) = (stage for stage in result.stages if stage.name == UNUSED)
    assert told in remark(result)
    ((kind, name),) = [*result.options.encoding.items(), *result.options.formulation.items()]
    assert stage.detail["choices"] == [f"{kind}={name}"]
    assert f"{kind}={name} was not used: " in remark(result)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"encoding": {"line": "direct"}, "backend": "cadical195"},
        {"encoding": {"line": "direct"}, "backend": "learn", "presolve": "none"},
        {"formulation": {"line": "table"}, "backend": "cpsat"},
    ],
)
def test_used_options_need_no_remark(options) -> None:
    assert remark(nonosat.check(SWITCH, **options)) == ""


def test_people_and_programs_get_the_remark(put) -> None:
    done = run("check", put(UNIQUE, MULTIPLE), "--encoding", "loop=cells")
    assert done.exit_code == 3
    told = (
        "  remark: encoding loop=cells was not used: this puzzle has no constraint of that kind\n"
    )
    assert done.stdout.count(told) == 2
    first, _ = records(run("check", "--json", "puzzles.jsonl", "--encoding", "loop=cells"))
    assert first["stages"][-1]["detail"]["choices"] == ["loop=cells"]


def test_a_limit_names_the_last_stage_of_the_work() -> None:
    result = nonosat.check(SWITCH, encoding={"line": "direct"}, time_limit_s=1e-9)
    assert result.stages[-1].name == UNUSED
    text = picture(Style(), False, PuzzleItem("a.jsonl", SWITCH), result)
    assert "remark: encoding line=direct was not used" in text
    assert UNUSED not in text.partition("remark")[0]
