"""Pictures, pages and JSON data of an answer, rendered within the limits of the command.

An answer that took all of its time is still shown if rendering is quick: a tenth of the limit, and
some memory, are always available. If rendering takes more, the answer is not shown; the status is
then that of a limit. Only rendering is limited: the reader of the output may take any time. Seconds
are CPU seconds, so that a small picture is drawn on a busy machine, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter, process_time
from typing import Any, TypeVar

from nonosat.core.errors import LimitReached
from nonosat.core.limits import TIME, Limits, TimeLeft, Watch
from nonosat.core.scope import within
from nonosat.processes.memory import resident_mib

T = TypeVar("T")

GRACE, GRACE_S = 0.1, 0.1  # share of a limit, and seconds
GRACE_MIB = 16  # maximum in MiB, and maximum share of the memory limit

Reserve = Callable[[int], None]  # raises if so many more bytes would exceed the limit


def made(params: Mapping[str, Any], started: float, answer: object, make: Callable[[], T]) -> T:
    """Return the result of `make`, a rendering of an answer.

    Args:
        params: Options of the command, including its limits.
        started: Time at which the work on the answer began, by `perf_counter`.
        answer: The answer in a line, for the message.
        make: Function that returns text, data or files; it prints nothing.

    Raises:
        LimitReached: A limit ended it; the message states the answer and the limit.
    """
    return made_in_large_steps(params, started, answer, lambda _: make())


def made_in_large_steps(
    params: Mapping[str, Any], started: float, answer: Any, make: Callable[[Reserve], T]
) -> T:
    """Return the result of `make`, which reserves memory before large steps; otherwise as `made`.

    A checkpoint cannot end a step of native code that allocates much memory. So `make` gets a
    function to call before such a step; it raises LimitReached if memory is insufficient.
    """
    time_s, memory_mib = params["time_limit_s"], params["memory_limit_mib"]
    if time_s is None and memory_mib is None:
        return make(lambda _: None)

    class CpuWatch(Watch):
        def remaining_s(self) -> float | None:
            return None if left_s is None else max(0.0, left_s - (process_time() - begun))

    left_s = least_mib = None
    if time_s is not None:
        rest_s = max(time_s - (perf_counter() - started), GRACE * time_s + GRACE_S)
        left_s = TimeLeft(rest_s, time_s)
    if memory_mib is not None:
        grace_mib = min(GRACE_MIB, int(GRACE * memory_mib))
        least_mib = max(memory_mib, int(resident_mib(None)) + grace_mib)
    begun = process_time()
    watch = CpuWatch(Limits(left_s, least_mib))
    try:
        return within(watch, lambda: make(watch.reserve))
    except LimitReached as limit:
        which = str(limit) if limit.kind == TIME else f"memory limit of {memory_mib} MiB"
        what = f"{answer.in_a_line()}; the {which} leaves too little to show more"
        raise LimitReached(what, kind=limit.kind) from None
