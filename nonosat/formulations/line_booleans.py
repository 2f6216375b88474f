"""A line as the clauses of an encoding, for CP-SAT as a SAT solver with its own presolve.

`booleans` takes the default encoding, `booleans:NAME` any other. Whether auxiliary variables are
determined, and how many there are, is the encoding's to say.

Source: that of the encoding.
"""

from __future__ import annotations

from typing import Any

from nonosat import plugins
from nonosat.formulations._clauses import add_encoded
from nonosat.model import Line

SUMMARY = "the clauses of an encoding; booleans:NAME for another than the default one"
SOURCE = "that of the encoding"
TAKES_ARGUMENT = True


def check_argument(argument: str) -> None:
    """Raises UnsupportedError when no encoding has that name."""
    plugins.find("encodings", f"line-{argument}")


def formulate(line: Line, context: Any, argument: str = "") -> None:
    """Add the line to the `formulations.Context`."""
    add_encoded("line", argument, line, context)
