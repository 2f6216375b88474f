"""`nonosat beliefs`: how likely the cells are filled, by belief propagation over the lines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli import BAD_INPUT, report
from nonosat.cli._deciding import EPILOG, STATUS
from nonosat.cli._limits import of_each_puzzle

if TYPE_CHECKING:
    from nonosat.beliefs import Estimate, Settings
    from nonosat.cli._sources import Item
    from nonosat.limits import Limits
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
@click.option("--rounds", metavar="N", type=int, default=30, show_default=True)
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
@click.option("--seed", metavar="N", type=int, default=0, help="Of the first messages.")
@of_each_puzzle
@click.option("--svg", metavar="OUT", help="Write the picture of one puzzle to a new SVG file.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    files: tuple[str, ...],
    format_: str | None,
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
    from nonosat.cli._output import style_of_stdout
    from nonosat.cli._sources import items_of
    from nonosat.limits import Limits

    how = _checked(settings, format_)
    items = items_of(files, format_, "nonogram")
    if svg is not None:
        _check_target(Path(svg), len(items))
    output = _Output(style_of_stdout(), as_json, svg)
    statuses = [_show(item, how, Limits(time_limit_s, memory_limit_mib), output) for item in items]
    ctx.exit(BAD_INPUT if BAD_INPUT in statuses else max(statuses))


def _checked(settings: dict[str, Any], format_: str | None) -> Settings:
    """Refuse values out of range and unknown names, once."""
    from nonosat import plugins
    from nonosat.beliefs import Settings
    from nonosat.errors import UnsupportedError

    try:
        if format_:
            plugins.find("formats", format_)
        return Settings(**settings)
    except UnsupportedError as error:
        raise click.UsageError(str(error)) from None


def _check_target(path: Path, num_puzzles: int) -> None:
    if num_puzzles != 1:
        raise click.UsageError(f"--svg takes one puzzle, FILE has {num_puzzles}; pick one: FILE#ID")
    if path.exists():
        raise click.UsageError(f"{path} exists; choose another name")


class _Output:
    """Where estimates go."""

    def __init__(self, style: Style, as_json: bool, svg: str | None) -> None:
        self.style, self.as_json, self.svg = style, as_json, svg
        self.num_shown = 0

    def show(self, item: Item, known: Estimate) -> None:
        if self.as_json:
            import json

            click.echo(json.dumps(_record(item, known)))
            return
        gap = "\n" if self.num_shown else ""
        self.num_shown += 1
        click.echo(gap + _shown(item, known, self.style), color=self.style.ansi)


def _show(item: Item, settings: Settings, limits: Limits, output: _Output) -> int:
    """Estimate and show one puzzle; returns the exit status that it means."""
    from nonosat.beliefs import estimate
    from nonosat.cli.convert import write_atomically
    from nonosat.render.nonogram import beliefs as render

    try:
        if item.error is not None:
            raise item.error
        known = estimate(item.puzzle, settings, limits)
        if output.svg is not None and known.found is not None:
            drawing = render.svg(item.puzzle, known.found.planes, _told(item, known))
            write_atomically(Path(output.svg), drawing.encode())
    except Exception as error:
        return report(error, "" if error is item.error else item.name)
    output.show(item, known)
    return 0 if known.verdict is None else STATUS[known.verdict]


def _told(item: Item, known: Estimate) -> str:
    """The line below a picture."""
    from nonosat.cli._output import heading

    if known.found is None:
        return f"{heading(item)}: {known.verdict} ({known.reason})"
    rounds = f"{known.found.settings.rounds} rounds, last change {known.found.change:.2g}"
    cells = f"{known.num_open} open cells"
    return f"{heading(item)}: {cells}, {rounds}" if known.num_open else f"{heading(item)}: {cells}"


def _shown(item: Item, known: Estimate, style: Style) -> str:
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


def _record(item: Item, known: Estimate) -> dict[str, Any]:
    """An estimate as JSON data."""
    from dataclasses import asdict

    puzzle, found = item.puzzle, known.found
    data: dict[str, Any] = {"id": puzzle.about.id, "file": item.file}
    if found is None:
        return data | {"verdict": known.verdict, "reason": known.reason}
    signs = puzzle.symbols[1:]
    if legend := puzzle.legend:
        data["legend"] = legend
    data |= {
        "settings": asdict(found.settings),
        "open": known.num_open,
        "change": found.change,
        "probabilities": {
            sign: [
                [round(p, 12) for p in plane[at : at + puzzle.width]]
                for at in range(0, len(plane), puzzle.width)
            ]
            for sign, plane in zip(signs, found.planes[1:], strict=True)
        },
    }
    return data
