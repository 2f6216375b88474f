"""`nonosat encode`: a puzzle as a file for other solvers, or the sizes of its encodings."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from nonosat import export
from nonosat.clauses import ENCODINGS
from nonosat.cli import BAD_INPUT, FAILURE, failure_text, message_of, report
from nonosat.cli._deciding import STATUS
from nonosat.cli._files import STDOUT, check_target, force_option, is_forced, new_file, write, wrote
from nonosat.cli._options import SuggestingChoice, by_kind, json_option, limits, limits_of, reading
from nonosat.cli._progress import Working
from nonosat.cli._sources import PuzzleItem, items_of, the_item
from nonosat.core import plugins
from nonosat.core.errors import LimitReached, PuzzleError, UnsupportedError
from nonosat.core.families import family_of
from nonosat.core.limits import Limits, Watch, left_of, watch_of
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Options
from nonosat.core.scope import within
from nonosat.export import Target, kind_of
from nonosat.solving import pipeline
from nonosat.solving.choices import EAGER, choices_of
from nonosat.solving.external import encode

if TYPE_CHECKING:
    from nonosat.core.grid import Grid
    from nonosat.core.plugins import Family


@click.command("encode")
@click.argument("files", metavar="PUZZLE...", nargs=-1, required=True)
@click.option(
    "-o", "--output", metavar="OUT", help="Output file; - is standard output (DIMACS, or --to)."
)
@click.option(
    "--to", "to", metavar="NAME", help="Kind of OUT (`list targets`); default: by its suffix."
)
@click.option(
    "--model",
    metavar="OUT.mzn",
    callback=new_file(),
    help="With .dzn: also write the model, which reads the data of any nonogram.",
)
@click.option("--stats", is_flag=True, help="Write nothing; show the size of each encoding.")
@click.option(
    "--encoding",
    "encodings",
    metavar="KIND=NAME",
    multiple=True,
    callback=by_kind,
    help="Encoding of a kind of constraint, e.g. line=automaton; with --stats several.",
)
@click.option(
    "--formulation",
    "formulations",
    metavar="KIND=NAME",
    multiple=True,
    callback=by_kind,
    help="Formulation for CP-SAT models (.pb, .pbtxt), e.g. line=starts.",
)
@click.option(
    "--presolve",
    type=SuggestingChoice(["none", "propagate", "probe"]),
    default="none",
    show_default=True,
    help="Strength of presolve, whose results become part of the file.",
)
@click.option(
    "--unique",
    is_flag=True,
    help="Forbid a solution (found first): the file is unsatisfiable if it is the only one.",
)
@click.option(
    "--solution",
    metavar="goal|FILE",
    help="Solution to forbid: the puzzle's goal, or a solver's answer as for `decode`.",
)
@force_option
@reading("every PUZZLE")
@limits("the file (with --stats, for each row)")
@json_option("With --stats: one JSON object per row.")
@click.pass_context
def command(ctx: click.Context, /, **params: object) -> None:
    """Write PUZZLE to OUT for an external solver; `nonosat decode` reads the solver's answer.

    The suffix of OUT selects the format: .cnf is DIMACS, .opb pseudo-Boolean, .xml XCSP3 (each may
    be followed by .gz or .xz), .pb and .pbtxt are CP-SAT models. Comments at the top map variables
    to cells.

    .mzn is a complete MiniZinc model: `minizinc OUT`. .dzn is a nonogram's data alone, in the
    format of the MiniZinc challenge: `minizinc OUT.mzn OUT` with the OUT.mzn of --model, or with
    another model. .lp is a program for clingo: `clingo OUT`.

    With --stats, for every PUZZLE the number of variables, clauses and literals of each encoding of
    lines (of counts, if it has no lines), and the seconds of the translation.
    """
    try:
        if params["stats"]:
            _check_stats(params)

            ctx.exit(_show_sizes(params))
        order = _EncodeJob(params)
    except UnsupportedError as error:
        raise click.UsageError(message_of(error)) from None
    ctx.exit(order.run())


def _check_stats(params: Mapping[str, Any]) -> None:
    if is_forced():
        raise click.UsageError("--stats writes nothing and takes no --force")
    for name in ("output", "to", "model", "formulations", "unique", "solution"):
        if params[name]:
            raise click.UsageError(f"--stats writes nothing and takes no --{name.rstrip('s')}")


class _EncodeJob:
    """One file to write.

    Raises:
        click.UsageError: Options contradict each other.
    """

    def __init__(self, params: Mapping[str, Any]) -> None:
        self.params = params
        if params["output"] is None:
            raise click.UsageError("expected -o OUT, or --stats to write nothing")
        if params["as_json"]:
            raise click.UsageError("--json is for --stats")
        if params["solution"] and not params["unique"]:
            raise click.UsageError("--solution selects what --unique forbids; add --unique")
        self.target: Target | None = None
        self.name = params["to"] or "cnf"
        if params["output"] != STDOUT:
            self.target = Target.of(params["output"], params["to"])
            self.name = self.target.name
            check_target(params["output"])
        self.takes = kind_of(self.name).takes
        self._check_choices()
        self._check_model()
        self.options = Options(
            backend="cpsat" if self.takes == "formulation" else "auto",
            encoding={kind: names[0] for kind, names in params["encodings"].items()},
            formulation={kind: names[0] for kind, names in params["formulations"].items()},
            time_limit_s=params["time_limit_s"],
            memory_limit_mib=params["memory_limit_mib"],
        )
        choices_of(self.options)

    def _check_choices(self) -> None:
        """Refuse choices that do not affect the file."""
        for name in ("encodings", "formulations"):
            for kind, names in self.params[name].items():
                if len(names) > 1:
                    raise click.UsageError(f"{kind!r} is given twice; several are for --stats")
            option = name.rstrip("s")
            if self.params[name] and option != self.takes:
                used = f"--{self.takes}" if self.takes else "neither --encoding nor --formulation"
                raise click.UsageError(f"{self.name} uses {used}, not --{option}")
        if self.name == "opb" and "count" in self.params["encodings"]:
            raise click.UsageError("an .opb file holds counts as they are, they are not encoded")

    def _check_model(self) -> None:
        """Refuse an invalid target of the model."""
        model = self.params["model"]
        if model is None:
            return
        if self.name != "dzn":
            raise click.UsageError("--model is for .dzn files; an .mzn file holds its model")
        if model == self.params["output"]:
            raise click.UsageError("--model and --output name the same file")

    def run(self) -> int:
        """Write the file; return the exit status."""
        params = self.params
        item = the_item(params["files"], params["format_"], params["family"], params)
        left = limits_of(params, item.read_s)
        try:
            with Working(f"encoding {item.name}"):
                watch = Watch(Limits(left["time_limit_s"], left["memory_limit_mib"]))
                return self._write(item.puzzle, watch)
        except LimitReached as limit:
            click.echo(f"nonosat: nothing was written: {limit}", err=True)
            return STATUS["unknown"]

    def _write(self, puzzle: Puzzle, watch: Watch) -> int:
        forbidden, status = self._forbidden(puzzle, watch) if self.params["unique"] else (None, 0)
        if status:
            return status
        encode(
            puzzle,
            sys.stdout.buffer if self.target is None else self.target.path,
            to=self.name if self.target is None else self.params["to"],
            encoding=self.options.encoding,
            formulation=self.options.formulation,
            presolve=self.params["presolve"],
            forbidden=forbidden,
            force=True,  # `check_target` has refused existing files without --force
            **left_of(watch),
        )
        if self.target is None:
            sys.stdout.buffer.flush()
        else:
            wrote(self.params["output"], f"1 puzzle as {self.name}")
        if self.params["model"] is not None:
            write(self.params["model"], export.nonogram_model().encode(), "the model")
        return 0

    def _forbidden(self, puzzle: Any, watch: Watch) -> tuple[Grid | None, int]:
        """Return the solution to forbid, or the exit status if there is none."""
        params = self.params["solution"]
        if params == "goal":
            if puzzle.goal is None:
                raise PuzzleError("the puzzle has no goal; name a file, or leave out --solution")
            return puzzle.goal, 0
        if params:
            answer = export.read_answer(Path(params).read_text(errors="replace"), params)
            return export.picture_of(puzzle, answer), 0
        result = pipeline.solve(puzzle, **left_of(watch))
        if result.solution is None:
            what = "there is no solution to forbid; without --unique it can be written"
            click.echo(f"nonosat: {result}: {what}", err=True)
            return None, STATUS[result.verdict.value]
        return result.solution, 0


# --stats


_STATUSES = {"failure": FAILURE, "limit": STATUS["unknown"]}  # by cause
_COLUMNS = ("variables", "clauses", "literals", "seconds")


def _show_sizes(params: Mapping[str, Any]) -> int:
    """Measure and show every encoding of every puzzle; return the exit status.

    Args:
        params: Values of the command's options.
    """
    statuses = [0]
    for item in items_of(params["files"], params["format_"], params["family"], params):
        if item.error is not None:
            statuses.append(report(item.error))
            continue
        family = family_of(item.puzzle)
        kind = family.build(item.puzzle).kinds()[0]
        chosen = list(_combinations(params["encodings"], kind, family))
        if not params["as_json"]:
            width = max(len(_named(encodings, kind)) for encodings in chosen)
            heads = "".join(f"{head:>14}" for head in _COLUMNS)
            click.echo(f"{item.name}\n  {'encoding':{width}}{heads}")
        for encodings in chosen:
            row = {"name": _named(encodings, kind), **_measured(item, encodings, params)}
            statuses.append(next((_STATUSES[key] for key in _STATUSES if key in row), 0))
            click.echo(_record(item, encodings, row) if params["as_json"] else _line(row, width))
    for status in (FAILURE, BAD_INPUT):
        if status in statuses:
            return status
    return max(statuses)


def _combinations(
    chosen_names: Mapping[str, list[str]], kind: str, family: Family
) -> Iterator[Mapping[str, str]]:
    """Return every choice of encodings by kind; without a choice, all of the given kind."""
    names = dict(chosen_names)
    if kind not in names:
        known = plugins.names("encodings").items()
        found = (name.partition("-") for name, one in known if plugins.is_installed(one))
        names[kind] = sorted(name for other, _, name in found if other == kind)
    for chosen in product(*names.values()):
        options = Options(encoding=dict(zip(names, chosen, strict=True)))
        yield choices_of(options, family, lazy=False).encodings


def _named(encodings: Mapping[str, str], kind: str) -> str:
    """Return the name of a kind's encoding, and the names for other kinds if not the default."""
    usual = ENCODINGS | EAGER
    others = (pair for pair in encodings.items() if pair[0] != kind)
    unusual = [f"{other}={name}" for other, name in others if name != usual[other]]
    return " ".join([f"{kind}={encodings[kind]}", *unusual])


