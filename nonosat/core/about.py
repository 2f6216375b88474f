"""What is known of a puzzle beside what there is to solve."""

from __future__ import annotations

from dataclasses import dataclass

from nonosat.core.presenting import quickly_pickled

_ONE_LINE = ("id", "title", "author", "copyright", "license", "source")
_BLANKS = str.maketrans("\n\t", "  ")


@quickly_pickled
@dataclass(frozen=True, slots=True)
class About:
    """Where a puzzle comes from; empty strings where nothing is known.

    Each but the description is one line: line breaks and tabs in it become blanks.

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
