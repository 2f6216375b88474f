"""The puzzles that a command line names, each with its name for users."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import click

from nonosat import formats
from nonosat.cli import message_of
from nonosat.cli._options import LIMITS
from nonosat.cli._progress import Working
from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError, path_text, printable
from nonosat.core.limits import Limits
from nonosat.formats import MOST_COUNTED, number_of

SHOWN_IDS = 8  # listed if one must be chosen


class PuzzleItem(NamedTuple):
    """A puzzle and its file, or the error of reading it."""

    file: str
    puzzle: Any
    error: Exception | None = None
    read_s: float = 0.0  # wall seconds of the time limit spent on reading
    given: str | None = None  # file of marks that became given values of the puzzle

    @property
    def name(self) -> str:
        """The puzzle's id, after its file if the id is only a number; the file without a puzzle."""
        if self.puzzle is None:
            return path_text(self.file)
        own = printable(self.puzzle.about.id)
        return f"{path_text(self.file)}#{own}" if own.isdecimal() else own

    @property
    def data(self) -> dict[str, str]:
        """Keys of JSON data for the origin of the puzzle."""
        who = {} if self.puzzle is None else {"id": self.puzzle.about.id}
        return {**who, "file": self.file, **({"given_file": self.given} if self.given else {})}


def check_reading(format_: str | None, family: str | None) -> None:
    """Refuse unknown names, once for all files."""
    try:
        if format_:
            plugins.find("formats", format_)
        if family:
            plugins.find("puzzles", family)
    except UnsupportedError as error:
        raise click.UsageError(message_of(error)) from None


def items_of(
    sources: Sequence[str],
    format_: str | None,
    family: str | None = None,
    params: Mapping[str, Any] | None = None,
    *,
    is_single: bool = False,
) -> list[PuzzleItem]:
    """Return every puzzle of every source in order; a puzzle with an error is an item, too.

    Args:
        sources: Files, folders, FILE#ID, or "-" for standard input.
        format_: Format of all of them; None to detect it for each.
        family: Family of all of them; None to detect it for each.
        params: Values of a command's options, including `time_limit_s` and `memory_limit_mib` if
            reading has limits.
        is_single: True if the caller refuses several puzzles: reading ends after the number of
            puzzles that its message lists.
    """
    check_reading(format_, family)
    items: list[PuzzleItem] = []
    with Working("reading puzzles") as work:
        limits = Limits(*(params[name] for name in LIMITS)) if params else None
        for file, item, spent in formats.iter_timed(sources, format_, family, limits):
            is_bad = isinstance(item, Exception)
            items.append(
                PuzzleItem(file, None, item) if is_bad else PuzzleItem(file, item, read_s=spent)
            )
            work.doing(printable(file), len(items))
            if is_single and len(items) > formats.MOST_COUNTED:
                break
    return items


def the_item(
    sources: str | Sequence[str],
    format_: str | None = None,
    family: str | None = None,
    params: Mapping[str, Any] | None = None,
) -> PuzzleItem:
    """Return the only puzzle of a command line.

    Args:
        sources: One file, one FILE#ID, or "-" for standard input.
        format_: See `items_of`.
        family: See `items_of`.
        params: See `items_of`.

    Raises:
        FormatError: The puzzle cannot be read.
        LimitReached: A limit ended the reading.
        UsageError: There are several puzzles.
    """
    sources = [sources] if isinstance(sources, str) else sources
    items = items_of(sources, format_, family, params, is_single=True)
    if errors := [item.error for item in items if item.error is not None]:
        raise errors[0]
    if len(items) > 1:
        ids = ", ".join(printable(item.puzzle.about.id) for item in items[:SHOWN_IDS])
        num_more = "others" if len(items) > MOST_COUNTED else f"{len(items) - SHOWN_IDS} more"
        more = f" and {num_more}" if len(items) > SHOWN_IDS else ""
        files = {item.file for item in items}
        holder = f"{path_text(items[0].file)} holds " if len(files) == 1 else ""
        raise click.UsageError(
            f"{holder}{number_of(items)}, expected one; choose one as FILE#ID: {ids}{more}"
        )
    return items[0]


def check_single(items: Sequence[PuzzleItem], option: str) -> None:
    """Refuse several puzzles if an option supports only one."""
    if len(items) != 1:
        raise click.UsageError(
            f"{option} takes one puzzle, FILE has {number_of(items)}; pick one: FILE#ID"
        )
