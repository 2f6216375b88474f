"""The socket `/live`: verdicts on edits; only the newest edit is processed.

Work on an edit consists of steps (`verdicts`). First a quick child executes them in short slices of
time. Steps that these do not complete are executed in a long child, after a short time without a
newer edit. A newer edit, or the end of the socket, cancels the work.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing, suppress
from itertools import count
from typing import Any

from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from nonosat.core import hooks
from nonosat.core.errors import BackendError, FormatError, LimitReached, NonosatError
from nonosat.processes.tools import Call
from nonosat.studio import verdicts
from nonosat.studio.requested import MOST_S, parsed, seconds_of
from nonosat.studio.wire import error_data, is_ours, text_of
from nonosat.studio.worker_pool import SLICE_S, BusyError, WorkerPool

USUAL_S = 60.0  # default limit of an edit
REPORT_EVERY_S = 0.5
FIRST_S = 0.04  # slice of a quick child for a picture's verdict, so that all pages have turns
GOING_ON_S = 2.0  # of such slices if the search continues: a long child would restart it
PAUSE_S = 0.06  # without a newer edit before the steps after a verdict
FOLLOWING_S = 0.03  # slice of a quick child for such a step
AGAIN_S = 0.06  # slice of a second attempt: on a busy machine 2 ms of work may take 50
OPEN_S = 0.08  # without a newer edit before a long child searches for the verdict
REST_S = 1.5  # without a newer edit before a long child does later steps: killing one costs a start
MOST_SOCKETS = 128
UNSUPPORTED_DATA = 1003  # close code of RFC 6455

_log = logging.getLogger(__name__)
_numbers = count()


class Editor:
    """Connection of one page, which sends its edits and receives results about them.

    Args:
        socket: An accepted socket.
        desks: Pool of child processes.
    """

    def __init__(self, socket: WebSocket, desks: WorkerPool) -> None:
        self._socket = socket
        self._desks = desks
        self._number = next(_numbers)
        self._judging: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Receive edits until the socket ends."""
        try:
            while True:
                message = await self._socket.receive_text()
                await self._heed(message)
        except WebSocketDisconnect:
            pass
        except KeyError:  # bytes instead of text
            await self._socket.close(UNSUPPORTED_DATA)
        finally:
            await self._call_off()

    async def _heed(self, message: str) -> None:
        number: Any = None
        try:
            requested = parsed(message)
            number = requested.get("edit")
            if type(number) is not int:
                raise FormatError("an edit without a number, expected 'edit' and 'puzzle'")
            seconds = seconds_of(requested, USUAL_S)
        except Exception as error:  # an internal error must not end the connection
            _log_failure(error)
            await self._send(text_of({"edit": number, "error": error_data(error)}))
            return
        await self._call_off()
        if requested.get("puzzle") is None:  # the page has no puzzle to judge
            return
        edit = verdicts.Edit(str(self._number), number, requested["puzzle"])
        self._judging = asyncio.create_task(self._judged(edit, seconds))

    async def _call_off(self) -> None:
        """Cancel the work on the last edit; a long child is free then, a quick one soon after."""
        judging, self._judging = self._judging, None
        if judging is not None:
            judging.cancel()
            await asyncio.wait([judging])

    async def _send(self, message: str) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # the socket has just ended
            await self._socket.send_text(message)

    async def _judged(self, edit: verdicts.Edit, seconds: float) -> None:
        """Send all results about an edit that are found within `seconds`."""
        reporter = asyncio.create_task(self._report_search(edit.number))
        try:
            started = hooks.clock()
            end = started + seconds
            if todo := await self._at_once(edit, seconds):
                rest_s = OPEN_S if todo == verdicts.FIRST else REST_S
                await asyncio.sleep(min(rest_s, seconds) - (hooks.clock() - started))
                await self._at_length(edit, todo, end)
        except Exception as error:  # also after an internal error: the page must not wait forever
            _log_failure(error)
            await self._send(text_of({"edit": edit.number, "error": error_data(error)}))
        finally:
            reporter.cancel()
        await self._send(text_of({"edit": edit.number, "done": True}))

    async def _report_search(self, number: int) -> None:
        started = hooks.clock()
        while True:
            await asyncio.sleep(REPORT_EVERY_S)
            seconds = round(hooks.clock() - started, 1)
            await self._send(text_of({"edit": number, "looking": seconds}))

    async def _at_once(self, edit: verdicts.Edit, seconds: float) -> tuple[str, ...]:
        """Execute steps in slices of a quick child; return the steps that remain."""
        todo = verdicts.FIRST
        slices = _Slices(edit, seconds)
        while todo:
            call = Call(verdicts.step, (edit, todo, slices.seconds))
            # Steps after a verdict use another child, so that the next verdict need not wait.
            child = self._number + (todo != verdicts.FIRST)
            try:
                text: verdicts.NumberedResult = await self._desks.quick(
                    child, call, is_urgent=slices.is_first
                )
            except (LimitReached, BackendError):  # it ignored its time limit, or it died
                return todo
            for message in text.messages:
                await self._send(message)
            if text.is_open:
                if not slices.goes_on(text):
                    break
                continue
            if todo == verdicts.FIRST:
                await asyncio.sleep(min(PAUSE_S, seconds))
            todo = text.todo
            slices.follow()
        return todo

    async def _at_length(self, edit: verdicts.Edit, todo: tuple[str, ...], end: float) -> None:
        """Execute the remaining steps in a long child."""
        is_open = todo[0] == "verdict"
        reason = "the time for this edit is over"
        try:
            left = max(0.1, min(MOST_S, end - hooks.clock()))
            call = Call(verdicts.rest, (edit, todo, left))
            async with aclosing(self._desks.long(call, left, is_live=True)) as answers:
                async for text in answers:
                    is_open = False
                    for message in text.messages:
                        await self._send(message)
                    if text.solved is not None:  # the next stroke needs it
                        learn = Call(verdicts.learn, (edit, text.solved))
                        with suppress(NonosatError):
                            await self._desks.quick(self._number, learn, is_urgent=True)
        except LimitReached as limit:
            reason = str(limit)
        if is_open:
            unknown = {"verdict": "unknown", "reason": reason}
            await self._send(text_of({"edit": edit.number, **unknown}))


