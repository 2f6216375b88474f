"""The option --given MARKS of the commands that decide and count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from nonosat.cli._files import read_from
from nonosat.cli._sources import PuzzleItem, check_single

given_option = click.option(
    "--given",
    metavar="MARKS",
    help="Known cells, edges, queens or moves, which every solution must have: a file as `hint`, "
    "`queens` and `knight` read it, or a printed solution; - is standard input.",
)


def with_marks(items: Sequence[PuzzleItem], params: Mapping[str, Any]) -> list[PuzzleItem]:
    """Return the items with the marks of --given; FILE must hold one puzzle.

    Args:
        items: The puzzles.
        params: Values of the command, `given` and `files` among them; `partial`, if there is one
            and it is the option that names the file.

    Raises:
        UsageError: There are several puzzles, or standard input is both files.
        FormatError: The file is not a state of the puzzle.
        UnsupportedError: The family has no marks, or none for `partial`.
    """
    file = params["given"]
    if file is None:
        return list(items)
    option = "--given" if params.get("partial") is None else "--partial"
    if file == "-" and "-" in params["files"]:
        raise click.UsageError(f"standard input is read only once; FILE or {option} must be a file")
    check_single(items, option)
    (item,) = items
    if option == "--partial" and item.error is None:
        from nonosat.questions.partial import check_family

        check_family(item.puzzle)  # before the file, perhaps a pipe, is read
    return [item if item.error is not None else marked_item(item, file)]


def marked_item(item: PuzzleItem, file: str) -> PuzzleItem:
    """Return the item with the marks of a file.

    Raises:
        FormatError: The file is not a state of the puzzle.
    """
    from nonosat.explain.explainers import marked  # slow import: all techniques

    puzzle = read_from(file, lambda data: marked(item.puzzle, data))
    return item._replace(puzzle=puzzle, given=file)
