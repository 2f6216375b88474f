"""Imports at the first use: the public names of packages, and the functions of hooks.

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

_MODULES = ("nonosat.model", "nonosat.plugins")  # promised modules that no room imports


def function(module: str, name: str) -> Callable[..., Any]:
    """Return a function that calls one of another module, which it imports at the first call."""

    def call(*arguments: Any) -> Any:
        return getattr(import_module(module), name)(*arguments)

    return call


@cache
def _homes(file: str) -> dict[str, str]:
    """Return the module of each public name of a package: the imports in its `__init__.pyi`."""
    folder = os.path.dirname(file)  # noqa: PTH120 - `pathlib` takes 3 ms
    with open(os.path.join(folder, "__init__.pyi"), encoding="utf-8") as stub:  # noqa: PTH118, PTH123
        lines = [line.split() for line in stub]
    return {words[3]: words[1] for words in lines if words[:1] == ["from"]}


class Package(ModuleType):
    """Class of the packages whose public names are those of their `__init__.pyi`."""

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return dir(self)
        homes = _homes(self.__file__ or "")
        module = f"{self.__name__}.{name}"
        if module in _MODULES or homes.get(name) == self.__name__:
            return import_module(module)
        if name not in homes:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    def __dir__(self) -> list[str]:
        return sorted(_homes(self.__file__ or ""))

    def __setattr__(self, name: str, value: Any) -> None:
        """Bind a name to its value, unless an imported subpackage would hide a public function.

        For example, `explain` is the name of both.
        """
        has_namesake = isinstance(value, ModuleType) and callable(vars(value).get(name))
        if not (has_namesake and name in _homes(self.__file__ or "")):
            super().__setattr__(name, value)
