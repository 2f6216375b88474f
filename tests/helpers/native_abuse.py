"""Calls of every function and class of the native core with wrong shapes, types and values.

    python -m helpers.native_abuse FIRST LAST NOTE

runs rounds by number; a round always makes the same calls. Python exceptions are the expected
outcome. Before each call a line that names it is written to NOTE, because a crash leaves nothing
else. At the end the calls that did some work are printed, as JSON.
"""

from __future__ import annotations

import ast
import json
import mmap
import random
import sys
import threading
import time
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import nonosat
from helpers.native_inputs import (
    INKS,
    TEXTS,
    Lying,
    Shrinking,
    beliefs,
    board,
    decimation,
    explainer,
    lane_board,
    loops,
    noise,
    rules,
    settled_lanes,
    words,
)
from nonosat import _core
from nonosat.core.model import Block

CALLS = 40  # calls of a round
PATIENCE_S = 0.01  # seconds for a call that may take long
STUB = Path(nonosat.__file__).with_name("_core.pyi")
ENDS_PROCESSES = "exit_when_closed"  # by design; called in a process of its own
INTEGERS = [0, 1, 2, 3, 4, 7, -1, -2, 64, 65, 255, 256, 257, 10**6]
HUGE = [2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**32, 2**63 - 1, 2**63, -(2**63), 2**64, 10**30]
FLOATS = [0.0, -0.0, 0.5, 1.0, -1.0, 1e308, -1e308, 5e-324, float("nan"), float("inf")]


class Signature(NamedTuple):
    """Function or method: its parameters with their types in the stub."""

    owner: str
    name: str
    parameters: list[tuple[str, str]]
    named: frozenset[str]  # parameters that are given by name
    is_property: bool

    @property
    def title(self) -> str:
        return f"{self.owner}.{self.name}" if self.owner else self.name


def signatures() -> dict[str, Signature]:
    """Signatures in the stub, by title."""
    found = {}
    for node in ast.parse(STUB.read_text()).body:
        members = node.body if isinstance(node, ast.ClassDef) else [node]
        for member in members:
            if isinstance(member, ast.FunctionDef):
                owner = node.name if isinstance(node, ast.ClassDef) else ""
                one = _signature(owner, member)
                found[one.title] = one
    return found


def _signature(owner: str, node: ast.FunctionDef) -> Signature:
    every = [*node.args.args, *node.args.kwonlyargs]
    parameters = [
        (arg.arg, ast.unparse(arg.annotation)) for arg in every if arg.annotation is not None
    ]
    named = frozenset(arg.arg for arg in node.args.kwonlyargs)
    marks = {ast.unparse(mark) for mark in node.decorator_list}
    return Signature(owner, node.name, parameters, named, "property" in marks)


class PollError(Exception):
    """Raised from within a native call."""


class Number(int):
    """A subclass of a number."""


class HeirBoard(_core.Board):
    """Subclass of a native class."""


