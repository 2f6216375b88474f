"""Rules of tournaments: limits, the clock of each set, answers in their text, scores.

A set is a file of puzzles, solved in its order on one core within a time limit for the whole set;
any one solution of a puzzle counts. Sets are ranked by the number of solved puzzles, then by time.
Invariant: the time of a set is the wall time of the batch between two results, everything included
(reading, start of the worker, recording), summed over the set's results in all sessions. The work
that an interrupt ends is not counted.

Source: rules of the tournaments of the TCGA (Nonogram_rule_150520.txt, 2015). Times of the winners:
chessprogramming.org/Nonogram. LalaFrogKK and nonosolve: results of hyouv/FastNonogramSolver (CPU
seconds on a Xeon Gold 5416S, first solution of each puzzle, two hours a set), commit 7386b77.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nonosat.batch import results
from nonosat.batch.deciding import Record, Rules
from nonosat.core import hooks
from nonosat.core.errors import FormatError

# By set: the winner's seconds in the tournament if published; puzzles that LalaFrogKK solved, and
# its seconds; seconds of nonosolve, which solved all.
_OF_TCGA = """
icga2016 -       1000 714.6  63.9
icga2017 -        946 7200   83.4
icga2018 -       1000 1527.3 92.5
icga2019 -       1000 680.2  75.4
icga2020 -       1000 2590.3 82.2
icga2021 -       1000 1260.0 82.1
icga2022 -       1000 1288.4 80.7
icga2023 -       1000 4244.6 89.2
taai2011 645.544 1000 463.4  71.4
taai2013 -       1000 1546.3 79.4
taai2014 664     1000 584.4  60.7
taai2015 -       1000 1945.3 93.0
taai2016 -       1000 786.5  69.7
taai2017 -       1000 3338.7 69.7
taai2018 -       1000 865.5  61.4
taai2019 -       1000 799.2  76.8
taai2020 -       1000 4104.5 77.4
taai2021 -       1000 1130.8 75.2
taai2022 -       1000 909.3  67.2
tcga2012 1433    1000 1130.9 85.3
tcga2013 -       1000 610.2  72.6
tcga2014 -       1000 1459.1 81.4
tcga2015 908     1000 639.7  66.8
tcga2016 -        970 7200   81.3
tcga2017 -       1000 3437.5 72.3
tcga2019 -       1000 823.2  79.5
tcga2020 -       1000 1025.8 76.8
tcga2021 -       1000 1384.6 76.7
tcga2022 -       1000 562.3  66.7
tcga2023 -       1000 1264.9 64.9
"""
COLUMNS = ("winner then", "LalaFrogKK", "nonosolve")
ABOUT_COLUMNS = (
    "The last three columns are published: seconds of the winner in the tournament, and CPU "
    "seconds that the author of nonosolve measured on a server."
)


def _published(table: str) -> dict[str, tuple[str, ...]]:
    """Return the published results by set, as texts for `COLUMNS`."""
    found: dict[str, tuple[str, ...]] = {}
    for line in table.split("\n")[1:-1]:
        name, won, solved, seconds, other = line.split()
        winner = "" if won == "-" else f"LalaFrogKK {float(won):.1f} s"
        measured = f"{float(seconds):.1f} s" if solved == "1000" else f"{solved} in {seconds} s"
        found[name] = winner, measured, f"{other} s"
    return found


RULES = {"tcga": Rules("tcga", 7200.0, published=_published(_OF_TCGA))}


class SetClock:
    """Clock of the sets of a batch, over all of its sessions.

    Args:
        seconds: Seconds of each set in earlier sessions, by file.
    """

    def __init__(self, seconds: Mapping[str, float]) -> None:
        self._seconds = dict(seconds)
        self._since = hooks.clock()

    def restart(self) -> None:
        """Ignore the time since the last result."""
        self._since = hooks.clock()

    def seconds(self, file: str) -> float:
        """Return the seconds of a set, including the time since the last result."""
        return self._seconds.get(file, 0.0) + hooks.clock() - self._since

    def lap(self, file: str) -> float:
        """Count the time since the last result for a set; return the seconds of the set."""
        self._seconds[file] = self.seconds(file)
        self.restart()
        return self._seconds[file]


def results_by(path: str | Path, options_sha256: str) -> Iterator[Record]:
    """Yield the results in a file that were made with some options, in order.

    Raises:
        FormatError: It is not a file of a batch, or a result lacks the seconds of its set.
    """
    for record in results.read(str(path)):
        if record["kind"] == "result" and record["options_sha256"] == options_sha256:
            if not isinstance(record.get("set_s"), float | int):
                found = f"a result of {record['file']} by rules lacks its number set_s"
                raise FormatError(f"{found}; --repair does not restore it", path=str(path))
            yield record


def seconds_by_set(records: Iterable[Record]) -> dict[str, float]:
    """Return the seconds of each set, by file."""
    return {record["file"]: record["set_s"] for record in records}


@dataclass(slots=True)
class SetScore:
    """Score of a set.

    Args:
        file: Its file.
        num_puzzles: Number of its results.
        num_solved: Number of puzzles solved within the limit of the set.
        seconds: Seconds of the set, at most its limit.
        answers: Official text of the answers: `$`, the number of the puzzle, and its rows with 1
            for each filled and 0 for each empty cell, separated by tabs.
    """

    file: str
    num_puzzles: int = 0
    num_solved: int = 0
    seconds: float = 0.0
    answers: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Name of the set: that of its file without folder and suffix."""
        return Path(self.file).stem

    def count(self, record: Record, limit_s: float) -> None:
        """Count the next result of the set."""
        self.num_puzzles += 1
        self.seconds = min(record["set_s"], limit_s)
        if record["verdict"] == "solved" and record["set_s"] <= limit_s:
            self.num_solved += 1
            number = record["id"] if record["id"].isdecimal() else str(self.num_puzzles)
            self.answers.append(_answer(number, record["solutions"][0]))


def _answer(number: str, rows: Iterable[str]) -> str:
    lines = ("\t".join("01"[sign != "."] for sign in row) for row in rows)
    return "\n".join((f"${number}", *lines, ""))


def scores(records: Iterable[Record], rules: Rules) -> list[SetScore]:
    """Return the score of each set, in the order of their first results."""
    found: dict[str, SetScore] = {}
    for record in records:
        file = record["file"]
        found.setdefault(file, SetScore(file)).count(record, rules.set_limit_s)
    return list(found.values())


def table(found: Sequence[SetScore], rules: Rules) -> list[tuple[str, ...]]:
    """Return the scores beside the published results: titles, a row for each set, the sums."""
    rows: list[tuple[str, ...]] = [("set", "solved", "time", *COLUMNS)]
    for one in found:
        published = rules.published.get(one.name.lower(), ("",) * len(COLUMNS))
        rows.append((*_row(one.name, [one]), *published))
    return rows if len(found) == 1 else [*rows, (*_row("all", found), *("",) * len(COLUMNS))]


def _row(name: str, found: Sequence[SetScore]) -> tuple[str, str, str]:
    solved, total = sum(one.num_solved for one in found), sum(one.num_puzzles for one in found)
    return name, f"{solved} of {total}", f"{sum(one.seconds for one in found):.1f} s"
