"""Formulations: one constraint kind to CP-SAT, one method a file `<kind>_<name>.py`.

`CpClauseSink` and `Context` are imported when CP-SAT is used: a start without it saves a
millisecond.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nonosat.formulations._context import Context, CpClauseSink

__all__ = ["DEFAULTS", "Context", "CpClauseSink"]

DEFAULTS = {
    "line": "automaton",
    "count": "linear",
    "loop": "circuit",
}  # default formulation by constraint kind


def __getattr__(name: str) -> Any:
    if name not in ("CpClauseSink", "Context"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}._context"), name)
