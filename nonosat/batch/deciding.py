"""Deciding a puzzle, and results as JSON data.

Invariant: whatever happens to a puzzle, its record says so; nothing is raised for it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from time import perf_counter
from typing import Any

from nonosat import families
from nonosat.errors import NonosatError, RefutedError, UnsupportedError
from nonosat.plugins import Puzzle
from nonosat.result import Options, Result, Stage, Verdict

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is wanted of every puzzle.

    Args:
        question: "solve" or "check".
        options: How, and within which limits.
    """

    question: str
    options: Options


def result_data(result: Result) -> Record:
    """What a result says of its puzzle; `legend`, `reason`, `warnings` only where there are any."""
    puzzle = result.puzzle
    data: Record = {
        "verdict": result.verdict.value,
        "solutions": [families.solution_data(puzzle, one) for one in result.solutions],
    }
    if legend := families.legend(puzzle):
        data["legend"] = legend
    data |= {
        "disputed": [list(cell) for cell in result.disputed],
        "seconds": round(result.seconds, 6),
        "stages": [stage_data(stage) for stage in result.stages],
        "backend": result.backend,
        "encoding": dict(result.encoding),
    }
    if result.reason:
        data["reason"] = result.reason
    if result.warnings:
        data["warnings"] = list(result.warnings)
    return data


def stage_data(stage: Stage) -> Record:
    """A stage as JSON data."""
    data = {"name": stage.name, "seconds": round(stage.seconds, 6), "decided": stage.decided}
    return data | ({"detail": dict(stage.detail)} if stage.detail else {})


def options_data(options: Options) -> Record:
    """All options as JSON data; those of cubes only where there are any."""
    left_out = ("cubes", "jobs", "cluster") if options.cubes is None else ()
    names = (one.name for one in fields(options) if one.name not in left_out)
    return {name: getattr(options, name) for name in names}


def end_data(status: str, reason: str, seconds: float) -> Record:
    """What is recorded of a puzzle that came to no result."""
    return {
        "status": status,
        "verdict": Verdict.UNKNOWN.value,
        "solutions": [],
        "seconds": round(seconds, 6),
        "reason": reason,
    }


def decide(asked: Asked, puzzle: Puzzle) -> Record:
    """Ask the pipeline about one puzzle."""
    from nonosat.solving import pipeline

    started = perf_counter()
    try:
        result: Result = getattr(pipeline, asked.question)(puzzle, **options_data(asked.options))
    except UnsupportedError as error:
        status, reason = "unsupported", str(error)
    except MemoryError:
        status, reason = "memout", "out of memory"
    except RefutedError as error:
        status, reason = "wrong", str(error)
    except Exception as error:
        told = isinstance(error, NonosatError)
        status, reason = "crash", str(error) if told else f"{type(error).__name__}: {error}"
    else:
        return {"status": _status_of(result)} | result_data(result)
    return end_data(status, reason, perf_counter() - started)


def _status_of(result: Result) -> str:
    if result.verdict is not Verdict.UNKNOWN:
        return "ok"
    return "memout" if "memory" in result.reason else "timeout"
