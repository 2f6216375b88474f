"""What `solve` and `check` have in common: options, the loop over puzzles, the exit status."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from nonosat.cli import BAD_INPUT, INTERRUPTED, UNKNOWN, _jobs, message_of, report
from nonosat.cli._files import STDOUT, draw, force_option, new_file, stdout, svg_option
from nonosat.cli._given import given_option, with_marks
from nonosat.cli._options import (
    OneOf,
    by_kind,
    decorated,
    each_json,
    files_argument,
    limits,
    limits_of,
    reading,
    seed,
)
from nonosat.cli._output import Pictures, Records, Why
from nonosat.cli._progress import Progress
from nonosat.cli._showing import made
from nonosat.cli._sources import Item, check_single, items_of
from nonosat.core import families
from nonosat.core.errors import UnsupportedError, counted
from nonosat.core.limits import Limits, Watch
from nonosat.core.result import Options
from nonosat.processes.files import draft_of
from nonosat.solving import pipeline
from nonosat.solving.choices import choices_of, chosen_phases

if TYPE_CHECKING:
    from nonosat.core.result import Result
    from nonosat.questions.backbones import Differing


__all__ = ["STATUS", "arguments", "checked", "choices", "decide_all", "engines"]

F = TypeVar("F", bound=Callable[..., Any])
_READING = (
    "files",
    "format_",
    "family",
    "as_json",
    "cover",
    "svg",
    "force_jobs",
    "given",
)  # others are fields of `Options`
STATUS = {"solved": 0, "unique": 0, "multiple": 3, "unsolvable": 4, "unknown": UNKNOWN}


def _one_of_a_kind(
    ctx: click.Context, param: click.Parameter, pairs: Sequence[str]
) -> dict[str, str]:
    """The values KIND=NAME of an option as a mapping."""
    chosen = by_kind(ctx, param, pairs)
    for kind, names in chosen.items():
        if len(names) > 1:
            raise click.BadParameter(f"{kind!r} stands twice", param=param)
    return {kind: name for kind, (name,) in chosen.items()}


def engines(encoding: str, formulation: str) -> tuple[Callable[[F], F], ...]:
    """Options that say how, for any family.

    Args:
        encoding: One for example.
        formulation: The same.
    """
    return (
        click.option(
            "--backend",
            metavar="NAME",
            default="auto",
            show_default=True,
            help="Engine (`list backends`), or a family's own method (`list methods`).",
        ),
        click.option(
            "--encoding",
            metavar="KIND=NAME",
            multiple=True,
            callback=_one_of_a_kind,
            help="How a kind of constraint becomes clauses (`list encodings`), e.g. "
            f"{encoding}; once for each kind.",
        ),
        click.option(
            "--formulation",
            metavar="KIND=NAME",
            multiple=True,
            callback=_one_of_a_kind,
            help="How CP-SAT is told of a kind of constraint (`list formulations`), e.g. "
            f"{formulation}; once for each kind.",
        ),
    )


def choices() -> tuple[Callable[[F], F], ...]:
    """Options that say how, with the options for rows and columns of clues."""
    return (
        *engines("line=automaton", "line=starts"),
        click.option(
            "--presolve",
            type=OneOf(["none", "propagate", "probe"]),
            default="probe",
            show_default=True,
            help="How far lines are propagated before an engine sees the puzzle.",
        ),
        click.option(
            "--redundant",
            metavar="NAME",
            multiple=True,
            help="What to encode beside the clues (`list redundant`). May stand several times.",
        ),
        click.option(
            "--hints",
            metavar="NAME",
            default="auto",
            show_default=True,
            help="What an engine tries first: none, beliefs, decimation, or these with settings, "
            "e.g. beliefs:rounds=100,damping=0.3.",
        ),
    )


def _limits(fewest: int) -> tuple[Callable[[F], F], ...]:
    """Options that say how much, and the seed."""
    return (
        click.option(
            "--max-solutions",
            metavar="N",
            type=click.IntRange(min=fewest),
            default=fewest,
            show_default=True,
            help="Stop after so many solutions of a puzzle.",
        ),
        limits("each puzzle"),
        seed(),
    )


def _parallel() -> tuple[Callable[[F], F], ...]:
    """Options for one hard puzzle on all cores, or on many machines."""
    return (
        click.option(
            "--cubes",
            metavar="N",
            type=click.IntRange(min=1),
            help="Split what presolve leaves open into N parts, decided side by side.",
        ),
        _jobs.places(
            "Threads for a puzzle that takes long, by default one; with --cubes processes, by "
            "default as many as there are cores."
        ),
        click.option(
            "--journal",
            metavar="FILE",
            help="With --cubes: keep in FILE what becomes of each, whatever ends this.",
        ),
        click.option("--resume", is_flag=True, help="Go on with what --journal FILE has."),
        click.option(
            "--deterministic",
            is_flag=True,
            help="With threads: find the same solutions every time. Verdicts are the same anyway.",
        ),
        click.option(
            "--cover",
            metavar="OUT",
            callback=new_file(),
            help="Write the cubes that settled a nonogram to OUT, for `verify`.",
        ),
    )


def arguments(fewest: int) -> Callable[[F], F]:
    """The arguments of a deciding command.

    Args:
        fewest: The smallest number of solutions that it can be asked for.
    """
    return decorated(
        files_argument,
        *choices(),
        *_limits(fewest),
        *_parallel(),
        given_option,
        reading(),
        each_json,
        svg_option("the solution of one puzzle, or else the puzzle"),
        force_option,
    )


def decide_all(question: str, asked: Mapping[str, Any], *, with_why: bool = False) -> int:
    """Decide every puzzle and show each as soon as it is decided.

    Args:
        question: "solve" or "check".
        asked: Values of `arguments`.
        with_why: Tell which clues of an unsolvable puzzle contradict each other.

    Returns:
        The exit status.
    """
    options = {name: value for name, value in asked.items() if name not in _READING}
    checked(options)
    if asked["cubes"] is None and asked["cover"] is not None:
        raise click.UsageError("--cover is for --cubes; say how many, or leave it out")
    _jobs.checked(*(asked[name] for name in _jobs.NAMES))
    output = Records() if asked["as_json"] else Pictures(question == "solve")
    single = [name for name in ("svg", "journal") if asked[name] is not None]
    files, is_single = asked["files"], bool(single)
    items = items_of(files, asked["format_"], asked["family"], asked, is_single=is_single)
    items = with_marks(items, asked)
    for name in single:
        check_single(items, f"--{name}")
    run = _Run(question, options, output, asked["svg"])
    run.with_why = with_why
    run.is_alone = len(items) == 1
    try:
        with _jobs.opened(asked["cluster"]) as options["cluster"], _opened(asked["cover"]) as cover:
            run.cover = cover
            try:
                with Progress(items, question, lambda item: item.name) as bar:
                    for item in bar:
                        run.decide(item, bar)
            except KeyboardInterrupt:
                if not run.statuses:  # otherwise the cover keeps what is decided
                    raise
                return _interrupted(run, items, asked["journal"])
    except KeyboardInterrupt:
        return _interrupted(run, items, asked["journal"])
    output.summary()
    return BAD_INPUT if BAD_INPUT in run.statuses else max(run.statuses)


def _interrupted(run: _Run, items: Sequence[Item], journal: str | None) -> int:
    """Tell how far it has come."""
    done = f"{len(run.statuses)} of {counted(len(items), 'puzzle')} decided"
    kept = f"; {journal} has the cubes that are, --resume goes on" if journal else ""
    click.echo(f"nonosat: interrupted, {done}{kept}", err=True)
    return INTERRUPTED


@contextmanager
def _opened(cover: str | None) -> Iterator[IO[str] | None]:
    """What cubes are written to: a file that is there in the end, or standard output."""
    if cover is None or cover == STDOUT:
        yield None if cover is None else stdout()
        return
    with draft_of(Path(cover)) as draft, draft.open("w", encoding="utf-8") as stream:
        yield stream


def checked(options: Mapping[str, Any]) -> None:
    """Refuse unknown names, values out of range and choices that do not go together, once."""
    try:
        asked = Options(**options)
        choices_of(asked)
        if asked.hints != "auto":
            chosen_phases(asked)
    except UnsupportedError as error:
        raise click.UsageError(message_of(error)) from None


class _Run:
    """What has been decided so far."""

    def __init__(
        self,
        question: str,
        options: Mapping[str, Any],
        output: Pictures | Records,
        svg: str | None,
    ) -> None:
        self.ask: Callable[..., Result] = getattr(pipeline, question)
        self.is_check = question == "check"
        self.options = options
        self.output = output
        self.statuses: list[int] = []
        self.cover: IO[str] | None = None
        self.svg = svg
        self.with_why = False
        self.is_alone = False

    def decide(self, item: Item, bar: Progress[Item]) -> None:
        """Decide and show one puzzle, or tell why that is impossible."""
        try:
            if item.error is not None:
                raise item.error
            if self.cover is not None:
                from nonosat.certify.covers import refuse_others

                refuse_others(item.puzzle)
            started = perf_counter() - item.read_s
            left = limits_of(self.options, item.read_s)
            result = self.ask(item.puzzle, **{**self.options, **left})
            found_why = why(result) if self.with_why else None
            text = self._made(item, result, started, found_why)
        except Exception as error:
            with bar.hidden():
                self.statuses.append(report(error, "" if error is item.error else item.name))
                self.output.error(item, error)
        else:
            with bar.hidden():
                self.statuses.append(STATUS[result.verdict.value])
                self.output.show(result, text)
            if self.cover is not None and result.tree:
                from nonosat.certify.covers import line

                self.cover.write(line(result))
                self.cover.flush()
            if self.svg is not None:
                clash = found_why.contradiction if found_why is not None else None
                made(self.options, started, result, partial(draw, self.svg, clash or result))

    def _made(self, item: Item, result: Result, started: float, found_why: Why | None) -> str:
        """What is printed of a result."""
        found = self._differing(result)
        text = partial(self.output.text, item, result, found, found_why)
        return made(self.options, started, result, text)

    def _differing(self, result: Result) -> Differing | None:
        """The cells in which some two solutions differ, where `check` found several.

        Only of a puzzle that is asked about alone: 1000 tournament puzzles, nearly all of them
        with several solutions, would take 91 s and not 24.
        """
        if not (self.is_check and self.is_alone) or result.verdict.value != "multiple":
            return None
        from nonosat.questions.backbones import differing

        return differing(result)


def why(result: Result) -> Why | None:
    """The clues that contradict each other; None for a puzzle that is not unsolvable.

    The search has what `result` leaves of its own limits.
    """
    if result.verdict.value != "unsolvable":
        return None
    from nonosat.explain.contradicting import contradiction_within, has_contradictions

    if not has_contradictions(result.puzzle):
        name = families.name_of(result.puzzle)
        told = f"Which clues contradict each other is unknown: {name} does not name its clues."
        return Why([told], {"sentence": told})
    time_s, memory_mib = result.options.time_limit_s, result.options.memory_limit_mib
    watch = Watch(Limits(time_s, memory_mib).after(result.seconds))
    puzzle: Any = result.puzzle
    found = contradiction_within(puzzle, watch, is_unsolvable=True)
    return Why(found.report(), found.to_data(with_puzzle=False), found)
