"""The line of progress: seen on a terminal alone, and gone before anything else is printed."""

from __future__ import annotations

import io
import time
from types import SimpleNamespace

import pytest

from nonosat.cli import _progress
from nonosat.cli._progress import Line, Progress, bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    screen = Terminal()
    monkeypatch.setattr(_progress, "sys", SimpleNamespace(stderr=screen))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "30")
    return screen


def test_bars() -> None:
    assert bar(0, 0) == f"[{'.' * 20}] 0/0"
    assert bar(3, 4) == f"[{'#' * 15}{'.' * 5}] 3/4"


def test_a_line_is_cut_to_the_terminal_and_erased(terminal: Terminal) -> None:
    with Line() as line:
        line.show(lambda: "x" * 99)
        line.show(lambda: "too soon")
    assert terminal.getvalue() == f"\r\x1b[K{'x' * 29}\r\x1b[K"


def test_nothing_is_erased_where_nothing_was_drawn(terminal: Terminal) -> None:
    with Line() as line:
        line.erase()
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("why", ["no terminal", "dumb", "closed"])
def test_nobody_sees_it(terminal: Terminal, monkeypatch: pytest.MonkeyPatch, why: str) -> None:
    if why == "no terminal":
        monkeypatch.setattr(terminal, "isatty", lambda: False)
    elif why == "dumb":
        monkeypatch.setenv("TERM", "dumb")
    else:
        monkeypatch.setattr(_progress.sys, "stderr", None)
    with Line() as line:
        line.show(lambda: "seen")
    assert not line.is_seen
    assert terminal.getvalue() == ""


def test_slow_items_show_how_many_are_done(terminal: Terminal) -> None:
    with Progress("ab") as progress:
        for item in progress:
            if item == "b":
                deadline = time.monotonic() + 10
                while "1/2 0:" not in terminal.getvalue() and time.monotonic() < deadline:
                    time.sleep(0.01)
            with progress.hidden():
                print(item, file=terminal)
    assert "1/2 0:" in terminal.getvalue()
    before, _, printed = terminal.getvalue().rpartition("\x1b[K")
    assert printed == "b\n"
    assert before.endswith("\r")


def test_quick_items_scroll_by(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_progress, "DELAY_S", 1000.0)
    with Progress("abc") as progress:
        for _ in progress:
            time.sleep(_progress.EVERY_S)
            with progress.hidden():
                pass
    assert terminal.getvalue() == ""
