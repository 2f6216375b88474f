"""Clause container, base classes of sinks, batches, and the translation of a model.

Clauses that arrive are compared with lists written by hand, never with another sink's.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import pytest

from nonosat.clauses.batches import negated, put, put_columns
from nonosat.clauses.cnf import MAX_VARS, Cnf, check_num_vars, chunks, split
from nonosat.clauses.sinks import BATCH, Batching, Buffer, SinkBase
from nonosat.clauses.translate import CountingSink, Size, translate
from nonosat.core import plugins
from nonosat.core.errors import BackendError, UnsupportedError
from nonosat.core.model import FALSE, TRUE, Block, Clause, Count, Line, Loop, Model
from nonosat.core.plugins import Engine

CLAUSES = [[1, -2], [TRUE, 3], [FALSE, 4], [-FALSE, 1], [FALSE], []]
PLAIN = [1, -2, 0, 4, 0, 0, 0]  # the same without constants


class Noting(SinkBase):
    """Sink with the two required methods only."""

    def __init__(self) -> None:
        self.num_vars = 10
        self.batches: list[list[int]] = []

    def new_vars(self, count: int) -> int:
        self.num_vars += count
        return self.num_vars - count + 1

    def add_batch(self, clauses: array[int]) -> None:
        self.batches.append(list(clauses))


class Handing(Batching):
    """Sink that keeps the lists that it receives."""

    def __init__(self, num_vars: int, most: int | None = None) -> None:
        super().__init__(num_vars, most)
        self.handed: list[list[int]] = []

    def _flush(self) -> None:
        self.handed.append(list(self.take()))


def test_batches_are_free_of_constants():
    batch = array("i", [7, 0])
    put(batch, CLAUSES)
    assert list(batch) == [7, 0, *PLAIN]
    assert list(negated([1, -2, TRUE, FALSE])) == [-1, 2, FALSE, TRUE]


def test_columns_are_clauses_up_to_the_shortest():
    batch = array("i")
    put_columns(batch, [1, TRUE, 3, FALSE, 5], iter([-2, -3, FALSE, FALSE]))
    assert list(batch) == [1, -2, 0, 3, 0, 0]


@pytest.mark.parametrize("make", [Buffer, Cnf])
def test_a_buffer_holds_clauses_until_they_are_taken(make):
    sink = make(3)
    for clause in CLAUSES:
        sink.add(clause)
    assert (list(sink.buffer), sink.num_clauses) == (PLAIN, 4)
    sink.add_batch(array("i", [5, 0, -6, 7, 0]))
    assert (list(sink.buffer), sink.num_clauses) == ([*PLAIN, 5, 0, -6, 7, 0], 6)
    assert (sink.new_var(), sink.new_vars(3), sink.new_var()) == (4, 5, 8)
    assert sink.num_vars == 8
    assert list(sink.take()) == [*PLAIN, 5, 0, -6, 7, 0]
    assert (list(sink.buffer), sink.num_clauses, list(sink.take())) == ([], 0, [])


def test_a_formula_equals_its_clauses():
    formula = Cnf(5)
    for clause in CLAUSES:
        formula.add(clause)
    assert (len(formula), list(formula)) == (4, [[1, -2], [4], [], []])
    assert (Cnf().num_vars, len(Cnf()), list(Cnf())) == (0, 0, [])


@pytest.mark.parametrize("number", [0, 1, 2, 3, 1023, 1024, 1025, 3000])
def test_clauses_are_split_one_by_one(number):
    clauses = [[*range(1, at % 4 + 1)] for at in range(number)]
    flat = array("i", [lit for clause in clauses for lit in (*clause, 0)])
    assert list(split(flat)) == clauses
    assert list(chunks(flat, 2)) == [clauses[at : at + 2] for at in range(0, number, 2)]


def test_more_variables_than_checkers_can_hold_are_refused():
    check_num_vars(MAX_VARS)
    with pytest.raises(UnsupportedError, match=r"would have 1,073,741,823 variables"):
        check_num_vars(MAX_VARS + 1)


def test_a_sink_needs_two_methods_only():
    sink = Noting()
    for clause in CLAUSES:
        sink.add(clause)
    assert sink.batches == [[1, -2, 0], [4, 0], [0], [0]]
    assert (sink.new_var(), sink.new_vars(2), sink.new_var()) == (11, 12, 14)


def test_buffered_clauses_are_passed_on_when_they_are_many():
    sink = Handing(9, most=4)
    assert sink.new_var() == 10
    sink.add([1])
    sink.add([2])
    assert sink.handed == []  # four numbers: the size of the buffer
    sink.add([TRUE, 1])
    sink.add([])
    assert sink.handed == [[1, 0, 2, 0, 0]]
    sink.add_batch(array("i", [1, 2, 3, 0]))
    assert len(sink.handed) == 1
    sink.add_batch(array("i", [4, 0]))
    assert sink.handed[1:] == [[1, 2, 3, 0, 4, 0]]
    assert list(sink.take()) == []


def test_default_size_of_the_buffer():
    sink = Handing(1)
    sink.add_batch(array("i", [1] * (BATCH - 1) + [0]))
    assert sink.handed == []
    sink.add([])
    assert [len(each) for each in sink.handed] == [BATCH + 1]


def test_a_tally_counts_the_clauses_that_pass_through_it():
    sink = Noting()
    tally = CountingSink(sink)
    tally.add([1, -2])
    tally.add([3])
    tally.add_batch(array("i", [1, 2, 3, 0, -4, 0, 0]))
    assert (tally.new_var(), tally.new_vars(4)) == (11, 12)
    assert sink.batches == [[1, -2, 0], [3, 0], [1, 2, 3, 0, -4, 0, 0]]
    assert tally.size == Size(num_auxiliaries=5, num_clauses=5, num_lits=7)


# The translation of a model

CLAUSE = Clause((1, -2))
COUNT = Count((1, 2, 3), 0, 1)
LONG_COUNT = Count((*range(1, 9),), 0, 1)
LINE = Line(((*range(1, 8),),), (Block(2), Block(1)))
LOOP = Loop(2, ((0, 1, 1), (0, 1, 2)))
MODEL = Model(8, lines=(LINE, LINE), counts=(COUNT, LONG_COUNT), clauses=(CLAUSE,), loops=(LOOP,))
ENCODINGS = {"line": "order", "count": "sequential", "loop": "cut-sets"}


class Taking(Cnf, Engine):
    """Engine that accepts any constraint and records all calls."""

    def __init__(self, num_vars: int) -> None:
        super().__init__(num_vars)
        self.taken: list[object] = []
        self.observed: list[Line] = []

    def constrain(self, constraint: object) -> None:
        self.taken.append(constraint)

    def observe(self, line: Line) -> None:
        self.observed.append(line)

    def solve(self, assumptions: Sequence[int], watch: object, budget: int | None = None):
        raise AssertionError("unexpected call")

    def values(self) -> bytes:
        raise AssertionError("unexpected call")


def test_native_kinds_are_passed_on_and_others_encoded():
    engine = Taking(8)
    size = translate(MODEL, engine, ENCODINGS, native=frozenset({Clause, Line}), lazy=True)
    assert engine.taken == [CLAUSE, LINE, LINE]
    assert engine.observed == [LINE, LINE]
    assert {frozenset(each) for each in engine} >= {frozenset(p) for p in ([-1, -2], [-1, -3])}
    assert size.line_firsts == []


def test_clauses_pass_as_they_are():
    formula = Cnf(8)
    model = Model(8, clauses=(CLAUSE, Clause((TRUE, 3)), Clause((FALSE, 4))))
    size = translate(model, formula)
    assert list(formula) == [[1, -2], [4]]
    assert (size.num_clauses, size.num_lits, size.num_auxiliaries) == (3, 6, 0)


def test_the_size_of_a_translation_counts_what_arrived():
    formula = Cnf(8)
    size = translate(MODEL, formula, ENCODINGS, lazy=True)
    assert (size.num_clauses, size.num_auxiliaries) == (len(formula), formula.num_vars - 8)
    assert size.num_lits == len(formula.buffer) - len(formula)
    assert formula.num_vars > 8 + 2


def test_the_first_auxiliary_of_every_line_is_known():
    alone = translate(Model(8, lines=(LINE,)), Cnf(8), ENCODINGS).num_auxiliaries
    counts = translate(Model(8, counts=(COUNT, LONG_COUNT)), Cnf(8), ENCODINGS).num_auxiliaries
    assert alone > 0
    assert counts > 0
    size = translate(MODEL, Cnf(8), ENCODINGS, lazy=True)
    assert size.line_firsts == [counts, counts + alone]


def test_lazy_encodings_need_an_incremental_engine():
    with pytest.raises(UnsupportedError, match="encoding loop=cut-sets is lazy"):
        translate(MODEL, Cnf(8), ENCODINGS)
    size = translate(MODEL, Cnf(8), ENCODINGS, lazy=True)
    (refine,) = size.refiners
    assert list(refine(bytes([0, 1, 1, 0, 0, 0, 0, 0, 0]))) == []
    assert [set(clause) for clause in refine(bytes(9))] == [{1, 2}]
    whole = {**ENCODINGS, "loop": "positions"}
    assert translate(MODEL, Cnf(8), whole).refiners == []


def test_a_translation_may_pause_before_every_constraint():
    seen: list[int] = []
    formula = Cnf(8)

    def pause() -> None:
        seen.append(len(formula))
        if len(seen) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        translate(MODEL, formula, ENCODINGS, pause=pause)
    assert seen == [0, 1, 4]


# Encodings of other packages


def test_clauses_of_other_packages_are_checked(monkeypatch):
    """An engine would fail on it, far from the encoding that made it."""
    added: list = []

    def encode(line, sink):
        first = sink.new_vars(2)
        for clause in added:
            sink.add(clause)
        sink.add_batch(array("i", [first, -first - 1, 0, 4, 0]))
        return lambda values: [[first + 1], [first + 2]]

    theirs = plugins.find("encodings", "line-order").replaced(encode=encode)
    monkeypatch.setattr(plugins, "find", lambda kind, name: theirs)
    line = Line((range(1, 4),), (Block(1),))
    model = Model(3, lines=(line,))

    def translated(*clauses):
        added[:] = clauses
        return translate(model, Cnf(3), {"line": "theirs"}, lazy=True)

    (refiner,) = translated([TRUE, -5], [FALSE, 4]).refiners
    found = refiner(b"")
    assert next(iter(found)) == [5]
    with pytest.raises(BackendError, match="line=theirs breaks its contract: it uses variable 6,"):
        list(found)
    for clause, what in (
        ([6], "it uses variable 6, which its sink has not allocated"),
        ([-6], "it uses variable 6, which its sink has not allocated"),
        ([1, 0], r"it adds the clause \[1, 0\], expected no 0 among its literals"),
        (["1"], r"it adds the clause \['1'\], expected literals, which are whole numbers"),
        (None, "it adds the clause None, expected literals"),
    ):
        with pytest.raises(BackendError, match=what):
            translated(clause)
    theirs = theirs.replaced(encode=lambda line, sink: "done")
    with pytest.raises(BackendError, match="it returned 'done', expected None or a refiner"):
        translated()
