"""SAT solvers that are programs: `program:kissat --time={seconds} {cnf}`.

Every `solve` runs the program on the whole formula, with the assumptions as unit clauses. No shell
is involved. `processes.programs` chooses the folder for the program's files, and ensures that the
program ends with this process; a launcher starts it (20 ms). A limit kills its process group. The
memory limit holds for the program's own process.

Accepted output: exit codes 10 and 20, the lines `s` and `v` of SAT competitions, and MiniSat's
result file (`{out}`: "SAT", then literals and 0). Contradictory or truncated output is an error.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from math import ceil

from nonosat.clauses.sinks import Buffer
from nonosat.core.errors import BackendError, LimitReached, UnsupportedError, shown
from nonosat.core.limits import Watch
from nonosat.core.plugins import Answer, Backend, Engine
from nonosat.processes.programs import Program, Scratch
from nonosat.processes.system import signal_name

_ADVICE = "that program is not part of nonosat: try the command by itself"
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_KNOWN = ("cnf", "out", "seconds", "seed", "memory_mib")
_UNLIMITED = 10**6  # values of {seconds} and {memory_mib} without a limit
_CHUNK = 2**16  # literals written between two polls
_MAX_CHATTER = 2**24  # bytes of output besides the values
_BYTES_PER_VALUE = 16
_ANSWERS = {
    b"SATISFIABLE": Answer.SAT,
    b"UNSATISFIABLE": Answer.UNSAT,
    b"UNKNOWN": Answer.UNKNOWN,
    b"INDETERMINATE": Answer.UNKNOWN,  # MiniSat
    b"SAT": Answer.SAT,
    b"UNSAT": Answer.UNSAT,
    b"INDET": Answer.UNKNOWN,
}
_BARE = (b"SATISFIABLE", b"UNSATISFIABLE", b"INDETERMINATE")  # MiniSat prints them without the s
_EXITS = {10: Answer.SAT, 20: Answer.UNSAT}


def with_argument(argument: str) -> Backend:
    """Return the backend of the command `argument`; raise UnsupportedError if it cannot be run."""
    _words(argument)
    return PLUGIN


def _words(argument: str) -> list[str]:
    """Return the command's words; the first is an existing program."""
    try:
        words = shlex.split(argument)
    except ValueError as error:
        raise UnsupportedError(f"program has the command {shown(argument)}: {error}") from None
    if not words:
        raise UnsupportedError("program needs a command: 'program:kissat {cnf}'")
    for name in _PLACEHOLDER.findall(argument):
        if name not in _KNOWN:
            known = ", ".join(f"{{{one}}}" for one in _KNOWN)
            raise UnsupportedError(f"program has {{{name}}} in its command, expected of {known}")
    if shutil.which(words[0]) is None:
        where = "as a file" if "/" in words[0] else f"in {os.environ.get('PATH', os.defpath)}"
        raise UnsupportedError(f"no program {words[0]!r} was found {where}; install it")
    return words


