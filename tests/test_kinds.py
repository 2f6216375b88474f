"""A fifth kind of constraint: every use refuses it in a sentence, and none ignores it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import nonosat
from nonosat.board.presolve import PresolvedModel, rectangle
from nonosat.certify import derived
from nonosat.certify.encoder import Encoder
from nonosat.clauses.cnf import Cnf
from nonosat.clauses.translate import translate
from nonosat.core.about import NOTHING_KNOWN, About
from nonosat.core.errors import UnsupportedError
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import (
    Clause,
    Count,
    Line,
    Loop,
    Model,
    OneColourEach,
    RowsAndColumns,
    Values,
)
from nonosat.core.plugins import Family
from nonosat.core.result import Options
from nonosat.counters.zdd import count_loops
from nonosat.export.cpsat import cpsat_model
from nonosat.export.formula import formula_of
from nonosat.export.target import TARGETS, Writer
from nonosat.questions.countable import loops_of, rules_of
from nonosat.questions.fillings import ModelFillings
from nonosat.questions.place_assignment import PlaceAssignment, places_of
from nonosat.solving.modelling import checked_model, model_of
from nonosat.solving.problem import Problem
from nonosat.solving.refuting import refutation
from nonosat.testing.strategies.models import holds, solutions_of


@dataclass(frozen=True, slots=True)
class Parity:
    """True for an even number of true literals."""

    lits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FifthModel(Model):
    parities: tuple[Parity, ...] = ()

    def by_kind(self) -> dict[Any, Any]:
        return {**Model.by_kind(self), Parity: self.parities}


PARITY: Any = Parity((1, 2, 3))
LOOP = Loop(3, ((0, 1, 1), (1, 2, 2), (2, 0, 3)))
MODEL = FifthModel(3, parities=(PARITY,))
EVERY = {
    "alone": MODEL,
    "beside a loop": replace(MODEL, loops=(LOOP,)),
    "beside lines": replace(MODEL, lines=(Line(((1, 2, 3),), (nonosat.Block(1),)),)),
}


def build(puzzle: Fifth) -> Model:
    return EVERY[puzzle.which]


FAMILY = Family(
    name="fifth",
    summary="three cells and a parity",
    build=build,
    decode=lambda puzzle, values: Grid(1, 3, bytes(values[1:4])),
    refutation=lambda puzzle, grid: None,  # a wrong solution would be accepted
    to_data=lambda puzzle: {"which": puzzle.which},
    from_data=lambda data: Fifth(data["which"]),
)


@dataclass(frozen=True, slots=True)
class Fifth:
    which: str
    about: About = NOTHING_KNOWN

    family = FAMILY
    height = 1
    width = 3
    size = "3 cells"

    def about_with(self, **changes: str) -> Fifth:
        return replace(self, about=replace(self.about, **changes))


def fillings(model: Model) -> ModelFillings:
    puzzle = Fifth(next(which for which in EVERY if EVERY[which] is model))
    places = tuple(places_of(puzzle, model))
    settled = PlaceAssignment(places, bytes([UNKNOWN] * len(places)))
    return ModelFillings(Problem(puzzle, Options()), settled, b"\1\1\0")


USES: dict[str, Callable[[Any], Any]] = {
    "translation": lambda model: translate(model, Cnf(3)),
    "a model by hand": checked_model,
    "a model of constraints": lambda model: model_of(3, model.constraints()),
    "the check of values": lambda model: refutation([PARITY], Values(b"\0\1\1\1")),
    "brute force": solutions_of,
    "the meaning of a constraint": lambda model: holds(PARITY, frozenset((1, 2, 3))),
    "counting": lambda model: rules_of(model, FAMILY, Watch(Limits())),
    "counting of loops by zdd": lambda model: count_loops(replace(model, lines=())),
    "switches": fillings,
    "certificates": lambda model: [*Encoder(model).parts()],
    "certificates of lines": lambda model: derived.formula_of(
        replace(model, loops=()), None, lambda: None
    ),
    "an engine": nonosat.Engine,
    "solving a model": nonosat.solve_model,
    "going through a model": lambda model: [*nonosat.enumerate_model(model)],
}


def exported(write: Writer) -> Callable[[Any], Any]:
    return lambda puzzle: write(formula_of(puzzle), BytesIO(), lambda: None)


QUESTIONS: dict[str, Callable[[Any], Any]] = {
    "solve": nonosat.solve,
    "check": nonosat.check,
    "solutions": lambda puzzle: [*nonosat.solutions(puzzle)],
    "count": nonosat.count,
    "backbone": nonosat.backbone,
    "why_multiple": nonosat.why_multiple,
    "prove": nonosat.prove,
    "cubes": lambda puzzle: nonosat.check(puzzle, cubes=2),
    "cpsat": lambda puzzle: nonosat.check(puzzle, backend="cpsat"),
    "portfolio": lambda puzzle: nonosat.check(puzzle, backend="portfolio:learn,cadical195"),
    "export of a CP-SAT model": lambda puzzle: cpsat_model(formula_of(puzzle)),
    **{f"export of {name}": exported(kind.write) for name, kind in TARGETS.items() if kind.write},
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("which", EVERY)
def test_each_use_of_a_model_refuses_it(use: str, which: str) -> None:
    with pytest.raises(UnsupportedError, match=r"kind Parity; state them by|nonogram"):
        USES[use](EVERY[which])


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("which", EVERY)
def test_each_query_of_a_puzzle_refuses_it(question: str, which: str) -> None:
    with pytest.raises(UnsupportedError, match=r"kind Parity; state them by|nonogram"):
        QUESTIONS[question](Fifth(which))


def refused(use: Callable[[Any], Any], asked: Any) -> str:
    """Return the name of the use in the message that refuses it."""
    with pytest.raises(UnsupportedError) as error:
        use(asked)
    return str(error.value).partition(" is not possible for")[0]


# Uses that follow another one: no nonogram or Slitherlink has a fifth kind, `nonosat.Engine`
# refuses unknown statements, and the translation for the oracle of switches refuses the model.
OUT_OF_REACH = {
    *("the choice of clues", "the check of marks"),
    *("the addition to an engine", "the search for switches"),
}


def test_each_use_that_refuses_kinds_is_among_these() -> None:
    stated = set()
    for path in Path(nonosat.__file__).parent.rglob("*.py"):
        if "refuse_others(" in (text := path.read_text("utf-8")) or "unknown_kind(" in text:
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Call):
                    place = {"refuse_others": 0, "unknown_kind": 1}.get(
                        ast.unparse(node.func).rpartition(".")[2]
                    )
                    if place is not None and isinstance(use := node.args[place], ast.Constant):
                        stated.add(use.value)
    reached = {refused(use, model) for use in USES.values() for model in EVERY.values()}
    reached |= {refused(ask, Fifth(which)) for ask in QUESTIONS.values() for which in EVERY}
    assert stated - reached == OUT_OF_REACH


@pytest.mark.parametrize("statement", [PARITY, MODEL])
def test_other_objects_are_refused_when_they_are_added(statement: Any) -> None:
    with pytest.raises(nonosat.PuzzleError, match="expected a Clause, Count, Line, Loop or"):
        nonosat.ModelBuilder().add(statement)


def test_a_model_with_it_is_no_board_and_no_loop_that_is_counted_natively() -> None:
    assert loops_of(Model(3, loops=(LOOP,))) is not None
    assert loops_of(EVERY["beside a loop"]) is None
    lines = RowsAndColumns(((nonosat.Block(1),),), ((nonosat.Block(1),),), 1)
    counts = OneColourEach(1, 1)
    assert rectangle(Model(1, lines, counts)) is not None
    with_fifth = FifthModel(1, lines, counts, parities=(Parity((1,)),))
    assert rectangle(with_fifth) is None
    assert PresolvedModel.of(with_fifth).board is None


def test_the_kinds_of_a_model_follow_from_one_table() -> None:
    assert EVERY["beside a loop"].kinds() == ("loop", "parity")
    assert EVERY["beside lines"].kinds() == ("line", "parity")
    assert [*EVERY["beside a loop"].constraints()] == [LOOP, PARITY]
    plain = Model(3, counts=(Count((1,), 0, 1),), clauses=(Clause((1,)),), loops=(LOOP,))
    plain.refuse_others("a test", Clause, Count, Loop)
    with pytest.raises(UnsupportedError, match=r"a test is not possible for .* the kind Loop"):
        plain.refuse_others("a test", Clause, Count)


# Modules that read three or more of a model's fields without a check of its kinds: they know the
# model's origin, or pass on the fields that they do not read.
KNOWN = {"explain/nonogram/clue_oracle.py", "board/redundant.py", "testing/plugins.py"}


def test_modules_that_read_single_fields_refuse_other_kinds() -> None:
    house = Path(nonosat.__file__).parent
    fields = {"lines", "counts", "clauses", "loops"}
    found = set()
    for path in house.rglob("*.py"):
        name = path.relative_to(house).as_posix()
        text = path.read_text("utf-8")
        if name.startswith(("study/", "core/model")) or "nonosat.core.model" not in text:
            continue
        reads: dict[str, set[str]] = {}
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Attribute) and node.attr in fields:
                reads.setdefault(ast.unparse(node.value), set()).add(node.attr)
        is_careful = "refuse_others(" in text or ".kinds()" in text
        if not is_careful and any(len(read) > 2 for read in reads.values()):
            found.add(name)
    assert found <= KNOWN
