"""The documents' experiments, run again: counts are right, and the reports contain them.

Times are measured, never asserted; counts are deterministic and are checked by other means.
"""

from __future__ import annotations

import json
import re
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest

from nonosat import Grid
from nonosat.bench.report.drawing import styled
from nonosat.core.wording import listed
from nonosat.puzzles.nonogram import Colour, Nonogram, from_grid, mono
from nonosat.study._grid import PlainBoard, SolveCounters, alternate, by_index, by_score
from nonosat.study._lines import FILLED, UNKNOWN, Meter
from nonosat.study._painting import by_branches, by_memory
from nonosat.study._rules import RULES
from nonosat.study.experiments import (
    Data,
    Scale,
    exponents,
    growth,
    orders,
    placements,
    rules,
    states,
    terms,
)
from nonosat.study.experiments._figures import slope, spread
from nonosat.study.experiments._lines import lines_of, painted
from nonosat.study.experiments._squares import square, squares
from nonosat.study.experiments.page import _section, page
from nonosat.study.experiments.run import MOST_SIDE, ORDER, as_json, experiment, plots, suitable
from nonosat.study.experiments.run import run as run_all
from nonosat.study.experiments.text import markdown
from nonosat.study.experiments.words import WORDS
from test_study_automata import cells, clued_lines, fillings, shown, truth

ROOT = Path(__file__).parent.parent
RECORDED = ROOT / "benchmarks" / "study"
# Limits for any machine: every method solves all its puzzles.
SCALE = Scale(60, 60, num_bundled=2, sizes=3, num_timed=1, num_counted=3, counted=7, line=18)


@pytest.fixture(scope="module")
def found() -> Data:
    """Quick run, as read from a file."""
    puzzles = [square(4, 7), square(5, 7)]
    titles: list[str] = []
    data = json.loads(as_json(run_all(puzzles, True, titles.append)))
    assert titles == [experiment(name).TITLE for name in ORDER]
    return data


@pytest.fixture(scope="module")
def html(found: Data) -> str:
    return page(found)


# Puzzles and fits


def test_squares_are_drawn_by_size_and_number() -> None:
    assert square(5, 3) == square(5, 3) != square(5, 4)
    assert [puzzle.size for puzzle in squares(4, 2)] == ["4 rows x 4 columns"] * 2
    filled = sum(sum(puzzle.goal.cells) for puzzle in squares(20, 10) if puzzle.goal)
    assert 1800 < filled < 2200


def test_slopes() -> None:
    assert slope([1, 2, 3], [5, 8, 11]) == 3
    assert slope([1, 2], [5, 8]) is None


def test_only_puzzles_of_the_documents_kind_are_taken() -> None:
    large = from_grid(Grid(1, MOST_SIDE + 1, bytes(MOST_SIDE + 1)))
    blotted = mono([(None,)], [(1,)])
    unsolvable = mono([(1,), ()], [(1,), (1,)])
    coloured = from_grid(Grid(1, 2, bytes([1, 2])), (*square(2, 0).colours, _red()))
    good = square(3, 1)
    assert suitable([large, blotted, unsolvable, coloured, good, object()], quick=False) == [good]
    assert suitable([good] * 9, quick=True) == [good] * 3


def _red():
    return Colour("r", "#ff0000")


# Counted results


def test_times_grow_with_size() -> None:
    """Every method solves the small squares and the bundled puzzles, each of them timed."""
    data = growth.measure(SCALE, [square(4, 7), square(3, 7)])
    for method in growth.METHODS:
        points = data["curves"][method.name]
        assert [point["size"] for point in points] == [2, 3], method.name
        assert all(point["solved"] == 1 and point["seconds"] > 0 for point in points)
        assert len(data["bundled"][method.name]) == 2
        assert min(data["bundled"][method.name]) > 0
    assert data["bundled_cells"] == [16, 9]
    assert [row["largest side"] for row in growth.table(data)] == [3] * len(growth.METHODS)


def test_a_method_ends_where_half_of_a_size_fails() -> None:
    scale = SCALE._replace(sizes=6, limit_s=60)
    assert growth._point(growth.METHODS[0], 6, scale) is None  # 2^36 grids are refused


def settled(puzzle: Nonogram, filled_only: bool) -> int:
    """Cells that enumeration of the lines decides, to the fixpoint."""
    board = PlainBoard(puzzle)
    is_new = True
    while is_new:
        is_new = False
        for line, clue in enumerate(board.clues):
            known = board.line(line)
            right = truth(clue, known)
            assert right is not None
            if filled_only:
                pairs = zip(known, right, strict=True)
                right = bytes(new if new == FILLED else old for old, new in pairs)
            is_new |= bool(board.paint(line, right))
    return len(board.cells) - board.num_unknown()


