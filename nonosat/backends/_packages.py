"""Import of a solver's package."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from nonosat.core.errors import BackendError


def imported(backend: str, module: str, package: str) -> Any:
    """Return the module of a solver's package.

    Args:
        backend: Name of the backend.
        module: Name of the module.
        package: Name of the package, for the message.

    Raises:
        BackendError: It cannot be imported.
    """
    try:
        return import_module(module)
    except ImportError as error:
        what = f"{backend} needs {package}: {error}"
        raise BackendError(what, advice=f"pip install {package}") from error
