"""Options that commands share, and the parsing of their values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from nonosat.cli._progress import quiet_option
from nonosat.core.errors import alternatives, meant, shown
from nonosat.core.limits import Limits

F = TypeVar("F", bound=Callable[..., Any])
MOST_S = 1e9  # as in `nonosat.core.result`, which is not imported for --help
_MOST_MIB = 2**44  # limit of 64-bit addresses
_NUMBER = r"(\d+(?:\.\d*)?|\.\d+)"
# Strings, not compiled at import: that would make --help one percent slower.
_TIME = "".join(rf"(?:{_NUMBER}\s*{unit}\s*)?" for unit in ("h", "m(?!s)", "s", "ms"))
_TIME_UNITS_S = (3600.0, 60.0, 1.0, 0.001)
_MEMORY = rf"{_NUMBER}\s*(k|m|g|t|)(?:i?b)?"
_MEMORY_UNITS_MIB = {"k": 2**-10, "": 1, "m": 1, "g": 2**10, "t": 2**20}


def decorated(*options: Callable[[Any], Any]) -> Callable[[F], F]:
    """Return a decorator that adds the given parameters; the help lists them in this order."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def is_given(ctx: click.Context, name: str | None) -> bool:
    """Return True if the command line has the parameter of a name; False for its default value."""
    return ctx.get_parameter_source(name or "") is ParameterSource.COMMANDLINE


if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:  # not generic in the oldest supported click
    _Choice = click.Choice


class SuggestingChoice(_Choice):
    """Choice of a name; an unknown value gets a suggestion.

    Args:
        names: The names.
        is_short: True if a prefix of a name, or its singular, is accepted.
    """

    def __init__(self, names: Sequence[str], is_short: bool = False) -> None:
        super().__init__(names)
        self.is_short = is_short

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        names = list(map(str, self.choices))
        if value in names:
            return str(value)
        if self.is_short:
            stem = value[:-1] if value.endswith("y") else value  # "family" for "families"
            found = [name for name in names if stem and name.startswith(stem)]
            if len(found) == 1:
                return found[0]
            if found:
                what = f"{shown(value)} is short for {alternatives(found)}"
                raise click.BadParameter(what, ctx, param)
        expected = f"expected {alternatives(names)}"
        raise click.BadParameter(f"{shown(value)}{meant(value, names)}, {expected}", ctx, param)


# Input

puzzle_argument = click.argument("file", metavar="PUZZLE")  # a single puzzle
files_argument = click.argument("files", metavar="FILE...", nargs=-1, required=True)


def from_(what: str) -> Callable[[F], F]:
    """Return a decorator that adds --from (parameter `format_`), the format of `what`."""
    return click.option(
        "--from", "format_", metavar="FORMAT", help=f"Format of {what}; default: detected."
    )


def reading(what: str = "every FILE") -> Callable[[F], F]:
    """Return a decorator that adds --from and --family; `what` names the files in the help."""
    return decorated(
        from_(what),
        click.option(
            "--family", metavar="NAME", help=f"Family of the puzzles in {what}; default: detected."
        ),
    )


def by_kind(_: click.Context, param: click.Parameter, pairs: Sequence[str]) -> dict[str, list[str]]:
    """Return the values KIND=NAME of a repeatable option: names by kind."""
    chosen: dict[str, list[str]] = {}
    for pair in pairs:
        kind, _equals, name = pair.partition("=")
        if not (kind and name):
            raise click.BadParameter(f"{pair!r} is not KIND=NAME, such as line=order", param=param)
        names = chosen.setdefault(kind, [])
        if name in names:
            raise click.BadParameter(f"{pair!r} is given twice", param=param)
        names.append(name)
    return chosen


# Limits

LIMITS = ("time_limit_s", "memory_limit_mib")


def _time(_: click.Context, param: click.Parameter, text: str | None) -> float | None:
    """Return the seconds of an option's value; infinity is no limit."""
    if text is None:
        return None
    seconds = _seconds(text)
    if seconds is None:
        what = f"invalid duration {shown(text)}; examples: 90, 500ms, 1.5s, 5m, 1h30m"
        raise click.BadParameter(what, param=param)
    if seconds == inf:
        return None
    if not 0 < seconds <= MOST_S:
        what = f"{shown(text)}, expected seconds > 0 and at most {MOST_S:.0f}"
        raise click.BadParameter(what, param=param)
    return seconds


def _seconds(text: str) -> float | None:
    """Return the seconds of a text such as "90" or "1h30m"; None if it is not a duration."""
    try:
        return float(text)
    except ValueError:
        found = re.fullmatch(_TIME, text.strip().lower())
    if not (found and any(found.groups())):
        return None
    parts = zip(found.groups(), _TIME_UNITS_S, strict=True)
    return sum(float(part or 0) * unit for part, unit in parts)


def _memory(_: click.Context, param: click.Parameter, text: str | None) -> int | None:
    """Return the MiB of an option's value."""
    if text is None:
        return None
    found = re.fullmatch(_MEMORY, text.strip().lower())
    if found is None:
        what = f"invalid size {shown(text)}; examples: 500, 500M, 2G"
        raise click.BadParameter(what, param=param)
    mib = float(found[1]) * _MEMORY_UNITS_MIB[found[2]]
    if not 1 <= mib <= _MOST_MIB:
        what = f"{shown(text)}, expected at least 1 MiB and at most {_MOST_MIB} MiB"
        raise click.BadParameter(what, param=param)
    return int(mib)


