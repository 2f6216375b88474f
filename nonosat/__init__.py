"""Exact nonogram solving: native line propagation, SAT and CP-SAT behind one pipeline.

    >>> import nonosat
    >>> puzzle = nonosat.load("instances/pictures.jsonl#cat")
    >>> print(nonosat.check(puzzle))

`load`, `load_all`, `solve`, `check`, `solutions`, `count` and `backbone` are imported when they are
first used.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nonosat.backbones import BackboneResult as BackboneResult
    from nonosat.backbones import backbone as backbone
    from nonosat.counting import CountResult as CountResult
    from nonosat.counting import count as count
    from nonosat.formats import load as load
    from nonosat.formats import load_all as load_all
    from nonosat.grid import Grid as Grid
    from nonosat.pipeline import check as check
    from nonosat.pipeline import solutions as solutions
    from nonosat.pipeline import solve as solve
    from nonosat.puzzles.nonogram import Nonogram as Nonogram
    from nonosat.result import Options as Options
    from nonosat.result import Result as Result
    from nonosat.result import Verdict as Verdict

__version__ = "0.1.0"

_HOMES = {
    "load": "formats",
    "load_all": "formats",
    "BackboneResult": "backbones",
    "CountResult": "counting",
    "Grid": "grid",
    "backbone": "backbones",
    "check": "pipeline",
    "count": "counting",
    "solutions": "pipeline",
    "solve": "pipeline",
    "Nonogram": "puzzles.nonogram",
    "Options": "result",
    "Result": "result",
    "Verdict": "result",
}
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'nonosat' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"nonosat.{_HOMES[name]}"), name)
