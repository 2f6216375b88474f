"""Every backend with every encoding or formulation of loops agrees with enumeration on tours."""

from __future__ import annotations

import pytest
from hypothesis import given
from knights import boards, enumerated
from strategies import examples

import nonosat
from nonosat import plugins
from nonosat.puzzles.knight import Knight, segments
from nonosat.result import Verdict

BACKENDS = plugins.names("backends")
ON_CLAUSES = [
    name
    for name, module in BACKENDS.items()
    if not (module.ON_BOARD or module.FORMULATES or getattr(module, "TAKES_ARGUMENT", False))
    and getattr(module, "own_hints", None) is None
]
ENCODINGS = ("cut-sets", "positions")  # a knight's graph has no faces, which cells would need


def agree(puzzle: Knight, **options: object) -> None:
    """All solutions, none twice, and the verdict that they mean."""
    every = enumerated(puzzle)
    found = list(nonosat.solutions(puzzle, **options))
    assert len(found) == len(every)
    assert {*found} == {*every}
    verdict = nonosat.check(puzzle, **options).verdict
    assert verdict is (Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE)[min(len(every), 2)]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("backend", ON_CLAUSES)
@examples(6)
@given(puzzle=boards())
def test_engines_of_clauses_agree(backend, encoding, puzzle):
    agree(puzzle, backend=backend, encoding={"loop": encoding})


@examples(10)
@given(puzzle=boards())
def test_circuits_agree(puzzle):
    agree(puzzle, backend="cpsat", formulation={"loop": "circuit"})


@pytest.mark.parametrize("backend", ["auto", "backtracking"])
@examples(150)
@given(puzzle=boards())
def test_methods_agree(backend, puzzle):
    agree(puzzle, backend=backend)


@pytest.mark.parametrize("short", [0, 1, 3, 60])
@examples(80)
@given(puzzle=boards(16))
def test_given_numbers_however_segments_are_labelled(short, puzzle):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segments, "SHORT", short)
        agree(puzzle, backend="learn")
