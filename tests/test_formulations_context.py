"""Cells that formulations share, and every CP-SAT formulation of `Count`."""

from __future__ import annotations

from itertools import product

import pytest

from helpers.formulated import COUNTS, formulate
from nonosat.core import plugins
from nonosat.core.model import FALSE, TRUE, Count
from nonosat.formulations import Context, CpClauseSink
from nonosat.testing.formulations import solutions

DETERMINED = [
    f"count-booleans:{name.removeprefix('count-')}"
    for name, module in plugins.names("encodings").items()
    if name.startswith("count-") and module.determined
]


def test_a_cell_is_one_expression():
    context = Context(4)
    assert context.cell((1, 2)) is context.cell((1, 2))
    assert context.cell((1, 2)) is not context.cell((3, 4))
    assert context.cell((1,)) is context.cell((1,))


@pytest.mark.parametrize(
    ("lits", "values"),
    [
        ((1,), {0, 1}),
        ((TRUE,), {1}),
        ((FALSE, FALSE), {0}),
        ((FALSE, 1), {0, 2}),
        ((-1, FALSE, 2), {0, 1, 3}),
        ((1, TRUE), {2}),
        ((-1,), {0, 1}),
    ],
)
def test_values_of_a_cell(lits, values):
    seen = set()
    for value in range(4):
        context = Context(2)
        context.model.add(context.cell(lits) == value)
        if solutions(context):
            seen.add(value)
    assert seen == values


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("size", range(5))
def test_counts(name, size):
    for lower, upper in product(range(-1, size + 2), repeat=2):
        lits = [-v if v == 2 else v for v in range(1, size + 1)]
        context = Context(size)
        formulate(name, Count((*lits, TRUE, FALSE), lower + 1, upper + 1), context)
        expected = {
            values
            for values in product((0, 1), repeat=size)
            if lower <= sum(v != (lit < 0) for v, lit in zip(values, lits, strict=True)) <= upper
        }
        found = solutions(context)
        assert len(found) == len(expected), (size, lower, upper)
        assert set(found) == expected


@pytest.mark.parametrize("name", DETERMINED)
@pytest.mark.parametrize(("lower", "upper"), [(0, 1), (1, 1), (4, 5), (4, 4)])
def test_counts_by_any_encoding(name, lower, upper):
    context = Context(5)
    formulate(name, Count((1, 2, -3, 4, 5), lower, upper), context)
    found = solutions(context)
    expected = {
        values
        for values in product((0, 1), repeat=5)
        if lower <= sum(values) + 1 - 2 * values[2] <= upper
    }
    assert len(found) == len(expected)
    assert set(found) == expected


def test_sinks_over_one_context_share_no_variables():
    context = Context(2)
    one, other = CpClauseSink(context), CpClauseSink(context)
    for sink in (one, other):
        assert sink.new_vars(2) == 3
        sink.add((3, -1))
        sink.add((4, FALSE))
        sink.add((TRUE, 3))
    one.add((-3,))
    other.add((3,))
    assert {values[0] for values in solutions(context)} == {0}
    assert len(context.model.proto.variables) == len(context.variables) + 1 + 4
