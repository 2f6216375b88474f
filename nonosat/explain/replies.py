"""Replies as JSON data: explanations, reasons, hints and ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonosat.explain.data import Data, cells_data, closing, line_data, rows_data, step_data
from nonosat.explain.rating import rating_of

if TYPE_CHECKING:
    from nonosat.explain.hinting import Hint
    from nonosat.explain.rating import Rating
    from nonosat.explain.reasons import Reason
    from nonosat.explain.step import Explanation


def explanation_data(reply: Explanation) -> Data:
    """A whole explanation."""
    puzzle, rating = reply.puzzle, rating_of(reply)
    data: Data = {
        "verdict": reply.verdict.value,
        "difficulty": rating.difficulty,
        "grid": rows_data(puzzle, reply.grid.cells),
        "steps": [step_data(puzzle, step) for step in reply.steps],
    }
    return data | _why(reply) | closing(reply)


def _why(reply: Explanation | Hint) -> Data:
    """The key "contradiction", where there is one."""
    found = reply.contradiction
    return {} if found is None else {"contradiction": found.to_data()}


def reason_data(reply: Reason) -> Data:
    """Why a cell has its value."""
    puzzle = reply.puzzle
    value = None if reply.value is None else puzzle.symbols[reply.value]
    data: Data = {
        "verdict": reply.verdict.value,
        "cell": [reply.row, reply.column],
        "value": value,
        "lines": [line_data(puzzle, line) for line in reply.lines],
        "strength": None if reply.minimality is None else reply.minimality.value,
        "sure": reply.is_sure,
        "sentence": reply.sentence,
        "steps": [step_data(puzzle, step) for step in reply.steps],
    }
    return data | closing(reply)


def hint_data(reply: Hint) -> Data:
    """A hint."""
    puzzle = reply.puzzle
    data: Data = {
        "verdict": None if reply.verdict is None else reply.verdict.value,
        "sentence": reply.sentence,
        "step": None if reply.step is None else step_data(puzzle, reply.step),
        "before": [step_data(puzzle, step) for step in reply.before],
        "sure": reply.is_sure,
        "wrong": cells_data(puzzle, reply.wrong),
        "conflict": cells_data(puzzle, reply.conflict),
        "line": None if reply.line is None else line_data(puzzle, reply.line),
        "strength": None if reply.minimality is None else reply.minimality.value,
    }
    return data | _why(reply) | closing(reply)


def rating_data(reply: Rating) -> Data:
    """A difficulty."""
    data: Data = {
        "verdict": reply.verdict.value,
        "difficulty": reply.difficulty,
        "name": reply.name,
        "steps": dict(reply.steps),
        "cells": dict(reply.cells),
    }
    return data | closing(reply)
