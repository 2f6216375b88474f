"""Explanations: every step is sound, and the steps end with all certain cells.

Every bundled unique puzzle up to 60x60 (ten minutes) is explained and each step verified with
NONOSAT_FUZZ=100 python -m pytest tests/test_explain.py; a quick run takes a few of them.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nonosat
from helpers.clocks import Clock
from helpers.drawing import FUZZ, examples
from helpers.explained import assert_explained
from nonosat import _core, formats
from nonosat.core.errors import LimitReached, UnsupportedError
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import Limits, Watch, left_of
from nonosat.core.model import Block, Clue
from nonosat.core.result import Verdict
from nonosat.explain import TECHNIQUES, Explanation, explain, rate
from nonosat.explain.explanation import NAMES
from nonosat.explain.nonogram.knowledge import Impossible, Knowledge
from nonosat.explain.nonogram.solver import Reasoner
from nonosat.explain.nonogram.step import GRADES
from nonosat.puzzles.nonogram.data import Colour, Nonogram, from_grid, mono
from nonosat.testing import oracles
from nonosat.testing.strategies import clues, puzzles

INSTANCES = Path(__file__).parent.parent / "instances"
FEW = [
    "pictures.jsonl#smile",
    "pictures.jsonl#cup",
    "colour.jsonl#butterfly",
    "colour.jsonl#steps-colour",
    "special.jsonl#duck-blots",
    "special.jsonl#melon-blots",
    "special.jsonl#exchanged-8",
    "hard.jsonl#steps-8",
    "domino.jsonl#domino-12",
    "random.jsonl#random-20-21",
]


def bundled() -> list[str]:
    """Unique puzzles up to 60x60."""
    with (INSTANCES / "index.csv").open() as file:
        rows = list(csv.DictReader(file))
    fits = (row for row in rows if max(int(row["height"]), int(row["width"])) <= 60)
    fits = (row for row in fits if row["family"] == "nonogram")
    return [f"{row['file']}#{row['id']}" for row in fits if row["verdict"] == "unique"]


# Whole explanations


@pytest.mark.thorough
@pytest.mark.parametrize("name", FEW if FUZZ == 1 else sorted({*FEW, *bundled()}))
def test_bundled_puzzles_are_explained(name: str) -> None:
    puzzle = nonosat.load(INSTANCES / name)
    found = explain(puzzle)
    assert_explained(found)
    assert found.verdict is nonosat.check(puzzle).verdict
    assert (UNKNOWN not in found.grid.cells) == (found.verdict is Verdict.UNIQUE)


@given(puzzle=puzzles(max_cells=30))
@examples(40)
def test_explanations_end_with_all_certain_cells(puzzle: Nonogram) -> None:
    found = explain(puzzle)
    assert_explained(found)
    solutions = oracles.solutions(puzzle, limit=2)
    expected = (Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE)[len(solutions)]
    assert found.verdict is expected
    assert bool(found.reason) == (expected is not Verdict.UNIQUE)
    if expected is Verdict.UNIQUE:
        assert found.grid.cells in solutions


@given(puzzle=puzzles(max_cells=30, max_colours=1))
@examples(15)
def test_open_cells_of_ambiguous_puzzles_differ(puzzle: Nonogram) -> None:
    found = explain(puzzle)
    solutions = oracles.solutions(puzzle)
    if found.verdict is Verdict.MULTIPLE:
        for place, value in enumerate(found.grid.cells):
            values = {cells[place] for cells in solutions}
            assert values == {value} if value != UNKNOWN else len(values) > 1


def test_guess_that_no_search_confirms() -> None:
    """If the search may not refute anything, `check` confirms the guess."""
    from nonosat.explain.nonogram import guessing

    puzzle = nonosat.load(INSTANCES / "random.jsonl#random-20-21")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guessing, "ROUNDS", (("gain", 1, 1),))
        found = explain(puzzle)
    assert not all(step.is_proven for step in found.steps)
    told = [step.sentence for step in found.steps if step.technique == "guess"]
    why = (
        "A guess, because neither a line nor a single assumption, followed line by line, settles "
        "a cell: "
    )
    assert all(sentence.startswith(why) for sentence in told)
    assert any("did not refute the opposite" in sentence for sentence in told)
    assert found.verdict is Verdict.UNIQUE


def test_steps_are_sentences() -> None:
    puzzle = mono([[2], [], [1, 1]], [[1, 1], [1], [1]])
    assert [step.sentence for step in explain(puzzle).steps] == [
        "Row 2 (clue 0) has no blocks, so cells 1-3 are empty.",
        "Row 3 (clue 1 1): wherever the blocks go, they cover cells 1 and 3; no block can reach "
        "cell 2, so it is empty.",
        "Column 1 (clue 1 1): wherever the blocks go, they cover cell 1.",
        "Row 1 (clue 2): wherever the block goes, it covers cell 2.",
        "Row 1 (clue 2) has both its filled cells already, so cell 3 is empty.",
    ]


def test_coloured_steps_name_the_colours() -> None:
    puzzle = Nonogram(
        rows=((Block(2, 1), Block(1, 2)),),
        columns=((Block(1, 1),), (Block(1, 1),), (Block(1, 2),), ()),
        colours=(Colour("red", "#ff0000"), Colour("blue", "#0000ff")),
    )
    assert [step.sentence for step in explain(puzzle).steps[:2]] == [
        "Column 4 (clue 0) has no blocks, so cell 1 is empty.",
        "Row 1 (clue 2 red, 1 blue): wherever the blocks go, they cover cell 2 in red.",
    ]


def test_parallel_lines_are_named() -> None:
    found = explain(nonosat.load(INSTANCES / "pictures.jsonl#smile"))
    first = found.steps[0]
    assert first.technique == "parallel lines"
    assert first.sentence == (
        "If cell (1, 1) were filled, column 1 (clue 4) and then rows 1 and 5 would leave no room "
        "for column 6 (clue 1 1 1 1), so cell (1, 1) is empty."
    )


def test_both_alternatives_are_named() -> None:
    rows = ["....##", "#.#.#.", "...#.#", "...##.", "##....", ".##..."]
    cells = bytes(sign == "#" for row in rows for sign in row)
    found = explain(from_grid(Grid(6, 6, cells)))
    assert_explained(found)
    steps = [step for step in found.steps if step.technique == "either way"]
    assert steps[0].sentence == (
        "Whether cell (3, 2) is empty or filled, it follows line by line that cell (4, 3) is empty."
    )


def test_limits_hold(clock: Clock) -> None:
    clock.step_s = 0.02
    found = explain(nonosat.load(INSTANCES / "domino.jsonl#domino-20"), time_limit_s=0.3)
    assert found.verdict is Verdict.UNKNOWN
    assert found.reason == "time limit of 0.3 s"


def test_no_time_left_is_a_limit() -> None:
    """It is not reported as an option out of range of the pipeline."""
    assert left_of(Watch(Limits(memory_mib=9))) == {"time_limit_s": None, "memory_limit_mib": 9}
    with pytest.raises(LimitReached, match="time limit of 1e-09 s"):
        left_of(Watch(Limits(time_s=1e-9)))


def test_limits_out_of_range_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="time limit"):
        explain(mono([[1]], [[1]]), time_limit_s=-1)


# Rules for one line


@pytest.mark.parametrize(("length", "num_colours"), [(1, 1), (3, 1), (6, 1), (3, 2)])
def test_rules_are_sound(length: int, num_colours: int) -> None:
    """On every short line, every rule against enumeration; each rule finds something."""
    useful: set[str] = set()
    for clue in oracles.clues(length, num_colours):
        placed = [(p, oracles.paint(clue, length, p)) for p in oracles.placements(clue, length)]
        for known in oracles.partials(length, num_colours):
            useful |= _checked(clue, known, num_colours, oracles.support_of(placed, known))
    if length >= 3:
        rules = set(_core.line_rules())
        assert useful == (rules if num_colours == 1 else rules - {"splitting"})


def settled_by(technique: str, clue: Clue, may: list[bytes]) -> dict[int, int]:
    """Return the cells of a line that a rule settles; `may` holds a byte a cell for each value."""
    width = len(may[0])
    inks = ["empty", *"abc"[: len(may) - 1]]
    words = _core.Words(1, width, inks, True, [clue, *[()] * width])
    found = _core.settled_by(technique, width, clue, may, words)
    return {} if found is None else dict(found[0])


def _checked(
    clue: Clue, known: oracles.Known, num_colours: int, support: oracles.Support | None
) -> set[str]:
    """Rules that find something in a line."""
    if support is None:
        return set()
    cells = bytes(next(iter(v)) if len(v) == 1 else UNKNOWN for v in known)
    may = [bytes(value in values for values in known) for value in range(num_colours + 1)]
    useful = set()
    for name in _core.line_rules():
        if values := settled_by(name, clue, may):
            useful.add(name)
            for place, value in values.items():
                assert cells[place] == UNKNOWN
                assert support.values[place] == {value}, (name, clue, known)
    return useful


@given(clue=clues(max_length=8, max_colours=1, unknown=False), data=st.data())
@examples(50)
def test_ranges_are_the_slides_rules(clue: Clue, data: st.DataObject) -> None:
    """Ranges, and the empty cells that they imply, equal those of `study._rules` for one colour."""
    from nonosat.study._rules import outside_shrunk_ranges, ranges, shrunk_ranges

    cells = bytes(data.draw(st.lists(st.sampled_from([UNKNOWN, 0, 1]), min_size=8, max_size=8)))
    known = [frozenset({0, 1} if value == UNKNOWN else {value}) for value in cells]
    if oracles.line_support(clue, known) is None:
        return
    may = [bytes(value in values for values in known) for value in (0, 1)]
    lengths = tuple(block.length or 0 for block in clue)
    outside = outside_shrunk_ranges(lengths, cells)
    spans = shrunk_ranges(lengths, cells, ranges(lengths, 8) or [])
    assert outside is not None
    assert spans is not None
    filled = {
        cell
        for length, span in zip(lengths, spans, strict=True)
        for cell in range(span.stop - length, span.start + length)
        if cells[cell] == UNKNOWN
    }
    assert settled_by("ranges", clue, may) == {**dict.fromkeys(filled, 1), **outside}


@given(puzzle=puzzles(max_cells=30))
@examples(10)
def test_easier_rules_come_first(puzzle: Nonogram) -> None:
    """An assumption is made only if no line yields more."""
    from helpers.explained import ONE_LINE, State

    state = State(puzzle)
    for step in explain(puzzle).steps:
        if step.technique not in ONE_LINE:
            lines = range(puzzle.height + puzzle.width)
            supported = [state.supported(line) for line in lines]
            assert all(
                state.may[place] == values
                for found in supported
                if found is not None
                for place, values in found.items()
            )
        state.take(step)


# Ratings


@given(puzzle=puzzles(max_cells=60))
@examples(30)
def test_the_easiest_step_of_all_lines_is_taken(puzzle: Nonogram) -> None:
    """Even though lines are examined only as closely as necessary: each is examined fully here."""
    known = Knowledge(puzzle)
    reasoner = Reasoner(puzzle, known, Watch(Limits()))
    while True:
        lines = range(len(known.clues))
        if any(known.implied(line) is None for line in lines):
            with pytest.raises(Impossible):
                reasoner.line_step()
            return
        steps = [found for line in lines if (found := _easiest(known, line))]
        step = reasoner.line_step()
        if step is None:
            assert not steps
            return
        *_, line, technique = min(steps)
        assert (step.lines, step.technique) == ((line,), technique)


def _easiest(known: Knowledge, line: int) -> tuple[int, int, int, int, str] | None:
    """Return the difficulty of a line's easiest step, the line, and the technique."""
    implied = known.implied(line)
    if not implied:
        return None
    clue, planes = known.clues[line], known.planes(line)
    slack = len(planes[0]) - sum(block.length or 1 for block in clue) - max(len(clue) - 1, 0)
    num_open = sum(sum(column) > 1 for column in zip(*planes, strict=True))
    gone = len(implied)
    technique = "complete line"
    for name in _core.line_rules():
        if values := settled_by(name, clue, planes):
            technique, gone = name, sum(sum(plane[at] for plane in planes) - 1 for at in values)
            break
    return [*TECHNIQUES].index(technique), min(num_open, slack), -gone, line, technique


