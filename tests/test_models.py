"""Models as objects: small random ones by every encoding and engine against enumeration."""

from __future__ import annotations

import pickle
from contextlib import nullcontext, suppress
from importlib.metadata import files
from pathlib import Path
from random import Random

import pytest

import nonosat
from helpers.drawing import FUZZ
from helpers.engines import each
from nonosat.board.presolve import PresolvedModel
from nonosat.core import plugins
from nonosat.core.answer_source import AnswerSource
from nonosat.core.errors import LimitReached, PuzzleError, RefutedError, UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import (
    FALSE,
    TRUE,
    Block,
    Clause,
    Count,
    Line,
    Loop,
    Model,
    OneColourEach,
    RowsAndColumns,
    Values,
)
from nonosat.core.plugins import Answer
from nonosat.core.result import Options
from nonosat.solving.auto import SearchRound
from nonosat.solving.choices import choices_of, names_failed
from nonosat.solving.oracle import Oracle
from nonosat.solving.refuting import refuse_wrong, refutation
from nonosat.solving.session import Session
from nonosat.testing.strategies.models import assignments, holds, random_model, solutions_of

INSTANCES = Path(__file__).parent.parent / "instances"
# They count to one, and refuse further calls.
NARROW = (
    "count-bimander",
    "count-commander",
    "count-ladder",
    "count-product",
    "count-pindakaas-bitwise",
    "count-pindakaas-ladder",
    "count-pindakaas-product",
    "count-pysat-bitwise",
    "count-pysat-ladder",
)


def random_models(count: int, first: int = 0) -> list[Model]:
    return [random_model(Random(seed)) for seed in range(first, first + count * FUZZ)]


def agrees(model: Model, **options: object) -> bool:
    """True if the solutions are exactly the expected ones, without repetition."""
    found = [values.data[1:] for values in nonosat.enumerate_model(model, **options)]
    return len(found) == len(set(found)) and set(found) == solutions_of(model)


def hard() -> Model:
    """Clauses of three literals at the hardest ratio: they take every engine hours."""
    rng, made = Random(7), nonosat.ModelBuilder()
    variables = made.new_vars(700)
    for _ in range(2990):
        made.add([rng.choice((var, -var)) for var in rng.sample(variables, 3)])
    return made.build()


# Solutions


@pytest.mark.thorough
def test_six_hundred_models():
    wrong = [model for model in random_models(600) if not agrees(model)]
    assert not wrong, wrong[:1]


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(plugins.names("encodings")))
def test_every_encoding(name):
    kind, _, encoding = name.partition("-")
    wrong = []
    for model in random_models(45, first=5000):
        able = name != "loop-cells" or all(loop.faces for loop in model.loops)
        with suppress(UnsupportedError) if name in NARROW or not able else nullcontext():
            if not agrees(model, encoding={kind: encoding}):
                wrong.append(model)
    assert not wrong, wrong[:1]


ENGINES = [
    *each(
        sorted(
            name
            for name, module in plugins.names("backends").items()
            if not module.on_board and name not in ("decimation", "portfolio", "program")
        )
    ),
    "portfolio:learn,minisat-gh",
]


@pytest.mark.thorough
@pytest.mark.parametrize("name", [*ENGINES, "program"])
def test_every_engine(name):
    if name == "program":
        paths = (file.locate() for file in files("passagemath-kissat") or ())
        name = next(f"program:{path} -q {{cnf}}" for path in paths if path.name == "kissat")
    few = 3 if name.startswith(("portfolio", "program")) else 15
    wrong = [model for model in random_models(few, first=9000) if not agrees(model, backend=name)]
    assert not wrong, wrong[:1]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(plugins.names("formulations")))
def test_every_formulation(name):
    kind, _, formulation = name.partition("-")
    options = {"backend": "cpsat", "formulation": {kind: formulation}}
    wrong = [model for model in random_models(12, first=12000) if not agrees(model, **options)]
    assert not wrong, wrong[:1]


