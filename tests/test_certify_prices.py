"""Proofs by prices: claims are true, and both checkers agree with enumeration."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given

import nonosat
from helpers.drawing import FUZZ, examples
from helpers.price_certificates import SMALL, blotted, put_files, staircase, weighed
from nonosat.certify import derived, folder, price_table
from nonosat.certify.derived import PriceProver
from nonosat.certify.price_check import ClaimedPrices, least_distance, outcome
from nonosat.certify.price_line import ClueLine
from nonosat.certify.price_table import natively
from nonosat.certify.prove import prove
from nonosat.certify.verify import verify
from nonosat.core.errors import CertificateError, LimitReached
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram.data import Nonogram, from_grid, mono
from nonosat.testing.oracles import clues, fillings, line_support, partials, solutions
from nonosat.testing.strategies import puzzles

WATCH = Watch(Limits())


def solution_of(puzzle: Nonogram) -> bytes | None:
    return next(iter(solutions(puzzle, 1)), None)


# A line


@pytest.mark.parametrize(("length", "colours"), [(5, 1), (3, 2)])
def test_lines_keep_supported_values(length: int, colours: int) -> None:
    rng = random.Random(length)
    for clue in clues(length, colours, unknown=True):
        line = ClueLine(clue, length)
        every = [*partials(length, colours)]
        for known in rng.sample(every, min(40, len(every))):
            may = [sum(1 << i for i, values in enumerate(known) if v in values)
                   for v in range(colours + 1)]  # fmt: skip
            found, expected = line.supported(may), line_support(clue, known)
            if expected is None:
                assert found is None
                continue
            assert found == [
                sum(1 << i for i, values in enumerate(expected.values) if v in values)
                for v in range(colours + 1)
            ]


def test_long_lines_and_lines_that_do_not_fit() -> None:
    for clue in ((), (Block(200),), (Block(1),) * 100, (Block(None, 2), Block(3, 1)) * 20):
        known = [frozenset({0, 1, 2})] * 200
        found = ClueLine(clue, 200).supported([2**200 - 1] * 3)
        expected = line_support(clue, known)
        assert found is not None
        assert expected is not None
        assert found[1] == sum(1 << i for i, values in enumerate(expected.values) if 1 in values)
    assert ClueLine((Block(201),), 200).supported([2**200 - 1] * 2) is None
    assert ClueLine((Block(1),) * 101, 200).supported([2**200 - 1] * 2) is None


@pytest.mark.parametrize(("length", "colours"), [(6, 1), (4, 2)])
def test_the_dearest_fillings_of_lines(length: int, colours: int) -> None:
    rng = random.Random(length)
    for clue in clues(length, colours, unknown=True):
        weights = [[rng.randint(-9, 9) for _ in range(length)] for _ in range(colours + 1)]
        paid = {
            cells: sum(weights[value][i] for i, value in enumerate(cells))
            for cells in fillings(clue, length)
        }
        line = ClueLine(clue, length)
        assert line.dearest(weights) == max(paid.values())
        assert line.dearest_with(weights, -1000) == [
            [max((p for cells, p in paid.items() if cells[i] == v), default=-1000)
             for i in range(length)]
            for v in range(colours + 1)
        ]  # fmt: skip


# The checkers against enumeration


def _tables(rng: random.Random, puzzle: Nonogram) -> list[ClaimedPrices]:
    """Random tables, tables that prove the verdict, and such tables with a few changes."""
    made = []
    for _ in range(rng.randrange(3)):
        scale, most = rng.choice([1, 2, 7]), rng.choice([1, 3, 10, 2**50])
        made.append(
            ClaimedPrices(
                scale,
                tuple(
                    [
                        [rng.randint(-most, most) for _ in range(rng.randint(0, puzzle.width))]
                        for _ in range(puzzle.height)
                    ]
                    for _ in puzzle.colours
                ),
            )
        )
    return made


def _changed(rng: random.Random, table: ClaimedPrices) -> ClaimedPrices:
    """Return a table with a few other prices, or another scale."""
    planes = tuple([list(row) for row in plane] for plane in table.prices)
    for _ in range(rng.randrange(4)):
        row = rng.choice(rng.choice(planes))
        if row:
            row[rng.randrange(len(row))] += rng.choice([-9, -3, -2, -1, 1, 2, 3, 9])
    return ClaimedPrices(rng.choice([table.scale, table.scale, 1, 2, 3]), planes)


def _drawn(rng: random.Random) -> Nonogram:
    """Draw a small puzzle: some colours, lengths unknown, cells given, clues exchanged."""
    height, width, colours = rng.randint(1, 5), rng.randint(1, 5), rng.choice([1, 1, 2])
    cells = bytes(rng.choice([0, *range(colours + 1)]) for _ in range(height * width))
    inks = nonosat.nonogram([[(1, "a"), (1, "b")]], [[(1, "a")], [(1, "b")]],
                            colours={"a": "red", "b": "blue"}).colours  # fmt: skip
    puzzle = from_grid(Grid(height, width, cells), *([inks] if colours > 1 else []))
    puzzle = replace(puzzle, goal=None)
    kind = rng.randrange(4)
    if kind == 1:
        puzzle = replace(puzzle, rows=blotted(puzzle, lambda: rng.random() < 0.5))
    if kind == 2:
        puzzle = replace(puzzle, rows=tuple(rng.sample(puzzle.rows, height)))
    if kind == 3:
        row, column = rng.randrange(height), rng.randrange(width)
        puzzle = replace(puzzle, given=((row, column, rng.randrange(colours + 1)),))
    return puzzle


@pytest.mark.slow
def test_both_checkers_agree_with_enumeration() -> None:
    proofs = [(puzzle, prove(puzzle, by="prices")) for puzzle in SMALL]
    seen = Counter[tuple[bool, int]]()
    num_ruled_out = 0
    for seed in range(250 * FUZZ):
        rng = random.Random(seed)
        if seed % 2:
            puzzle, proof = rng.choice(proofs)
            data = proof.files[folder.PRICES]
            proven = price_table.read(data, puzzle, has_solution=proof.claim == "unique")
            solution = solution_of(puzzle)
            tables = [*_tables(rng, puzzle), *(_changed(rng, proven[0]) for _ in range(2))]
            if rng.random() < 0.3:
                tables.append(proven[0])
        else:
            puzzle = _drawn(rng)
            solution = rng.choice([None, solution_of(puzzle)])
            tables = _tables(rng, puzzle)
        found = outcome(puzzle, solution, tables, WATCH.check)
        assert found == natively(puzzle, solution, tables, WATCH), seed
        assert found == weighed(puzzle, solution, tables), seed
        if found.is_proven:
            assert len(solutions(puzzle, 2)) == (solution is not None), seed
        seen[found.is_proven, found.num_used] += 1
        goal = 0 if solution is None else least_distance(puzzle)
        scale = tables[found.num_used - 1].scale if found.num_used else 1
        num_ruled_out += found.is_proven and found.bound >= max(goal * scale, 1)
    assert num_ruled_out > 10  # lines, propagated after a bound, decided what it left open
    # Tables of every length: some proved the claim, some did not.
    assert set(seen) >= {(True, 0), (True, 1), (True, 2), (False, 0), (False, 1), (False, 2)}


def test_values_are_ruled_out_before_the_next_table(tmp_path: Path) -> None:
    """A second round with one table proves more, because fewer fillings are left."""
    puzzle = staircase(4)
    found = prove(puzzle, by="prices")
    assert puzzle.goal is not None
    solution = puzzle.goal.cells
    (table,) = price_table.read(found.files[folder.PRICES], puzzle, has_solution=True)
    coarse = [
        ClaimedPrices(1, ([[price // divisor for price in row] for row in table.prices[0]],))
        for divisor in (2, 3, 4, 6, 8)
    ]
    proven = [
        tables
        for tables in ([one] * 2 for one in coarse)
        if outcome(puzzle, solution, tables, WATCH.check)[:2] == (True, 2)
    ]
    assert proven
    for tables in proven:
        assert natively(puzzle, solution, tables, WATCH) == weighed(puzzle, solution, tables)
        for number, is_valid in ((1, False), (2, True), (3, False)):
            data = price_table.written(puzzle, tables[:1] * number, has_solution=True)
            target = put_files(tmp_path / "c", "unique", {**found.files, folder.PRICES: data})
            if is_valid:
                assert " in 2 tables, price bound " in str(verify(target))
                continue
            with pytest.raises(CertificateError, match=r"^prices\.json: (the price b|1 table mo)"):
                verify(target)


@given(puzzles(max_cells=25))
@examples(30)
def test_claims_of_prices_are_true(puzzle: Nonogram) -> None:
    number = len(solutions(puzzle, 2))
    try:
        found = prove(puzzle, by="prices")
    except LimitReached as limit:
        why = str(limit)
    else:
        why = ""
        assert found.claim == ("unsolvable", "unique", "multiple")[number]
        assert found.claim == "multiple" or found.prices is not None
    assert not why or "price bound" in why


def test_the_least_distance_follows_from_the_clues() -> None:
    for seed in range(300):
        puzzle = _drawn(random.Random(seed))
        found = sorted(solutions(puzzle, 20))
        for one, other in product(found, found):
            if one != other:
                distance = sum(a != b for a, b in zip(one, other, strict=True))
                assert distance >= least_distance(puzzle)
    lengths = mono([[1], [1]], [[1], [1]])
    assert least_distance(lengths) == 4
    assert least_distance(replace(lengths, rows=((Block(None),), (Block(1),)))) == 2
    blots = ((Block(None),), (Block(None),))
    assert least_distance(replace(lengths, rows=blots, columns=blots)) == 1


# The search for tables


def prover(puzzle: Nonogram) -> PriceProver:
    return PriceProver(puzzle, nonogram.build(puzzle), solution_of(puzzle), WATCH)


def test_a_bound_that_is_the_distance_proves_nothing() -> None:
    found = prover(mono([[1], [1]], [[1], [1]])).run(stubborn=True)
    assert found.why_not == "the price bound is 4 cells, expected below 4"


def test_a_search_that_ends_early_rules_values_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines, or another table, may decide the cells that the search left open."""
    monkeypatch.setattr(derived, "_PER_CELL", 0)
    numbers = []
    for steps, work in ((3, 20_000), (3, 40_000), (4, 60_000), (4, 70_000), (4, 80_000)):
        monkeypatch.setattr(derived, "_BRIEF", work)
        puzzle = staircase(steps)
        assert puzzle.goal is not None
        solution = puzzle.goal.cells
        found = PriceProver(puzzle, nonogram.build(puzzle), solution, WATCH).run(stubborn=True)
        if not found.why_not:
            assert outcome(puzzle, solution, found.tables, WATCH.check)[:2] == (
                True,
                len(found.tables),
            )
            numbers.append(len(found.tables))
    assert {*numbers} == {1, 2}


