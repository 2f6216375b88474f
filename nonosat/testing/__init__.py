"""Property tests: random data that shrinks well, oracles that share no code with solvers, and
solvers held against each other.

Names are imported when they are first used: a plug-in of pytest lives here.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nonosat.testing.agreement import Disagreement as Disagreement
    from nonosat.testing.agreement import assert_agrees as assert_agrees
    from nonosat.testing.agreement import compare as compare
    from nonosat.testing.claims import Claim as Claim
    from nonosat.testing.commands import command as command
    from nonosat.testing.plugins import check_plugin as check_plugin
    from nonosat.testing.solvers import Solver as Solver
    from nonosat.testing.solvers import called as called
    from nonosat.testing.solvers import configured as configured

_HOMES = {
    "Claim": "claims",
    "Disagreement": "agreement",
    "Solver": "solvers",
    "assert_agrees": "agreement",
    "called": "solvers",
    "check_plugin": "plugins",
    "command": "commands",
    "compare": "agreement",
    "configured": "solvers",
}
__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(_HOMES)
