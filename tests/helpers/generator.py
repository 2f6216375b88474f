"""Access to the program that makes the bundled puzzles, for its tests."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

INSTANCES = Path(__file__).parents[2] / "instances"


@contextmanager
def generator() -> Iterator[dict[str, ModuleType]]:
    """Return the generator's modules by name; they can be imported as in a script."""
    sys.path.insert(0, str(INSTANCES))
    try:
        names = sorted(path.stem for path in INSTANCES.glob("*.py"))
        yield {name: importlib.import_module(name) for name in names}
    finally:
        sys.path.remove(str(INSTANCES))
