"""Plates: a puzzle's drawings with title, author and remarks, ready to place on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nonosat.core.errors import UnsupportedError, alternatives, counted, printable, shown
from nonosat.core.families import family_of
from nonosat.core.plugins import Puzzle
from nonosat.core.presenting import Drawn, Scene
from nonosat.core.result import Result, Verdict
from nonosat.render.figures import figure, figure_of
from nonosat.render.look import THEMES, Clues, Look, Theme
from nonosat.render.shapes import MM, Anchor, Figure, Group, Shape, Texts, wrapped

CLUES: tuple[Clues, ...] = ("once", "both-sides", "none")
TITLE, SMALL = 15, 10  # sizes of titles, and of the texts below them
_GAP = 24  # distance between drawings side by side
_BELOW = 10  # distance between the last line of text and the drawing
_LEADING = 1.25
_WIDE = 1000  # above wider drawings texts are larger
_MOST_ENLARGED = 4.0
_NARROWEST = 260  # texts of a small drawing may be wider than the drawing
_MOST = (3, 2, 3)  # lines of a title, of facts about a puzzle, of a remark
_MOST_OF_TEXT = 300  # characters


class Plate(NamedTuple):
    """One puzzle as it is printed.

    Args:
        figures: Drawings of the puzzle, side by side or below each other.
        title: Title of the puzzle.
        facts: Author, copyright, difficulty and the like in a line.
        notes: Remarks, each in one or more lines.
        name: Name of the puzzle in messages.
        verdict: Verdict of the puzzle; None if it was not solved.
    """

    figures: Sequence[Figure]
    title: str = ""
    facts: str = ""
    notes: Sequence[str] = ()
    name: str = ""
    verdict: Verdict | None = None


def look_of(theme: str, clues: str) -> Look:
    """Return the look that the names of a theme and of a position of clues select.

    Raises:
        UnsupportedError: There is no such theme, or no such position of clues.
    """
    if theme not in THEMES:
        raise UnsupportedError(f"theme is {shown(theme)}, expected {alternatives([*THEMES])}")
    if clues not in CLUES:
        raise UnsupportedError(f"clues is {shown(clues)}, expected {alternatives([*CLUES])}")
    return Look(THEMES[theme], clues)


def sheet(puzzle: Puzzle, look: Look, difficulty: str = "") -> Plate:
    """Return the plate of a puzzle's empty sheet."""
    return Plate([figure(puzzle, None, (), look)], *_about(puzzle, difficulty))


def solved(result: Result, look: Look, difficulty: str = "") -> Plate:
    """Return the plate of the first solution, with marks at differences to the second, if any.

    Raises:
        UnsupportedError: There is no solution.
    """
    puzzle = result.puzzle
    notes = list[str]()
    if not result.solutions:
        reason = f" ({result.reason})" if result.reason else ""
        raise UnsupportedError(f"no solution to draw: {result.verdict.value}{reason}")
    if disputed := result.disputed:
        notes.append(f"Several solutions: in {_marked(len(disputed))} another one differs.")
    elif result.verdict is Verdict.SOLVED and result.reason:
        notes.append("Whether there are other solutions is not known.")
    drawn = figure(puzzle, result.solution, disputed, look)
    plate = Plate([drawn], *_about(puzzle, difficulty))
    return plate._replace(notes=notes, verdict=result.verdict)


def differing(result: Result, look: Look) -> Plate:
    """Return the plate of two solutions with their differences marked, or of the only solution.

    Raises:
        UnsupportedError: There is no solution.
    """
    if len(result.solutions) < 2:
        plate = solved(result, look)
        is_only = result.verdict is Verdict.UNIQUE
        return plate._replace(notes=["This is the only solution."] if is_only else plate.notes)
    disputed = result.disputed
    drawn = [figure(result.puzzle, one, disputed, look) for one in result.solutions[:2]]
    note = f"Two solutions, which differ in {_marked(len(disputed))}."
    plate = Plate(drawn, *_about(result.puzzle, ""))
    return plate._replace(notes=[note], verdict=result.verdict)


def _marked(number: int) -> str:
    return f"{counted(number, 'marked place')}"