def _measured(
    item: PuzzleItem, encodings: Mapping[str, str], params: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the numbers, or "error", "limit" or "failure" with the reason."""
    watch = watch_of(params["time_limit_s"], params["memory_limit_mib"])

    def numbers() -> tuple[float, ...]:
        formula = export.formula_of(
            item.puzzle, encodings, presolve=params["presolve"], watch=watch
        )
        started = perf_counter()
        extent = export.measure(formula, watch.check)
        seconds = round(perf_counter() - started, 6)
        return extent.num_vars, extent.num_clauses, extent.num_lits, seconds

    try:
        return dict(zip(_COLUMNS, within(watch, numbers), strict=True))
    except LimitReached as limit:
        return {"limit" if watch.reason() else "error": str(limit)}
    except UnsupportedError as error:
        return {"error": str(error)}
    except Exception as error:  # an error of one encoding must not end the others
        return {"failure": failure_text(error)}


def _line(row: Mapping[str, Any], width: int) -> str:
    what = row.get("error") or row.get("limit") or row.get("failure")
    if what:
        return f"  {row['name']:{width}}  {what}"
    sizes = "".join(f"{row[column]:>14}" for column in _COLUMNS[:-1])
    return f"  {row['name']:{width}}{sizes}{row['seconds']:>14.3f}"


def _record(item: PuzzleItem, encodings: Mapping[str, str], row: Mapping[str, Any]) -> str:
    found = {key: value for key, value in row.items() if key != "name"}
    who = {"id": item.puzzle.about.id, "file": item.file, "encoding": dict(encodings)}
    return json.dumps(who | found)