@pytest.mark.parametrize("name", ["minicard", "gluecard4"])
def test_counts_as_they_are(name):
    options = {"backend": name, "encoding": {"count": "native"}}
    wrong = [model for model in random_models(30, first=13000) if not agrees(model, **options)]
    assert not wrong, wrong[:1]


def test_solutions_are_distinguished_by_the_blocking_variables():
    rng = Random(0)
    for model in random_models(150, first=15000):
        on = rng.sample(range(1, model.num_vars + 1), rng.randint(0, model.num_vars))
        truth = {bytes(data[var - 1] for var in on) for data in solutions_of(model)}
        model = nonosat.Model(
            model.num_vars, model.lines, model.counts, model.clauses, model.loops, blocked_on=on
        )
        found = [bytes(map(values.__getitem__, on)) for values in nonosat.enumerate_model(model)]
        assert sorted(found) == sorted(truth)


def test_a_family_may_be_blocked_on_any_variables():
    """Not only on variables whose true subsets differ in every solution."""
    model = Model(3, clauses=(Clause((1, 2)),), blocked_on=(1, 2))  # {1} is a part of {1, 2}
    options = Options(backend="learn")
    task, watch = PresolvedModel.of(model), Watch(Limits())
    session = Session("learn", task, options, choices_of(options), watch)
    seen: list[bytes] = []
    for values in session.solutions([SearchRound()], seen):
        seen.append(values)
    assert sorted(values[1:3] for values in seen) == [b"\0\1", b"\1\0", b"\1\1"]


@pytest.mark.parametrize("options", [{}, {"presolve": "none"}, {"presolve": "propagate"}])
def test_rows_and_columns(options):
    for name, count in (("pictures.jsonl#cat", 1), ("special.jsonl#switch", 2)):
        puzzle = nonosat.load(f"{INSTANCES}/{name}")
        model = plugins.find("puzzles", "nonogram").build(puzzle)
        found = {values.data for values in nonosat.enumerate_model(model, **options)}
        assert len(found) == count
        result = nonosat.solve_model(model, **options)
        assert result.values is not None
        assert result.values.data in found
        contradicted = nonosat.solve_model(
            model, assumptions=[*result.values.true(), -result.values.true()[0]]
        )
        assert contradicted.answer is Answer.UNSAT


def test_a_board_that_presolve_refutes_is_unsat():
    one, two = ((Block(1),),), ((Block(2),),)
    lines = RowsAndColumns(one * 2, (*two, (Block(1),)), 1)
    result = nonosat.solve_model(Model(4, lines, OneColourEach(4, 1)))
    assert (result.answer, result.backend, result.failed) == (Answer.UNSAT, "propagate", ())


# One answer


def test_a_result_reports_the_status():
    model = Model(2, clauses=(Clause((1, 2)), Clause((-1, -2))))
    result = nonosat.solve_model(model, assumptions=[-2], seed=3)
    assert result.answer is nonosat.Answer.SAT
    assert (result[1], result[-1], result[2], result[-2]) == (True, False, False, True)
    assert result.values == Values(b"\0\1\0")
    assert (result.failed, result.reason, result.backend) == (None, "", "learn")
    assert [stage.name for stage in result.stages] == ["encode", "solve"]
    assert result.options.seed == 3
    assert str(result) == "sat"
    assert len(repr(result)) < 200
    again = pickle.loads(pickle.dumps(result))
    assert again == result == nonosat.solve_model(model, assumptions=[-2], backend="glucose421")
    assert (again.stages, again.options) == (result.stages, result.options)
    hash(result)
    with pytest.raises(TypeError):
        iter(result)
    with pytest.raises(LookupError, match="expected one of"):
        result[3]


def test_without_values_queries_are_refused():
    result = nonosat.solve_model(Model(1, clauses=(Clause(()),)))
    assert (result.answer, result.values, result.failed) == (Answer.UNSAT, None, ())
    with pytest.raises(LookupError, match="the answer is unsat"):
        result[1]
    assert str(result) == "unsat (a complete search by learn finds no values for the model)"


