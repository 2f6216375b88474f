"""`nonosat batch`: solve or check a big collection, on all cores, resumable after any stop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nonosat import formats
from nonosat.batch import shards
from nonosat.batch.deciding import BatchTask, Rules
from nonosat.batch.driver import BatchDriver
from nonosat.batch.folder import merge
from nonosat.batch.heads import options_sha256
from nonosat.batch.results import latest
from nonosat.batch.rules import ABOUT_COLUMNS, RULES, results_by, scores, table
from nonosat.batch.workers import Deciding
from nonosat.cli import BAD_INPUT, FAILURE, INTERRUPTED, _deciding
from nonosat.cli._files import check_results, check_target, force_option, is_forced, wrote
from nonosat.cli._jobs import NAMES, checked, places
from nonosat.cli._options import (
    LIMITS,
    RETRIED,
    SuggestingChoice,
    decorated,
    going_on,
    is_given,
    limits,
    reading,
    seed,
)
from nonosat.cli._output import print_json
from nonosat.cli._progress import StatusLine, clock
from nonosat.cli._repair import repair
from nonosat.cli._sources import check_reading
from nonosat.core.errors import NonosatError, counted, path_text, printable
from nonosat.core.limits import Limits, Watch
from nonosat.formats import num_puzzles
from nonosat.processes.child import Child
from nonosat.processes.files import write_atomically
from nonosat.processes.journal import Journal
from nonosat.processes.places import pool_of
from nonosat.processes.tools import TALK_S
from nonosat.processes.waiting import readable

if TYPE_CHECKING:
    from nonosat.batch.tally import BatchTally

SOLUTIONS = {"solve": 1, "check": 2}  # number of solutions, by task


@click.command("batch")
@decorated(
    click.argument("files", metavar="FILE...", nargs=-1),
    click.option(
        "-o",
        "--output",
        metavar="RESULTS",
        type=click.Path(),
        required=True,
        help="File of results (JSON Lines); with --shards a folder.",
    ),
    force_option,
    going_on("puzzles", (*RETRIED, "error", "unknown")),
    click.option(
        "--latest",
        is_flag=True,
        help="Print the last result of each puzzle in RESULTS, as JSON Lines; decide nothing.",
    ),
    click.option(
        "--shards",
        is_flag=True,
        help="Workers read parts of FILE..., with one puzzle per line, and write their results "
        "to files of their own in the folder RESULTS: for millions of puzzles.",
    ),
    click.option(
        "--merge",
        metavar="FOLDER",
        type=click.Path(file_okay=False),
        help="Write the results in FOLDER, of --shards, to the file RESULTS; decide nothing.",
    ),
    click.option(
        "--task",
        type=SuggestingChoice(list(SOLUTIONS)),
        default="check",
        show_default=True,
        help="Find a solution, or decide whether it is the only one.",
    ),
    click.option(
        "--rules",
        metavar="NAME",
        type=SuggestingChoice(list(RULES)),
        help="By the rules of a tournament: tcga (one core, two hours for each FILE, in order).",
    ),
    click.option(
        "--answers",
        metavar="FOLDER",
        type=click.Path(file_okay=False),
        help="With --rules: write the official text of the answers, a file for each FILE.",
    ),
    places("Worker processes; by default one per core."),
    *_deciding.choices(),
    limits("each puzzle"),
    seed(),
    reading(),
)
@click.pass_context
def command(ctx: click.Context, /, **params: Any) -> None:
    """Solve or check every puzzle in FILE... and record the results.

    Each puzzle is a line of RESULTS. Limits hold for each puzzle and every engine. After Ctrl-C, a
    crash or a power cut the same command with --resume completes the rest; with other options it
    decides every puzzle again, in a further line of RESULTS. --repair alone, without FILE..., also
    repairs files of `bench run`.

    With --rules each FILE, also of a folder, is a set of the tournaments of the TCGA and TAAI: any
    one solution counts, and puzzles that two hours do not reach count as unsolved. A table compares
    the sets with published times of other programs. The time of a set is wall time, everything
    included, over all sessions with --resume.
    """
    if params["rules"] is not None:
        _set_by_rules(ctx, params)
    elif params["answers"] is not None:
        raise click.UsageError("--answers is for --rules NAME; add it, or leave --answers out")
    folder = params.pop("merge")
    if folder is not None:
        ctx.exit(_merge(folder, params))
    if params["repair"] and Path(params["output"]).is_dir():
        raise click.UsageError(f"{path_text(params['output'])} is a folder; --repair is for a file")
    if params.pop("repair"):
        repair(params["output"])
        if not (params["files"] or params["latest"]):
            ctx.exit(0)
    if params.pop("latest"):
        ctx.exit(_print_latest(params))
    if not params["files"]:
        raise click.UsageError("Missing argument 'FILE...'.")
    ctx.exit(_run(params))


# Options that contradict rules: the values that do not, and the reason.
_AGAINST: dict[str, tuple[tuple[Any, ...], str]] = {
    "task": (("solve",), "any one solution of a puzzle counts"),
    "jobs": ((1,), "there is one core"),
    "cluster": ((), "there is one core"),
    "time_limit_s": ((), "each set has its time"),
    "retry": ((), "there is one attempt"),
    "shards": ((), "puzzles are solved in order"),
    "merge": ((), "it decides nothing"),
    "latest": ((), "it decides nothing"),
}


def _set_by_rules(ctx: click.Context, params: dict[str, Any]) -> None:
    """Set the options that rules determine; refuse those that contradict them."""
    rules = RULES[params["rules"]]
    for param in ctx.command.params:
        valid, why = _AGAINST.get(param.name or "", ((), ""))
        if why and is_given(ctx, param.name) and params[param.name or ""] not in valid:
            name = f"--rules {rules.name} and {param.opts[-1]}"
            raise click.UsageError(f"{name} contradict each other: {why}; leave one of the two out")
    if params["backend"].startswith("portfolio"):
        raise click.UsageError(f"a portfolio takes several cores; --rules {rules.name} give one")
    if params["answers"] is not None:
        _check_answers(params["answers"], params)
    params |= {"task": rules.question, "jobs": 1, "time_limit_s": rules.set_limit_s}


def _check_answers(folder: str, params: Mapping[str, Any]) -> None:
    """Refuse a folder of other files, or one whose answers would be read as puzzles."""
    path = Path(folder).resolve()
    for source in map(Path, params["files"]):
        if source.is_dir() and path.is_relative_to(source.resolve()):
            found = f"{path_text(folder)} is in {path_text(source)}"
            raise click.UsageError(f"{found}, whose files are puzzles; choose a folder elsewhere")
    if not path.parent.is_dir():
        raise click.UsageError(f"{path_text(folder)}: there is no folder above it; make it first")
    if path.is_dir() and any(path.iterdir()) and not (params["resume"] or is_forced()):
        found = f"{path_text(folder)} is not empty"
        raise click.UsageError(f"{found}; choose another folder, or --force replaces its files")


def _print_latest(params: Mapping[str, Any]) -> int:
    if params["files"] or params["resume"]:
        raise click.UsageError("--latest reads RESULTS alone; leave out FILE... and --resume")
    for record in latest(params["output"]):
        print_json(record)
    return 0


def _run(params: Mapping[str, Any]) -> int:
    of_files = params["format_"], params["family"]
    _check_output(params)
    options = _deciding.options_of({**params, "max_solutions": SOLUTIONS[params["task"]]})
    check_reading(*of_files)
    jobs = checked(*(params[name] for name in NAMES))

    rules = params["rules"] and RULES[params["rules"]]
    question = BatchTask(params["task"], options, rules)
    run = _run_shards if params["shards"] else _run_file
    return run(params, question, jobs)


def _check_output(params: Mapping[str, Any]) -> None:
    """Refuse existing results, and options that contradict each other."""
    if params["shards"]:
        if params["resume"] and is_forced():
            raise click.UsageError("--resume and --force: expected one of them")
        return
    if Path(params["output"]).is_dir():
        file = path_text(params["output"])
        raise click.UsageError(f"{file} is a folder; name a file in it, or use --shards")
    check_results(params["output"], params["resume"], "nonosat batch")


def _run_file(params: Mapping[str, Any], question: BatchTask, jobs: int) -> int:
    """Read all puzzles in this process, and write all results to one file."""
    files, of_files = params["files"], (params["format_"], params["family"])
    with (
        closing(pool_of(jobs, params["cluster"], Deciding(question))) as pool,
        Journal(params["output"], replaces=is_forced()) as output,
    ):
        if output.note:
            click.echo(f"nonosat: {output.note}", err=True)
        driver = BatchDriver(question, pool, output, params["resume"], params["retry"])
        if driver.note:
            click.echo(f"nonosat: {driver.note}", err=True)
        try:
            limits = Limits(*(params[name] for name in LIMITS))
            with closing(BatchLine(files, *of_files, Limits(limits.time_s))) as live:
                items = formats.iter_timed(files, *of_files, limits, keeps=True)
                driver.run(files, items, live.show)
        except KeyboardInterrupt:
            click.echo(f"nonosat: interrupted, {_interrupted(driver.tally, params)}", err=True)
            return INTERRUPTED
    _summary(driver.tally, params["output"])
    if question.rules is not None:
        _show_scores(question, question.rules, params)
    return _status(driver.tally)


def _show_scores(question: BatchTask, rules: Rules, params: Mapping[str, Any]) -> None:
    """Print the table of all sets in the file of results; write the answers of `--answers`."""
    found = scores(results_by(params["output"], options_sha256(question)), rules)
    rows = table(found, rules)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    click.echo()
    for row in rows:
        cells = zip(row, widths, strict=True)
        click.echo("  ".join(f"{text:{width}}" for text, width in cells).rstrip())
    if any(row[-1] for row in rows[1:]):
        click.echo(ABOUT_COLUMNS)
    if params["answers"] is None:
        return
    folder, names = Path(params["answers"]), Counter[str]()
    folder.mkdir(exist_ok=True)
    for one in found:
        names[one.name] += 1
        again = f"-{names[one.name]}" if names[one.name] > 1 else ""
        write_atomically(folder / f"{one.name}{again}.txt", "".join(one.answers).encode())
    wrote(folder, f"answers of {counted(len(found), 'set')}")


def _run_shards(params: Mapping[str, Any], question: BatchTask, jobs: int) -> int:
    """Distribute parts of the files; the results go to a folder."""
    request = formats.ReadRequest(params["format_"], params["family"])
    with shards.opened(
        question,
        params["files"],
        params["output"],
        request,
        resume=params["resume"],
        replaces=is_forced(),
    ) as batch:
        if note := batch.output.note:
            click.echo(f"nonosat: {note}", err=True)
        with closing(pool_of(jobs, params["cluster"], batch.work)) as pool, StatusLine() as line:
            driver = shards.ShardDriver(batch, pool, params["retry"])
            try:
                driver.run(lambda: line.show(lambda: text(driver.tally, driver.total)))
            except KeyboardInterrupt:
                line.erase()
                click.echo(f"nonosat: interrupted, {_interrupted(driver.tally, params)}", err=True)
                return INTERRUPTED
    _summary(driver.tally, params["output"])
    return _status(driver.tally)


def _merge(folder: str, params: Mapping[str, Any]) -> int:
    words = [name for name in ("files", "resume", "latest", "shards", "repair") if params[name]]
    if words:
        raise click.UsageError("--merge FOLDER -o RESULTS takes no other options")
    check_target(params["output"])
    done = merge(folder, Path(params["output"]))
    click.echo(f"{counted(done.num_results, 'result')} in {path_text(params['output'])}")
    if done.num_missing:
        sentence = f"{counted(done.num_missing, 'part')} not done yet; --shards --resume continues"
        click.echo(f"nonosat: {path_text(folder)}: {sentence}", err=True)
    return 0


def _interrupted(tally: BatchTally, params: Mapping[str, Any]) -> str:
    results = counted(tally.kept + tally.done, "result")
    file = path_text(params["output"])
    return f"{results} in {file}; the same command with --resume completes the rest"


def _summary(tally: BatchTally, output: str) -> None:
    output = path_text(output)
    total = tally.kept + tally.done
    counts = ", ".join(f"{count} {word}" for word, count in tally.outcomes.most_common())
    kept = f"; {tally.kept} of them recorded already" if tally.kept else ""
    puzzles = counted(total, "puzzle")
    click.echo(f"{puzzles}: {counts}{kept} ({tally.seconds:.1f} s, results in {output})")
    if tally.failed:
        sentence = f"{tally.failed} without a verdict; their lines in {output} give the reason"
        click.echo(f"nonosat: {sentence}", err=True)


def _status(tally: BatchTally) -> int:
    """Return the exit status, as for `check`."""
    if tally.outcomes.keys() & {"error", "unsupported"}:
        return BAD_INPUT
    return max((_deciding.STATUS.get(one, FAILURE) for one in tally.outcomes), default=0)


class BatchLine:
    """Progress line of a batch; a child process counts the puzzles.

    If that fails, the line has no forecast.

    Args:
        sources: Sources of the batch.
        format_: Format of all of them; None to detect it.
        family: Family of all of them; None to detect it.
        limits: Limits for reading each puzzle.
    """

    def __init__(
        self, sources: Sequence[str], format_: str | None, family: str | None, limits: Limits
    ) -> None:
        self._line = StatusLine()
        self._total: int | None = None
        self._counter: Child | None = None
        is_there = "-" in (source.partition("#")[0] for source in sources)
        if self._line.is_on_terminal and not is_there:  # standard input is read only once
            self._counter = Child()
            message = ("call", num_puzzles, (tuple(sources), format_, family, limits))
            try:
                self._counter.begin(message, Watch(Limits(TALK_S)))
            except NonosatError:
                self._end()

    def show(self, tally: BatchTally) -> None:
        """Show the progress of the batch."""
        self._line.show(lambda: text(tally, self._counted()))

    def _counted(self) -> int | None:
        """Return the number of puzzles as soon as it is known."""
        if self._counter is not None and readable([self._counter], 0.0):
            with suppress(NonosatError):
                self._total = int(self._counter.finish(Watch(Limits(TALK_S))))
            self._end()
        return self._total

    def _end(self) -> None:
        """End the counting."""
        if self._counter is not None:
            self._counter.kill()
            self._counter = None

    def close(self) -> None:
        """End the counting, and erase the line."""
        self._end()
        self._line.erase()


def text(tally: BatchTally, total: int | None) -> str:
    """Return the text of the line.

    Args:
        tally: Progress so far.
        total: Number of puzzles, if known.
    """
    rate = tally.done / max(tally.seconds, 0.001)
    known = "" if total is None else f" of {total}"
    parts = [f"{tally.kept + tally.done}{known} done", f"{tally.failed} failed", f"{rate:.0f}/s"]
    if total is not None and tally.done:
        parts.append(f"{clock((total - tally.kept - tally.done) / rate)} left")
    seconds, name = tally.slowest
    if name:
        parts.append(f"slowest {seconds:.2f} s {printable(name)}")
    return ", ".join(parts)
