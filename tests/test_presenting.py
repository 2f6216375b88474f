"""Puzzles, solutions and results: short `repr`, `str` for people, pictures, JSON data and back.

Every class that derives from `Presented` has an example here, or the suite fails.
"""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import nonosat
from helpers.commands import records, run
from nonosat.core.errors import FormatError, NonosatError
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.presenting import MAX_BRIEF, Drawn, Presented
from nonosat.explain import nonogram
from nonosat.explain.hinting import Hint
from nonosat.paper.photo import PhotoReading, ReadNumber
from nonosat.puzzles.lanes import mono, triddler
from nonosat.puzzles.ranges import RangeNonogram
from nonosat.questions.reply import Reply

ABSTRACT = {"ColouredPuzzle", "Drawn", "DrawnPuzzle", "Reply"}
RENAMED = "keys that are added are fine; one that is gone breaks who reads them"

CORNER = nonosat.nonogram([[2], [1]], [[1], [2]], title="corner")
SWITCH = nonosat.nonogram([[1], [1]], [[1], [1]])
CROWDED = nonosat.nonogram([[2, 1]], [[1], [1]])
WRONG = nonosat.nonogram([[2], [0]], [[1], [2]])
FLAG = nonosat.nonogram(
    [[(2, "_"), (1, "b")], [(None, "b")]],
    [[(1, "_")], [(1, "_")], [(2, "b")]],
    colours={"_": "red", "b": "blue"},
    given={(0, 2): "b"},
)
OPEN = nonosat.nonogram([[None]] * 3, [[None]] * 3)
CROSS = nonosat.from_picture([".#.#.", "#####", ".###.", "..#.."], title="hea\nrt", id="x")
LARGE = nonosat.nonogram([[1]] * 40, [[1]] * 40)
LOOP = nonosat.slitherlink(["33", ".."])
QUEENS = nonosat.Queens(6, given=[(0, 1)])
KNIGHT = nonosat.Knight(3, 4, start=(0, 0), holes=[(2, 3)])
BOARDS = {
    "corner": CORNER,
    "switch": SWITCH,
    "crowded": CROWDED,
    "wrong": WRONG,
    "flag": FLAG,
    "open": OPEN,
    "cross": CROSS,
}
RANGES = RangeNonogram.from_data({"rows": ["2+", "*"], "columns": ["1/2", "2"]})
LANES = mono(triddler(1), [[1], [2]], [[2], [1]], [[1], [2]])
FAMILIES = {"loop": LOOP, "queens": QUEENS, "knight": KNIGHT, "ranges": RANGES, "lanes": LANES}
ASKED: dict[str, Callable[..., Any]] = {
    "solve": lambda puzzle: nonosat.solve(puzzle, backend="minisat22", presolve="none"),
    "check": nonosat.check,
    "cubes": lambda puzzle: nonosat.check(puzzle, cubes=2, jobs=1),
    "count": nonosat.count,
    "sample": nonosat.sample,
    "backbone": nonosat.backbone,
    "why_multiple": nonosat.why_multiple,
    "estimate": nonosat.estimate,
    "explain": nonosat.explain,
    "rate": nonosat.rate,
    "hint": nonosat.hint,
    "reason": lambda puzzle: nonosat.reason(puzzle, 0, 0),
    "contradiction": nonosat.contradiction,
    "prove": nonosat.prove,
    "repair": nonosat.repair,
}
CUT = (
    "check",
    "count",
    "sample",
    "backbone",
    "explain",
    "hint",
    "rate",
    "estimate",
    "contradiction",
    "why_multiple",
    "repair",
)


def _boards() -> Iterator[tuple[str, Any]]:
    """Every puzzle, and every answer on each."""
    for name, puzzle in (BOARDS | FAMILIES).items():
        yield name, puzzle
    for name, puzzle in BOARDS.items():
        for question, ask in ASKED.items():
            yield f"{question} {name}", ask(puzzle)
    for name, puzzle in FAMILIES.items():
        result = nonosat.check(puzzle)
        yield f"check {name}", result
        if result.solution is not None:
            yield f"solution {name}", result.solution
    for question in ("explain", "rate", "hint"):
        yield f"{question} loop", ASKED[question](LOOP)
    for question in CUT:
        yield f"{question} cut", getattr(nonosat, question)(LARGE, time_limit_s=1e-9)
    yield "wrong cells", nonosat.hint(CORNER, "?.\n??")
    yield "done", nonosat.hint(CORNER, "##\n.#")


