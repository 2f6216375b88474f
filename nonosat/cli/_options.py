"""Options that commands share, and what they mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Any, TypeVar

import click

from nonosat.errors import shown

F = TypeVar("F", bound=Callable[..., Any])
MOST_S = 1e9  # as in `nonosat.result`, which is not imported for --help


def decorated(*options: Callable[[Any], Any]) -> Callable[[F], F]:
    """All of these parameters, in this order in the help."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


# Input

puzzle_argument = click.argument("file", metavar="PUZZLE")  # one of them
files_argument = click.argument("files", metavar="FILE...", nargs=-1, required=True)


def from_(what: str) -> Callable[[F], F]:
    """Parameter `format_` of a command; `what` has that format."""
    return click.option(
        "--from", "format_", metavar="FORMAT", help=f"Format of {what}; else seen in it."
    )


def reading(what: str = "every FILE") -> Callable[[F], F]:
    """Parameters `format_` and `family` of a command; `what` has them."""
    return decorated(
        from_(what),
        click.option(
            "--family", metavar="NAME", help=f"Family of the puzzles in {what}; else seen in it."
        ),
    )


def by_kind(_: click.Context, param: click.Parameter, pairs: Sequence[str]) -> dict[str, list[str]]:
    """The values KIND=NAME of an option that may stand several times: names by kind."""
    chosen: dict[str, list[str]] = {}
    for pair in pairs:
        kind, _equals, name = pair.partition("=")
        if not (kind and name):
            raise click.BadParameter(f"{pair!r} is not KIND=NAME, such as line=order", param=param)
        names = chosen.setdefault(kind, [])
        if name in names:
            raise click.BadParameter(f"{pair!r} stands twice", param=param)
        names.append(name)
    return chosen


# Limits


def _number(_: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """The seconds; infinity is no limit."""
    if value is None or value == inf:
        return None
    if not value <= MOST_S:  # "nan" is inside every range of click's
        what = f"{value:g}, expected seconds > 0 and at most {MOST_S:.0f}"
        raise click.BadParameter(what, param=param)
    return value


def limits(each: str) -> Callable[[F], F]:
    """Parameters `time_limit_s` and `memory_limit_mib` of a command.

    Args:
        each: What the time is for: "each puzzle".
    """
    return decorated(
        click.option(
            "--time-limit",
            "time_limit_s",
            metavar="S",
            type=click.FloatRange(min=0, min_open=True),
            callback=_number,
            help=f"Wall seconds for {each}; by default no limit.",
        ),
        click.option(
            "--memory-limit",
            "memory_limit_mib",
            metavar="MIB",
            type=click.IntRange(min=1),
            help="MiB of resident memory for the process that works; by default no limit.",
        ),
    )


def limits_of(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The values of `limits` among all values of a command."""
    return {name: asked[name] for name in ("time_limit_s", "memory_limit_mib")}


# The rest


def seed(what: str = "For engines that use one.") -> Callable[[F], F]:
    """Parameter `seed` of a command."""
    return click.option("--seed", metavar="N", type=int, default=0, show_default=True, help=what)


def json_option(what: str) -> Callable[[F], F]:
    """Parameter `as_json` of a command; `what` is printed."""
    return click.option("--json", "as_json", is_flag=True, help=what)


which_seconds = click.option(
    "--seconds",
    type=click.Choice(["cpu", "wall"]),
    default="cpu",
    show_default=True,
    help="Which seconds are compared.",
)
one_json = json_option("One JSON object.")
each_json = json_option("One JSON object for each puzzle.")


def of_each_puzzle(function: F) -> F:
    """FILE... and the options of a command that works on every puzzle in them.

    Parameters `files`, `format_`, `family`, `time_limit_s`, `memory_limit_mib`, `as_json`.
    """
    return decorated(files_argument, reading(), limits("each puzzle"), each_json)(function)


def square(_: click.Context, param: click.Parameter, text: str | None) -> tuple[int, int] | None:
    """The value R,C of an option as a square or a cell."""
    if text is None:
        return None
    found = re.fullmatch(r"\s*(-?[0-9]{1,9})\s*,\s*(-?[0-9]{1,9})\s*", text)
    if found is None:
        raise click.BadParameter(f"{shown(text)} is not ROW,COLUMN, such as 0,3", param=param)
    return int(found[1]), int(found[2])
