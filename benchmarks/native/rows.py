"""The table of `run.py`: its rows, their record, and the files that show it.

A record is JSON: backend, limit, and by name of a measure its rows, with their environment and the
yardstick of that time. New measurements replace the rows of their measures and keep the others. A
file shows the table of a record between two marks, the first of which names the record; a test
compares both.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from common import ROOT, Figures

YARDSTICK_S = 0.077  # of the machine for which the aims were set
HEAD = "| work | aim | aim here | measured | | more |\n|---|---|---|---|---|---|"
SHOWN_IN = (ROOT / "README.md", Path(__file__).parent / "README.md")  # if they have the marks
_END = "<!-- end of native -->"
_MARKED = re.compile(r"<!-- native: `(.*?)`.*? -->\n(.*?)" + re.escape(_END), re.DOTALL)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table.

    Args:
        work: The measured work.
        measured: CPU seconds, or a number of puzzles.
        aim: The aim in the same unit; None without an aim.
        more: Further figures, for the record and the last column.
        is_count: True for a number of puzzles, for which `aim` is the minimum; not scaled.
        num_open: Number of puzzles that reached their limit, so that the time is a lower bound.
    """

    work: str
    measured: float
    aim: float | None = None
    more: Figures = field(default_factory=dict)
    is_count: bool = False
    num_open: int = 0

    def scaled(self, yardstick_s: float) -> float | None:
        """Return the aim on a machine with this yardstick."""
        if self.aim is None or self.is_count:
            return self.aim
        return self.aim * yardstick_s / YARDSTICK_S

    def verdict(self, yardstick_s: float) -> str:
        """Return "met" if the scaled aim is met, with no puzzle left open; "-" without an aim."""
        aim = self.scaled(yardstick_s)
        if aim is None:
            return "-"
        in_time = self.measured <= aim and not self.num_open
        met = self.measured >= aim if self.is_count else in_time
        return "met" if met else "not met"

    def line(self, yardstick_s: float) -> str:
        """Return its line of the Markdown table."""
        numbers = (self.aim, self.scaled(yardstick_s), self.measured)
        more = "; ".join(f"{name}: {_plain(value)}" for name, value in self.more.items())
        told = [shown(number, self.is_count) for number in numbers]
        return f"| {' | '.join([self.work, *told, self.verdict(yardstick_s), more])} |"


def shown(value: float | None, is_count: bool) -> str:
    """Return a number with its unit and three digits."""
    if value is None:
        return "-"
    if is_count:
        return f"{value:g}"
    for unit, name in ((1.0, "s"), (1e-3, "ms")):
        if value >= unit:
            return f"{value / unit:.3g} {name}"
    return f"{value * 1e6:.3g} us"


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{number} {name}" for name, number in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


class Record:
    """Rows by measure, stored in a file.

    Args:
        backend: The measured backend.
        most_s: Limit of CPU seconds for a puzzle; None for that of each measure.
        path: Path of the file; None for none. Its rows are kept unless backend or limit differ.
    """

    def __init__(self, backend: str, most_s: float | None, path: Path | None) -> None:
        self._data: Figures = {"backend": backend, "most_s": most_s, "rows": {}}
        self._path = path
        if path is not None and path.exists():
            before = read(path)
            if (before["backend"], before["most_s"]) == (backend, most_s):
                self._data["rows"] = before["rows"]

    def put(self, name: str, rows: Sequence[Row], on: Figures, yardstick_s: float) -> None:
        """Replace the rows of a measure, in the file as well."""
        reached = [{**asdict(row), "reached": row.verdict(yardstick_s)} for row in rows]
        found = {"on": on, "yardstick_s": yardstick_s, "rows": reached}
        self._data["rows"] = {**self._data["rows"], name: found}
        if self._path is not None:
            self._path.write_text(json.dumps(self._data, indent=2) + "\n")


def read(path: Path) -> Figures:
    """Return a record; convert one of the old form, in which all rows shared an environment."""
    data: Figures = json.loads(path.read_text())
    shared = {name: data.pop(name) for name in ("on", "yardstick_s") if name in data}
    if shared:
        data["rows"] = {name: {**shared, "rows": rows} for name, rows in data["rows"].items()}
    return data


def lines(data: Mapping[str, Figures], names: Sequence[str]) -> Iterator[str]:
    """Yield the table of a record, measures in the order of `names`, and its environment."""
    yield HEAD
    found = {name: data["rows"][name] for name in names if name in data["rows"]}
    for one in found.values():
        for row in one["rows"]:
            known = {key: value for key, value in row.items() if key != "reached"}
            yield Row(**known).line(one["yardstick_s"])
    places = {
        f"{one['on']['cpu']}, yardstick {one['yardstick_s']} s, commit {one['on']['commit']}, "
        f"{one['on']['date']}": None
        for one in found.values()
    }
    limit = "" if data["most_s"] is None else f", at most {data['most_s']:g} s a puzzle"
    yield f"\nBackend `{data['backend']}`{limit}; measured on: {'; '.join(places)}."


def write(record: Path, names: Sequence[str], files: Sequence[Path] = SHOWN_IN) -> list[Path]:
    """Write the table of a record into the files with the marks; return these files."""
    told = "\n".join(lines(read(record), names))
    where = record.resolve().relative_to(ROOT) if _is_ours(record) else record
    mark = f"<!-- native: `{where.as_posix()}`, written by `run.py --write` -->"
    marked = [path for path in files if _MARKED.search(path.read_text())]
    for path in marked:
        text = _MARKED.sub(lambda _: f"{mark}\n{told}\n{_END}", path.read_text())
        path.write_text(text)
    return marked


def _is_ours(record: Path) -> bool:
    return record.resolve().is_relative_to(ROOT)


def between(text: str) -> tuple[Path, str] | None:
    """Return the record that a file shows, and the text between its marks; None without marks."""
    found = _MARKED.search(text)
    return found and (ROOT / found[1], found[2].rstrip("\n"))
