"""What the place where a picture goes can show."""

from __future__ import annotations

from typing import NamedTuple


class Style(NamedTuple):
    """What the place where the text goes can show.

    Args:
        ansi: 24-bit colours by escape codes.
        unicode: Block and box characters; else plain ASCII.
        width: Characters a line; None where lines may have any length.
    """

    ansi: bool = False
    unicode: bool = True
    width: int | None = None


PLAIN = Style()
