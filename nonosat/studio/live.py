"""The socket `/live`: a verdict on every edit, the newest first and only.

An edit is first tried in slices of a quick child, in which the search for a verdict goes on where
it was; what is still open after them, and after a short rest without a newer edit, is left to a
long child. A newer edit, or the end of the socket, calls all of that off.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing, suppress
from itertools import count
from time import monotonic
from typing import Any

from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from nonosat.core.errors import BackendError, FormatError, LimitReached, NonosatError
from nonosat.processes.tools import Call
from nonosat.studio import verdicts
from nonosat.studio.asked import MOST_S, parsed, seconds_of
from nonosat.studio.wire import error_data, is_ours, text_of
from nonosat.studio.worker_pool import SLICE_S, BusyError, WorkerPool

USUAL_S = 60.0  # of an edit
LOOKING_EVERY_S = 0.5
FIRST_S = 0.04  # of a quick child, for a picture's verdict, so that those of all pages have turns
GOING_ON_S = 2.0  # of such slices, if the search goes on: a long child would begin anew
PAUSE_S = 0.06  # without a newer edit, before what follows a verdict
FOLLOWING_S = 0.03  # of a quick child, for a step of that
AGAIN_S = 0.06  # the same, once more: on a busy machine 2 ms of work may take 50
OPEN_S = 0.08  # of an edit without a newer one, before a long child looks for the verdict itself
REST_S = 1.5  # the same, before one is used for what follows: ending one costs a start
MOST_SOCKETS = 128
UNSUPPORTED_DATA = 1003  # of RFC 6455

_log = logging.getLogger(__name__)
_numbers = count()


class Editor:
    """One page's line to the studio.

    Args:
        socket: Accepted.
        desks: Where the work is done.
    """

    def __init__(self, socket: WebSocket, desks: WorkerPool) -> None:
        self._socket = socket
        self._desks = desks
        self._number = next(_numbers)
        self._judging: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Hear edits until the socket ends."""
        try:
            while True:
                message = await self._socket.receive_text()
                await self._heed(message)
        except WebSocketDisconnect:
            pass
        except KeyError:  # bytes in the place of text
            await self._socket.close(UNSUPPORTED_DATA)
        finally:
            await self._call_off()

    async def _heed(self, message: str) -> None:
        number: Any = None
        try:
            asked = parsed(message)
            number = asked.get("edit")
            if type(number) is not int:
                raise FormatError("an edit without a number, expected 'edit' and 'puzzle'")
            seconds = seconds_of(asked, USUAL_S)
        except Exception as error:  # a failure of ours must not end the line
            _log_failure(error)
            await self._tell(text_of({"edit": number, "error": error_data(error)}))
            return
        await self._call_off()
        if asked.get("puzzle") is None:  # nothing more is to be judged
            return
        edit = verdicts.Edit(str(self._number), number, asked["puzzle"])
        self._judging = asyncio.create_task(self._judged(edit, seconds))

    async def _call_off(self) -> None:
        """End the work on the last edit; a long child is free then, a quick one in a moment."""
        judging, self._judging = self._judging, None
        if judging is not None:
            judging.cancel()
            await asyncio.wait([judging])

    async def _tell(self, message: str) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # the socket has just ended
            await self._socket.send_text(message)

    async def _judged(self, edit: verdicts.Edit, seconds: float) -> None:
        """Tell of an edit all that can be found out in so many seconds."""
        looking = asyncio.create_task(self._look(edit.number))
        try:
            started = monotonic()
            end = started + seconds
            if todo := await self._at_once(edit, seconds):
                rest_s = OPEN_S if todo == verdicts.FIRST else REST_S
                await asyncio.sleep(min(rest_s, seconds) - (monotonic() - started))
                await self._at_length(edit, todo, end)
        except Exception as error:  # also a failure of ours: the page must not wait for ever
            _log_failure(error)
            await self._tell(text_of({"edit": edit.number, "error": error_data(error)}))
        finally:
            looking.cancel()
        await self._tell(text_of({"edit": edit.number, "done": True}))

    async def _look(self, number: int) -> None:
        started = monotonic()
        while True:
            await asyncio.sleep(LOOKING_EVERY_S)
            looking = round(monotonic() - started, 1)
            await self._tell(text_of({"edit": number, "looking": looking}))

    async def _at_once(self, edit: verdicts.Edit, seconds: float) -> tuple[str, ...]:
        """Do steps in slices; returns those that are left."""
        todo = verdicts.FIRST
        slices = _Slices(edit, seconds)
        while todo:
            call = Call(verdicts.step, (edit, todo, slices.seconds))
            # What follows a verdict is another child's, so that the next one need not wait for it.
            child = self._number + (todo != verdicts.FIRST)
            try:
                told: verdicts.Told = await self._desks.quick(
                    child, call, is_urgent=slices.is_first
                )
            except (LimitReached, BackendError):  # it did not notice its time, or it died
                return todo
            for message in told.messages:
                await self._tell(message)
            if told.is_open:
                if not slices.goes_on(told):
                    break
                continue
            if todo == verdicts.FIRST:
                await asyncio.sleep(min(PAUSE_S, seconds))
            todo = told.todo
            slices.follow()
        return todo

    async def _at_length(self, edit: verdicts.Edit, todo: tuple[str, ...], end: float) -> None:
        """Do the other steps in a long child."""
        is_open = todo[0] == "verdict"
        reason = "the time for this edit is over"
        try:
            left = max(0.1, min(MOST_S, end - monotonic()))
            call = Call(verdicts.rest, (edit, todo, left))
            async with aclosing(self._desks.long(call, left, is_live=True)) as answers:
                async for told in answers:
                    is_open = False
                    for message in told.messages:
                        await self._tell(message)
                    if told.solved is not None:  # the next stroke will need it
                        learn = Call(verdicts.learn, (edit, told.solved))
                        with suppress(NonosatError):
                            await self._desks.quick(self._number, learn, is_urgent=True)
        except LimitReached as limit:
            reason = str(limit)
        if is_open:
            unknown = {"verdict": "unknown", "reason": reason}
            await self._tell(text_of({"edit": edit.number, **unknown}))


def _log_failure(error: Exception) -> None:
    """Write down a failure of ours, not a mistake in what was sent."""
    if is_ours(error):
        _log.error("a verdict of the studio failed", exc_info=error)


class _Slices:
    """How long the next slice of a quick child is, for an edit.

    Args:
        edit: The edit.
        most_s: Its limit.
    """

    def __init__(self, edit: verdicts.Edit, most_s: float) -> None:
        self._most_s = most_s
        self._started = monotonic()
        self.is_first = True
        self._slice_s, self._longest_s = FIRST_S if edit.is_drawn else SLICE_S, SLICE_S

    @property
    def seconds(self) -> float:
        return min(self._slice_s, self._most_s)

    def follow(self) -> None:
        """What is next is a step that follows a verdict."""
        self._slice_s, self._longest_s = FOLLOWING_S, AGAIN_S
        self.is_first = False

    def goes_on(self, told: verdicts.Told) -> bool:
        """Whether a step that was left open is to have another slice."""
        self.is_first = False
        if told.goes_on:
            return monotonic() - self._started < min(GOING_ON_S, self._most_s)
        self._slice_s *= 2  # it has not come as far as a search
        return self._slice_s <= self._longest_s


async def live(socket: WebSocket) -> None:
    """The endpoint."""
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
