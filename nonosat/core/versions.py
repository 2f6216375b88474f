"""The versions that an answer depends on, read only when somebody asks for them.

They are in the names of the folders `<package>-<version>.dist-info` that an installer leaves:
looking there takes under 1 ms, importing importlib.metadata 15 ms that every `--json` would pay.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

__version__ = "0.1.0"  # of this package; pyproject.toml reads it here


@cache
def versions() -> dict[str, str]:
    """Version by name: this package, Python, and the solver packages."""
    python = ".".join(map(str, sys.version_info[:3]))
    packages = {name: _installed(name) for name in ("python-sat", "ortools")}
    return {"nonosat": __version__, "python": python, **packages}


def _installed(package: str) -> str:
    """Version of a distribution, looked for where modules are imported from."""
    pattern = f"{package.replace('-', '_')}-*.dist-info"
    found = (folder for place in sys.path for folder in Path(place).glob(pattern))
    folder = next(found, None)
    return folder.stem.split("-")[1] if folder else "not installed"
