"""Conversion of a solver's output to a verified picture.

The accepted forms are those of the competitions (`s SATISFIABLE`, `v` lines of literals ended by 0,
or of names as in `v x1 -x2` from pseudo-Boolean solvers) and the result files of MiniSat (`SAT`,
then literals). Comments and objective lines are skipped; every other line is an error. The output
of clingo and of solvers of MiniZinc and XCSP3 is read with all of its solutions.

Invariant: a picture that is returned satisfies its puzzle's clues. Cells without a value in the
answer are empty: every completion of a partial assignment is a model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from nonosat.board import presolve
from nonosat.board.presolve import Rectangle
from nonosat.core import families
from nonosat.core.errors import FormatError, UnsupportedError, counted, shown
from nonosat.core.limits import polled
from nonosat.core.model import TRUE
from nonosat.core.plugins import Answer, Family, Puzzle

# Output of solvers of MiniZinc and XCSP3 models: verdicts, and the values of the array `x`.
#
# MiniZinc ends a solution with a line of hyphens and a whole search with one of "=", and prints
# `=====UNSATISFIABLE=====`. The values are data (`x = array2d(...);`, `x = [| ... |];`) or
# JSON; comments, statistics and other items are ignored. Solvers of XCSP3 print lines
# `s SATISFIABLE`, `s UNSATISFIABLE`, and `<instantiation>` elements, in lines `v` or not; all
# other output, colours of terminals included, is ignored.
#
# Sources: The MiniZinc Handbook, "The MiniZinc Command Line Tool" and "FlatZinc" (output); XCSP3
# competition 2024, call for solvers (output).


_SOLUTION, _COMPLETE = "-" * 10, "=" * 10
_STATUS = re.compile(r"={5}(\w+)={5}\s*")
_STATUSES = {
    "UNSATISFIABLE": Answer.UNSAT,
    "UNSATorUNBOUNDED": Answer.UNSAT,  # never unbounded: every integer has bounds
    "UNKNOWN": Answer.UNKNOWN,
}
_DATA = re.compile(r"^\s*x\s*=([^;]*);", re.MULTILINE)
_JSON = re.compile(r'"x"\s*:\s*(\[[\s\d,\[\]-]*\])')
_RANGES = re.compile(r"array\dd\s*\(|\d+\s*\.\.\s*\d+")
_NUMBER = re.compile(r"-?\d{1,9}")
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_INSTANTIATION = re.compile(r"<instantiation\b[^>]*>(.*?)</instantiation\s*>", re.DOTALL)
_PART = r"<{0}>(.*?)</{0}\s*>"
_VERDICT = re.compile(r"^s\s+(\w+)", re.MULTILINE)
_SOLVER_VERDICTS = {
    "SATISFIABLE": Answer.SAT,
    "OPTIMUM": Answer.SAT,
    "UNSATISFIABLE": Answer.UNSAT,
    "UNKNOWN": Answer.UNKNOWN,
}
_REPEATED = re.compile(r"(-?\d{1,9}|\*)(?:x(\d{1,9}))?")
_MOST = 2**27  # limit of the values of repetitions


@dataclass(frozen=True, slots=True)
class ParsedOutput:
    """Parsed output of a solver of MiniZinc or XCSP3.

    Args:
        verdict: Verdict that the solver claims.
        solutions: The values of `x` of each solution, in order.
        empty: The value that the output has for an empty cell; colour k has `empty + k`.
        is_complete: True if the output states that there are no further solutions.
    """

    verdict: Answer
    solutions: tuple[tuple[int, ...], ...]
    empty: int
    is_complete: bool


Fail = Callable[[str], FormatError]


def reader_of(text: str) -> Callable[[str, Fail], ParsedOutput] | None:
    """Return the reader of this output; None if it is neither MiniZinc's nor XCSP3's."""
    if "<instantiation" in text or re.search(r"^d\s+\w", _COLOURS.sub("", text), re.MULTILINE):
        return read_xcsp3
    lines = {line.rstrip() for line in polled(text.splitlines())}
    if lines & {_SOLUTION, _COMPLETE} or any(map(_STATUS.fullmatch, lines)):
        return read_minizinc
    return None


def read_minizinc(text: str, fail: Fail) -> ParsedOutput:
    """Read the output of `minizinc` for one of our models; `fail` makes an error of a message."""
    verdict, is_complete = None, False
    pending: list[str] = []
    solutions = []
    for number, line in enumerate(polled(text.splitlines()), start=1):
        if line.rstrip() == _SOLUTION:
            solutions.append(_values("\n".join(pending), number, fail))
            pending.clear()
        elif line.rstrip() == _COMPLETE:
            is_complete = True
        elif status := _STATUS.fullmatch(line):
            if status[1] not in _STATUSES:
                raise fail(
                    f"the solver's status is {shown(status[1])}, expected a solution or a verdict"
                )
            verdict = _STATUSES[status[1]]
        elif not line.startswith("%"):
            pending.append(line)
    if solutions and verdict is Answer.UNSAT:
        raise fail("has the verdict UNSATISFIABLE and a solution, expected one of them")
    if solutions:
        verdict = Answer.SAT
    elif is_complete and verdict is None:
        verdict = Answer.UNSAT
    return ParsedOutput(verdict or Answer.UNKNOWN, tuple(solutions), 1, is_complete)


def _values(text: str, line: int, fail: Fail) -> tuple[int, ...]:
    """Return the values of x in the text of one solution; `line` is the number of its last line."""
    found = [*_DATA.finditer(text), *_JSON.finditer(text)]
    if len(found) != 1:
        raise fail(
            f"the solution that line {line} ends has {len(found)} values of x, expected one, "
            "'x = ...;'; use a model that nonosat has written, or one that prints its x"
        )
    listed = _RANGES.sub(" ", found[0][1])
    if odd := re.search(r"[^\s\d,|()\[\]-]", listed):
        raise fail(f"found {shown(odd[0])} in the values of x, expected whole numbers")
    return tuple(map(int, _NUMBER.findall(listed)))


def read_xcsp3(text: str, fail: Fail) -> ParsedOutput:
    """Read a solver's output for one of our XCSP3 instances; `fail` makes an error of a message."""
    text = _COLOURS.sub("", text)
    found = {_SOLVER_VERDICTS.get(name) for name in _VERDICT.findall(text)} - {None}
    if len(found) > 1:
        raise fail("has two verdicts, expected one")
    verdict = found.pop() if found else None
    lines = re.sub(r"^v\s", "", text, flags=re.MULTILINE)
    solutions = dict.fromkeys(_instantiated(part, fail) for part in _INSTANTIATION.findall(lines))
    if solutions and verdict is Answer.UNSAT:
        raise fail("has the verdict UNSATISFIABLE and a solution, expected one of them")
    if solutions:
        verdict = Answer.SAT
    elif verdict is Answer.SAT:
        raise fail(
            "has the verdict SATISFIABLE but no <instantiation>; let the solver print its solution"
        )
    is_complete = bool(re.search(r"^d\s+COMPLETE EXPLORATION", text, re.MULTILINE))
    return ParsedOutput(verdict or Answer.UNKNOWN, tuple(solutions), 0, is_complete)


