"""Options of engines reach the engine, change its search, and are refused if it lacks them."""

from __future__ import annotations

import random
from contextlib import closing

import pytest

import nonosat
from helpers.commands import records, run
from nonosat.backends import cpsat, open_backend, pysat
from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.plugins import Answer
from nonosat.core.result import Options

BUDGET = 12_000  # conflicts of one search
STEPS = "bundled:steps-8"
ABLE = ("cadical153", "cadical195", "cadical300", "clingo", "cpsat", "ergo", "glucose421")


def random_formula(num_vars, num_clauses):
    rng = random.Random(num_vars)
    return [
        [rng.choice((1, -1)) * var for var in rng.sample(range(1, num_vars + 1), 3)]
        for _ in range(num_clauses)
    ]


def pigeons(n):
    """Return the clauses for n + 1 pigeons in n holes."""
    places = [range(pigeon * n + 1, pigeon * n + n + 1) for pigeon in range(n + 1)]
    pairs = [(one, other) for one in places for other in places if one.start < other.start]
    apart = [[-a, -b] for one, other in pairs for a, b in zip(one, other, strict=True)]
    return [*map(list, places), *apart]


@pytest.fixture(scope="module")
def formulas():
    """Formulas from easy to hard, with the number of their variables."""
    sizes = ((150, 640), (150, 600), (210, 890), (400, 1640))
    return [*((n, random_formula(n, m)) for n, m in sizes), (42, pigeons(6))]


def traces(name, formulas, options):
    """Yield answer and counters for each formula."""
    for num_vars, clauses in formulas:
        engine = open_backend(name, num_vars, 0, options, Watch(Limits()))
        with closing(engine):
            for clause in clauses:
                engine.add(clause)
            yield engine.solve((), Watch(Limits()), BUDGET), engine.statistics()


def values_of(domain):
    if isinstance(domain[0], str):
        return domain
    first, last = domain
    return (first, last, first + (last - first) / 3) if isinstance(first, float) else domain


def changes(usual, found):
    """Return True once a search differs; assert that its answer does not."""
    for (expected, before), (answer, counters) in zip(usual, found, strict=True):
        assert Answer.UNKNOWN in (answer, expected) or answer is expected
        if counters != before:
            return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, one in pysat.TRAITS.items() if one.options])
def test_every_option_of_pysat_changes_the_search_and_no_answer(name, formulas):
    usual = list(traces(name, formulas, {}))
    without_effect = [
        option
        for option, domain in pysat.TRAITS[name].options.items()
        if not any(
            changes(usual, traces(name, formulas, {option: str(value)}))
            for value in values_of(domain)
        )
    ]
    assert without_effect == []


@pytest.mark.parametrize(
    ("backend", "option", "value", "other"),
    [
        ("cpsat", "search_branching", "FIXED_SEARCH", "AUTOMATIC_SEARCH"),
        ("cpsat", "cp_model_presolve", "false", "true"),
        ("clingo", "heuristic", "Berkmin", "Vsids"),
    ],
)
def test_options_of_other_packages_change_the_search_and_no_answer(backend, option, value, other):
    puzzle = nonosat.load(STEPS)
    found = [
        nonosat.check(puzzle, presolve="none", backend=backend, engine_options={option: one})
        for one in (value, other)
    ]
    assert [result.verdict for result in found] == [nonosat.Verdict.UNIQUE] * 2
    one, two = (result.stages[-1].detail for result in found)
    assert one["conflicts"] != two["conflicts"] or one["decisions"] != two["decisions"]


def cpsat_values(usual):
    """Return values of a parameter of CP-SAT, as texts, from its default."""
    if isinstance(usual, bool):
        return [str(int(not usual))]
    if isinstance(usual, int | float):
        return ["0", "1", "1000000000"]
    return [*type(usual).__members__]


@pytest.mark.slow
def test_no_option_of_cpsat_changes_an_answer():
    parameters = pytest.importorskip("ortools.sat.python.cp_model").CpSolver().parameters
    puzzles = [
        nonosat.from_picture("#.##.\n..#.#\n#.#..\n##.##\n#..#."),
        nonosat.nonogram([[1]] * 4, [[1]] * 4),
        nonosat.nonogram([[2], [1], [2]], [[2], [1], [2]]),
    ]
    usual = [cpsat_verdict(puzzle, {}) for puzzle in puzzles]
    assert len(set(usual)) == 3
    for option in cpsat.OPTIONS:
        for value in cpsat_values(getattr(parameters, option)):
            try:
                cpsat.check_options("cpsat", {option: value})
            except UnsupportedError:
                continue
            found = [cpsat_verdict(puzzle, {option: value}) for puzzle in puzzles]
            assert (option, value, found) == (option, value, usual)


def cpsat_verdict(puzzle, options):
    """Return the verdict of a search without presolve."""
    return nonosat.check(puzzle, presolve="none", backend="cpsat", engine_options=options).verdict


