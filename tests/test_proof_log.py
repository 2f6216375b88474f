"""Proofs that the learning search writes, against checkers that share no code with it."""

from __future__ import annotations

import multiprocessing
import random
from array import array
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given

from helpers.clocks import Clock, interrupt
from helpers.drawing import FUZZ, examples
from helpers.processes import interruptible
from helpers.proofs import refutes
from nonosat import _core, formats
from nonosat.backends.learn import LearningEngine, LineEngine, open_engine
from nonosat.certify.prove import prove
from nonosat.clauses.cnf import Cnf, split
from nonosat.core.errors import LimitReached, UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.plugins import Answer
from nonosat.processes.memory import resident_mib
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram.data import Nonogram, mono
from nonosat.testing.oracles import solutions
from nonosat.testing.strategies import puzzles
from test_certify import checked, first_encoding

WATCH = Watch(Limits())
NAMES = ("learn", "learn-lines")
DOMINO = f"{Path(__file__).parent.parent / 'instances' / 'domino.jsonl'}#domino-"


def staircase(num: int) -> Nonogram:
    """Staircase of so many dominoes: one solution, and hard to prove."""
    clue = [[3], [1], *[[1, 3], [1]] * (num - 1), [1]]
    return mono(clue, clue)


def opened(name: str, puzzle: Nonogram, formula: Cnf, **options: str) -> LearningEngine:
    """Engine for the plain clues, without any known cell."""
    engine = open_engine(name, formula.num_vars, 0, options)
    engine.add_batch(formula.buffer)
    if isinstance(engine, LineEngine):
        for line in nonogram.build(puzzle).lines:
            engine.observe(line)
    return engine


def refuted(name: str, puzzle: Nonogram) -> tuple[Cnf, LearningEngine, set[bytes]]:
    """Return the clues with the clauses that forbid their solutions, the engine, and these
    solutions.
    """
    formula, found = first_encoding(puzzle), set()
    engine = opened(name, puzzle, formula, proof="yes")
    num_cells = nonogram.build(puzzle).num_vars
    while engine.solve((), WATCH) is Answer.SAT:
        values = engine.values()
        found.add(nonogram.decode(puzzle, values).cells)
        clause = [-var if values[var] else var for var in range(1, num_cells + 1)]
        formula.add(clause)
        engine.add(clause)
    return formula, engine, found


