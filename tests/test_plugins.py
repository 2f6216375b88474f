"""Plug-ins are found by name, among the built-ins and the entry points of other packages."""

from __future__ import annotations

from types import ModuleType

import pytest

from nonosat import plugins
from nonosat.errors import UnsupportedError


def test_a_plug_in_is_found_by_any_of_its_names() -> None:
    assert plugins.find("backends", "cadical195") is plugins.find("backends", "minisat22")
    assert plugins.find("encodings", "line-order").STRENGTH is plugins.Strength.CONFLICTS
    with pytest.raises(UnsupportedError, match=r"there are: .*line-order"):
        plugins.find("encodings", "line-disorder")


def test_an_entry_point_adds_a_plug_in(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("theirs")

    class Point:
        name = "line-theirs"

        @staticmethod
        def load() -> ModuleType:
            return module

    monkeypatch.setattr(
        "importlib.metadata.entry_points",
        lambda group: [Point] if group == "nonosat.encodings" else [],
    )
    plugins.find.cache_clear()
    assert plugins.find("encodings", "line-theirs") is module
    assert plugins.names("encodings")["line-theirs"] is module
    plugins.find.cache_clear()
