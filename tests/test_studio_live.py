"""Live verdicts: equal to the library's, for the newest edit, without remains of older ones."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

import nonosat
from helpers.drawing import examples
from helpers.processes import PATIENCE_S, all_ended, below, eventually
from helpers.studios import Visitor, drawn, judged, studio
from nonosat.processes.beacon import Beacon
from nonosat.processes.tools import Call
from nonosat.studio import live as live_module
from nonosat.studio import verdicts
from nonosat.studio.requested import MOST_JSON_BYTES
from nonosat.studio.ticket import numbered
from nonosat.studio.wire import LETTERS, MOST_SIDE
from nonosat.studio.worker_pool import WorkerPool
from nonosat.testing.strategies import grids

INSTANCES = Path(__file__).parents[1] / "instances"
INKS = dict(zip(LETTERS, ("#aa0000", "#00bb00", "#0000cc"), strict=False))
NOISE = nonosat.generate_nonogram(20, 20, seed=1, unique=False).goal.lines(".a")
HARD = nonosat.generate_nonogram(200, 200, seed=5, unique=False)  # open after ten seconds


@pytest.fixture(scope="module")
def visitor() -> Iterator[Visitor]:
    with studio() as found:
        yield found


def sent(grid: nonosat.Grid, colours: dict[str, str] = INKS) -> dict[str, Any]:
    return {"picture": grid.lines("." + LETTERS), "colours": colours}


def by_key(told: list[dict[str, Any]], key: str) -> Any:
    """Last message under a key; None if there was none."""
    return next((message[key] for message in reversed(told) if key in message), None)


def agrees(told: list[dict[str, Any]], grid: nonosat.Grid, colours: dict[str, str]) -> None:
    """Check that all messages about a picture agree with the library."""
    puzzle = nonosat.from_picture(grid, colours=colours)
    expected = nonosat.check(puzzle)
    assert by_key(told, "verdict") == expected.verdict.value
    assert told[0].keys() >= {"edit", "verdict", "seconds"}
    if expected.verdict.value == "unique":
        assert by_key(told, "rating")["difficulty"] == nonosat.rate(puzzle).difficulty
        assert by_key(told, "differing") is None
        return
    known = {tuple(cell) for cell in told[0]["differing"]}
    every = set(nonosat.backbone(puzzle).differing)
    assert known
    assert known <= every
    assert {tuple(cell) for cell in by_key(told, "differing")} == every
    assert by_key(told, "complete") is True
    assert (by_key(told, "count"), by_key(told, "exact")) == (
        str(nonosat.count(puzzle).count),
        True,
    )


# Messages


@pytest.mark.thorough
@examples(10)
@given(grids(max_cells=30), st.integers(0, 10**6))
def test_edits_of_pictures_are_checked_as_by_the_library(
    visitor: Visitor, grid: nonosat.Grid, seed: int
) -> None:
    draw = random.Random(seed)
    with visitor.socket() as line:
        for edit in range(3):
            agrees(judged(line, edit, sent(grid)), grid, INKS)
            cells = bytearray(grid.cells)
            for _ in range(draw.randint(1, 3)):
                cells[draw.randrange(len(cells))] = draw.randint(0, 3)
            grid = nonosat.Grid(grid.height, grid.width, bytes(cells))


@pytest.mark.parametrize(
    "rows", [["."], ["a"], ["." * 40], ["a" * 40], ["a."] * 20, ["aa"] * 9, ["..", ".."]]
)
def test_the_corners_of_pictures(visitor: Visitor, rows: list[str]) -> None:
    ink = {"a": "#1a1a1a"}
    with visitor.socket() as line:
        told = judged(line, 1, drawn(*rows))
        agrees(told, nonosat.Grid.of_rows(rows, ".a"), ink)


def test_a_picture_of_another_size_or_palette_is_a_new_one(visitor: Visitor) -> None:
    with visitor.socket() as line:
        for edit, rows in enumerate((["a.", ".a"], ["a..", ".a."], ["aa"], ["a.", ".a"])):
            agrees(
                judged(line, edit, drawn(*rows)), nonosat.Grid.of_rows(rows, ".a"), {"a": "#1a1a1a"}
            )
        rows = ["b.", ".a"]
        agrees(judged(line, 9, drawn(*rows, colours=INKS)), nonosat.Grid.of_rows(rows, ".ab"), INKS)


def test_puzzles_of_clues_are_checked(visitor: Visitor) -> None:
    with visitor.socket() as line:
        for path in ("special.jsonl", "slitherlink.jsonl"):
            for edit, puzzle in enumerate(nonosat.load_all(INSTANCES / path)):
                if puzzle.height * puzzle.width > 400 or puzzle.width > MOST_SIDE:
                    continue
                line.send(json.dumps({"edit": edit, "puzzle": {"puzzle": puzzle.to_data()}}))
                told: dict[str, Any] = {}
                while told.get("edit") != edit or "verdict" not in told:
                    told = json.loads(line.recv(PATIENCE_S))
                assert told["verdict"] == nonosat.check(puzzle).verdict.value, puzzle


def test_contradictory_clues_are_reported(visitor: Visitor) -> None:
    clash = {"puzzle": {"rows": [[2], [0]], "columns": [[1], [2]]}}
    with visitor.socket() as line:
        first, second = judged(line, 1, clash)
        assert first["verdict"] == second["verdict"] == "unsolvable"
        assert second["lines"] == [{"row": 1}, {"column": 1}]
        assert "contradict" in second["sentence"]
        loop = {"puzzle": {"family": "slitherlink", "rows": ["03", "3."]}}
        told = judged(line, 2, loop)
        assert (told[-1]["lines"], told[-1]["given"]) == ([], [[0, 0, 0], [0, 1, 3]])


@pytest.mark.slow
def test_what_stays_open_is_told(visitor: Visitor) -> None:
    looking: list[float] = []
    with visitor.socket() as line:
        line.send(json.dumps({"edit": 5, "puzzle": {"puzzle": HARD.to_data()}, "seconds": 600}))
        while len(looking) < 2:
            message = json.loads(line.recv(PATIENCE_S))
            assert message.keys().isdisjoint({"verdict", "exact", "done"})
            looking += [message["looking"]] if "looking" in message else []
    assert looking == sorted(looking)


def test_verdicts_beyond_the_limit_are_unknown(visitor: Visitor) -> None:
    with visitor.socket() as line:
        (told,) = judged(line, 5, {"puzzle": HARD.to_data()}, seconds=1)
        assert told["verdict"] == "unknown"
        assert told["reason"].startswith("time limit of")


@pytest.mark.parametrize(
    ("puzzle", "error"),
    [
        ({"puzzle": {"rows": [[1]]}}, {"kind": "FormatError"}),
        ({"puzzle": {"rows": [[1], [-2]], "columns": [[1]]}}, {"line": {"row": 1}}),
        ({"picture": ["z"], "colours": {"a": "#000000"}}, {"kind": "PuzzleError"}),
        (7, {"kind": "FormatError"}),
    ],
)
def test_an_invalid_puzzle_is_an_error(visitor: Visitor, puzzle: Any, error: Any) -> None:
    with visitor.socket() as line:
        (told,) = judged(line, 3, puzzle)
        assert told["error"].items() >= error.items()
        assert judged(line, 4, drawn("a"))[0]["verdict"] == "unique"


@pytest.mark.parametrize(
    "message", ["", "x", "[]", "{}", '{"edit": "1"}', '{"edit": true}', "[" * 5000, '{"edit": 1.5}']
)
def test_an_invalid_edit_is_an_error(visitor: Visitor, message: str) -> None:
    with visitor.socket() as line:
        line.send(message)
        assert json.loads(line.recv(PATIENCE_S))["error"]["kind"] == "FormatError"
        assert judged(line, 4, drawn("a"))[0]["verdict"] == "unique"


VALUES = (None, True, -1, 0, 10**400, 1.5, 1e300, "", "x", "\ud800", [], [[]], {}, {"a": 1}, [None])


def heard(line: ClientConnection, text: str, number: Any) -> dict[str, Any]:
    """Return the last reply to a message: its error, or the end of its edit."""
    line.send(text)
    errors = None
    while True:
        told = json.loads(line.recv(PATIENCE_S))
        if told["edit"] != number:  # left of an older edit
            continue
        errors = told.get("error", errors)
        if told.get("done") or (told.get("error") and type(number) is not int):
            return {"error": errors}
        if errors is not None and errors["message"].startswith("'seconds'"):
            return {"error": errors}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["edit", "seconds", "puzzle"])
def test_every_message_is_answered(visitor: Visitor, name: str) -> None:
    with visitor.socket() as line:
        for number, value in enumerate(VALUES):
            asked = {"edit": number, "puzzle": drawn("a"), "seconds": 5} | {name: value}
            if asked["puzzle"] is None or asked["edit"] == 10**400:
                continue
            is_whole = type(asked["edit"]) is int
            number = asked["edit"] if asked["edit"] != "\ud800" else "?"
            told = heard(line, json.dumps(asked), number)
            is_right = name != "puzzle" and isinstance(value, int | float) and value is not True
            assert (told["error"] is None) is (is_right and is_whole), value
        assert judged(line, 10**6, drawn("a"))[0]["verdict"] == "unique"


@pytest.mark.parametrize("text", ["NaN", "Infinity", "1e999", "-1e999", "1" * 5000])
def test_invalid_seconds_are_an_error(visitor: Visitor, text: str) -> None:
    with visitor.socket() as line:
        line.send(f'{{"edit": 1, "puzzle": {json.dumps(drawn("a"))}, "seconds": {text}}}')
        told = json.loads(line.recv(PATIENCE_S))
        assert told["error"]["kind"] == "FormatError"
        assert told["error"]["message"]


def test_an_internal_error_is_reported(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> Any:
        raise ZeroDivisionError

    with visitor.socket() as line:
        for place, name in ((live_module, "seconds_of"), (live_module, "Call")):
            monkeypatch.setattr(place, name, broken)
            line.send(json.dumps({"edit": 1, "puzzle": drawn("a")}))
            told = json.loads(line.recv(PATIENCE_S))
            assert "internal error of the studio (ZeroDivisionError)" in told["error"]["message"]
            monkeypatch.undo()
        assert judged(line, 2, drawn("a"))[0]["verdict"] == "unique"
    assert len(caplog.records) == 2


@pytest.mark.parametrize("message", [b"\0", "x" * (MOST_JSON_BYTES + 1)])
def test_messages_that_are_too_large_or_bytes_close_the_connection(
    visitor: Visitor, message: str | bytes
) -> None:
    with visitor.socket() as line:
        line.send(message)
        with pytest.raises(ConnectionClosed):
            line.recv(PATIENCE_S)
    with visitor.socket() as line:  # and nothing else
        assert judged(line, 1, drawn("a"))[0]["verdict"] == "unique"


# Remains of older edits


def weave() -> dict[str, Any]:
    """Unique picture that takes an engine some time."""
    solved = nonosat.solve(nonosat.load(f"{INSTANCES / 'unique.jsonl'}#weave-30-1")).solution
    return sent(solved, {"a": "#000000"})


def long_ones(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Record the steps that long children get from now on."""
    asked, real = [], WorkerPool.long

    def long(self: WorkerPool, call: Any, *limits: Any, **more: Any) -> Any:
        asked.append(call.arguments[1])
        return real(self, call, *limits, **more)

    monkeypatch.setattr(WorkerPool, "long", long)
    return asked