def test_every_technique_has_a_grade() -> None:
    assert list(GRADES) == list(TECHNIQUES)
    assert {*GRADES.values(), 0} == set(NAMES)


@pytest.mark.parametrize(
    ("name", "difficulty", "word"),
    [
        ("special.jsonl#blank", 1.9, "very easy"),
        ("pictures.jsonl#cat", 2.3, "easy"),
        ("pictures.jsonl#smile", 5.0, "hard"),
        ("hard.jsonl#steps-4", 6.1, "very hard"),
        ("hard.jsonl#steps-8", 7.6, "extremely hard"),
        ("random.jsonl#random-20-21", 8.0, "beyond reasoning"),
    ],
)
def test_ratings(name: str, difficulty: float, word: str) -> None:
    puzzle = nonosat.load(INSTANCES / name)
    found = rate(puzzle)
    assert (found.difficulty, found.name) == (difficulty, word)
    assert found == rate(puzzle)
    assert sum(found.cells.values()) == puzzle.height * puzzle.width


@pytest.mark.parametrize(
    ("name", "verdict"), [("switch", Verdict.MULTIPLE), ("crossed", Verdict.UNSOLVABLE)]
)
def test_puzzles_that_are_not_unique_have_no_rating(name: str, verdict: Verdict) -> None:
    found = rate(nonosat.load(INSTANCES / f"special.jsonl#{name}"))
    assert (found.difficulty, found.name, found.verdict) == (None, "", verdict)
    assert found.reason


