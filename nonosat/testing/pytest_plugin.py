"""The pytest plug-in: a fixture that compares a solver with built-in ones.

Every run of pytest loads this module if nonosat is installed, so it imports only modules that
pytest has imported already; other imports follow with the first puzzle. PYTEST_DONT_REWRITE
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

_LIMITS = {  # by name: type, placeholder in the help, and meaning
    "time_limit_s": (float, "S", "wall seconds that each solver has for a puzzle"),
    "memory_limit_mib": (int, "MIB", "resident memory of commands and engines, in MiB"),
}
_AGAINST = "solvers of nonosat that the fixture compares with: auto, cadical195 line=order, ..."


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add options to the command line, and with "_" for "-" to the ini-file."""
    group = parser.getgroup("nonosat", "solvers compared with nonosat (the fixture nonosat_agrees)")
    for name, (_, metavar, text) in _LIMITS.items():
        short = _short(name)
        group.addoption(f"--{short.replace('_', '-')}", metavar=metavar, default=None, help=text)
        parser.addini(short, text, default=None)
    group.addoption("--nonosat-against", metavar="NAME", action="append", help=_AGAINST)
    parser.addini("nonosat_against", _AGAINST, type="linelist", default=[])


@pytest.fixture(scope="session")
def nonosat_agrees(pytestconfig: pytest.Config) -> Callable[..., None]:
    """Return `nonosat.testing.assert_agrees` with the limits of the ini-file or the command line.

    `nonosat_agrees(solver, puzzle)` raises AssertionError if the solver is wrong. It has no state,
    so hypothesis may call it any number of times. Together with a fixture, puzzles must be passed
    by keyword: `@given(puzzle=puzzles())`.
    """
    from nonosat.testing.agreement import assert_agrees

    settings = {name: _limit(pytestconfig, name) for name in _LIMITS}
    settings["against"] = _setting(pytestconfig, "nonosat_against")
    return partial(assert_agrees, **{name: value for name, value in settings.items() if value})


def _short(name: str) -> str:
    """Return the name of a limit's option: that of the argument without its unit."""
    return f"nonosat_{name.rpartition('_')[0]}"


def _setting(config: pytest.Config, name: str) -> Any:
    """Return the value of the command line, else of the ini-file, else an empty one."""
    return config.getoption(name) or config.getini(name)


def _limit(config: pytest.Config, name: str) -> Any:
    """Return a limit; None if it is not set."""
    kind, text = _LIMITS[name][0], _setting(config, _short(name))
    if not text:
        return None
    try:
        value = kind(text)
    except ValueError:
        value = 0
    if not 0 < value < float("inf"):
        raise pytest.UsageError(f"{_short(name)} is {text!r}, expected a number above 0")
    return value
