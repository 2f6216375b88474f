"""Checker of cutting planes proofs: its rules are sound, and wrong proofs are refused."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.drawing import examples
from helpers.veripb import (
    Constraint,
    Propagator,
    WrongProofError,
    add_by_redundance,
    check,
    normal,
    polish,
    read_opb,
)

VARS = (1, 2, 3, 4)
TERMS = st.lists(st.tuples(st.integers(-4, 4), st.sampled_from([*VARS, *(-v for v in VARS)])))
SUMS = st.tuples(TERMS, st.integers(-6, 9))


def holds(terms: list[tuple[int, int]], degree: int, true: set[int]) -> bool:
    return sum(factor for factor, lit in terms if (lit > 0) == (abs(lit) in true)) >= degree


def satisfies(true: set[int], constraint: Constraint) -> bool:
    return holds([(f, lit) for lit, f in constraint.factors.items()], constraint.degree, true)


def assignments() -> list[set[int]]:
    """Assignments, as sets of their true variables."""
    return [
        {var for var, value in zip(VARS, values, strict=True) if value}
        for values in product((0, 1), repeat=len(VARS))
    ]


@examples(120)
@given(drawn=SUMS)
def test_a_normalised_constraint_is_equivalent(drawn):
    constraint = normal(*drawn)
    assert all(factor > 0 for factor in constraint.factors.values())
    assert len({abs(lit) for lit in constraint.factors}) == len(constraint.factors)
    assert all(satisfies(true, constraint) == holds(*drawn, true) for true in assignments())


STEPS = (
    "1 2 +",
    "1 3 *",
    "1 2 d",
    "1 3 d",
    "1 s",
    "1 x2 w",
    "1 x3 +",
    "1 ~x3 2 * +",
    "2 s 1 2 * +",
)


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
@examples(35)
@given(one=SUMS, other=SUMS)
def test_derived_constraints_follow(step, one, other):
    constraints = [normal([], 0), normal(*one), normal(*other)]
    found = polish(step.split(), constraints)
    for true in assignments():
        if all(satisfies(true, constraint) for constraint in constraints):
            assert satisfies(true, found)


@examples(120)
@given(drawn=st.lists(SUMS, max_size=4), wanted=SUMS)
def test_propagated_literals_follow(drawn, wanted):
    constraints = [normal(*one) for one in drawn]
    database = Propagator()
    for constraint in constraints:
        database.add(constraint)
    models = [true for true in assignments() if all(satisfies(true, c) for c in constraints)]
    assert not (database.is_refuted and models)
    for true in models:
        assert all((lit > 0) == (abs(lit) in true) for lit in database.true)
    before = set(database.true)
    if database.refutes(normal(*wanted)):
        assert not any(satisfies(true, normal(*wanted)) for true in models)
    assert database.true == before
    assert len(database.constraints) == len(constraints) + 1


@examples(120)
@given(drawn=st.lists(SUMS, max_size=4), wanted=SUMS, lit=st.sampled_from([4, -4]))
def test_redundance_keeps_satisfiability(drawn, wanted, lit):
    """Draws any constraints, not only those of a new variable."""
    database = Propagator()
    for one in drawn:
        database.add(normal(*one))
    try:
        add_by_redundance(database, normal(*wanted), [f"x{abs(lit)}", "->", str(int(lit > 0))])
    except WrongProofError:
        return
    before = any(all(satisfies(true, normal(*one)) for one in drawn) for true in assignments())
    every = [*drawn, wanted]
    after = any(all(satisfies(true, normal(*one)) for one in every) for true in assignments())
    assert before == after


OPB = """* #variable= 3 #constraint= 3
* a comment
+2 x1 +1 x2 -1 x3 = 1 ;
+1 x2 +1 x3 >= 1 ;
-1 x1 >= 0 ;
"""
REFUTED = """* #variable= 2 #constraint= 3
+1 x1 +1 x2 >= 1 ;
+1 x1 -1 x2 = 0 ;
-1 x1 -1 x2 >= -1 ;
"""
PROOF = """pseudo-Boolean proof version 2.0
f 4
pol 1 2 + 2 d
* x1 and then x2 are true
pol 1 3 + 2 d
pol 4 5 6 + +
output NONE
conclusion UNSAT : 7
end pseudo-Boolean proof
"""
NEWER = """pseudo-Boolean proof version 3.0
f 4;
pol 1 2 + 2 d; % x1 is true; and then x2
pol 1 3 +
  2 d;