class Abuse:
    """One round: objects, and the calls on them."""

    def __init__(self, number: int) -> None:
        self.draw = random.Random(number)
        side = self.draw.choice([1, 2, 3, 5, 9, 30])
        self.side = side
        self.objects: dict[str, list[Any]] = {}
        self.keep(self._board())
        self.deadline = 0.0

    def _board(self) -> Any:
        rows, columns = noise(self.side, self.draw.randrange(9))
        if self.draw.random() < 0.2:
            return HeirBoard(1, rows, columns)
        if self.draw.random() < 0.2:
            coloured = [[(1, 1), (None, 2)][: self.side // 2]] * self.side
            return _core.Board(2, coloured, coloured)
        return _core.Board(1, rows, columns)

    def keep(self, made: Any) -> None:
        """Keep a native object for later calls."""
        self.objects.setdefault(type(made).__name__.replace("Heir", ""), []).append(made)

    # values by type

    def value(self, name: str, kind: str) -> Any:
        """A value of a parameter: mostly of the right type, seldom a sensible one."""
        if name == "poll":
            return self.poll()
        if name == "remaining_s":
            return self.draw.choice([0.0, PATIENCE_S, PATIENCE_S, -1.0, None, float("nan"), "x"])
        if self.draw.random() < 0.04:
            return self.junk()
        for begin, make in self.makers():
            if kind.startswith(begin):
                return make()
        return self.junk()

    def makers(self) -> list[tuple[str, Callable[[], Any]]]:
        draw = self.draw
        return [
            ("int", self.integer),
            ("float", lambda: draw.choice(FLOATS)),
            ("bool", lambda: draw.choice([True, False, 2])),
            ("bytes", self.octets),
            ("object", self.buffer),
            ("Sequence[int]", lambda: self.sequence(self.integer)),
            ("Sequence[bytes]", lambda: self.sequence(self.octets, 3)),
            ("Sequence[float]", lambda: self.sequence(lambda: draw.choice(FLOATS))),
            ("Sequence[tuple", lambda: self.sequence(self.block)),
            ("Sequence[Sequence[tuple", lambda: self.sequence(lambda: self.sequence(self.block))),
            ("Sequence[Sequence[int", lambda: self.sequence(self.integers, 3)),
            ("Sequence[Sequence[float", lambda: self.sequence(self.floats, 3)),
            ("Callable[[int]", lambda: draw.choice([self.new_vars, lambda count: -5, len, None])),
            ("Ties", lambda: draw.choice(list(_core.Ties))),
            ("Board", lambda: self.native("Board")),
            ("LaneBoard", lambda: self.native("LaneBoard")),
            ("KnightBoard", lambda: self.native("KnightBoard")),
            ("Beliefs", lambda: self.native("Beliefs")),
            ("LaneProber", lambda: self.native("LaneProber")),
            ("Prober", lambda: self.native("Prober")),
            ("Words", lambda: self.native("Words")),
            ("Exchange", lambda: self.native("Exchange")),
            ("str", lambda: draw.choice(TEXTS)),
            ("Sequence[str]", lambda: self.sequence(lambda: draw.choice(TEXTS))),
            ("dict[str, int]", lambda: draw.choice([INKS, INKS, {"": 2**40}, {1: 1}, {}])),
            ("type[nonosat.core.model.Block]", lambda: draw.choice([Block, Block, int, list])),
            ("tuple[", lambda: tuple(self.sequence(self.clue))),
        ]

    def integer(self) -> Any:
        some = self.draw.random()
        if some < 0.75:
            return self.draw.choice(INTEGERS)
        return self.draw.choice(HUGE) if some < 0.95 else Number(self.side)

    def integers(self) -> Any:
        return self.sequence(lambda: self.draw.randint(-9, 40), self.side)

    def floats(self) -> Any:
        return self.sequence(lambda: self.draw.choice(FLOATS), self.side)

    def block(self) -> Any:
        usual = (self.draw.choice([1, 2, None]), 1)
        odd = (self.integer(), self.integer())
        return usual if self.draw.random() < 0.85 else odd

    def clue(self) -> Any:
        odd = ((), (1,), (0, ()), [Block(1)], ((),), ((1, 1),), ([1, 1],), 5)
        usual = (Block(*self.block()),)
        return usual if self.draw.random() < 0.7 else self.draw.choice(odd)

    def octets(self) -> bytes:
        if self.draw.random() < 0.1:
            return self.draw.choice(
                [b"[[1], [0],[]]", b"[[2,1]", b"[", b"[[1,0]]", b"[[" + b"9" * 40]
            )
        size = self.draw.choice([0, 1, self.side, self.side**2, self.side**2 + 1, 16, 64])
        fill = self.draw.choice([b"\0", b"\1", b"\xff", b"\2", None])
        return fill * size if fill else self.draw.randbytes(size)

    def sequence(self, item: Callable[[], Any], most: int | None = None) -> Any:
        """Return items in a list, or in an object that is nearly a list."""
        size = self.draw.choice([0, 1, self.side, most or self.side])
        items = [item() for _ in range(size)]
        some = self.draw.random()
        if some < 0.8:
            return items
        if some < 0.83:
            items.insert(0, Shrinking(items))
            return items
        odd = [
            tuple(items), Lying(items, size + 3), Lying(items, 2**62), Lying(items, -1),
            iter(items), range(2**40), [items], [*items, None], "12", {1: 2}, array("i", [1, 2]),
        ]  # fmt: skip
        return self.draw.choice(odd)

    def buffer(self) -> Any:
        """Return an object with or without the buffer protocol."""
        lits = [self.draw.randint(-9, 9) for _ in range(self.draw.choice([0, 1, 8, 40]))]
        sound = array("i", [*lits, 0])
        some = self.draw.random()
        if some < 0.6:
            return sound
        odd = [
            array("i", lits), array("b", [1, 0]), array("d", [1.0]), array("q", [1, 0]),
            array("f", [1.0, 0.0]), memoryview(sound)[::2], memoryview(sound)[::-1],
            memoryview(b"\0" * 24).cast("i", (2, 3)), memoryview(bytes(9))[1:9].cast("i"),
            b"\0\0\0\0", b"\1\0\0", b"", None, bytearray(8), lits,
            array("i", [-(2**31), 0, 2**31 - 1, 0]), array("i", [0, 0, 0]), array("I", [2**31, 0]),
        ]  # fmt: skip
        return self.draw.choice(odd)

    def native(self, name: str) -> Any:
        if name == "Board" and self.draw.random() < 0.3:
            self.keep(self._board())
        if self.draw.random() < 0.03:
            return getattr(_core, name).__new__(getattr(_core, name))  # never initialised
        known = self.objects.get(name)
        return self.draw.choice(known) if known else self.make(name)

    def make(self, name: str) -> Any:
        """Create a valid object, for calls of its methods."""
        on = self.objects["Board"][0]
        made = _MAKERS[name](self, on)
        self.keep(made)
        return made

    def junk(self) -> Any:
        """A value of any type."""
        deep: list[Any] = []
        for _ in range(2000):
            deep = [deep]
        odd = [
            None, "", "x" * 1000, b"\0" * 7, 1.5, float("nan"), [], [[]], {}, (), (1, 2, 3), deep,
            object(), type, len, self.objects["Board"][0], 10**5000, -1, True, ..., {1}, 1j,
        ]  # fmt: skip
        return self.draw.choice(odd)

    # callables

    def new_vars(self, count: int) -> int:
        return self.draw.choice([1, 50, 2**31 - 1, -1, 0])

    def poll(self) -> Any:
        """Return a callback that ends the call in time, if nothing else does."""
        some = self.draw.random()
        if some < 0.04:
            return self.draw.choice([5, "poll", len, lambda: None, lambda: "x", lambda a: a])

        def step() -> bool:
            if some < 0.15:
                raise PollError
            if some < 0.25:
                self.again()
            if some < 0.3:
                sys.setrecursionlimit(sys.getrecursionlimit())
                return True
            if time.perf_counter() > self.deadline:
                raise PollError
            return False

        return step

    def again(self) -> None:
        """Call a method of an object in use, from within the call or from another thread."""
        kind = self.draw.choice(sorted(self.objects))
        target = self.draw.choice(self.objects[kind])
        names = [name for name in dir(target) if not name.startswith("_")]
        name = self.draw.choice(names)

        def ask() -> None:
            try:
                found = getattr(target, name)
                found(1) if name not in ("new_vars", "solve") and callable(found) else None
            except Exception:
                return

        thread = threading.Thread(target=ask) if self.draw.random() < 0.1 else None
        if thread is None:
            ask()
        else:
            thread.start()
            thread.join(PATIENCE_S)

    # calls

    def call(self, one: Signature) -> bool:
        """Make a call; return True if it reached native code: its result is not a TypeError."""
        self.deadline = time.perf_counter() + PATIENCE_S
        try:
            self._call(one)
        except TypeError:
            return False
        except Exception:
            return True
        return True

    def _call(self, one: Signature) -> None:
        if one.name == "__init__":
            self._construct(one)
            return
        target = self.native(one.owner) if one.owner else _core
        if one.is_property:
            getattr(target, one.name)
            return
        args, named = self._arguments(one)
        made = getattr(target, one.name)(*args, **named)
        if type(made).__module__ == _core.__name__ and hasattr(_core, type(made).__name__):
            self.keep(made)

    def _construct(self, one: Signature) -> None:
        args, named = self._arguments(one)
        if self.draw.random() < 0.1:  # an object that exists already
            self.native(one.owner).__init__(*args, **named)
        else:
            self.keep(getattr(_core, one.owner)(*args, **named))

    def _arguments(self, one: Signature) -> tuple[list[Any], dict[str, Any]]:
        values = {name: self.value(name, kind) for name, kind in one.parameters}
        named = {name: values.pop(name) for name in one.named}
        return list(values.values()), named


def _learner(_: Abuse, __: Any) -> Any:
    made = _core.Learner()
    made.new_vars(9)
    return made


def _outlook(_: Abuse, on: Any) -> Any:
    found = _core.look_ahead(board(5), 9)
    assert found is not None
    return found


_MAKERS: dict[str, Callable[[Abuse, Any], Any]] = {
    "Prober": lambda _, on: _core.Prober(on),
    "Outlook": _outlook,
    "Words": lambda abuse, _: words(abuse.side),
    "Explainer": lambda _, on: explainer(on),
    "Deduction": lambda _, on: _core.Deduction(on),
    "Implications": lambda abuse, on: _core.Implications(
        on, array("i", range(1, 2 * abuse.side**2 + 1)), 10, None
    ),
    "Learner": _learner,
    "Exchange": lambda abuse, _: _core.Exchange(2, abuse.side, True),
    "Cells": lambda _, on: _core.Cells(array("i", [0, 1, 1, 2, 2, 3, 3, 0]), 9),
    "Search": lambda _, on: _core.Search(on),
    "Beliefs": lambda _, on: beliefs(on),
    "Prices": lambda _, on: _core.Prices(on, None),
    "Pricing": lambda _, on: _core.Pricing(on, None, 10**6),
    "Decimation": lambda _, on: decimation(on),
    "Counter": lambda _, on: _core.Counter(on, 2**20),
    "LaneBoard": lambda abuse, _: lane_board(abuse.side),
    "LaneProber": lambda abuse, _: _core.LaneProber(lane_board(abuse.side)),
    "LaneSearch": lambda abuse, _: _core.LaneSearch(settled_lanes(abuse.side)),
    "LaneCounter": lambda abuse, _: _core.LaneCounter(lane_board(abuse.side), 2**20),
    "LoopCount": lambda abuse, _: loops(abuse.side % 10),
    "RulesCount": lambda abuse, _: rules(abuse.side % 10),
    "QueensCount": lambda _, on: _core.QueensCount([15] * 4),
    "QueensSearch": lambda _, on: _core.QueensSearch([63] * 6),
    "KnightBoard": lambda _, on: _core.KnightBoard(5, 5, []),
    "TourSearch": lambda _, on: _core.TourSearch(
        _core.KnightBoard(5, 5, []), [0], [], closed=False, halved=False, guided=True
    ),
}


def main(first: int, last: int, note: str) -> None:
    """Run rounds; see the module."""
    every = [one for title, one in signatures().items() if title != ENDS_PROCESSES]
    done: set[str] = set()
    with Path(note).open("r+b") as file:
        log = mmap.mmap(file.fileno(), 4096)
        for number in range(first, last):
            abuse = Abuse(number)
            for _ in range(CALLS):
                one = abuse.draw.choice(every)
                log[:200] = f"round {number}: {one.title}".encode().ljust(200)
                if abuse.call(one):
                    done.add(one.title)
    print(json.dumps(sorted(done)))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
