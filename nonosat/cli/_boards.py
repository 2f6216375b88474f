"""What the commands share that make a board of their arguments: its files, picture, JSON object."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from nonosat.result import Result

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


def decorated(*options: Callable[[Any], Any]) -> Callable[[F], F]:
    """All of these parameters, in this order in the help."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def read_from(file: str, read: Callable[[bytes], T]) -> T:
    """What `read` makes of a file, or of standard input; errors name it."""
    from nonosat.errors import FormatError
    from nonosat.formats._sources import content

    try:
        return read(content(file))
    except FormatError as error:
        error.path = file
        raise


def check_picture(svg: str | None) -> None:
    """Refuse early to write over a file."""
    if svg is not None and Path(svg).exists():
        raise click.UsageError(f"{svg} exists; choose another name")


def draw(file: str, result: Result) -> None:
    """Write the picture of the first solution, or of the board without one."""
    from nonosat import render
    from nonosat.cli.convert import write_atomically

    write_atomically(Path(file), f"{render.result_svg(result)}\n".encode())


def print_json(puzzle: Any, data: Mapping[str, Any]) -> None:
    """One object: the board, what was found of it, the versions of all that took part."""
    import json

    from nonosat.families import family_of
    from nonosat.versions import versions

    told = {"family": puzzle.family, **family_of(puzzle).to_data(puzzle)}
    click.echo(json.dumps({**told, **data, "versions": versions()}))


def print_result(result: Result) -> None:
    """The same of a verdict and its solutions."""
    from nonosat.deciding import options_data, result_data

    print_json(result.puzzle, {**result_data(result), "options": options_data(result.options)})
