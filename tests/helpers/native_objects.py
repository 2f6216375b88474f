"""Native objects with state, which only one thread at a time may use, and their methods."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any, NamedTuple

from helpers.native_inputs import (
    beliefs,
    board,
    crowded,
    decimation,
    explainer,
    implications,
    lane_board,
    lattice,
    learner,
    loops,
    prices,
    queens,
    rules,
    settled,
    settled_lanes,
    speckled,
    threshold,
    tours,
)
from nonosat import _core

Poll = Callable[[], bool]


class Kind(NamedTuple):
    """A class of native objects."""

    make: Callable[[], Any]
    work: Callable[[Any, Poll], object]  # a call that takes longer than its first poll
    others: dict[
        str, tuple[Any, ...] | None
    ]  # all attributes: arguments, or a function that makes them; None: a property


KINDS: dict[str, Kind] = {
    "Learner": Kind(
        lambda: learner(300, threshold(300)),
        lambda found, poll: found.solve([], None, None, poll),
        {
            "new_vars": (1,),
            "add_clauses": (array("i", [1, 2, 0]),),
            "add_line": ([[1, 2]], [(1, 1)], []),
            "follow_loop": (array("i", [0, 1, 1]),),
            "set_phases": ([1],),
            "solve": (),
            "look_ahead": ([1], [2], 1, 9),
            "failed": (),
            "twin": (1,),
            "join": (_core.Exchange(2, 1, True), 0),
            "keep_proof": (),
            "packing_bytes": (),
            "take_proof": (),
            "values": (),
            "statistics": None,
        },
    ),
    "Board": Kind(
        lambda: settled(200),
        lambda found, poll: _core.look_ahead(found, 10**9, None, poll),
        {
            "copy": (),
            "assign": (0, 0),
            "remove": (0, 0),
            "assign_cells": (b"\xff" * 200**2,),
            "leave_out": (0,),
            "propagate": (),
            "broken_line": None,
            "cells": (),
            "plane": (0,),
            "may": (0, 0),
            "line_planes": (0,),
            "is_complete": None,
        },
    ),
    "Explainer": Kind(
        lambda: explainer(settled(200)),
        lambda found, poll: found.next(None, poll),
        {
            "next": (),
            "line_step": (),
            "refute": (0,),
            "take": ([(0, 0)],),
            "assumptions": None,
        },
    ),
    "LaneBoard": Kind(
        lambda: lane_board(200),
        lambda found, poll: _core.LaneProber(found).run(2**60, None, poll),
        {
            "copy": (),
            "assign": (0, 0),
            "remove": (0, 0),
            "assign_cells": (b"\xff" * 200**2,),
            "propagate": (),
            "cells": (),
            "plane": (0,),
            "may": (0, 0),
            "line_planes": (0,),
            "broken_line": None,
            "is_complete": None,
        },
    ),
    "Strategy": Kind(
        lambda: _core.Strategy(board(200)),
        lambda found, poll: [*iter(lambda: found.step(None, poll), False)],
        {
            "step": (),
            "stage": None,
            "verdict": None,
            "is_exhausted": None,
            "solution": (0,),
            "counts": ("search",),
            "narrow": (board(200),),
            "decimations": (),
            "take_decimated": (None,),
            "transfer_to": (beliefs(board(200)),),
            "next_turn": (),
            "take": (bytes(200**2),),
            "pause": (),
            "refutation": (),
            "num_open": None,
            "num_conflicts": None,
        },
    ),
    "Prober": Kind(
        lambda: _core.Prober(board(200)),
        lambda found, poll: found.run(2**60, None, poll),
        {"run": (1,), "num_probes": None, "lessons": None, "best": None},
    ),
    "LaneProber": Kind(
        lambda: _core.LaneProber(lane_board(200)),
        lambda found, poll: found.run(2**60, None, poll),
        {"run": (1,), "num_probes": None, "lessons": None, "best": None},
    ),
    "LaneSearch": Kind(
        lambda: _core.LaneSearch(settled_lanes(45)),
        lambda found, poll: found.next(2**60, None, poll),
        {"next": (1,), "num_nodes": None},
    ),
    "Search": Kind(
        lambda: _core.Search(settled(45)),
        lambda found, poll: found.next(2**60, None, poll),
        {"next": (1,), "num_nodes": None},
    ),
    "Counter": Kind(
        lambda: _core.Counter(board(45), 2**28),
        lambda found, poll: found.run(2**60, None, poll),
        {
            "run": (1,),
            "note": (bytes(45**2),),
            "components": (),
            "total": None,
            "is_exact": None,
            "num_components": None,
            "num_frontiers": None,
            "num_nodes": None,
            "num_recalled": None,
        },
    ),
    "LaneCounter": Kind(
        lambda: _core.LaneCounter(lane_board(45), 2**28),
        lambda found, poll: found.run(2**60, None, poll),
        {
            "run": (1,),
            "note": (bytes(45**2),),
            "components": (),
            "total": None,
            "is_exact": None,
            "num_components": None,
            "num_frontiers": None,
            "num_nodes": None,
            "num_recalled": None,
        },
    ),
    "Beliefs": Kind(
        lambda: beliefs(board(40)),
        lambda found, poll: found.run(10**9, None, poll),
        {
            "run": (1,),
            "probabilities": (0,),
            "blocks": (0,),
            "likely_bounds": (0,),
            "num_rounds": None,
            "change": None,
        },
    ),
    "Deduction": Kind(
        lambda: _core.Deduction(board(200)),
        lambda found, poll: found.probe(2**60, None, poll),
        {"propagate": (), "probe": (1,), "take_steps": ()},
    ),
    "Decimation": Kind(
        lambda: decimation(board(40)),
        lambda found, poll: found.run(2**60, None, poll),
        {
            "run": (1,),
            "cells": (),
            "transfer_to": (lambda: beliefs(_core.Board(1, [[]], [[]])),),
            "num_steps": None,
            "num_rounds": None,
            "num_refuted": None,
            "num_released": None,
            "num_pushes": None,
        },
    ),
    "Prices": Kind(
        lambda: prices(settled(200)),
        lambda found, poll: found.find(2**60, True, None, poll),
        {
            "lower": (4, 1),
            "find": (1,),
            "set_solution": (bytes(200 * 200),),
            "shrink": (4,),
            "refute": (1,),
            "proof": (),
            "cells": (),
            "prices": (),
            "ruled_out": (4,),
            "bound": None,
            "scale": None,
            "num_sweeps": None,
        },
    ),
    "Pricing": Kind(
        lambda: _core.Pricing(settled(200), None, 2**60, True),
        lambda found, poll: found.run(None, poll),
        {"run": (), "refutation": (), "solution": None, "num_sweeps": None, "bound": None},
    ),
    "Implications": Kind(
        lambda: implications(board(150), 150),
        lambda found, poll: found.next(poll),
        {"next": (None,)},
    ),
    "Cells": Kind(
        lambda: _core.Cells(lattice(200), 100),
        lambda found, poll: found.refine(speckled(200), poll),
        {"refine": (bytes(200**2 + 1),)},
    ),
    "LoopCount": Kind(
        lambda: loops(30),
        lambda found, poll: found.run(2**60, None, poll),
        {
            "run": (1,),
            "total": None,
            "is_exact": None,
            "is_full": None,
            "num_steps": None,
            "num_done": None,
            "num_states": None,
            "width": None,
        },
    ),
    "RulesCount": Kind(
        lambda: rules(9),
        lambda found, poll: found.run(2**60, None, poll),
        {
            "run": (1,),
            "total": None,
            "is_exact": None,
            "is_full": None,
            "num_nodes": None,
            "num_recalled": None,
        },
    ),
    "QueensCompletion": Kind(
        lambda: _core.QueensCompletion(200, crowded(200), 1),
        lambda found, poll: found.next(2**60, None, poll),
        {"next": (1,), "columns": None, "num_placed": None},
    ),
    "QueensCount": Kind(
        lambda: _core.QueensCount(queens(25)),
        lambda found, poll: found.run(None, poll),
        {"run": (), "total": None, "num_parts": None},
    ),
    "QueensSearch": Kind(
        lambda: _core.QueensSearch(queens(40)),
        lambda found, poll: found.next(10**9, 2**60, poll),
        {"next": (1, 1), "next_classes": (1,), "is_exhausted": None, "num_nodes": None},
    ),
    "TourSearch": Kind(
        lambda: tours(40),
        lambda found, poll: found.next(2**60, None, poll),
        {"next": (1,), "path": (), "num_calls": None},
    ),
}
