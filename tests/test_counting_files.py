"""DIMACS files for model counters: an independent one agrees with our own counts."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given

from helpers.drawing import examples
from nonosat.export import formula_of, write_dimacs
from nonosat.puzzles.nonogram import Nonogram, mono
from nonosat.questions.counting import count
from nonosat.testing.oracles import Propagator, models
from nonosat.testing.strategies import puzzles


class CountingFile:
    """DIMACS file in the format of the model counting competition, read by its specification."""

    def __init__(self, text: str) -> None:
        self.clauses: list[list[int]] = []
        self.shown: set[int] = set()
        self.track = ""
        for line in text.splitlines():
            words = line.split()
            if words[:2] == ["c", "t"]:
                (self.track,) = words[2:]
            elif words[:3] == ["c", "p", "show"]:
                assert words[-1] == "0"
                self.shown |= set(map(int, words[3:-1]))
            elif words[:1] == ["p"]:
                self.num_vars, self.num_clauses = map(int, words[2:])
            elif words[:1] != ["c"]:
                assert words[-1] == "0"
                self.clauses.append([int(word) for word in words[:-1]])
        assert len(self.clauses) == self.num_clauses

    def counts(self) -> tuple[int, int]:
        """Return the number of models, and the number of assignments of the shown variables."""
        found = list(models(Propagator(self.clauses), self.num_vars))
        projected = {frozenset(lit for lit in model if lit in self.shown) for model in found}
        return len(found), len(projected)


def file_of(puzzle: Nonogram, encodings: dict[str, str] | None = None, **how: Any) -> CountingFile:
    stream = io.BytesIO()
    write_dimacs(formula_of(puzzle, encodings or {}, **how), stream)
    return CountingFile(stream.getvalue().decode())


@examples(35)
@given(puzzles(max_cells=12))
def test_a_counter_needs_no_projection_with_the_default_encoding(puzzle: Nonogram) -> None:
    file = file_of(puzzle)
    assert file.track == "pmc"
    assert file.counts() == (count(puzzle).count,) * 2


@pytest.mark.parametrize("presolve", ["none", "propagate", "probe"])
@pytest.mark.parametrize("encoding", ["order", "automaton", "direct", "mdd"])
def test_projected_counts_of_every_level(encoding: str, presolve: str) -> None:
    for puzzle, expected in (
        (mono([[1]] * 4, [[1]] * 4), 24),
        (
            mono([[None], [1, 1], [None]], [[None]] * 4),
            count(mono([[None], [1, 1], [None]], [[None]] * 4)).count,
        ),
    ):
        _, projected = file_of(puzzle, {"line": encoding}, presolve=presolve).counts()
        assert projected == expected