def test_numbers_are_reduced_while_they_prove_the_claim() -> None:
    puzzle = SMALL[1]
    search, solution = prover(puzzle), solution_of(puzzle)
    (best,) = search.run(stubborn=True).tables

    def times(factor: int, scale: int) -> ClaimedPrices:
        rows = tuple([[price * factor for price in row] for row in plane] for plane in best.prices)
        return ClaimedPrices(scale, rows)

    assert search._smaller([times(7, 7)]) == best
    assert search._smaller([times(1, 2)]).scale == 2  # whole numbers prove nothing there
    for factor, scale in ((1, 1), (7, 7), (1, 2), (2, 3), (3, 8)):
        smaller = search._smaller([times(factor, scale)])
        assert outcome(puzzle, solution, [smaller], WATCH.check).is_proven
    halves = ClaimedPrices(4, ([[-7, -6, -5, -2, -1, 0, 1, 2, 5, 6, 7]],))
    rounded = [[-2, -1, -1, 0, 0, 0, 0, 1, 1, 2, 2]]
    assert derived._divided(halves, 1, 4) == ClaimedPrices(1, (rounded,))


def test_a_bound_is_compared_with_the_scale_of_its_own_table() -> None:
    """A table after which lines decide the rest has not proven the claim by its bound."""
    puzzle = staircase(4)
    proven = price_table.read(
        prove(puzzle, by="prices").files[folder.PRICES], puzzle, has_solution=True
    )[0]
    assert puzzle.goal is not None
    solution = puzzle.goal.cells
    search = PriceProver(puzzle, nonogram.build(puzzle), solution, WATCH)
    coarse = ClaimedPrices(1000, ([[0]] * puzzle.height,))
    settled = 0
    for divisor in range(2, 12):
        rows = [[price // divisor for price in row] for row in proven.prices[0]]
        tables = [coarse, ClaimedPrices(1, (rows,)), ClaimedPrices(1, (rows,))]
        found = outcome(puzzle, solution, tables, WATCH.check)
        used = tables[: found.num_used]
        by_bound = found.is_proven and found.bound < 4
        settled += found.is_proven and not by_bound
        assert search._is_proven(used) == by_bound
    assert settled


def test_rows_of_tables_end_with_their_last_price() -> None:
    puzzle = mono([[1], [1], []], [[1], [1], []])
    rows = [[0, 0, 0], [0, 5, 0], [-1, 0, 0]]
    data = price_table.written(puzzle, [ClaimedPrices(1, (rows,))], has_solution=True)
    assert b'"tables": [{"scale":1,"prices":[[[],\n[0,5],\n[-1]]]}]}' in data


def test_memory_depends_on_values_and_places() -> None:
    flat = mono([[1, 1], [1]], [[1], [1], [1], []])  # 2 blocks on a line have 3 gaps
    assert price_table.memory(flat) == 32 * (2 * 4 * 2 + 3 * 4)
    tall = mono([[1], [1], [1], []], [[1, 1], [1]])
    assert price_table.memory(tall) == price_table.memory(flat)
