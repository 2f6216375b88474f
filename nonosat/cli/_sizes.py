"""How large the encodings of puzzles are: what `nonosat encode --stats` prints."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import product
from time import perf_counter
from typing import Any

import click

from nonosat.cli import BAD_INPUT, report
from nonosat.cli._deciding import STATUS
from nonosat.cli._sources import Item, items_of

_COLUMNS = ("variables", "clauses", "literals", "seconds")


def show_sizes(asked: Mapping[str, Any]) -> int:
    """Measure and show every encoding of every puzzle; returns the exit status.

    Args:
        asked: Values of the command's options.
    """
    chosen = list(_combinations(asked["encodings"]))
    statuses = [0]
    for item in items_of(asked["files"], asked["format_"]):
        if item.error is not None:
            statuses.append(report(item.error))
            continue
        if not asked["as_json"]:
            width = max(len(_named(encodings)) for encodings in chosen)
            heads = "".join(f"{head:>14}" for head in _COLUMNS)
            click.echo(f"{item.name}\n  {'encoding':{width}}{heads}")
        for encodings in chosen:
            row = _measured(item, encodings, asked)
            statuses.append(STATUS["unknown"] if "limit" in row else 0)
            click.echo(_record(item, encodings, row) if asked["as_json"] else _line(row, width))
    return BAD_INPUT if BAD_INPUT in statuses else max(statuses)


def _combinations(asked: Mapping[str, list[str]]) -> Iterator[Mapping[str, str]]:
    """Every choice of encodings by kind; where none was asked for, all of lines."""
    from nonosat import plugins
    from nonosat.methods import chosen_methods
    from nonosat.result import Options

    names = dict(asked)
    if "line" not in names:
        found = (name.partition("-") for name in plugins.names("encodings"))
        names["line"] = sorted(name for kind, _, name in found if kind == "line")
    for methods in product(*names.values()):
        yield chosen_methods(Options(encoding=dict(zip(names, methods, strict=True)))).encodings


def _named(encodings: Mapping[str, str]) -> str:
    """Encodings of lines by their name, with that of counts where it is not the usual one."""
    from nonosat.translate import ENCODINGS

    others = (f"{kind}={name}" for kind, name in encodings.items() if name != ENCODINGS[kind])
    return " ".join([f"line={encodings['line']}", *(text for text in others if text[0] != "l")])


def _measured(item: Item, encodings: Mapping[str, str], asked: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers, or "error" or "limit" with what stood in the way."""
    from nonosat import export
    from nonosat.errors import LimitReached, UnsupportedError
    from nonosat.guard import Guard
    from nonosat.limits import Limits, Watch

    row: dict[str, Any] = {"name": _named(encodings)}
    watch = Watch(Limits(asked["time_limit_s"], asked["memory_limit_mib"]))
    try:
        with Guard(watch):
            formula = export.formula_of(
                item.puzzle, encodings, presolve=asked["presolve"], watch=watch
            )
            started = perf_counter()
            extent = export.measure(formula, watch.check)
            seconds = round(perf_counter() - started, 6)
    except LimitReached as error:
        return row | {"limit": watch.reason() or str(error)}
    except (UnsupportedError, MemoryError) as error:
        return row | {"error": str(error) or "out of memory"}
    numbers = (extent.num_vars, extent.num_clauses, extent.num_lits, seconds)
    return row | dict(zip(_COLUMNS, numbers, strict=True))


def _line(row: Mapping[str, Any], width: int) -> str:
    what = row.get("error") or row.get("limit")
    if what:
        return f"  {row['name']:{width}}  {what}"
    sizes = "".join(f"{row[column]:>14}" for column in _COLUMNS[:-1])
    return f"  {row['name']:{width}}{sizes}{row['seconds']:>14.3f}"


def _record(item: Item, encodings: Mapping[str, str], row: Mapping[str, Any]) -> str:
    found = {key: value for key, value in row.items() if key != "name"}
    who = {"id": item.puzzle.about.id, "file": item.file, "encoding": dict(encodings)}
    return json.dumps(who | found)
