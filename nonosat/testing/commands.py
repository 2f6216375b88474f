"""External programs as solvers: run under hard limits like benchmarks, with their output parsed.

A program runs without a shell, in its own folder, as descendant of a process that ends it with all
its children (`bench.zygote`); one such process serves all commands of this process. The output is
limited in size and parsed by `OutputParser`.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import shlex
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePath
from shutil import which
from signal import Signals
from typing import Any

from nonosat import export
from nonosat.bench.external import PLACEHOLDER, VALUES, pictures
from nonosat.bench.process import Zygote, ZygoteDied
from nonosat.core import families, plugins
from nonosat.core.errors import FormatError, UnsupportedError, shown
from nonosat.core.plugins import Answer, Puzzle
from nonosat.core.result import Options, Verdict
from nonosat.formats import jsonl
from nonosat.processes.system import check_trees
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.testing.claims import Claim, Solver
from nonosat.testing.returned import EMPTY, FILLED

# Parsing of a program's output as a claim.
#
# Answers are searched for in this order: JSON, on a line or in total, with "verdict", "solutions"
# or "count" (the output of `nonosat check --json`); the output of solvers that `nonosat encode`
# writes files for; patterns of the caller; else words that programs use, and every picture of the
# puzzle's size among the lines. The pictures are solutions; without any word, one picture claims
# only that it is a solution.


UNSUPPORTED, COUNT = "unsupported", "count"
_QUOTED = 200  # characters of output quoted in a failure
_TRACEBACK = "Traceback (most recent call last)"

# Words in the output of programs, longer ones first: "not unique" before "unique".
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
# Verdicts by the exit status of the nonosat command.
_STATUSES = {3: Verdict.MULTIPLE, 4: Verdict.UNSOLVABLE, 5: Verdict.UNKNOWN}
_DONE = {"check": Verdict.UNIQUE, "solve": Verdict.SOLVED}  # meaning of its status 0


class OutputParser:
    """Parser for the output of one command.

    Args:
        words: The command.
        patterns: As for `commands.command`.
        filled, empty: Characters of filled and empty cells; "" for many usual ones.

    Raises:
        UnsupportedError: A pattern has an unknown key, or is not a regular expression.
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
        """Return the claim in the output; a failure if there is none.

        Args:
            puzzle: The puzzle.
            out, err: Standard output and standard error.
            status: The exit status.
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
        """Return the claim in the last JSON object that contains one; None if there is none."""
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
        """Return the claim of a solver of clauses or constraints; None for other programs."""
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
                    return Claim(unsupported=f"it reports: {match[0][:_QUOTED]}")
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
            if match[1] or number == 2:  # many programs stop at the second solution
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
    """Return the claim of an output that has pictures but no verdict; None if it has none."""
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
    """Return the nonosat command that decides, "check" or "solve"; "" for other programs."""
    names = [PurePath(word).name for word in words[:4]]
    for at, name in enumerate(names[:3]):
        if name == "nonosat" and at + 1 < len(words) and words[at + 1] in _DONE:
            return words[at + 1]
    return ""


def _of_data(puzzle: Puzzle, data: Mapping[str, Any]) -> Claim:
    """Return the claim in a JSON object."""
    try:
        rows = data.get("solutions") or ()
        found = tuple(families.solution_of(puzzle, one) for one in rows)
        count = data.get("count")
        verdict = Verdict(data.get("verdict", "multiple" if len(found) > 1 else "unknown"))
        if count is not None and (type(count) is not int or count < 0):
            raise ValueError(f"count is {shown(count)}")
    except Exception as error:  # decoders of families may raise any exception
        return Claim(failure=f"printed JSON that cannot be read: {type(error).__name__}: {error}")
    if verdict is Verdict.UNKNOWN and found:
        verdict = Verdict.SOLVED
    return Claim(verdict, found, count)


def _quoted(text: str) -> str:
    """Return the end of the output in one line."""
    sentence = " ".join(text.split())[-_QUOTED:]
    return f" {sentence!r}" if sentence else ""


TIME_LIMIT_S = 10.0
MEMORY_LIMIT_MIB = 1024
MOST_PRINTED = 2**23  # bytes to each of standard output and standard error
FILE = "file"  # the placeholder of the puzzle in the default format
_FORMATS = {"nonogram": "non"}  # meaning of `{file}`; the project's own JSON for other families


def command(
    words: str | Sequence[str],
    *,
    name: str = "",
    format: str = "",  # noqa: A002  # public name
    stdin: bool = False,
    patterns: Mapping[str, str] | None = None,
    filled: str = "",
    empty: str = "",
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> Solver:
    """Return an external program as a solver.

    `{file}` in its words is replaced by the name of a file with the puzzle. `{non}`, `{nin}`,
    `{jsonl}` (any format) are replaced by files in that format; `{cnf}`, `{mzn}` and the other
    targets of `nonosat encode`, too: then the output is read as by `nonosat decode`. The parser of
    the output (`OutputParser`) accepts pictures of the puzzle's size, words such as "unique",
    "multiple", "no solution" or "7 solutions", JSON, and the exit statuses of nonosat. The program
    runs in its own folder, so words that name an existing file ("solver.py", "bin/solve") become
    absolute paths.

    Args:
        words: The command; a text is split as by a shell, but runs without a shell.
        name: Its name in reports; by default the command itself.
        format: The format of `{file}`; by default `.non` for nonograms, JSON for others.
        stdin: Pass the file of `{file}` as standard input, too.
        patterns: Maps verdicts ("unique", "multiple", "unsolvable", "solved", "unknown",
            "unsupported") to regular expressions that detect them in the output, and "count" to one
            with a group for the number. They replace the default words.
        filled, empty: The characters of a picture's cells; by default many common ones.
        time_limit_s: Wall seconds per puzzle, 10 by default.
        memory_limit_mib: Resident memory of all processes of the program, including their output;
            1024 by default.

    Raises:
        UnsupportedError: The program does not exist, it does not receive the puzzle, or this system
            cannot enforce limits.
    """
    parts = _parts(words)
    label = name or (words if isinstance(words, str) else shlex.join(words))
    _check_placeholders(parts, stdin, format)
    check_trees()
    Options(time_limit_s=time_limit_s, memory_limit_mib=memory_limit_mib)
    limits = {
        "wall_s": TIME_LIMIT_S if time_limit_s is None else time_limit_s,
        "cpu_s": None,
        "memory_mib": memory_limit_mib or MEMORY_LIMIT_MIB,
    }
    reader = OutputParser(parts, patterns, filled, empty)

    def query(puzzle: Puzzle) -> Claim:
        used = format or _FORMATS.get(families.name_of(puzzle), "jsonl")
        given = [re.sub(r"\{file\}", f"{{{used}}}", part) for part in parts]
        options: dict[str, Any] = {"program": given, "seed": 0, "most_printed": MOST_PRINTED}
        if stdin:
            options["stdin"] = used
        return _claim(puzzle, options, limits, reader)

    return Solver(label, query)


def _parts(words: str | Sequence[str]) -> list[str]:
    """Return the words of a command, the first as the absolute path of a program."""
    try:
        parts = shlex.split(words) if isinstance(words, str) else [*words]
    except ValueError as error:
        raise UnsupportedError(f"the command {shown(words)} cannot be split: {error}") from None
    if not all(isinstance(part, str) for part in parts):
        raise UnsupportedError(f"the words of the command are {shown(words)}, expected texts")
    if not parts or (path := which(parts[0])) is None:
        raise UnsupportedError(
            f"no program {shown(parts[0] if parts else '')}, expected one that is installed, or "
            "the path of one that may be executed"
        )
    return [str(Path(path).absolute()), *map(_whole_path, parts[1:])]


def _whole_path(word: str) -> str:
    """Return the absolute path of the file that a word names; a word without "/" is unchanged."""
    path = Path(word)
    is_meant = path.suffix or len(path.parts) > 1
    return str(path.absolute()) if is_meant and not path.is_absolute() and path.is_file() else word


def _check_placeholders(parts: Sequence[str], stdin: bool, format_: str) -> None:
    """Raise UnsupportedError unless the program receives the puzzle in known formats."""
    found = set(PLACEHOLDER.findall(" ".join(parts)))
    files = found - {*VALUES}
    for one in (files - {FILE} - export.TARGETS.keys()) | ({format_} - {""}):
        plugins.find("formats", one)
    if not files and not stdin:
        raise UnsupportedError(
            f"a command without its puzzle: {shown(shlex.join(parts))}; expected {{file}} where "
            "the name of the puzzle's file belongs, or stdin=True"
        )
    if "suite" in found:
        raise UnsupportedError("{suite} is for suites of benchmarks; write the folder's name")


def _claim(
    puzzle: Puzzle, options: Mapping[str, Any], limits: Mapping[str, Any], reader: OutputParser
) -> Claim:
    """Run a program, and return the claim in its output."""
    job = {
        "puzzle": jsonl.write([puzzle]).decode(),
        "task": "check",
        "max_solutions": 2,
        "options": options,
        "limits": limits,
        "folder": "",
    }
    try:
        reply = _runner.run(job)
    except ZygoteDied as error:
        return Claim(failure=f"ended the process that ran it: {error}")
    seconds = reply["wall_s"]
    if failure := _unfinished(reply, limits):
        return Claim(failure=failure, seconds=seconds)
    outcome = reply["outcome"]
    if "failure" in outcome:
        status, reason = outcome["failure"]
        if status == "unsupported":
            return Claim(unsupported=reason, seconds=seconds)
        return Claim(failure=reason, seconds=seconds)
    if outcome["signal"] is not None:
        sentence = _words(outcome["printed"][1])
        text = f"died of {Signals(outcome['signal']).name}{sentence}"
        return Claim(failure=text, seconds=seconds)
    out, err = outcome["printed"]
    return replace(reader.read(puzzle, out, err, outcome["exit"]), seconds=seconds)


def _unfinished(reply: Mapping[str, Any], limits: Mapping[str, Any]) -> str:
    """Return the reason why a run did not finish; "" if it did."""
    if reply["hit"] == "wall_s":
        return f"hung for more than {limits['wall_s']:g} s"
    if reply["hit"] == "memory_mib":
        return f"used more than {limits['memory_mib']} MiB"
    if reply["outcome"] is None:
        return f"could not be run{_words(reply['words'])}"
    return ""


def _words(text: str) -> str:
    sentence = " ".join(text.split())[-200:]
    return f" ({sentence})" if sentence else ""


# The process that runs programs


class _Runner:
    """One zygote for all commands of this process, started for the first one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._zygote: Zygote | None = None

    def run(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Return the reply to a job; an interruption ends the job and the zygote.

        Raises:
            ZygoteDied: The process that ran the job has been ended.
        """
        with self._lock:
            try:
                if self._zygote is None:
                    self._zygote = Zygote([{"program": []}])
                    self._zygote.finish()
                self._zygote.begin(dict(job))
                return self._zygote.finish()
            except BaseException:
                self._end()
                raise

    def close(self) -> None:
        """End the zygote, even during a job of another thread."""
        if self._zygote is not None:
            self._zygote.doom()
        with self._lock:
            self._end()

    def forget(self) -> None:
        """Release the zygote in a forked copy of this process, which does not own it."""
        self._lock = threading.Lock()
        if self._zygote is not None:
            self._zygote.disown()
        self._zygote = None

    def _end(self) -> None:
        zygote, self._zygote = self._zygote, None
        if zygote is not None:
            zygote.kill()


_runner = _Runner()
atexit.register(_runner.close)
os.register_at_fork(after_in_child=_runner.forget)
