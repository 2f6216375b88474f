"""Difference of two solutions, pictures or puzzles; linear in their cells and clues.

The cells in which two solutions of the same clues differ consist of independent parts, each of
which alone leads from either solution to a solution (`switches.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from nonosat.core import families, hooks
from nonosat.core.errors import PuzzleError, counted, rows_by_columns
from nonosat.core.grid import Grid
from nonosat.core.model import Clue
from nonosat.core.presenting import Data, Drawn, Scene, reading
from nonosat.core.wording import clue_text, line_text, lines_listed
from nonosat.puzzles.nonogram import refutation
from nonosat.puzzles.nonogram.data import Nonogram, from_grid
from nonosat.puzzles.nonogram.grids import grid_of, is_rows
from nonosat.questions.ambiguity import Places
from nonosat.questions.groups import of_grid, scene_of
from nonosat.questions.switches import finest_switches


@dataclass(frozen=True, slots=True, repr=False)
class Difference(Drawn):
    """Difference of two puzzles and their pictures.

        >>> one, other = nonosat.from_picture(["#.", ".#"]), nonosat.from_picture([".#", "#."])
        >>> found = nonosat.diff(one, other)
        >>> found
        <Difference: 2 rows x 2 columns: 4 cells differ, the clues are the same, 1 switch>
        >>> found.smallest
        ((0, 0), (0, 1), (1, 0), (1, 1))
        >>> nonosat.Difference.from_data(found.to_data()) == found
        True

    Args:
        first: A puzzle; its goal is its picture.
        second: Another puzzle of the same size and colours.
        cells: Cells (row, column), row-major, in which the pictures differ.
        lines: Lines, rows first, whose clues differ.
        given: Cells (row, column), row-major, that are given in only one of them, or differently.
        switches: Independent parts of `cells`, smallest first, if both pictures are solutions of
            the same clues: changing the cells of any part leads from either picture to a solution.
            Parts are as small as possible, except those that have more than 256 cells or very
            many subsets that lead to solutions, or that in some line surround cells of another.
        notes: Sentences about missing pictures, and pictures that are no solutions.
    """

    first: Nonogram
    second: Nonogram
    cells: Places = ()
    lines: tuple[int, ...] = ()
    given: Places = ()
    switches: tuple[Places, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_same(self) -> bool:
        """True if nothing differs."""
        return not (self.cells or self.lines or self.given)

    @property
    def smallest(self) -> Places:
        """Smallest of `switches`, the first of equally small ones; () if there is none."""
        return self.switches[0] if self.switches else ()

    def description(self) -> str:
        """Return the difference in a few words."""
        parts = []
        if self.first.goal is not None and self.second.goal is not None:
            num = len(self.cells)
            parts.append(
                f"{counted(num, 'cell')} differ{'s' * (num == 1)}" if num else "no cell differs"
            )
        lines = lines_listed(self.lines, self.first.height)
        parts.append(f"other clues for {lines}" if lines else "the clues are the same")
        if self.given:
            parts.append(f"{counted(len(self.given), 'given cell')} not the same")
        if num := len(self.switches):
            parts.append("1 switch" if num == 1 else f"{num} independent switches")
        return ", ".join(parts)

    def differing_clues(self) -> list[str]:
        """Return both clues of each line whose clues differ: "row 3: 1 1 / 2"."""
        text, height = [], self.first.height
        for line in self.lines:
            mine, yours = (
                clue_text(_clue(one, line), one.signs) for one in (self.first, self.second)
            )
            text.append(f"{line_text(line, height)}: {mine} / {yours}")
        return text

    def groups(self) -> tuple[Places, ...]:
        """Return the cells that differ, grouped by switches if there are any, else in one group."""
        return self.switches or ((self.cells,) if self.cells else ())

    def _summary(self) -> str:
        return f"{rows_by_columns(self.first.height, self.first.width)}: {self.description()}"

    def __str__(self) -> str:
        return "; ".join([self._summary(), *self.notes])

    def scene(self) -> Scene:
        """Return the first picture, or else the second, with the cells that differ in colours."""
        picture = self.first.goal or self.second.goal
        if picture is None:
            return Scene(self.first, caption=self.in_a_line())
        return scene_of(self.first, picture, self.groups(), (), self.in_a_line())

    def to_data(self, *, with_puzzle: bool = True) -> Data:
        """Return the difference as JSON data, as its command prints with `--json`.

        Args:
            with_puzzle: Include the puzzles; the command names their files instead.
        """
        puzzles = {"first": hooks.data_of(self.first), "second": hooks.data_of(self.second)}
        return {
            **(puzzles if with_puzzle else {}),
            "cells": [list(cell) for cell in self.cells],
            "lines": list(self.lines),
            "given": [list(cell) for cell in self.given],
            "switches": [[list(cell) for cell in switch] for switch in self.switches],
            "notes": list(self.notes),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return a difference from its JSON data, which must include the puzzles.

        Raises:
            FormatError: The data are invalid.
        """
        with reading(cls):
            return cls(
                hooks.puzzle_of(data["first"]),
                hooks.puzzle_of(data["second"]),
                _places(data["cells"]),
                tuple(map(int, data["lines"])),
                _places(data["given"]),
                tuple(map(_places, data["switches"])),
                tuple(map(str, data["notes"])),
            )


