"""Sheets to print and pictures to publish, in files: SVG, PNG or PDF by the file's suffix."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

from nonosat.core.errors import UnsupportedError, alternatives, install_command, path_text, shown
from nonosat.core.families import family_of
from nonosat.core.plugins import Puzzle
from nonosat.core.presenting import Drawn
from nonosat.core.result import Result
from nonosat.processes.files import refuse_existing, write_atomically
from nonosat.render._painting.svg import document
from nonosat.render.look import Look, Theme
from nonosat.render.pages import on_paper, own_page, paper_of
from nonosat.render.paper import FIT
from nonosat.render.plates import (
    Plate,
    differing,
    goal_result,
    look_of,
    pictured,
    plates_of,
    sheet,
    solved,
)
from nonosat.render.shapes import Page

SUFFIXES = (".svg", ".png", ".pdf")
USUAL_PAPER = {".pdf": "a4"}
MOST_A_PAGE = 24


def draw(
    what: Puzzle | Drawn | Iterable[Puzzle | Drawn],
    path: str | Path,
    *,
    solution: bool = False,
    diff: bool = False,
    clues: str = "once",
    cell_mm: float | None = None,
    paper: str | None = None,
    per_page: int = 1,
    theme: str = "light",
    force: bool = False,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> tuple[str, ...]:
    """Draw a puzzle into a new file: an empty sheet with its clues, or a solution.

        >>> import tempfile
        >>> puzzle = nonosat.nonogram([[2], [1]], [[1], [2]], title="corner")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     nonosat.draw(nonosat.solve(puzzle), f"{folder}/solved.svg", clues="none")
        ()

    Args:
        what: A puzzle, or a result, whose solution is drawn; several for a PDF, a page each. Other
            objects that a notebook shows as a picture are drawn as well, such as a grid, a hint or
            an explanation, which has a page for every step in a PDF.
        path: The file; its suffix is .svg, .png (needs Pillow) or .pdf (needs fpdf2).
        solution: Draw solutions of puzzles, too: a goal that satisfies the clues, else the solution
            that `check` finds, with marks at differences to a second solution.
        diff: Draw two solutions and mark their differences.
        clues: "once", "both-sides" (below and at the right, too) or "none".
        cell_mm: Side of a cell in millimetres; smaller if the paper has no room for it.
        paper: "a4", "letter", ..., or "fit" for a page as large as the drawing; by default a4 for a
            PDF, else fit.
        per_page: Drawings per page of a PDF, at most 24; fewer if they would be too small.
        theme: "light" or "dark".
        force: Replace the file if it exists.
        time_limit_s: Seconds for finding the solutions of each puzzle; None is no limit.
        memory_limit_mib: MiB of this process; None is no limit.

    Returns:
        Sentences about differences from the request: letters that no font has.

    Raises:
        NotAPuzzleError: An object is neither puzzle nor result.
        UnsupportedError: The suffix, the theme or the paper is unknown, a package is missing, there
            is not a solution, or numbers would be illegibly small.
        FileExistsError: The file exists already.
        OSError: The folder does not exist, the disk is full, ...
    """
    look, suffix = look_of(theme, clues), suffix_of(path)
    is_one = isinstance(what, Drawn | str) or hasattr(what, "family")
    several: Sequence[Any] = [what] if is_one or not isinstance(what, Iterable) else list(what)
    limits = {"time_limit_s": time_limit_s, "memory_limit_mib": memory_limit_mib}
    made = partial(_plates, look=look, suffix=suffix, limits=limits, solution=solution, diff=diff)
    plates = list(chain.from_iterable(map(made, several)))
    pages = pages_of(plates, suffix, look.theme, cell_mm, paper, per_page)
    return saved(painted(pages, suffix), path, force=force)


def saved(made: tuple[bytes, tuple[str, ...]], path: str | Path, *, force: bool) -> tuple[str, ...]:
    """Write the content that `painted` returned into a file; return the sentences with it."""
    content, warnings = made
    refuse_existing(Path(path), force)
    write_atomically(Path(path), content)
    return warnings


def _plates(
    one: Any,
    *,
    look: Look,
    suffix: str,
    limits: Mapping[str, Any],
    solution: bool,
    diff: bool,
) -> list[Plate]:
    is_puzzle = hasattr(one, "family")
    if isinstance(one, Drawn) and not (is_puzzle or isinstance(one, Result)):
        if solution or diff:
            raise UnsupportedError(
                f"solution and diff are for puzzles and their results, not for {shown(one)}"
            )
        return plates_of(one, look) if suffix == ".pdf" else [pictured(one.scene(), "", look)]
    if not (solution or diff or isinstance(one, Result)):
        family_of(one)
        return [sheet(one, look)]
    result = one if isinstance(one, Result) else result_of(one, diff=diff, **limits)
    return [differing(result, look) if diff else solved(result, look)]


def result_of(puzzle: Puzzle, *, diff: bool = False, **limits: Any) -> Result:
    """Return a result with the solution to draw, or with two solutions.

    Args:
        puzzle: The puzzle. If its goal is a solution, there is no search.
        diff: True if two solutions are needed: then the goal is ignored.
        limits: Limits of `check`.
    """
    from nonosat.solving.pipeline import check

    goal = None if diff else goal_result(puzzle)
    return goal or check(puzzle, **limits)


def suffix_of(path: str | Path) -> str:
    """Return the suffix of a file's name.

    Raises:
        UnsupportedError: It is not one of a picture.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        if path == "":
            raise UnsupportedError(f"the file's name is empty, expected {alternatives(SUFFIXES)}")
        found = f"the suffix {shown(suffix)}" if suffix else "no suffix"
        raise UnsupportedError(f"{path_text(path)} has {found}, expected {alternatives(SUFFIXES)}")
    return suffix


