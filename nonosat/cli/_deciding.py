"""Code that `solve` and `check` share: options, decisions, the exit status."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from nonosat.cli import UNKNOWN, _jobs, message_of
from nonosat.cli._each import Question, each, record
from nonosat.cli._files import STDOUT, force_option, new_file, stdout, svg_option
from nonosat.cli._given import given_option
from nonosat.cli._options import (
    SuggestingChoice,
    by_kind,
    decorated,
    each_json,
    files_argument,
    limits,
    reading,
    seed,
)
from nonosat.cli._output import (
    ExtraFindings,
    Gate,
    UnsolvableReason,
    heading,
    picture,
    style_of_stdout,
)
from nonosat.cli._sources import PuzzleItem
from nonosat.core import families
from nonosat.core.errors import UnsupportedError, shown
from nonosat.core.limits import Limits, Watch
from nonosat.core.result import Options, Verdict
from nonosat.processes.files import draft_of
from nonosat.solving import pipeline
from nonosat.solving.choices import choices_of, chosen_phases
from nonosat.solving.problem import Problem

if TYPE_CHECKING:
    from nonosat.core.result import Result
    from nonosat.explain import Rating

F = TypeVar("F", bound=Callable[..., Any])
# Values of a command that are fields of `Options`: method, limits, and number of cores.
HOW = (
    *("backend", "encoding", "formulation", "engine_options", "presolve"),
    *("redundant", "hints", "seed"),
)
MUCH = ("max_solutions", "time_limit_s", "memory_limit_mib")
PARALLEL = ("cubes", "jobs", "cluster", "journal", "resume", "deterministic")
TOO_HARD = 7  # the exit status of a unique puzzle above the grade of a gate
STATUS = {"solved": 0, "unique": 0, "multiple": 3, "unsolvable": 4, "unknown": UNKNOWN}


def _one_of_a_kind(
    ctx: click.Context, param: click.Parameter, pairs: Sequence[str]
) -> dict[str, str]:
    """Return the values KIND=NAME of an option as a mapping."""
    chosen = by_kind(ctx, param, pairs)
    for kind, names in chosen.items():
        if len(names) > 1:
            raise click.BadParameter(f"{kind!r} is given twice", param=param)
    return {kind: name for kind, (name,) in chosen.items()}


def _engine_options(
    _: click.Context, param: click.Parameter, pairs: Sequence[str]
) -> dict[str, str]:
    """Return the values NAME=VALUE of an option as a mapping."""
    found: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not (name and equals):
            what = f"{shown(pair)} is not NAME=VALUE, such as restartint=50"
            raise click.BadParameter(what, param=param)
        if name in found:
            raise click.BadParameter(f"{shown(name)} is given twice", param=param)
        found[name] = value
    return found


def engines(encoding: str, formulation: str) -> tuple[Callable[[F], F], ...]:
    """Return decorators that add --backend and the choices for it, for any family.

    Args:
        encoding: An example for the help.
        formulation: An example for the help.
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
            help="Encoding of a kind of constraint (`list encodings`), e.g. "
            f"{encoding}; once for each kind.",
        ),
        click.option(
            "--formulation",
            metavar="KIND=NAME",
            multiple=True,
            callback=_one_of_a_kind,
            help="Formulation of a kind of constraint for CP-SAT (`list formulations`), e.g. "
            f"{formulation}; once for each kind.",
        ),
        click.option(
            "--engine-option",
            "engine_options",
            metavar="NAME=VALUE",
            multiple=True,
            callback=_engine_options,
            help="Option of the engine that --backend names, e.g. restartint=50 for cadical195; "
            "a wrong name lists all. Repeatable.",
        ),
    )


def choices() -> tuple[Callable[[F], F], ...]:
    """Return decorators that add the options of `engines`, and options for nonograms."""
    return (
        *engines("line=automaton", "line=starts"),
        click.option(
            "--presolve",
            type=SuggestingChoice(["none", "propagate", "probe"]),
            default="probe",
            show_default=True,
            help="Strength of presolve: how far lines are propagated before an engine runs.",
        ),
        click.option(
            "--redundant",
            metavar="NAME",
            multiple=True,
            help="Redundant clauses to add (`list redundant`). Repeatable.",
        ),
        click.option(
            "--hints",
            metavar="NAME",
            default="auto",
            show_default=True,
            help="Initial phases of an engine: none, beliefs, decimation, or these with settings, "
            "e.g. beliefs:rounds=100,damping=0.3.",
        ),
    )


