"""`nonosat list`: the plug-ins that there are, and what each needs."""

from __future__ import annotations

from typing import Any

import click

KINDS = {"families": "puzzles"}  # a kind's name for users, where it is not its package's
AUTO = "the default: propagation, probing, a short native search, then a SAT engine"
CHOICES = ("formats", "backends", "encodings", "formulations", "families")


@click.command("list", short_help="Show formats, backends, encodings, ...")
@click.argument("kind", required=False, type=click.Choice(CHOICES))
def command(kind: str | None) -> None:
    """Show what there is of KIND, or of every kind, one line each with what it needs."""
    for index, name in enumerate(CHOICES if kind is None else (kind,)):
        if kind is None:
            click.echo(("\n" if index else "") + f"{name}:")
        _show(name, indent="" if kind else "  ")


def _show(kind: str, indent: str) -> None:
    from nonosat import plugins

    found = sorted(plugins.names(KINDS.get(kind, kind)).items())
    if kind in ("encodings", "formulations"):  # as the options --encoding and --formulation take it
        rows = [(name.replace("-", "=", 1), _described(module)) for name, module in found]
    else:
        rows = [(name, _described(module, name)) for name, module in found]
    if kind == "backends":
        rows.insert(0, ("auto", AUTO))
    width = max((len(name) for name, _ in rows), default=0)
    for name, text in rows:
        click.echo(f"{indent}{name:{width}}  {text}")


def _described(module: Any, name: str = "") -> str:
    """Summary, and in brackets whatever else the module says of itself."""
    summary = getattr(module, "SUMMARIES", {}).get(name, module.SUMMARY)
    notes = []
    if suffixes := getattr(module, "SUFFIXES", ()):
        notes.append(" ".join(suffixes))
    if strength := getattr(module, "STRENGTH", None):
        notes.append(strength.value)
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
