"""Code of the commands that make a board from arguments: its files, its picture, its JSON data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from nonosat.cli._deciding import engines
from nonosat.cli._files import force_option, svg_option
from nonosat.cli._options import SuggestingChoice, decorated, is_given, limits, seed
from nonosat.cli._output import found_by, json_line
from nonosat.core.families import family_of, name_of
from nonosat.core.versions import versions
from nonosat.solving.ignored_options import remark_of

if TYPE_CHECKING:
    from nonosat.core.plugins import Puzzle
    from nonosat.core.result import Result

F = TypeVar("F", bound=Callable[..., Any])


def how_and_as(
    what: str, examples: tuple[str, str], shapes: Sequence[str], meanings: str
) -> Callable[[F], F]:
    """Return a decorator that adds the options for engines, limits and the form of the output.

    Args:
        what: Noun for a solution: "placement".
        examples: An encoding and a formulation, for the help.
        shapes: Values of --as; the first is the default.
        meanings: Meaning of each value.
    """
    return decorated(
        *engines(*examples),
        limits("the whole command"),
        seed(),
        click.option(
            "--as",
            "shape",
            type=SuggestingChoice(shapes),
            default=shapes[0],
            show_default=True,
            callback=_text_alone,
            help=meanings,
        ),
        svg_option(f"the first {what}, or else the board"),
        force_option,
        click.option(
            "--json",
            "as_json",
            is_flag=True,
            is_eager=True,
            help="One JSON object with all data.",
        ),
    )


def _text_alone(ctx: click.Context, param: click.Parameter, shape: str) -> str:
    """Refuse --as if the output does not depend on it."""
    if ctx.params["as_json"] and is_given(ctx, param.name):
        raise click.UsageError("--as is for people; --json prints all data")
    return shape


def json_of(puzzle: Puzzle, data: Mapping[str, Any]) -> str:
    """Return a JSON object: the board, the answer about it, the versions of all components."""
    settings = {"family": name_of(puzzle), **family_of(puzzle).to_data(puzzle)}
    return json_line({**settings, **data, "versions": versions()})


def description(what: str, result: Result) -> str:
    """Return the verdict of a board in a line, with remarks below it."""
    reason = f" ({result.reason})" if result.reason else ""
    by = f", {found_by(result.backend)}" if result.backend else ""
    lines = [f"{what}: {result.verdict.value}{reason}, {result.seconds:.3f} s{by}"]
    lines += [f"  remark: {text}" for text in map(remark_of, result.stages) if text]
    return "\n".join(lines)


def result_json(result: Result) -> str:
    """Return the JSON object of a verdict and its solutions."""
    return json_of(result.puzzle, result.to_data(with_puzzle=False))