def _places(cells: Any) -> Places:
    return tuple((int(row), int(column)) for row, column in cells)


def _clue(puzzle: Nonogram, line: int) -> Clue:
    """Return the clue of a line, rows first."""
    return (puzzle.rows + puzzle.columns)[line]


def diff(
    first: Nonogram | Grid | Sequence[Any], second: Nonogram | Grid | Sequence[Any]
) -> Difference:
    """Compare two solutions, pictures or puzzles.

        >>> one, other = nonosat.from_picture(["##.", ".#."]), nonosat.from_picture([".##", ".#."])
        >>> found = nonosat.diff(one, other)
        >>> found.cells, found.lines, found.switches
        (((0, 0), (0, 2)), (2, 4), ())

    Args:
        first: A nonogram, whose picture is its goal; or a picture: a `Grid`, or its rows.
        second: Another one of the same size and colours. Colours are matched by appearance, or if
            there is only one.

    Raises:
        NotAPuzzleError: An argument is neither; the message names valid inputs.
        UnsupportedError: An argument is a puzzle of another family.
        PuzzleError: Sizes or colours differ, or a picture has unknown cells.
    """
    pair = [_picture_or_puzzle(one, name) for one, name in ((first, "first"), (second, "second"))]
    sizes = [rows_by_columns(one.height, one.width) for one in pair]
    if sizes[0] != sizes[1]:
        raise PuzzleError(f"the first has {sizes[0]}, the second {sizes[1]}; expected one size")
    mine, yours = _alike(*_as_puzzles(*pair))
    return _compared(mine, yours)


def _picture_or_puzzle(value: Any, name: str) -> Nonogram | Grid:
    if isinstance(value, Grid) or is_rows(value):
        return grid_of(value, name=f"the {name} picture", has_unknown=False)
    return _requested(value)


def _requested(puzzle: Any) -> Nonogram:
    families.require(puzzle, "nonogram", "differences are computed")
    assert isinstance(puzzle, Nonogram)  # of that family
    return puzzle


def _as_puzzles(*pair: Nonogram | Grid) -> list[Nonogram]:
    """Convert each of the two that is a picture to the puzzle that it solves.

    The colours are those of the other one if that is a puzzle.

    Raises:
        PuzzleError: A picture has a colour that the other puzzle lacks.
    """
    for picture, name, other in zip(pair, ("first", "second"), reversed(pair), strict=True):
        if isinstance(picture, Grid) and isinstance(other, Nonogram):
            other.check_picture(f"the {name} picture", picture)
    puzzles = [of_grid(one) if isinstance(one, Grid) else one for one in pair]
    texts = [one for one in pair if isinstance(one, Nonogram)] or puzzles
    colours = max((one.colours for one in texts), key=len)
    return [
        from_grid(one, colours) if isinstance(one, Grid) else puzzle
        for one, puzzle in zip(pair, puzzles, strict=True)
    ]


