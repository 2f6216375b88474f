"""Files that are no results of a benchmark: which command wrote them, for messages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nonosat.errors import FormatError

_WRITTEN_BY = "written by `nonosat {}`"


def origin(data: Mapping[str, Any]) -> str | None:
    """What an object is and which command writes such objects; None where that is not known."""
    kind = data.get("kind")
    if kind == "result" or (kind == "header" and "options_sha256" in data):
        return _WRITTEN_BY.format("batch")
    if kind is not None:
        return None
    if "cover" in data:
        return f"{_WRITTEN_BY.format('solve')} or `check` with --cover"
    if "verdict" in data:
        return "what a command prints with --json"
    if {"rows", "columns", "family"} & data.keys():
        return "a puzzle"
    return None


def origin_of_file(path: Path) -> str | None:
    """The same of a file, by its first line."""
    try:
        with path.open("rb") as stream:
            data = json.loads(stream.readline())
    except (OSError, ValueError, RecursionError):
        return None
    return origin(data) if isinstance(data, dict) else None


def refuse(data: Mapping[str, Any], path: str, line: int) -> None:
    """Raise a FormatError where the object is known to be no record of `bench run`."""
    if found := origin(data):
        expected = "results, which `nonosat bench run SUITE.toml -o FILE` writes"
        raise FormatError(f"this is {found}; expected {expected}", path=path, line=line)
