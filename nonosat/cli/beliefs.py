"""`nonosat beliefs`: how likely the cells are filled, by belief propagation over the lines."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli import EPILOG
from nonosat.cli._deciding import STATUS
from nonosat.cli._files import new_file, write_atomically
from nonosat.cli._options import of_each_puzzle, seed
from nonosat.errors import counted

if TYPE_CHECKING:
    from nonosat.board.beliefs import Settings
    from nonosat.cli._sources import Item
    from nonosat.questions.estimates import Estimate
    from nonosat.render import Style


def _sigma(_: click.Context, param: click.Parameter, text: str) -> float:
    """The value of --start."""
    if text == "zero":
        return 0.0
    try:
        return float(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is neither zero nor a number", param=param) from None


@click.command("beliefs", short_help="Show how likely the cells are filled.", epilog=EPILOG)
@click.option(
    "--rounds",
    metavar="N",
    type=int,
    default=30,
    show_default=True,
    help="How often all lines send their messages.",
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
@seed("Of the first messages.")
@of_each_puzzle
@click.option(
    "--svg",
    metavar="FILE",
    callback=new_file(".svg"),
    help="Draw the picture of one puzzle, as a new file.",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    files: tuple[str, ...],
    format_: str | None,
    family: str | None,
    time_limit_s: float | None,
    memory_limit_mib: int | None,
    as_json: bool,
    svg: str | None,
    **settings: Any,
) -> None:
    """Show how likely each cell of every puzzle in FILE... is filled, or has a colour.

    What line propagation leaves open is estimated by belief propagation: rows and columns tell
    each other, for some rounds, what their clues make of the cells. That is a good guess at many
    puzzles and proves nothing. On a terminal with colours inks are mixed in proportion; elsewhere
    ten characters, " .:-=+*#%@", show how likely a cell is filled in any colour, a tenth each.
    """
    from nonosat.cli._each import Question, each_of
    from nonosat.cli._output import style_of_stdout
    from nonosat.cli._sources import items_of
    from nonosat.questions.estimates import estimate

    how = _checked(settings)
    limits: dict[str, Any] = {
        "time_limit_s": time_limit_s,
        "memory_limit_mib": memory_limit_mib,
    }
    items = items_of(files, format_, family or "nonogram")
    if svg is not None:
        _check_single(len(items))

    def ask(item: Item) -> Estimate:
        known = estimate(item.puzzle, how, **limits)
        if svg is not None:
            _draw(Path(svg), item, known)
        return known

    text = partial(_text, style_of_stdout())
    ctx.exit(each_of(Question(ask, _status, text), items, as_json))


def _checked(settings: dict[str, Any]) -> Settings:
    """Refuse values out of range, once."""
    from nonosat.board.beliefs import Settings
    from nonosat.errors import UnsupportedError

    try:
        return Settings(**settings)
    except UnsupportedError as error:
        raise click.UsageError(str(error)) from None


def _check_single(num_puzzles: int) -> None:
    if num_puzzles != 1:
        raise click.UsageError(f"--svg takes one puzzle, FILE has {num_puzzles}; pick one: FILE#ID")


def _draw(path: Path, item: Item, known: Estimate) -> None:
    from nonosat.render.nonogram import beliefs as render

    if known.found is not None:
        drawing = render.svg(item.puzzle, known.found.planes, _told(item, known))
        write_atomically(path, drawing.encode())


def _status(known: Estimate) -> int:
    return 0 if known.verdict is None else STATUS[known.verdict]


def _told(item: Item, known: Estimate) -> str:
    """The line below a picture."""
    from nonosat.cli._output import heading

    if known.found is None:
        return f"{heading(item)}: {known.verdict} ({known.reason})"
    rounds = counted(known.found.settings.rounds, "round")
    told = f"{heading(item)}: {counted(known.num_open, 'open cell')}"
    if not known.num_open:
        return told
    return f"{told}, {rounds}, last change {known.found.change:.2g}"


def _text(style: Style, item: Item, known: Estimate) -> str:
    from nonosat.render.nonogram import beliefs as render
    from nonosat.render.nonogram.text import shrink_factor

    parts = []
    if known.found is not None:
        parts.append(render.picture(item.puzzle, known.found.planes, style))
        if (factor := shrink_factor(item.puzzle, style)) > 1:
            parts.append(f"(shown at 1:{factor}; a file or a pipe gets it whole)")
        if not style.ansi:
            parts.append(render.SCALE_TEXT)
    return "\n".join([*parts, _told(item, known)])
