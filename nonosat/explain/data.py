"""Explanations as JSON data: for programs, and for the page.

A line is {"row": 3} or {"column": 3}; a cell is [row, column, symbol], with the puzzle's symbols.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nonosat.explain.step import Cell, Explanation, Step
from nonosat.grid import UNKNOWN

if TYPE_CHECKING:
    from nonosat.explain.hinting import Hint
    from nonosat.explain.rating import Rating
    from nonosat.explain.reasons import Reason
    from nonosat.puzzles.nonogram import Nonogram
    from nonosat.questions.reply import Reply

Data = dict[str, Any]
OPEN = "?"


def line_data(puzzle: Nonogram, line: int) -> Data:
    """A line by its kind and index."""
    is_row = line < puzzle.height
    return {"row": line} if is_row else {"column": line - puzzle.height}


def cells_data(puzzle: Nonogram, cells: tuple[Cell, ...]) -> list[list[Any]]:
    """Cells with the symbols of their values."""
    signs = puzzle.symbols
    return [[row, column, signs[value]] for row, column, value in cells]


def rows_data(puzzle: Nonogram, cells: bytes) -> list[str]:
    """A board as rows of symbols, OPEN where it is not known."""
    signs = puzzle.symbols.ljust(UNKNOWN, OPEN) + OPEN
    text = cells.decode("latin-1").translate(signs)
    return [text[at : at + puzzle.width] for at in range(0, len(text), puzzle.width)]


def step_data(puzzle: Nonogram, step: Step) -> Data:
    """A step; what it does not have is left out."""
    data: Data = {
        "technique": step.technique,
        "lines": [line_data(puzzle, line) for line in step.lines],
        "settled": cells_data(puzzle, step.settled),
    }
    if step.ruled_out:
        data["ruled_out"] = cells_data(puzzle, step.ruled_out)
    if step.assumed is not None:
        row, column, value = step.assumed
        signs = puzzle.symbols.ljust(UNKNOWN, OPEN) + OPEN
        data["assumed"] = [row, column, signs[value]]
    if step.chain:
        data["chain"] = [
            {**line_data(puzzle, link.line), "rules_out": cells_data(puzzle, link.rules_out)}
            for link in step.chain
        ]
    if step.technique == "guess":
        data |= {"conflicts": step.searched, "proven": step.is_proven}
    return data | {"sentence": step.sentence}


def explanation_data(found: Explanation) -> Data:
    """A whole explanation."""
    from nonosat.explain.rating import rating_of

    puzzle, rating = found.puzzle, rating_of(found)
    data: Data = {
        "verdict": found.verdict.value,
        "difficulty": rating.difficulty,
        "grid": rows_data(puzzle, found.grid.cells),
        "steps": [step_data(puzzle, step) for step in found.steps],
    }
    return data | _closing(found)


def reason_data(found: Reason) -> Data:
    """Why a cell has its value."""
    puzzle = found.puzzle
    value = None if found.value is None else puzzle.symbols[found.value]
    data: Data = {
        "verdict": found.verdict.value,
        "cell": [found.row, found.column],
        "value": value,
        "lines": [line_data(puzzle, line) for line in found.lines],
        "strength": None if found.strength is None else found.strength.value,
        "sure": found.is_sure,
        "sentence": found.sentence,
        "steps": [step_data(puzzle, step) for step in found.steps],
    }
    return data | _closing(found)


def hint_data(found: Hint) -> Data:
    """What to do next."""
    puzzle = found.puzzle
    data: Data = {
        "verdict": None if found.verdict is None else found.verdict.value,
        "sentence": found.sentence,
        "step": None if found.step is None else step_data(puzzle, found.step),
        "before": [step_data(puzzle, step) for step in found.before],
        "sure": found.is_sure,
        "wrong": cells_data(puzzle, found.wrong),
        "conflict": cells_data(puzzle, found.conflict),
        "line": None if found.line is None else line_data(puzzle, found.line),
        "strength": None if found.strength is None else found.strength.value,
    }
    return data | _closing(found)


def rating_data(found: Rating) -> Data:
    """A difficulty."""
    data: Data = {
        "verdict": found.verdict.value,
        "difficulty": found.difficulty,
        "name": found.name,
        "steps": dict(found.steps),
        "cells": dict(found.cells),
    }
    return data | _closing(found)


def _closing(found: Reply) -> Data:
    """What every reply ends with."""
    from nonosat.versions import versions

    data: Data = {"reason": found.reason} if found.reason else {}
    if legend := found.puzzle.legend:
        data["legend"] = legend
    limits = {"time_limit_s": found.limits.time_s, "memory_limit_mib": found.limits.memory_mib}
    return data | {"seconds": round(found.seconds, 6), "options": limits, "versions": versions()}
