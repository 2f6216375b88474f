"""Commands that ask one question of puzzle after puzzle share this: `count`, `backbone`, ...

Each reply is shown as soon as it is there; an error of one puzzle does not hide the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any, NamedTuple

import click

from nonosat.cli import BAD_INPUT, INTERRUPTED, report
from nonosat.cli._files import draw
from nonosat.cli._given import with_marks
from nonosat.cli._output import Records, json_line
from nonosat.cli._progress import Progress
from nonosat.cli._showing import made
from nonosat.cli._sources import Item, check_single, items_of
from nonosat.core.errors import counted

Shown = tuple[int, str]  # exit status, and what is printed


class Question(NamedTuple):
    """A question, and what to do with its reply.

    Args:
        ask: Gives the reply for one puzzle, whose data and picture are its own.
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
        asked: Values of `of_each_puzzle`, and `svg` where there is that option.
    """
    is_single = asked.get("svg") is not None
    items = items_of(asked["files"], asked["format_"], asked["family"], asked, is_single=is_single)
    items = with_marks(items, asked) if asked.get("given") is not None else items
    if is_single:
        check_single(items, "--svg")
    statuses: list[int] = []
    try:
        with Progress(items, _command(), lambda item: item.name) as bar:
            for item in bar:
                shown = _shown(question, item, asked)
                with bar.hidden():
                    statuses.append(_print(item, shown, asked["as_json"], is_first=not statuses))
    except KeyboardInterrupt:
        done = f"{len(statuses)} of {counted(len(items), 'puzzle')} done"
        click.echo(f"nonosat: interrupted, {done}", err=True)
        return INTERRUPTED
    return BAD_INPUT if BAD_INPUT in statuses else max(statuses)


def _command() -> str:
    return click.get_current_context().info_name or ""


def _shown(question: Question, item: Item, asked: Mapping[str, Any]) -> Shown | Exception:
    """The exit status and the text to print, or the error; the picture is drawn."""
    try:
        if item.error is not None:
            raise item.error
        started = perf_counter() - item.read_s
        reply = question.ask(item)

        def make() -> str:
            if asked.get("svg") is not None:
                draw(asked["svg"], reply)
            if asked["as_json"]:
                return json_line({**item.data, **reply.to_data(with_puzzle=False)})
            return question.text(item, reply)

        return question.status(reply), made(asked, started, reply, make)
    except BrokenPipeError:  # of standard output
        raise
    except Exception as error:
        return error


def _print(item: Item, shown: Shown | Exception, as_json: bool, is_first: bool) -> int:
    """Print it; returns the exit status that it means."""
    if isinstance(shown, Exception):
        if as_json:
            Records().error(item, shown)
        return report(shown, "" if shown is item.error else item.name)
    status, content = shown
    click.echo("\n" * ("\n" in content and not is_first) + content)
    return status
