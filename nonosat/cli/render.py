"""`nonosat render`: sheets to print, pictures to publish, and books of puzzles."""

from __future__ import annotations

from typing import Any

import click

from nonosat.cli._drawing import Drawings
from nonosat.cli._files import STDOUT, force_option, new_file, suffix_of
from nonosat.cli._options import SuggestingChoice, files_argument, limits, reading
from nonosat.cli._sources import items_of
from nonosat.core.errors import LimitReached
from nonosat.core.limits import watch_of
from nonosat.render.saving import REQUIRED_BYTES, require

SUFFIXES = (".svg", ".png", ".pdf")
PAPERS = ("fit", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "letter", "legal", "tabloid")
OF_BOOKS = ("title", "author", "rate", "by_rating", "cover_pictures")


@click.command("render")
@files_argument
@click.option(
    "-o",
    "--output",
    "target",
    metavar="OUT",
    required=True,
    callback=new_file(*SUFFIXES),
    help="Write to OUT: .svg, .png or .pdf, which holds many pages. - is SVG.",
)
@click.option("--solution", is_flag=True, help="Draw solutions instead of empty sheets.")
@click.option("--diff", is_flag=True, help="Draw two solutions, and mark their differences.")
@click.option(
    "--why", is_flag=True, help="Draw, in a PDF, every step that a person takes to solve it."
)
@click.option(
    "--clues",
    type=SuggestingChoice(["once", "both-sides", "none"]),
    default="once",
    show_default=True,
    help="Place of clues of nonograms: above and at the left, below and at the right as well, "
    "or nowhere.",
)
@click.option(
    "--cell",
    "cell_mm",
    metavar="MM",
    type=click.FloatRange(0.01, 1000),
    help="Side of a cell in millimetres; smaller if the paper has no room for it.",
)
@click.option(
    "--paper",
    type=SuggestingChoice(PAPERS),
    help="Paper; fit is a page as large as the drawing. By default a4 for a PDF, else fit.",
)
@click.option(
    "--per-page",
    metavar="N",
    type=click.IntRange(1, 24),
    help="Puzzles per page of a PDF, fewer if they would be too small to read; by default 1, "
    "with --why 6 steps.",
)
@click.option(
    "--theme",
    type=SuggestingChoice(["light", "dark"]),
    default="light",
    show_default=True,
    help="Colours.",
)
@click.option(
    "--book",
    is_flag=True,
    help="Make a PDF a book: cover, contents, numbers on pages, solutions at the end.",
)
@click.option("--title", metavar="TEXT", help="Title of a book.")
@click.option("--author", metavar="TEXT", help="Author of a book.")
@click.option("--rate", is_flag=True, help="Print the difficulty of puzzles in a book.")
@click.option("--by-rating", is_flag=True, help="Like --rate, with the easiest puzzles first.")
@click.option("--cover-pictures", is_flag=True, help="Show the solutions on the cover of a book.")
@reading()
@force_option
@limits("each puzzle")
@click.pass_context
def command(ctx: click.Context, /, **params: Any) -> None:
    """Draw every puzzle in FILE... into OUT: sheets to solve with a pencil, or pictures.

    A sheet fits its paper: margins are as wide as the longest clue, cells become smaller, and if
    numbers would be too small to read the command states the paper size that they need. A colour
    has a letter next to it, so that a grey print can be solved.

    A puzzle that cannot be drawn is left out: the file is written with the others, the last message
    names each missing puzzle, with the reason, and the exit status is that of the worst reason,
    such as 2 for a puzzle that is too large for the paper.

    With --solution the goal that a puzzle holds is drawn if it matches, else the solution that
    `check` finds. If there are several, places in which a second one differs are marked, and the
    exit status is 3. With --why the steps are those of `explain`; the cells that a step decides are
    marked.
    """
    _check(params)
    suffix = suffix_of(params["target"], SUFFIXES) or ".svg"
    try:
        watch_of(None, params["memory_limit_mib"]).reserve(REQUIRED_BYTES[suffix])
    except LimitReached as limit:
        raise LimitReached(f"{limit}: drawing a {suffix} file takes more") from None
    require(suffix)
    items = items_of(params["files"], params["format_"], params["family"], params)
    if suffix != ".pdf" and len(items) != 1:
        raise click.UsageError(
            f"a {suffix} file holds one picture, FILE has {len(items)} puzzles; "
            "write a .pdf file, which holds pages, or pick one: FILE#ID"
        )
    drawn = Drawings(params, suffix)
    ctx.exit(drawn.all_of(items))


def _check(params: dict[str, Any]) -> None:
    """Refuse options that would be ignored."""
    is_pdf = params["target"] != STDOUT and suffix_of(params["target"], (".pdf",)) is not None
    kinds = [f"--{name}" for name in ("solution", "diff", "why") if params[name]]
    if len(kinds) > 1:
        raise click.UsageError(f"{' and '.join(kinds)}: expected one of them")
    if params["why"] and not is_pdf:
        raise click.UsageError("--why is for a .pdf file, which has room for all steps")
    if not params["book"]:
        for name in OF_BOOKS:
            if params[name]:
                option = "--" + name.replace("_", "-")
                raise click.UsageError(f"{option} is for --book; use both, or leave it out")
    elif kinds:
        raise click.UsageError(f"--book has solutions at its end; leave {kinds[0]} out")
    if params["book"] and (not is_pdf or params["paper"] == "fit"):
        raise click.UsageError("--book is for a .pdf file on paper, such as --paper a4")
    if (params["per_page"] or 1) > 1 and (not is_pdf or params["paper"] == "fit"):
        raise click.UsageError("--per-page is for a .pdf file on paper, such as --paper a4")
