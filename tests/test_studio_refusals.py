"""Refusals of invalid requests: each has a sentence, for any content."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

import nonosat
from helpers.images import drawn as image_of
from helpers.images import file
from helpers.processes import begun
from helpers.studios import Visitor, drawn, refusal, studio
from nonosat.studio import api, work
from nonosat.studio.questions import QUESTIONS, Handler
from nonosat.studio.requested import MOST_FILE_BYTES, MOST_JSON_BYTES

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
def test_invalid_queries_are_refused(visitor: Visitor, body: bytes) -> None:
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
def test_impossible_options_are_refused(visitor: Visitor, question: str, asked: Any) -> None:
    kind, message = refusal(visitor.ask(question, puzzle=drawn(*HEART), **asked))
    assert kind.endswith("Error")
    assert message


def test_a_clue_that_is_wrong_is_named(visitor: Visitor) -> None:
    broken = {"puzzle": {"rows": [[1], [-1]], "columns": [[1], []]}}
    assert visitor.ask("solve", puzzle=broken).json()["error"]["line"] == {"row": 1}
    broken = {"puzzle": {"rows": [[1], []], "columns": [[1], [[2, "x"]]]}}
    assert visitor.ask("solve", puzzle=broken).json()["error"]["line"] == {"column": 1}


def test_unknown_queries_are_named(visitor: Visitor) -> None:
    message = refusal(visitor.ask("nothing"), 404)[1]
    assert all(name in message for name in QUESTIONS)
    refusal(visitor.client.get("/api/rate"), 404)


@pytest.mark.real_time
def test_a_limit_gives_results_so_far(visitor: Visitor) -> None:
    hard = nonosat.generate_nonogram(180, 180, seed=5, unique=False)
    puzzle = {"puzzle": hard.to_data()}
    reply, _ = begun(
        lambda limit_s: visitor.ask("solve", puzzle=puzzle, seconds=limit_s),
        lambda reply: reply.status_code == 200,
        1.0,
    )
    assert reply.json()["answer"]["verdict"] == "unknown"


# Any JSON in place of any field. Values of a field's own type come first: they may be refused or
# not;
# all others must be refused.

HUGE = 10**400
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 3, HUGE, 1.5, 1e300, "", "x", "\ud800", "0" * 300),
    *([], [[]], [None], [HUGE], [[0, 0]], ["x"], [["x"]], {}, {"a": 1}, {"\ud800": []}),
)
NUMBER = (int, float)
PICTURE = {**drawn(*HEART), "background": "#ffffff", "title": "x", "author": "y"}
CLUED = {"puzzle": {"rows": [[2], [1]], "columns": [[1], [2]]}}
PICTURE_TYPES = {"picture": list, "colours": dict, "background": str, "title": str, "author": str}
FIELDS: tuple[tuple[str, dict[str, tuple[Any, Any]]], ...] = (
    ("solve", {"most": (1, int), "seconds": (5, NUMBER)}),
    ("repair", {"keep": ([], list), "most": (1, int), "grade": (2, int)}),
    ("reason", {"row": (0, int), "column": (0, int)}),
    ("hint", {"given": (["?" * 5] * 5, list)}),
    ("export", {"format": ("non", str)}),
    (
        "sheet",
        {
            "kind": ("svg", str),
            "solution": (False, bool),
            "clues": ("once", str),
            "theme": ("light", str),
        },
    ),
)


def is_of(value: Any, kind: Any) -> bool:
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def hold(reply: Any, value: Any, kind: Any, what: str) -> None:
    """Check that a request with this value of a field gets an answer or a sentence."""
    if value is not None and not is_of(value, kind):
        assert reply.status_code == 422, f"{what}={str(value)[:40]!r}: {reply.text}"
    if reply.status_code != 200:
        assert refusal(reply, 422)[1], what


def posted(visitor: Visitor, question: str, asked: Any) -> Any:
    return visitor.client.post(f"/api/{question}", content=json.dumps(asked).encode())


@pytest.mark.thorough
@pytest.mark.parametrize(("question", "fields"), FIELDS)
def test_every_field_of_a_query_is_checked(
    visitor: Visitor, question: str, fields: dict[str, tuple[Any, Any]]
) -> None:
    right = {name: value for name, (value, _) in fields.items()} | {"puzzle": PICTURE}
    assert posted(visitor, question, right).status_code == 200
    for name, (_, kind) in fields.items():
        for value in VALUES:
            reply = posted(visitor, question, right | {name: value})
            hold(reply, value, kind, f"{question}: {name}")


@pytest.mark.thorough
@pytest.mark.parametrize("question", sorted(QUESTIONS.keys() - {"read", "image"}))
def test_every_query_takes_a_puzzle_or_gives_a_reason(visitor: Visitor, question: str) -> None:
    named = next((fields for name, fields in FIELDS if name == question), {})
    right = {name: value for name, (value, _) in named.items()}
    for value in VALUES:
        for sent in (value, {"picture": value}, {"puzzle": value}):
            assert refusal(posted(visitor, question, right | {"puzzle": sent}))[1]


def test_every_field_of_a_picture_is_checked(visitor: Visitor) -> None:
    for name, kind in PICTURE_TYPES.items():
        for value in VALUES:
            reply = posted(visitor, "export", {"format": "non", "puzzle": PICTURE | {name: value}})
            hold(reply, value, kind, name)
    for value in VALUES:
        reply = posted(visitor, "rate", {"puzzle": PICTURE | {"colours": {"a": value}}})
        assert refusal(reply)[1]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "puzzle",
    [
        nonosat.from_picture(["#.", "##"], title="x", author="y").to_data(),
        nonosat.from_picture(["a.", "bb"], colours={"a": "red", "b": "blue"}).to_data(),
        nonosat.slitherlink(["33", ".."], title="x").to_data(),
        nonosat.Queens(5).to_data(),
        nonosat.Knight(5, 6).to_data(),
    ],
    ids=lambda puzzle: puzzle.get("family", "nonogram"),
)
def test_every_field_of_a_puzzle_is_answered_or_refused(visitor: Visitor, puzzle: Any) -> None:
    names = {*puzzle, "family", "given", "goal", "saved", "id", "title", "colors", "holes"}
    for name in sorted(names):
        for value in VALUES:
            sent = {"puzzle": puzzle | {name: value}}
            reply = posted(visitor, "solve", {"puzzle": sent, "seconds": 1})
            assert reply.status_code in (200, 422, 503), f"{name}={str(value)[:40]!r}: {reply.text}"
            if reply.status_code != 200:
                assert refusal(reply, reply.status_code)[1]


WISHES = ("columns", "rows", "colours", "threshold", "edges", "invert", "dither", "seconds", "name")


@pytest.mark.thorough
@pytest.mark.parametrize("wish", WISHES)
def test_every_option_of_an_image_is_answered_or_refused(visitor: Visitor, wish: str) -> None:
    data = file(image_of(["#.", ".#"]))
    for value in ("", "x", "-1", "0", "1e9", "nan", "inf", "9" * 400, "[]", "\x00", "²", "1_0"):
        for reply in (
            visitor.send("image", data, **{"columns": "4", wish: value}),
            visitor.send("read", b"##\n.#\n", **{wish: value}),
        ):
            # "0" and "-1" seconds are the minimum, which may be too few
            is_cut = wish == "seconds" and reply.status_code == 503
            assert reply.status_code == 200 or refusal(reply, 503 if is_cut else 422)[1], value


def test_an_internal_error_is_reported_and_logged(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: Any) -> Any:
        raise ZeroDivisionError("a test divides")

    policy = visitor.client.get("/").headers["content-security-policy"]
    monkeypatch.setattr(api, "_first", broken)
    monkeypatch.delitem(visitor.shown, "about", raising=False)
    for reply in (visitor.ask("rate", puzzle=drawn(*HEART)), visitor.client.get("/api/about")):
        kind, message = refusal(reply, 500)
        assert kind == "ZeroDivisionError"
        assert message.startswith("an internal error of the studio (ZeroDivisionError: a te")
        assert reply.headers["content-security-policy"] == policy
    assert [record.exc_info is not None for record in caplog.records] == [True, True]
    monkeypatch.undo()
    assert visitor.answer("rate", puzzle=drawn(*HEART))


def test_an_internal_error_in_a_child_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise KeyError("a test looks up")

    monkeypatch.setitem(QUESTIONS, "rate", Handler(broken))
    reply, _ = work.answered("rate", drawn(*HEART), {}, {})
    assert reply is not None
    assert reply.status == 500
    assert b"an internal error of the studio (KeyError: " in reply.body
