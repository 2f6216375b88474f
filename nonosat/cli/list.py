"""`nonosat list`: the plug-ins that there are, and what each needs."""

from __future__ import annotations

from io import StringIO
from shutil import get_terminal_size
from typing import Any

import click

KINDS = {"families": "puzzles"}  # a kind's name for users, where it is not its package's
AUTO = "the default: propagation, probing, a short native search, then `learn` with hints"
CHOICES = (
    *("formats", "backends", "encodings", "formulations", "redundant", "families", "methods"),
    "study",
)
WIDTH = 100  # of the table of encodings, where the terminal does not say
LEGEND = (
    "Sizes of a line hold for an open one in one colour with known lengths: n cells, k blocks, "
    "f filled cells, s slack; of a count for n literals between the bounds l and u. Variables are "
    "those beside the cells or literals; determined ones have one value for each solution. "
    "count=native gives counts as they are to an engine that takes them."
)


@click.command("list", short_help="Show formats, backends, encodings, ...")
@click.argument("kind", metavar="[KIND]", required=False, type=click.Choice(CHOICES))
def command(kind: str | None) -> None:
    """Show what there is of KIND, or of every kind, one line each with what it needs.

    Kinds are formats, backends, encodings, formulations, redundant (clauses beside the clues),
    families (of puzzles), methods (of families) and study (the documents' methods). Encodings on
    their own are a table: how strongly they propagate and how large they are.
    """
    if kind == "encodings":
        _show_encodings()
        return
    for index, name in enumerate(CHOICES if kind is None else (kind,)):
        if kind is None:
            click.echo(("\n" if index else "") + f"{name}:")
        _show(name, indent="" if kind else "  ")


def _show_encodings() -> None:
    """Name, strength, sizes and source of every encoding, as wide as the terminal."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from nonosat import plugins

    width = max(get_terminal_size((WIDTH, 24)).columns, 60)
    text = StringIO()
    console = Console(file=text, width=width, color_system=None, highlight=False)
    table = Table("encoding", "strength", "variables", "clauses", "source", box=None)
    table.pad_edge = False
    table.columns[0].no_wrap = True
    table.columns[1].min_width = len("propagation")
    for name, module in sorted(plugins.names("encodings").items()):
        strength = module.STRENGTH.value + ("" if module.DETERMINED else "; not determined")
        row = (name.replace("-", "=", 1), strength, *module.SIZE, module.SOURCE)
        table.add_row(*map(escape, row))
    console.print(table)
    console.print(f"\n{LEGEND}", markup=False)
    for line in text.getvalue().splitlines():
        click.echo(line.rstrip())


def _show(kind: str, indent: str) -> None:
    rows = _rows(kind)
    width = max((len(name) for name, _ in rows), default=0)
    for name, text in rows:
        click.echo(f"{indent}{name:{width}}  {text}")


def _rows(kind: str) -> list[tuple[str, str]]:
    """Every name of a kind as it is given to an option, and what is said of it."""
    from nonosat import plugins
    from nonosat.board.redundant import SUMMARIES
    from nonosat.families import STUDY

    if kind == "redundant":  # no plug-ins
        return sorted(SUMMARIES.items())
    if kind == "methods":
        return _methods()
    found = sorted(plugins.names(KINDS.get(kind, kind)).items())
    if kind in ("encodings", "formulations"):
        return [(name.replace("-", "=", 1), _described(module)) for name, module in found]
    if kind == "study":
        return [(STUDY + name, f"{each.FAMILY}: {_described(each)}") for name, each in found]
    auto = [("auto", AUTO)] if kind == "backends" else []
    return auto + [(name, _described(module, name)) for name, module in found]


def _methods() -> list[tuple[str, str]]:
    """What families solve in ways of their own, by the name that --backend takes."""
    from nonosat import plugins

    return [
        (name, f"{family}: {(method.__doc__ or '').splitlines()[0]}")
        for family, module in sorted(plugins.names("puzzles").items())
        for name, method in sorted(getattr(module, "METHODS", {}).items())
    ]


def _described(module: Any, name: str = "") -> str:
    """Summary, and in brackets whatever else the module says of itself."""
    summary = getattr(module, "SUMMARIES", {}).get(name, module.SUMMARY)
    notes = []
    if suffixes := getattr(module, "SUFFIXES", ()):
        notes.append(" ".join(suffixes))
    if strength := getattr(module, "STRENGTH", None):
        notes.append(strength.value)
    if largest := getattr(module, "LARGEST", ""):
        notes.append(f"at most {largest}")
    if source := getattr(module, "SOURCE", ""):
        notes.append(source)
    if needs := getattr(module, "NEEDS", ""):
        notes.append(f"needs {needs}{_missing(needs)}")
    return f"{summary} ({'; '.join(notes)})" if notes else str(summary)


def _missing(needs: str) -> str:
    """A remark where the package `needs` is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        if needs != "nothing":
            version(needs)
    except PackageNotFoundError:
        return ", which is not installed"
    return ""