def _limits(fewest: int) -> tuple[Callable[[F], F], ...]:
    """Return decorators that add the options for limits and the seed."""
    return (
        click.option(
            "--max-solutions",
            metavar="N",
            type=click.IntRange(min=fewest),
            default=fewest,
            show_default=True,
            help="Stop after N solutions of a puzzle.",
        ),
        limits("each puzzle"),
        seed(),
    )


def _parallel() -> tuple[Callable[[F], F], ...]:
    """Return decorators that add the options for a hard puzzle on all cores or many machines."""
    return (
        click.option(
            "--cubes",
            metavar="N",
            type=click.IntRange(min=1),
            help="Split a puzzle that one engine does not decide soon into N cubes, decided in "
            "parallel.",
        ),
        _jobs.places(
            "Threads for a hard puzzle, by default one; with --cubes processes, by "
            "default one per core."
        ),
        click.option(
            "--journal",
            metavar="FILE",
            help="With --cubes: record the result of each cube in FILE, for --resume.",
        ),
        click.option("--resume", is_flag=True, help="Continue from the results in --journal FILE."),
        click.option(
            "--deterministic",
            is_flag=True,
            help="With threads: find the same solutions every time (verdicts are always the same).",
        ),
        click.option(
            "--cover",
            metavar="OUT",
            callback=new_file(),
            help="Write the cubes that decided a nonogram to OUT, for `verify`.",
        ),
    )


