"""Solvers' answers: read in every usual form, verified, or refused with a reason."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.drawing import examples
from nonosat import export
from nonosat.core.errors import FormatError
from nonosat.core.plugins import Answer
from nonosat.puzzles.nonogram.data import Block, Colour, Nonogram, mono
from nonosat.puzzles.queens import Queens

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
        ("s SATISFIABLE\n", "a.out: has the verdict SATISFIABLE but no values"),
        ("s UNSATISFIABLE\nv 1 0\n", "a.out: has the verdict UNSATISFIABLE and values"),
        ("s SATISFIABLE\nv 1 two 0\n", "a.out:2: found 'two', expected a literal"),
        ("s SATISFIABLE\nv 1 -1 0\n", "a.out:2: variable 1 is both true and false"),
        ("s SATISFIABLE\nv 1 0 2\n", "a.out:2: found '2' after the closing 0"),
        ("s SATISFIABLE\nv 9999999999 0\n", "a.out:2: found '9999999999', expected a literal"),
        ("p cnf 3 4\n", "a.out:1: found 'p cnf 3 4', expected a comment"),
    ],
)
def test_bad_answers_are_refused(text, message):
    with pytest.raises(FormatError) as caught:
        export.read_answer(text, "a.out")
    assert str(caught.value).startswith(message)


@given(st.text() | st.text(alphabet="sv 01x-\nSATIFBLEcU", max_size=60))
@examples(60)
def test_any_text_is_an_answer_or_refused(text):
    with suppress(FormatError):
        answer = export.read_answer(text)
        assert answer.true <= answer.assigned


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("v 1 2 -3 -4 0", "row 2 has no filled cell"),
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


# MiniZinc and XCSP3

SWITCH = mono([[1], [1]], [[1], [1]])
FIRST, SECOND = ["#.", ".#"], [".#", "#."]
ONE = "x = array2d(1..2, 1..2, [2, 1, 1, 2]);\n----------\n"
TWO = "% .#\nx = [| 1, 2\n | 2, 1\n |];\n----------\n"
LIST = "<list> x[][] </list>"
PRINTED = {
    ONE: ([FIRST], False),
    ONE + "==========\n": ([FIRST], True),
    ONE + TWO: ([FIRST, SECOND], False),
    ONE + ONE + TWO + "==========\n": ([FIRST, SECOND], True),
    "x = [2, 1, 1, 2];\r\n----------\r\n": ([FIRST], False),
    '{\n  "x" : [[2, 1], [1, 2]]\n}\n----------\n': ([FIRST], False),
    "the picture:\nxx = 3;\n" + ONE + "%%%mzn-stat: nodes=1\n%%%mzn-stat-end\n": ([FIRST], False),
    "=====UNSATISFIABLE=====\n": (Answer.UNSAT, False),
    "==========\n": (Answer.UNSAT, True),
    "=====UNSATorUNBOUNDED=====\n": (Answer.UNSAT, False),
    "% Time limit exceeded!\n=====UNKNOWN=====\n": (Answer.UNKNOWN, False),
    f"<instantiation>{LIST}<values> 1 0 0 1 </values></instantiation>": ([FIRST], False),
    "s SATISFIABLE\nv <instantiation type='solution'>\nv \t<list>x[0][1] x[0][0] y[3] x[1][0] "
    "x[1][1] </list>\nv \t<values>0 1 7 0 1 </values>\nv </instantiation>\n": ([FIRST], False),
    "\x1b[92m\ns SATISFIABLE\x1b[0m\n\x1b[92mv\x1b[0m <instantiation> <list> x[][] y[] </list> "
    "<values> 0 1x2 * 5x9 </values> </instantiation>\nd COMPLETE EXPLORATION": ([SECOND], True),
    "s UNSATISFIABLE\nd FOUND SOLUTIONS  0\nd COMPLETE EXPLORATION\n": (Answer.UNSAT, True),
    "   ...Loading\ns UNKNOWN\nd INCOMPLETE EXPLORATION\n": (Answer.UNKNOWN, False),
    "x <instantiation> is what is missing here\n": (Answer.UNKNOWN, False),
}


@pytest.mark.parametrize("text", PRINTED)
def test_output_of_constraint_solvers(text):
    wanted, is_complete = PRINTED[text]
    answer = export.read_answer(text)
    assert answer.printed.is_complete == is_complete
    if isinstance(wanted, Answer):
        assert (answer.verdict, answer.printed.solutions) == (wanted, ())
    else:
        assert answer.verdict is Answer.SAT
        pictures = [grid.lines() for grid in export.pictures_of(SWITCH, answer)]
        assert pictures == wanted
        assert export.picture_of(SWITCH, answer).lines() == wanted[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("y = 3;\n----------\n", "a.out: the solution that line 2 ends has 0 values of x"),
        (f"x = [1];\n{ONE}", "a.out: the solution that line 3 ends has 2 values of x"),
        ("x = [1.5];\n----------\n", "a.out: found '.' in the values of x"),
        (f"{ONE}=====UNSATISFIABLE=====\n", "a.out: has the verdict UNSATISFIABLE and a solution"),
        ("=====ERROR=====\n", "a.out: the solver's status is 'ERROR', expected a solution"),
        ("s SATISFIABLE\nd FOUND SOLUTIONS 1\n", "a.out: has the verdict SATISFIABLE but no <inst"),
        (
            f"s UNSATISFIABLE\n<instantiation>{LIST}<values>1</values></instantiation>",
            "a.out: has the verdict UNSATISFIABLE and a solution",
        ),
        (
            "s UNSATISFIABLE\ns SATISFIABLE\n<instantiation><list>x[]</list><values>1</values>"
            "</instantiation>",
            "a.out: has two verdicts",
        ),
        ("<instantiation><list>x[]</list></instantiation>", "a.out: an <instantiation> without"),
        (
            "<instantiation><list>x[0] x[1]</list><values>1</values></instantiation>",
            "a.out: an <instantiation> of 2 names and 1 values",
        ),
        (
            f"<instantiation>{LIST}<values>one</values></instantiation>",
            "a.out: found 'one' in <values>",
        ),
        (
            f"<instantiation>{LIST}<values>1x999999999</values></instantiation>",
            "a.out: <values> has more than",
        ),
    ],
)
def test_invalid_output_of_constraint_solvers(text, message):
    with pytest.raises(FormatError) as caught:
        export.read_answer(text, "a.out")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = [2, 1, 1];\n----------", "x has 3 values, expected 4; is it of another puzzle"),
        ("x = [2, 1, 1, 0];\n----------", "x has the value 0, expected 1 to 2; is it of another"),
        ("x = [2, 1, 1, 3];\n----------", "x has the value 3, expected 1 to 2"),
        ("x = [2, 1, 2, 1];\n----------", "not a solution: column"),
        (f"{ONE}x = [2, 2, 1, 1];\n----------", "not a solution: row"),
    ],
)
def test_invalid_pictures_are_refused(text, message):
    with pytest.raises(FormatError, match=message):
        export.pictures_of(SWITCH, export.read_answer(text, "a.out"))


@pytest.mark.parametrize("answer", ["x = [0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0];", ""])
def test_other_families_have_their_variables_in_x(answer):
    values = "0 1 0x5 1 1 0x5 1 0 3"
    instantiation = f"<instantiation><list>x[] y[]</list><values>{values}</values></instantiation>"
    text = f"{answer}\n----------\n" if answer else instantiation
    (placement,) = export.pictures_of(Queens(4), export.read_answer(text))
    assert placement.columns == (1, 3, 0, 2)


@given(st.text(alphabet='x =[|]12,;-\n.()"{}:%', max_size=80), st.integers(0, 3))
@examples(180)
def test_any_text_before_a_line_of_hyphens_is_read_or_refused(text, form):
    lines = [f"{text}\n----------\n", f"x = {text};\n----------\n"]
    lines += [f"<instantiation>{LIST}<values>{text}</values></instantiation>"]
    lines += [f"<instantiation>{text}</instantiation>"]
    with suppress(FormatError):
        answer = export.read_answer(lines[form])
        if answer.verdict is Answer.SAT:
            export.pictures_of(SWITCH, answer)
