"""Progress line: shown only on a terminal, and erased before anything else is printed."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import nonosat
from helpers.clocks import Clock
from helpers.commands import UNIQUE, put, run
from helpers.processes import PATIENCE_S
from helpers.progress import reported
from nonosat.certify.prove import prove
from nonosat.cli import _progress
from nonosat.cli._progress import ProgressIterator, StatusLine, Working, bar
from nonosat.core.limits import Limits, Watch
from nonosat.solving import pipeline

__all__ = ["put"]  # a fixture


class Terminal(io.StringIO):
    def __init__(self) -> None:
        super().__init__()
        self._written = threading.Condition()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        with self._written:
            self._written.notify_all()
            return super().write(text)

    def until(self, text: str) -> None:
        """Wait until the text is there."""
        with self._written:
            assert self._written.wait_for(lambda: text in self.getvalue(), PATIENCE_S)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    screen = Terminal()
    monkeypatch.setattr(_progress, "sys", SimpleNamespace(stderr=screen, stdout=screen))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "30")
    return screen


def test_bars() -> None:
    assert bar(0, 0) == f"[{'.' * 20}] 0/0"
    assert bar(3, 4) == f"[{'#' * 15}{'.' * 5}] 3/4"


def test_a_line_is_cut_to_the_terminal_and_erased(terminal: Terminal) -> None:
    with StatusLine() as line:
        line.show(lambda: "x" * 99)
        line.show(lambda: "too soon")
    assert terminal.getvalue() == f"\r\x1b[K{'x' * 29}\r\x1b[K"


def test_nothing_is_erased_if_nothing_was_drawn(terminal: Terminal) -> None:
    with StatusLine() as line:
        line.erase()
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("why", ["no terminal", "dumb", "closed"])
def test_it_is_not_shown(terminal: Terminal, monkeypatch: pytest.MonkeyPatch, why: str) -> None:
    if why == "no terminal":
        monkeypatch.setattr(terminal, "isatty", lambda: False)
    elif why == "dumb":
        monkeypatch.setenv("TERM", "dumb")
    else:
        monkeypatch.setattr(_progress.sys, "stderr", None)
    with StatusLine() as line:
        line.show(lambda: "seen")
    assert not line.is_on_terminal
    assert terminal.getvalue() == ""


def test_without_a_terminal_it_is_an_occasional_plain_line(
    terminal: Terminal, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "isatty", lambda: False)
    with StatusLine() as line:
        line.show(lambda: "too soon")
        clock.advance(_progress.PLAIN_AFTER_S)
        line.show(lambda: "seen")
        clock.advance(_progress.PLAIN_EVERY_S - 1)
        line.show(lambda: "too soon")
        clock.advance(1)
        line.show(lambda: "seen again")
    assert terminal.getvalue() == "nonosat: seen\nnonosat: seen again\n"


def test_a_single_slow_item_is_reported(terminal: Terminal, clock: Clock) -> None:
    with Working("solving a") as work:
        watch = Watch(Limits())
        clock.advance(_progress.SLOW_S)
        terminal.until("0:02 solving a")
        watch.doing("cells", 3, 7)
        clock.advance(_progress.EVERY_S)
        terminal.until("a: cells 3/7")
        watch.doing("tours", 5)
        clock.advance(_progress.EVERY_S)
        terminal.until("a: tours 5")
        with work.hidden():
            print("found", file=terminal)
    assert Watch(Limits()).progress is None
    assert "\x1b[Kfound\n" in terminal.getvalue()
    assert terminal.getvalue().endswith(("found\n", "\x1b[K"))


def test_nothing_is_reported_within_two_seconds(terminal: Terminal, clock: Clock) -> None:
    with Working("solving a"):
        clock.advance(1.9)
        clock.read_again()
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("is_quiet", [False, True])
def test_quiet_commands_report_nothing(
    put: Any, terminal: Terminal, clock: Clock, monkeypatch: pytest.MonkeyPatch, is_quiet: bool
) -> None:
    check = pipeline.check_problem

    def slowly_checked(*args: Any, **options: Any) -> Any:
        result = check(*args, **options)
        clock.advance(_progress.SLOW_S)
        if not is_quiet:
            terminal.until("corner")
        return result

    monkeypatch.setattr(pipeline, "check_problem", slowly_checked)
    done = run("check", put(UNIQUE), *["--quiet"] * is_quiet)
    assert done.exit_code == 0
    assert "corner" in done.stdout
    assert (terminal.getvalue() == "") == is_quiet
    assert is_quiet or "0:02 check corner" in terminal.getvalue()


def test_slow_items_show_how_many_are_done(terminal: Terminal, clock: Clock) -> None:
    with ProgressIterator("ab") as progress:
        for item in progress:
            if item == "b":
                clock.advance(_progress.DELAY_S)
                terminal.until("1/2 0:")
            with progress.hidden():
                print(item, file=terminal)
    before, _, printed = terminal.getvalue().rpartition("\x1b[K")
    assert printed == "b\n"
    assert before.endswith("\r")


@pytest.mark.parametrize(
    ("items", "far"),
    [("abc", "1 of 3 done, verify b: lemmas 3/7"), ("b", "verify b: lemmas 3/7")],
)
def test_ctrl_c_reports_the_progress_of_the_work(items: str, far: str) -> None:
    def verify() -> None:
        with ProgressIterator(items, "verify", str) as progress:
            for item in progress:
                if item == "b":
                    Watch(Limits()).doing("lemmas", 3, 7)
                    raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        verify()
    assert caught.value.__notes__ == [far]


def test_quick_items_scroll_by(terminal: Terminal, clock: Clock) -> None:
    with ProgressIterator("abc") as progress:
        for _ in progress:
            clock.advance(_progress.DELAY_S / 2)
            clock.read_again()
            with progress.hidden():
                pass
    assert terminal.getvalue() == ""


def test_output_to_a_file_does_not_delay_it(
    terminal: Terminal, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If results go to a file, this line alone shows progress on the terminal."""
    monkeypatch.setattr(_progress.sys, "stdout", io.StringIO())
    with ProgressIterator("abc") as progress:
        for item in progress:
            clock.advance(_progress.DELAY_S / 2)
            if item == "c":
                terminal.until("2/3")
            with progress.hidden():
                pass


