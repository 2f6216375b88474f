"""JSON data common to replies of all families: lines of a board, legends, contradictions.

A line is {"row": 3} or {"column": 3}. These numbers count from 0; only the sentences count from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nonosat.core.presenting import Data
from nonosat.explain.explainers import explainer_of


def line_data(puzzle: Any, line: int) -> Data:
    """Return {"row": index} or {"column": index} for the number of a line, rows first."""
    is_row = line < puzzle.height
    return {"row": line} if is_row else {"column": line - puzzle.height}


def line_of(puzzle: Any, data: Mapping[str, Any]) -> int:
    """Return the number of a line, rows first, from data of `line_data`."""
    line = data["row"] if "row" in data else puzzle.height + data["column"]
    if type(line) is not int:
        raise TypeError(f"{line!r} is not a line")
    return line


def legend_data(puzzle: Any) -> Data:
    """Return the meaning of the symbols, if they need a legend."""
    legend = getattr(puzzle, "legend", None)
    return {"legend": legend} if legend else {}


def contradiction_data(found: Any) -> Data:
    """Return {"contradiction": ...} for a reply; {} if the reply has no contradiction."""
    return {} if found is None else {"contradiction": found.to_data(with_puzzle=False)}


def contradiction_in(data: Mapping[str, Any], puzzle: Any) -> Any:
    """Return the contradiction in the data of a reply; None if it has none."""
    found = data.get("contradiction")
    if found is None:
        return None
    of = explainer_of(puzzle).contradiction_of
    if of is None:
        raise ValueError("a contradiction, of which this family has none")
    return of(found, puzzle)