def _instantiated(text: str, fail: Fail) -> tuple[int, ...]:
    """Return the values of x in an instantiation, in the order of the array."""
    parts = {name: re.findall(_PART.format(name), text, re.DOTALL) for name in ("list", "values")}
    if any(len(part) != 1 for part in parts.values()):
        raise fail("an <instantiation> without one <list> and one <values>, expected both")
    names = parts["list"][0].split()
    values = list(_expanded(parts["values"][0], fail))
    if names and re.fullmatch(r"x(\[\])+", names[0]):
        return tuple(values)  # values of other arrays follow
    if len(names) != len(values):
        raise fail(f"an <instantiation> of {len(names)} names and {len(values)} values")
    places = {}
    for name, value in polled(zip(names, values, strict=True)):
        if found := re.fullmatch(r"x((?:\[\d{1,9}\])+)", name):
            places[tuple(map(int, re.findall(r"\d+", found[1])))] = value
    return tuple(places[place] for place in sorted(places))


def _expanded(text: str, fail: Fail) -> Iterator[int]:
    """Yield the values of a list one by one: `0x3` is 0 0 0, and * is any value, such as 0."""
    total = 0
    for word in polled(text.split()):
        found = _REPEATED.fullmatch(word)
        if found is None:
            raise fail(f"found {shown(word)} in <values>, expected a number such as 1, 0x3 or *")
        times = int(found[2] or 1)
        total += times
        if total > _MOST:
            raise fail(f"<values> has more than {_MOST} numbers")
        for _ in range(times):
            yield 0 if found[1] == "*" else int(found[1])


