"""Queries in the studio's child processes: from the request's data to the response."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

import nonosat
from nonosat.core import plugins
from nonosat.studio import gallery, reading, requested
from nonosat.studio.files import SavedFile, kind_of
from nonosat.studio.questions import QUESTIONS
from nonosat.studio.wire import MOST_SIDE, error_data, is_ours, puzzle_of, text_of

_JSON = "application/json"


class Response(NamedTuple):
    """Response for the page."""

    status: int
    kind: str
    body: bytes
    headers: dict[str, str]


class PartialResult(NamedTuple):
    """Partial result of a long question, as it is sent to the page."""

    body: bytes


def answered(
    name: str, sent: object, parameters: Mapping[str, Any], limits: Mapping[str, Any]
) -> Iterator[PartialResult | Response | None]:
    """Yield the progress of a question, its reply, and None.

    Args:
        name: Name of the question.
        sent: The puzzle as the page has sent it, or a file's bytes.
        parameters: Further data of the request.
        limits: Limits, as the library takes them.
    """
    question = QUESTIONS[name]

    def answer(**more: object) -> Any:
        what = sent if question.takes_file else puzzle_of(sent)
        return question.answer(what, parameters, limits, **more)

    if question.has_progress and parameters.get("progress") is not None:
        yield from _in_steps(answer)
    else:
        yield _reply(answer)
    yield None


def _in_steps(answer: Callable[..., Any]) -> Iterator[PartialResult | Response]:
    """Yield the progress of an answer while a thread works on it, and the reply."""
    results: SimpleQueue[PartialResult | Response] = SimpleQueue()

    def report(data: object) -> None:
        results.put(PartialResult(text_of({"answer": data}).encode("utf-8", "replace")))

    thread = Thread(
        target=lambda: results.put(_reply(partial(answer, on_progress=report))), daemon=True
    )
    thread.start()
    while isinstance(item := results.get(), PartialResult):
        yield item
    yield item
    thread.join()


def shown(name: str, first: Any) -> Iterator[Response | None]:
    """Yield the response to a request without a puzzle, `gallery` or `about`; then None."""
    yield _reply(gallery.gallery if name == "gallery" else lambda: _about(first))
    yield None


def failed(error: Exception, status: int | None = None) -> Response:
    """Return the response for an error."""
    if status is None:
        is_limit = isinstance(error, nonosat.LimitReached)
        status = 503 if is_limit else 500 if is_ours(error) else 422
    return Response(status, _JSON, text_of({"error": error_data(error)}).encode(), {})


def _reply(answer: Callable[[], Any]) -> Response:
    try:
        found = answer()
        if isinstance(found, SavedFile):
            return Response(200, kind_of(found.name), found.content, found.headers())
        return Response(200, _JSON, text_of({"answer": found}).encode("utf-8", "replace"), {})
    except MemoryError:
        return failed(nonosat.LimitReached("out of memory"))
    except Exception as error:  # an internal error must not end the child
        return failed(error)


def _about(first: dict[str, Any]) -> dict[str, Any]:
    every, families = plugins.names("formats"), plugins.names("puzzles")
    return {
        "version": nonosat.__version__,
        "formats": [
            {
                "name": name,
                "summary": one.summary,
                "suffix": one.suffixes[0] if one.suffixes else "",
                "families": [family for family in sorted(families) if one.holds.takes(family)],
                "writes": bool(one.suffixes) and "read only" not in one.summary,
            }
            for name, one in sorted(every.items())
        ],
        "limits": {
            "side": MOST_SIDE,
            "colours": 16,
            "bytes": requested.MOST_FILE_BYTES,
            "seconds": requested.MOST_S,
            "puzzles": reading.MOST_PUZZLES,
        },
        **first,
    }