def arguments(fewest: int) -> Callable[[F], F]:
    """Return a decorator that adds the arguments and options of `solve` and `check`.

    Args:
        fewest: Minimum of --max-solutions.
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


def decide_all(
    question: str,
    params: Mapping[str, Any],
    *,
    with_why: bool = False,
    grade_at_most: int | None = None,
) -> int:
    """Decide every puzzle and show each as soon as it is decided.

    Args:
        question: "solve" or "check".
        params: Values of `arguments`.
        with_why: Show which clues of an unsolvable puzzle contradict each other.
        grade_at_most: Grade above which a unique puzzle has the status TOO_HARD; None to rate none.

    Returns:
        The exit status.
    """
    options = options_of(params, (*HOW, *MUCH, *PARALLEL))
    if params["cubes"] is None and params["cover"] is not None:
        raise click.UsageError("--cover is for --cubes N; add it, or leave --cover out")
    _jobs.checked(*(params[name] for name in _jobs.NAMES))
    run = _Decisions(question, options, params["cover"], with_why, grade_at_most)
    return each(
        Question(run.decide, run.status, run.text, run.data, run.drawn, run.word, run.opened),
        params,
    )


def _word(reply: Any) -> str:
    word: str = reply.verdict.value
    return word


def status_of(reply: Any) -> int:
    """Return the exit status of a reply with a verdict."""
    return STATUS[_word(reply)]


@contextmanager
def _opened(cover: str | None) -> Iterator[IO[str] | None]:
    """Yield the stream for covers (`certify/covers.py`); None if no cover is requested.

    The stream is standard output, or a draft file that is renamed at the end.
    """
    if cover is None or cover == STDOUT:
        yield None if cover is None else stdout()
        return
    with draft_of(Path(cover)) as draft, draft.open("w", encoding="utf-8") as stream:
        yield stream


def options_of(params: Mapping[str, Any], names: Sequence[str] = (*HOW, *MUCH)) -> Options:
    """Return the `Options` that the values of a command set, for all its puzzles.

    Unknown names, values out of range and contradictory choices are refused.

    Args:
        params: Values of the command's parameters.
        names: Names of fields of `Options`, used if the command has them.
    """
    try:
        options = Options(**{name: params[name] for name in names if name in params})
        choices_of(options)
        if options.hints != "auto":
            chosen_phases(options)
    except UnsupportedError as error:
        raise click.UsageError(message_of(error)) from None
    return options


class _Decisions:
    """`solve` or `check` for one puzzle after another."""

    def __init__(
        self,
        question: str,
        options: Options,
        cover: str | None,
        with_why: bool,
        grade_at_most: int | None,
    ) -> None:
        self._is_check = question == "check"
        self._grade_at_most = grade_at_most
        self._options = options
        self._cover_name = cover
        self._cover: IO[str] | None = None
        self._with_why = with_why
        self._style = style_of_stdout()
        self._is_alone = False
        self._problem: Problem | None = None  # the last one
        self._shown = ExtraFindings()

    @contextmanager
    def opened(self, items: Sequence[PuzzleItem]) -> Iterator[None]:
        """Open the cluster and the cover, if any."""
        self._is_alone = len(items) == 1
        cluster = self._options.cluster
        with _jobs.opened(cluster) as address, _opened(self._cover_name) as self._cover:
            if address is not cluster:  # an open cluster equals its address
                self._options = replace(self._options, cluster=address)
            yield

    def decide(self, item: PuzzleItem) -> Result:
        """Decide one puzzle, and write its cover."""
        options, cover = self._options, self._cover
        if cover is not None:
            from nonosat.certify.covers import line, refuse_others

            refuse_others(item.puzzle)
        if self._grade_at_most is not None:
            from nonosat.explain.explainers import explainer_of

            explainer_of(item.puzzle, "ratings are")  # or it raises UnsupportedError
        left_s = Limits(options.time_limit_s).after(item.read_s).time_s
        if left_s is not options.time_limit_s:
            options = replace(options, time_limit_s=left_s)
        query = pipeline.check_problem if self._is_check else pipeline.decide
        self._problem = Problem(item.puzzle, options)
        result = query(self._problem)
        if cover is not None and result.tree:
            cover.write(line(result))
            cover.flush()
        elif cover is not None:
            click.echo(
                f"nonosat: {heading(item)}: no cover, as it is decided without cubes", err=True
            )
        self._shown = ExtraFindings(None, why(result) if self._with_why else None)
        if self._grade_at_most is not None and result.verdict is Verdict.UNIQUE:
            self._shown = self._shown._replace(gate=Gate(_rating(result), self._grade_at_most))
        return result

    def status(self, result: Result) -> int:
        """Return the exit status: that of the verdict, or of a gate that is not passed."""
        gate = self._shown.gate
        if gate is None or gate.is_passed:
            return status_of(result)
        return UNKNOWN if gate.is_passed is None else TOO_HARD

    def word(self, result: Result) -> str:
        """Return the verdict in words, with the outcome of a gate that is not passed."""
        gate = self._shown.gate
        if gate is None or gate.is_passed:
            return _word(result)
        return "unique but not rated" if gate.is_passed is None else f"above grade {gate.most}"

    def text(self, item: PuzzleItem, result: Result) -> str:
        """Return the picture and the verdict."""
        self._examine(result)
        return picture(self._style, not self._is_check, item, result, self._shown)

    def data(self, item: PuzzleItem, result: Result) -> dict[str, Any]:
        """Return the result as JSON data."""
        self._examine(result)
        data, (found, text, gate) = record(item, result), self._shown
        if found is not None:
            cells = [list(cell) for cell in found.cells]
            data |= {"differing": cells, "differing_complete": found.is_complete}
        if gate is not None:
            data |= {"difficulty": gate.rating.difficulty, "grade_at_most": gate.most}
            data |= {"is_within_grade": gate.is_passed}
        return data if text is None else data | {"contradiction": text.data}

    def drawn(self, result: Result) -> Any:
        """Return the clues that contradict each other, or the result."""
        why = self._shown.why
        return (why and why.contradiction) or result

    def _examine(self, result: Result) -> None:
        """Find the cells in which some two solutions differ, if `check` found several.

        Only for a single puzzle: 1000 tournament puzzles, nearly all of them with several
        solutions, would take 91 s instead of 24.
        """
        if self._is_check and self._is_alone and result.verdict.value == "multiple":
            from nonosat.questions.backbones import differing

            self._shown = self._shown._replace(found=differing(result, problem=self._problem))


def _rating(result: Result) -> Rating:
    """Return the difficulty of the puzzle of a result, within the rest of its limits."""
    from nonosat.explain import rate

    limits = Limits(result.options.time_limit_s, result.options.memory_limit_mib)
    left = limits.after(result.seconds)
    return rate(result.puzzle, time_limit_s=left.time_s, memory_limit_mib=left.memory_mib)


def why(result: Result) -> UnsolvableReason | None:
    """Return the clues that contradict each other; None if the puzzle is not unsolvable.

    The search gets the rest of the limits of `result`.
    """
    if result.verdict.value != "unsolvable":
        return None
    from nonosat.explain.contradicting import contradiction_within, has_contradictions

    if not has_contradictions(result.puzzle):
        name = families.name_of(result.puzzle)
        text = f"Which clues contradict each other is unknown: {name} does not name its clues."
        return UnsolvableReason([text], {"sentence": text})
    time_s, memory_mib = result.options.time_limit_s, result.options.memory_limit_mib
    watch = Watch(Limits(time_s, memory_mib).after(result.seconds))
    puzzle: Any = result.puzzle
    found = contradiction_within(puzzle, watch, is_unsolvable=True)
    return UnsolvableReason(found.report(), found.to_data(with_puzzle=False), found)
