"""The loop of commands that ask one question of puzzle after puzzle: `check`, `count`, ...

Each reply is shown as soon as it is there; an error of one puzzle does not hide the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

import click

from nonosat.cli import INTERRUPTED, exit_status, report
from nonosat.cli._files import draw
from nonosat.cli._given import with_marks
from nonosat.cli._output import json_line
from nonosat.cli._progress import Progress
from nonosat.cli._showing import made
from nonosat.cli._sources import Item, check_single, items_of
from nonosat.core.errors import LimitReached, counted


def record(item: Item, reply: Any) -> dict[str, Any]:
    """Return a reply as JSON data."""
    return {**item.data, **reply.to_data(with_puzzle=False)}


class Question(NamedTuple):
    """A question, and what to do with its reply.

    Args:
        ask: Gives the reply for one puzzle.
        status: The exit status that a reply means.
        text: The reply for people; a picture stands apart from the puzzle before.
        data: The reply as JSON data.
        drawn: What --svg draws of the reply.
        word: The verdict in a word, which the last line counts; None for no such line.
        opened: Holds open what all puzzles need.
    """

    ask: Callable[[Item], Any]
    status: Callable[[Any], int]
    text: Callable[[Item, Any], str]
    data: Callable[[Item, Any], dict[str, Any]] = record
    drawn: Callable[[Any], Any] = lambda reply: reply
    word: Callable[[Any], str] | None = None
    opened: Callable[[Sequence[Item]], AbstractContextManager[object]] = nullcontext


class _Run:
    """A question put to the puzzles of a command line.

    Attributes:
        statuses: Exit statuses of the puzzles so far.
    """

    def __init__(self, question: Question, asked: Mapping[str, Any]) -> None:
        self.statuses: list[int] = []
        self._question = question
        self._asked = asked
        self._words = Counter[str]()

    def put(self, item: Item, bar: Progress[Item]) -> None:
        """Put the question to one puzzle and show the reply, or tell why there is none."""
        question, asked = self._question, self._asked
        try:
            if item.error is not None:
                raise item.error
            started = perf_counter() - item.read_s
            reply = question.ask(item)
            text = made(asked, started, reply, partial(self._content, item, reply))
        except BrokenPipeError:  # of standard output
            raise
        except Exception as error:
            with bar.hidden():
                self._refuse(item, error)
            return
        with bar.hidden():
            is_apart = not asked["as_json"] and (question.word is not None or "\n" in text)
            click.echo("\n" * (is_apart and bool(self.statuses)) + text)
        self.statuses.append(question.status(reply))
        if question.word is not None:
            self._words[question.word(reply)] += 1
        if asked.get("svg") is not None:
            made(asked, started, reply, partial(draw, asked["svg"], question.drawn(reply)))

    def _content(self, item: Item, reply: Any) -> str:
        """Return what is printed of a reply."""
        if not self._asked["as_json"]:
            return self._question.text(item, reply)

        return json_line(self._question.data(item, reply))

    def _refuse(self, item: Item, error: Exception) -> None:
        """Report the error of one puzzle."""
        if self._asked["as_json"]:
            from nonosat.cli._output import error_data, print_json

            print_json({**item.data, **error_data(error)})
        self.statuses.append(report(error, "" if error is item.error else item.name))
        self._words["unknown" if isinstance(error, LimitReached) else "failed"] += 1

    def summary(self) -> None:
        """Print how many puzzles have each verdict, if there are several."""
        total = len(self.statuses)
        if self._question.word is not None and not self._asked["as_json"] and total > 1:
            counts = ", ".join(f"{count} {word}" for word, count in self._words.most_common())
            click.echo(f"\n{counted(total, 'puzzle')}: {counts}")

    def interrupted(self, num_items: int) -> int:
        """Tell how far it has come; return the exit status."""
        verb = "done" if self._question.word is None else "decided"
        done = f"{len(self.statuses)} of {counted(num_items, 'puzzle')} {verb}"
        journal = self._asked.get("journal")
        kept = f"; {journal} has the cubes that are, --resume goes on" if journal else ""
        click.echo(f"nonosat: interrupted, {done}{kept}", err=True)
        return INTERRUPTED


def each(question: Question, asked: Mapping[str, Any]) -> int:
    """Put the question to every puzzle that a command line names; return the exit status.

    Args:
        question: The question.
        asked: Values of `of_each_puzzle`, and others that the command has.
    """
    single = [name for name in ("svg", "journal") if asked.get(name) is not None]
    files, is_single = asked["files"], bool(single)
    items = items_of(files, asked["format_"], asked["family"], asked, is_single=is_single)
    if asked.get("given") is not None:
        items = with_marks(items, asked)
    for name in single:
        check_single(items, f"--{name}")
    run = _Run(question, asked)
    command = click.get_current_context().info_name or ""
    try:
        with question.opened(items):
            try:
                with Progress(items, command, lambda item: item.name) as bar:
                    for item in bar:
                        run.put(item, bar)
            except KeyboardInterrupt:
                if not run.statuses:  # otherwise what was opened keeps what is done
                    raise
                return run.interrupted(len(items))
    except KeyboardInterrupt:
        return run.interrupted(len(items))
    run.summary()
    return exit_status(run.statuses)