def test_a_formulation_keeps_the_options_of_the_user():
    """The hulls of lines set parameters of the linear relaxation, but not over the user's."""
    puzzle = nonosat.load(STEPS)
    found = [
        nonosat.check(
            puzzle,
            presolve="none",
            backend="cpsat",
            formulation={"line": "flow"},
            engine_options={"linearization_level": level},
        )
        .stages[-1]
        .detail
        for level in (0, 2)
    ]
    assert found[0] != found[1]


def test_those_that_have_options_are_named():
    able = {name for name, one in plugins.names("backends").items() if one.check_options}
    assert able == set(ABLE)
    for backend in ("auto", "learn", "kissat404", "portfolio:cadical195,learn", "learn-lines"):
        with pytest.raises(UnsupportedError, match="has no engine options; these have: cadical153"):
            nonosat.check(nonosat.load(STEPS), backend=backend, engine_options={"elim": 0})


@pytest.mark.parametrize(
    ("backend", "option", "message"),
    [
        ("cadical195", "elmi=1", r"no option 'elmi' \(did you mean elim.*it has: bump, bumpreason"),
        ("cadical195", "factor=1", "no option 'factor'"),
        ("cadical195", "proof=yes", "no option 'proof'"),
        ("cadical195", "elim=2", "'elim' of cadical195 is '2', expected a whole number from 0 to"),
        ("cadical195", "elim=on", "expected a whole number from 0 to 1"),
        ("glucose421", "rnd-freq=nan", "expected a number from 0.0 to 1.0"),
        ("ergo", "restart-policy=l", "expected one of geom, luby, arif, gluc"),
        ("cpsat", "num_workers=8", "no option 'num_workers'.*it has: search_branching, "),
        ("cpsat", "max_presolve_iterations=0", "no option 'max_presolve_iterations'"),
        ("cpsat", "fix_variables_to_their_hinted_value=1", "no option 'fix_variables"),
        ("cpsat", "line=table", "no option 'line'"),
        ("cpsat", "clear_name=1", "no option 'clear_name'"),
        ("cpsat", "FIXED_SEARCH=1", "no option 'FIXED_SEARCH'"),
        ("cpsat", "linearization_level=x", "expected a value such as 1"),
        ("cpsat", "linearization_level=99999999999999999999", "expected a value such as 1"),
        (
            "cpsat",
            "linearization_level=-1",
            "'linearization_level' of cpsat is '-1': .*non-negative",
        ),
        ("cpsat", "restart_dl_average_ratio=nan", "is 'nan': .*not finite"),
        ("cpsat", "cp_model_presolve=maybe", "expected one of 0, 1, false, true"),
        ("cpsat", "search_branching=9", "expected one of AUTOMATIC_SEARCH, FIXED_SEARCH"),
        ("clingo", "outf=3", "no option 'outf'.*it has: configuration, heuristic"),
        ("clingo", "heuristic=foo", "'foo' invalid value for: 'heuristic'"),
    ],
)
def test_wrong_options_are_refused_before_any_work(backend, option, message):
    name, _, value = option.partition("=")
    puzzle = nonosat.nonogram([[1]], [[1]])  # propagation would decide it
    with pytest.raises(UnsupportedError, match=message):
        nonosat.check(puzzle, backend=backend, engine_options={name: value})


@pytest.mark.parametrize("value", [3, {"elim": None}, {1: "x"}, {"elim": [1]}, "elim=1"])
def test_values_that_are_none_are_refused(value):
    with pytest.raises(UnsupportedError, match=r"engine_options is .*expected values by name"):
        Options(engine_options=value)


def test_they_are_recorded_and_read_again():
    options = Options(backend="cadical195", engine_options={"elim": False, "restartint": 50})
    assert options.engine_options == {"elim": "0", "restartint": "50"}
    assert Options.from_data(options.to_data()) == options
    assert "engine_options" not in Options().to_data()
    assert hash(options) != hash(Options(backend="cadical195"))


def test_an_engine_of_the_library_takes_them():
    with nonosat.Engine(backend="cadical195", engine_options={"chrono": 0}) as engine:
        var = engine.new_var()
        engine.add([var])
        assert engine.solve([-var]) is Answer.UNSAT
    with pytest.raises(UnsupportedError, match="no option"):
        nonosat.Engine(backend="cadical195", engine_options={"chron": 0})


def test_the_command_line_passes_them_on():
    words = ("check", STEPS, "--presolve", "none", "--backend", "cadical195", "--json")
    usual, changed = (records(run(*words, *more)) for more in ((), ("--engine-option", "phase=0")))
    assert changed[0]["options"]["engine_options"] == {"phase": "0"}
    assert usual[0]["verdict"] == changed[0]["verdict"] == "unique"
    assert usual[0]["stages"][-1]["detail"] != changed[0]["stages"][-1]["detail"]
    for given, message in (
        (("phase",), "'phase' is not NAME=VALUE, such as restartint=50"),
        (("=1",), "is not NAME=VALUE"),
        (("phase=0", "--engine-option", "phase=1"), "'phase' is given twice"),
    ):
        done = run(*words, "--engine-option", *given)
        assert done.exit_code == 2
        assert message in done.stderr
