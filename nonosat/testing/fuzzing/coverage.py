"""Coverage of a campaign: cases by shape, class and verdict, answers by all choices.

Counters can be added in any order. Seconds are stored separately, as they differ between runs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from nonosat.core import families
from nonosat.core.grid import Grid
from nonosat.core.plugins import Puzzle
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.testing.claims import CountRange
from nonosat.testing.fuzzing.agreeing import Answers, numbers_of
from nonosat.testing.fuzzing.drawing import Case
from nonosat.testing.fuzzing.trying import Attempt
from nonosat.testing.fuzzing.ways import AnswerMethod

# Names of counters in the order of reports: first those of cases, then those of answers.
OF_CASES = ("families", "sorts", "shapes", "features", "verdicts")
OF_ANSWERS = (
    "answers",
    "questions",
    "backends",
    "decided by",
    "encodings",
    "formulations",
    "presolve",
    "hints",
    "redundant",
)


class Coverage:
    """Counters of cases and answers.

    Attributes:
        cases: Number of cases.
        answers: Number of answers.
        counts: For each name in `OF_CASES` and `OF_ANSWERS`, counters by value.
        seconds: Seconds of answers by backend, encoding and formulation.
    """

    def __init__(self) -> None:
        self.cases = 0
        self.answers = 0
        self.counts: dict[str, Counter[str]] = defaultdict(Counter)
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def add(self, case: Case, answers: Answers) -> None:
        """Count a case with all its answers."""
        self.cases += 1
        for name, value in _of_case(case, answers):
            self.counts[name][value] += 1
        for way, answer in answers.items():
            self.answers += 1
            self.counts["answers"][answer.end] += 1
            for name, value in _of_way(way, answer):
                self.counts[name][value] += 1
                if name in ("backends", "encodings", "formulations"):
                    self.seconds[value] += answer.seconds

    def merge(self, data: Mapping[str, Any]) -> None:
        """Add the data of another coverage."""
        self.cases += int(data["cases"])
        self.answers += int(data["answers"])
        for name, counts in data["counts"].items():
            self.counts[name].update(counts)
        for name, seconds in data["seconds"].items():
            self.seconds[name] += seconds

    def to_data(self) -> dict[str, Any]:
        """Return the coverage as JSON data."""
        return {
            "cases": self.cases,
            "answers": self.answers,
            "counts": {
                name: dict(sorted(self.counts[name].items()))
                for name in (*OF_CASES, *OF_ANSWERS)
                if self.counts[name]
            },
            "seconds": {name: round(one, 4) for name, one in sorted(self.seconds.items())},
        }

    def slowest(self, number: int) -> list[tuple[str, float, float]]:
        """Return the choices with most seconds: name, total seconds, seconds per answer."""
        times: Counter[str] = Counter()
        for name in ("backends", "encodings", "formulations"):
            times.update(self.counts[name])
        found = ((name, one, one / max(1, times[name])) for name, one in self.seconds.items())
        return sorted(found, key=lambda row: -row[1])[:number]


def _of_case(case: Case, answers: Answers) -> Iterator[tuple[str, str]]:
    puzzle = case.puzzle
    family = families.name_of(puzzle)
    yield "families", family
    yield "sorts", f"{family}: {case.sort}"
    yield "shapes", shape_of(puzzle)
    for feature in features_of(puzzle):
        yield "features", feature
    yield "verdicts", _verdict(numbers_of(answers))


def _verdict(numbers: CountRange) -> str:
    if not numbers.is_possible:
        return "disputed"
    if numbers.most == 0:
        return "unsolvable"
    if numbers.fewest == numbers.most == 1:
        return "unique"
    if numbers.fewest > 1:
        return "multiple"
    return "solvable" if numbers.fewest else "unknown"


def shape_of(puzzle: Puzzle) -> str:
    """Return form and size of a board in words."""
    height, width = puzzle.height, puzzle.width
    if height * width <= 1:
        return "one cell" if height * width else "no cell"
    if 1 in (height, width):
        return "one row" if height == 1 else "one column"
    form = "square" if height == width else "tall" if height > width else "wide"
    most = next((size for size in (5, 10, 20, 40) if max(height, width) <= size), None)
    return f"{form}, longest side {f'to {most}' if most else 'over 40'}"


def features_of(puzzle: Puzzle) -> Iterator[str]:
    """Yield the names of a nonogram's features, such as "given cells", for the coverage."""
    if not isinstance(puzzle, Nonogram):
        return
    clues = (*puzzle.rows, *puzzle.columns)
    lengths = [*(puzzle.width for _ in puzzle.rows), *(puzzle.height for _ in puzzle.columns)]
    colours = {block.colour for clue in clues for block in clue}
    yield "no colour" if not colours else "one colour" if len(colours) == 1 else "colours"
    if any(block.length is None for clue in clues for block in clue):
        yield "unknown lengths"
    if puzzle.given:
        yield "given cells"
    if not all(clues):
        yield "empty line"
    if any(
        clue and sum(b.length or 0 for b in clue) == n
        for clue, n in zip(clues, lengths, strict=True)
    ):
        yield "full line"
    if isinstance(puzzle.goal, Grid):
        yield "goal"


def _of_way(way: AnswerMethod, answer: Attempt) -> Iterator[tuple[str, str]]:
    yield "questions", way.question
    if way.question not in ("check", "solve"):
        return
    options = way.options
    yield "backends", way.backend
    yield "decided by", answer.decided_by or "nobody"
    yield "presolve", options.get("presolve", "probe")
    yield "hints", options.get("hints", "auto")
    for name in options.get("redundant", ()):
        yield "redundant", name
    for plural in ("encodings", "formulations"):
        for kind, name in options.get(plural[:-1], {}).items():
            # Choices that presolve or the puzzle made irrelevant do not count.
            if (choice := f"{kind}={name}") in answer.used:
                yield plural, choice
