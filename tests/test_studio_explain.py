"""Explanations, difficulties and hints of the page without a server are those of the library."""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from typing import Any

import pytest

import nonosat
from helpers.page_answers import ask, asks
from test_explain_recorded import puzzles

pytestmark = [pytest.mark.slow, asks]
BEYOND = ("prices", "guess")  # techniques that the page does not have


@cache
def _explained() -> list[tuple[nonosat.Nonogram, dict[str, Any], dict[str, Any], dict[str, Any]]]:
    """Return puzzles with the library's explanation, the page's, and the page's rating."""
    asked = [*puzzles()][:60]
    bodies = [{"puzzle": {"puzzle": puzzle.to_data()}} for puzzle in asked]
    told = ask([("explain", body) for body in bodies] + [("rate", body) for body in bodies])
    library = [nonosat.explain(puzzle).to_data() for puzzle in asked]
    return [*zip(asked, library, told[: len(asked)], told[len(asked) :], strict=True)]


def test_steps_are_those_of_the_library() -> None:
    """All fields and sentences, up to the first step that the page does not find."""
    techniques = set()
    for _, library, page, _ in _explained():
        names = [step["technique"] for step in library["steps"]]
        count = next((at for at, name in enumerate(names) if name in BEYOND), len(names))
        assert page["steps"] == library["steps"][:count]
        techniques |= set(names[:count])
    assert techniques >= {"ranges", "overlap", "complete line", "parallel lines", "probing"}


def test_verdicts_and_difficulties_are_those_of_the_library() -> None:
    kinds = set()
    for puzzle, library, page, rating in _explained():
        if page["verdict"] == "unknown":
            assert page["reason"].startswith("the next step needs a table of prices or a guess")
            assert any(step["technique"] in BEYOND for step in library["steps"])
            continue
        kinds.add(page["verdict"])
        assert (page["verdict"], page["grid"]) == (library["verdict"], library["grid"])
        assert page["difficulty"] == library["difficulty"]
        told = nonosat.rate(puzzle).to_data()
        keys = ("verdict", "difficulty", "name", "steps", "cells")
        assert [rating[key] for key in keys] == [told[key] for key in keys]
        assert [*rating["steps"]] == [*told["steps"]]  # the easiest first
    assert kinds == {"unique", "multiple", "unsolvable"}


