"""Styles: the characters and colours that a terminal, a pipe or a file can show."""

from __future__ import annotations

from typing import NamedTuple


class Style(NamedTuple):
    """The characters and colours that a terminal, a pipe or a file can show.

    Args:
        ansi: 24-bit colours by escape codes.
        unicode: Block and box characters; else plain ASCII.
        width: Characters per line; None if lines may have any length.
    """

    ansi: bool = False
    unicode: bool = True
    width: int | None = None

    def too_wide(self, what: str, width: int) -> str:
        """Return a line to print in place of text that is wider than the terminal; "" if it fits.

        Args:
            what: Name of the text, as "the board".
            width: Characters of its longest line.
        """
        if self.width is None or width <= self.width:
            return ""
        return (
            f"({what} is {width} characters wide, the terminal {self.width}; "
            "a pipe into `less -S` or a file gets it whole, an SVG or PDF draws it)"
        )


PLAIN = Style()
