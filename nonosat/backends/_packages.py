"""Import of a solver's package."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from nonosat.core.errors import UnsupportedError, install_command


def imported(backend: str, module: str, package: str) -> Any:
    """Return the module of a solver's package.

    Args:
        backend: Name of the backend.
        module: Name of the module.
        package: Name of the package, for the message.

    Raises:
        UnsupportedError: It cannot be imported.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise UnsupportedError(
            f"{backend} needs the package {package} ({error}); {install_command('engines')}"
        ) from error
