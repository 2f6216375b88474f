"""Programs for clingo: their answer sets are the solutions, and `decode` reads clingo's output."""

from __future__ import annotations

import io
from typing import Any

import pytest

import nonosat
from helpers.exported import BOARDS, OTHERS
from nonosat.core.errors import FormatError

OPEN = nonosat.loads('{"rows": ["*", "2+"], "columns": ["1 *", "1", "?"]}')
PUZZLES: dict[str, Any] = {**BOARDS, **OTHERS, "open": OPEN}


def program(puzzle: Any, **how: Any) -> str:
    stream = io.BytesIO()
    nonosat.encode(puzzle, stream, to="lp", **how)
    return stream.getvalue().decode()


def answers(text: str) -> list[str]:
    """Answer sets of a program, as clingo prints them."""
    clingo = pytest.importorskip("clingo", reason="clingo is not installed")
    control = clingo.Control(["0", "--warn=none"])
    control.add("base", [], text)
    control.ground([("base", [])])
    found: list[str] = []
    control.solve(on_model=lambda model: found.append(str(model)))
    return found


def printed(found: list[str]) -> str:
    sets = "".join(f"Answer: {number}\n{one}\n" for number, one in enumerate(found, start=1))
    verdict = "SATISFIABLE" if found else "UNSATISFIABLE"
    return f"clingo version 5.8.3\nReading from stdin\nSolving...\n{sets}{verdict}\n\nModels : 1\n"


@pytest.mark.slow
@pytest.mark.parametrize("level", ["none", "probe"])
@pytest.mark.parametrize("name", PUZZLES)
def test_answer_sets_are_the_solutions(name: str, level: str) -> None:
    puzzle = PUZZLES[name]
    found = answers(program(puzzle, presolve=level))
    expected = sorted(map(str, nonosat.solutions(puzzle)))
    assert sorted(map(str, nonosat.decode(puzzle, printed(found)).solutions)) == expected
    assert len(found) == len(expected)  # each once


def test_a_forbidden_solution_is_missing() -> None:
    puzzle = BOARDS["ones"]
    (first, *rest) = nonosat.solutions(puzzle)
    found = answers(program(puzzle, forbidden=first))
    assert set(nonosat.decode(puzzle, printed(found)).solutions) == set(rest)


def test_a_program_in_full() -> None:
    puzzle = BOARDS["given"].about_with(id="two\x07lines")
    text = program(puzzle, presolve="none")
    head, rules = text.split("% A cell of a line")
    assert head.splitlines()[:9] == [
        "% nonosat 1",
        "% puzzle two?lines",
        "% presolve none",
        "% x(V): variable V of the model is true",
        "#show.",
        "#show x(V) : x(V), V <= 4.",
        "{ x(1..4) }.",
        ":- not x(2).",
        "next(0,0,0,0). next(0,0,1,1). next(0,1,0,2). next(0,2,0,2). ",
    ]
    assert head.count("next(0,0,0,0)") == 1, "lines of one clue share an automaton"
    assert ":- line(L,A,N), not done(L)." in rules


def test_clingos_output_is_read() -> None:
    puzzle = BOARDS["ones"]
    found = nonosat.decode(puzzle, "x(1) x(5) x(9)\nSATISFIABLE\n")
    assert str(found.solution) == "#..\n.#.\n..#"
    assert nonosat.decode(puzzle, printed([])).verdict is nonosat.Verdict.UNSOLVABLE
    empty = nonosat.decode(BOARDS["empty"], "Answer: 1\n\nSATISFIABLE\n")
    assert empty.verdict is nonosat.Verdict.SOLVED
    unknown = nonosat.decode(puzzle, "clingo version 5.8.3\nUNKNOWN\n")
    assert unknown.verdict is nonosat.Verdict.UNKNOWN


def test_a_cell_of_two_colours_is_refused_in_every_answer_set() -> None:
    puzzle = nonosat.from_picture(["abc"], colours={"a": "red", "b": "blue", "c": "green"})
    right, wrong = "x(1) x(5) x(9)", "x(1) x(5) x(3) x(6)"
    for answers in ([wrong], [right, wrong]):
        with pytest.raises(FormatError, match="colours 1 and 2"):
            nonosat.decode(puzzle, printed(answers))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Answer: 1\nx(1) y(2)\nSATISFIABLE\n", r"found 'y\(2\)' in an answer set"),
        ("Answer: 1\nx(1)\nUNSATISFIABLE\n", "verdict UNSATISFIABLE and an answer set"),
        ("clingo version 5.8.3\nSATISFIABLE\n", "but no answer set"),
        ("Answer: 1\nx(1) x(2)\nSATISFIABLE\n", "not a solution"),
        ("clingo version 5.8.3\n*** ERROR: (clingo): parsing failed\nUNKNOWN\n", "has the message"),
    ],
)
def test_wrong_output_is_refused(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        nonosat.decode(BOARDS["ones"], text)
