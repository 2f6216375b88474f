"""Tools: the input of a process, and the meaning of its ends; processes follow a script."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from nonosat.core.errors import BackendError
from nonosat.core.limits import Limits
from nonosat.processes.tools import MOST_STARTS, StepStarted, ToolProcess, Work

LAST, DEAD, GONE = "last", "dead", "gone"  # gone: it died while it was idle


@dataclass
class Actor:
    """Process that prints the lines of its script, one after the other."""

    lines: list[str]
    given: list[list[Any]] = field(default_factory=list)
    pid: int = 2**22  # unused: more than Linux gives
    is_killed: bool = False

    def fileno(self) -> int:
        return -1

    def kill(self) -> None:
        self.is_killed = True


class Play(Work[Any, Actor]):
    """Starts an actor for each of its scripts; None is one that cannot be started."""

    def __init__(self, *scripts: str | None, limits: Limits = Limits()) -> None:  # noqa: B008
        self.actors = [Actor(script.split()) if script else None for script in scripts]
        self.started: list[Actor] = []
        self.own_limits = limits

    def limits(self, piece: Any) -> Limits:
        del piece
        return self.own_limits

    def start(self) -> Actor:
        actor = self.actors.pop(0)
        if actor is None:
            raise BackendError("no such program")
        self.started.append(actor)
        return actor

    def give(self, process: Actor, pieces: Any) -> None:
        if process.lines[:1] == [GONE]:
            raise BackendError("it has ended")
        process.given.append(list(pieces))

    def take(self, process: Actor) -> tuple[str, bool]:
        said = process.lines.pop(0)
        if said == DEAD:
            raise BackendError("it died")
        return said, said == LAST

    def ended(self, error: Any, seconds: float) -> str:
        return f"{type(error).__name__}: {error}"


class AllAtOnce(Play):
    takes_all = True


def done(tool: ToolProcess[Any], *pieces: str) -> list[Any]:
    """Outcomes of a task, which come in order."""
    tool.begin(pieces)
    found: list[tuple[int, Any]] = []
    while not tool.is_done:
        found += tool.outcomes(is_readable=True)
    assert [place for place, _ in found] == list(range(len(pieces)))
    return [outcome for _, outcome in found]


@pytest.mark.parametrize(
    ("play", "given"), [(Play, [["a"], ["b"], ["c"]]), (AllAtOnce, [["a", "b"], ["c"]])]
)
def test_pieces_go_one_by_one_or_together(play, given):
    work = play("ready 1 2 3")
    tool = ToolProcess(work)
    assert done(tool, "a", "b") == ["1", "2"]
    assert done(tool, "c") == ["3"]
    (actor,) = work.started
    assert actor.given == given
    tool.close()
    assert actor.is_killed


@pytest.mark.parametrize("play", [Play, AllAtOnce])
def test_a_process_that_calls_itself_the_last_is_replaced(play):
    work = play("ready 1 last", "ready 3")
    assert done(ToolProcess(work), "a", "b", "c") == ["1", "last", "3"]
    old, new = work.started
    assert old.is_killed
    assert new.given == [["c"]]


@pytest.mark.parametrize("play", [Play, AllAtOnce])
def test_a_piece_may_cost_so_many_processes_and_no_more(play):
    work = play("ready 1 dead", "ready 2 dead", "ready dead", "ready 4")
    found = done(ToolProcess(work), "a", "b", "c", "d")
    assert found == ["1", "2", "BackendError: it died, 2 times", "4"]
    assert all(actor.is_killed for actor in work.started[:3])


def test_the_death_of_an_idle_process_is_no_fault_of_the_piece():
    work = Play("ready 1 gone", "ready gone", "ready 2")
    tool = ToolProcess(work)
    assert done(tool, "a") == ["1"]
    assert done(tool, "b") == ["2"]
    assert len(work.started) == 3


@pytest.mark.parametrize("script", [None, DEAD])
def test_a_process_that_does_not_start_is_tried_three_times(script):
    fails = [script] * (MOST_STARTS - 1)
    tool = ToolProcess(Play(*fails, "ready 1 last", *fails, "ready 2 last", *fails, script))
    assert done(tool, "a", "b", "c") == ["1", "last", "2"]
    with pytest.raises(BackendError, match="workers cannot be started: "):
        done(tool, "d", "e")


def test_limits_end_a_process_and_its_piece_alone(monkeypatch):
    work = AllAtOnce("ready", "ready", "ready 3", limits=Limits(time_s=0.0, memory_mib=100))
    tool = ToolProcess(work)
    tool.begin(("a", "b", "c"))
    assert tool.outcomes(is_readable=False) == []  # it is not ready: nothing has begun
    assert tool.outcomes(is_readable=True) == []
    assert tool.outcomes(is_readable=False) == [(0, "LimitReached: time limit of 0 s")]
    work.own_limits = Limits(memory_mib=100)
    used = {"mib": 99.0}
    monkeypatch.setattr("nonosat.processes.tools.resident_mib", lambda _: used["mib"])
    monkeypatch.setattr(AllAtOnce, "grace_s", 1e6)
    assert tool.outcomes(is_readable=True) == tool.outcomes(is_readable=False) == []
    used["mib"] = 199.0
    assert tool.outcomes(is_readable=False) == []  # it has a grace period
    used["mib"] = 201.0  # not for twice as much
    assert tool.outcomes(is_readable=False) == [(1, "LimitReached: memory limit of 100 MiB")]
    assert tool.outcomes(is_readable=True) == []
    assert tool.outcomes(is_readable=True) == [(2, "3")]
    assert [actor.is_killed for actor in work.started] == [True, True, False]


class InSteps(Play):
    """Its pieces are large; the rest of one has a mark for each process that ended at it."""

    has_steps = True

    def take(self, process: Actor) -> tuple[Any, bool]:
        said, is_last = super().take(process)
        return (StepStarted() if said == "step" else said), is_last

    def rest(self, piece: str, error: Any, seconds: float) -> str:
        return f"{piece} after {error}"


def test_the_rest_of_a_large_piece_goes_to_the_next_process():
    work = InSteps("ready step step dead", "ready step dead", "ready step 1 step 2")
    assert done(ToolProcess(work), "a", "b") == ["1", "2"]
    assert [actor.given for actor in work.started] == [
        [["a"]],
        [["a after it died"]],
        [["a after it died after it died"], ["b"]],
    ]


def test_a_large_piece_that_cannot_be_begun_is_given_up():
    work = InSteps("ready dead", "ready step dead", "ready dead", "ready dead", "ready step 2")
    assert done(ToolProcess(work), "a", "b") == ["BackendError: it died, 2 times", "2"]


def test_limits_are_those_of_a_step():
    work = InSteps("ready step", "ready step 1", limits=Limits(1e-9))
    tool = ToolProcess(work)
    tool.begin(["a"])
    tool.outcomes(is_readable=True)
    assert tool.outcomes(is_readable=False) == []
    assert not work.started[0].is_killed  # it has not begun
    tool.outcomes(is_readable=True)
    assert tool.outcomes(is_readable=False) == []
    assert work.started[0].is_killed
    for _ in range(2):
        tool.outcomes(is_readable=True)
    assert tool.outcomes(is_readable=True) == [(0, "1")]
    assert work.started[1].given == [["a after time limit of 1e-09 s"]]


def test_a_process_that_never_begins_is_ended(monkeypatch):
    work = InSteps("ready", "ready step 1")
    tool = ToolProcess(work)
    tool.begin(["a"])
    tool.outcomes(is_readable=True)
    monkeypatch.setattr("nonosat.processes.tools.START_S", 0.0)
    assert tool.outcomes(is_readable=False) == []
    assert work.started[0].is_killed
    assert [tool.outcomes(is_readable=True) for _ in range(3)][-1] == [(0, "1")]
