"""What is known of a puzzle beside what there is to solve."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class About:
    """Where a puzzle comes from; empty strings where nothing is known.

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


NOTHING_KNOWN = About()
