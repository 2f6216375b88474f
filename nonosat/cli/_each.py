"""What `count` and `backbone` share: one puzzle after another, each shown as soon as it is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli import BAD_INPUT, INTERRUPTED, report
from nonosat.cli._progress import progress_over
from nonosat.cli._sources import Item, items_of

if TYPE_CHECKING:
    from nonosat.cli._output import Pictures, Records

Shown = tuple[int, str | dict[str, Any]]  # the exit status, and what is printed: text or JSON data


def each(
    files: Sequence[str], format_: str | None, as_json: bool, show: Callable[[Item], Shown]
) -> int:
    """Show something of every puzzle.

    Args:
        files: What the command line names.
        format_: Format of all of them; None to find out for each.
        as_json: Whether an error is printed as a JSON object, too.
        show: Works on one puzzle.

    Returns:
        The exit status.
    """
    from nonosat import plugins
    from nonosat.cli._output import Pictures, Records
    from nonosat.errors import UnsupportedError

    try:
        if format_:
            plugins.find("formats", format_)
    except UnsupportedError as error:
        raise click.UsageError(str(error)) from None
    items = items_of(files, format_)
    output = Records() if as_json else Pictures(every=False)
    statuses: list[int] = []
    try:
        with progress_over(items) as bar:
            for item in bar:
                shown = _worked(item, show)
                with bar.hidden():
                    statuses.append(_print(item, shown, output))
    except KeyboardInterrupt:
        done = f"{len(statuses)} of {len(items)} puzzles were done"
        click.echo(f"nonosat: interrupted, {done}", err=True)
        return INTERRUPTED
    return BAD_INPUT if BAD_INPUT in statuses else max(statuses)


def _worked(item: Item, show: Callable[[Item], Shown]) -> Shown | Exception:
    """What is to be printed, or what went wrong."""
    try:
        if item.error is not None:
            raise item.error
        return show(item)
    except Exception as error:
        return error


def _print(item: Item, shown: Shown | Exception, output: Pictures | Records) -> int:
    """Print it; returns the exit status that it means."""
    if isinstance(shown, Exception):
        output.error(item, shown)
        return report(shown, "" if shown is item.error else item.name)
    status, what = shown
    if isinstance(what, dict):
        import json

        click.echo(json.dumps(what))
    else:
        click.echo(what)
    return status