rup +1 x1 >= 1; pol 4 5 6 + +;
output NONE;
conclusion UNSAT : 8;
end pseudo-Boolean proof;
"""


INTRODUCED = """pseudo-Boolean proof version 3.0
f 4;
red 1 ~x9 1 x1 1 x2 >= 1 : x9 -> 0;
red 2 x9 1 ~x1 1 ~x2 >= 2 : x9 -> 1;
rup 1 x9 >= 1 : ~ 6 1;
del id 5 6;
rup 1 x2 >= 1;
del id 7;
rup >= 1 : 2 3 4 8;
output NONE;
conclusion UNSAT : 9;
end pseudo-Boolean proof;
"""


def test_an_equality_is_two_constraints():
    one, other, clause, last = read_opb(OPB)
    assert one == Constraint({1: 2, 2: 1, -3: 1}, 2)
    assert other == Constraint({-1: 2, -2: 1, 3: 1}, 2)
    assert clause == Constraint({2: 1, 3: 1}, 1)
    assert last == Constraint({-1: 1}, 1)


def test_a_proof_that_holds():
    assert check(REFUTED, PROOF) == 4
    assert check(REFUTED, PROOF.replace("pol 1 2 + 2 d", "rup +1 x1 >= 1 ;")) == 4
    assert check(REFUTED, NEWER) == 4


def test_a_new_variable_and_deletions():
    """x9 is "x1 or x2"; hints may come in any order."""
    assert check(REFUTED, INTRODUCED) == 7


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("x9 -> 1", "x9 -> 0", "not redundant"),  # violates the first definition
        ("1 x1 1 x2 >= 1 : x9", "1 x1 1 x2 >= 1 : ~x9", "no variable"),
        ("x9 -> 0", "x9 -> ~x1", "no witness"),
        ("x9 -> 0", "x9 0", "no witness"),
        (": ~ 6 1", ": ~ 6", "unit propagation"),
        (": ~ 6 1", ": 6 1", "unit propagation"),
        (": ~ 6 1", ": ~ 6 7", "no constraint 7"),
        (": ~ 6 1", ": ~ 6 -1", "not a number"),
        ("del id 5 6", "del id 5 5", "no constraint 5"),
        ("del id 5 6", "del id 5 1", "unit propagation|no constraint 1"),
        ("del id 5 6", "del range 5 6", "no step"),
        (": 2 3 4 8", ": 2 3 7 8", "no constraint 7"),
        (": 2 3 4 8", ": 2 3 4", "unit propagation"),
    ],
)
def test_a_wrong_definition_or_deletion_is_refused(old, new, message):
    assert old in INTRODUCED
    with pytest.raises(WrongProofError, match=message):
        check(REFUTED, INTRODUCED.replace(old, new, 1))


def test_what_a_deleted_constraint_implied_is_deleted():
    database = Propagator()
    for terms, degree in [([(1, 1)], 1), ([(1, -1), (1, 2)], 1), ([(1, 2), (1, 3)], 1)]:
        database.add(normal(terms, degree))
    assert database.true == {1, 2}
    database.delete(3)
    assert database.true == {1, 2}
    database.delete(1)
    assert database.true == set()
    database.add(normal([(1, -2)], 1))
    assert database.true == {-1, -2}
    assert database.refutes(normal([(1, 1)], 1))
    assert not database.refutes(normal([(1, -3)], 1))


@pytest.mark.parametrize("loose", ["+1 x1 +1 x2 >= 0 ;", "+0 x1 >= 0 ;"])
def test_a_formula_with_a_solution_has_no_proof(loose):
    with pytest.raises(WrongProofError, match="no contradiction"):
        check(REFUTED.replace("+1 x1 +1 x2 >= 1 ;", loose), PROOF)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("version 2.0", "version 3.0", "semicolon is missing"),
        ("f 4", "f 3", "expected"),
        ("1 2 + 2 d", "1 2 +", "no contradiction"),
        ("1 2 + 2 d", "1 3 + 2 d", "no contradiction"),
        ("1 2 + 2 d", "1 2 +s 2 d", "not a number"),
        ("1 2 + 2 d", "1 + 2 d", "operand"),
        ("1 2 + 2 d", "1 2 + 0 d", "not a number"),
        ("1 2 + 2 d", "1 2 + -2 *", "not a number"),
        ("1 2 + 2 d", "1 2 2 d", "operation is missing"),
        ("1 2 + 2 d", "1 9 + 2 d", "no constraint 9"),
        ("1 2 + 2 d", "1 5 + 2 d", "no constraint 5"),
        ("1 2 + 2 d", "1 2 + x1 d", "divisor is missing"),
        ("1 2 + 2 d", "1 2 + y2 +", "not a number"),
        ("pol 1 2 + 2 d", "rup +1 x1 >= 2 ;", "unit propagation"),
        ("pol 1 2 + 2 d", "rup +1 x1 >= 1", "no constraint"),
        ("pol 1 2 + 2 d", "red +1 x1 >= 1 ; x1 1", "no witness"),
        ("pol 1 2 + 2 d", "red +1 x1 >= 2 ; x1 -> 1", "not redundant"),
        ("pol 1 2 + 2 d", "core id 1", "no step"),
        ("UNSAT : 7", "UNSAT : 6", "no contradiction"),
        ("UNSAT : 7", "UNSAT : 8", "no constraint 8"),
        ("UNSAT : 7", "NONE", "end"),
        ("output NONE\n", "", "end"),
        ("end pseudo-Boolean proof\n", "", "end"),
    ],
)
def test_a_wrong_proof_is_refused(old, new, message):
    assert old in PROOF
    with pytest.raises(WrongProofError, match=message):
        check(REFUTED, PROOF.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("version 3.0", "version 2.0", "expected"),
        ("version 3.0", "version 3.1", "expected"),
        ("f 4;", "f 4", "expected"),
        ("f 4;", "f 5;", "expected"),
        ("2 d; %", "2 d %", "not a number"),
        ("2 d; %", "2 d; *", "no step"),
        ("1 2 + 2 d", "+1 +2 + 2 d", "not a number"),
        ("x1 >= 1;", "x1 >= 1 ;;", "no step"),
        ("pol 1 2 + 2 d", "rup +1 x1 >= 2", "unit propagation"),
        ("UNSAT : 8", "UNSAT : 7", "no contradiction"),
        ("proof;", "proof", "semicolon is missing"),
        ("output NONE;\n", "", "end"),
    ],
)
def test_a_wrong_proof_in_version_3_is_refused(old, new, message):
    assert old in NEWER
    with pytest.raises(WrongProofError, match=message):
        check(REFUTED, NEWER.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("#variable= 2", "#variable= 1", "header"),
        ("#constraint= 3", "#constraint= 4", "header"),
        ("= 0 ;", "<= 0 ;", "neither"),
        ("= 0 ;", "= 0", "no constraint"),
        ("-1 x2 = 0", "-x2 = 0", "no constraint"),
        ("-1 x2 = 0", "-1 y2 = 0", "no literal"),
    ],
)
def test_a_wrong_formula_is_refused(old, new, message):
    assert old in REFUTED
    with pytest.raises(WrongProofError, match=message):
        check(REFUTED.replace(old, new, 1), PROOF)
