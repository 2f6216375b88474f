"""Input of the studio: files of puzzles, texts and images, from pages or the command line."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any

import nonosat
from nonosat.studio import wire

MOST_PUZZLES = 500  # puzzles of a file that are shown
_LONGEST_NAME = 100
_TEXT = "text"  # name, in messages, of a text without a name
_WISHES: Mapping[str, type] = {
    "columns": int,
    "rows": int,
    "colours": int,
    "threshold": float,
    "edges": float,
}
_YES_OR_NO = {"true": True, "1": True, "false": False, "0": False}


def file_name(name: str) -> str:
    """Return a file's name without folders and control characters, shortened."""
    last = PurePath(name.replace("\\", "/")).name
    safe = "".join(char if char.isprintable() else "_" for char in last)[-_LONGEST_NAME:]
    safe = safe.encode("utf-8", "replace").decode()
    return _TEXT if safe.strip(". -") == "" else safe


@contextmanager
def warnings() -> Iterator[list[str]]:
    """Collect the library's warnings about a file in the list that the block gets."""
    messages: list[str] = []

    class _Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            messages.append(record.getMessage())

    logger, listener = logging.getLogger("nonosat"), _Listener()
    logger.addHandler(listener)
    try:
        yield messages
    finally:
        logger.removeHandler(listener)


def loaded(name: str, limits: Mapping[str, Any]) -> list[Any]:
    """Return the puzzles of a file."""
    puzzles = nonosat.load_all(name, max_puzzles=MOST_PUZZLES, **limits)
    for puzzle in puzzles:
        wire.check_room(puzzle)
    return puzzles


def read_data(puzzle: Any) -> dict[str, Any]:
    """Return a puzzle that was read from a file in the form in which the page takes it."""
    return {
        "puzzle": puzzle.to_data(),
        "goal": wire.drawing_of(puzzle),
        "drawn": "picture" in wire.sent_of(puzzle),
        "title": puzzle.about.title,
        "size": puzzle.size,
    }


def image_wishes(requested: Mapping[str, str]) -> dict[str, Any]:
    """Return the arguments for `nonosat.from_image` that the parameters of an address contain."""
    wishes: dict[str, Any] = {}
    for name, kind in _WISHES.items():
        if text := requested.get(name):
            wishes[name] = _number(name, text, kind)
    if max(wishes.get("rows", 0), wishes.get("columns", 0)) > wire.MOST_SIDE:
        raise nonosat.PuzzleError(f"rows and columns go up to {wire.MOST_SIDE}")
    if text := requested.get("invert"):
        if text not in _YES_OR_NO:
            raise nonosat.PuzzleError("invert is true or false")
        wishes["invert"] = _YES_OR_NO[text]
    if text := requested.get("dither"):
        wishes["dither"] = text
    return wishes


def _number(name: str, text: str, kind: type) -> Any:
    try:
        return kind(text[:20])
    except ValueError:
        raise nonosat.PuzzleError(f"{name} is not a number") from None
