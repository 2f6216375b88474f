"""`nonosat beliefs`: probability that cells are filled, by belief propagation over the lines."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from nonosat.board.beliefs import Settings
from nonosat.cli import message_of
from nonosat.cli._deciding import STATUS
from nonosat.cli._each import Question, each
from nonosat.cli._files import force_option, svg_option
from nonosat.cli._options import limits_of, of_each_puzzle, seed
from nonosat.cli._output import heading, style_of_stdout
from nonosat.core.errors import UnsupportedError, counted
from nonosat.questions.estimates import estimate
from nonosat.render.nonogram import beliefs as render

if TYPE_CHECKING:
    from nonosat.cli._sources import PuzzleItem
    from nonosat.questions.estimates import Estimate
    from nonosat.render import Style


def _sigma(_: click.Context, param: click.Parameter, text: str) -> float:
    """Return the standard deviation of the first messages that --start gives; 0 for "zero"."""
    if text == "zero":
        return 0.0
    try:
        return float(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is neither zero nor a number", param=param) from None


@click.command("beliefs")
@click.option(
    "--rounds",
    metavar="N",
    type=int,
    default=30,
    show_default=True,
    help="Rounds in which all lines send their messages.",
)
@click.option(
    "--damping",
    metavar="D",
    type=float,
    default=0.5,
    show_default=True,
    help="Share of a line's last message that stays in its next one.",
)
@click.option(
    "--clamp",
    metavar="C",
    type=float,
    default=12.0,
    show_default=True,
    help="Bound of the messages, which are log-odds.",
)
@click.option(
    "--start",
    "sigma",
    metavar="zero|SIGMA",
    default="zero",
    show_default=True,
    callback=_sigma,
    help="First messages: none, or normally distributed with that deviation.",
)
@seed("Seed of the first messages.")
@of_each_puzzle
@svg_option("how likely the cells of one puzzle are filled")
@force_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    rounds: int,
    damping: float,
    clamp: float,
    sigma: float,
    seed: int,
    **params: object,
) -> None:
    """Show how likely each cell of every puzzle in FILE... is filled, or has a colour.

    Cells that line propagation leaves open are estimated by belief propagation: rows and columns
    exchange, for some rounds, the probabilities that their clues imply. This is a good guess for
    many puzzles and proves nothing. On a terminal with colours inks are mixed in proportion (darker
    = more likely filled); elsewhere ten characters, " .:-=+*#%@", show how likely a cell is filled
    in any colour, a tenth each.
    """
    how = _checked(rounds=rounds, damping=damping, clamp=clamp, sigma=sigma, seed=seed)

    def query(item: PuzzleItem) -> Estimate:
        return estimate(item.puzzle, how, **limits_of(params, item.read_s))

    text = partial(_text, style_of_stdout())
    family = params["family"] or "nonogram"
    ctx.exit(each(Question(query, _status, text), {**params, "family": family}))


def _checked(**settings: Any) -> Settings:
    """Return the settings; raise UsageError for a value out of range, before any puzzle."""
    try:
        return Settings(**settings)
    except UnsupportedError as error:
        raise click.UsageError(message_of(error)) from None


def _status(known: Estimate) -> int:
    return 0 if known.verdict is None else STATUS[known.verdict]


def _description(item: PuzzleItem, known: Estimate) -> str:
    """Return the line below a picture."""
    if known.found is None:
        return f"{heading(item)}: {known.verdict} ({known.reason})"
    rounds = counted(known.found.settings.rounds, "round")
    text = f"{heading(item)}: {counted(known.num_open, 'open cell')}"
    if not known.num_open:
        return text
    return f"{text}, {rounds}, last change {known.found.change:.2g}"


def _text(style: Style, item: PuzzleItem, known: Estimate) -> str:
    parts = []
    if known.found is not None:
        parts.append(render.picture(item.puzzle, known.found.planes, style))
        if text := render.fit(item.puzzle, style).description(item.puzzle.width, style):
            parts.append(text)
        if not style.ansi:
            parts.append(render.SCALE_TEXT)
    return "\n".join([*parts, _description(item, known)])
