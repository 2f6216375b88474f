"""Pictures, pages and JSON data of an answer, made within the limits of the command, too.

An answer that took all of its time is still shown where that is quick: a tenth of the limit, and
some memory, are there for it in any case. What takes more is not shown; the status is then that of
a limit. Only making is limited: who reads the output may take all the time there is. Seconds are
those of the CPU, so that a small picture is drawn on a busy machine, too.
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

GRACE, GRACE_S = 0.1, 0.1  # a share of a limit, and seconds
GRACE_MIB = 16  # at most, and at most that share of the memory limit

Reserve = Callable[[int], None]  # ends the work if so many more bytes would break the limit


def made(asked: Mapping[str, Any], started: float, answer: Any, make: Callable[[], T]) -> T:
    """What `make` makes of an answer.

    Args:
        asked: Options of the command, its limits among them.
        started: When the work on the answer was begun, by `perf_counter`.
        answer: What is shown; the message says it in a line.
        make: Makes text, data or files; prints nothing.

    Raises:
        LimitReached: It was ended; the message tells the answer, and which limit.
    """
    return made_in_large_steps(asked, started, answer, lambda _: make())


def made_in_large_steps(
    asked: Mapping[str, Any], started: float, answer: Any, make: Callable[[Reserve], T]
) -> T:
    """Return what `make` makes of an answer, as `made` does.

    No checkpoint ends a step of native code that takes much memory; `make` gets a function to
    reserve the memory before such a step.
    """
    time_s, memory_mib = asked["time_limit_s"], asked["memory_limit_mib"]
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
        what = f"{answer.in_a_line()}; the {which} leaves too little to show more of it"
        raise LimitReached(what, kind=limit.kind) from None
