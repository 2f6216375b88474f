"""Imports at the first use: the public names of the package, and the functions of its hooks.

A start imports none of them, nor `typing`, which takes 4 ms.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from types import ModuleType

TYPE_CHECKING = False  # true for type checkers
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_MODULES = ("model", "plugins")  # promised modules that no room imports


def function(module: str, name: str) -> Callable[..., Any]:
    """Return a function that calls one of another module, which it imports at the first call."""

    def call(*arguments: Any) -> Any:
        return getattr(import_module(module), name)(*arguments)

    return call


@cache
def _homes() -> dict[str, str]:
    """Return the module of each public name: the imports in `nonosat/__init__.pyi`."""
    folder = os.path.dirname(os.path.dirname(__file__))  # noqa: PTH120 - `pathlib` takes 3 ms
    with open(os.path.join(folder, "__init__.pyi"), encoding="utf-8") as stub:  # noqa: PTH118, PTH123
        lines = [line.split() for line in stub]
    return {words[3]: words[1] for words in lines if words[:1] == ["from"]}


class Package(ModuleType):
    """Class of the module `nonosat`."""

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return dir(self)
        if name in _MODULES:
            return import_module(f"nonosat.{name}")
        if name not in _homes():
            raise AttributeError(f"module 'nonosat' has no attribute {name!r}")
        return getattr(import_module(_homes()[name]), name)

    def __dir__(self) -> list[str]:
        return sorted(_homes())

    def __setattr__(self, name: str, value: Any) -> None:
        """Bind a name to its value, unless an imported subpackage would hide a public function.

        For example, `explain` is the name of both.
        """
        has_namesake = isinstance(value, ModuleType) and callable(vars(value).get(name))
        if not (has_namesake and name in _homes()):
            super().__setattr__(name, value)
