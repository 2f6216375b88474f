"""Marked places have the same style in every picture, and are distinguishable without colours."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import nonosat
from helpers.commands import UNSOLVABLE, put, run
from nonosat.core.presenting import Scene, States
from nonosat.explain.nonogram.step import highlights
from nonosat.puzzles.nonogram import BLACK, Colour, from_grid
from nonosat.render.figures import figure, svg_of
from nonosat.render.look import ASSUMED, MARK, SEEN, WRONG, Look
from nonosat.render.shapes import Group, outlines
from test_render_shapes import operators

__all__ = ["put"]  # a fixture

SVG = "{http://www.w3.org/2000/svg}"
PUZZLE = nonosat.nonogram([[2], [1, 1], []], [[2], [1], [1]])


def paths(text: str, colour: str) -> list[str]:
    """Data of all paths in a colour."""
    found = ET.fromstring(text).iter(f"{SVG}path")
    return [one.get("d", "") for one in found if colour in (one.get("stroke"), one.get("fill"))]


def places(data: str) -> list[tuple[int, int]]:
    """Cells that contain outlines."""
    return [
        (int(min(y for _, y in corners)), int(min(x for x, _ in corners)))
        for corners, _ in outlines(data)
    ]


def test_each_state_of_a_cell_has_a_colour_and_a_shape_of_its_own() -> None:
    cells = {MARK: (0, 0), WRONG: (1, 1), ASSUMED: (2, 2)}
    states = States(wrong=[(1, 1)], assumed=[(2, 2)])
    text = svg_of(Scene(PUZZLE, None, [(0, 0)], states=states))
    shapes = []
    for colour, (row, column) in cells.items():
        data = paths(text, colour)
        assert {place for part in data for place in places(part)} == {(row, column)}
        moved = [re.sub(r"M(\d)(\.\d+) (\d)(\.\d+)", r"M\2 \4", part) for part in data]
        shapes.append("".join(moved))
    assert len(set(shapes)) == 3  # a ring, one crossed through, a small one
    assert "stroke-dasharray" in text


def test_clues_that_contradict_each_other_are_framed() -> None:
    clash = nonosat.contradiction(nonosat.nonogram([[2], []], [[1], [2]]))
    assert clash.lines == (1, 3)
    for clues, boxes in (("once", 2), ("both-sides", 4), ("none", 2)):
        look = Look(clues=clues, states=clash.scene().states)  # type: ignore[arg-type]
        drawn = figure(clash.puzzle, None, (), look)
        board = drawn.shapes[0]
        assert isinstance(board, Group)
        (data,) = [shape.data for shape in board.shapes if getattr(shape, "stroke", "") == WRONG]
        found = [corners for corners, _ in outlines(data)]
        assert len(found) == boxes
        for corners in found:
            xs, ys = [x for x, _ in corners], [y for _, y in corners]
            is_row = 20 < min(ys) < max(ys) < 40
            is_column = 20 < min(xs) < max(xs) < 40
            assert is_row or is_column
            if clues == "none":
                continue
            across = xs if not is_column else ys
            assert max(across) < 0 or min(across) > 40  # next to the board, around the numbers
            assert -board.x < min(xs)
            assert max(xs) < drawn.width - board.x
            assert max(ys) < drawn.height - board.y
    assert len(paths(svg_of(clash), WRONG)) == 1


def test_a_board_in_progress_has_clues_crosses_and_fills() -> None:
    state = nonosat.Grid.of_rows(["##.", "?.?", "???"], ".#")
    text = svg_of(Scene(PUZZLE, state))
    numbers = [node.text for node in ET.fromstring(text).iter(f"{SVG}text")]
    assert sorted(filter(None, numbers)) == ["0", *["1"] * 4, "2", "2"]
    crosses = [data for data in re.findall(r'd="([^"]*)"', text) if ".3l.4 .4" in data]
    assert [{*places(data)} for data in crosses] == [{(0, 2), (1, 1)}]
    assert re.findall(r'crispEdges" d="([^"]*)"', text) == ["M0 0h2v1h-2z"]
    whole = nonosat.Grid.of_rows(["##.", "#.#", "..."], ".#")
    assert "<text" not in svg_of(Scene(PUZZLE, whole)).replace("<text x=", "", 1)


def test_a_hint_shows_lines_and_cells_of_its_step_or_wrong_cells() -> None:
    found = nonosat.hint(PUZZLE)
    assert found.step is not None
    text = svg_of(found)
    (rings,) = paths(text, MARK)
    assert {*places(rings)} == {cell[:2] for cell in found.step.settled}
    (tints,) = paths(text, SEEN)
    assert len([*outlines(tints)]) == len(found.step.lines)
    wrong = nonosat.hint(PUZZLE, "#?#\n???\n???")
    rings, slashes = paths(svg_of(wrong), WRONG)[:2]
    assert {*places(rings)} == {*places(slashes)} == {(0, 2)}
    assert wrong.sentence in "".join(ET.fromstring(svg_of(wrong)).itertext())


def test_groups_have_letters_in_black_and_white_and_in_colours() -> None:
    inks = (Colour("r", "#ff0000"), Colour("b", "#2060d0"))
    for colours in ((), inks):
        grid = nonosat.Grid(3, 3, bytes([1, 0, 0, 0, 1, 0, 0, 0, max(1, len(colours))]))
        puzzle = from_grid(grid, colours or (BLACK,))
        found = nonosat.why_multiple(puzzle)
        cells = {cell for switch in found.switches for cell in switch.cells}
        texts = [*ET.fromstring(svg_of(found)).iter(f"{SVG}text")]
        letters = [node for node in texts if node.text == "A"]
        assert {
            (int(float(node.get("y", "")) / 20), int(float(node.get("x", "")) / 20))
            for node in letters
        } == cells
        assert len(letters) == len(cells) >= 4


def test_storyboards_and_check_show_which_clues_contradict(put: Any) -> None:
    path = put(UNSOLVABLE)
    done = run("check", path, "--why", "--svg", "a.svg")
    assert done.exit_code == 4
    assert len(paths(Path("a.svg").read_text(), WRONG)) == 1
    assert run("check", path, "--svg", "b.svg").exit_code == 4
    assert not paths(Path("b.svg").read_text(), WRONG)
    assert run("explain", path, "--svg", "c.svg").exit_code == 4
    assert len(paths(Path("c.svg").read_text(), WRONG)) == 1
    assert run("render", path, "--why", "-o", "d.pdf").exit_code == 4
    assert "clues that contradict" in operators(Path("d.pdf").read_bytes())


def test_assumptions_and_lines_of_a_step_are_marked() -> None:
    found = nonosat.explain(
        nonosat.load(Path(__file__).parents[1] / "instances/pictures.jsonl#smile")
    )
    step = next(step for step in found.steps if step.assumed is not None)
    marked, caption, states = highlights(step, "told")
    assert (marked, caption) == ([cell[:2] for cell in step.settled], "told")
    assert step.assumed is not None
    assert states == States(assumed=[step.assumed[:2]], seen=step.lines)


def test_an_explanation_is_drawn_at_a_chosen_step(put: Any) -> None:
    path = put({"rows": [[2], [1]], "columns": [[1], [2]], "id": "corner"})
    steps = nonosat.explain(nonosat.load(path)).steps
    for number, step in enumerate(steps, start=1):
        done = run("explain", path, "--svg", "a.svg", "--at", str(number), "--force")
        assert done.exit_code == 0
        text = Path("a.svg").read_text()
        assert f"corner, step {number} of {len(steps)}: {step.sentence}"[:60] in text
        assert {*places(paths(text, MARK)[0])} == {cell[:2] for cell in step.settled}
    done = run("explain", path, "--svg", "b.svg", "--at", str(len(steps) + 1))
    assert done.exit_code == 2
    assert f"the explanation has {len(steps)} steps" in done.stderr
    assert not Path("b.svg").exists()
