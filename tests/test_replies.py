"""Properties of all results of queries: frozen, compared without times, printed alike."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace

import pytest

import nonosat
from nonosat.core.limits import Limits
from nonosat.puzzles.nonogram import mono
from nonosat.questions.reply import Reply

LARGE = mono([[1]] * 40, [[1]] * 40)
PUZZLE = mono([[1], [1]], [[1], [1]])
ASKED: dict[str, Callable[..., Reply]] = {
    "count": nonosat.count,
    "sample": nonosat.sample,
    "backbone": nonosat.backbone,
    "why_multiple": nonosat.why_multiple,
    "explain": nonosat.explain,
    "rate": nonosat.rate,
    "hint": nonosat.hint,
    "reason": lambda puzzle, **limits: nonosat.reason(puzzle, 0, 0, **limits),
    "estimate": nonosat.estimate,
}
each_question = pytest.mark.parametrize("name", ASKED)


@each_question
def test_a_reply_is_frozen_and_compares_without_its_seconds(name: str) -> None:
    reply = ASKED[name](PUZZLE)
    assert reply.seconds > 0
    assert replace(reply, seconds=-1.0) == reply
    assert replace(reply, reason="another") != reply
    with pytest.raises(FrozenInstanceError):
        reply.reason = ""  # type: ignore[misc]  # that is the point


@pytest.mark.parametrize("name", sorted(ASKED.keys() - {"estimate"}))  # beliefs are views of memory
def test_a_reply_can_be_sent_to_another_process(name: str) -> None:
    reply = ASKED[name](PUZZLE)
    assert pickle.loads(pickle.dumps(reply)) == reply


@each_question
def test_a_reply_prints_its_puzzle_and_the_rest_in_words(name: str) -> None:
    reply = ASKED[name](PUZZLE)
    tail = f" ({reply.reason})" if reply.reason else ""
    assert reply.description()
    steps = [step.sentence for step in getattr(reply, "steps", ()) if name in ("explain", "reason")]
    assert str(reply).split("\n") == [
        *(f"{number}. {told}" for number, told in enumerate(steps, start=1)),
        f"{PUZZLE}: {reply.description()}{tail}",
    ]


@each_question
def test_a_limit_is_recorded_and_named(name: str) -> None:
    reply = ASKED[name](LARGE, time_limit_s=1e-9)
    assert reply.limits == Limits(time_s=1e-9)
    assert "time limit of 1e-09 s" in str(reply).lower()