def test_cells_found_by_each_rule() -> None:
    """Means at the slides' size, against enumeration of the placements."""
    data = rules.measure(SCALE, squares(5, 2))
    at_6 = {name: means[data["sizes"].index(6)] for name, means in data["curves"].items()}
    drawn = squares(6, SCALE.num_counted)
    empty = [sum(6 for clue in puzzle.rows if not clue) for puzzle in drawn]
    assert at_6["rule 2"] == round(sum(settled(one, True) for one in drawn) / len(drawn), 2)
    complete = sum(settled(one, False) for one in drawn) / len(drawn)
    assert at_6["complete propagation"] == round(complete, 2)
    assert at_6["rule 1"] * len(drawn) >= sum(empty)
    assert at_6["rule 1"] <= at_6["rule 4"] <= at_6["rules 3 and 4"] <= at_6["all four"]
    assert max(at_6["rule 2"], at_6["rules 3 and 4"]) <= at_6["all four"] <= complete
    assert sum(data["together"].values()) == pytest.approx(at_6["all four"], abs=0.03)
    assert len(rules.RULES) == len(RULES) == len(data["together"])
    assert data["bundled_cells"] == [25, 25]
    assert data["bundled"]["complete propagation"] == [settled(one, False) for one in squares(5, 2)]


def test_the_painter_is_as_complete_as_the_documents() -> None:
    for lengths, line in clued_lines(5):
        assert painted(line, lengths, Meter()) == by_memory(line, lengths, Meter())


def test_orders_are_compared_in_line_solves() -> None:
    """The greedy order changes nothing within passes; the counts hold for any painter."""
    data = orders.measure(SCALE, squares(6, 2))
    assert data["curves"]["greedy"] == data["curves"]["plain"]
    assert data["passes"]["greedy"] == data["passes"]["plain"]
    assert data["bundled"]["greedy"] == data["bundled"]["plain"]
    for puzzle in squares(7, 3):
        tallies = []
        for order in (by_index, by_score):
            board, tally = PlainBoard(puzzle), SolveCounters()
            assert alternate(board, range(14), by_memory, order, tally, Meter())
            tallies.append(tally)
        assert tallies[0] == tallies[1] == orders.ORDERS["plain"](puzzle)
        assert orders.one_by_one(puzzle).line_solves >= 14
    assert 1 < (orders.growth(data) or 0) < 3


def test_placements_are_counted_and_checked() -> None:
    data = placements.measure(SCALE, [])
    assert data["curves"]["1"] == [n + 1 for n in data["slacks"]]
    assert data["curves"]["2"][3] == 10
    assert data["fixed_of_8_3"] == [11, 9, 7, 5, 4, 3, 2, 1, 0]
    assert data["checked"] > 40


def test_lines_of_puzzles_are_counted() -> None:
    """Against enumeration of each of their lines."""
    drawn = squares(5, 2)
    found = placements.measure(SCALE, drawn)["lines"]["bundled puzzles"]
    lines = [fillings(clue, 5) for puzzle in drawn for clue in PlainBoard(puzzle).clues]
    assert lines_of(drawn) == [(clue, 5) for puzzle in drawn for clue in PlainBoard(puzzle).clues]
    assert found["all"] == len(lines) == 20
    assert found["single"] == sum(len(ways) == 1 for ways in lines)
    fixed = [any(all(cells) for cells in zip(*ways, strict=True)) for ways in lines]
    assert found["fixed"] == sum(fixed)
    assert max(most for _, _, most in found["by slack"]) == max(map(len, lines))


@pytest.mark.thorough
def test_clues_of_puzzles_are_determinised() -> None:
    found = states.measure(SCALE, [mono([(2, 3)], [(1,), (1,), (), (1,), (1,), (1,)])])["clues"]
    assert found["bundled puzzles"]["all"] == 3
    assert found["bundled puzzles"]["hardest"][:3] == ["2 3", 7, 36]
    assert [before for before, _, _ in found["bundled puzzles"]["by states"]] == [1, 2, 7]
    assert found["random squares"]["all"] > 10