@pytest.mark.thorough
def test_a_search_goes_on_from_slice_to_slice(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = long_ones(monkeypatch)
    monkeypatch.setattr(live_module, "FIRST_S", 0.005)
    monkeypatch.setattr(live_module, "SLICE_S", 60.0)
    monkeypatch.setattr(live_module, "GOING_ON_S", 60.0)
    with visitor.socket() as line:
        assert judged(line, 1, weave(), seconds=60)[0]["verdict"] == "unique"
    assert verdicts.FIRST not in asked


def test_a_verdict_that_is_called_off_is_open() -> None:
    edit, beacon = verdicts.Edit("called off", 1, weave()), Beacon()
    call = Call(verdicts.step, (edit, verdicts.FIRST, 60.0))
    beacon.show(8)
    told = numbered(call, 8, beacon.fd)
    assert (told.is_open, told.messages, told.todo) == (True, [], verdicts.FIRST)
    assert not numbered(call, 9, beacon.fd).is_open
    beacon.close()


@pytest.mark.thorough
def test_results_of_a_long_child_are_known_at_the_next_edit(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = long_ones(monkeypatch)
    monkeypatch.setattr(live_module, "FIRST_S", 1e-6)
    monkeypatch.setattr(live_module, "SLICE_S", 1e-6)
    with visitor.socket() as line:
        for puzzle, verdict in ((weave(), "unique"), (drawn(*NOISE), "multiple")):
            asked.clear()
            for edit in (1, 2):
                assert judged(line, edit, puzzle, seconds=60)[0]["verdict"] == verdict
            assert asked.count(verdicts.FIRST) == 1


def test_the_newest_edit_is_the_only_one_that_is_done(visitor: Visitor) -> None:
    with visitor.socket() as line:
        hard = {"puzzle": HARD.to_data()}
        for edit in range(30):
            line.send(json.dumps({"edit": edit, "puzzle": hard}))
        told = judged(line, 30, drawn("a.", ".a"))
        assert by_key(told, "count") == "2"


def test_the_page_can_stop_all_checks(visitor: Visitor) -> None:
    with visitor.socket() as line:
        pids = begun(visitor, line, 1)
        line.send(json.dumps({"edit": 2, "puzzle": None}))
        assert all_ended(pids)
        assert judged(line, 3, drawn("a"))[0]["verdict"] == "unique"


def begun(visitor: Visitor, line: Any, edit: int) -> set[int]:
    """Start the check of a hard edit; return the processes that work on it."""
    line.send(json.dumps({"edit": edit, "puzzle": {"puzzle": HARD.to_data()}}))
    while not (pids := visitor.at_work() & below(os.getpid())):
        line.recv(PATIENCE_S)  # the message that it is still searching
    return pids


def test_a_closed_connection_leaves_no_child_at_work(visitor: Visitor) -> None:
    with visitor.socket() as line:
        pids = begun(visitor, line, 1)
    assert all_ended(pids)


@pytest.mark.thorough
def test_a_broken_connection_leaves_no_child_at_work(visitor: Visitor) -> None:
    with visitor.socket() as line:
        pids = begun(visitor, line, 1)
        line.socket.shutdown(2)  # as when a browser is killed
        assert all_ended(pids)


def test_a_newer_edit_ends_the_child_of_the_older(visitor: Visitor) -> None:
    with visitor.socket() as line:
        pids = begun(visitor, line, 1)
        assert judged(line, 2, drawn("a"))[0]["verdict"] == "unique"
        assert all_ended(pids)


def test_connections_are_bounded(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_module, "MOST_SOCKETS", 1)
    with visitor.socket() as line:
        assert judged(line, 1, drawn("a"))
        with pytest.raises(InvalidStatus, match="HTTP 503") as caught, visitor.socket():
            pass
        error = json.loads(caught.value.response.body)["error"]
        assert error["message"] == "1 pages are open already; close one of them"

    def is_free() -> bool:
        try:
            with visitor.socket() as other:
                return bool(judged(other, 1, drawn("a")))
        except InvalidStatus:
            return False

    assert eventually(is_free)
