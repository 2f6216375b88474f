"""Formulations: one constraint kind to CP-SAT, one method a file `<kind>_<name>.py`.

`Clauses` and `Context` are imported when CP-SAT is used: a start without it saves a millisecond.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nonosat.formulations._context import Clauses, Context

__all__ = ["DEFAULTS", "Clauses", "Context"]

DEFAULTS = {
    "line": "automaton",
    "count": "linear",
    "loop": "circuit",
}  # default formulation by constraint kind


def __getattr__(name: str) -> Any:
    if name not in ("Clauses", "Context"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}._context"), name)
