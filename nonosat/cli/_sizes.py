"""How large the encodings of puzzles are: what `nonosat encode --stats` prints."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import product
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli import BAD_INPUT, FAILURE, failure_text, report
from nonosat.cli._deciding import STATUS
from nonosat.cli._sources import Item, items_of
from nonosat.core.families import family_of

if TYPE_CHECKING:
    from nonosat.core.plugins import Family

STATUSES = {"failure": FAILURE, "limit": STATUS["unknown"]}  # by what stood in the way
_COLUMNS = ("variables", "clauses", "literals", "seconds")


def show_sizes(asked: Mapping[str, Any]) -> int:
    """Measure and show every encoding of every puzzle; returns the exit status.

    Args:
        asked: Values of the command's options.
    """
    statuses = [0]
    for item in items_of(asked["files"], asked["format_"], asked["family"], asked):
        if item.error is not None:
            statuses.append(report(item.error))
            continue
        kind = family_of(item.puzzle).build(item.puzzle).kinds()[0]
        chosen = list(_combinations(asked["encodings"], kind, item.puzzle.family))
        if not asked["as_json"]:
            width = max(len(_named(encodings, kind)) for encodings in chosen)
            heads = "".join(f"{head:>14}" for head in _COLUMNS)
            click.echo(f"{item.name}\n  {'encoding':{width}}{heads}")
        for encodings in chosen:
            row = {"name": _named(encodings, kind), **_measured(item, encodings, asked)}
            statuses.append(next((STATUSES[key] for key in STATUSES if key in row), 0))
            click.echo(_record(item, encodings, row) if asked["as_json"] else _line(row, width))
    for status in (FAILURE, BAD_INPUT):
        if status in statuses:
            return status
    return max(statuses)


def _combinations(
    asked: Mapping[str, list[str]], kind: str, family: str | Family
) -> Iterator[Mapping[str, str]]:
    """Every choice of encodings by kind; where none was asked for, all of the given kind."""
    from nonosat.core import plugins
    from nonosat.core.result import Options
    from nonosat.solving.choices import choices_of

    names = dict(asked)
    if kind not in names:
        found = (name.partition("-") for name in plugins.names("encodings"))
        names[kind] = sorted(name for other, _, name in found if other == kind)
    for chosen in product(*names.values()):
        options = Options(encoding=dict(zip(names, chosen, strict=True)))
        yield choices_of(options, family, lazy=False).encodings


def _named(encodings: Mapping[str, str], kind: str) -> str:
    """The name of a kind's encoding, and those of other kinds where they are not the default."""
    from nonosat.clauses.translate import ENCODINGS
    from nonosat.solving.choices import EAGER

    usual = ENCODINGS | EAGER
    others = (pair for pair in encodings.items() if pair[0] != kind)
    unusual = [f"{other}={name}" for other, name in others if name != usual[other]]
    return " ".join([f"{kind}={encodings[kind]}", *unusual])


def _measured(item: Item, encodings: Mapping[str, str], asked: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers, or "error", "limit" or "failure" with what stood in the way."""
    from nonosat import export
    from nonosat.core.errors import LimitReached, UnsupportedError
    from nonosat.core.limits import Limits, Watch
    from nonosat.processes.guard import Guard

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
        return {"limit": watch.reason() or str(error)}
    except (UnsupportedError, MemoryError) as error:
        return {"error": str(error) or "out of memory"}
    except Exception as error:  # of one encoding, which must not end the others
        return {"failure": failure_text(error)}
    numbers = (extent.num_vars, extent.num_clauses, extent.num_lits, seconds)
    return dict(zip(_COLUMNS, numbers, strict=True))


def _line(row: Mapping[str, Any], width: int) -> str:
    what = row.get("error") or row.get("limit") or row.get("failure")
    if what:
        return f"  {row['name']:{width}}  {what}"
    sizes = "".join(f"{row[column]:>14}" for column in _COLUMNS[:-1])
    return f"  {row['name']:{width}}{sizes}{row['seconds']:>14.3f}"


def _record(item: Item, encodings: Mapping[str, str], row: Mapping[str, Any]) -> str:
    found = {key: value for key, value in row.items() if key != "name"}
    who = {"id": item.puzzle.about.id, "file": item.file, "encoding": dict(encodings)}
    return json.dumps(who | found)
