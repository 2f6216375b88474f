"""Metadata of a puzzle: title, author, source and the like."""

from __future__ import annotations

from dataclasses import dataclass

from nonosat.core.presenting import quickly_pickled

_ONE_LINE = ("id", "title", "author", "copyright", "license", "source")
_BLANKS = str.maketrans("\n\t", "  ")


@quickly_pickled
@dataclass(frozen=True, slots=True)
class About:
    """Metadata of a puzzle; an empty string means unknown.

    All fields except the description hold one line: line breaks and tabs in them become blanks.

    >>> nonosat.nonogram([[1]], [[1]], title="a dot", author="me").about.title
    'a dot'
    """

    id: str = ""
    title: str = ""
    author: str = ""
    copyright: str = ""
    license: str = ""
    source: str = ""
    description: str = ""

    def __post_init__(self) -> None:
        for name in _ONE_LINE:
            text = getattr(self, name)
            if "\n" in text or "\t" in text:
                object.__setattr__(self, name, text.translate(_BLANKS))


NOTHING_KNOWN = About()
