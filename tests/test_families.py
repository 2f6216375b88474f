"""Pipeline for any family: models without rows and columns, methods of its own.

The family here is made for it: choose `num` of `total` coins, such that no two neighbours are
chosen. Its solutions are enumerated by combinations, without code of its model.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import nonosat
from nonosat import export, formats
from nonosat.batch.fingerprint import fingerprint
from nonosat.core import plugins
from nonosat.core.about import NOTHING_KNOWN, About
from nonosat.core.errors import FormatError, PuzzleError, RefutedError, UnsupportedError
from nonosat.core.grid import Grid
from nonosat.core.limits import Watch
from nonosat.core.model import Clause, Count, Model
from nonosat.core.plugins import Ending, Family
from nonosat.core.result import Verdict
from nonosat.puzzles.nonogram import mono
from nonosat.questions import counting

ENGINES = ("learn", "minisat22", "cadical195", "cpsat")


@dataclass(frozen=True, slots=True)
class Coins:
    """Choose `num` of `total` coins in a row, no two adjacent."""

    total: int
    num: int
    about: About = NOTHING_KNOWN

    family = "coins"
    height = 1

    def __post_init__(self) -> None:
        if self.num < 0:
            raise PuzzleError(f"{self.num} coins to choose, expected 0 or more")

    @property
    def width(self) -> int:
        return self.total

    @property
    def size(self) -> str:
        return f"{self.num} of {self.total} coins"

    def about_with(self, **changes: str) -> Coins:
        return replace(self, about=replace(self.about, **changes))

    def __str__(self) -> str:
        return self.size


def grid_of(puzzle: Coins, chosen: tuple[int, ...]) -> Grid:
    return Grid(1, puzzle.total, bytes(coin in chosen for coin in range(puzzle.total)))


def truth(puzzle: Coins) -> list[Grid]:
    every = combinations(range(puzzle.total), puzzle.num)
    return [grid_of(puzzle, one) for one in every if all(b - a > 1 for a, b in pairwise(one))]


def left_first(puzzle: Coins, watch: Watch, seed: int) -> Generator[Grid, None, Ending]:
    """Method: every second coin from the left."""
    del watch, seed
    chosen = tuple(range(0, 2 * puzzle.num, 2))
    if chosen and chosen[-1] >= puzzle.total:
        return Ending(True, "too few coins")
    yield grid_of(puzzle, chosen)
    return Ending(False, "there may be others", {"tries": 1})


def every(puzzle: Coins, watch: Watch, seed: int) -> Generator[Grid, None, Ending]:
    """Method: all of them by combinations."""
    del watch, seed
    yield from truth(puzzle)
    return Ending(True)


def wrong(puzzle: Coins, watch: Watch, seed: int) -> Generator[Grid, None, Ending]:
    """Method: too many coins."""
    del watch, seed
    yield grid_of(puzzle, tuple(range(puzzle.total)))
    return Ending(True)


def build(puzzle: Coins) -> Model:
    lits = tuple(range(1, puzzle.total + 1))
    apart = tuple(Clause((-lit, -lit - 1)) for lit in lits[:-1])
    count = Count(lits, puzzle.num, puzzle.num)
    return Model(puzzle.total, counts=(count,), clauses=apart, blocked_on=lits)


def refutation(puzzle: Coins, grid: Grid) -> str | None:
    if sum(grid.cells) != puzzle.num:
        return f"{sum(grid.cells)} coins"
    return "neighbours" if b"\1\1" in grid.cells else None


def from_data(data: Mapping[str, Any]) -> Coins:
    if not {"total", "num"} <= data.keys():
        raise PuzzleError("no 'total' or no 'num'")
    return Coins(data["total"], data["num"])


COINS = Family(
    summary="coins in a row",
    methods={"left-first": left_first, "every": every, "wrong": wrong},
    encodings={"count": "totalizer"},
    auto=lambda puzzle, most: ("left-first", "learn") if most != 1 else ("left-first",),
    obstacle=lambda puzzle: "more coins than there are" if puzzle.num > puzzle.total else None,
    build=build,
    decode=lambda puzzle, values: Grid(1, puzzle.total, bytes(values[1 : puzzle.total + 1])),
    refutation=refutation,
    count=lambda puzzle, watch, jobs: (len(truth(puzzle)), True),
    to_data=lambda puzzle: {"total": puzzle.total, "num": puzzle.num},
    from_data=from_data,
)
PUZZLE = Coins(9, 3)


@pytest.fixture(autouse=True)
def coins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    point = SimpleNamespace(name="coins", value="coins", load=lambda: COINS)
    monkeypatch.setattr(
        "importlib.metadata.entry_points",
        lambda *, group: [point] if group == "nonosat.puzzles" else [],
    )
    plugins.find.cache_clear()
    yield
    plugins.find.cache_clear()


@pytest.mark.parametrize("backend", [*ENGINES, "auto", "every"])
@pytest.mark.parametrize("puzzle", [PUZZLE, Coins(5, 3), Coins(4, 3), Coins(2, 0), Coins(1, 1)])
def test_every_way_finds_every_solution(backend: str, puzzle: Coins) -> None:
    found = list(nonosat.solutions(puzzle, backend=backend))
    assert len(found) == len(set(found))
    assert set(found) == set(truth(puzzle))


def test_an_engine_does_not_repeat_what_a_method_gave() -> None:
    result = nonosat.check(PUZZLE)
    assert result.verdict is Verdict.MULTIPLE
    assert result.solutions[0] == grid_of(PUZZLE, (0, 2, 4))
    assert [stage.name for stage in result.stages] == ["left-first", "encode", "solve"]
    assert result.stages[0].detail == {"tries": 1}
    assert (result.backend, result.encoding) == ("learn", {"count": "totalizer"})
    unique = nonosat.check(Coins(5, 3))
    assert unique.verdict is Verdict.UNIQUE


def test_a_method_may_decide_it_or_give_up() -> None:
    assert nonosat.solve(PUZZLE).backend == "left-first"
    none = nonosat.solve(Coins(4, 3), backend="left-first")
    assert (none.verdict, none.reason) == (Verdict.UNSOLVABLE, "too few coins")
    tried = nonosat.check(PUZZLE, backend="left-first")
    assert (tried.verdict, tried.reason) == (Verdict.UNKNOWN, "there may be others")


def test_requested_encodings_are_used() -> None:
    """The default would be a method, which uses none."""
    result = nonosat.solve(PUZZLE, encoding={"count": "sequential"})
    assert (result.backend, result.encoding) == ("learn", {"count": "sequential"})


def test_the_solutions_of_a_method_are_verified() -> None:
    with pytest.raises(RefutedError, match="wrong gave a solution that the clues refute: 9 coins"):
        nonosat.solve(PUZZLE, backend="wrong")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"backend": "search"}, "'search' needs rows and columns of clues"),
        ({"backend": "decimation"}, "'decimation' needs rows and columns of clues"),
        ({"hints": "beliefs", "backend": "learn"}, "hints are made of rows and columns"),
        ({"redundant": ("counts",), "backend": "learn"}, "redundant clauses are made of rows"),
        ({"backend": "every", "encoding": {"count": "product"}}, "'every' uses no encodings"),
        ({"backend": "every", "hints": "beliefs"}, "'every' takes no hints"),
        ({"backend": "nobody"}, "no backend is called 'nobody'"),
    ],
)
def test_incompatible_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        nonosat.solve(PUZZLE, **options)


def test_a_method_of_another_family_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="'every' is a method for coins; this puzzle is"):
        nonosat.solve(mono([[1]], [[1]]), backend="every")


def test_its_puzzles_are_written_and_read() -> None:
    puzzles = [PUZZLE.about_with(id="a", title="Three"), Coins(5, 3).about_with(id="b")]
    data = formats.write(puzzles, "jsonl")
    assert data.splitlines()[0] == (
        b'{"family":"coins","id":"a","title":"Three","total":9,"num":3}'
    )
    assert formats.read(data) == puzzles
    with pytest.raises(UnsupportedError, match=r"non cannot hold the clues \(a puzzle of coins"):
        formats.write(puzzles[:1], "non")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'{"family":"coins","total":9}', "no 'total' or no 'num'"),
        (b'{"family":"coins","total":9,"num":-1}', "-1 coins to choose"),
        (b'{"family":"corns","total":9}', "the family 'corns', expected one of coins, "),
        (b'{"family":7}', "the family 7, expected one of coins, "),
    ],
)
def test_bad_data_are_reported(text: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        formats.read(text)


def test_it_is_shown_by_its_lines() -> None:
    result = nonosat.solve(PUZZLE)
    data = result.found_data()
    assert data["solutions"] == [["#.#.#...."]]
    assert "legend" not in data
    (text,) = (
        one.text
        for one in ET.fromstring(result._repr_svg_()).iter("{http://www.w3.org/2000/svg}text")
        if one.get("y") and "#" in (one.text or "")
    )
    assert text == "#.#.#...."


def test_counts_and_hashes_are_its_own() -> None:
    assert counting.count(PUZZLE).count == len(truth(PUZZLE)) == 35
    assert fingerprint(PUZZLE) == fingerprint(PUZZLE.about_with(title="x"))
    assert fingerprint(PUZZLE) != fingerprint(Coins(9, 4))


def test_it_goes_into_files_and_answers_come_back(tmp_path: Path) -> None:
    formula = export.formula_of(PUZZLE, {"count": "totalizer"})
    export.write(formula, export.Target.of(tmp_path / "coins.cnf"))
    lines = (tmp_path / "coins.cnf").read_text().splitlines()
    assert "c variables 1-9 of the coins" in lines
    assert f"c aux 10-{export.measure(formula).num_vars} cells totalizer" in lines
    answer = export.read_answer("s SATISFIABLE\nv 1 -2 3 -4 -5 -6 -7 -8 9 0\n")
    assert export.picture_of(PUZZLE, answer) == grid_of(PUZZLE, (0, 2, 8))
    with pytest.raises(FormatError, match="not a solution: 2 coins"):
        export.picture_of(PUZZLE, export.read_answer("v 1 -2 3 0"))
