"""Commands that ask one question of puzzle after puzzle share this: `count`, `backbone`, ...

Each reply is shown as soon as it is there; an error of one puzzle does not hide the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import click

from nonosat.cli import BAD_INPUT, INTERRUPTED, report
from nonosat.cli._progress import Progress
from nonosat.cli._sources import Item, items_of
from nonosat.errors import counted

Shown = tuple[int, str | dict[str, Any]]  # exit status, text or JSON data to print


class Question(NamedTuple):
    """A question, and what to do with its reply.

    Args:
        ask: Gives the reply for one puzzle; its data are for programs.
        status: The exit status that a reply means.
        text: The reply for people; a picture stands apart from the puzzle before.
    """

    ask: Callable[[Item], Any]
    status: Callable[[Any], int]
    text: Callable[[Item, Any], str]


def each(question: Question, asked: Mapping[str, Any]) -> int:
    """Ask the question of every puzzle that a command line names; returns the exit status.

    Args:
        question: The question.
        asked: Values of `of_each_puzzle`.
    """
    return each_of(
        question, items_of(asked["files"], asked["format_"], asked["family"]), asked["as_json"]
    )


def each_of(question: Question, items: Sequence[Item], as_json: bool) -> int:
    """Ask the question of every puzzle; returns the exit status."""
    statuses: list[int] = []
    try:
        with Progress(items) as bar:
            for item in bar:
                shown = _shown(question, item, as_json)
                with bar.hidden():
                    statuses.append(_print(item, shown, as_json, is_first=not statuses))
    except KeyboardInterrupt:
        done = f"{len(statuses)} of {counted(len(items), 'puzzle')} done"
        click.echo(f"nonosat: interrupted, {done}", err=True)
        return INTERRUPTED
    return BAD_INPUT if BAD_INPUT in statuses else max(statuses)


def _shown(question: Question, item: Item, as_json: bool) -> Shown | Exception:
    """The exit status and the text or data to print, or the error."""
    try:
        if item.error is not None:
            raise item.error
        reply = question.ask(item)
        if as_json:
            return question.status(reply), {**item.data, **reply.to_data(with_puzzle=False)}
        return question.status(reply), question.text(item, reply)
    except Exception as error:
        return error


def _print(item: Item, shown: Shown | Exception, as_json: bool, is_first: bool) -> int:
    """Print it; returns the exit status that it means."""
    from nonosat.cli._output import Records, print_json

    if isinstance(shown, Exception):
        if as_json:
            Records().error(item, shown)
        return report(shown, "" if shown is item.error else item.name)
    status, content = shown
    if isinstance(content, dict):
        print_json(content)
    else:
        click.echo("\n" * ("\n" in content and not is_first) + content)
    return status
