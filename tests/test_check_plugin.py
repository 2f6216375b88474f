"""`check_plugin` finds the faults of plug-ins that were made wrong, and names them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from nonosat.clauses.cnf import Cnf
from nonosat.core import plugins
from nonosat.core.errors import FormatError, UnsupportedError
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import Watch
from nonosat.core.model import Block, Line
from nonosat.core.plugins import Encoding, Ending, Strength
from nonosat.encodings import count_sequential, line_order, loop_cut_sets
from nonosat.formats import jsonl, mk
from nonosat.formulations import count_linear, line_automaton, loop_circuit
from nonosat.puzzles import queens
from nonosat.puzzles.knight import Knight
from nonosat.puzzles.nonogram import from_grid, mono
from nonosat.puzzles.queens import Placement, Queens
from nonosat.puzzles.slitherlink import from_rows
from nonosat.testing import check_plugin, encodings

BOARDS = [Queens(4), Queens(4, given=((0, 1),)), Queens(5), Queens(3), Queens(1)]
PUZZLES = {
    "queens": BOARDS,
    "knight": [Knight(3, 4), Knight(3, 4, closed=True), Knight(1, 1), Knight(3, 3)],
    "slitherlink": [
        from_rows(["3.", ".."]),
        from_rows(["22", "22"]),
        from_rows(["44"]),
        replace(from_rows([".2", ".."]), given=bytes([1, *[UNKNOWN] * 10, 0])),
        replace(from_rows(["."]), given=bytes([1, 0, UNKNOWN, UNKNOWN])),
    ],
    "nonogram": [
        mono([[1], [1]], [[1], [1]]),
        mono([[2], [1]], [[2], [1]]),
        mono([[1], [2]], [[2], [1]]),
        mono([[1, 1]], [[1], [1], []]),
        mono([[None]], [[1], [], [None]], given=((0, 0, 1),)),
    ],
}
ANY = [puzzle for some in PUZZLES.values() for puzzle in some]
PICTURE = from_grid(Grid(2, 3, b"\1\0\1\1\1\0"))


@pytest.mark.parametrize("name", PUZZLES)
def test_our_families_keep_their_contract(name: str) -> None:
    check_plugin(name, "puzzles", puzzles=PUZZLES[name])


@pytest.mark.thorough
@pytest.mark.parametrize("name", plugins.names("formats"))
def test_our_formats_keep_their_contract(name: str) -> None:
    check_plugin(name, "formats", puzzles=[PICTURE, *ANY])


# Encodings


def wrong_encoding(encode: Callable[[Any, Any], Any], **changes: Any) -> Encoding:
    return line_order.PLUGIN.replaced(encode=encode, **changes)


def too_weak(line: Line, sink: Any) -> None:
    """Leaves out the last clause."""
    cnf = Cnf(len(line) * line.num_colours)
    line_order.encode(line, cnf)
    sink.new_vars(cnf.num_vars - len(line) * line.num_colours)
    for clause in list(cnf)[:-1]:
        sink.add(clause)


def too_strong(line: Line, sink: Any) -> None:
    line_order.encode(line, sink)
    if line.blocks == (Block(1),):
        sink.add((-line.cells[0][0],))


def greedy(line: Line, sink: Any) -> None:
    line_order.encode(line, sink)
    sink.add((sink.new_var(), -sink.new_var()))


def thief(line: Line, sink: Any) -> None:
    line_order.encode(line, sink)
    sink.add((1000, -1000))


def stranger(line: Line, sink: Any) -> None:
    line_order.encode(line, sink)
    sink.add((0,))


def speaker(line: Line, sink: Any) -> None:
    line_order.encode(line, sink)
    sink.add(("a",))


def changer(line: Line, sink: Any) -> None:
    line_order.encode(line, sink)
    object.__setattr__(line, "filled", frozenset({0}))


def gambler(line: Line, sink: Any) -> None:
    line_order.encode(line, sink)
    if next(coin):
        sink.add(line.cells[0])
        sink.add([-lit for lit in line.cells[0]])


coin = cycle((False, True))


def returner(line: Line, sink: Any) -> str:
    line_order.encode(line, sink)
    return "done"


def refuser(line: Line, sink: Any) -> None:
    raise UnsupportedError("no")


@pytest.mark.parametrize(
    ("encoding", "message"),
    [
        (wrong_encoding(too_weak), r"its clauses allow .*, which the constraint forbids \(Line"),
        (wrong_encoding(too_strong), "its clauses forbid .*, which the constraint allows"),
        (wrong_encoding(greedy), r"models for \d+ solutions, but it declares `determined`"),
        (wrong_encoding(thief), "it uses variable 1000, which its sink has not allocated"),
        (wrong_encoding(stranger), r"it adds the clause \(0,\), expected no 0 among its literals"),
        (wrong_encoding(speaker), r"it adds the clause \('a',\), expected literals, which are"),
        (wrong_encoding(changer), "it changes the constraint that it is given into Line"),
        (wrong_encoding(gambler), "other clauses of the same constraint the second time"),
        (wrong_encoding(returner), "it returns 'done', expected None or a refiner"),
        (wrong_encoding(refuser), "it refuses every line"),
        (wrong_encoding(lambda line, sink: 1 / 0), "ZeroDivisionError: division by zero"),
        (
            line_order.PLUGIN.replaced(strength=Strength.COMPLETE),
            r"unit propagation from \[\] misses \[-3, -4\]",
        ),
        (
            line_order.PLUGIN.replaced(size=plugins.SizeFormula("k*s", "k*s")),
            r"\d+ clauses at .*, but its declared size is k\*s = ",
        ),
        (line_order.PLUGIN.replaced(source=""), "its summary, source or size is empty"),
    ],
)
def test_wrong_encodings_are_found(encoding: Encoding, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_plugin(encoding, "encodings", "line-mine")


def test_a_size_with_another_letter_is_reported() -> None:
    with pytest.raises(AssertionError, match=r"its size is 'k\*m', expected arithmetic"):
        encodings.value("k*m", n=1, k=2)


def test_no_check_is_left_out_if_python_runs_without_assertions() -> None:
    for path in Path(encodings.__file__).parent.glob("*.py"):
        checks = re.search("^from nonosat.testing.contract import", path.read_text(), re.MULTILINE)
        found = [
            one for one in ast.walk(ast.parse(path.read_text())) if isinstance(one, ast.Assert)
        ]
        assert not (checks and found), path


def test_wrong_counts_and_loops_are_found() -> None:
    def off_by_one(count: Any, sink: Any) -> None:
        count_sequential.encode(replace(count, upper=count.upper - 1), sink)

    wrong = count_sequential.PLUGIN.replaced(encode=off_by_one)
    with pytest.raises(AssertionError, match="its clauses forbid"):
        check_plugin(wrong, "encodings", "count-mine")

    def contented(loop: Any, sink: Any) -> Any:
        loop_cut_sets.encode(loop, sink)
        return lambda values: ()

    with pytest.raises(AssertionError, match="models remain, but there are"):
        check_plugin(loop_cut_sets.PLUGIN.replaced(encode=contented), "encodings", "loop-contented")

    def too_eager(loop: Any, sink: Any) -> Any:
        refine = loop_cut_sets.encode(loop, sink)
        return lambda values: [*refine(values), [-1]]

    with pytest.raises(AssertionError, match="its refiner adds"):
        check_plugin(loop_cut_sets.PLUGIN.replaced(encode=too_eager), "encodings", "loop-eager")


def test_the_name_states_the_kind_of_constraint() -> None:
    with pytest.raises(AssertionError, match=r"its name is \'mine\', expected line-..., count-"):
        check_plugin(line_order.PLUGIN, "encodings", "mine")


# Formulations


@pytest.mark.parametrize(
    ("name", "of"),
    [("line-a", line_automaton), ("count-a", count_linear), ("loop-a", loop_circuit)],
)
def test_wrong_formulations_are_found(name: str, of: Any) -> None:
    with pytest.raises(AssertionError, match=r"it allows \(.*, which the constraint forbids"):
        check_plugin(
            of.PLUGIN.replaced(formulate=lambda constraint, context: None), "formulations", name
        )

    def twice(constraint: Any, context: Any) -> None:
        of.formulate(constraint, context)
        context.model.new_bool_var("")

    with pytest.raises(AssertionError, match=r"CP-SAT finds \d+ solutions, there are \d+"):
        check_plugin(of.PLUGIN.replaced(formulate=twice), "formulations", name)


# Formats and families


@pytest.mark.parametrize(
    ("format_", "message"),
    [
        (mk.PLUGIN.replaced(read=lambda data: [mono([[1]], [[1]])]), "it reads another puzzle"),
        (mk.PLUGIN.replaced(write=lambda puzzles: b"nothing"), "it cannot read its own output"),
        (mk.PLUGIN.replaced(read=lambda data: [1 / 0]), "ZeroDivisionError"),
        (
            jsonl.PLUGINS["jsonl"].replaced(
                write=lambda puzzles: (
                    jsonl.write([puzzle for puzzle in puzzles if puzzle.height])
                    if len(puzzles) == 1
                    else jsonl.write(puzzles[1:])
                )
            ),
            "puzzles were written, .* are read",
        ),
        (mk.PLUGIN.replaced(sniff=lambda data: data[:1]), "`sniff` does not return a bool"),
        (mk.PLUGIN.replaced(by_line=lambda head: True), "each line is a puzzle"),
    ],
)
def test_wrong_formats_are_found(format_: plugins.Format, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_plugin(
            format_, "formats", "mine", [mono([[1], [1]], [[1], [1]]), mono([[2]], [[1], [1]])]
        )


def test_a_format_that_takes_anything_is_found() -> None:
    def read(data: bytes) -> Any:
        try:
            return mk.PLUGIN.read(data)
        except FormatError:
            return [PICTURE]

    with pytest.raises(AssertionError, match="it reads a puzzle in invalid bytes"):
        check_plugin(mk.PLUGIN.replaced(read=read), "formats", "mine", [PICTURE])
    with pytest.raises(AssertionError, match="no puzzles were given, expected some that it holds"):
        check_plugin(mk.PLUGIN, "formats", "mine")


def other_methods(*placements: Placement) -> dict[str, Any]:
    def method(puzzle: Queens, watch: Watch, seed: int) -> Any:
        yield from placements
        return Ending(True)

    return {"method": method}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"refutation": lambda puzzle, solution: None}, "its verifier accepts a solution that"),
        (
            {"refutation": lambda puzzle, solution: "no"},
            "its verifier refutes a solution",
        ),
        (
            {"decode": lambda puzzle, values: Placement((0,) * puzzle.n)},
            "its verifier refutes a solution",
        ),
        (
            {"obstacle": lambda puzzle: "none"},
            "`obstacle` returns 'none' for a puzzle with solutions",
        ),
        (
            {"fast_path": lambda puzzle: Placement((1, 3, 0, 2))},
            "`fast_path` sees the only",
        ),
        ({"count": lambda puzzle, watch, jobs: (7, True)}, "`count` returns 7, there are 2"),
        ({"methods": other_methods(Placement((0, 0, 0, 0)))}, "or a wrong one"),
        ({"methods": other_methods(Placement((1, 3, 0, 2)))}, "ends after 1 of 2 solutions"),
        ({"to_data": lambda puzzle: {"title": puzzle.about.title}}, "differs with the title"),
        ({"from_data": lambda data: Queens(4)}, "`from_data` makes"),
    ],
)
def test_wrong_families_are_found(
    changes: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in changes.items():
        monkeypatch.setitem(vars(queens.PLUGIN), name, value)
    with pytest.raises(AssertionError, match=message):
        check_plugin("queens", "puzzles", puzzles=BOARDS)


def test_puzzles_of_another_family_are_refused() -> None:
    with pytest.raises(AssertionError, match="a puzzle of another family"):
        check_plugin("queens", "puzzles", puzzles=PUZZLES["knight"])
    with pytest.raises(AssertionError, match="no puzzles were given"):
        check_plugin("queens", "puzzles")


@pytest.mark.slow
def test_a_module_is_checked_by_its_name() -> None:
    check_plugin(count_sequential, "encodings")
    with pytest.raises(UnsupportedError, match="theirs is not a plug-in of encodings"):
        check_plugin(ModuleType("theirs"), "encodings", "line-theirs")
