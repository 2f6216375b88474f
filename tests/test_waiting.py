"""Waiting for the first of several writers."""

from __future__ import annotations

import socket
from dataclasses import dataclass

from nonosat.processes.waiting import readable


@dataclass(frozen=True)
class Idle:
    """Object that has nothing to wait for."""

    def fileno(self) -> int:
        return -1


def test_written_and_closed_descriptors_are_returned() -> None:
    pairs = [socket.socketpair() for _ in range(3)]
    ours = [one for one, _ in pairs]
    try:
        assert readable([*ours, Idle()], 0.0) == set()
        assert readable([], 0.0) == set()
        pairs[1][1].send(b"x")
        assert readable([*ours, Idle()], 5.0) == {ours[1].fileno()}
        pairs[2][1].close()
        assert readable(ours, 5.0) == {ours[1].fileno(), ours[2].fileno()}
    finally:
        for pair in pairs:
            for end in pair:
                end.close()
