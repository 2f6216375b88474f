"""Exact nonogram solving: native line propagation, SAT and CP-SAT behind one pipeline.

    >>> import nonosat
    >>> puzzle = nonosat.load("instances/pictures.jsonl#cat")
    >>> print(nonosat.check(puzzle))

A model of one's own is made with `ModelBuilder` from `Clause`, `Count`, `Line` and `Loop`, and
asked about with `solve_model`, `enumerate_model` or an `Engine`. Names are imported when they are
first used.
"""

from __future__ import annotations

from nonosat import seams

TYPE_CHECKING = False  # true for type checkers; importing typing takes 4 ms of every start
if TYPE_CHECKING:
    from typing import Any

    from nonosat.formats import load as load
    from nonosat.formats import load_all as load_all
    from nonosat.grid import Grid as Grid
    from nonosat.model import FALSE as FALSE
    from nonosat.model import TRUE as TRUE
    from nonosat.model import Block as Block
    from nonosat.model import Clause as Clause
    from nonosat.model import Count as Count
    from nonosat.model import Line as Line
    from nonosat.model import Loop as Loop
    from nonosat.model import Model as Model
    from nonosat.model import Values as Values
    from nonosat.plugins import Answer as Answer
    from nonosat.puzzles.nonogram import Nonogram as Nonogram
    from nonosat.questions.backbones import BackboneResult as BackboneResult
    from nonosat.questions.backbones import backbone as backbone
    from nonosat.questions.counting import CountResult as CountResult
    from nonosat.questions.counting import count as count
    from nonosat.result import Options as Options
    from nonosat.result import Result as Result
    from nonosat.result import Verdict as Verdict
    from nonosat.solving.engines import Engine as Engine
    from nonosat.solving.modelling import ModelBuilder as ModelBuilder
    from nonosat.solving.models import ModelResult as ModelResult
    from nonosat.solving.models import enumerate_model as enumerate_model
    from nonosat.solving.models import solve_model as solve_model
    from nonosat.solving.pipeline import check as check
    from nonosat.solving.pipeline import solutions as solutions
    from nonosat.solving.pipeline import solve as solve
    from nonosat.versions import __version__ as __version__

_HOMES = {
    "__version__": "versions",
    "load": "formats",
    "load_all": "formats",
    "BackboneResult": "questions.backbones",
    "CountResult": "questions.counting",
    "Grid": "grid",
    "backbone": "questions.backbones",
    "check": "solving.pipeline",
    "count": "questions.counting",
    "solutions": "solving.pipeline",
    "solve": "solving.pipeline",
    "enumerate_model": "solving.models",
    "solve_model": "solving.models",
    "Answer": "plugins",
    "Block": "model",
    "Clause": "model",
    "Count": "model",
    "Engine": "solving.engines",
    "FALSE": "model",
    "Line": "model",
    "Loop": "model",
    "Model": "model",
    "ModelBuilder": "solving.modelling",
    "ModelResult": "solving.models",
    "Nonogram": "puzzles.nonogram",
    "Options": "result",
    "Result": "result",
    "TRUE": "model",
    "Values": "model",
    "Verdict": "result",
}
__all__ = [*_HOMES]


def _picture(shown: Any) -> str:
    """An SVG document; the drawing is imported when a notebook first asks for one."""
    from nonosat.render import svg_of

    return svg_of(shown)


def _resident_mib(pid: int | None) -> float:
    """See `processes.memory`, imported when a limit of memory is first asked for."""
    from nonosat.processes.memory import resident_mib

    return resident_mib(pid)


seams.picture, seams.resident_mib = _picture, _resident_mib


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'nonosat' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"nonosat.{_HOMES[name]}"), name)
