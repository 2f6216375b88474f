"""Options that commands share: limits, and those of a command that works on puzzle after puzzle."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import inf
from typing import Any, TypeVar

import click

from nonosat.errors import shown

F = TypeVar("F", bound=Callable[..., Any])
MOST_S = 1e9  # as in `nonosat.result`, which is not imported for --help


def _number(_: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """The seconds; infinity is no limit."""
    if value is None or value == inf:
        return None
    if not value <= MOST_S:  # "nan" is inside every range of click's
        what = f"{value:g}, expected seconds > 0 and at most {MOST_S:.0f}"
        raise click.BadParameter(what, param=param)
    return value


def square(_: click.Context, param: click.Parameter, text: str | None) -> tuple[int, int] | None:
    """The value R,C of an option as a square or a cell."""
    if text is None:
        return None
    found = re.fullmatch(r"\s*(-?[0-9]{1,9})\s*,\s*(-?[0-9]{1,9})\s*", text)
    if found is None:
        raise click.BadParameter(f"{shown(text)} is not ROW,COLUMN, such as 0,3", param=param)
    return int(found[1]), int(found[2])


def limits(each: str) -> Callable[[F], F]:
    """Parameters `time_limit_s` and `memory_limit_mib` of a command.

    Args:
        each: What the time is for: "each puzzle".
    """

    def decorate(function: F) -> F:
        memory = click.option(
            "--memory-limit",
            "memory_limit_mib",
            metavar="MIB",
            type=click.IntRange(min=1),
            help="Resident memory of the process that works.",
        )
        time = click.option(
            "--time-limit",
            "time_limit_s",
            metavar="S",
            type=click.FloatRange(min=0, min_open=True),
            callback=_number,
            help=f"Wall seconds for {each}.",
        )
        return time(memory(function))

    return decorate


def reading(function: F) -> F:
    """Options that say what the files hold; parameters `format_` and `family`."""
    format_ = click.option(
        "--from", "format_", metavar="FORMAT", help="Format of all the files; else seen in each."
    )
    family = click.option(
        "--family", metavar="NAME", help="Family of all the puzzles; else seen in each file."
    )
    return format_(family(function))


def of_each_puzzle(function: F) -> F:
    """FILE... and the options of a command that works on every puzzle in them.

    Parameters `files`, `format_`, `time_limit_s`, `memory_limit_mib`, `as_json`.
    """
    parameters = (
        click.argument("files", metavar="FILE...", nargs=-1, required=True),
        click.option("--from", "format_", metavar="FORMAT", help="Format of all the files."),
        limits("each puzzle"),
        click.option("--json", "as_json", is_flag=True, help="One JSON object for each puzzle."),
    )
    for parameter in reversed(parameters):
        function = parameter(function)
    return function