def pages_of(
    plates: Sequence[Plate],
    suffix: str,
    theme: Theme,
    cell_mm: float | None = None,
    paper: str | None = None,
    per_page: int = 1,
) -> list[Page]:
    """Return plates on pages.

    Args:
        plates: Plates, at least one.
        suffix: Suffix of the file that they are for.
        theme: Colours of the pages.
        cell_mm: See `draw`.
        paper: See `draw`.
        per_page: See `draw`.

    Raises:
        UnsupportedError: See `draw`.
    """
    if not plates:
        raise UnsupportedError("there is nothing to draw")
    if cell_mm is not None and not 0.01 <= cell_mm <= 1000:
        raise UnsupportedError(f"cells of {shown(cell_mm)} mm, expected 0.01 to 1000")
    if suffix != ".pdf" and (len(plates) > 1 or per_page > 1):
        raise UnsupportedError(
            f"a {suffix} file holds one picture, and there are {len(plates)} puzzles; "
            "a .pdf file holds pages, or draw one of them"
            if len(plates) > 1
            else f"{shown(per_page)} a page are for a .pdf file"
        )
    check_per_page(per_page)
    found = paper_of(paper or USUAL_PAPER.get(suffix, FIT))
    if found is not None:
        return [page for page, _ in on_paper(plates, found, theme, cell_mm, per_page)]
    if per_page > 1:
        raise UnsupportedError("several puzzles a page need a paper, such as a4")
    return [own_page(plate, cell_mm, theme) for plate in plates]


def check_per_page(per_page: int) -> None:
    """Refuse an invalid number of puzzles per page."""
    if not 1 <= per_page <= MOST_A_PAGE:
        raise UnsupportedError(f"{shown(per_page)} a page, expected 1 to {MOST_A_PAGE}")


def painted(
    pages: Sequence[Page],
    suffix: str,
    title: str = "",
    author: str = "",
    *,
    reserve: Callable[[int], None] = lambda _: None,
) -> tuple[bytes, tuple[str, ...]]:
    """Return pages as the content of a file, and sentences about differences from the request.

    Args:
        pages: Pages, at least one; a .svg or .png file holds the first.
        suffix: Suffix of the file.
        title: Title of a .pdf file.
        author: Author of a .pdf file.
        reserve: Called with the number of bytes that a large step needs before it is made; may
            raise.

    Raises:
        UnsupportedError: A package is missing.
    """
    if suffix == ".svg":
        return f"{document(pages[0], most=None)}\n".encode(), ()
    require(suffix)
    if suffix == ".png":
        from nonosat.render._painting.png import png

        content, missing = png(pages[0], reserve)
    else:
        from nonosat.render._painting.pdf import pdf

        content, missing = pdf(pages, title or pages[0].title, author, reserve)
    if not missing:
        return content, ()
    return content, (
        f"no font of this machine has {missing!r}, so '?' is drawn instead; install a font that "
        "has these letters, or write a .svg file, for which the program that shows it has fonts",
    )


_PACKAGES = {
    ".png": ("PIL", "PNG needs Pillow", "images"),
    ".pdf": ("fpdf", "PDF needs fpdf2", "sheets"),
}


def require(suffix: str) -> None:
    """Raise UnsupportedError if the package that files of this kind need is not installed."""
    if suffix not in _PACKAGES:
        return
    module, what, extra = _PACKAGES[suffix]
    try:
        import_module(module)
    except ImportError:
        what = f"{what}: {install_command(extra)} (SVG needs no package)"
        raise UnsupportedError(what) from None


# Resident memory of these imports, measured with Pillow 12.3 and fpdf2 2.8.9.
REQUIRED_BYTES: Mapping[str, int] = {".svg": 0, ".png": 9 * 2**20, ".pdf": 52 * 2**20}
