"""Versions of packages that an answer depends on, read on demand.

The versions are taken from the names of the folders `<package>-<version>.dist-info` that an
installer creates. Reading these names takes under 1 ms; importing importlib.metadata would add 15
ms to each command with `--json`.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

__version__ = "0.2.0"  # of this package; pyproject.toml reads it here


@cache
def versions() -> dict[str, str]:
    """Return versions by name: this package, Python, and the solver packages."""
    python = ".".join(map(str, sys.version_info[:3]))
    packages = {name: _installed(name) for name in ("python-sat", "ortools")}
    return {"nonosat": __version__, "python": python, **packages}


def _installed(package: str) -> str:
    """Return the version of a distribution on the import path."""
    pattern = f"{package.replace('-', '_')}-*.dist-info"
    found = (folder for place in sys.path for folder in Path(place).glob(pattern))
    folder = next(found, None)
    return folder.stem.split("-")[1] if folder else "not installed"
