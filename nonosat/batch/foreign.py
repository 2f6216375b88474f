"""Recognition of result files that another command wrote, for messages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nonosat.core.errors import FormatError

# Commands that write results.
BATCH, BENCH, FUZZ = "nonosat batch", "nonosat bench run", "nonosat fuzz"


def origin(data: Mapping[str, Any]) -> str | None:
    """Return words on the command that writes such JSON objects; None if it is unknown."""
    kind = data.get("kind")
    if kind == "result" or (kind == "header" and "sources" in data):
        return f"written by `{BATCH}`"
    if kind == "run" or (kind == "header" and "suite" in data):
        return f"written by `{BENCH}`"
    if kind in ("chunk", "failure") or (kind == "header" and data.get("writer") == FUZZ):
        return f"written by `{FUZZ}`"
    if kind is not None:
        return None
    if "cover" in data:
        return "written by `nonosat solve` or `check` with --cover"
    if "verdict" in data:
        return "what a command prints with --json"
    if {"rows", "columns", "family"} & data.keys():
        return "a puzzle"
    return None


def foreign(data: Mapping[str, Any], reader: str) -> str | None:
    """Return the origin of an object that another command than `reader` wrote; else None."""
    found = origin(data)
    return None if found and f"`{reader}`" in found else found


def foreign_file(path: Path, reader: str) -> str | None:
    """Return the origin of a file, by its first line, if another command than `reader` wrote it."""
    try:
        with path.open("rb") as stream:
            data = json.loads(stream.readline())
    except (OSError, ValueError, RecursionError):
        return None
    return foreign(data, reader) if isinstance(data, dict) else None


def refuse(data: Mapping[str, Any], reader: str, path: str, line: int) -> None:
    """Raise FormatError if the object is known to be written by another command than `reader`."""
    if found := foreign(data, reader):
        expected = f"results, which `{reader}` writes"
        raise FormatError(f"this is {found}; expected {expected}", path=path, line=line)
