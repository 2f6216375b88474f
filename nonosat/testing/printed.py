"""What a program has printed as its answer to a puzzle, read as a claim.

In this order: JSON, a line or all of it, with "verdict", "solutions" or "count" (what `nonosat
check --json` prints); the output of solvers that `nonosat encode` writes files for; patterns that
the caller gave; else words that programs use, and every picture of the puzzle's size among the
lines. The pictures are solutions; without any word, one picture claims no more than that it is one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import PurePath
from typing import Any

from nonosat import export
from nonosat.bench.external import PLACEHOLDER, pictures
from nonosat.core import families
from nonosat.core.errors import FormatError, UnsupportedError, shown
from nonosat.core.plugins import Answer, Puzzle
from nonosat.core.result import Verdict
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.testing.claims import Claim
from nonosat.testing.returned import EMPTY, FILLED

UNSUPPORTED, COUNT = "unsupported", "count"
_TOLD = 200  # characters of what was printed that a failure quotes
_TRACEBACK = "Traceback (most recent call last)"

# What programs say, the longer before what it holds: "not unique" before "unique".
_WORDS = (
    (Verdict.MULTIPLE, r"not (?:a )?uni(?:que|quely)|non-?unique|no unique|more than one solution"),
    (Verdict.UNIQUE, r"no (?:other|second|further|more) solutions?|(?:exactly|only) one solution"),
    (Verdict.UNSOLVABLE, r"un-?sol[vu]able|not solvable|no solutions?|without (?:a )?solution"),
    (Verdict.UNSOLVABLE, r"unsat(?:isfiable)?|infeasible|impossible|contradict(?:ion|ory)"),
    (Verdict.MULTIPLE, r"multiple|several|ambiguous|two solutions|many solutions"),
    (Verdict.UNIQUE, r"uniquely|unique"),
    (Verdict.UNKNOWN, r"unknown|gave up|time ?out|timed out"),
    (Verdict.SOLVED, r"solved|solvable|satisfiable"),
)
_COUNT = (
    r"(at least |more than |first |>=? ?)?\b(\d+) (?:different |distinct )?solutions?\b"
    r"|solutions?(?: found)? ?[:=] ?(\d+)\b"
)
_STATUSES = {3: Verdict.MULTIPLE, 4: Verdict.UNSOLVABLE, 5: Verdict.UNKNOWN}  # our command's
_DONE = {"check": Verdict.UNIQUE, "solve": Verdict.SOLVED}  # what its status 0 means


class Reader:
    """Reads the output of one command.

    Args:
        words: The command.
        patterns: As for `commands.command`.
        filled, empty: The characters of cells; "" for many usual ones.

    Raises:
        UnsupportedError: A pattern stands for nothing, or is no regular expression.
    """

    def __init__(
        self,
        words: Sequence[str],
        patterns: Mapping[str, str] | None = None,
        filled: str = "",
        empty: str = "",
    ) -> None:
        if bool(filled) != bool(empty):
            raise UnsupportedError("one of filled and empty, expected both or neither")
        self._patterns = None if patterns is None else _compiled(patterns)
        self._cells = {"filled": filled or FILLED, "empty": empty or EMPTY}
        self._is_answer = bool({*PLACEHOLDER.findall(" ".join(words))} & export.TARGETS.keys())
        self._own = _own_command(words)

    def read(self, puzzle: Puzzle, out: str, err: str, status: int) -> Claim:
        """The claim that a program makes; a failure where there is none.

        Args:
            puzzle: What it was asked.
            out, err: Standard output and standard error.
            status: Its exit status.
        """
        if _TRACEBACK in err and status:
            return Claim(failure=f"ended with status {status}{_quoted(err)}")
        if self._own and status in _STATUSES:
            return Claim(_STATUSES[status])
        ways = (self._json, self._answer, self._by_patterns, self._by_words)
        for way in ways:
            if (claim := way(puzzle, out, err)) is not None:
                return claim
        if self._own and status == 0:
            return Claim(_DONE[self._own])
        size = f"a picture of {puzzle.height} x {puzzle.width} cells, or a verdict"
        found = _quoted(err.strip() or out) or " nothing"
        return Claim(failure=f"printed no answer (status {status}):{found}; expected {size}")

    def _json(self, puzzle: Puzzle, out: str, err: str) -> Claim | None:
        """What an object of JSON says, the last one that says anything."""
        del err
        for text in (out, *reversed(out.splitlines())):
            if not text.lstrip().startswith("{"):
                continue
            with suppress(ValueError, RecursionError):
                data = json.loads(text)
                if {"verdict", "solutions", "count"} & data.keys():
                    return _of_data(puzzle, data)
        return None

    def _answer(self, puzzle: Puzzle, out: str, err: str) -> Claim | None:
        """What a solver of clauses or constraints says."""
        del err
        if not self._is_answer:
            return None
        try:
            answer = export.read_answer(out)
            found = export.pictures_of(puzzle, answer) if answer.verdict is Answer.SAT else ()
        except FormatError as error:
            return Claim(failure=f"printed what cannot be read: {error}")
        if answer.verdict is Answer.UNKNOWN:
            return Claim()
        if answer.verdict is Answer.UNSAT:
            return Claim(Verdict.UNSOLVABLE)
        if answer.printed is not None and answer.printed.is_complete:
            return Claim.of_solutions(found)
        return Claim(Verdict.MULTIPLE if len(found) > 1 else Verdict.SOLVED, found)

    def _by_patterns(self, puzzle: Puzzle, out: str, err: str) -> Claim | None:
        if self._patterns is None:
            return None
        text, found = f"{out}\n{err}", self._pictures(puzzle, out)
        for verdict, pattern in self._patterns:
            if match := pattern.search(text):
                if verdict == COUNT:
                    return Claim(solutions=found, count=int(match[1]))
                if verdict == UNSUPPORTED:
                    return Claim(unsupported=f"it says so: {match[0][:_TOLD]}")
                return Claim(Verdict(verdict), found)
        return _showing(found)

    def _by_words(self, puzzle: Puzzle, out: str, err: str) -> Claim | None:
        if self._patterns is not None:
            return None
        del err
        found = self._pictures(puzzle, out)
        text = out.lower()
        if match := re.search(_COUNT, text):
            number = int(match[2] or match[3])
            if match[1] or number == 2:  # most programs stop at the second one
                return Claim(Verdict.MULTIPLE, found)
            return Claim(solutions=found, count=number)
        for verdict, words in _WORDS:
            if re.search(rf"(?<![\w-])(?:{words})(?!\w)", text):
                return Claim(verdict, found)
        return _showing(found)

    def _pictures(self, puzzle: Puzzle, out: str) -> tuple[Any, ...]:
        if not isinstance(puzzle, Nonogram):
            return ()
        return tuple(pictures(out, puzzle, self._cells))


def _showing(found: tuple[Any, ...]) -> Claim | None:
    """The claim of pictures without a word; None where there are none."""
    if not found:
        return None
    return Claim(Verdict.MULTIPLE if len(found) > 1 else Verdict.SOLVED, found)


def _compiled(patterns: Mapping[str, str]) -> list[tuple[str, re.Pattern[str]]]:
    known = [*(verdict.value for verdict in Verdict), UNSUPPORTED, COUNT]
    made = []
    for verdict, text in patterns.items():
        if verdict not in known:
            raise UnsupportedError(f"a pattern for {shown(verdict)}, expected {', '.join(known)}")
        try:
            pattern = re.compile(text, re.MULTILINE)
        except re.error as error:
            raise UnsupportedError(f"the pattern {shown(text)} is wrong: {error}") from None
        if verdict == COUNT and pattern.groups < 1:
            raise UnsupportedError(f"the pattern {shown(text)} has no group, expected (the number)")
        made.append((verdict, pattern))
    return made


def _own_command(words: Sequence[str]) -> str:
    """Which of our own commands it is, of those that decide; else ""."""
    names = [PurePath(word).name for word in words[:4]]
    for at, name in enumerate(names[:3]):
        if name == "nonosat" and at + 1 < len(words) and words[at + 1] in _DONE:
            return words[at + 1]
    return ""


def _of_data(puzzle: Puzzle, data: Mapping[str, Any]) -> Claim:
    """The claim of such an object."""
    try:
        rows = data.get("solutions") or ()
        found = tuple(families.solution_of(puzzle, one) for one in rows)
        count = data.get("count")
        verdict = Verdict(data.get("verdict", "multiple" if len(found) > 1 else "unknown"))
        if count is not None and (type(count) is not int or count < 0):
            raise ValueError(f"count is {shown(count)}")
    except Exception as error:  # each family's data raise what they like
        return Claim(failure=f"printed JSON that cannot be read: {type(error).__name__}: {error}")
    if verdict is Verdict.UNKNOWN and found:
        verdict = Verdict.SOLVED
    return Claim(verdict, found, count)


def _quoted(text: str) -> str:
    """The end of what was printed, in one line."""
    told = " ".join(text.split())[-_TOLD:]
    return f" {told!r}" if told else ""
