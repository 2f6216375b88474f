"""`nonosat batch`: solve or check a big collection, on all cores, and go on after any stop."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli import BAD_INPUT, FAILURE, INTERRUPTED, _deciding
from nonosat.cli._files import check_results, force_option, is_forced
from nonosat.cli._jobs import NAMES, checked, places
from nonosat.cli._options import LIMITS, RETRIED, OneOf, decorated, going_on, limits, reading, seed
from nonosat.cli._sources import check_reading
from nonosat.errors import counted, path_text

if TYPE_CHECKING:
    from nonosat.batch.driver import Tally

_OURS = ("files", "output", "resume", "retry", "task", "format_", "family", *NAMES)
SOLUTIONS = {"solve": 1, "check": 2}  # looked for, by task


@click.command("batch", short_help="Solve or check a big collection.")
@decorated(
    click.argument("files", metavar="FILE...", nargs=-1),
    click.option(
        "-o",
        "--output",
        metavar="RESULTS",
        type=click.Path(dir_okay=False),
        required=True,
        help="File of results (JSON Lines).",
    ),
    force_option,
    going_on("puzzles", (*RETRIED, "error", "unknown")),
    click.option(
        "--latest",
        is_flag=True,
        help="Print the last result of each puzzle in RESULTS, as JSON Lines; decide nothing.",
    ),
    click.option(
        "--task",
        type=OneOf(list(SOLUTIONS)),
        default="check",
        show_default=True,
        help="Find a solution, or tell whether it is the only one.",
    ),
    places("Worker processes; by default as many as there are cores."),
    *_deciding.choices(),
    limits("each puzzle"),
    seed(),
    reading(),
)
@click.pass_context
def command(ctx: click.Context, /, **asked: Any) -> None:
    """Solve or check every puzzle in FILE... and record the results.

    Each puzzle is a line of RESULTS. Limits hold for each puzzle, whatever an engine does. After
    Ctrl-C, a crash or a power cut the same command with --resume does what is left; under other
    options it decides every puzzle again, in a further line of RESULTS. --repair alone, without
    FILE..., mends what `bench run` has written as well.
    """
    if asked.pop("repair"):
        from nonosat.cli._repair import repair

        repair(asked["output"])
        if not (asked["files"] or asked["latest"]):
            ctx.exit(0)
    if asked.pop("latest"):
        ctx.exit(_print_latest(asked))
    if not asked["files"]:
        raise click.UsageError("Missing argument 'FILE...'.")
    ctx.exit(_run(asked))


def _print_latest(asked: Mapping[str, Any]) -> int:
    from nonosat.batch import results
    from nonosat.cli._output import print_json

    if asked["files"] or asked["resume"]:
        raise click.UsageError("--latest reads RESULTS alone; leave out FILE... and --resume")
    for record in results.latest(asked["output"]):
        print_json(record)
    return 0


def _run(asked: Mapping[str, Any]) -> int:
    options = {name: value for name, value in asked.items() if name not in _OURS}
    options["max_solutions"] = SOLUTIONS[asked["task"]]
    of_files = asked["format_"], asked["family"]
    check_results(asked["output"], asked["resume"], "nonosat batch")
    _deciding.checked(options)
    check_reading(*of_files)
    jobs = checked(*(asked[name] for name in NAMES))

    from nonosat import formats
    from nonosat.batch.deciding import Asked
    from nonosat.batch.driver import BatchDriver
    from nonosat.batch.journal import Journal
    from nonosat.batch.workers import Deciding
    from nonosat.cli._live import Live
    from nonosat.limits import Limits
    from nonosat.processes.places import pool_of
    from nonosat.result import Options

    files, question = asked["files"], Asked(asked["task"], Options(**options))
    with (
        closing(pool_of(jobs, asked["cluster"], Deciding(question))) as pool,
        Journal(asked["output"], replaces=is_forced()) as output,
    ):
        if output.note:
            click.echo(f"nonosat: {output.note}", err=True)
        driver = BatchDriver(question, pool, output, asked["resume"], asked["retry"])
        if driver.note:
            click.echo(f"nonosat: {driver.note}", err=True)
        try:
            limits = Limits(*(asked[name] for name in LIMITS))
            with closing(Live(files, *of_files, Limits(limits.time_s))) as live:
                items = formats.iter_timed(files, *of_files, limits, keeps=True)
                driver.run(files, items, live.show)
        except KeyboardInterrupt:
            click.echo(f"nonosat: interrupted, {_interrupted(driver.tally, asked)}", err=True)
            return INTERRUPTED
    _summary(driver.tally, asked["output"])
    return _status(driver.tally)


def _interrupted(tally: Tally, asked: Mapping[str, Any]) -> str:
    results = counted(tally.kept + tally.done, "result")
    file = path_text(asked["output"])
    return f"{results} in {file}; the same command with --resume does the rest"


def _summary(tally: Tally, output: str) -> None:
    output = path_text(output)
    total = tally.kept + tally.done
    counts = ", ".join(f"{count} {word}" for word, count in tally.outcomes.most_common())
    kept = f"; {tally.kept} of them there already" if tally.kept else ""
    puzzles = counted(total, "puzzle")
    click.echo(f"{puzzles}: {counts}{kept} ({tally.seconds:.1f} s, results in {output})")
    if tally.failed:
        told = f"{tally.failed} without a verdict; their lines in {output} give the reason"
        click.echo(f"nonosat: {told}", err=True)


def _status(tally: Tally) -> int:
    """The exit status, as `check` has it."""
    if tally.outcomes.keys() & {"error", "unsupported"}:
        return BAD_INPUT
    return max((_deciding.STATUS.get(one, FAILURE) for one in tally.outcomes), default=0)
