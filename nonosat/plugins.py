"""Contracts and records of plug-ins, their lookup by name, `checkpoint`: promised to others."""

import warnings
from typing import Any

from nonosat.core import plugins as _plugins
from nonosat.core.limits import checkpoint
from nonosat.core.plugins import *  # noqa: F403
from nonosat.core.plugins import __all__ as _found

__all__ = [*_found, "checkpoint"]

_RENAMED = {"Holds": "FormatCapabilities"}  # in 0.2; the old names go with 0.3


def __getattr__(name: str) -> Any:
    """Return a renamed object under its old name, with a warning."""
    if name not in _RENAMED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    new = _RENAMED[name]
    message = f"nonosat.plugins.{name} is now called nonosat.plugins.{new}"
    warnings.warn(message, DeprecationWarning, stacklevel=2)
    return getattr(_plugins, new)