def _alike(first: Nonogram, second: Nonogram) -> tuple[Nonogram, Nonogram]:
    """Return both puzzles with equal numbers for equal colours, those of the one with more."""
    if first.colours == second.colours or len(first.colours) == len(second.colours) == 1:
        return first, second
    if len(second.colours) > len(first.colours):
        return _recoloured(first, second), second
    return first, _recoloured(second, first)


def _recoloured(puzzle: Nonogram, other: Nonogram) -> Nonogram:
    """Return the puzzle with the colours of another one, matched by appearance.

    Raises:
        PuzzleError: One of the puzzle's colours is not among the other's.
    """
    found = [0]
    for ink in puzzle.colours:
        same = [at for at, one in enumerate(other.colours, 1) if one.rgb == ink.rgb]
        named = [at for at in same if other.colours[at - 1].key == ink.key]
        if not same:
            lists = (", ".join(one.rgb for one in each.colours) for each in (puzzle, other))
            raise PuzzleError(
                f"the colours differ: one has {next(lists)}, the other {next(lists)}; expected "
                "the same, or some of them"
            )
        found.append((named or same)[0])
    table = bytes(found).ljust(256, b"\0")
    goal = puzzle.goal and replace(puzzle.goal, cells=puzzle.goal.cells.translate(table))

    def clues(old: tuple[Clue, ...]) -> tuple[Clue, ...]:
        return tuple(
            tuple(block._replace(colour=found[block.colour]) for block in clue) for clue in old
        )

    return replace(
        puzzle,
        rows=clues(puzzle.rows),
        columns=clues(puzzle.columns),
        colours=other.colours,
        given=tuple((row, column, found[colour]) for row, column, colour in puzzle.given),
        goal=goal,
        saved=(),
    )


def _compared(first: Nonogram, second: Nonogram) -> Difference:
    """Compare two puzzles of one size whose colours have the same numbers."""
    mine, yours = first.goal, second.goal
    pairs = zip(first.rows + first.columns, second.rows + second.columns, strict=True)
    lines = tuple(line for line, (one, other) in enumerate(pairs) if one != other)
    given = tuple(sorted({(row, column) for row, column, _ in {*first.given} ^ {*second.given}}))
    notes = [*_notes("first", first, "second", second), *_notes("second", second, "first", first)]
    cells: Places = ()
    parts: list[list[int]] = []
    if mine is not None and yours is not None:
        differing = mine.differing(yours)
        cells = tuple(divmod(cell, first.width) for cell in differing)
        if not (lines or given or refutation(first, mine) or refutation(first, yours)):
            found = finest_switches(mine, yours, differing, (first.rows, first.columns))
            parts = sorted(sorted(found), key=len)
    every = tuple(tuple(divmod(cell, first.width) for cell in part) for part in parts)
    return Difference(first, second, cells, lines, given, every, tuple(notes))


def _notes(name: str, puzzle: Nonogram, other_name: str, other: Nonogram) -> list[str]:
    """Return sentences about a picture that is missing or violates its puzzle's clues."""
    if puzzle.goal is not None:
        mistake = refutation(puzzle, puzzle.goal)
        return [f"the picture of the {name} is not a solution of its clues: {mistake}"] * bool(
            mistake
        )
    notes = [f"the {name} has no picture"]
    if other.goal is not None:
        mistake = refutation(puzzle, other.goal)
        clues = f"solution of the clues of the {name}"
        is_one = f"no {clues}: {mistake}" if mistake else f"a {clues}"
        notes.append(f"the picture of the {other_name} is {is_one}")
    return notes