@cache
def examples() -> dict[str, Any]:
    """Examples of all classes, by name."""
    found = dict(_boards())
    found["grid"] = Grid(2, 3, bytes([0, 1, 2, UNKNOWN, 254, 0]))
    found["clue repair"] = nonosat.repair(nonosat.slitherlink(["3.", ".."]))
    found["difference"] = nonosat.diff(CROSS, nonosat.from_picture([".#.#."] * 4))
    found["no difference"] = nonosat.diff(CORNER, CORNER)
    numbers = (ReadNumber(0, 0, 1, 7, 0.25, ((1.0, 2.5),) * 4),)
    found["photo reading"] = PhotoReading(CORNER, "ambiguous", numbers, SWITCH, page=2)
    found["path"] = nonosat.solve(LOOP).solution
    found["edges"] = nonosat.Edges(1, 1, bytes([0, 1, UNKNOWN, 1]))
    found["tour"] = nonosat.solve(nonosat.Knight(3, 4)).solution
    found["options"] = nonosat.Options(
        None, "learn", {"line": "order"}, presolve="none", redundant=["slack"], cubes=3, jobs=2
    )
    found["default options"] = nonosat.Options()
    found["stage"] = nonosat.Stage("x", 0.5, 3, {"a": [1, 2], "b": {"c": 1}})
    model = nonosat.Model(3, clauses=(nonosat.Clause((1, 2)), nonosat.Clause((-3,))))
    found["model"] = nonosat.solve_model(model)
    found["no model"] = nonosat.solve_model(model, assumptions=[3, -1])
    found["model cut"] = nonosat.solve_model(model, time_limit_s=1e-9)
    found["values"] = found["model"].values
    return found


def verified(folder: Path) -> nonosat.Verified:
    nonosat.prove(CORNER).write(folder / "c")
    return nonosat.verify(str(folder / "c"))


def classes(above: type) -> set[type]:
    """Return all subclasses of a class."""
    below = set(above.__subclasses__())
    return below | {one for each in below for one in classes(each)}


def plain(data: Any) -> Any:
    """Convert to JSON and back, as through a file or another program."""
    return json.loads(json.dumps(data, allow_nan=False))


def test_every_class_has_an_example(tmp_path: Path) -> None:
    there = {type(example) for example in (*examples().values(), verified(tmp_path))}
    # `slots=True` makes each dataclass twice; by name they are one.
    ours = {one.__name__ for one in classes(Presented) if one.__module__.startswith("nonosat.")}
    assert {one.__name__ for one in there} == ours - ABSTRACT


def test_every_example_is_shown_and_comes_back(tmp_path: Path) -> None:
    for name, example in {**examples(), "verified": verified(tmp_path)}.items():
        shown = repr(example)
        assert shown.startswith(f"<{type(example).__name__}: "), name
        assert shown.isprintable(), name
        assert len(shown) <= MAX_BRIEF + 25 < 200, name
        assert str(example), name
        data = example.to_data()
        assert plain(data) == data, name
        same = type(example).from_data(plain(data))
        assert same.to_data() == data, name
        if type(example).__name__ != "Estimate":  # whose probabilities have 12 digits in JSON
            assert same == example, name


def test_pictures_are_svg(tmp_path: Path) -> None:
    for name, example in {**examples(), "verified": verified(tmp_path)}.items():
        if isinstance(example, Drawn):
            root = ET.fromstring(example._repr_svg_())
            assert root.tag.endswith("svg"), name
            assert len(root[0].text or "") < 200, name


@pytest.mark.slow
def test_a_huge_puzzle_has_a_short_repr() -> None:
    result = nonosat.backbone(LARGE)
    assert len(repr(result)) < 200
    titled = replace(CORNER, about=nonosat.About(title="\x1b[31m" + "long " * 100))
    assert len(repr(titled)) < 200
    assert "\x1b" not in repr(titled)
    huge = nonosat.CountResult(LARGE, 10**5000 + 7, True)
    assert len(repr(huge)) < 200
    assert nonosat.CountResult.from_data(plain(huge.to_data())) == huge


def test_data_without_a_key_or_with_another_type_are_refused() -> None:
    """Wrong data yield an object or an error of ours."""
    refused = 0
    for example in examples().values():
        data, kind = plain(example.to_data()), type(example)
        for wrong in (
            None,
            [],
            "x",
            {},
            *({key: value for key, value in data.items() if key != gone} for gone in data),
            *({**data, key: other} for key in data for other in (None, 7, "x", [[1]], {"a": 1})),
        ):
            try:
                kind.from_data(wrong)
            except NonosatError:
                refused += 1
    assert refused > 1000


def test_data_without_their_puzzle_take_it_from_the_caller() -> None:
    result = nonosat.check(FLAG)
    data = result.to_data(with_puzzle=False)
    assert "puzzle" not in data
    assert nonosat.Result.from_data(data, FLAG) == result
    with pytest.raises(FormatError, match=r"from_data\(data, puzzle\)"):
        nonosat.Result.from_data(data)
    reply = nonosat.explain(FLAG)
    assert nonosat.Explanation.from_data(reply.to_data(with_puzzle=False), FLAG) == reply


def test_data_of_another_family_are_refused() -> None:
    with pytest.raises(NonosatError, match="expected a Nonogram"):
        nonosat.Nonogram.from_data(QUEENS.to_data())


