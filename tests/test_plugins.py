"""Plug-ins are found by name, among the built-ins and the entry points of other packages."""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from nonosat.backends import pysat
from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError
from nonosat.encodings import line_order

GOLDEN = Path(__file__).parent / "data" / "formats" / "tiny.jsonl"


def test_a_plug_in_is_found_by_any_of_its_names() -> None:
    assert plugins.find("backends", "minisat22") is pysat.PLUGINS["minisat22"]
    assert plugins.find("encodings", "line-order").strength is plugins.Strength.CONFLICTS
    with pytest.raises(UnsupportedError, match=r"there are: .*line=order"):
        plugins.find("encodings", "line-disorder")


def test_an_entry_point_adds_a_plug_in(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("theirs")
    vars(module)["PLUGIN"] = line_order.PLUGIN

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
    assert plugins.find("encodings", "line-theirs") is line_order.PLUGIN
    assert plugins.names("encodings")["line-theirs"] is line_order.PLUGIN
    plugins.find.cache_clear()


def offered(monkeypatch: pytest.MonkeyPatch, kind: str, load: Callable[[], object]) -> None:
    """Entry point "theirs" of the kind."""
    point = SimpleNamespace(name="theirs", value="theirs.module", load=load)
    monkeypatch.setattr(
        "importlib.metadata.entry_points",
        lambda group: [point] if group == f"nonosat.{kind}" else [],
    )
    plugins.find.cache_clear()


def test_a_package_that_comes_or_goes_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entry points are cached until the path, or a folder on it, changes."""
    (tmp_path / "their_lines.py").write_text("from nonosat.encodings.line_order import PLUGIN\n")
    before = plugins.names("encodings").keys()
    assert plugins._entry_points("encodings") is plugins._entry_points("encodings")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert plugins.names("encodings").keys() == before
    for number, name in enumerate(("line-first", "line-second"), start=1):
        info = tmp_path / f"package{number}-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: package{number}\nVersion: 1\n"
        )
        (info / "entry_points.txt").write_text(f"[nonosat.encodings]\n{name} = their_lines\n")
        os.utime(tmp_path, ns=(number, number))  # as if time had passed
        assert len(plugins.names("encodings")) == len(before) + number
        assert plugins.find("encodings", name) is line_order.PLUGIN
    monkeypatch.undo()
    assert plugins.names("encodings").keys() == before
    plugins.find.cache_clear()


def module_with(**names: object) -> ModuleType:
    module = ModuleType("their_module")
    vars(module).update(names)
    return module


@pytest.mark.parametrize(
    ("kind", "found", "message"),
    [
        (
            "encodings",
            module_with(SUMMARY="old names", encode=print),
            r"their_module is not a plug-in of encodings: expected in it PLUGIN = "
            r"nonosat.plugins.Encoding\(summary=..., source=..., strength=..., size=..., encode=",
        ),
        (
            "backends",
            module_with(PLUGIN=line_order.PLUGIN),
            r"PLUGIN = .*Backend\(summary=..., n",
        ),
        ("formats", module_with(PLUGINS={"theirs": 7}), r"or PLUGINS, a table of these by name"),
        (
            "puzzles",
            7,
            r"7 is not a plug-in of puzzles: expected in it PLUGIN = .*Family\(summary=",
        ),
    ],
)
def test_invalid_plug_ins_are_refused_with_the_expected_type(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    kind: str,
    found: object,
    message: str,
) -> None:
    offered(monkeypatch, kind, lambda: found)
    with pytest.raises(UnsupportedError, match=message):
        plugins.find(kind, "theirs")
    plugins._warn.cache_clear()
    assert "theirs" not in plugins.names(kind)  # the mistake does not end other work
    assert re.search(message, caplog.text)
    plugins.find.cache_clear()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"strength": "strong"}, "Encoding has strength='strong', expected Strength"),
        ({"encode": None}, "Encoding has encode=None, expected Callable"),
        ({"determined": "yes"}, "Encoding has determined='yes', expected bool"),
        ({"sources": "misspelt"}, "Encoding has no field 'sources', expected of summary, "),
    ],
)
def test_a_record_refuses_fields_of_wrong_types(fields: dict[str, object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        line_order.PLUGIN.replaced(**fields)
    with pytest.raises(TypeError, match="Encoding lacks source, expected str"):
        plugins.Encoding(summary="x")  # type: ignore[call-arg]
    with pytest.raises(AttributeError, match="Encoding is frozen, summary cannot be set"):
        line_order.PLUGIN.summary = "y"  # type: ignore[misc]


def test_a_record_is_a_dataclass() -> None:
    names = [one.name for one in dataclasses.fields(plugins.Symmetry)]
    assert names == ["count", "is_first"]
    renamed = dataclasses.replace(line_order.PLUGIN, summary="y")
    assert (renamed.summary, renamed.encode) == ("y", line_order.PLUGIN.encode)
    with pytest.raises(TypeError, match="Encoding has summary=7, expected str"):
        dataclasses.replace(line_order.PLUGIN, summary=7)  # type: ignore[arg-type]
    family = plugins.Family(summary="x", build=id, decode=id, refutation=id, to_data=id)
    assert (family.methods, family.part, family.clues) == ({}, "place", None)


def test_a_module_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def load() -> object:
        return plugins.Formulation(summary="lacks the rest")  # type: ignore[call-arg]

    offered(monkeypatch, "formulations", load)
    message = (
        r"'theirs' of formulations cannot be loaded from theirs.module: TypeError: "
        r"Formulation lacks source, expected str"
    )
    with pytest.raises(UnsupportedError, match=message):
        plugins.find("formulations", "theirs")
    plugins.find.cache_clear()


def test_a_module_of_ours_that_cannot_be_imported_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    original = plugins.importlib.import_module

    def imported(name: str) -> ModuleType:
        if name == "nonosat.encodings.count_product":
            plugins.Encoding(summary="unfinished")  # type: ignore[call-arg]
        return original(name)

    monkeypatch.setattr("importlib.import_module", imported)
    message = "'count_product' of encodings cannot be loaded from nonosat.encodings.count_product: "
    with pytest.raises(UnsupportedError, match=f"{message}TypeError: Encoding lacks source"):
        plugins.names("encodings")


def test_an_argument_is_refused_or_taken() -> None:
    with pytest.raises(UnsupportedError, match="learn takes no argument, found 'x'; use just"):
        plugins.find("backends", "learn:x")
    with pytest.raises(UnsupportedError, match="no encoding is called 'line=none'"):
        plugins.find("formulations", "line-booleans:none")
    assert plugins.find("formulations", "line-booleans:log") is not plugins.find(
        "formulations", "line-booleans"
    )


def test_one_format_is_found_without_the_others() -> None:
    """Also by a suffix or name that differs from its module's."""
    code = (
        "import sys; from nonosat import formats, plugins\n"
        "assert plugins.find('formats', {0!r}).suffixes == ({1!r},) == ('.' + {0!r},)\n"
        "assert formats.format_of('a.' + {0!r}) == {0!r}\n"
        "named = [name for name in sys.modules if name.startswith('nonosat.formats.')]\n"
        "print(*sorted(name[16:] for name in named if name[16] != '_'))"
    )
    for name, module in (("json", "jsonl"), ("jsonl", "jsonl"), ("nin", "nin"), ("tsv", "cells")):
        done = subprocess.run(
            [sys.executable, "-c", code.format(name, f".{name}")],
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.split() == [module]


def test_reading_json_imports_no_other_format() -> None:
    program = (
        "import sys, nonosat.formats as f; f.load(sys.argv[1]);"
        "print([m for m in sys.modules if m.startswith('nonosat.formats.') and '._' not in m],"
        "'xml.parsers.expat' in sys.modules)"
    )
    command = [sys.executable, "-c", program, str(GOLDEN)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout == "['nonosat.formats.jsonl'] False\n"


def test_old_names_work_with_a_warning() -> None:
    import nonosat.plugins
    from nonosat.puzzles import queens

    with pytest.warns(DeprecationWarning, match=r"Holds is now called .*FormatCapabilities"):
        assert nonosat.plugins.Holds is nonosat.plugins.FormatCapabilities
    with pytest.raises(AttributeError, match="no attribute 'Kept'"):
        _ = nonosat.plugins.Kept
    with pytest.warns(DeprecationWarning, match="Older.suggest is now called set_phases"):

        class Older(nonosat.plugins.Engine):
            def suggest(self, lits: Sequence[int]) -> bool:
                return len(lits) == 2

    assert Older.set_phases(None, [1, 2])  # type: ignore[arg-type]
    fields = {name: getattr(queens.PLUGIN, name) for name in queens.PLUGIN.__dataclass_fields__}
    del fields["fast_path"]
    with pytest.warns(DeprecationWarning, match="'at_once' of Family is now called 'fast_path'"):
        assert nonosat.plugins.Family(**fields, at_once=len).fast_path is len