def test_no_variables_at_all():
    assert nonosat.solve_model(Model(0)).answer is Answer.SAT
    assert [values.true() for values in nonosat.enumerate_model(Model(0))] == [[]]
    assert list(nonosat.enumerate_model(Model(0, clauses=(Clause((FALSE,)),)))) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ENGINES)
def test_assumptions_and_failed_cores(name):
    count = 4 if name.startswith(("portfolio", "cpsat")) else 20
    rng = Random(1)
    num_unsat = 0
    for model in random_models(count, first=20000):
        truth = solutions_of(model)
        variables = rng.sample(range(1, model.num_vars + 1), rng.randint(0, model.num_vars))
        lits = [rng.choice((var, -var)) for var in variables]
        able = [data for data in truth if all(data[abs(lit) - 1] == (lit > 0) for lit in lits)]
        result = nonosat.solve_model(model, backend=name, assumptions=lits)
        assert (result.answer is Answer.SAT) == bool(able)
        if able:
            assert result.values.data[1:] in able
        elif names_failed(name) or not lits:
            num_unsat += 1
            core = result.failed
            assert core is not None
            assert set(core) <= set(lits)
            assert not any(all(data[abs(lit) - 1] == (lit > 0) for lit in core) for data in truth)
        else:
            assert result.failed is None
    assert num_unsat or not names_failed(name)


def test_a_contradiction_among_assumptions_is_named():
    result = nonosat.solve_model(Model(3), backend="glucose421", assumptions=[3, 1, -2, -1])
    assert (result.answer, result.failed) == (Answer.UNSAT, (1, -1))


# Refusals and limits


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"backend": "nothing"}, UnsupportedError, "no backend is called"),
        ({"backend": "search"}, UnsupportedError, "needs a puzzle with rows and columns"),
        ({"backend": "decimation"}, UnsupportedError, "needs a puzzle with rows and columns"),
        ({"backend": "portfolio:learn+hints,minisat-gh"}, UnsupportedError, "rows and columns"),
        ({"backend": "rules"}, UnsupportedError, "a method for slitherlink, not for models"),
        ({"backend": 3}, UnsupportedError, "backend is 3"),
        ({"encoding": {"line": "nothing"}}, UnsupportedError, "no encoding"),
        ({"encoding": {"count": "native"}}, UnsupportedError, "does not take a count as it is"),
        ({"formulation": {"line": "table"}}, UnsupportedError, "uses no formulations"),
        ({"time_limit_s": 0}, UnsupportedError, "time limit is 0"),
        ({"memory_limit_mib": -1}, UnsupportedError, "memory_limit_mib is -1"),
        ({"presolve": "much"}, UnsupportedError, "presolve 'much'"),
        ({"seed": "x"}, UnsupportedError, "seed is 'x'"),
        ({"assumptions": [2]}, PuzzleError, "assumptions has the literal 2"),
        ({"assumptions": 1}, PuzzleError, "assumptions: found 1"),
    ],
)
def test_wrong_options_are_refused_in_a_sentence(options, error, message):
    with pytest.raises(error, match=message):
        nonosat.solve_model(Model(1), **options)
    if "assumptions" not in options:
        with pytest.raises(error, match=message):
            nonosat.enumerate_model(Model(1), **options)  # at once, not with the first solution


def test_an_enumeration_stops_at_its_maximum():
    assert len(list(nonosat.enumerate_model(Model(5), 7))) == 7
    assert len(list(nonosat.enumerate_model(Model(2), 7))) == 4
    with pytest.raises(UnsupportedError, match="max_solutions is 0"):
        nonosat.enumerate_model(Model(5), 0)