# The command line prints the same

KEYS = {
    "solve": "verdict solutions disputed seconds stages backend encoding options versions",
    "check": "verdict solutions disputed seconds stages backend encoding options versions",
    "sample": "count solutions seconds stages options versions",
    "count": "count exact seconds stages options versions",
    "backbone": "verdict backbone differing undecided seconds stages options versions",
    "why_multiple": "verdict solution switches undecided count exact seconds stages options "
    "versions",
    "explain": "verdict difficulty grid steps seconds options versions",
    "rate": "verdict difficulty name steps cells seconds options versions",
    "hint": "verdict sentence step before sure wrong conflict line strength seconds options "
    "versions",
    "repair": "picture repairs least complete seconds stages options versions",
    "reason": "verdict cell value lines strength sure sentence steps seconds options versions",
    "beliefs": "settings open change probabilities",
}
WHY = (
    "verdict lines given strength at_sight goal_breaks repairs sentence steps end seconds options "
    "versions"
)
COMMANDS = {
    "why_multiple": ("why-multiple",),
    "reason": ("explain", "--cell", "1,1"),
    "beliefs": ("beliefs",),
}


def timeless(data: Any) -> Any:
    """Data without seconds."""
    if isinstance(data, dict):
        return {key: timeless(value) for key, value in data.items() if key != "seconds"}
    return [*map(timeless, data)] if isinstance(data, list) else data


@pytest.mark.parametrize("question", KEYS)
@pytest.mark.parametrize("board", ["corner", "flag", "wrong"])
def test_commands_print_the_same_data(question: str, board: str, tmp_path: Path) -> None:
    path = tmp_path / "puzzle.json"
    nonosat.save(BOARDS[board].about_with(id="p"), path)
    puzzle = nonosat.load(path)
    (printed,) = records(run(*COMMANDS.get(question, (question,)), str(path), "--json"))
    if question == "reason":
        reply = nonosat.reason(puzzle, *printed["cell"])
    else:
        reply = getattr(nonosat, "estimate" if question == "beliefs" else question)(puzzle)
    data = reply.to_data(with_puzzle=False)
    assert {"id": "p", "file": str(path)}.items() <= printed.items()
    assert timeless(printed) == timeless({"id": "p", "file": str(path), **plain(data)})
    if (question, board) != ("beliefs", "wrong"):
        assert set(KEYS[question].split()) <= data.keys(), RENAMED
    same = type(reply).from_data(printed, puzzle)
    assert timeless(same.to_data()) == timeless(reply.to_data())


def test_commands_print_the_clues_that_contradict_each_other(tmp_path: Path) -> None:
    path = tmp_path / "puzzle.json"
    nonosat.save(WRONG.about_with(id="p"), path)
    puzzle = nonosat.load(path)
    reply = nonosat.contradiction(puzzle)
    data = reply.to_data(with_puzzle=False)
    assert set(WHY.split()) <= data.keys(), RENAMED
    for command in (("check", "--why"), ("explain",), ("hint",)):
        (printed,) = records(run(*command, str(path), "--json"))
        why = printed["contradiction"]
        assert timeless({**why, "options": None}) == timeless({**plain(data), "options": None})
        assert nonosat.Contradiction.from_data(why, puzzle) == reply
    for told in (nonosat.explain(puzzle), nonosat.hint(puzzle)):
        assert told.contradiction == reply
        assert type(told).from_data(plain(told.to_data())) == told


def test_a_rating_computes_no_contradiction(monkeypatch: pytest.MonkeyPatch) -> None:
    def unwanted(*_: Any, **__: Any) -> None:
        raise AssertionError("unexpected call")

    monkeypatch.setattr(nonogram, "contradiction_within", unwanted)
    assert nonosat.rate(WRONG).verdict is nonosat.Verdict.UNSOLVABLE


def test_results_are_instances_of_their_base() -> None:
    assert issubclass(Hint, Reply)
    assert issubclass(Reply, Drawn)


def test_the_description_by_its_old_name() -> None:
    found = nonosat.count(nonosat.nonogram([[1]], [[1]]))
    with pytest.warns(DeprecationWarning, match="CountResult.told is now called description"):
        assert found.told() == found.description()
    with pytest.raises(AttributeError, match="no attribute 'odd'"):
        found.odd  # noqa: B018
    difference = nonosat.diff(found.puzzle, nonosat.nonogram([[0]], [[0]]))
    with pytest.warns(DeprecationWarning, match="Difference.clues_told is now called differing_"):
        assert difference.clues_told() == difference.differing_clues() != []


def test_the_description_of_an_error_by_its_old_name() -> None:
    error = nonosat.PuzzleError("a fact")
    with pytest.warns(DeprecationWarning, match="PuzzleError.told is now called description"):
        assert error.told(str) == error.description(str) == "a fact"