def duration(name: str, field: str, usual: float, what: str) -> Callable[[F], F]:
    """Return a decorator that adds an option for a time in seconds; infinity is without limit.

    Args:
        name: Name of the option.
        field: Name of the parameter.
        usual: Default value of the option.
        what: Text for the help.
    """

    def seconds(ctx: click.Context, param: click.Parameter, text: str) -> float:
        found = _time(ctx, param, text)
        return inf if found is None else found

    return click.option(
        name,
        field,
        metavar="TIME",
        default=f"{usual:g}",
        show_default=True,
        callback=seconds,
        help=what,
    )


def memory(of_what: str, usual: str) -> Callable[[F], F]:
    """Return a decorator that adds --memory-limit (`memory_limit_mib`) with a default.

    Args:
        of_what: Process that the limit applies to.
        usual: Default value of the option.
    """
    return click.option(
        "--memory-limit",
        "memory_limit_mib",
        metavar="SIZE",
        default=usual,
        show_default=True,
        callback=_memory,
        help=f"Resident memory of {of_what}, for example 500 (MiB), 500M, 2G.",
    )


def limits(each: str) -> Callable[[F], F]:
    """Return a decorator that adds --time-limit, --memory-limit and --quiet.

    The parameters are `time_limit_s`, `memory_limit_mib` and `quiet`.

    Args:
        each: Unit that the time applies to: "each puzzle".
    """
    return decorated(
        click.option(
            "--time-limit",
            "time_limit_s",
            metavar="TIME",
            callback=_time,
            help=f"Wall time for {each}, for example 90 (seconds), 500ms, 5m; default: none.",
        ),
        click.option(
            "--memory-limit",
            "memory_limit_mib",
            metavar="SIZE",
            callback=_memory,
            help="Resident memory of the process, for example 500 (MiB), 500M, 2G; default: none.",
        ),
        quiet_option,
    )


def limits_of(params: Mapping[str, Any], spent_s: float = 0.0) -> dict[str, Any]:
    """Return the values of `limits` from all values of a command.

    Args:
        params: The values.
        spent_s: Seconds of the time that reading the puzzle has taken.
    """
    values = {name: params[name] for name in LIMITS}
    if spent_s:
        values["time_limit_s"] = Limits(values["time_limit_s"]).after(spent_s).time_s
    return values


# Continuing earlier results

RETRIED = ("timeout", "memout", "crash", "unsupported", "wrong")  # statuses as they are recorded


def going_on(what: str, retried: Sequence[str] = RETRIED) -> Callable[[F], F]:
    """Return a decorator that adds --resume, --retry and --repair, for records in RESULTS.

    Args:
        what: Unit of the work: "puzzles".
        retried: Values of --retry.
    """

    def chosen(ctx: click.Context, param: click.Parameter, text: str | None) -> frozenset[str]:
        if text is None:
            return frozenset()
        names = [name.strip() for name in text.split(",")]
        if not ctx.params["resume"]:
            raise click.UsageError("--retry is for --resume; use both, or leave it out")
        return frozenset(SuggestingChoice(retried).convert(name, param, ctx) for name in names)

    return decorated(
        click.option(
            "--resume",
            is_flag=True,
            is_eager=True,
            help=f"Continue RESULTS: process the {what} that are missing in it.",
        ),
        click.option(
            "--retry",
            metavar="HOW,...",
            callback=chosen,
            help=f"With --resume: also repeat the {what} whose last status is one of: "
            f"{', '.join(retried)}.",
        ),
        click.option(
            "--repair",
            is_flag=True,
            help="First remove invalid lines from RESULTS: they are stored in "
            "RESULTS.rejected, with their numbers, and the original file in RESULTS.original.",
        ),
    )


# Other options


def seed(what: str = "Seed of engines that use random numbers.") -> Callable[[F], F]:
    """Return a decorator that adds --seed; `what` is its help."""
    return click.option("--seed", metavar="N", type=int, default=0, show_default=True, help=what)


def json_option(what: str) -> Callable[[F], F]:
    """Return a decorator that adds --json (parameter `as_json`); `what` is printed."""
    return click.option("--json", "as_json", is_flag=True, help=what)


which_seconds = click.option(
    "--seconds",
    type=SuggestingChoice(["cpu", "wall"]),
    default="cpu",
    show_default=True,
    help="Kind of seconds that is compared.",
)
one_json = json_option("One JSON object.")
each_json = json_option("One JSON object for each puzzle.")


def of_each_puzzle(function: F) -> F:
    """Decorator that adds FILE... and the options of a command for every puzzle in these files.

    Parameters `files`, `format_`, `family`, `time_limit_s`, `memory_limit_mib`, `as_json`.
    """
    return decorated(files_argument, reading(), limits("each puzzle"), each_json)(function)


def place(_: click.Context, param: click.Parameter, text: str | None) -> tuple[int, int] | None:
    """Return the value R,C of an option, which counts from 1, as a square or a cell from 0."""
    if text is None:
        return None
    found = re.fullmatch(r"\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*", text)
    if found is None or not (int(found[1]) and int(found[2])):
        what = f"{shown(text)} is not ROW,COLUMN, counted from 1, such as 1,4"
        raise click.BadParameter(what, param=param)
    return int(found[1]) - 1, int(found[2]) - 1
