"""`nonosat bench encodings`: compare encodings of lines on given puzzles."""

from __future__ import annotations

from math import isinf
from pathlib import Path
from typing import Any

import click

from nonosat.bench.encodings import encodings_suite, every_encoding
from nonosat.bench.instances import Source
from nonosat.bench.proofs import refutations, require_proofs, table
from nonosat.bench.records import RunLimits
from nonosat.bench.suite import Suite
from nonosat.cli import INTERRUPTED, message_of
from nonosat.cli._bench_report import FORMS, check_report, write_report
from nonosat.cli._bench_run import record
from nonosat.cli._files import check_results, force_option, new_file, suffix_of, write
from nonosat.cli._jobs import checked, places
from nonosat.cli._options import duration, going_on, reading
from nonosat.cli._progress import Working, quiet_option
from nonosat.cli._repair import repair as mend
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import MAX_TIME_S, Limits
from nonosat.formats import jsonl

USUAL = "encodings.html"
_LIMIT_S = 60.0
_MEMORY_MIB = 4096


@click.command("encodings")
@click.argument("puzzles", metavar="PUZZLES...", nargs=-1, required=True)
@click.option(
    "--encoding",
    "encodings",
    metavar="NAME",
    multiple=True,
    help="Encoding of lines, such as order. Repeatable; default: all.",
)
@click.option(
    "--backend",
    "backends",
    metavar="NAME",
    multiple=True,
    default=("learn",),
    show_default=True,
    help="Engine that solves the clauses. Repeatable.",
)
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    default=USUAL,
    show_default=True,
    help="The report: OUT.html (a page), OUT.md or OUT.csv.",
)
@click.option(
    "--results",
    metavar="RESULTS",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File of the runs, one JSON object per line; default: OUT.jsonl.",
)
@click.option(
    "--proofs",
    metavar="OUT.md",
    callback=new_file(".md"),
    help="Also refute other solutions with each encoding, check the proofs, and write a table of "
    "sizes, conflicts, proofs and seconds (Markdown).",
)
@duration("--time-limit", "time_limit_s", _LIMIT_S, "Wall time for each run.")
@click.option(
    "--repetitions",
    metavar="N",
    type=click.IntRange(min=1, max=1000),
    default=1,
    show_default=True,
    help="Repetitions of each run; the median counts.",
)
@force_option
@quiet_option
@places("Parallel runs; by default one.")
@reading("PUZZLES")
@going_on("runs")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    puzzles: tuple[str, ...],
    output: str,
    results: Path | None,
    time_limit_s: float,
    **params: Any,
) -> None:
    """Compare encodings on PUZZLES... (files, folders or FILE#ID): one command, one page.

    Every encoding, with every backend, decides for every puzzle if its solution is the only one:
    from the clues alone, without presolve and hints, each run in a process of its own. The page has
    times, sizes, conflicts and propagations; encodings of other packages take part. The encoding
    placements is skipped on puzzles for which it needs more than 1,000,000 clauses.
    """
    jobs = checked(params["jobs"], params["force_jobs"], params["cluster"], usual=1)
    wall_s = MAX_TIME_S if isinf(time_limit_s) else time_limit_s
    limits = RunLimits(wall_s, memory_mib=_MEMORY_MIB)
    sources = [Source(path, params["format_"], params["family"]) for path in puzzles]
    try:
        which = params["encodings"], params["backends"]
        for engine in params["backends"] if params["proofs"] else ():
            require_proofs(engine)
        suite = encodings_suite(sources, *which, limits, params["repetitions"])
    except UnsupportedError as error:
        raise click.UsageError(message_of(error)) from None
    target = results or _beside(output)
    if params["proofs"] and Path(params["proofs"]).absolute() in (
        Path(output).absolute(),
        target.absolute(),
    ):
        raise click.UsageError("--proofs names a file that --output or --results writes, too")
    if params["repair"]:
        mend(target)
    check_results(target, params["resume"], "nonosat bench run")
    check_report(output, str(target), replaces=params["resume"])
    status = record(suite, target, (jobs, params["cluster"]), params["retry"])
    if status != INTERRUPTED:
        write_report(output, str(target))
        if params["proofs"]:
            _write_proofs(suite, params)
    ctx.exit(status)


def _write_proofs(suite: Suite, params: dict[str, Any]) -> None:
    puzzles = {one.name: jsonl.read(one.text.encode())[0] for one in suite.instances}
    encodings = list(dict.fromkeys(params["encodings"])) or every_encoding()
    limits = Limits(suite.limits.wall_s, suite.limits.memory_mib)
    texts = []
    with Working("proofs of the encodings"):
        for engine in dict.fromkeys(params["backends"]):
            found = refutations(puzzles, encodings, engine, limits)
            texts.append(f"Proofs of {engine}:\n\n{table(found)}")
    write(params["proofs"], "\n".join(texts).encode(), "a table")


def _beside(output: str) -> Path:
    """Return the file of results that belongs to a report."""
    suffix = suffix_of(output, FORMS) or ""
    return Path(f"{output[: len(output) - len(suffix)]}.jsonl")