# Clingo prints "Answer: 1" before the atoms of an answer set, and verdicts as words.


_CLINGO = re.compile(r"^((py)?clingo version \d|Answer: \d|x\(\d+\)( x\(\d+\))*\s*$)", re.MULTILINE)
_ATOM = re.compile(r"x\((\d{1,9})\)")


def read_clingo(text: str, fail: Fail) -> tuple[Answer, list[frozenset[int]]]:
    """Return the verdict in clingo's output, and the true variables of each answer set."""
    verdict: Answer | None = None
    found: list[frozenset[int]] = []
    is_next = False
    for line in polled(text.splitlines()):
        words = line.split()
        if is_next or (words and all(map(_ATOM.fullmatch, words))):
            found.append(frozenset(_variables(words, fail)))
            is_next = False
        elif line.startswith("*** ERROR"):
            raise fail(f"has the message {shown(line)} of clingo, expected its answer")
        elif line.startswith("Answer:"):
            is_next = True
        elif line.strip() in _VERDICTS:
            verdict = _VERDICTS[line.strip()]
    if found and verdict is Answer.UNSAT:
        raise fail("has the verdict UNSATISFIABLE and an answer set, expected one of them")
    if not found and verdict is Answer.SAT:
        raise fail("has the verdict SATISFIABLE but no answer set; let clingo print it")
    return (Answer.SAT if found else verdict or Answer.UNKNOWN), found


def _variables(words: Sequence[str], fail: Fail) -> Iterator[int]:
    """Yield the variables of the atoms of an answer set."""
    for word in words:
        match = _ATOM.fullmatch(word)
        if match is None:
            raise fail(f"found {shown(word)} in an answer set, expected atoms such as x(3)")
        yield int(match[1])


_VERDICTS = {
    "SATISFIABLE": Answer.SAT,
    "OPTIMUM FOUND": Answer.SAT,
    "SAT": Answer.SAT,
    "UNSATISFIABLE": Answer.UNSAT,
    "UNSAT": Answer.UNSAT,
    "UNKNOWN": Answer.UNKNOWN,
    "INDETERMINATE": Answer.UNKNOWN,
    "INDET": Answer.UNKNOWN,
}
_LITERAL = re.compile(r"(-?)x?([0-9]{1,10})")
_NUMBERS = re.compile(r"-?[0-9]+(\s|$)")


@dataclass(frozen=True, slots=True)
class SolverAnswer:
    """The answer of another solver.

    Args:
        verdict: Verdict that the solver claims.
        true: The variables that are true.
        assigned: The variables that have a value.
        path: Name of its file, for messages.
        printed: Output of a solver of MiniZinc or XCSP3; then `true` and `assigned` are empty.
        more: Further solutions in the same output.
    """

    verdict: Answer
    true: frozenset[int] = frozenset()
    assigned: Container[int] = frozenset()
    path: str | None = None
    printed: ParsedOutput | None = None
    more: tuple[SolverAnswer, ...] = ()


