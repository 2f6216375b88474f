"""Graph of a line: its paths are the fillings, each once."""

from __future__ import annotations

import pytest

from nonosat.board.flow import Flow, flow_of
from nonosat.core.model import Block
from nonosat.testing import oracles

LINES = [*((length, 1) for length in range(1, 8)), (1, 2), (2, 2), (3, 2), (4, 2), (3, 3)]


def paths(flow: Flow, is_left: list[bool]) -> list[bytes]:
    """Cells of every path over the remaining arcs."""
    found: dict[int, list[bytes]] = {0: [b""]}
    for arc, left in zip(flow.arcs, is_left, strict=True):
        for cells in found.get(arc.tail, ()) if left else ():
            assert arc.first == len(cells)
            assert dict(arc.covers()) == dict(enumerate(arc.values, start=len(cells)))
            found.setdefault(arc.head, []).append(cells + arc.values)
    return found.get(flow.num_nodes - 1, [])


@pytest.mark.parametrize(("length", "num_colours"), LINES)
def test_paths_are_fillings(length, num_colours):
    for clue in oracles.clues(length, num_colours, unknown=True):
        flow = flow_of(clue, length)
        assert all(0 <= arc.tail < arc.head < flow.num_nodes for arc in flow.arcs)
        assert list(flow.arcs) == sorted(flow.arcs, key=lambda arc: arc.tail)
        found = paths(flow, [True] * len(flow.arcs))
        assert sorted(found) == sorted(oracles.fillings(clue, length))
        assert len(found) == len(set(found))


@pytest.mark.parametrize(("length", "num_colours"), [(1, 1), (3, 1), (4, 1), (5, 1), (2, 2)])
def test_arcs_within_known_cells(length, num_colours):
    """They are the arcs of the fillings that agree with the known cells, and no others."""
    for clue in oracles.clues(length, num_colours, unknown=True):
        flow = flow_of(clue, length)
        for known in oracles.partials(length, num_colours):
            may = [[value in cell for cell in known] for value in range(num_colours + 1)]
            left = flow.within(may)
            agreeing = {
                cells for cells in oracles.fillings(clue, length) if oracles.agrees(cells, known)
            }
            assert set(paths(flow, left)) == agreeing
            assert any(left) == bool(agreeing)
            for index, is_left in enumerate(left):
                if is_left:  # some path needs it
                    without = [one and at != index for at, one in enumerate(left)]
                    assert len(paths(flow, without)) < len(agreeing)


@pytest.mark.parametrize("clue", [(Block(5),), (Block(2), Block(2)), (Block(None, 1), Block(4, 2))])
def test_blocks_that_do_not_fit_have_no_path(clue):
    flow = flow_of(clue, 4)
    assert not flow.arcs
    assert not paths(flow, [])


def test_size():
    """The bound of the module: some 2 k s arcs."""
    clue = (Block(3), Block(7), Block(1), Block(4))
    flow = flow_of(clue, 60)
    slack = 60 - 15 - 3
    assert len(flow.arcs) == 4 * (slack + 1) + 5 * slack
    assert flow.num_nodes == 5 * (slack + 1)
