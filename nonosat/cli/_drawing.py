"""Drawing of `render`: a plate (sheet or picture) per puzzle, finally one file of all plates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from nonosat.cli import INTERRUPTED, exit_status, message_of, outcome_of, report, warn
from nonosat.cli._deciding import STATUS
from nonosat.cli._files import write
from nonosat.cli._options import limits_of
from nonosat.cli._progress import ProgressIterator, Working
from nonosat.cli._showing import Reserve, made, made_in_large_steps
from nonosat.cli._sources import PuzzleItem
from nonosat.core.errors import UnsupportedError, counted, printable
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Result
from nonosat.explain import explain, rate
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.render.book import Book, Entry, entry_of, facts_of
from nonosat.render.nonogram.inks import for_paper
from nonosat.render.pages import check_fits, paper_of
from nonosat.render.paper import FIT
from nonosat.render.plates import Plate, differing, look_of, plates_of, sheet, solved
from nonosat.render.saving import USUAL_PAPER, pages_of, painted, result_of
from nonosat.render.shapes import Page

if TYPE_CHECKING:
    from nonosat.explain import Explanation


_STEPS = 6  # steps per page
_UNNAMED = "Puzzles"  # title of a book without one


class _Rated(NamedTuple):
    """A puzzle of a book with its difficulty; None if it has no rating."""

    entry: Entry
    difficulty: float | None


class Drawings:
    """One run of `render`: draws puzzle after puzzle, then writes the file.

    Args:
        params: Values of the command's options.
        suffix: Suffix of the file.
    """

    def __init__(self, params: Mapping[str, Any], suffix: str) -> None:
        self.params = params
        self.suffix = suffix
        self.look = look_of(params["theme"], params["clues"])
        self.paper = paper_of(params["paper"] or USUAL_PAPER.get(suffix, FIT))
        self.files = Counter[str]()
        self.limit_s = params["time_limit_s"] or 0.0
        self.left_s = 0.0  # limits for writing the file, for all puzzles together
        self.statuses: list[int] = []
        self.plates: list[Plate] = []
        self.stories: list[Explanation] = []
        self.book: list[_Rated] = []
        self.left_out: list[str] = []  # puzzles that are missing from the file, with reasons

    def all_of(self, items: Sequence[PuzzleItem]) -> int:
        """Draw puzzles and write the file; return the exit status."""
        self.files = Counter(item.file for item in items)
        try:
            with ProgressIterator(items, "render", lambda item: item.name) as bar:
                for item in bar:
                    with bar.hidden():
                        self._draw(item)
        except KeyboardInterrupt:
            done = f"{len(self.statuses)} of {counted(len(items), 'puzzle')} drawn"
            self._report_left_out()
            warn(f"interrupted, {done}; nothing is written")
            return INTERRUPTED
        if self.plates or self.stories or self.book:
            self._write(items)
        else:
            self._report_left_out()
        return exit_status(self.statuses)

    def _draw(self, item: PuzzleItem) -> None:
        started = perf_counter() - item.read_s
        try:
            if item.error is not None:
                raise item.error
            kinds = {"book": self._enter, "why": self._explain}
            draw = (add for kind, add in kinds.items() if self.params[kind])
            self.statuses.append(next(draw, self._plate)(item))
        except Exception as error:
            text, status = outcome_of(error, "" if error is item.error else item.name)
            self.left_out.append(text)
            self.statuses.append(status)
        self.left_s += max(0.0, self.limit_s - (perf_counter() - started))

    # Sheets and solutions

    def _plate(self, item: PuzzleItem) -> int:
        """Add the plate of a puzzle; return its exit status."""
        started = perf_counter() - item.read_s
        if not (self.params["solution"] or self.params["diff"]):
            plate = made(self.params, started, item.puzzle, partial(sheet, item.puzzle, self.look))
            self.plates.append(self._fitting(plate))
            return 0
        result = self._result(item)
        if result.solutions:
            show = differing if self.params["diff"] else solved
            plate = made(self.params, started, result, partial(show, result, self.look))
            self.plates.append(self._fitting(plate))
        return self._description(item, result)

    def _named(self, item: PuzzleItem, plate: Plate) -> Plate:
        """Return the plate of a puzzle in a book, named by its file if its id is only a number."""
        own = item.puzzle.about.id
        if plate.title or not own.isdecimal() or item.file == "-":
            return plate
        stem = printable(Path(item.file).stem)
        return plate._replace(name=stem if self.files[item.file] == 1 else f"{stem} {own}")

    def _fitting(self, plate: Plate) -> Plate:
        """Return the plate unchanged; raise an error if it is too large for the paper."""
        if self.paper is not None:
            check_fits(plate, self.paper, self.params["cell_mm"])
        return plate

    def _result(self, item: PuzzleItem) -> Result:
        limits = limits_of(self.params, item.read_s)
        return result_of(item.puzzle, diff=self.params["diff"], **limits)

    def _description(self, item: PuzzleItem, result: Result) -> int:
        """Report problems with a puzzle's solutions; return its exit status."""
        reason = f" ({result.reason})" if result.reason else ""
        if not result.solutions:
            text = f"{item.name}: {result.verdict.value}{reason}, so there is no solution to draw"
            if self.params["book"]:
                warn(text)
            else:
                self.left_out.append(text)
        elif self.params["diff"] and result.verdict.value == "unique":
            warn(f"{item.name}: this is the only solution, so there is no second one to draw")
        elif len(result.solutions) > 1:
            places = counted(len(result.disputed), "place")
            warn(f"{item.name}: several solutions; {places} in which two differ are marked")
        return STATUS[result.verdict.value]

    def _explain(self, item: PuzzleItem) -> int:
        """Add the steps that solve a puzzle; return the exit status."""
        started = perf_counter() - item.read_s
        reply = explain(printed(item.puzzle), **limits_of(self.params, perf_counter() - started))
        if reply.steps or reply.contradiction is not None:
            self.stories.append(reply)  # drawn with the file, within the time left
        if reply.verdict.value != "unique":
            reason = f" ({reply.reason})" if reply.reason else ""
            warn(f"{item.name}: {reply.verdict.value}{reason}, so the steps do not complete it")
        return STATUS[reply.verdict.value]

    # Books

    def _enter(self, item: PuzzleItem) -> int:
        """Add a puzzle to the book; return its exit status."""
        started = perf_counter() - item.read_s
        self._fitting(
            made(self.params, started, item.puzzle, partial(sheet, item.puzzle, self.look))
        )
        result = self._result(item)
        rating = self._rating(item, perf_counter() - started)
        text = "" if rating is None else _difficulty(rating)

        entry = made(self.params, started, result, partial(entry_of, result, self.look, text))
        named = self._named(item, entry.sheet)
        entry = entry._replace(sheet=named)
        if entry.solution is not None:
            entry = entry._replace(solution=entry.solution._replace(name=named.name))
        self.book.append(_Rated(entry, None if rating is None else rating.difficulty))
        return self._description(item, result)

    def _rating(self, item: PuzzleItem, spent_s: float) -> Any:
        """Return the rating of a puzzle if requested and available, within the time left."""
        if not (self.params["rate"] or self.params["by_rating"]):
            return None
        try:
            return rate(item.puzzle, **limits_of(self.params, spent_s))
        except UnsupportedError as error:  # a puzzle of another family has no rating in the book
            warn(f"{item.name}: {message_of(error)}; it has no rating")
            return None

    def _bound(self) -> tuple[list[Page], str, str]:
        """Return the pages of the book, its title and its author."""
        params = self.params
        if params["by_rating"]:
            self.book.sort(key=lambda one: (one.difficulty is None, one.difficulty or 0))
        title, author = params["title"] or _UNNAMED, params["author"] or ""
        assert self.paper is not None
        known = [one.difficulty for one in self.book if one.difficulty is not None]
        book = Book(
            title,
            author,
            self.paper,
            self.look.theme,
            per_page=params["per_page"] or 1,
            cell_mm=params["cell_mm"],
            facts=facts_of(len(self.book), known),
            has_pictures=params["cover_pictures"],
        )
        return book.pages([one.entry for one in self.book]), title, author

    # The file

    def _write(self, items: Sequence[PuzzleItem]) -> None:
        """Write the file, or report why that is impossible."""
        puzzle = next(item.puzzle for item in items if item.puzzle is not None)
        try:
            with Working("drawing"):
                started = perf_counter() + self.left_s - self.limit_s
                content, warnings, num_pages = made_in_large_steps(
                    self.params, started, puzzle, self._painted
                )
            for warning in warnings:
                warn(f"warning: {warning}")
            what = counted(num_pages, "page" if self.suffix == ".pdf" else "picture")
            write(self.params["target"], content, what)
        except BrokenPipeError:
            raise
        except Exception as error:
            self._report_left_out()
            self.statuses.append(report(error))
            return
        if self.left_out:
            drawn = f"{len(items) - len(self.left_out)} of {counted(len(items), 'puzzle')}"
            reasons = "".join(f"\n  {one}" for one in self.left_out)
            warn(f"{self.params['target']}: written with {drawn}; left out:{reasons}")

    def _report_left_out(self) -> None:
        """Report the puzzles that could not be drawn and are missing from the file."""
        for one in self.left_out:
            warn(one)

    def _painted(self, reserve: Reserve) -> tuple[bytes, tuple[str, ...], int]:
        if self.params["book"]:
            pages, title, author = self._bound()
            return *painted(pages, self.suffix, title, author, reserve=reserve), len(pages)
        params = self.params
        many = params["per_page"] or (_STEPS if params["why"] and params["paper"] != "fit" else 1)
        options = params["cell_mm"], params["paper"], many
        text = (plate for reply in self.stories for plate in plates_of(reply, self.look))
        plates = [*self.plates, *text]
        pages = pages_of(plates, self.suffix, self.look.theme, *options)
        return *painted(pages, self.suffix, reserve=reserve), len(pages)


def printed(puzzle: Puzzle) -> Any:
    """Return a puzzle whose sentences name colours as its sheets do."""
    return for_paper(puzzle) if isinstance(puzzle, Nonogram) else puzzle


def _difficulty(rating: Any) -> str:
    if rating.difficulty is None:
        return f"no difficulty ({rating.verdict.value})"
    return f"difficulty {rating.difficulty} ({rating.name})"
