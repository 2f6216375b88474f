"""Failed assumptions that the learning search returns after a refutation, against enumeration."""

from __future__ import annotations

import random
from itertools import product

import pytest

import nonosat
from nonosat import _core
from nonosat.backends.learn import LearningEngine, open_engine
from nonosat.clauses.translate import translate
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block, Line
from nonosat.core.plugins import Answer
from nonosat.encodings import line_order
from nonosat.puzzles.nonogram import build

WATCH = Watch(Limits())
ENGINES = ("learn", "learn-lines")

Bits = tuple[int, ...]


def satisfies(bits: Bits, lits: list[int]) -> bool:
    """True if all the literals are true."""
    return all(bits[abs(lit) - 1] == (lit > 0) for lit in lits)


def is_model(bits: Bits, clauses: list[list[int]]) -> bool:
    return not any(satisfies(bits, [-lit for lit in clause]) for clause in clauses)


def check(engine: LearningEngine, assumptions: list[int], models: list[Bits]) -> bool:
    """Solve, and compare the answer and the failed core with all models; True if the core is not
    empty.
    """
    expected = any(satisfies(bits, assumptions) for bits in models)
    answer = engine.solve(assumptions, WATCH)
    assert answer is (Answer.SAT if expected else Answer.UNSAT)
    if expected:
        return False
    failed = engine.failed()
    assert set(failed) <= set(assumptions)
    assert len(set(failed)) == len(failed)
    assert not any(satisfies(bits, failed) for bits in models)
    return bool(failed)


def drawn(rng: random.Random, num_vars: int, most: int) -> list[int]:
    return [rng.choice((1, -1)) * rng.randint(1, num_vars) for _ in range(rng.randint(0, most))]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_on_random_formulas(seed: int) -> None:
    """4 x 500 formulas, three queries each, with clauses added in between."""
    rng = random.Random(seed)
    num_failed = 0
    for _ in range(500):
        num_vars = rng.randint(1, 6)
        engine = open_engine("learn", num_vars, seed, {})
        models = list(product((0, 1), repeat=num_vars))
        for _ in range(3):
            clauses = [drawn(rng, num_vars, 3) or [1] for _ in range(rng.randint(0, num_vars))]
            for clause in clauses:
                engine.add(clause)
            models = [bits for bits in models if is_model(bits, clauses)]
            num_failed += check(engine, drawn(rng, num_vars, num_vars + 2), models)
    assert num_failed > 200


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", ENGINES)
def test_on_lines_that_cross(name: str, seed: int) -> None:
    """2 x 150 puzzles of 3 x 3, the lines added and encoded, five queries each."""
    rng = random.Random(seed)
    num_failed = 0
    for _ in range(150):
        engine = open_engine(name, 9, seed, {})
        models = list(product((0, 1), repeat=9))
        for cells in [(1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9)]:
            lengths = rng.choice([[], [1], [2], [1, 1], [1], [2], [None]])
            line = Line((cells,), tuple(Block(length, 1) for length in lengths))
            if hasattr(engine, "observe"):
                engine.observe(line)
            line_order.encode(line, engine)
            models = [bits for bits in models if fits([bits[v - 1] for v in cells], lengths)]
        for _ in range(5):
            num_failed += check(engine, drawn(rng, 9, 9), models)
    assert num_failed > 100


def fits(cells: list[int], lengths: list[int | None]) -> bool:
    runs = [len(run) for run in "".join(map(str, cells)).split("0") if run]
    return len(runs) == len(lengths) and all(
        want in (None, run) for want, run in zip(lengths, runs, strict=True)
    )


def test_lines_alone_refute() -> None:
    """Without any clause, the failed core comes from explanations of lines."""
    learner = _core.Learner()
    learner.new_vars(10)
    learner.add_line([list(range(1, 11))], [(4, 1), (4, 1)], [])
    assert learner.solve([5, 6, 9, -3]) == _core.Answer.UNSAT  # cells 5 and 6 are never both filled
    assert set(learner.failed()) == {5, 6}
    assert learner.solve([10, -8, -3]) == _core.Answer.UNSAT  # room for one block only
    assert learner.failed() in ([-8], [-3])


def test_core_is_empty_if_the_clauses_are_contradictory() -> None:
    engine = open_engine("learn", 2, 0, {})
    engine.add([1])
    engine.add([-1])
    assert engine.solve([2], WATCH) is Answer.UNSAT
    assert engine.failed() == []


def test_core_has_opposite_and_repeated_assumptions_once() -> None:
    engine = open_engine("learn", 3, 0, {})
    engine.add([1, 2])
    assert engine.solve([3, 1, 1, -1, 3], WATCH) is Answer.UNSAT
    assert sorted(engine.failed()) == [-1, 1]
    engine.add([-3])
    assert engine.solve([1, 3, 2], WATCH) is Answer.UNSAT
    assert engine.failed() == [3]


def test_repeated_assumptions_open_more_levels_than_there_are_variables() -> None:
    """A conflict at such a level once wrote beyond the memory of levels."""
    engine = open_engine("learn", 3, 0, {})
    for clause in ([2, 3], [2, -3], [-2, 3], [-2, -3]):
        engine.add(clause)
    assert engine.solve([1] * 3_000_000, WATCH) is Answer.UNSAT
    assert engine.failed() == []


def test_core_is_refused_without_a_refutation() -> None:
    learner = _core.Learner()
    learner.new_vars(2)
    with pytest.raises(RuntimeError, match="after UNSAT"):
        learner.failed()
    assert learner.solve([1]) == _core.Answer.SAT
    with pytest.raises(RuntimeError, match="after UNSAT"):
        learner.failed()
    assert learner.solve([1, -1]) == _core.Answer.UNSAT
    assert set(learner.failed()) == {1, -1}
    learner.add_line([[1, 2]], [(1, 1)], [])
    with pytest.raises(RuntimeError, match="after UNSAT"):
        learner.failed()


def test_a_query_of_the_core_has_no_effect() -> None:
    """Answers and counters of `learn` are the same with and without a query of the core."""
    runs = []
    for is_asked in (False, True):
        rng = random.Random(5)
        engine = open_engine("learn", 40, 0, {})
        found = []
        for _ in range(60):
            for _ in range(3):
                engine.add([rng.choice((1, -1)) * v for v in rng.sample(range(1, 41), 3)])
            answer = engine.solve(drawn(rng, 40, 12), WATCH)
            if is_asked and answer is Answer.UNSAT:
                assert engine.failed() is not None
            found.append((answer, engine.values()))
        runs.append((found, engine.statistics()))
    assert runs[0] == runs[1]


def test_on_a_puzzle_the_cells_of_a_wrong_picture_fail() -> None:
    """The core of a picture with one wrong cell is refuted again, also by itself."""
    puzzle = nonosat.load("instances/pictures.jsonl#cat")
    (picture,) = nonosat.solve(puzzle).solutions
    model = build(puzzle)
    for name in ENGINES:
        engine = open_engine(name, model.num_vars, 0, {})
        translate(model, engine)
        lits = [place if value else -place for place, value in enumerate(picture.cells, start=1)]
        assert engine.solve(lits, WATCH) is Answer.SAT
        lits[7] = -lits[7]
        assert engine.solve(lits, WATCH) is Answer.UNSAT
        failed = engine.failed()
        assert lits[7] in failed  # the others can hold together
        assert len(failed) < len(lits)
        assert engine.solve(failed, WATCH) is Answer.UNSAT
