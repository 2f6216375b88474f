"""Formats: saved states of progress, and messages about many colours."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nonosat import formats
from nonosat.core.errors import FormatError
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.puzzles.nonogram.data import About, Colour, from_grid, mono
from nonosat.solving.pipeline import check


@pytest.mark.parametrize("name", ["jsonl", "webpbn"])
def test_a_message_names_few_of_many_colours(name: str) -> None:
    colours = tuple(Colour(f"ink {k}", f"#{k:06x}") for k in range(1, 201))
    text = formats.write([from_grid(Grid(1, 1, b"\1"), colours)], name).decode()
    if name == "jsonl":
        bad = text.replace('[1,"ink 1"]', '[1,"ink"]', 1)
    else:
        bad = text.replace('<count color="ink 1">', '<count color="ink">', 1)
    with pytest.raises(FormatError) as caught:
        formats.read(bad.encode(), format=name)
    message = caught.value.message
    assert "undefined colour 'ink'; defined: ink 1, ink 2, " in message
    assert message.endswith(", ink 8 and 192 more")


def test_a_saved_state_is_no_clue_and_a_choice_of_colours_is_unknown() -> None:
    text = "<puzzle><solution><image>|X.X|</image></solution>" + "".join(
        f"<solution type='saved'><image>{image}</image></solution>"
        for image in ("|.[X.]X|", "|???|")
    )
    (puzzle,) = formats.read(f"{text}</puzzle>".encode())
    states = (Grid(1, 3, bytes([0, UNKNOWN, 1])), Grid(1, 3, bytes([UNKNOWN] * 3)))
    assert puzzle == replace(from_grid(Grid(1, 3, b"\1\0\1"), about=About(id="1")), saved=states)


@pytest.mark.parametrize("name", ["json", "jsonl", "non", "webpbn", "nin", "mk"])
def test_a_saved_state_that_is_wrong_changes_no_verdict(name: str) -> None:
    puzzle = mono([[1], []], [[1], []], saved=(Grid(2, 2, bytes([0, 1, UNKNOWN, 1])),))
    (back,) = formats.read(formats.write([puzzle], name), format=name)
    assert back.saved == (() if name in ("nin", "mk") else puzzle.saved)
    assert [str(grid) for grid in check(back).solutions] == ["#.\n.."]