class ProgramEngine(Buffer, Engine):
    """A formula on which a program is run for every `solve`.

    Args:
        command: The program and its arguments, with placeholders.
        num_vars: Variables of the model.
        seed: Value of {seed}.
    """

    label = "a program"

    def __init__(self, command: str, num_vars: int, seed: int) -> None:
        super().__init__(num_vars)
        self._words = _words(command)
        self._seed = seed
        self._values = b""
        self._num_runs = 0
        self._is_stopped = False

    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        """Run the program and return its answer; UNKNOWN if the watch or `interrupt` ended it.

        Raises:
            LimitReached: The program gave up because of a limit of its own.
            BackendError: It failed, or its output is not an answer.
        """
        if budget is not None:
            raise UnsupportedError("a program keeps to no budget of conflicts")
        self._values = b""
        with Scratch(4) as files:
            cnf, out, printed, errors = files.fds
            if not self._write(cnf, assumptions, watch):
                return Answer.UNKNOWN
            status = self._run(files, watch)
            if status is None:
                return Answer.UNKNOWN
            try:
                answer = self._read(status, _content(printed), _content(out))
            except BackendError as error:
                what = f"{self._words[0]} {error}{_last_words(errors)}"
                raise BackendError(what, advice=_ADVICE) from None
        if answer is Answer.UNKNOWN and not watch.reason():
            raise LimitReached(f"a limit of its own: {self._words[0]} gave up")
        return answer

    def values(self) -> bytes:
        return self._values

    def statistics(self) -> dict[str, int]:
        return {"runs": self._num_runs}

    def interrupt(self) -> None:
        """End the running `solve`, or else the next one."""
        self._is_stopped = True

    def _write(self, file: int, assumptions: Sequence[int], watch: Watch) -> bool:
        """Write the formula in DIMACS; return False if a limit was hit."""
        header = f"p cnf {self.num_vars} {self.num_clauses + len(assumptions)}\n"
        with os.fdopen(os.dup(file), "wb") as stream:
            stream.write(header.encode())
            for start in range(0, len(self.buffer), _CHUNK):
                # A line may end anywhere between two literals: 0 alone ends a clause.
                words = map(str, self.buffer[start : start + _CHUNK])
                stream.write((" ".join(words).replace(" 0 ", " 0\n") + "\n").encode())
                if watch.reason():
                    return False
            stream.write("".join(f"{lit} 0\n" for lit in assumptions).encode())
        return True

    def _run(self, files: Scratch, watch: Watch) -> int | None:
        """Return the program's exit status; None if a limit or `interrupt` ended it."""
        cnf, out, printed, errors = files.fds
        stdin = cnf if not any("{cnf}" in word for word in self._words) else subprocess.DEVNULL
        os.lseek(cnf, 0, os.SEEK_SET)
        path = shutil.which(self._words[0]) or self._words[0]
        words = [self._filled(word, files, watch) for word in self._words]
        self._num_runs += 1
        program, status = None, 0
        try:
            program = Program([path, *words], (stdin, printed, errors), files)
            has_ended = self._await(program, (out, printed, errors), watch)
        finally:
            if program is not None:
                status = program.end()
        return status if has_ended else None

    def _filled(self, word: str, files: Scratch, watch: Watch) -> str:
        """Return a word of the command with its placeholders replaced."""
        remaining_s = watch.remaining_s()
        memory_mib = watch.limits.memory_mib
        values = {
            "cnf": files.paths[0],
            "out": files.paths[1],
            "seconds": _UNLIMITED if remaining_s is None else max(1, ceil(remaining_s)),
            "seed": self._seed,
            "memory_mib": _UNLIMITED if memory_mib is None else memory_mib,
        }
        return _PLACEHOLDER.sub(lambda found: str(values[found[1]]), word)

    def _await(self, program: Program, outputs: Sequence[int], watch: Watch) -> bool:
        """Wait for the end of the program; return False if a limit or `interrupt` comes first."""
        most = _MAX_CHATTER + _BYTES_PER_VALUE * self.num_vars
        while True:
            if self._is_stopped:
                self._is_stopped = False
                return False
            if watch.reason(program.pid):
                return False
            if sum(os.fstat(file).st_size for file in outputs) > most:
                raise BackendError(
                    f"{self._words[0]} printed more than {most} bytes; make it quiet",
                    advice=_ADVICE,
                )
            if program.wait(watch.step_s()):
                return True

    def _read(self, status: int, printed: bytes, result: bytes) -> Answer:
        """Return the answer, from the program's exit status, output and result file."""
        if status < 0:
            raise BackendError(f"died of {signal_name(-status)}")
        answers, lits = _parsed(printed, result)
        answers |= {_EXITS[status]} if status in _EXITS else set()
        if len(answers) > 1:
            both = " and ".join(sorted(answer.value for answer in answers))
            raise BackendError(f"contradicts itself: {both} (exit status {status})")
        if not answers:
            raise BackendError(
                f"gave no answer (exit status {status}), expected status 10 or 20 or a line "
                "'s SATISFIABLE'"
            )
        (answer,) = answers
        if answer is Answer.SAT:
            self._values = self._checked(lits)
        return answer

    def _checked(self, lits: list[int]) -> bytes:
        """Return the values of a model, a byte a variable, from its literals; 0 if unassigned."""
        num_vars = self.num_vars
        if not lits and num_vars == 0:
            return b"\0"
        if not lits or lits[-1] != 0 or 0 in lits[:-1]:
            found = "no values" if not lits else "values that are not ended by one 0"
            raise BackendError(f"gave {found}, expected lines 'v' or a result file {{out}}")
        values = bytearray(num_vars + 1)
        true, false = {lit for lit in lits if lit > 0}, {-lit for lit in lits if lit < 0}
        if wrong := [var for var in true | false if var > num_vars]:
            raise BackendError(f"gave a value to {shown(wrong[0])}, but there are {num_vars}")
        if both := true & false:
            raise BackendError(f"gave variable {min(both)} two values")
        for var in true:
            values[var] = 1
        return bytes(values)


def _parsed(printed: bytes, result: bytes) -> tuple[set[Answer], list[int]]:
    """Return the answers in the output and the result file, and the literals of the model."""
    answers, words = set(), []
    for line in printed.splitlines():
        text = line.strip()
        if text.startswith(b"s ") or text in _BARE:
            word = text.removeprefix(b"s ").strip()
            if word not in _ANSWERS:
                raise BackendError(f"gave the status {shown(word.decode(errors='replace'))}")
            answers.add(_ANSWERS[word])
        elif text.startswith((b"v ", b"v\t")) or text == b"v":
            words += text[1:].split()
    if result:
        first, *rest = result.split()
        if first not in _ANSWERS:
            raise BackendError("wrote no result file, expected SAT, UNSAT or INDET first")
        answers.add(_ANSWERS[first])
        words = words or rest
    try:
        return answers, [int(word) for word in words]
    except ValueError:
        raise BackendError("gave values that are not numbers") from None


def _content(file: int) -> bytes:
    return os.pread(file, os.fstat(file).st_size, 0)


def _last_words(file: int) -> str:
    size = os.fstat(file).st_size
    words = os.pread(file, 400, max(0, size - 400)).decode(errors="replace").split()
    return f" ({' '.join(words)})" if words else ""


def open_engine(name: str, num_vars: int, seed: int, options: dict[str, str]) -> ProgramEngine:
    """Return an empty formula for the program of "program:COMMAND"; there are no options."""
    del options
    return ProgramEngine(name.partition(":")[2], num_vars, seed)


PLUGIN = Backend(
    summary="any DIMACS solver: 'program:COMMAND' with {cnf} (else standard input), {out}, "
    "{seconds}, {seed}, {memory_mib}",
    with_argument=with_argument,
    needs="nothing",
    open_engine=open_engine,
    in_process=True,  # it starts and ends its own process
)