def phases_of(work: Callable[[], object]) -> list[str]:
    """Phases that some work reports."""
    with reported() as told:
        work()
    return [what for what, _, _ in told]


@pytest.mark.parametrize(
    ("ask", "phase"),
    [
        (nonosat.count, "counting"),
        (nonosat.why_multiple, "parts taken apart"),
        (nonosat.backbone, "propagate and probe"),
    ],
    ids=["count", "why-multiple", "backbone"],
)
def test_the_line_names_the_last_phase(ask: Any, phase: str) -> None:
    puzzle = nonosat.nonogram([[1]] * 9, [[1]] * 9)
    told = phases_of(lambda: ask(puzzle))
    assert phase in told
    if ask is not nonosat.backbone:
        assert told[-1] == phase  # not the phase of the backbone before it


def test_a_family_that_counts_by_itself_names_the_phase() -> None:
    found: list[nonosat.CountResult] = []
    assert phases_of(lambda: found.append(nonosat.count(nonosat.Queens(6)))) == ["counting"]
    assert found[0].count == 4


OPEN = nonosat.load("instances/unique.jsonl#slope-45-3")  # lines and probing leave it open
LOOP = nonosat.slitherlink(["2.1.", "2...", "....", "3201"])
TWO = nonosat.Grid.of_rows(["#.", ".#"], ".#")  # the clues of another picture, too
EDGED = nonosat.Grid.of_rows(["##.", "##.", "..#"], ".#")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ask", "phases"),
    [
        (
            lambda: prove(OPEN, by="clauses"),
            ["lemmas", "encode", "refutation by learn", "check of the proof", "write"],
        ),
        (
            lambda: prove(OPEN, cubes=2, jobs=1),
            ["lemmas", "encode", "refutation by learn in 2 cubes", "check of the proof", "write"],
        ),
        (lambda: prove(LOOP), ["encode", "refutation by learn", "check of the proof", "write"]),
        (lambda: prove(nonosat.from_picture(EDGED), by="prices"), ["prices"]),
        (
            lambda: nonosat.repair(TWO),
            ["fewest changes, at least", "check of changes", "fewest and least ugly changes"],
        ),
        (lambda: nonosat.repair(TWO, grade=1), ["grade of changed pictures, steps of reasoning"]),
        (lambda: nonosat.repair(nonosat.Queens(4)), ["fewest clues to add"]),
        (
            lambda: nonosat.repair(nonosat.slitherlink(["3"])),
            ["fewest clues to remove", "fewest clues to add"],
        ),
    ],
    ids=["clauses", "cubes", "rules", "prices", "pictures", "grades", "added", "taken"],
)
def test_prove_and_repair_name_their_phases(ask: Callable[[], Any], phases: list[str]) -> None:
    told = phases_of(ask)
    at = [next((at for at, one in enumerate(told) if one.startswith(each)), -1) for each in phases]
    assert -1 not in at, told
    assert at == sorted(at)