def _log_failure(error: Exception) -> None:
    """Log an internal error, but no error in a request."""
    if is_ours(error):
        _log.error("a verdict of the studio failed", exc_info=error)


class _Slices:
    """Lengths of the slices of a quick child for an edit.

    Args:
        edit: The edit.
        most_s: Time limit of the edit.
    """

    def __init__(self, edit: verdicts.Edit, most_s: float) -> None:
        self._most_s = most_s
        self._started = hooks.clock()
        self.is_first = True
        self._slice_s, self._longest_s = FIRST_S if edit.is_drawn else SLICE_S, SLICE_S

    @property
    def seconds(self) -> float:
        return min(self._slice_s, self._most_s)

    def follow(self) -> None:
        """Change to the lengths for steps that follow the verdict."""
        self._slice_s, self._longest_s = FOLLOWING_S, AGAIN_S
        self.is_first = False

    def goes_on(self, description: verdicts.NumberedResult) -> bool:
        """Return True if the step that `description` leaves unfinished gets another slice."""
        self.is_first = False
        if description.goes_on:
            return hooks.clock() - self._started < min(GOING_ON_S, self._most_s)
        self._slice_s *= 2  # the search has not begun
        return self._slice_s <= self._longest_s


async def live(socket: WebSocket) -> None:
    """Handle a connection to the socket."""
    state = socket.app.state
    if state.num_sockets >= MOST_SOCKETS:
        error = BusyError(f"{MOST_SOCKETS} pages are open already; close one of them")
        await socket.send_denial_response(Response(text_of({"error": error_data(error)}), 503))
        return
    state.num_sockets += 1
    try:
        await socket.accept()
        await Editor(socket, state.desks).serve()
    finally:
        state.num_sockets -= 1