def test_untouched_lines_of_puzzles_are_measured() -> None:
    found = exponents.measure(SCALE, [square(5, 1)])["lines"]
    clues = {clue for clue, _ in lines_of([square(5, 1)]) if clue}
    for name, paint in (("method 1", by_branches), ("the optimum", by_memory)):
        meters = []
        for clue in clues:
            meters.append(Meter())
            paint(cells("?????"), clue, meters[-1])
        mean = sum(meter.steps for meter in meters) / len(meters)
        assert found["bundled puzzles"][name] == [[5, pytest.approx(mean, abs=0.01)]]
        assert [m for m, _ in found["random squares"][name]] == [4, 5, 6, 7]


def test_the_documents_examples_are_measured() -> None:
    data = terms.measure(SCALE, [])
    assert 1.6 < (terms.base(data["curves"]["plain recursion"]) or 0) < 1.64
    assert data["curves"]["top-down memory"][9] == 19
    assert data["curves"]["bottom-up table"][9] == 11
    for _, greedy, least, every in data["trees"]:
        assert greedy == least < every
    for n, trees in ((3, 3), (4, 16), (5, 125), (6, 1296)):  # Cayley's n^(n - 2)
        assert len(terms.spanning_trees(n, terms.drawn_graph(n, 0))) == trees


def test_spreads_and_lists() -> None:
    assert spread([(2, 5), (1, 3), (2, 9), (2, 6)]) == [[1, 3, 3], [2, 6, 9]]
    assert [listed(parts) for parts in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        *("", "a", "a and b", "a, b and c")
    ]


@pytest.mark.thorough
def test_states_are_those_of_the_lists() -> None:
    data = states.measure(SCALE, [])
    assert data["2 3"][:2] == [7, 36]
    assert data["5 5 5"][:2] == [18, 692]
    assert data["curves"]["blocks of 1"][7][:2] == [16, 143]
    assert data["curves"]["blocks of 3"][4][:2] == [20, 410]
    assert data["lengths"][4] == [5, 692]


@pytest.mark.thorough
def test_states_grow_like_a_square_with_blocks_and_exponentially_with_their_length() -> None:
    data = states.measure(SCALE._replace(line=21), [])
    assert 1.8 < (states.power(data["curves"]["blocks of 1"]) or 0) < 2.1
    assert 1.8 < (states.power(data["curves"]["blocks of 2"]) or 0) < 2.2
    after = [count for _, count in data["lengths"]]
    assert all(new > 1.5 * old for old, new in pairwise(after))
    assert 0.8 < (states.bits(data["lengths"]) or 0) < 1.5


@pytest.mark.parametrize("num_cells", [8, 12, 17])
def test_the_hard_line_has_a_fixed_first_block(num_cells: int) -> None:
    lengths, line = exponents.hard_line(num_cells)
    right = truth(lengths, line)
    assert right is not None
    assert right.count(FILLED) == lengths[0] == num_cells // 4
    assert line.count(UNKNOWN) == num_cells - 1
    assert shown(right).startswith("#" * lengths[0] + ".")


@pytest.mark.slow
def test_exponents_of_a_line_lie_below_the_bounds() -> None:
    """Slip: "O(m^2)" of the optimum. Its nodes alone grow with m^3; the bases stay below 1.618."""
    data = exponents.measure(SCALE._replace(line=24), [])
    found = {
        one.name: exponents.growth(data["curves"][one.name], one) or 0 for one in exponents.METHODS
    }
    assert 2.7 < found["the optimum"] < 3.2
    for name in ("recursion T", "method 1", "method 2"):
        assert 1.4 < found[name] < 1.618
    assert found["automaton, a word"] == pytest.approx(1)
    assert found["automaton, partial line"] == pytest.approx(2, abs=0.1)


def test_steps_are_those_of_the_methods() -> None:
    lengths, line = exponents.hard_line(12)
    meter = Meter()
    by_memory(line, lengths, meter)
    by_name = {method.name: method for method in exponents.METHODS}
    assert by_name["the optimum"].steps(lengths, line) == meter.steps
    assert by_name["automaton, a word"].steps(lengths, line) == 12
    assert by_name["automaton, partial line"].steps((1,), cells("???")) == 1 + 2 + 3 - 1


# Reports


@pytest.mark.thorough
@pytest.mark.parametrize("name", ORDER)
def test_two_sentences_a_plot(found: Data, name: str) -> None:
    for plot in experiment(name).PLOTS:
        text = plot.conclusion(found["experiments"][name])
        assert len(re.findall(r"[.] (?=[A-Z])", text)) == 1, text
        assert text.endswith(".")


