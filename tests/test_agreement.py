"""Solvers that return wrong answers are identified, with proof; correct ones are accepted."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

import nonosat
from helpers.disputed import (
    CLOSED,
    CORNER,
    LOOP,
    LOOPS,
    MULTIPLE,
    NATIVE,
    QUEENS,
    ROOKS,
    SWITCH,
    TOUR,
    UNIQUE,
    UNSOLVABLE,
    WRONG,
    fails,
    solution,
)
from nonosat import Verdict
from nonosat.certify import prove as proving
from nonosat.testing import deciding
from nonosat.testing.agreement import ClaimJudgement, assert_agrees, compare
from nonosat.testing.claims import Claim, CountRange
from nonosat.testing.oracles import every_solution
from nonosat.testing.solvers import called, configured, solver_of


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", UNIQUE + MULTIPLE + UNSOLVABLE, ids=str)
def test_ours_agree_with_each_other_and_with_brute_force(puzzle):
    def brute(puzzle):
        return every_solution(puzzle)

    assert_agrees(called(brute, answers="all"), puzzle)


@pytest.mark.parametrize(
    ("puzzle", "lie"),
    [
        *((puzzle, verdict) for puzzle in UNIQUE for verdict in ("multiple", "unsolvable")),
        *((puzzle, verdict) for puzzle in MULTIPLE for verdict in ("unique", "unsolvable")),
        *((puzzle, verdict) for puzzle in UNSOLVABLE for verdict in ("unique", "multiple")),
        *((puzzle, "solved") for puzzle in UNSOLVABLE),
    ],
    ids=str,
)
def test_a_wrong_verdict_is_wrong_and_ours_is_proved_right(puzzle, lie):
    ours = Claim.of_result(nonosat.check(puzzle))
    found = compare(puzzle, {"liar": Claim(Verdict(lie)), "auto": ours}, ours=["auto"])
    assert found.wrong == ["liar"]
    assert found.of(ClaimJudgement.RIGHT) == ["auto"]
    assert not found.is_ours
    text = str(found)
    assert text.startswith("liar is wrong: ")
    assert "report" not in text


@pytest.mark.parametrize("puzzle", [CORNER, WRONG, LOOP, nonosat.Knight(5, 5, closed=True)])
def test_the_proof_is_a_certificate_that_holds(puzzle, tmp_path):
    ours = Claim(nonosat.check(puzzle).verdict)
    found = compare(puzzle, {"liar": Claim(Verdict.MULTIPLE), "auto": ours})
    found.truth.certificate.write(tmp_path / "proof")
    assert nonosat.verify(tmp_path / "proof").claim == ours.verdict.value
    assert "a certificate was made and checked" in str(found)


@pytest.mark.parametrize("puzzle", [SWITCH, TOUR, LOOPS])
def test_verdicts_alone_are_decided_by_a_search_for_solutions(puzzle):
    claims = {"liar": Claim(Verdict.UNIQUE), "honest": Claim(Verdict.MULTIPLE)}
    found = compare(puzzle, claims)
    assert (found.wrong, found.of(ClaimJudgement.RIGHT)) == (["liar"], ["honest"])
    first, second, *_ = found.truth.solutions
    assert first != second
    assert not any(deciding.refutation(puzzle, one) for one in (first, second))


def test_our_own_wrong_answers_are_reported_as_clearly():
    claims = {"auto": Claim(Verdict.UNIQUE), "mine": Claim(Verdict.MULTIPLE)}
    found = compare(SWITCH, claims, ours=["auto"])
    assert found.wrong == ["auto"]
    assert found.is_ours
    assert "a mistake of auto of nonosat itself. Please report it" in str(found)


@pytest.mark.parametrize(
    ("count", "wrong"), [(24, []), (23, ["liar"]), (25, ["liar"]), (1, ["liar"]), (0, ["liar"])]
)
def test_counts_are_compared_with_each_other(count, wrong):
    claims = {"liar": Claim(count=count), "count": Claim.of_result(nonosat.count(ROOKS))}
    found = compare(ROOKS, claims)
    assert (found.wrong if found else []) == wrong
    assert compare(
        ROOKS, {"liar": Claim(count=count), "auto": Claim(Verdict.MULTIPLE)}
    ) is None or (count < 2)


def test_a_count_that_cannot_be_checked_stays_undecided_and_shows_the_attempts(clock):
    clock.step_s = 0.1
    large = nonosat.nonogram([[1]] * 9, [[1]] * 9)  # too large for brute force, 362,880 solutions
    claims = {"one": Claim(count=362_880), "other": Claim(count=362_881)}
    found = compare(large, claims, time_limit_s=0.3)
    assert found.undecided == ["one", "other"]
    assert not found.wrong
    assert "it is undecided which of them is wrong" in str(found)


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (["#.", "##"], "its solution does not fit: row 1 has the run 1, its clue is 2"),
        (["##"], "the picture is 1 row x 2 columns, the puzzle 2 rows x 2 columns"),
        ([["##", ".#"], ["##", ".#"]], "its solution 2 is one that it has given before"),
        ([["##", ".#"], ["##", "#."]], "its solution 2 does not fit"),
        (None, "a solution of the puzzle is known and verified"),
        ([], "a solution of the puzzle is known and verified"),
        ("multiple", "the puzzle has exactly 1 solution"),
    ],
)
def test_wrong_answers_of_a_function(answer, problem):
    text = fails(lambda puzzle: answer, CORNER)
    assert "<lambda> is wrong" in text
    assert problem in text


@pytest.mark.parametrize("puzzle", [TOUR, CLOSED, QUEENS, LOOP])
def test_a_solution_of_another_board_does_not_fit(puzzle):
    others = {"knight": nonosat.Knight(5, 5), "queens": nonosat.Queens(5)}
    other = others.get(puzzle.family, nonosat.slitherlink(["4"]))
    assert "is wrong: its solution does not fit" in fails(lambda _: solution(other), puzzle)


def test_a_closed_tour_that_begins_elsewhere_is_the_same_tour():
    tour = solution(CLOSED)
    turned = nonosat.Tour(3, 3, tuple(number and number % 8 + 1 for number in tour.numbers))
    assert turned != tour
    assert_agrees(lambda puzzle: turned, CLOSED, against=NATIVE)
    assert "given before" in fails(lambda puzzle: [tour, turned], CLOSED)


def test_a_puzzle_that_a_solver_cannot_take_is_no_disagreement():
    rules = configured("rules")  # a method of another family
    assert rules(SWITCH).unsupported
    assert compare(SWITCH, {"rules": rules(SWITCH), "auto": configured("auto")(SWITCH)}) is None


def test_the_limit_of_one_of_ours_is_no_disagreement(clock):
    clock.step_s = 0.001
    large = nonosat.load("instances/hard.jsonl#steps-10")
    claim = configured("minisat22", time_limit_s=0.001)(large)
    assert claim.verdict is Verdict.UNKNOWN
    assert compare(large, {"minisat22": claim, "mine": Claim(Verdict.UNIQUE)}) is None


@pytest.mark.parametrize(
    "name",
    [
        "auto",
        "search",
        "prices",
        "cadical195 line=automaton",
        "cpsat line=starts",
        "learn presolve=propagate seed=3",
    ],
)
def test_solvers_of_ours_by_name(name):
    solver = configured(name)
    assert solver.name == name
    assert solver.is_ours
    assert solver(SWITCH).verdict in (Verdict.MULTIPLE, Verdict.UNKNOWN)  # prices prove uniqueness


@pytest.mark.parametrize(
    "name",
    ["cadicl", "auto line=nothing", "cpsat line=automat", "learn seed=x", "learn presolve=no"],
)
def test_an_unknown_name_is_refused_at_once(name):
    with pytest.raises(nonosat.UnsupportedError):
        configured(name)


@pytest.mark.parametrize(
    ("ask", "problem"),
    [
        (lambda: assert_agrees(print, SWITCH, against=[]), "against is [], expected at least one"),
        (lambda: assert_agrees(print, SWITCH, against=None), "against is None, expected at least"),
        (lambda: assert_agrees(3, SWITCH), "3 is not a solver, expected a function, a command"),
        (lambda: called(3), "3 is not a function"),
        (lambda: called(print, time_limit_s=-1), "the time limit is -1"),
        (lambda: configured(3), "3 is not the name of a solver"),
        (lambda: compare(SWITCH, [Claim()]), "expected a mapping by name"),
        (lambda: compare(SWITCH, {"one": "unique"}), "the claim of 'one' is 'unique', expected a"),
        (lambda: Claim("unique"), "the verdict is 'unique', expected a Verdict"),
        (lambda: Claim(count=-1), "the count is -1, expected 0 or more"),
        (lambda: Claim(count="2"), "the count is '2', expected 0 or more"),
    ],
)
def test_invalid_arguments_are_refused(ask, problem):
    with pytest.raises(nonosat.UnsupportedError, match=re.escape(problem)):
        ask()


def test_only_puzzles_are_compared():
    with pytest.raises(nonosat.NotAPuzzleError, match=r"write nonosat\.nonogram"):
        compare([[1], [1]], {})


def test_a_single_solver_to_compare_with_needs_no_list():
    assert_agrees(lambda puzzle: Verdict.MULTIPLE, SWITCH, against="auto")
    assert "is wrong" in fails(lambda puzzle: Verdict.UNIQUE, SWITCH, against=configured("auto"))


def test_solutions_of_other_families_are_reported_as_drawings():
    assert "rows of '#' (inside the loop) and '.'" in fails(lambda puzzle: [[1]], LOOP)


def test_engines_are_called_and_auto_is_unchanged():
    options = nonosat.check(SWITCH, backend="cadical195", presolve="none")
    assert "probe" not in [stage.name for stage in options.stages]
    claim = configured("cadical195")(SWITCH)
    assert claim.solutions
    with pytest.raises(nonosat.UnsupportedError, match="is not a solver"):
        solver_of(3)
    with pytest.raises(nonosat.UnsupportedError, match="answers='maybe'"):
        called(print, answers="maybe")


def test_a_wrong_engine_of_ours_is_identified(monkeypatch):
    """The prover accepts its answer; brute force does not."""

    def unsolvable(puzzle, **options):
        return nonosat.Result(puzzle, Verdict.UNSOLVABLE)

    for module in (deciding.pipeline, proving.pipeline):
        monkeypatch.setattr(module, "solve", unsolvable)
        monkeypatch.setattr(module, "check", unsolvable)
        monkeypatch.setattr(module, "solutions", lambda *_args, **_options: iter(()))
    text = fails(lambda puzzle: "unique", CORNER)
    assert text.startswith("auto is wrong: a solution of the puzzle is known")
    assert "Please report it" in text


def test_a_proof_that_contradicts_verified_solutions_is_our_fault(monkeypatch):
    certificate, (first, second) = nonosat.prove(CORNER), nonosat.solutions(SWITCH)
    checked = SimpleNamespace(claim=certificate.claim)
    monkeypatch.setattr(deciding, "prove", lambda *_args, **_options: certificate)
    monkeypatch.setattr(deciding, "verify", lambda *_args, **_options: checked)
    monkeypatch.setattr(deciding, "read_picture", lambda *_: second)
    claims = {"one": Claim(Verdict.UNIQUE, (first,)), "other": Claim(Verdict.UNSOLVABLE)}
    found = compare(SWITCH, claims)
    assert found.truth.is_absurd
    assert found.is_ours
    assert found.undecided == ["one", "other"]
    assert "This contradicts itself: 2 solutions verified" in str(found)
    assert "This is a mistake of nonosat itself." in str(found)


def test_numbers():
    inf = float("inf")
    assert not CountRange(2, 1).is_possible
    assert not CountRange(1, 1, True).is_possible
    assert CountRange(0, 1, True).is_possible
    assert CountRange(2, 2).within(CountRange(0, inf, True))
    assert not CountRange(0, 2).within(CountRange(0, inf, True))
    texts = ["no solution", "exactly 1 solution", "at least 2 solutions", "1 to 3 solutions"]
    found = [CountRange(0, 0), CountRange(1, 1), CountRange(2), CountRange(1, 3)]
    assert list(map(str, found)) == texts


def test_the_report_stays_short_for_large_boards(clock):
    clock.step_s = 0.1
    large = nonosat.nonogram([[1]] * 60, [[1]] * 60)
    text = fails(lambda puzzle: "unique", large, time_limit_s=5)
    assert len(text.splitlines()) < 20
    assert len(text) < 3000


@pytest.mark.parametrize(
    ("puzzle", "lies"),
    [
        (nonosat.nonogram([[1]] * 9, [[1]] * 9), (Claim(count=5), Claim(count=6))),
        (nonosat.Knight(5, 5), (Claim(Verdict.UNIQUE), Claim(Verdict.UNSOLVABLE))),
    ],
    ids=str,
)
def test_puzzles_too_large_for_brute_force_are_decided_by_solutions_of_our_engines(puzzle, lies):
    found = compare(puzzle, dict(zip(("one", "other"), lies, strict=True)))
    assert found.wrong == ["one", "other"]