def test_given_cells_alone_are_no_difficulty() -> None:
    puzzle = mono([[1]], [[1]], given=((0, 0, 1),))
    assert rate(puzzle).difficulty == 0.0


@given(puzzle=puzzles(max_cells=20))
@examples(10)
def test_grade_is_the_hardest_step(puzzle: Nonogram) -> None:
    found: Explanation = explain(puzzle)
    rating = rate(puzzle)
    if rating.difficulty is not None:
        hardest = max((GRADES[step.technique] for step in found.steps), default=0)
        assert int(rating.difficulty) == hardest


def test_formats_of_values_are_the_puzzles_own() -> None:
    """JSON data name cells with the puzzle's symbols; `?` is an open one."""
    from nonosat.explain.nonogram.data import rows_data

    puzzle = nonosat.load(INSTANCES / "colour.jsonl#tulip")
    data = explain(puzzle).to_data()
    signs = {sign for step in data["steps"] for _, _, sign in step["settled"]}
    assert signs <= set(puzzle.symbols)
    assert data["grid"] == nonosat.check(puzzle).solution.lines(puzzle.symbols)
    assert rows_data(puzzle, bytes([UNKNOWN]) * puzzle.width) == ["?" * puzzle.width]


def test_all_bundled_names_exist() -> None:
    ids = {f"{path.name}#{p.about.id}" for path in INSTANCES.glob("*.jsonl") for p in _all(path)}
    assert set(FEW) <= ids
    assert set(bundled()) <= ids


def _all(path: Path) -> list[Nonogram]:
    return formats.load_all(path)


def test_one_step_is_not_called_steps() -> None:
    assert nonosat.explain(nonosat.nonogram([[1]], [[1]])).description() == "unique, 1 step"
