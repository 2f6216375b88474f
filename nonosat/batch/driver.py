"""Large collections: every puzzle is decided once and recorded, even if processes are killed.

Puzzles are read one by one, sent to a pool in batches of about half a second of work, and recorded
in a journal. Invariant: a puzzle of a file has one record for each set of options. The next call
with `resume` decides the puzzles without a record, and again those with a status or a verdict that
`retry` names: the last record counts. Memory is that of the batches in progress and some 250 bytes
a puzzle for its key.

The file: a header for each start that had puzzles to decide, then a line for each puzzle.

| key of a header | meaning |
|---|---|
| kind, schema | "header", 1 |
| session | number of the start, from 1 |
| task | "solve" or "check" |
| rules | name of the rules of a tournament; only with `--rules` |
| sources | files and folders of the command line |
| options, options_sha256 | all options, limits included; hash of them and of the task |
| environment | versions of this package and the solver packages, machine: as `bench/records.py` |
| started | UTC, ISO 8601 |
| repaired | true: the header was lost, `--repair` has made it; it has no task, sources, ... |

| key of a result | meaning |
|---|---|
| kind, session | "result", number of its header |
| file, id | location of the puzzle |
| sha256 | of the puzzle: colours, clues and given cells; null if it could not be read |
| options_sha256 | as in the header |
| size | [rows, columns]; null if it could not be read |
| status | "ok", "timeout", "memout", "crash", "unsupported", "wrong", or "error": no puzzle there |
| verdict | "solved", "unique", "multiple", "unsolvable" or "unknown" |
| solutions, disputed, ... | as `check --json` prints them |
| seconds | wall seconds, without start-up |
| set_s | wall seconds of the puzzle's file so far, everything included; only with `--rules` |
| stages | the steps; an engine's has its final number of `threads` if that is not 1 |
| reason | the limit that was hit, or the fault; only if there is one |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Any

from nonosat.batch import results
from nonosat.batch.deciding import BatchTask, Record, TimedPuzzle
from nonosat.batch.heads import Heads, options_sha256
from nonosat.batch.results import outcome_of, result_key
from nonosat.batch.rules import SetClock, results_by, seconds_by_set
from nonosat.batch.tally import BatchTally
from nonosat.core import hooks
from nonosat.core.errors import Remedy, UnsupportedError, counted
from nonosat.processes import journal
from nonosat.processes.driver import Driver
from nonosat.processes.pools import FinishedPiece, Pool

OVERHEAD_S = 0.0004  # overhead of a puzzle, apart from solving
WRITE_EVERY_S = 0.25
READ_S = 0.01  # maximum time of reading before workers are polled
Puzzle = tuple[Record, TimedPuzzle]  # the head of its record, and the puzzle itself


def recorded(path: str, retry: Container[str] = ()) -> tuple[dict[bytes, str], int, Counter[str]]:
    """Return the contents of a file of results.

    Args:
        path: The file.
        retry: Statuses and verdicts; a puzzle whose last result has one counts as not recorded.

    Returns:
        Outcome of each recorded puzzle, by `results.result_key`; the number of the last session;
        number of results by hash of the options.

    Raises:
        FormatError: It is not a file of a batch.
    """
    known: dict[bytes, str] = {}
    by_options: Counter[str] = Counter()
    session = 0
    for record in results.read(path):
        if record["kind"] == "header":
            session = int(record["session"])
        elif record["kind"] == "result":
            key = result_key(record)
            outcome = outcome_of(record)
            if record["status"] in retry or outcome in retry:
                known.pop(key, None)
            else:
                known[key] = outcome
            by_options[record["options_sha256"]] += 1
    return known, session, by_options


def _note(path: str, num_others: int) -> str:
    """Return a note that a file has results under other options; "" if it has none."""
    if not num_others:
        return ""
    return (
        f"{path} has {counted(num_others, 'result')} under other options (task, engine or limits); "
        "puzzles that are done again get another line, and `nonosat batch --latest -o "
        f"{path}` prints the last one of each"
    )


class BatchDriver(Driver[Puzzle]):
    """Sends puzzles to a pool and records the results.

    Args:
        task: Task for every puzzle.
        pool: Pool of workers; the caller closes it.
        output: The open file of results.
        resume: True if the file may contain results already.
        retry: Statuses and verdicts: a puzzle whose last result has one is decided again.

    Attributes:
        tally: Progress so far.
        note: Note to the user on the file before the start; "" for none.

    Raises:
        UnsupportedError: It contains results and `resume` is False.
        FormatError: It is not a file of results.
    """

    def __init__(
        self,
        task: BatchTask,
        pool: Pool[Any],
        output: journal.Journal,
        resume: bool,
        retry: Container[str] = (),
    ) -> None:
        # By rules puzzles are decided in order, one by one.
        super().__init__(pool, OVERHEAD_S if task.rules is None else None)
        self._known, earlier, by_options = recorded(str(output.path), retry)
        if earlier and not resume:
            count = counted(len(self._known), "result") if self._known else "a header"
            raise UnsupportedError(
                f"{output.path} has {count} already; choose another file",
                remedy=Remedy("resume"),
            )
        self.tally = BatchTally()
        self._compared = ("", False)  # a file, and whether it is the output
        self._output = output
        self._session = earlier + 1
        self._options = options_sha256(task)
        self._heads = Heads(task, self._session, self._options)
        self._rules, self._clock = task.rules, SetClock({})
        if task.rules is not None and earlier:
            self._clock = SetClock(seconds_by_set(results_by(output.path, self._options)))
        self.note = _note(str(output.path), by_options.total() - by_options[self._options])
        self._header: list[Record] = []  # not yet written; it precedes the first result
        self._pending: list[Record] = []
        self._written = output.size  # size of the output when `_pending` was last emptied
        self._next_write = 0.0
        self._show: Callable[[BatchTally], None] = lambda _: None

    def run(
        self,
        sources: Sequence[str],
        items: Iterable[tuple[str, Any, float]],
        report: Callable[[BatchTally], None] = lambda _: None,
    ) -> BatchTally:
        """Decide every puzzle that has no record yet.

        Args:
            sources: Sources for the header.
            items: File, puzzle or the error in its place, and the seconds spent on reading it, as
                `formats.iter_timed` yields.
            report: Called several times a second with the progress.
        """
        self._header, self._show = [self._heads.header(sources)], report
        try:
            self._drive(self._puzzles(items))
        finally:
            if self._output.size == self._written:  # else Ctrl-C came after the write
                self._write()
            report(self.tally)
        return self.tally

    # Puzzles

    def _puzzles(self, items: Iterable[tuple[str, Any, float]]) -> Iterator[Puzzle | None]:
        """Yield the puzzles to decide; if reading takes long, also None, so that work goes on."""
        pause = hooks.clock() + READ_S
        for file, item, spent_s in items:
            if hooks.clock() > pause:
                yield None
                pause = hooks.clock() + READ_S
            if self._is_output(file):
                continue
            begun = hooks.clock()
            head = self._heads.of(file, item, spent_s)
            key = result_key(head)
            outcome = self._known.get(key)
            if outcome is not None:
                if outcome:
                    self.tally.keep(outcome)
                self._clock.restart()
                continue
            self._known[key] = ""
            spent_s += hooks.clock() - begun
            if self._rules is not None:
                spent_s = self._clock.seconds(file)
                head = self._rules.end_of(spent_s) | head
            if "status" in head:
                self._record(head)
            else:
                yield head, TimedPuzzle(item, spent_s)

    def _is_output(self, file: str) -> bool:
        """Return True if `file` is the file of results, which a folder of puzzles may contain."""
        if file != self._compared[0]:
            try:
                is_same = self._output.path.samefile(file)
            except (OSError, ValueError):  # no such file: standard input, or a mistake
                is_same = False
            self._compared = (file, is_same)
        return self._compared[1]

    def _sent(self, piece: Puzzle) -> Any:
        return piece[1]

    # Records

    def _take(self, ended: Sequence[tuple[Puzzle, FinishedPiece]]) -> Iterator[float]:
        for (head, _), done in ended:
            self._record(head | done.outcome)
            yield done.outcome["seconds"]

    def _report(self) -> None:
        if hooks.clock() >= self._next_write:
            self._write()
            self._show(self.tally)

    def _record(self, record: Record) -> None:
        if self._rules is not None:
            record |= {"set_s": round(self._clock.lap(record["file"]), 6)}
        self._pending.append(record)
        self.tally.count(record)

    def _write(self) -> None:
        if self._pending:
            self._output.append(self._header + self._pending)
            self._header = []
        self._pending, self._written = [], self._output.size
        self._next_write = hooks.clock() + WRITE_EVERY_S
