"""A count as the clauses of an encoding, for CP-SAT as a SAT solver with its own presolve.

`booleans` takes the default encoding, `booleans:NAME` any other. Whether auxiliary variables are
determined, and how many there are, is the encoding's to say.

Source: that of the encoding.
"""

from __future__ import annotations

from typing import Any

from nonosat import plugins
from nonosat.formulations._clauses import add_encoded
from nonosat.model import Count

SUMMARY = "the clauses of an encoding; booleans:NAME for another than the default one"
SOURCE = "that of the encoding"
TAKES_ARGUMENT = True


def check_argument(argument: str) -> None:
    """Raises UnsupportedError when no encoding has that name."""
    plugins.find("encodings", f"count-{argument}")


def formulate(count: Count, context: Any, argument: str = "") -> None:
    """Add the count to the `formulations.Context`."""
    add_encoded("count", argument, count, context)
