"""What cannot be asked gets a sentence, whatever was sent in the place of what is expected."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import nonosat
from helpers.studios import Visitor, drawn, refusal, studio
from nonosat.studio.asked import MOST_FILE_BYTES, MOST_JSON_BYTES
from nonosat.studio.questions import QUESTIONS

HEART = (".a.a.", "aaaaa", "aaaaa", ".aaa.", "..a..")


@pytest.fixture(scope="module")
def visitor() -> Iterator[Visitor]:
    with studio() as found:
        yield found


def test_uploads_are_bounded(visitor: Visitor) -> None:
    large = bytes(MOST_FILE_BYTES + 1)
    assert refusal(visitor.send("read", large), 413)[1].startswith("an upload of more than 8 MiB")

    def pieces() -> Iterator[bytes]:
        for _ in range(9):
            yield bytes(2**20)

    reply = visitor.client.post("/api/read", content=pieces())
    assert refusal(reply, 413)[0] == "TooLargeError"
    reply = visitor.client.post("/api/rate", content=bytes(MOST_JSON_BYTES + 1))
    assert refusal(reply, 413)[1].startswith("an upload of more than 1 MiB")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b"\xff",
        b'{"puzzle": NaN}',
        b"[" * 100_000,
        b'{"a":' * 9 + b"1" + b"}" * 9,
        b'{"seconds": "x"}',
        b'{"seconds": 1e999}',
        b'{"seconds": true}',
        b'{"puzzle": 3}',
        b'{"puzzle": {}}',
        b'{"puzzle": {"puzzle": []}}',
        b'{"puzzle": {"puzzle": {"family": "chess"}}}',
        b'{"puzzle": {"puzzle": {"family": ["queens"]}}}',
        b'{"puzzle": {"puzzle": {"rows": [[1]]}}}',
        b'{"puzzle": {"picture": [], "colours": {"a": "#000000"}}}',
        b'{"puzzle": {"picture": ["a", "aa"], "colours": {"a": "#000000"}}}',
        b'{"puzzle": {"picture": ["b"], "colours": {"a": "#000000"}}}',
        b'{"puzzle": {"picture": ["?"], "colours": {"a": "#000000"}}}',
        b'{"puzzle": {"picture": [1], "colours": {"a": "#000000"}}}',
        b'{"puzzle": {"picture": "a", "colours": {"a": "#000000"}}}',
        b'{"puzzle": {"picture": ["a"], "colours": {}}}',
        b'{"puzzle": {"picture": ["a"], "colours": {"b": "#000000"}}}',
        b'{"puzzle": {"picture": ["a"], "colours": {"a": "url(x)"}}}',
        b'{"puzzle": {"picture": ["a"], "colours": {"a": "#000000"}, "title": 3}}',
        b'{"puzzle": {"picture": ["a"], "colours": {"a": "#000000"}, "background": "x"}}',
    ],
)
def test_what_is_no_question_is_refused(visitor: Visitor, body: bytes) -> None:
    kind, message = refusal(visitor.client.post("/api/rate", content=body))
    assert kind in ("FormatError", "PuzzleError")
    assert message


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("repair", {"keep": [[9, 9]]}),
        ("repair", {"keep": 3}),
        ("repair", {"keep": ["x"]}),
        ("repair", {"most": 0}),
        ("repair", {"most": "x"}),
        ("repair", {"grade": 99}),
        ("reason", {}),
        ("reason", {"row": 9, "column": 0}),
        ("reason", {"row": "x", "column": 0}),
        ("hint", {"given": ["aa"]}),
        ("hint", {"given": ["p" * 5] * 5}),
        ("hint", {"given": 3}),
        ("export", {}),
        ("export", {"format": "gif"}),
        ("export", {"format": "clues"}),
        ("export", {"format": "queens"}),
        ("export", {"format": ["non"]}),
        ("sheet", {"kind": "exe"}),
        ("sheet", {"theme": "pink"}),
        ("sheet", {"clues": "?"}),
        ("solve", {"most": "x"}),
    ],
)
def test_wishes_that_cannot_be_are_refused(visitor: Visitor, question: str, asked: Any) -> None:
    kind, message = refusal(visitor.ask(question, puzzle=drawn(*HEART), **asked))
    assert kind.endswith("Error")
    assert message


def test_a_clue_that_is_wrong_is_named(visitor: Visitor) -> None:
    broken = {"puzzle": {"rows": [[1], [-1]], "columns": [[1], []]}}
    assert visitor.ask("solve", puzzle=broken).json()["error"]["line"] == {"row": 1}
    broken = {"puzzle": {"rows": [[1], []], "columns": [[1], [[2, "x"]]]}}
    assert visitor.ask("solve", puzzle=broken).json()["error"]["line"] == {"column": 1}


def test_other_questions_are_named(visitor: Visitor) -> None:
    message = refusal(visitor.ask("nothing"), 404)[1]
    assert all(name in message for name in QUESTIONS)
    refusal(visitor.client.get("/api/rate"), 404)


def test_a_limit_gives_what_is_known(visitor: Visitor) -> None:
    hard = nonosat.generate_nonogram(100, 100, seed=5, unique=False)
    answer = visitor.answer("solve", puzzle={"puzzle": hard.to_data()}, seconds=0.2)
    assert answer["verdict"] == "unknown"
