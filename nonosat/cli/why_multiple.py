"""`nonosat why-multiple`: independent parts in which the solutions of a puzzle differ."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from nonosat import render
from nonosat.cli._deciding import status_of
from nonosat.cli._each import Question, each
from nonosat.cli._files import force_option, svg_option
from nonosat.cli._given import given_option
from nonosat.cli._options import limits_of, of_each_puzzle
from nonosat.cli._output import heading, style_of_stdout
from nonosat.core.errors import counted
from nonosat.core.families import family_of
from nonosat.core.wording import cells_text
from nonosat.questions.counting import digits
from nonosat.questions.groups import marks
from nonosat.questions.why_multiple import why_multiple

if TYPE_CHECKING:
    from nonosat.cli._sources import PuzzleItem
    from nonosat.questions.ambiguity import Ambiguity, Switch
    from nonosat.render import Style

MOST_LISTED = 26  # switches with a line each; --json has all


@click.command("why-multiple")
@of_each_puzzle
@given_option
@svg_option("a solution, each switch in a colour of its own")
@force_option
@click.pass_context
def command(ctx: click.Context, /, **params: object) -> None:
    """Show, for every puzzle in FILE..., the independent switches that give it several solutions.

    A switch is a set of cells that can be filled in several ways, independently of all others; for
    a Slitherlink these are edges, for queens squares, for a knight's tour moves. The product of the
    switches' numbers of fillings is the number of solutions. A switch of up to 256 fillings cannot
    be divided further. Each has a letter of its own in the picture of a solution, if the family's
    pictures have room for letters. If counting takes long, or a limit is reached, "at least N" is a
    lower bound, and ? marks cells that are not decided.

    The status is that of `check`: 3 for several solutions, 0 for one, 4 for none, and 5 if a limit
    was reached before.
    """

    def query(item: PuzzleItem) -> Ambiguity:
        return why_multiple(item.puzzle, **limits_of(params, item.read_s))

    text = partial(_text, style_of_stdout())
    ctx.exit(each(Question(query, status_of, text), params))


def _text(style: Style, item: PuzzleItem, reply: Ambiguity) -> str:
    reason = f" ({reply.reason})" if reply.reason else ""
    verdict, solution = reply.verdict.value, reply.solution
    text = f", {reply.description()}" if verdict == "multiple" else ""
    line = f"{heading(item)}: {verdict}{text}{reason}, {reply.seconds:.3f} s"
    if verdict != "multiple" or solution is None:
        return line
    cells = [switch.cells for switch in reply.switches]
    picture = render.grouped(item.puzzle, solution, cells, reply.undecided, style)
    signs = marks(item.puzzle, len(cells), ascii_only=not style.unicode)
    part = family_of(item.puzzle).part
    pairs = list(zip(signs, reply.switches, strict=True))
    lines = [f"  {sign}: {_description(switch, part)}" for sign, switch in pairs[:MOST_LISTED]]
    if len(pairs) > MOST_LISTED:
        lines.append(f"  and {len(pairs) - MOST_LISTED} more; --json lists all")
    return "\n".join([picture, line, *lines])


def _description(switch: Switch, part: str) -> str:
    least = "" if switch.is_exact else "at least "
    cells, listed = counted(len(switch.cells), part), cells_text(switch.cells)
    return f"{cells}, {least}{digits(switch.count)} fillings (row,column): {listed}"