def pictured(scene: Scene, title: str, look: Look) -> Plate:
    """Return the plate of a scene, such as a saved state; its caption is above a puzzle.

    Args:
        scene: Content.
        title: Title of the state.
        look: Look of the drawing.
    """
    drawn = figure_of(scene, look)
    if scene.puzzle is None:  # a picture without a caption
        return Plate([drawn], title)
    return Plate([drawn], title, notes=[scene.caption], name=printable(scene.puzzle.about.id))


def plates_of(drawn: Drawn, look: Look) -> list[Plate]:
    """Return a plate for each picture of an object, such as the steps of an explanation."""
    return [pictured(scene, title, look) for title, scene in drawn.story()]


def goal_result(puzzle: Puzzle) -> Result | None:
    """Return a result with the puzzle's goal, if that is a solution; else None.

    No other solution is searched for.
    """
    goal = getattr(puzzle, "goal", None)
    if goal is None or family_of(puzzle).refutation(puzzle, goal) is not None:
        return None
    return Result(puzzle, Verdict.SOLVED, (goal,))


def _about(puzzle: Puzzle, difficulty: str) -> tuple[str, str, tuple[str, ...], str]:
    """Return the fields of a puzzle's `Plate`: title, facts, no remarks, and name."""
    about = puzzle.about
    author = f"by {about.author}" if about.author else ""
    parts = [author, about.copyright, about.license, difficulty]
    facts = " \u00b7 ".join(printable(part, _MOST_OF_TEXT) for part in parts if part)
    title = printable(about.title, _MOST_OF_TEXT)
    return title, facts, (), printable(about.id) or title


# Texts above drawings


class TitleLines(NamedTuple):
    """Lines of text and their total height."""

    shapes: list[Shape]
    height: float


def headed(plate: Plate, width: float, theme: Theme, *, is_centred: bool = False) -> TitleLines:
    """Return the texts of a plate in lines, with room below.

    Args:
        plate: Plate with the texts.
        width: Maximum width of a line.
        theme: Colours of the texts.
        is_centred: True for centred lines, False for lines at the left.
    """
    x = width / 2 if is_centred else 0.0
    anchor: Anchor = "middle" if is_centred else "start"
    shapes: list[Shape] = []
    y = 0.0
    texts = [(plate.title, TITLE, theme.ink, True, _MOST[0])]
    texts.append((plate.facts, SMALL, theme.faint, False, _MOST[1]))
    texts += [(note, SMALL, theme.ink, False, _MOST[2]) for note in plate.notes]
    for text, size, ink, is_bold, most in texts:
        places = []
        for line in wrapped(text, width, size, most, is_bold=is_bold):
            y += size * _LEADING
            places.append((x, y - size * (_LEADING - 1), line))
        if places:
            shapes.append(Texts(places, size, ink, anchor, is_bold))
    return TitleLines(shapes, y + _BELOW if shapes else 0)


def joined(figures: Sequence[Figure], *, is_stacked: bool) -> Figure:
    """Return several drawings as one, side by side or below each other."""
    if len(figures) == 1:
        return figures[0]
    shapes: list[Shape] = []
    x = y = 0.0
    for one in figures:
        shapes.append(Group(one.shapes, x, y))
        x, y = (x, y + one.height + _GAP) if is_stacked else (x + one.width + _GAP, y)
    wide, high = max(one.width for one in figures), max(one.height for one in figures)
    width, height = (wide, y - _GAP) if is_stacked else (x - _GAP, high)
    return Figure(shapes, width, height, figures[0].cell, figures[0].smallest)


class NaturalPlate(NamedTuple):
    """A plate in its natural size.

    Args:
        head: Texts of the plate.
        enlarged: Scale of the texts.
        drawn: Drawing of the plate.
        scale: Scale of the drawing.
    """

    head: TitleLines
    enlarged: float
    drawn: Figure
    scale: float


def natural(plate: Plate, cell_mm: float | None, theme: Theme) -> NaturalPlate:
    """Return a plate in its natural size; above a very large drawing, texts are enlarged."""
    drawn = joined(plate.figures, is_stacked=False)
    scale = 1 if cell_mm is None else cell_mm * MM / drawn.cell
    width = max(drawn.width * scale, _NARROWEST)
    enlarged = min(max(1.0, width / _WIDE), _MOST_ENLARGED)
    return NaturalPlate(headed(plate, width / enlarged, theme), enlarged, drawn, scale)
