"""`/api/NAME`: questions about a puzzle, each in a child that is killed when its client is gone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any

from starlette.datastructures import State
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from nonosat.core.errors import FormatError, LimitReached
from nonosat.processes.tools import Call
from nonosat.studio import work
from nonosat.studio.questions import QUESTIONS
from nonosat.studio.requested import MOST_FILE_BYTES, MOST_JSON_BYTES, parsed, seconds_of, word_of
from nonosat.studio.wire import is_ours
from nonosat.studio.worker_pool import WorkerPool

USUAL_S = 60.0  # default limit of a question
MOST_REQUESTS = 64  # requests whose bodies are held at a time
_SHOWN_S = 60.0
_LONGEST_NAME = 100  # characters in the name of a question
SHOWN = ("about", "gallery")
PROGRESS = "progress"  # parameter with the name of the question
_NOTHING_YET = b'{"answer":null}'
_TOO_LARGE, _NOT_FOUND = 413, 404
_log = logging.getLogger(__name__)


class UnknownError(FormatError):
    """There is no question of this name."""


class TooLargeError(FormatError):
    """An upload is larger than any puzzle."""


async def query(request: Request) -> Response:
    """Handle a question about a puzzle or a file, in a child process."""
    return await _replied(_requested, request)


async def show(request: Request) -> Response:
    """Handle a request without a puzzle (`gallery`, `about`); its response is created once."""
    return await _replied(_shown, request)


async def _replied(
    work_on: Callable[[Request], Awaitable[work.Response]], request: Request
) -> Response:
    """Return the response that `work_on` computes for a request; errors become responses, too."""
    try:
        reply = await work_on(request)
    except UnknownError as error:
        reply = work.failed(error, _NOT_FOUND)
    except TooLargeError as error:
        reply = work.failed(error, _TOO_LARGE)
    except ClientDisconnect:  # the client is gone before the end of the body
        reply = work.failed(LimitReached("the page no longer waits for the answer"))
    except Exception as error:
        if is_ours(error):
            _log.exception("a request of the studio's page failed: %s", request.url.path)
        reply = work.failed(error)
    return Response(reply.body, reply.status, reply.headers, reply.kind)


async def _requested(request: Request) -> work.Response:
    name, state = request.path_params["name"], request.app.state
    if name not in QUESTIONS:
        raise UnknownError(f"unknown query; expected one of {', '.join(sorted(QUESTIONS))}")
    if state.num_requests >= MOST_REQUESTS:
        raise LimitReached(f"{MOST_REQUESTS} questions are open already; wait for their answers")
    state.num_requests += 1
    try:
        return await _answered(request, name, state)
    finally:
        state.num_requests -= 1


async def _shown(request: Request) -> work.Response:
    name, state = request.path_params["name"], request.app.state
    if name == PROGRESS:
        requested = request.query_params.get("of", "")[:_LONGEST_NAME]
        known = state.progress.get(requested, _NOTHING_YET)
        return work.Response(200, "application/json", known, {})
    if name not in SHOWN:
        raise UnknownError("no such page; queries are sent by POST")
    if name not in state.shown:
        reply = await _first(state.desks, Call(work.shown, (name, state.first)), _SHOWN_S)
        if reply.status != 200:
            return reply
        state.shown[name] = reply
    kept: work.Response = state.shown[name]
    return kept


async def _answered(request: Request, name: str, state: State) -> work.Response:
    takes_file = QUESTIONS[name].takes_file
    body = await _body(request, MOST_FILE_BYTES if takes_file else MOST_JSON_BYTES)
    requested: dict[str, Any] = dict(request.query_params)
    if takes_file:
        sent: Any = body
        requested |= {"seconds": _number(requested["seconds"])} if "seconds" in requested else {}
    else:
        requested = parsed(body)
        sent = requested.pop("puzzle", None)
    seconds = seconds_of(requested, USUAL_S)
    limits = {"time_limit_s": seconds}
    call = Call(work.answered, (name, sent, requested, limits))
    known = _QuestionProgress(state.progress, word_of(requested, PROGRESS, ""))
    answer = asyncio.ensure_future(_first(state.desks, call, seconds, known.report))
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait([answer, gone], return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            raise LimitReached("the page no longer waits for the answer")
        return answer.result()
    finally:
        known.forget()
        gone.cancel()
        answer.cancel()  # which kills the child
        await asyncio.wait([answer, gone])


class _QuestionProgress:
    """Progress of one question, which the page fetches by the name that it gave.

    Args:
        every: Progress of all questions by name.
        name: Name of this question; "" stores no progress.
    """

    def __init__(self, every: dict[str, bytes], name: str) -> None:
        self._every, self._name = every, name[:_LONGEST_NAME]

    def report(self, progress: work.PartialResult) -> None:
        """Store the current progress."""
        if self._name:
            self._every[self._name] = progress.body

    def forget(self) -> None:
        """Delete the progress: the question is answered or cancelled."""
        self._every.pop(self._name, None)


async def _first(
    desks: WorkerPool,
    call: Call,
    seconds: float,
    report: Callable[[work.PartialResult], None] = lambda _: None,
) -> work.Response:
    found: list[work.Response] = []
    async with aclosing(desks.long(call, seconds, is_live=False)) as answers:
        async for item in answers:
            if isinstance(item, work.PartialResult):
                report(item)
            else:
                found.append(item)
    return found[0]


async def _gone(request: Request) -> None:
    """Wait until the client closes the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _body(request: Request, most: int) -> bytes:
    """Return the request's body, at most `most` bytes; raise TooLargeError for a longer one."""
    what = f"an upload of more than {most // 2**20} MiB, expected a puzzle or an image"
    length = request.headers.get("content-length", "0")
    if not (length.isdecimal() and len(length) < 20) or int(length) > most:
        raise TooLargeError(what)
    pieces, size = [], 0
    async for piece in request.stream():
        size += len(piece)
        if size > most:
            raise TooLargeError(what)
        pieces.append(piece)
    return b"".join(pieces)


def _number(text: str) -> float | str:
    try:
        return float(text[:20])
    except ValueError:
        return text  # refused together with all other values that are not numbers
