"""External programs as configurations: a command template, patterns for the verdict, pictures.

The template is a list of words, run without a shell. Placeholders are replaced: `{non}` (the name
of any format) by a file with the puzzle in that format, `{cnf}`, `{mzn}`, `{xcsp3}` (the name of
any target of `nonosat encode`) by a file for other solvers, `{seed}`, `{wall_s}` and `{memory_mib}`
by their values, and `{suite}` by the suite's folder. The output of the program is searched for the
patterns in their order. The first match gives the verdict, or states that the program does not
support the puzzle ("unsupported"). A format that cannot represent the puzzle means unsupported
without a run. If the suite defines how cells are printed, every picture of the puzzle's size in the
output is a solution and is verified against the clues; cells may be doubled or separated by spaces.

The statistics of a run contain `answer_cpu_s`, the program's own seconds, without the time that
this process spends on writing the puzzle and on verifying.

With `answer`, standard output is read as `nonosat decode` reads it. Its solutions are verified as
well; if no pattern matches, their number or a statement that there are no others gives the verdict.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any, NoReturn

from nonosat import export, formats
from nonosat.bench.outcome import KEPT, Outcome, recorded, verdict_of, verified
from nonosat.bench.table import TomlTable
from nonosat.core import plugins
from nonosat.core.errors import BackendError, FormatError, RefutedError, UnsupportedError
from nonosat.core.grid import Grid
from nonosat.core.plugins import Answer, Puzzle
from nonosat.core.result import Verdict
from nonosat.export import TARGETS
from nonosat.processes.system import end_with_parent, signal_name

PLACEHOLDER = re.compile(r"\{(\w+)\}")
VALUES = ("seed", "wall_s", "memory_mib", "suite")  # placeholders that are not files
_UNLIMITED = 10**6  # value of {memory_mib} without a limit
_MAX_PRINTED = 2**26
_NOT_FOUND = 127
_QUOTED = 200  # characters quoted from a program's output
UNSUPPORTED = "unsupported"  # has a pattern like a verdict
_VERDICTS = {  # the verdicts that answer a task
    "solve": (Verdict.SOLVED, Verdict.UNIQUE, Verdict.MULTIPLE, Verdict.UNSOLVABLE),
    "check": (Verdict.UNIQUE, Verdict.MULTIPLE, Verdict.UNSOLVABLE),
}


def formats_of(options: Mapping[str, Any]) -> set[str]:
    """Return the formats, and targets of `encode`, that a configuration needs of the puzzle."""
    words = PLACEHOLDER.findall(" ".join(options["program"]))
    return {word for word in words if word not in VALUES} | (
        {options["stdin"]} if options.get("stdin") else set()
    )


def run_program(puzzle: Puzzle, job: Mapping[str, Any], scratch: Path, outcome: Outcome) -> Outcome:
    """Write the puzzle, run the program, read its answer; see `task.perform`.

    Raises:
        UnsupportedError: The format cannot represent the puzzle.
        RefutedError: The program printed a picture that the clues refute.
        BackendError: Its output is not an answer.
    """
    options = job["options"]
    code = _ran(puzzle, job, scratch, outcome)
    if code == -signal.SIGXCPU:
        return {**outcome, "failure": ["timeout", "died of SIGXCPU, of a limit on CPU seconds"]}
    text = _printed(1) + _printed(2)
    answer = _read(_printed(1)) if options.get("answer") and code >= 0 else None
    found = [*pictures(text, puzzle, options), *_solutions(puzzle, answer)]
    outcome |= verified(puzzle, list(dict.fromkeys(found)))
    num_found = len(outcome["solutions"])
    outcome["solutions"] = outcome["solutions"][:KEPT]
    sentence = None if answer is None else _verdict_by(answer, num_found)
    verdict, number = _answer(text, code, job, sentence)
    outcome["count"] = recorded(number)
    if verdict is Verdict.UNKNOWN:
        return {**outcome, "failure": ["timeout", "it gave up by itself"]}
    if verdict not in _VERDICTS.get(job["task"], tuple(Verdict)):
        raise UnsupportedError(f"it reports {verdict.value!r}, which does not answer {job['task']}")
    return {**outcome, "verdict": verdict.value}


def run_and_quote(
    puzzle: Puzzle, job: Mapping[str, Any], scratch: Path, outcome: Outcome
) -> Outcome:
    """Run the program and add its output to the outcome as `printed`, without reading an answer.

    Raises:
        UnsupportedError: The format cannot represent the puzzle.
        BackendError: The program could not be started, or printed more than `most_printed` bytes.
    """
    most = job["options"]["most_printed"]
    code = _ran(puzzle, job, scratch, outcome, most)
    size = max(os.fstat(number).st_size for number in (1, 2))
    if size >= most or code == -signal.SIGXFSZ:
        raise BackendError(f"printed, or wrote to a file, more than {most // 2**20} MiB")
    return {**outcome, "printed": [_printed(1), _printed(2)]}


def _ran(
    puzzle: Puzzle,
    job: Mapping[str, Any],
    scratch: Path,
    outcome: Outcome,
    most_printed: int | None = None,
) -> int:
    """Write the puzzle, run the program, and return its exit status.

    The seconds used are added to `outcome`, so that they also count if an error is raised later.
    """
    options, started = job["options"], monotonic()
    written: dict[str, str] = {}
    for name in formats_of(options):
        written[name] = str(_written(puzzle, name, scratch))
    begun = monotonic()
    stdin = written.get(options.get("stdin", ""))
    code, cpu_s = _run(_words(job, written), stdin, scratch, most_printed)
    outcome["statistics"] = {"answer_cpu_s": cpu_s}
    outcome |= {"encode_s": begun - started, "solve_s": monotonic() - begun, "check_s": 0.0}
    outcome |= {"exit": code if code >= 0 else None, "signal": -code if code < 0 else None}
    return code


def _written(puzzle: Puzzle, name: str, folder: Path) -> Path:
    """Write a file with the puzzle, with the suffix by which some programs detect the format."""
    if name in export.TARGETS:
        path = folder / f"puzzle-{name}{export.kind_of(name).suffix}"
        export.write(export.formula_of(puzzle), export.Target.of(path))
    else:
        path = folder / f"puzzle{_suffix(name)}"
        path.write_bytes(formats.write([puzzle], name))
    return path


def _suffix(name: str) -> str:
    suffixes = plugins.find("formats", name).suffixes
    return f".{name}" if f".{name}" in suffixes else suffixes[0]


def _words(job: Mapping[str, Any], written: Mapping[str, str]) -> list[str]:
    """Return the command with its placeholders replaced."""
    limits, options = job["limits"], job["options"]
    values = {
        "seed": options["seed"],
        "wall_s": limits["wall_s"],
        "memory_mib": limits["memory_mib"] or _UNLIMITED,
        "suite": job["folder"],
        **written,
    }
    return [
        PLACEHOLDER.sub(lambda found: str(values[found[1]]), word) for word in options["program"]
    ]


def _run(
    words: Sequence[str], stdin: str | None, folder: Path, most_written: int | None
) -> tuple[int, float]:
    """Run a command and return its exit status and CPU seconds.

    The status is negative for a signal. The CPU seconds include all processes that the program has
    waited for. The output goes to this process's standard output and standard error.

    Args:
        words: The command.
        stdin: The file for standard input; None for an empty one.
        folder: The working directory.
        most_written: Bytes of any one file; None for no limit.
    """
    pid = os.fork()
    if not pid:
        if most_written is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_written, most_written))
        _become(words, stdin, folder)
    _, status, used = os.wait4(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code == _NOT_FOUND:
        raise BackendError(f"{words[0]} could not be started, or ended with {code}{_tail()}")
    return code, round(used.ru_utime + used.ru_stime, 6)


def _become(words: Sequence[str], stdin: str | None, folder: Path) -> NoReturn:
    """Replace the forked process by the program, which ends when its parent ends."""
    try:
        end_with_parent()
        os.chdir(folder)
        if stdin is not None:
            os.dup2(os.open(stdin, os.O_RDONLY), 0)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores these
            signal.signal(number, signal.SIG_DFL)
        os.execvp(words[0], list(words))  # noqa: S606 - the user's own command, and no shell
    except BaseException as error:
        with suppress(OSError):
            os.write(2, f"{words[0]}: {error}\n".encode(errors="replace"))
    os._exit(_NOT_FOUND)


def _printed(number: int) -> str:
    """Return the output to standard output (1) or standard error (2), which are files in memory."""
    if (size := os.fstat(number).st_size) > _MAX_PRINTED:
        raise BackendError(f"{size} bytes printed, expected at most {_MAX_PRINTED}; make it quiet")
    return os.pread(number, size, 0).decode(errors="replace")


def _tail() -> str:
    words = " ".join(_printed(2).split())[-200:]
    return f" ({words})" if words else ""


def _read(text: str) -> export.SolverAnswer | None:
    """Return the answer that `decode` reads from the output; None if there is none."""
    try:
        return export.read_answer(text)
    except FormatError:
        return None


def _solutions(puzzle: Puzzle, answer: export.SolverAnswer | None) -> tuple[Any, ...]:
    """Return the solutions of an answer.

    Raises:
        RefutedError: The clues refute one.
    """
    if answer is None or answer.verdict is not Answer.SAT:
        return ()
    try:
        return export.pictures_of(puzzle, answer)
    except FormatError as error:
        raise RefutedError(str(error)) from error


def _verdict_by(answer: export.SolverAnswer, num_found: int) -> tuple[Verdict, int | None]:
    """Return the verdict of an answer with `num_found` solutions, and their number if complete."""
    if answer.verdict is Answer.UNKNOWN:
        return Verdict.UNKNOWN, None
    is_complete = answer.printed is not None and answer.printed.is_complete
    if answer.verdict is Answer.UNSAT or is_complete:
        return verdict_of(num_found), num_found
    return Verdict.MULTIPLE if num_found > 1 else Verdict.SOLVED, None


def _answer(
    text: str, code: int, job: Mapping[str, Any], located: tuple[Verdict, int | None] | None
) -> tuple[Verdict, int | None]:
    """Return the verdict in the output, and the number of solutions if the task counts.

    Args:
        text: The output.
        code: The exit status.
        job: The job.
        located: Verdict and number to return if no pattern matches; None to raise an error then.
    """
    options = job["options"]
    if code < 0:
        raise BackendError(f"died of {signal_name(-code)}{_tail()}")
    if job["task"] in ("count", "enumerate") and "count" in options:
        if not (found := re.search(options["count"], text, re.MULTILINE)):
            raise BackendError(f"no number of solutions (exit status {code}){_tail()}")
        number = int(found[1])
        return verdict_of(number), number
    for verdict, pattern in options["verdicts"]:
        if found := re.search(pattern, text, re.MULTILINE):
            if verdict == UNSUPPORTED:
                raise UnsupportedError(f"it reports: {' '.join(found[0].split())[:_QUOTED]}")
            return Verdict(verdict), None
    if located is None:
        raise BackendError(f"no verdict in its output (exit status {code}){_tail()}")
    return located


def pictures(text: str, puzzle: Any, options: Mapping[str, Any]) -> Iterator[Grid]:
    """Yield solutions in the output: as many successive lines as rows, each as wide as the puzzle.

    Args:
        text: The output.
        puzzle: The puzzle; pictures are read only for puzzles with one colour.
        options: `filled` and `empty` are the characters of a cell.
    """
    if "filled" not in options or len(puzzle.colours) != 1:
        return
    table = {**dict.fromkeys(options["empty"], 0), **dict.fromkeys(options["filled"], 1)}
    rows: list[bytes] = []
    for line in text.splitlines():
        cells = next((one for one in _forms(line, puzzle.width) if set(one) <= table.keys()), None)
        if cells is None:
            rows.clear()
            continue
        rows.append(bytes(table[cell] for cell in cells))
        if len(rows) == puzzle.height:
            yield Grid(puzzle.height, puzzle.width, b"".join(rows))
            rows.clear()


def _forms(line: str, width: int) -> Iterator[str]:
    """Yield readings of a printed line: its cells as they are, separated by spaces, or doubled."""
    for text in (line, line.strip()):
        if len(text) == width:
            yield text
        halves = text[::2], text[1::2]
        if len(halves[0]) == width and (halves[0] == halves[1] or not halves[1].strip(" ")):
            yield halves[0]


# Tables of suites that declare programs, checked without a puzzle


def missing(needed: list[str]) -> str:
    """Return the names, comma-separated, that are neither a program nor a package of `python3`."""
    return ", ".join(name for name in needed if not (shutil.which(name) or _is_package(name)))


def _is_package(name: str) -> bool:
    code = "import sys, importlib.util as u; sys.exit(not u.find_spec(sys.argv[1]))"
    python = shutil.which("python3")
    if python is None or not name.isidentifier():
        return False
    command = [python, "-c", code, name]
    return not subprocess.run(command, check=False).returncode  # noqa: S603 - no shell


def program_of(table: TomlTable, file: Path) -> dict[str, Any]:
    """Return the options of an external program.

    Args:
        table: The configuration's table.
        file: The suite.

    Raises:
        FormatError: The table is invalid, or the program does not exist.
    """
    folder = file.parent.absolute()
    words = table.texts("program")
    found = shutil.which(program_path(words[0], folder))
    if found is None:
        _refuse_program(table, words[0], folder)
    options: dict[str, Any] = {
        "program": words,
        "binary": _hash_of([str(found), *words[1:]], folder),
        "seed": table.whole("seed", 0, 2**63 - 1, 0),
        "verdicts": [],
    }
    if table.flag("answer", False):
        options["answer"] = True
    if "verdicts" in table or "answer" not in options:
        options["verdicts"] = _verdicts(table.table("verdicts"))
    for name in ("stdin", "filled", "empty", "count"):
        if name in table:
            options[name] = table.text(name)
    table.finish()
    if ("filled" in options) != ("empty" in options):
        table.fail("one of filled and empty", "both, or neither")
    if "count" in options:
        _check_pattern(table, options["count"], 1)
    _check_words(table, options)
    return options


def _refuse_program(table: TomlTable, word: str, folder: Path) -> NoReturn:
    """Report a program that is missing, or a file that cannot be executed.

    Raises:
        FormatError: Always.
    """
    path = program_path(word, folder)
    if "/" in path and Path(path).is_file():
        table.fail(
            f"the program {word!r}, which is a file that cannot be executed",
            f"an executable file (chmod +x {path}), or its interpreter in front of it, such as "
            f'program = ["python3", "{word}"]',
        )
    table.fail(f"no program {word!r}", "the name of one that is installed, or its path")


def program_path(word: str, folder: Path) -> str:
    """Return the path of a program for its start: absolute, or a mere name, which is unchanged.

    Args:
        word: The word in the suite; it may begin with `{suite}`.
        folder: The suite's folder.
    """
    word = word.replace("{suite}", str(folder))
    return str(folder / word) if "/" in word else word


def _hash_of(words: list[str], folder: Path) -> str:
    """Return a hash of the program and of all files named by its words, such as a script."""
    hasher = sha256()
    for word in words:
        path = folder / word.replace("{suite}", str(folder))
        with suppress(OSError):  # too long for a name, or unreadable: not a file of the suite
            hasher.update(path.read_bytes() if path.is_file() else b"")
    return hasher.hexdigest()


def _verdicts(table: TomlTable) -> list[list[str]]:
    """Return verdicts and their patterns in the order in which they are searched."""
    known = {UNSUPPORTED, *(verdict.value for verdict in Verdict)}
    patterns = [[name, table.text(name)] for name in table.names() if name in known]
    table.finish(known)
    for _, pattern in patterns:
        _check_pattern(table, pattern, 0)
    if not patterns:
        table.fail("no patterns", f"some for {', '.join(sorted(known))}")
    return patterns


def _check_pattern(table: TomlTable, pattern: str, num_groups: int) -> None:
    try:
        groups = re.compile(pattern).groups
    except re.error as error:
        table.fail(f"the pattern {pattern!r}: {error}", "a regular expression")
    if num_groups and groups != num_groups:
        table.fail(f"the pattern {pattern!r} with {groups} groups", "one group, for the number")


def _check_words(table: TomlTable, options: Mapping[str, Any]) -> None:
    """Raise FormatError unless the program receives the puzzle in a known format or target."""
    needed = formats_of(options)
    for name in sorted(needed - TARGETS.keys()):
        with table.located():
            plugins.find("formats", name)
    if not needed:
        found = ", ".join(PLACEHOLDER.findall(" ".join(options["program"]))) or "none"
        expected = (
            f"{{non}}, {{mzn}} or another format in addition to {', '.join(VALUES)}, or stdin"
        )
        table.fail(f"a program without its puzzle (placeholders: {found})", expected)
