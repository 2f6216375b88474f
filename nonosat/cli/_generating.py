"""What the commands that make puzzles share: where they write, and how."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli import UNKNOWN
from nonosat.cli._files import STDOUT, force_option, format_for, new_file, write
from nonosat.cli._options import decorated
from nonosat.cli._progress import Progress
from nonosat.core.errors import counted

if TYPE_CHECKING:
    from nonosat.core.plugins import Puzzle


def out(default: str) -> Callable[[Any], Any]:
    """-o, --to and --force; `default` is what standard output gets."""
    return decorated(
        click.option(
            "-o",
            "--output",
            "out",
            metavar="OUT",
            default=STDOUT,
            callback=new_file(),
            help="Where to write; the suffix says the format. - is standard output.",
            show_default=True,
        ),
        click.option(
            "--to",
            metavar="FORMAT",
            help=f"Format of OUT or of standard output (there {default} otherwise).",
        ),
        force_option,
    )


def generated(
    make: Callable[[int], Puzzle], numbers: Sequence[int], out: str, to: str | None, usual: str
) -> int:
    """Make a puzzle of each number and write them all; returns the exit status.

    Args:
        make: Makes one.
        numbers: What it takes.
        out: The file, or standard output.
        to: The format; None for that of the file's suffix.
        usual: The format for standard output.
    """
    from nonosat import formats
    from nonosat.core.errors import LimitReached

    format_ = format_for(out, to, usual, len(numbers))
    try:
        with Progress(numbers, "generate") as bar:
            made = [make(each) for each in bar]
    except LimitReached as limit:
        click.echo(f"nonosat: {limit}: nothing is written", err=True)
        return UNKNOWN
    write(out, formats.write(made, format_), counted(len(made), "puzzle"))
    return 0
