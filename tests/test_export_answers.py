"""Solvers' answers: read in every usual form, verified, or refused with what is wrong."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.drawing import examples
from nonosat import export
from nonosat.errors import FormatError
from nonosat.plugins import Answer
from nonosat.puzzles.nonogram.data import Block, Colour, Nonogram, mono

CORNER = mono([[2], [1]], [[2], [1]])
FLAG = Nonogram(
    rows=((Block(2, 1), Block(1, 2)), (Block(3, 2),)),
    columns=((Block(1, 1), Block(1, 2)),) * 2 + ((Block(2, 2),),),
    colours=(Colour("r", "#ff0000"), Colour("g", "#00ff00")),
)

ANSWERS = {
    "s SATISFIABLE\nv 1 2 3 -4 0\n": {1, 2, 3},
    "c log\n\ns SATISFIABLE\nv 1 2\nv 3\nc more\nv -4 0\nc end": {1, 2, 3},
    "v 1 2 3\ns SATISFIABLE\n": {1, 2, 3},
    "o 0\ns OPTIMUM FOUND\nv x1 x2 x3 -x4 -x55\n": {1, 2, 3},
    "SAT\n1 2 3 -4 0\n": {1, 2, 3},
    "1 2 3 0\n": {1, 2, 3},
    "s SATISFIABLE\r\nv 1 2 3 0\r\n": {1, 2, 3},
}


@pytest.mark.parametrize("text", ANSWERS)
def test_answers_in_many_forms(text):
    answer = export.read_answer(text)
    assert (answer.verdict, answer.true) == (Answer.SAT, ANSWERS[text])
    grid = export.picture_of(CORNER, answer)
    assert grid.lines() == ["##", "#."]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("s UNSATISFIABLE\n", Answer.UNSAT),
        ("c x\nUNSAT\n", Answer.UNSAT),
        ("s UNKNOWN\n", Answer.UNKNOWN),
        ("INDET\n", Answer.UNKNOWN),
    ],
)
def test_answers_without_values(text, verdict):
    assert export.read_answer(text).verdict is verdict


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a.out: holds no answer, expected a line 's SAT"),
        ("c only\n", "a.out: holds no answer"),
        ("s MAYBE\n", "a.out:1: the verdict is 'MAYBE', expected SATISFIABLE"),
        ("c\ns SATISFIABLE\ns SATISFIABLE\n", "a.out:3: a second verdict"),
        ("s SATISFIABLE\n", "a.out: says SATISFIABLE but holds no values"),
        ("s UNSATISFIABLE\nv 1 0\n", "a.out: says UNSATISFIABLE and holds values"),
        ("s SATISFIABLE\nv 1 two 0\n", "a.out:2: found 'two', expected a literal"),
        ("s SATISFIABLE\nv 1 -1 0\n", "a.out:2: variable 1 is both true and false"),
        ("s SATISFIABLE\nv 1 0 2\n", "a.out:2: found '2' behind the closing 0"),
        ("s SATISFIABLE\nv 9999999999 0\n", "a.out:2: found '9999999999', expected a literal"),
        ("p cnf 3 4\n", "a.out:1: found 'p cnf 3 4', expected a comment"),
    ],
)
def test_bad_answers_are_refused(text, message):
    with pytest.raises(FormatError) as caught:
        export.read_answer(text, "a.out")
    assert str(caught.value).startswith(message)


@given(st.text() | st.text(alphabet="sv 01x-\nSATIFBLEcU", max_size=60))
@examples(300)
def test_any_text_is_an_answer_or_refused(text):
    with suppress(FormatError):
        answer = export.read_answer(text)
        assert answer.true <= answer.assigned


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("v 1 2 -3 -4 0", "row 1"),
        ("v 1 2 0", "2 of the 4 variables of the cells have no value"),
    ],
)
def test_wrong_and_incomplete_answers_are_refused(text, message):
    with pytest.raises(FormatError, match=message) as caught:
        export.picture_of(CORNER, export.read_answer(text, "a.out"))
    assert str(caught.value).startswith("a.out: the answer is not a solution: ")


@pytest.mark.parametrize(("text", "verdict"), [("s UNKNOWN", "UNKNOWN"), ("UNSAT", "UNSAT")])
def test_an_answer_without_values_is_no_picture(text, verdict):
    blank = mono([[]], [[]])
    with pytest.raises(FormatError, match=f"^a.out: the answer is {verdict}, expected the values"):
        export.picture_of(blank, export.read_answer(text, "a.out"))


def test_a_cell_of_two_colours_is_refused():
    with pytest.raises(FormatError, match=r"cell \(0, 1\) has the colours 1 and 2"):
        export.picture_of(FLAG, export.read_answer("v 1 2 8 0"))
