"""Opening a studio: what it begins with, its address, a browser."""

from __future__ import annotations

import threading
import webbrowser
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import nonosat
from nonosat.formats import share
from nonosat.studio import wire

LONGEST = 30  # cells of the longer side of an image's picture, until somebody chooses another size


def run(
    source: str | None,
    *,
    port: int | None,
    memory_limit_mib: int,
    browse: bool,
    say: Callable[[str], object],
) -> None:
    """Open a studio, and answer until a signal ends it.

    Args:
        source: What it begins with: a file, an image, or a text that holds a puzzle.
        port: Where it is; 0 for a free one, None for the usual one, or a free one.
        memory_limit_mib: Of each process that works for it.
        browse: Whether to open a browser.
        say: Is told the address, in a line.

    Raises:
        NonosatError: There is no such puzzle, the port is in use, or packages are missing.
    """
    try:
        import websockets  # noqa: F401  # uvicorn itself imports it when the first socket opens

        from nonosat.studio.server import Studio, Wanted
    except ImportError as error:
        what = f"the studio needs packages that are not there ({error})"
        raise nonosat.UnsupportedError(f"{what}; pip install 'nonosat[studio]'") from error
    first = None if source is None else wire.sent_of(puzzle_of(source))
    # Somebody who was sent a puzzle wants to play it, not to see its picture.
    mode = "play" if source is not None and share.sniff(source.encode()) else None
    studio = Studio(Wanted(port, first, mode, memory_limit_mib))
    with closing(studio):
        say(f"nonosat studio: {studio.address} (Ctrl-C ends it)")
        if browse:  # in a thread: a browser in the terminal keeps it until it ends
            threading.Thread(target=webbrowser.open, args=(studio.address,), daemon=True).start()
        studio.serve()


def puzzle_of(source: str) -> Any:
    """The puzzle of a file, an image or a text. Raises FormatError: It is none of them."""
    try:
        puzzle = nonosat.load(source)
    except nonosat.FormatError as error:
        puzzle = _picture(source) if Path(source).is_file() else _text(source)
        if puzzle is None:
            raise error from None
    wire.check_room(puzzle)
    return puzzle


def _picture(source: str) -> Any:
    """The picture of an image; None for another file."""
    try:
        puzzle = nonosat.from_image(source, columns=LONGEST, title=Path(source).stem)
        if puzzle.height > LONGEST:
            puzzle = nonosat.from_image(source, rows=LONGEST, title=Path(source).stem)
    except nonosat.FormatError:
        return None
    return puzzle


def _text(source: str) -> Any:
    """The puzzle of a text; None where there is none."""
    try:
        return nonosat.loads(source)
    except nonosat.FormatError:
        return None