def test_hints_are_those_of_the_library() -> None:
    """From an empty board, and from the board after half of the steps."""
    asked: list[tuple[str, dict[str, Any]]] = []
    expected = []
    for puzzle, library, page, _ in _explained():
        if page["verdict"] != "unique" or not library["steps"]:
            continue
        given = [list("?" * puzzle.width) for _ in range(puzzle.height)]
        for step in library["steps"][: len(library["steps"]) // 2]:
            for row, column, sign in step["settled"]:
                given[row][column] = sign
        state = nonosat.Grid.of_rows(["".join(row) for row in given], puzzle.symbols)
        hint = nonosat.hint(puzzle, state)
        expected.append(hint.to_data())
        letters = dict(zip(puzzle.symbols, ".abc", strict=False)) | {"?": "?"}
        rows = ["".join(letters[sign] for sign in row) for row in given]
        asked.append(("hint", {"puzzle": {"puzzle": puzzle.to_data()}, "given": rows}))
    for page, library in zip(ask(asked), expected, strict=True):
        assert (page["step"], page["sentence"]) == (library["step"], library["sentence"])
        assert page["before"] == library["before"]


def test_no_step_follows_from_marks_that_no_solution_has_together() -> None:
    """Each mark is in some solution, and no line refutes them."""
    puzzle = nonosat.nonogram([[1]] * 3, [[1]] * 3)
    sent = {"puzzle": puzzle.to_data()}
    (refused, taken) = ask(
        [
            ("hint", {"puzzle": sent, "given": rows})
            for rows in (["??a", "?.?", "a??"], ["a??"] + 2 * ["???"])
        ]
    )
    assert refused["step"] is None
    assert refused["sentence"].startswith("No solution has all of these marks together.")
    assert taken["step"]["technique"] == "all there"


TWO = (nonosat.Colour("r", "#cc2200"), nonosat.Colour("b", "#2244cc"))


@pytest.mark.parametrize(
    "puzzle",
    [
        nonosat.nonogram([[1], []], [[1], [1]]),
        nonosat.nonogram([[1], [3, 1]], [[1], [4]]),
        nonosat.nonogram([[1] * 10], [[1]] * 5),
        nonosat.Nonogram((((1, 1),), ()), ((), ()), colours=TWO),
        nonosat.Nonogram((((2, 1), (1, 1)),), ((), ()), colours=TWO),
    ],
)
def test_evident_contradictions_have_the_words_of_the_library(puzzle: nonosat.Nonogram) -> None:
    sent = {"puzzle": puzzle.to_data()}
    watched, told, hint = ask([(name, {"puzzle": sent}) for name in ("watch", "explain", "hint")])
    found = nonosat.explain(puzzle)
    assert (told["verdict"], told["reason"]) == (found.verdict.value, found.reason)
    assert found.contradiction is not None
    assert found.contradiction.description().startswith(watched["sentence"])
    assert hint["sentence"] == nonosat.hint(puzzle).sentence


@pytest.mark.parametrize("length", [-1, 10**9, 2.5])
def test_clues_are_refused_in_the_words_of_the_library(length: Any) -> None:
    with pytest.raises(nonosat.PuzzleError) as refused:
        nonosat.Nonogram((((1, 1),),), (((length, 1),),))
    data = {"width": 1, "height": 1, "rows": [[1]], "columns": [[length]]}
    (told,) = ask([("solve", {"puzzle": {"puzzle": data}})])
    assert told["error"] == {"kind": "PuzzleError", "message": str(refused.value)}


def test_wrong_and_complete_marks_have_the_words_of_the_library() -> None:
    puzzle = nonosat.from_picture(".#.#.\n#####\n#####\n.###.\n..#..")
    for rows in (["#...."] + ["....." for _ in range(4)], ["?#?#?"] + ["?????"] * 3 + ["#????"]):
        given = [row.replace("#", "a") for row in rows]
        state = nonosat.Grid.of_rows(rows, puzzle.symbols)
        library = nonosat.hint(puzzle, state).to_data()
        (page,) = ask([("hint", {"puzzle": {"puzzle": puzzle.to_data()}, "given": given})])
        assert page["wrong"] == library["wrong"]
        assert page["line"] == library["line"]
        assert page["sentence"].split(". ")[-1] == library["sentence"].split(". ")[-1]


def test_hints_hold_in_all_pictures_with_the_clues_and_the_marks() -> None:
    """All pictures of 3 x 3 cells are the oracle; marks are random."""
    draw = random.Random(7)
    pictures = ["".join(cells) for cells in product(".a", repeat=9)]
    by_clues: dict[object, list[str]] = {}
    for cells in pictures:
        by_clues.setdefault(_clues(cells), []).append(cells)
    asked, states = [], []
    for _ in range(200):
        clues = _clues(draw.choice((draw.choice(pictures), "a...a...a")))
        chosen = draw.choice(by_clues[clues])
        signs = draw.choice(("?", "=", "=?", "===?????", "===x???"))
        kept = {"?": "?", "x": draw.choice(".a")}
        marks = "".join(kept.get(draw.choice(signs), sign) for sign in chosen)
        rows, columns = clues[:3], clues[3:]
        given = [marks[at : at + 3] for at in (0, 3, 6)]
        body = {"puzzle": {"puzzle": {"rows": rows, "columns": columns}}, "given": given}
        asked.append(("hint", body))
        states.append((by_clues[clues], marks))
    kinds = set()
    for hint, (solutions, marks) in zip(ask(asked), states, strict=True):
        fitting = [one for one in solutions if _agrees(one, marks)]
        wrong = {3 * row + column for row, column, _ in hint["wrong"]}
        if hint["step"] is not None:
            assert hint["sure"]
            assert fitting
            for row, column, sign in hint["step"]["settled"]:
                assert {one[3 * row + column] for one in fitting} == {"a" if sign == "#" else sign}
        elif hint["verdict"] == "solved":
            assert fitting == [marks]
        elif hint["verdict"] == "multiple":
            open_cells = [at for at, sign in enumerate(marks) if sign == "?"]
            assert all(len({one[at] for one in fitting}) == 2 for at in open_cells)
        else:
            assert not fitting
            never = {at for at in range(9) if marks[at] not in {"?", *(s[at] for s in solutions)}}
            assert wrong == never
        kinds.add((hint["step"] is not None, hint["verdict"], bool(wrong)))
    assert len(kinds) == 5


def _agrees(cells: str, marks: str) -> bool:
    return all(mark in ("?", cell) for cell, mark in zip(cells, marks, strict=True))


def _clues(cells: str) -> tuple[tuple[int, ...], ...]:
    lines = [cells[at : at + 3] for at in (0, 3, 6)] + [cells[at::3] for at in range(3)]
    return tuple(tuple(len(run) for run in line.split(".") if run) for line in lines)