class _AnswerReader:
    """Reader of a solver's output, line by line."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        self.line = 0
        self.verdict: Answer | None = None
        self.values: dict[int, bool] = {}
        self.has_values = self.is_closed = False

    def error(self, message: str) -> FormatError:
        return FormatError(message, path=self.path, line=self.line or None)

    def take(self, text: str) -> None:
        """Read one line."""
        self.line += 1
        kind, _, rest = text.strip().partition(" ")
        if not kind or kind in ("c", "o") or text.startswith("c"):
            return
        if kind == "s":
            self._take_verdict(rest.strip())
        elif text.strip() in _VERDICTS:
            self._take_verdict(text.strip())
        elif kind == "v":
            self._take_values(rest)
        elif _NUMBERS.match(text.strip()):
            self._take_values(text)
        else:
            raise self.error(
                f"found {shown(text.strip())}, expected a comment (c ...), a verdict "
                "(s SATISFIABLE, ...) or values (v 1 -2 ... 0)"
            )

    def _take_verdict(self, text: str) -> None:
        if text not in _VERDICTS:
            raise self.error(
                f"the verdict is {shown(text)}, expected SATISFIABLE, UNSATISFIABLE or UNKNOWN"
            )
        if self.verdict is not None:
            raise self.error(f"a second verdict, {shown(text)}, expected one; split the file")
        self.verdict = _VERDICTS[text]

    def _take_values(self, text: str) -> None:
        self.has_values = True
        for token in polled(text.split()):
            if self.is_closed:
                raise self.error(f"found {shown(token)} after the closing 0, expected no values")
            match = _LITERAL.fullmatch(token)
            if match is None or int(match[2]) >= TRUE:
                raise self.error(f"found {shown(token)}, expected a literal such as 3, -3 or -x3")
            variable, value = int(match[2]), not match[1]
            if variable == 0:
                self.is_closed = True
            elif self.values.setdefault(variable, value) != value:
                raise self.error(f"variable {variable} is both true and false, expected one value")

    def answer(self) -> SolverAnswer:
        """Return the answer of all lines together."""
        self.line = 0
        if self.verdict is None and not self.has_values:
            raise self.error(
                "holds no answer, expected a line 's SATISFIABLE', 's UNSATISFIABLE' or 's UNKNOWN'"
            )
        verdict = self.verdict or Answer.SAT
        if verdict is Answer.SAT and not self.has_values:
            raise self.error(
                "has the verdict SATISFIABLE but no values, expected lines 'v ...'; "
                "let the solver print its model"
            )
        if verdict is Answer.UNSAT and self.values:
            raise self.error("has the verdict UNSATISFIABLE and values, expected one of them")
        true = frozenset(variable for variable, value in polled(self.values.items()) if value)
        return SolverAnswer(verdict, true, frozenset(self.values), self.path)


def read_answer(text: str, path: str | None = None) -> SolverAnswer:
    """Read the output of a solver.

    Args:
        text: The whole output.
        path: Name of the file, for messages.

    Raises:
        FormatError: A line has an unknown form, or values contradict each other.
    """
    reader = _AnswerReader(path)
    if _CLINGO.search(text):
        verdict, found = read_clingo(text, reader.error)
        every = range(1, TRUE)  # atoms that are not printed are false
        answers = [SolverAnswer(verdict, true, every, path) for true in found]
        first = answers[0] if answers else SolverAnswer(verdict, path=path)
        return replace(first, more=tuple(answers[1:]))
    if read := reader_of(text):
        printed = read(text, reader.error)
        return SolverAnswer(printed.verdict, path=path, printed=printed)
    for line in polled(text.splitlines()):
        reader.take(line)
    return reader.answer()


def answer_of_values(values: Any) -> SolverAnswer:
    """Return the values of the variables of `to_cpmpy` as an answer.

    Args:
        values: Numbers or Booleans, or rows of them, in sequences or an array.

    Raises:
        UnsupportedError: A value is no whole number.
    """
    numbers = []
    for value in polled(_flat(values)):
        try:
            numbers.append(int(value))
            is_whole = bool(numbers[-1] == value)
        except (TypeError, ValueError, OverflowError):
            is_whole = False
        if not is_whole:
            raise UnsupportedError(
                f"the answer has the value {shown(value)}, expected whole numbers, those of the "
                "variables after a solver has found a solution"
            )
    printed = ParsedOutput(Answer.SAT, (tuple(numbers),), 0, False)
    return SolverAnswer(Answer.SAT, printed=printed)


def _flat(values: Any) -> Iterator[Any]:
    """Yield the values of a sequence, or of its rows."""
    for value in values:
        if isinstance(value, Iterable) and not isinstance(value, str | bytes):
            yield from value
        else:
            yield value


def picture_of(puzzle: Puzzle, answer: SolverAnswer) -> Any:
    """Return the first verified picture, or other solution, of an answer.

    Raises:
        FormatError: See `pictures_of`.
    """
    return pictures_of(puzzle, answer)[0]


def pictures_of(puzzle: Puzzle, answer: SolverAnswer) -> tuple[Any, ...]:
    """Return the verified pictures, or other solutions, of an answer: all different, at least one.

    Raises:
        FormatError: It has no values, the clues refute it, or a cell has two colours.
    """
    if answer.verdict is not Answer.SAT:
        raise FormatError(
            f"the answer is {answer.verdict.name}, expected the values of a solution",
            path=answer.path,
        )
    family = families.family_of(puzzle)
    model = family.build(puzzle)
    shape = presolve.rectangle(model)
    if answer.printed is None:
        every = (answer, *answer.more)
        if shape:
            for one in every:
                _refuse_two_colours(shape, one)
        known = (_verified(puzzle, family, model.num_vars, one) for one in every)
        return tuple(dict.fromkeys(known))
    each = (
        _in_variables(values, answer, shape, model.num_vars) for values in answer.printed.solutions
    )
    found = (_verified(puzzle, family, model.num_vars, one) for one in each)
    return tuple(dict.fromkeys(found))


def _verified(puzzle: Puzzle, family: Family, num_vars: int, answer: SolverAnswer) -> Any:
    """Decode an answer that gives values of variables, and return the verified solution.

    Raises:
        FormatError: The clues refute it.
    """
    cells = range(1, num_vars + 1)
    values = b"\0" + bytes(variable in answer.true for variable in polled(cells))
    grid = family.decode(puzzle, values)
    if mistake := family.refutation(puzzle, grid):
        num_open = sum(variable not in answer.assigned for variable in polled(cells))
        rest = (
            f"; {num_open} of the {num_vars} variables of the cells have no value, which was "
            "read as false: the output may be cut off"
            if num_open
            else "; is it of another puzzle?"
        )
        raise FormatError(f"the answer is not a solution: {mistake}{rest}", path=answer.path)
    return grid


def _in_variables(
    values: Sequence[int], answer: SolverAnswer, shape: Rectangle | None, num_vars: int
) -> SolverAnswer:
    """Return one of the solutions that a solver printed, as an answer in variables.

    Raises:
        FormatError: There are too few values, or one is out of range.
    """
    assert answer.printed is not None
    size = shape.size if shape else num_vars
    empty = answer.printed.empty if shape else 0
    most = shape.num_colours if shape else 1
    if len(values) < size:
        found = f"x has {counted(len(values), 'value')}, expected {size}"
        raise FormatError(f"{found}; is it of another puzzle?", path=answer.path)
    true = set()
    for cell, value in enumerate(polled(values[:size])):
        if not empty <= value <= empty + most:
            found = f"x has the value {value}, expected {empty} to {empty + most}"
            raise FormatError(f"{found}; is it of another puzzle?", path=answer.path)
        if value > empty:
            true.add(1 + cell + (value - empty - 1) * size)
    every = frozenset(range(1, num_vars + 1))
    return SolverAnswer(Answer.SAT, frozenset(true), every, answer.path)


def _refuse_two_colours(shape: Rectangle, answer: SolverAnswer) -> None:
    seen: dict[int, int] = {}
    for cell, colour in polled(_coloured(shape, answer)):
        if (other := seen.setdefault(cell, colour)) != colour:
            row, column = divmod(cell, shape.width)
            raise FormatError(
                f"the answer is not a solution: cell ({row}, {column}) has the colours {other} "
                f"and {colour}, expected one at most",
                path=answer.path,
            )


def _coloured(shape: Rectangle, answer: SolverAnswer) -> Iterator[tuple[int, int]]:
    """Yield (cell, colour) for each true variable of a cell, in the order of the variables."""
    for variable in polled(sorted(answer.true)):
        if variable <= shape.size * shape.num_colours:
            yield shape.place(variable)
