"""What commands share that ask one question of puzzle after puzzle: `count`, `backbone`, ...

Each answer is shown as soon as it is there; what is wrong with one puzzle does not hide the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from nonosat.cli import BAD_INPUT, INTERRUPTED, report
from nonosat.cli._progress import Progress
from nonosat.cli._sources import Item, items_of
from nonosat.errors import counted

if TYPE_CHECKING:
    from nonosat.questions.backbones import BackboneResult
    from nonosat.questions.counting import CountResult

Shown = tuple[int, str | dict[str, Any]]  # the exit status, and what is printed: text or JSON data


class Question(NamedTuple):
    """A question, and what to do with its answer.

    Args:
        ask: The answer for one puzzle.
        status: The exit status that an answer means.
        text: What is printed of it for people; a picture stands apart from the puzzle before.
        data: What is printed of it for programs.
    """

    ask: Callable[[Item], Any]
    status: Callable[[Any], int]
    text: Callable[[Item, Any], str]
    data: Callable[[Item, Any], Mapping[str, Any]]


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


def work_data(found: CountResult | BackboneResult) -> dict[str, Any]:
    """How an answer was found, as JSON data; `reason` only where there is one."""
    from nonosat.batch.deciding import stage_data
    from nonosat.versions import versions

    data = {
        "seconds": round(found.seconds, 6),
        "stages": [stage_data(stage) for stage in found.stages],
        "options": {
            "time_limit_s": found.limits.time_s,
            "memory_limit_mib": found.limits.memory_mib,
        },
        "versions": versions(),
    }
    return data | ({"reason": found.reason} if found.reason else {})


def _shown(question: Question, item: Item, as_json: bool) -> Shown | Exception:
    """What is to be printed, or what went wrong."""
    try:
        if item.error is not None:
            raise item.error
        found = question.ask(item)
        if as_json:
            return question.status(found), {**item.data, **question.data(item, found)}
        return question.status(found), question.text(item, found)
    except Exception as error:
        return error


def _print(item: Item, shown: Shown | Exception, as_json: bool, is_first: bool) -> int:
    """Print it; returns the exit status that it means."""
    from nonosat.cli._output import Records, print_json

    if isinstance(shown, Exception):
        if as_json:
            Records().error(item, shown)
        return report(shown, "" if shown is item.error else item.name)
    status, what = shown
    if isinstance(what, dict):
        print_json(what)
    else:
        click.echo("\n" * ("\n" in what and not is_first) + what)
    return status
