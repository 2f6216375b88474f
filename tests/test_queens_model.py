"""Family queens: its model, and the choice of method by `auto`."""

from __future__ import annotations

import pytest
from hypothesis import given

from helpers.drawing import examples
from helpers.queens import boards, enumerated
from nonosat.clauses.cnf import Cnf
from nonosat.clauses.translate import translate
from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError
from nonosat.core.model import Count
from nonosat.puzzles import queens
from nonosat.puzzles.queens import Placement, Queens
from nonosat.testing import oracles

COUNTINGS = [
    name.removeprefix("count-") for name in plugins.names("encodings") if name.startswith("count-")
]


def test_the_model_is_made_of_counts():
    for n in range(2, 12):
        model = queens.build(Queens(n))
        assert len(model.counts) == 6 * n - 6
        assert model.num_vars == n * n
        lits = [lit for count in model.counts for lit in count.lits]
        corners = {1, n, n * n - n + 1, n * n}  # on one diagonal only
        assert all(lits.count(v) == (3 if v in corners else 4) for v in range(1, n * n + 1))
    assert queens.build(Queens(0)).num_vars == 0
    assert [*queens.build(Queens(1)).counts] == [Count((1,), 1, 1)] * 2


def test_the_model_of_too_many_queens_is_refused():
    with pytest.raises(UnsupportedError, match="1,002,001 variables, expected at most 1000 queens"):
        queens.build(Queens(1001))
    with pytest.raises(UnsupportedError, match="no picture has 4001 x 4001 squares"):
        Placement(tuple(range(4001))).lines()


# Those of other packages have too many values of auxiliary variables; `test_counts` takes them.
FOREIGN = ("pindakaas-", "pysat-")


@pytest.mark.parametrize("counting", [one for one in COUNTINGS if not one.startswith(FOREIGN)])
@examples(12)
@given(puzzle=boards(5))
def test_every_encoding_has_all_models(counting, puzzle):
    model = queens.build(puzzle)
    cnf = Cnf(model.num_vars)
    translate(model, cnf, {"count": counting})
    found = set()
    for true in oracles.models(oracles.Propagator(cnf), cnf.num_vars):
        values = bytes([0, *(v in true for v in range(1, model.num_vars + 1))])
        found.add(queens.decode(puzzle, values))
    assert found == {*enumerated(puzzle)}


def test_auto_chooses_the_best_method():
    assert queens.auto(Queens(500), 1) == ("construction",)
    assert queens.auto(Queens(8), None) == ("backtracking",)
    assert "construction" not in queens.auto(Queens(50, ((0, 0),)), 1)
    assert len(queens.auto(Queens(200), 2)) == 2
