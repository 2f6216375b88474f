"""Drawing of books of puzzles into PDF files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from nonosat.core.errors import UnsupportedError, counted
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Result
from nonosat.render.book import Book, Entry, entry_of, facts_of
from nonosat.render.look import Look
from nonosat.render.pages import check_fits, paper_of
from nonosat.render.paper import Paper
from nonosat.render.plates import look_of
from nonosat.render.saving import (
    USUAL_PAPER,
    check_per_page,
    painted,
    result_of,
    saved,
    suffix_of,
)


def draw_book(
    puzzles: Iterable[Puzzle | Result],
    path: str | Path,
    *,
    title: str = "Puzzles",
    author: str = "",
    difficulties: Sequence[str] = (),
    clues: str = "once",
    cell_mm: float | None = None,
    paper: str = USUAL_PAPER[".pdf"],
    per_page: int = 1,
    theme: str = "light",
    cover_pictures: bool = False,
    force: bool = False,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> tuple[str, ...]:
    """Draw a book of puzzles into a new PDF: cover, contents, sheets, solutions at the end.

        >>> import tempfile
        >>> puzzle = nonosat.nonogram([[2], [1]], [[1], [2]], title="corner")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     nonosat.draw_book([puzzle, puzzle], f"{folder}/book.pdf", title="Two corners")
        ()

    Args:
        puzzles: Puzzles in their order; or their results, whose solutions are drawn. Sort them by
            `nonosat.rate` for a book of increasing difficulty.
        path: The file, whose suffix is .pdf (needs fpdf2).
        title: Title of the book.
        author: Author of the book.
        difficulties: Difficulty printed with each puzzle, if any.
        clues: See `draw`, also for the arguments without explanation here.
        cell_mm: Side of a cell.
        paper: "a4", "letter", ...
        per_page: Sheets per page.
        theme: "light" or "dark".
        cover_pictures: Show solutions on the cover, instead of an empty sheet.
        force: Replace the file if it exists.
        time_limit_s: Seconds for finding the solutions of each puzzle; None is no limit.
        memory_limit_mib: MiB of this process; None is no limit.

    Returns:
        Sentences about differences from the request: letters that no font has.

    Raises:
        NotAPuzzleError: An object is neither puzzle nor result.
        UnsupportedError: The suffix, the theme or the paper is unknown, fpdf2 is missing, there is
            no puzzle, or numbers would be illegibly small.
        FileExistsError: The file exists already.
        OSError: The folder does not exist, the disk is full, ...
    """
    check_per_page(per_page)
    look, page, several = look_of(theme, clues), _paper_of_book(path, paper), list(puzzles)
    limits: dict[str, Any] = {"time_limit_s": time_limit_s, "memory_limit_mib": memory_limit_mib}
    for entry in (entries := _entries(several, difficulties, look, limits)):
        check_fits(entry.sheet, page, cell_mm)
    facts = facts_of(len(entries), ())
    book = Book(title, author, page, look.theme, per_page, cell_mm, facts, cover_pictures)
    return saved(painted(book.pages(entries), ".pdf", title, author), path, force=force)


def _paper_of_book(path: str | Path, paper: str) -> Paper:
    page = paper_of(paper)
    if suffix_of(path) != ".pdf" or page is None:
        raise UnsupportedError("a book is a .pdf file on paper, such as a4")
    return page


def _entries(
    several: Sequence[Puzzle | Result],
    difficulties: Sequence[str],
    look: Look,
    limits: Mapping[str, Any],
) -> list[Entry]:
    """Return the puzzles with their solutions and difficulties."""
    texts = [*difficulties] or [""] * len(several)
    if not several or len(texts) != len(several):
        number = counted(len(several), "puzzle")
        raise UnsupportedError(
            f"{number} and {len(texts)} difficulties, expected at least 1 puzzle"
        )
    results = [one if isinstance(one, Result) else result_of(one, **limits) for one in several]
    return [entry_of(result, look, of) for result, of in zip(results, texts, strict=True)]
