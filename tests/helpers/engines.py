"""Backends as parameters of tests, skipped by name if their package is not installed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from nonosat.core import plugins


def each(names: Iterable[str], *marks: pytest.MarkDecorator) -> list[Any]:
    """Parameters for names of backends.

    Args:
        names: Names, with arguments.
        marks: Marks of the engines whose package is optional.
    """
    found = []
    for name in names:
        backend = plugins.find("backends", name)
        reason = f"{name} needs {backend.needs}, which is not installed"
        skip = pytest.mark.skipif(not plugins.is_installed(backend), reason=reason)
        is_optional = backend.needs not in ("nothing", "ortools", "python-sat")
        found.append(pytest.param(name, marks=[skip, *(marks if is_optional else ())]))
    return found