@pytest.mark.parametrize(
    "name",
    [
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("learn", "cadical195")),
        *(
            pytest.param(name, marks=pytest.mark.thorough)
            for name in ("minisat22", "glucose421", "cpsat")
        ),
    ],
)
def test_a_time_limit_holds(clock, name):
    clock.step_s = 4
    result = nonosat.solve_model(hard(), backend=name, time_limit_s=60)
    assert (result.answer, result.reason) == (Answer.UNKNOWN, "time limit of 60 s")
    assert str(result) == "unknown (time limit of 60 s)"
    with pytest.raises(LimitReached, match="the enumeration is incomplete: time limit"):
        list(nonosat.enumerate_model(hard(), backend=name, time_limit_s=60))


def test_a_time_limit_holds_while_a_model_is_encoded(clock):
    clock.step_s = 0.05
    made = nonosat.ModelBuilder()
    lits = made.new_vars(3000)
    made.add(Count(lits, 1400, 1500))
    result = nonosat.solve_model(made.build(), encoding={"count": "totalizer"}, time_limit_s=0.3)
    assert result.reason == "time limit of 0.3 s"


def test_a_memory_limit_holds():
    result = nonosat.solve_model(hard(), backend="cadical195", memory_limit_mib=1)
    assert (result.answer, result.reason) == (Answer.UNKNOWN, "memory limit of 1 MiB")


def test_a_wrong_engine_is_refuted(monkeypatch):
    monkeypatch.setattr(Oracle, "values", lambda self: b"\0\0\0")
    model = Model(2, clauses=(Clause((1, 2)),))
    with pytest.raises(RefutedError, match="learn gave values that the model refutes: no literal"):
        nonosat.solve_model(model)
    with pytest.raises(RefutedError):
        next(nonosat.enumerate_model(model))
    with nonosat.Engine(model) as engine, pytest.raises(RefutedError):
        engine.solve()
    with pytest.raises(RefutedError, match="the assumption 2 does not hold"):
        nonosat.solve_model(Model(2), assumptions=[2])


def test_an_engine_that_repeats_itself_is_refuted(monkeypatch):
    monkeypatch.setattr(Oracle, "block", lambda self, lits: None)
    with pytest.raises(RefutedError, match="the same solution twice"):
        list(nonosat.enumerate_model(Model(1)))


def test_the_verifier_agrees_with_the_oracle_on_every_assignment():
    num_wrong = 0
    for model in random_models(45, first=30000):
        for true in assignments(min(model.num_vars, 9)):
            values = Values(bytes(var in true for var in range(model.num_vars + 1)))
            for constraint in model.constraints():
                mistake = refutation([constraint], values)
                assert (mistake is None) == holds(constraint, true), (constraint, true)
                num_wrong += mistake is not None
    assert num_wrong > 1000


@pytest.mark.parametrize(
    ("constraint", "true", "message"),
    [
        (Clause((1, 2)), [], "no literal is true"),
        (Count((1, 2), 1, 1), [1, 2], "2 literals true"),
        (Line(((1, 2), (3, 4)), ()), [1, 3], "cell 0 has colours 1 and 2"),
        (Line(((1, 2),), ()), [1], "the runs are 1:"),
        (Line(((1, 2),), (), frozenset({0})), [], "cell 0 is empty"),
        (Loop(2, ((0, 1, 1), (0, 1, 2))), [], "no edge is chosen"),
        (Loop(2, ((0, 1, 1), (0, 1, 2))), [1], "1 edge at vertex 0"),
        (Loop(3, ((0, 1, 1), (0, 1, 2)), None, True), [1, 2], "only 2 of the vertices"),
        (Loop(4, ((0, 1, 1), (0, 1, 2), (2, 3, 3), (2, 3, 4))), [1, 2, 3, 4], "and others"),
        (Loop(2, ((0, 1, 1), (0, 1, 2)), ((3, FALSE), (FALSE, 3))), [1, 2], "does not separate"),
        (Clause((FALSE, -TRUE)), [], "no literal is true"),
    ],
)
def test_a_refutation_names_the_constraint(constraint, true, message):
    values = Values(bytes(var in true for var in range(5)))
    with pytest.raises(RefutedError, match=f"x gave values that the model refutes: .*{message}"):
        refuse_wrong(AnswerSource("x"), [constraint], (), values)
