"""Styles: the characters and colours that a terminal, a pipe or a file can show."""

from __future__ import annotations

from typing import NamedTuple


class Style(NamedTuple):
    """The characters and colours that a terminal, a pipe or a file can show.

    Args:
        ansi: 24-bit colours by escape codes.
        unicode: Block and box characters; else plain ASCII.
        width: Characters a line; None where lines may have any length.
    """

    ansi: bool = False
    unicode: bool = True
    width: int | None = None


PLAIN = Style()