def accepts(formula: Cnf, text: str) -> bool:
    try:
        _core.check_drat(formula.num_vars, formula.buffer.tobytes(), text.encode())
    except ValueError:
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@given(puzzle=puzzles(max_cells=20))
@examples(50)
def test_every_lemma_of_any_small_puzzle_follows(name: str, puzzle: Nonogram) -> None:
    wanted = solutions(puzzle, 41)
    if len(wanted) > 40:
        return
    formula, engine, found = refuted(name, puzzle)
    assert found == wanted
    text = engine.proof().decode()
    assert accepts(formula, text)
    assert refutes(formula, text, strict=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_long_proofs_hold(name: str) -> None:
    """With restarts, deletions, shortened clauses."""
    formula, engine, found = refuted(name, staircase(10))
    assert len(found) == 1
    assert engine.statistics()["shortened"] > 10
    lines = engine.proof().decode().splitlines()
    assert lines[-1] == "0"
    assert sum(line[0] == "d" for line in lines) > 200
    assert accepts(formula, "\n".join(lines))


@pytest.mark.parametrize("name", NAMES)
def test_the_search_is_the_same_with_a_proof(name: str) -> None:
    puzzle = staircase(8)
    formula, engine, _ = refuted(name, puzzle)
    plain = opened(name, puzzle, first_encoding(puzzle))
    assert plain.solve((), WATCH) is Answer.SAT
    plain.add([*split(formula.buffer)][-1])
    assert plain.solve((), WATCH) is Answer.UNSAT
    assert plain.statistics() == engine.statistics()


def mutated(rng: random.Random, lines: list[str]) -> list[str]:
    """Remove a lemma, remove or negate a literal, or cut the proof short."""
    kind, at = rng.randrange(4), rng.randrange(len(lines) - 1)
    words = lines[at].split()
    if kind == 0 or words[0] in ("d", "0"):
        return lines[:at] + lines[at + 1 :]
    if kind == 1:
        return lines[:at]
    place = rng.randrange(len(words) - 1)
    words[place : place + 1] = [] if kind == 2 else [str(-int(words[place]))]
    return [*lines[:at], " ".join(words), *lines[at + 1 :]]


@pytest.mark.parametrize("name", NAMES)
def test_changed_proofs_are_refused_or_still_right(name: str) -> None:
    formula, engine, _ = refuted(name, staircase(5))
    text = engine.proof().decode()
    *_, trimmed, _ = _core.check_drat(
        formula.num_vars, formula.buffer.tobytes(), text.encode(), True
    )
    lines = [line for line in trimmed.decode().splitlines() if line[0] != "d"]
    verdicts = []
    for seed in range(36 * FUZZ):
        changed = "\n".join(mutated(random.Random(seed), lines))
        verdicts.append(accepts(formula, changed))
        if verdicts[-1]:
            assert refutes(formula, changed)
    assert min(verdicts.count(True), verdicts.count(False)) > 5


@pytest.mark.parametrize("name", NAMES)
def test_certificates(name: str, tmp_path: Path) -> None:
    found = prove(staircase(6), engine=name)
    assert (found.claim, found.how) == ("unique", name)
    assert min(found.num_logged, found.num_lemmas) > 50
    checked(found, tmp_path / "new")


def test_proofs_are_requested_beforehand_and_without_assumptions() -> None:
    engine = open_engine("learn", 2, 0, {})
    engine.add([])
    assert engine.solve((), WATCH) is Answer.UNSAT
    with pytest.raises(ValueError, match="no proof was recorded"):
        engine.proof()
    engine = open_engine("learn", 2, 0, {"proof": "yes"})
    with pytest.raises(UnsupportedError, match="proves nothing under assumptions"):
        engine.solve([1], WATCH)
    engine.add_batch(array("i", [1, 2, 0, -1, 2, 0, -2, 0]))
    assert engine.solve((), WATCH) is Answer.UNSAT
    assert engine.proof() == b"0\n"
    assert engine.proof() == b""


def end_at_a_memory_limit(name: str) -> tuple[Answer, str | None]:
    puzzle = formats.load(f"{DOMINO}20")
    engine = opened(name, puzzle, first_encoding(puzzle), proof="yes")
    watch = Watch(Limits(memory_mib=int(resident_mib(None)) + 5))
    return engine.solve((), watch), watch.reason()


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMES)
def test_memory_is_limited_while_proving(name: str) -> None:
    # In a new process: one that other tests have used has free memory to fill before it grows.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as anew:
        answer, reason = anew.submit(end_at_a_memory_limit, name).result()
    assert answer is Answer.UNKNOWN
    assert str(reason).startswith("memory limit")


@pytest.mark.parametrize("name", NAMES)
def test_time_is_limited_while_proving(clock: Clock, name: str) -> None:
    clock.step_s = 2
    with pytest.raises(LimitReached, match="time limit of 60 s"):
        prove(formats.load(f"{DOMINO}20"), engine=name, time_limit_s=60)


@pytest.mark.parametrize("name", NAMES)
def test_an_interrupt_ends_proving(clock: Clock, name: str) -> None:
    puzzle = formats.load(f"{DOMINO}20")
    engine = opened(name, puzzle, first_encoding(puzzle), proof="yes")
    with interruptible(), clock.then(interrupt), pytest.raises(KeyboardInterrupt):
        engine.solve((), Watch(Limits(time_s=60)))
    assert engine.statistics()["conflicts"] > 0
