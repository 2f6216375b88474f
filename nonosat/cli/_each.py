"""Loop of the commands that answer one question about every puzzle: `check`, `count`, ...

Each reply is shown immediately; an error of one puzzle does not hide the others.
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
from nonosat.cli._progress import ProgressIterator
from nonosat.cli._showing import made
from nonosat.cli._sources import PuzzleItem, check_single, items_of
from nonosat.core.errors import LimitReached, counted


def record(item: PuzzleItem, reply: Any) -> dict[str, Any]:
    """Return the reply for a puzzle as JSON data, with the puzzle's id and file."""
    return {**item.data, **reply.to_data(with_puzzle=False)}


class Question(NamedTuple):
    """A command's question about a puzzle: computation and output of the reply.

    Args:
        query: Function that returns the reply for one puzzle.
        status: Function that returns the exit status of a reply.
        text: Function that returns the reply for people. The loop prints a blank line before a
            reply of several lines.
        data: Function that returns the reply as JSON data.
        drawn: Function that returns the object that --svg draws.
        word: Function that returns the verdict in a word, counted in the last line; None for no
            such line.
        opened: Context manager of resources that all puzzles share.
    """

    query: Callable[[PuzzleItem], Any]
    status: Callable[[Any], int]
    text: Callable[[PuzzleItem, Any], str]
    data: Callable[[PuzzleItem, Any], dict[str, Any]] = record
    drawn: Callable[[Any], Any] = lambda reply: reply
    word: Callable[[Any], str] | None = None
    opened: Callable[[Sequence[PuzzleItem]], AbstractContextManager[object]] = nullcontext


class _PuzzleLoop:
    """The loop over the puzzles of a command line.

    Attributes:
        statuses: Exit statuses of the puzzles so far.
    """

    def __init__(self, question: Question, params: Mapping[str, Any]) -> None:
        self.statuses: list[int] = []
        self._question = question
        self._params = params
        self._words = Counter[str]()

    def put(self, item: PuzzleItem, bar: ProgressIterator[PuzzleItem]) -> None:
        """Compute and show the reply for one puzzle, or report an error."""
        question, params = self._question, self._params
        try:
            if item.error is not None:
                raise item.error
            started = perf_counter() - item.read_s
            reply = question.query(item)
            text = made(params, started, reply, partial(self._content, item, reply))
        except BrokenPipeError:  # standard output was closed
            raise
        except Exception as error:
            with bar.hidden():
                self._refuse(item, error)
            return
        is_apart = not params["as_json"] and (question.word is not None or "\n" in text)
        text = "\n" * (is_apart and bool(self.statuses)) + text
        # Before it is printed: an interrupt must not leave out a puzzle whose reply is visible.
        self.statuses.append(question.status(reply))
        if question.word is not None:
            self._words[question.word(reply)] += 1
        with bar.hidden():
            click.echo(text)
        if params.get("svg") is not None:
            made(params, started, reply, partial(draw, params["svg"], question.drawn(reply)))

    def _content(self, item: PuzzleItem, reply: object) -> str:
        """Return the printed form of a reply."""
        if not self._params["as_json"]:
            return self._question.text(item, reply)

        return json_line(self._question.data(item, reply))

    def _refuse(self, item: PuzzleItem, error: Exception) -> None:
        """Report the error of one puzzle."""
        if self._params["as_json"]:
            from nonosat.cli._output import error_data, print_json

            print_json({**item.data, **error_data(error)})
        self.statuses.append(report(error, "" if error is item.error else item.name))
        self._words["unknown" if isinstance(error, LimitReached) else "failed"] += 1

    def summary(self) -> None:
        """Print how many puzzles have each verdict, if there are several."""
        total = len(self.statuses)
        if self._question.word is not None and not self._params["as_json"] and total > 1:
            counts = ", ".join(f"{count} {word}" for word, count in self._words.most_common())
            click.echo(f"\n{counted(total, 'puzzle')}: {counts}")

    def interrupted(self, num_items: int) -> int:
        """Report the progress so far; return the exit status."""
        verb = "done" if self._question.word is None else "decided"
        done = f"{len(self.statuses)} of {counted(num_items, 'puzzle')} {verb}"
        journal = self._params.get("journal")
        kept = f"; finished cubes are in {journal}, --resume continues" if journal else ""
        click.echo(f"nonosat: interrupted, {done}{kept}", err=True)
        return INTERRUPTED


def each(question: Question, params: Mapping[str, Any]) -> int:
    """Answer the question for every puzzle of a command line; return the exit status.

    Args:
        question: The question.
        params: Values of `of_each_puzzle`, and further values of the command.
    """
    single = [name for name in ("svg", "journal") if params.get(name) is not None]
    files, is_single = params["files"], bool(single)
    items = items_of(files, params["format_"], params["family"], params, is_single=is_single)
    if params.get("given") is not None:
        items = with_marks(items, params)
    for name in single:
        check_single(items, f"--{name}")
    run = _PuzzleLoop(question, params)
    command = click.get_current_context().info_name or ""
    try:
        with question.opened(items):
            try:
                with ProgressIterator(items, command, lambda item: item.name) as bar:
                    for item in bar:
                        run.put(item, bar)
            except KeyboardInterrupt:
                if not run.statuses:  # otherwise the opened resource keeps finished results
                    raise
                return run.interrupted(len(items))
    except KeyboardInterrupt:
        return run.interrupted(len(items))
    run.summary()
    return exit_status(run.statuses)
