"""Time slices of quick children for an edit."""

from __future__ import annotations

from typing import Any

import pytest

from helpers.studios import drawn, judged, studio
from nonosat.processes.tools import Call
from nonosat.studio import live, verdicts, worker_pool
from nonosat.studio.worker_pool import WorkerPool


def test_slices_grow_until_a_search_goes_on() -> None:
    begins = verdicts.NumberedResult([], verdicts.FIRST, is_open=True)
    searches = begins._replace(goes_on=True)
    edit = verdicts.Edit("", 1, drawn("a"))
    slices = live._Slices(edit, 60.0)
    assert (slices.seconds, slices.is_first) == (live.FIRST_S, True)
    assert slices.goes_on(begins)
    assert (slices.seconds, slices.is_first) == (2 * live.FIRST_S, False)
    assert all(slices.goes_on(searches) for _ in range(9))
    assert slices.seconds == 2 * live.FIRST_S
    assert [slices.goes_on(begins) for _ in range(2)] == [True, False]
    assert not live._Slices(edit, 0.0).goes_on(searches)
    clues = live._Slices(verdicts.Edit("", 1, {"puzzle": {}}), 60.0)
    assert clues.seconds == live.SLICE_S
    assert not clues.goes_on(begins)


@pytest.mark.slow
def test_work_after_a_verdict_has_a_second_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine other processes may have used the first."""
    asked, real = [], WorkerPool.quick

    async def quick(self: WorkerPool, editor: int, call: Call, **more: Any) -> Any:
        _, todo, seconds = call.arguments
        asked.append((todo[0], seconds))
        if seconds == live.FOLLOWING_S:
            return verdicts.NumberedResult([], todo, is_open=True)
        return await real(self, editor, Call(call.function, (*call.arguments[:2], 60.0)), **more)

    monkeypatch.setattr(WorkerPool, "quick", quick)
    monkeypatch.setattr(worker_pool, "GRACE_S", 60.0)  # then a child that still works is ended
    monkeypatch.setattr(WorkerPool, "long", None)
    with studio() as visitor, visitor.socket() as line:
        assert judged(line, 1, drawn("a.", ".a"))[-1]["count"] == "2"
    slices = [live.FOLLOWING_S, live.AGAIN_S]
    assert asked[1:] == [(step, seconds) for step in ("differing", "count") for seconds in slices]


def test_work_after_a_verdict_is_then_left_to_a_long_child() -> None:
    slices = live._Slices(verdicts.Edit("", 1, drawn("a")), 60.0)
    slices.follow()
    stays_open = verdicts.NumberedResult([], ("count",), is_open=True)
    assert (slices.seconds, slices.is_first) == (live.FOLLOWING_S, False)
    assert [slices.goes_on(stays_open) for _ in range(2)] == [True, False]
