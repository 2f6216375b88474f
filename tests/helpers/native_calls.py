"""Native calls that take long, on large inputs or hard ones."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from functools import partial
from typing import Any

from helpers.native_inputs import (
    Clue,
    beliefs,
    board,
    decimation,
    implications,
    lane_board,
    lattice,
    learner,
    loops,
    prices,
    queens,
    ring,
    rules,
    settled,
    settled_lanes,
    settled_squares,
    speckled,
    threshold,
    tours,
    woven,
)
from nonosat import _core

# Long calls: each entry prepares one. Most take one or two tenths of a second.

Call = Callable[[], object]
DEADLINE_S = 0.1  # of calls that would take minutes


def _add_clauses(num_clauses: int = 2_000_000) -> Call:
    found, clauses = learner(7), ring(num_clauses)
    return lambda: found.add_clauses(clauses)


def _new_vars() -> Call:
    found = learner(0)
    return lambda: found.new_vars(1_000_000)


def _suggest() -> Call:
    found, lits = learner(1_000_000), list(range(1, 1_000_001))
    return lambda: found.set_phases(lits)


def _solve() -> Call:
    found = learner(400, threshold(400))
    return lambda: found.solve([], None, DEADLINE_S)


def _look_ahead_of_learner() -> Call:
    size = 10_000  # each variable implies the next
    found = learner(size, array("i", [x for var in range(1, size) for x in (-var, var + 1, 0)]))
    return lambda: found.look_ahead([], range(1, size + 1), size, 2**60, DEADLINE_S)


def _twin() -> Call:
    found = learner(500_000, ring(3_000_000))
    return lambda: found.twin(1)


def _tell() -> Call:
    exchange, lits = _core.Exchange(1, 1_000_000, True), list(range(1, 1_000_001))
    return lambda: exchange.tell(lits)


def _values() -> Call:
    found = learner(1_000_000)
    assert found.solve() == _core.Answer.SAT
    return found.values


def _take_proof() -> Call:
    found = learner(300)
    found.keep_proof()
    found.add_clauses(threshold(300))
    found.solve([], None, DEADLINE_S)
    return found.take_proof


def _add_line() -> Call:
    found, length = learner(300_000), 300_000
    clue: Clue = [(1, 1)] * 50_000
    return lambda: found.add_line([range(1, length + 1)], clue, range(0, length, 7))


def _follow_loop() -> Call:
    number = 1_000_000
    start, end = array("i", range(number)), array("i", range(1, number + 1))
    found, edges = learner(number), woven(start, end, end)
    return lambda: found.follow_loop(edges)


def _cycle_clauses() -> Call:
    number = 400_000
    start, lits = array("i", range(number)), array("i", range(1, number + 1))
    edges, faces = woven(start, start[1:] + start[:1], lits), array("i", [1, 2] * number)
    return lambda: _core.cycle_clauses(number, edges, faces, 8)


def _free_learner() -> Call:
    held = [learner(1_000_000, ring(1_000_000))]
    return held.clear


def _text(write: Callable[[Any], bytes], num_clauses: int = 2_000_000) -> Call:
    clauses = ring(num_clauses)
    return lambda: write(clauses)


def _clause_lists() -> Call:
    clauses = ring(1_500_000)
    return lambda: _core.clause_lists(clauses, 0, 10**9)


def _refuted(num_clauses: int) -> array[int]:
    """Clauses of which the last four are contradictory."""
    return ring(num_clauses) + array("i", [8, 9, 0, 8, -9, 0, -8, 9, 0, -8, -9, 0])


def _parse_dimacs() -> Call:
    clauses = _refuted(1_500_000)
    text = f"p cnf 9 {_core.num_clauses(clauses)}\n".encode() + _core.dimacs_text(clauses)
    return lambda: _core.parse_dimacs(text)


def _check_drat(num_clauses: int = 1_000_000) -> Call:
    clauses = _refuted(num_clauses).tobytes()
    return lambda: _core.check_drat(9, clauses, b"8 0\n0\n", True)


def _check_lrat() -> Call:
    clauses = _refuted(3_000_000)
    num = _core.num_clauses(clauses)
    proof = f"{num + 1} 8 0 {num - 3} {num - 2} 0\n{num + 2} 0 {num + 1} {num - 1} {num} 0\n"
    return lambda: _core.check_lrat(9, clauses.tobytes(), proof.encode())


def _check_prices(size: int = 300) -> Call:
    clues, prices = [[(1, 1)] * 50] * size, [[[3] * size] * size]
    return lambda: _core.check_prices(1, clues, clues, [], None, [(1, prices)])


def _line(call: Callable[..., object], length: int) -> Call:
    blocks: Clue = [(1, 1)] * (length // 6)
    planes = [b"\1" * length] * 2
    return lambda: call(length, blocks, planes)


def _order_clauses() -> Call:
    length = 3000
    blocks: Clue = [(1, 1)] * (length // 8)
    cells = [list(range(1, length + 1))]
    return lambda: _core.order_clauses(cells, blocks, [], lambda count: length + 1, None)


def _open_line_clauses() -> Call:
    side = 200
    on = _core.Board(1, [[(1, 1)] * (side // 8)] * side, [[(1, 1)]] * side)
    lits, lines = array("i", range(1, side**2 + 1)), list(range(side))
    return lambda: _core.open_line_clauses(on, lits, b"", lines, lambda count: side**2 + 1, None)


def _forced_cells() -> Call:
    rows: list[Clue] = [[(1, 1)]] * 1_000_000
    return lambda: _core.forced_cells(1, rows, [[(1_000_000, 1)]])


def _make_board() -> Call:
    rows: list[Clue] = [[(1, 1)]] * 1_000_000
    return lambda: _core.Board(1, rows, [[(1_000_000, 1)]])


def _make_board_of_long_clues() -> Call:
    columns: list[Clue] = [[]] * 2_000_000
    return lambda: _core.Board(1, [[(1, 1)] * 800_000], columns)


def _on_large_board(call: Callable[[_core.Board], Call]) -> Call:
    return call(_core.Board(1, [[(1, 1)]] * 3000, [[(1, 1)]] * 3000))


def _probe() -> Call:
    prober = _core.Prober(board(200))
    return lambda: prober.run(2**60, DEADLINE_S)


def _search() -> Call:
    search = _core.Search(settled(40))
    return lambda: search.next(2**60, DEADLINE_S)


def _count() -> Call:
    counter = _core.Counter(board(40), 2**28)
    return lambda: counter.run(2**60, DEADLINE_S)


def _note() -> Call:
    counter = _core.Counter(_core.Board(1, [[(1, 1)]] * 2500, [[(1, 1)]] * 2500), 2**28)
    counter.run(1, DEADLINE_S)
    return lambda: counter.note(bytes(2500 * 2500))


def _components() -> Call:
    counter = _core.Counter(_core.Board(1, [[(1, 1)]] * 2500, [[(1, 1)]] * 2500), 2**28)
    counter.run(1, DEADLINE_S)
    return counter.components


def _believe() -> Call:
    found = beliefs(board(40))
    return lambda: found.run(10**9, DEADLINE_S)


def _blocks_of(ask: Callable[[_core.Beliefs], object]) -> Call:
    width = 3000
    found = beliefs(_core.Board(1, [[(1, 1)] * (width // 3)], [[(None, 1)]] + [[]] * (width - 1)))
    return lambda: ask(found)


def _decimate() -> Call:
    found = decimation(board(40))
    return lambda: found.run(2**60, DEADLINE_S)


def _price() -> Call:
    found = prices(settled(60))
    return lambda: found.find(2**60, True, DEADLINE_S)


def _price_a_large_board() -> Call:
    on = settled_squares(1000)
    return lambda: _core.Prices(on, None)


def _prices() -> _core.Prices:
    return prices(settled_squares(700))


def _imply() -> Call:
    found = implications(board(120), 120)
    return lambda: found.next(None)


def _look_ahead() -> Call:
    found = settled(120)
    return lambda: _core.look_ahead(found, 10**9)


def _deduce(call: Callable[[_core.Deduction, _core.Board], Call]) -> Call:
    found = board(60)
    return call(_core.Deduction(found), found)


def _take_steps() -> Call:
    def prepare(deduction: _core.Deduction, _: _core.Board) -> Call:
        deduction.probe(2**60, DEADLINE_S)
        return deduction.take_steps

    return _deduce(prepare)


def _lemmas() -> Call:
    found = board(60)
    steps = b"".join(array("i", [cell, 1, -1, 0]).tobytes() for cell in range(3600)) * 1000
    return lambda: _core.lemmas(found, steps)


def _cells() -> Call:
    pairs = lattice(700)
    return lambda: _core.Cells(pairs, 100)


def _refine() -> Call:
    cells = _core.Cells(lattice(100), 100)
    return lambda: cells.refine(speckled(100))


def _queens() -> Call:
    search = _core.QueensSearch(queens(14))
    return lambda: search.next(10**9, 30_000_000)


def _path() -> Call:
    found = tours(2000)
    found.next(1_000_000, DEADLINE_S)
    return found.path


LONG: dict[str, Callable[[], Call]] = {
    "Learner.add_clauses": _add_clauses,
    "Learner.new_vars": _new_vars,
    "Learner.set_phases": _suggest,
    "Learner.solve": _solve,
    "Learner.look_ahead": _look_ahead_of_learner,
    "Learner.twin": _twin,
    "Exchange.tell": _tell,
    "Learner.values": _values,
    "Learner.take_proof": _take_proof,
    "Learner.add_line": _add_line,
    "Learner.follow_loop": _follow_loop,
    "cycle_clauses": _cycle_clauses,
    "a Learner is freed": _free_learner,
    "dimacs_text": lambda: _text(_core.dimacs_text),
    "opb_text": lambda: _text(_core.opb_text),
    "clause_lists": _clause_lists,
    "parse_dimacs": _parse_dimacs,
    "check_drat": _check_drat,
    "check_lrat": _check_lrat,
    "check_prices": _check_prices,
    "line_values": lambda: _line(_core.line_values, 30_000),
    "line_domains": lambda: _line(_core.line_domains, 4_000),
    "order_clauses": _order_clauses,
    "open_line_clauses": _open_line_clauses,
    "Board": _make_board,
    "forced_cells": _forced_cells,
    "Board of long clues": _make_board_of_long_clues,
    "Board.propagate": lambda: _on_large_board(lambda on: on.propagate),
    "Board.copy": lambda: _on_large_board(lambda on: on.copy),
    "Board.cells": lambda: _on_large_board(lambda on: on.cells),
    "Board.plane": lambda: _on_large_board(lambda on: lambda: on.plane(1)),
    "Board.assign_cells": lambda: _on_large_board(
        lambda on: lambda: on.assign_cells(bytes(3000**2))
    ),
    "Prober.run": _probe,
    "Search.next": _search,
    "LaneProber.run": lambda: partial(_core.LaneProber(lane_board(200)).run, 2**60, DEADLINE_S),
    "LaneSearch.next": lambda: partial(_core.LaneSearch(settled_lanes(40)).next, 2**60, DEADLINE_S),
    "Counter.run": _count,
    "Counter.note": _note,
    "Counter.components": _components,
    "RulesCount": lambda: partial(rules, 60),
    "RulesCount.run": lambda: partial(rules(9).run, 2**60, DEADLINE_S),
    "LoopCount": lambda: partial(loops, 200),
    "LaneCounter.run": lambda: partial(_core.LaneCounter(lane_board(45), 2**28).run, 2**60),
    "LoopCount.run": lambda: partial(loops(30).run, 2**60, DEADLINE_S),
    "Beliefs.run": _believe,
    "Beliefs.blocks": lambda: _blocks_of(lambda found: found.blocks(0)),
    "Beliefs.likely_bounds": lambda: _blocks_of(lambda found: found.likely_bounds(0)),
    "Decimation.run": _decimate,
    "Prices": _price_a_large_board,
    "Prices.find": _price,
    "Prices.prices": lambda: _prices().prices,
    "Prices.proof": lambda: _prices().proof,
    "Implications.next": _imply,
    "look_ahead": _look_ahead,
    "Deduction.probe": lambda: _deduce(lambda found, _: lambda: found.probe(2**60, DEADLINE_S)),
    "Deduction.take_steps": _take_steps,
    "lemmas": _lemmas,
    "Cells": _cells,
    "Cells.refine": _refine,
    "QueensCount.run": lambda: partial(_core.QueensCount(queens(20)).run, DEADLINE_S),
    "QueensSearch.next": _queens,
    "QueensSearch.next_classes": lambda: partial(
        _core.QueensSearch(queens(14)).next_classes, 30_000_000
    ),
    "knight_construct": lambda: partial(_core.knight_construct, 2000, 2000, False, 0, 0),
    "KnightBoard": lambda: partial(_core.KnightBoard, 3000, 3000, range(0, 9_000_000, 3)),
    "TourSearch.next": lambda: partial(tours(30).next, 2**60, DEADLINE_S),
    "TourSearch.path": _path,
}

# Calls without a watch that take far longer than a twentieth of a second.
ENDLESS: dict[str, Callable[[], Call]] = {
    "Learner.add_clauses": lambda: _add_clauses(6_000_000),
    "Learner.solve": lambda: learner(400, threshold(400)).solve,
    "dimacs_text": lambda: _text(_core.dimacs_text, 6_000_000),
    "opb_text": lambda: _text(_core.opb_text, 3_000_000),
    "clause_lists": _clause_lists,
    "check_drat": lambda: _check_drat(3_000_000),
    "check_prices": lambda: _check_prices(500),
    "line_values": lambda: _line(_core.line_values, 90_000),
    "Prober.run": lambda: partial(_core.Prober(board(200)).run, 2**60),
    "Search.next": lambda: partial(_core.Search(settled(45)).next, 2**60),
    "Counter.run": lambda: partial(_core.Counter(board(45), 2**28).run, 2**60),
    "LoopCount.run": lambda: partial(loops(30).run, 2**60),
    "RulesCount.run": lambda: partial(rules(9).run, 2**60),
    "Beliefs.run": lambda: partial(beliefs(board(40)).run, 10**9),
    "Prices.find": lambda: partial(prices(settled(200)).find, 2**60, True),
    "Implications.next": lambda: partial(implications(board(250), 250).next, None),
    "Cells.refine": lambda: partial(_core.Cells(lattice(200), 100).refine, speckled(200)),
    "QueensSearch.next": lambda: partial(_core.QueensSearch(queens(40)).next, 10**9, 2**60),
    "QueensSearch.next_classes": lambda: partial(
        _core.QueensSearch(queens(40)).next_classes, 2**60
    ),
    "QueensCount.run": lambda: _core.QueensCount(queens(25)).run,
    "TourSearch.next": lambda: partial(tours(40).next, 2**60),
}
