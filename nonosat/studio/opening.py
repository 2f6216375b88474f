"""Start of a studio: the initial puzzle, the address, the browser."""

from __future__ import annotations

import re
import threading
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import nonosat
from nonosat.core.errors import install_command, path_text, printable
from nonosat.formats import MOST_COUNTED, share
from nonosat.processes.interruption import Deferred
from nonosat.studio import wire

SHOWN_FAMILIES = ("nonogram", "slitherlink")
SHOWN_IDS = 8  # listed if one must be chosen
LONGEST = 30  # cells of the longer side of an image's picture, until another size is chosen


def run(
    source: str | None,
    *,
    port: int | None,
    memory_limit_mib: int,
    browse: bool,
    report: Callable[[str], object],
) -> None:
    """Open a studio, and serve it until a signal ends it.

    Args:
        source: Initial puzzle: a file, an image, or a text that holds a puzzle.
        port: Port of the server; 0 for a free one; None for the usual one, or a free one if that
            is in use.
        memory_limit_mib: Memory of each worker process.
        browse: True to open a browser.
        report: Function that receives the address, in a line.

    Raises:
        NonosatError: There is no such puzzle, the port is in use, or packages are missing.
    """
    try:
        import websockets  # noqa: F401  # uvicorn itself imports it when the first socket opens

        from nonosat.studio.server import Studio, StudioOptions
    except ImportError as error:
        what = f"the studio needs packages that are not there ({error})"
        raise nonosat.UnsupportedError(f"{what}; {install_command('studio')}") from error
    first = None if source is None else wire.sent_of(puzzle_of(source))
    # A shared text is opened for playing; a nonogram from a file is opened for editing.
    mode = "play" if source is not None and share.sniff(source.encode()) else None
    with Deferred() as signals:
        studio = Studio(StudioOptions(port, first, mode, memory_limit_mib))
        with closing(studio):
            signals.stop_by(studio.stop)
            report(f"nonosat studio: {studio.address} (Ctrl-C ends it)")
            if browse:  # in a thread: a browser in the terminal blocks until it ends
                opened = (studio.address,)
                threading.Thread(target=webbrowser.open, args=opened, daemon=True).start()
            studio.serve()


def puzzle_of(source: str) -> Any:
    """Return the puzzle of a file, an image or a text.

    Raises:
        FormatError: `source` is none of these.
        UnsupportedError: The page does not support the puzzle's family.
    """
    try:
        puzzles = nonosat.load_all(source, max_puzzles=MOST_COUNTED)
    except nonosat.FormatError as error:
        is_named = any(map(_is_there, (source, source.partition("#")[0])))
        puzzle = _picture(source) if is_named else _text(source)
        if puzzle is None:
            raise error from None
    else:
        puzzle = _only(puzzles, source)
    if puzzle.family not in SHOWN_FAMILIES:
        raise nonosat.UnsupportedError(
            f"{printable(source, 60)}: a puzzle of the family {puzzle.family} ({puzzle.size}); the "
            "studio draws, plays and explains nonograms and Slitherlinks; nonosat solve FILE "
            "solves this one, nonosat render FILE -o board.svg draws it"
        )
    wire.check_room(puzzle)
    return puzzle


def _is_there(name: str) -> bool:
    """Return True if there is a file or a folder of this name."""
    try:
        return bool(name) and Path(name).exists()
    except OSError:  # too long for a name, as texts are
        return False


def _only(puzzles: Sequence[Any], source: str) -> Any:
    """Return the only puzzle of a file."""
    if len(puzzles) == 1:
        return puzzles[0]
    ids = ", ".join(printable(puzzle.about.id) for puzzle in puzzles[:SHOWN_IDS])
    more = ", ..." if len(puzzles) > SHOWN_IDS else ""
    raise nonosat.FormatError(
        f"{len(puzzles)} puzzles, expected one; choose one as FILE#ID ({ids}{more}), or open the "
        "file in the studio, which lists them",
        path=path_text(source),
    )


def _picture(source: str) -> Any:
    """Return the picture of an image; None for other files."""
    if not Path(source).is_file():
        return None
    try:
        puzzle = nonosat.from_image(source, columns=LONGEST, title=Path(source).stem)
        if puzzle.height > LONGEST:
            puzzle = nonosat.from_image(source, rows=LONGEST, title=Path(source).stem)
    except nonosat.FormatError:
        return None
    return puzzle


def _text(source: str) -> Any:
    """Return the puzzle of a text; None if it is probably the name of a file.

    Raises:
        FormatError: The text holds no puzzle, but has blanks, which most names of files lack.
    """
    try:
        return nonosat.loads(source)
    except nonosat.FormatError as error:
        if not re.search(r"\s", source):
            return None
        raise nonosat.FormatError(
            f"no such file, and as a text it holds no puzzle: {error.fact()}; clues have the "
            "headings 'rows' and 'columns'",
            path=printable(source, 60),
        ) from None
