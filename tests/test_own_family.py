"""Family without a module, name or entry point: the puzzle's class holds the record itself."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

import nonosat
from nonosat.batch.fingerprint import fingerprint
from nonosat.core.about import NOTHING_KNOWN, About
from nonosat.core.errors import UnsupportedError
from nonosat.core.grid import Grid
from nonosat.core.model import Clause, Model
from nonosat.core.plugins import Family
from nonosat.core.result import Verdict
from nonosat.testing import check_plugin


def build(puzzle: Lights) -> Model:
    """At least one of two neighbours is lit."""
    lits = range(1, puzzle.width + 1)
    lit = [Clause((place, place + 1)) for place in lits[:-1]]
    dark = [Clause((-place - 1,)) for place in puzzle.dark]
    return Model(puzzle.width, clauses=(*lit, *dark))


def refutation(puzzle: Lights, grid: Grid) -> str | None:
    if len(grid.cells) != puzzle.width:
        return f"{len(grid.cells)} lamps"
    if any(grid.cells[place] for place in puzzle.dark):
        return "a broken lamp is lit"
    return "two dark lamps side by side" if b"\0\0" in grid.cells else None


FAMILY = Family(
    name="lights",
    summary="lamps in a row, no two neighbours dark",
    build=build,
    decode=lambda puzzle, values: Grid(1, puzzle.width, bytes(values[1 : puzzle.width + 1])),
    refutation=refutation,
    to_data=lambda puzzle: {"width": puzzle.width, "dark": sorted(puzzle.dark)},
    from_data=lambda data: Lights(data["width"], frozenset(data["dark"])),
)


@dataclass(frozen=True, slots=True)
class Lights:
    width: int
    dark: frozenset[int] = frozenset()
    about: About = NOTHING_KNOWN

    family = FAMILY
    height = 1

    @property
    def size(self) -> str:
        return f"{self.width} lamps"

    def about_with(self, **changes: str) -> Lights:
        return replace(self, about=replace(self.about, **changes))


def test_it_is_solved_checked_and_counted() -> None:
    result = nonosat.solve(Lights(4, frozenset({1})))
    assert str(result.solution).startswith("#.#")
    assert nonosat.check(Lights(3, frozenset({0, 2}))).verdict is Verdict.UNIQUE
    assert nonosat.check(Lights(2, frozenset({0, 1}))).verdict is Verdict.UNSOLVABLE
    for backend in ("auto", "learn", "cadical195", "cpsat"):
        found = [len(list(nonosat.solutions(Lights(n), backend=backend))) for n in (1, 4, 6)]
        assert found == [2, 8, 21]  # Fibonacci's numbers
    assert [nonosat.count(Lights(n)).count for n in (1, 4, 6)] == [2, 8, 21]


def test_functions_that_need_its_name_accept_it() -> None:
    with pytest.raises(UnsupportedError, match="clues, which a puzzle of the family lights does"):
        nonosat.solve(Lights(3), backend="search")
    assert fingerprint(Lights(3)) != fingerprint(Lights(4))
    assert "#.#" in nonosat.solve(Lights(3, frozenset({1})))._repr_svg_()


def test_it_keeps_the_contract_of_families() -> None:
    puzzles = [Lights(3), Lights(3, frozenset({0})), Lights(3, frozenset({0, 1})), Lights(5)]
    check_plugin(FAMILY, "puzzles", puzzles=puzzles)


def test_its_results_are_restored_from_data_if_it_reads_solutions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = nonosat.solve(Lights(3))
    data = result.to_data(with_puzzle=False)
    with pytest.raises(UnsupportedError, match="no `solution_from_data`"):
        nonosat.Result.from_data(data, Lights(3))
    monkeypatch.setitem(
        vars(FAMILY), "solution_from_data", lambda _, rows: Grid.of_rows(rows, ".#")
    )
    assert nonosat.Result.from_data(data, Lights(3)) == result
    check_plugin(FAMILY, "puzzles", puzzles=[Lights(3)])
    wrong = Grid(1, 3, b"\1\0\0")
    monkeypatch.setitem(vars(FAMILY), "solution_from_data", lambda *_: wrong)
    with pytest.raises(AssertionError, match="`solution_from_data` makes"):
        check_plugin(FAMILY, "puzzles", puzzles=[Lights(3)])
