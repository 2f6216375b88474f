"""`nonosat list`: available plug-ins, with their requirements, and the bundled puzzles."""

from __future__ import annotations

from collections import Counter
from io import StringIO
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from nonosat import formats
from nonosat.board.redundant import SUMMARIES
from nonosat.cli._options import SuggestingChoice
from nonosat.core import plugins
from nonosat.core.errors import counted, printable
from nonosat.core.families import STUDY
from nonosat.core.plugins import Backend, Encoding, Format, Formulation, Study
from nonosat.export import TARGETS

if TYPE_CHECKING:
    from nonosat.core.plugins import Plugin

KINDS = {"families": "puzzles"}  # names of kinds for users, if they differ from their package's
AUTO = (
    "the default: propagation, probing, a short native search, dives, prices, then `learn` with "
    "hints"
)
CHOICES = (
    *(
        "formats",
        "targets",
        "backends",
        "counters",
        "encodings",
        "formulations",
        "redundant",
        "families",
    ),
    "methods",
    "study",
    "puzzles",
)
WIDTH = 100  # width of the table of encodings if the terminal's width is unknown
LEGEND = (
    "Sizes of a line hold for an open one in one colour with known lengths: n cells, k blocks, "
    "f filled cells, s slack; of a count for n literals between the bounds l and u. Variables are "
    "those in addition to cells or literals; determined ones have one value for each solution. "
    "count=native gives counts as they are to an engine that takes them."
)


@click.command("list")
@click.argument(
    "kind", metavar="[KIND]", required=False, type=SuggestingChoice(CHOICES, is_short=True)
)
def command(kind: str | None) -> None:
    """Show all plug-ins of KIND, or of every kind, one line each with its requirements.

    A prefix of a kind's name is sufficient, and so is its singular. Kinds are formats, targets
    (written by `encode`), backends, counters (of `count`), encodings, formulations, redundant
    (clauses added to the clues), families (of puzzles), methods (of families), study (the
    documents' methods) and puzzles (those that come with nonosat). `list encodings` is a table with
    propagation strengths and sizes. `list puzzles` is a table, too: name, title, family, size,
    verdict, origin, and the file, whose name means all of its puzzles; `bundled:` alone means every
    puzzle.
    """
    if kind in TABLES:
        TABLES[kind]()
        return
    for index, name in enumerate(CHOICES if kind is None else (kind,)):
        if kind is None:
            click.echo(("\n" if index else "") + f"{name}:")
        _show(name, indent="" if kind else "  ")


def _show_encodings() -> None:
    """Show name, strength, sizes and source of every encoding, as wide as the terminal."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    width = max(get_terminal_size((WIDTH, 24)).columns, 60)
    text = StringIO()
    console = Console(file=text, width=width, color_system=None, highlight=False)
    table = Table("encoding", "strength", "variables", "clauses", "source", box=None)
    table.pad_edge = False
    table.columns[0].no_wrap = True
    table.columns[1].min_width = len("propagation")
    for name, encoding in sorted(plugins.names("encodings").items()):
        strength = encoding.strength.value + ("" if encoding.determined else "; not determined")
        row = (name.replace("-", "=", 1), strength, *encoding.size, encoding.source)
        table.add_row(*map(escape, row))
    console.print(table)
    console.print(f"\n{LEGEND}", markup=False)
    for line in text.getvalue().splitlines():
        click.echo(line.rstrip())


def _show_puzzles() -> None:
    """Show every bundled puzzle in a line."""
    rows = []
    for one, puzzle in zip(formats.bundled(), formats.load_all(formats.BUNDLED), strict=True):
        assert one.id == puzzle.about.id
        title = printable(puzzle.about.title)
        name = formats.BUNDLED + one.id
        rows.append((name, title, one.family, puzzle.size, one.verdict, one.origin, one.file))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        click.echo("  ".join(cells).rstrip())


# Kinds with a table of their own.
TABLES = {"encodings": _show_encodings, "puzzles": _show_puzzles}


def _show(kind: str, indent: str) -> None:
    rows = _rows(kind)
    width = max((len(name) for name, _ in rows), default=0)
    for name, text in rows:
        click.echo(f"{indent}{name:{width}}  {text}")


def _rows(kind: str) -> list[tuple[str, str]]:
    """Return every name of a kind, as options take it, with its description."""
    if kind == "redundant":  # not plug-ins
        return sorted(SUMMARIES.items())
    if kind == "targets":  # not plug-ins either
        return [(name, f"{one.summary} ({one.suffix})") for name, one in TARGETS.items()]
    if kind == "methods":
        return _methods()
    if kind == "puzzles":
        return _puzzle_files()
    found = sorted(plugins.names(KINDS.get(kind, kind)).items())
    if kind in ("encodings", "formulations"):
        return [(name.replace("-", "=", 1), _described(one)) for name, one in found]
    if kind == "study":
        return [(STUDY + name, f"{one.family}: {_described(one)}") for name, one in found]
    auto = [("auto", AUTO)] if kind == "backends" else []
    return auto + [(name, _described(one)) for name, one in found]


def _methods() -> list[tuple[str, str]]:
    """Return methods of families by the name that --backend takes."""
    return [
        (name, f"{family}: {(method.__doc__ or name).splitlines()[0]}")  # none under python -OO
        for family, record in sorted(plugins.names("puzzles").items())
        for name, method in sorted(record.methods.items())
    ]


def _puzzle_files() -> list[tuple[str, str]]:
    """Return the files of bundled puzzles, each with its number of puzzles in words."""
    found = Counter(one.file for one in formats.bundled())
    rows = [(file, counted(number, "puzzle")) for file, number in found.items()]
    return [*rows, (formats.BUNDLED, f"all {found.total()}; `nonosat list puzzles` lists them")]


def _described(plugin: Plugin) -> str:
    """Return the summary, with further properties in brackets."""
    notes: list[str] = []
    match plugin:
        case Format():
            notes = [" ".join(plugin.suffixes)]
        case Encoding():
            notes = [plugin.strength.value, plugin.source]
        case Formulation():
            notes = [plugin.source]
        case Study():
            notes = [f"at most {plugin.largest}", plugin.source]
        case Backend():
            notes = [f"needs {plugin.needs}{_missing(plugin.needs)}"]
    text = "; ".join(filter(None, notes))
    return f"{plugin.summary} ({text})" if text else plugin.summary


def _missing(needs: str) -> str:
    """Return a remark if the package `needs` is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        if needs != "nothing":
            version(needs)
    except PackageNotFoundError:
        return ", not installed"
    return ""