@pytest.mark.slow
def test_sentences_follow_the_numbers() -> None:
    """Other numbers, other words: no sentence that a run could contradict."""
    data = orders.measure(SCALE, squares(5, 2))
    bundled = orders.PLOTS[1]
    assert "exactly as many line solves as the plain one" in bundled.conclusion(data)
    counts = {**data["bundled"], "greedy": [1, 1]}
    said = bundled.conclusion({**data, "bundled": counts})
    assert "exactly" not in said
    assert "no gain" not in said
    data = growth.measure(SCALE, [square(4, 7)])
    none = {name: [None] for name in data["bundled"]}
    assert "The largest has none" in growth.PLOTS[1].conclusion({**data, "bundled": none})
    data = terms.measure(SCALE, [])
    assert "is always the cheapest" in terms.PLOTS[1].conclusion(data)
    assert "is not always" in terms.PLOTS[1].conclusion({**data, "trees": [[3, 9.0, 8.0, 10.0]]})


@pytest.mark.thorough
def test_without_bundled_puzzles_their_plots_are_left_out(found: Data) -> None:
    assert [len(plots(name, found)) for name in ORDER] == [2] * len(ORDER)
    data = {name: experiment(name).measure(SCALE, []) for name in ORDER}
    alone = json.loads(as_json({**found, "puzzles": 0, "experiments": data}))
    titles = [plot.title for name in ORDER for plot in plots(name, alone)]
    assert titles.count("On random squares") == 3
    assert "On the bundled puzzles" not in titles
    html = page(alone)
    assert html.count("<svg role=") == len(titles) == 11
    assert "bundled puzzles, median" not in html
    assert markdown(alone).count("\n**") == 11 + 3 * len(ORDER)


@pytest.mark.parametrize("name", ORDER)
def test_tables_have_the_same_columns_in_every_row(found: Data, name: str) -> None:
    rows = experiment(name).table(found["experiments"][name])
    assert rows
    assert all(list(row) == list(rows[0]) for row in rows)


def test_markdown_has_every_experiment(found: Data) -> None:
    text = markdown(found)
    for name in ORDER:
        assert f"## {experiment(name).TITLE}\n" in text
    widths = {
        tuple(len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines())
        for block in text.split("\n\n")
        if block.startswith("|")
    }
    assert all(len(set(counts)) == 1 for counts in widths)


@pytest.mark.thorough
def test_the_page_holds_a_plot_of_each_and_no_script(found: Data, html: str) -> None:
    assert html.count("<svg role=") == html.count("<h3>") == 2 * len(ORDER)
    assert "<script" not in html
    assert "script-src" not in html
    assert "default-src 'none'" in html
    assert "http://" not in html.replace("http://www.w3.org/", "")
    for name in ORDER:
        assert f'<section id="{name}">' in html
        assert f'<a href="#{name}">' in html
    assert not re.search(r"#0102\d\d|#01020[3-6]", html)  # placeholder colours are replaced
    with styled(font_size=12):
        assert _section(ORDER[0], found) in html  # drawn again, it is the same


@pytest.mark.thorough
def test_the_recorded_run_agrees_with_its_files() -> None:
    """The numbers yield the Markdown file next to them, and a page."""
    data = json.loads((RECORDED / "study.json").read_text())
    assert data["quick"] is False
    assert data["seconds"] < 300
    assert markdown(data) == (RECORDED / "study.md").read_text()
    assert len(page(data)) > 20_000


# For a reader who knows neither the documents nor the project


def test_every_experiment_states_question_and_answer(found, html) -> None:
    """Question, method and answer precede plots and tables, on the page and in Markdown."""
    recorded = json.loads((RECORDED / "study.json").read_text())
    for numbers, text in ((found, html), (found, markdown(found)), (recorded, markdown(recorded))):
        assert text.count("The question.") == len(ORDER)
        plain = unescape(text).replace("\\", "")
        for name in ORDER:
            module, data = experiment(name), numbers["experiments"][name]
            parts = [module.TITLE, module.QUESTION, module.HOW, module.answer(data)]
            parts.append(plots(name, numbers)[0].conclusion(data))
            places = [plain.rindex(part) for part in parts]
            assert places == sorted(places), name
            assert all(part.endswith((".", "?")) for part in parts)


def test_words_are_explained_before_they_are_used(html: str) -> None:
    """Every method of the tables, and the technical terms, are in the glossary."""
    explained = " ".join(word for word, _told in WORDS)
    for method in growth.METHODS:
        assert method.name in explained
    text = unescape(html)
    start = text.index("<section")
    for word, told in WORDS:
        assert text.index(f"<dt>{word}</dt>") < start
        assert text.index(told) < start
    assert "document 00" not in text
