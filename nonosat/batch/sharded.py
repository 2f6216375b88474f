"""The driver of a batch whose workers read and write themselves: it hands out parts of files.

It reads the files once to cut them, and learns of each part how many results of which kind it has;
what it does for a puzzle is a tenth of a percent of what it takes to solve one. Invariant: a puzzle
of a file has one result in the folder (`folder.py`), whatever is killed in between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from nonosat import formats
from nonosat.batch import folder
from nonosat.batch.deciding import Asked, Record
from nonosat.batch.heads import Heads, options_sha256
from nonosat.batch.sharding import Piece, Sharded, Sharding
from nonosat.batch.tally import Tally
from nonosat.core.errors import BackendError, NonosatError, UnsupportedError, path_text
from nonosat.processes import journal
from nonosat.processes.driver import Driver
from nonosat.processes.pools import Done, Pool

WRITE_EVERY_S = 0.25
# Bytes of a part: small ones cost (6 ms each), large ones are done by one worker, one by one.
LEAST_BYTES, MOST_BYTES = 2**18, 2**24
NUM_PARTS = 10_000  # of many puzzles
PARTS_A_WORKER = 8  # of few
SEEN_S = 60.0  # for a file that others have written to be seen here


def part_bytes(total: int, num_workers: int) -> int:
    """How large parts are to be.

    Args:
        total: Bytes of all files.
        num_workers: Who do them.
    """
    usual = min(max(total // NUM_PARTS, LEAST_BYTES), MOST_BYTES)
    return max(1, min(usual, total // (PARTS_A_WORKER * num_workers)))


class Batch:
    """A folder of results that is open for a start.

    Args:
        work: For the pool that `driver` takes.
        output: The open journal of the folder.
        files: Names of the files, each with its format.
        sources: What was named on the command line.
    """

    def __init__(
        self,
        work: Sharding,
        output: journal.Journal,
        files: Sequence[tuple[str, str]],
        sources: Sequence[str],
    ) -> None:
        self.work = work
        self._output = output
        self._files = files
        self._sources = sources

    @property
    def note(self) -> str:
        """What opening repaired; "" when all was whole."""
        return self._output.note

    def driver(self, pool: Pool[Any], retry: Iterable[str] = ()) -> ShardDriver:
        """Who does the work that is left.

        Args:
            pool: Where `work` is done; the caller closes it.
            retry: Statuses and verdicts: a puzzle whose result has one is decided again.

        Raises:
            UnsupportedError: The folder has results of other files or under other options.
        """
        driver = ShardDriver(self.work, pool, self._output, self._files, self._sources)
        driver.retry = frozenset(retry)
        return driver


@contextmanager
def opened(
    asked: Asked,
    sources: Sequence[str],
    output: str,
    *,
    resume: bool = False,
    replaces: bool = False,
    format_: str | None = None,
    family: str | None = None,
) -> Iterator[Batch]:
    """Open a folder of results.

    Args:
        asked: What is wanted of every puzzle.
        sources: Files and folders that the puzzles are in.
        output: Name of the folder.
        resume: Whether it may hold results already.
        replaces: Whether results that it holds are removed.
        format_: Name of the format of all files; None to find out.
        family: Name of the family of all puzzles; None for any.

    Raises:
        NonosatError: A file is of no use, or the folder holds what it should not.
        OSError: The folder cannot be made, or its journal be written.
    """
    files = formats.files_by_line(sources, format_, family)
    where = folder.checked(output, may_exist=resume or replaces)
    with journal.Journal(where / folder.JOURNAL, replaces=replaces) as opening:
        if replaces:
            folder.emptied(where)
        headers = folder.Index(where).headers
        session = headers[-1]["session"] + 1 if headers else 1
        yield Batch(Sharding(asked, str(where), session, family), opening, files, sources)


class ShardDriver(Driver[Piece]):
    """Sends parts of files to a pool and records which are done.

    Args:
        work: What the pool does; its session is that of this driver.
        pool: Where that is done; the caller closes it.
        output: The open journal of the folder.
        files: Names of the files, each with its format.
        sources: What the header says of where they are from.

    Attributes:
        tally: How far it has come.
        total: How many puzzles there are, when that is known.
        retry: Statuses and verdicts: a puzzle whose result has one is decided again.

    Raises:
        UnsupportedError: The folder has results of other files or under other options.
        FormatError: It has something else.
    """

    def __init__(
        self,
        work: Sharding,
        pool: Pool[Any],
        output: journal.Journal,
        files: Sequence[tuple[str, str]],
        sources: Sequence[str],
    ) -> None:
        super().__init__(pool, None)
        self._most_tasks = 2 * pool.num_workers
        self.tally = Tally()
        self.total: int | None = None
        self.retry: frozenset[str] = frozenset()
        self._folder = Path(work.folder)
        self._output = output
        self._formats = dict(files)
        self._heads = Heads(work.asked, work.session, options_sha256(work.asked))
        self._index = folder.Index(self._folder)
        sizes = {name: Path(name).stat().st_size for name in self._formats}
        first = self._index.headers[0] if self._index.headers else None
        if first is not None:
            self._check(first, sizes)
        usual = part_bytes(sum(sizes.values()), pool.num_workers)
        self._part_bytes: int = usual if first is None else first["part_bytes"]
        layout = {"files": sizes, "part_bytes": self._part_bytes}
        self._pending: list[Record] = [self._heads.header(sources) | layout]
        self._written = output.size  # when `_pending` was last emptied
        self._told: set[tuple[str, str]] = set()  # remarks on files
        self._next_write = 0.0
        self._show: Callable[[], None] = lambda: None

    def _check(self, first: Record, sizes: dict[str, int]) -> None:
        """Refuse to go on with something else."""
        where = path_text(str(self._folder))
        if first["options_sha256"] != self._heads.options:
            raise UnsupportedError(
                f"{where} has results under other options (task, engine or limits), and a folder "
                "holds those of one; choose another folder"
            )
        if first["files"] != sizes:
            raise UnsupportedError(
                f"{where} has results of other files, or of these when they had other sizes; "
                "choose another folder"
            )

    def run(self, tell: Callable[[], None] = lambda: None) -> None:
        """Have every part done that is not; `tell` is called several times a second."""
        self._show = tell
        try:
            self._drive(self._pieces())
        finally:
            self._write()
            tell()

    # Parts

    def _pieces(self) -> Iterator[Piece]:
        """Parts to do, after those that are done were counted."""
        outcomes = self.retry | ({"unknown"} if self.retry & {"timeout", "memout"} else set())
        for number, part in enumerate(self._parts()):
            done = self._index.done.get(number)
            if done is None or not self._is_there(number, done["size"]):
                yield Piece(number, part, self._formats[part.file])
            elif outcomes & done["outcomes"].keys():
                yield Piece(number, part, self._formats[part.file], retry=self.retry)
            else:
                self.tally.add(Tally(part.num_items, outcomes=Counter(done["outcomes"])))
        self.total = sum(part.num_items for part in self._index.parts)

    def _parts(self) -> Iterator[formats.Part]:
        """All parts; a driver that is killed before it has written one down cuts it again."""
        known = self._index.parts
        yield from list(known)
        last = known[-1] if known else None
        names = list(self._formats)
        for name in names[names.index(last.file) if last else 0 :]:
            after = last if last and last.file == name else None
            for part in formats.parts_of(name, self._part_bytes, after):
                self._pending.append(folder.part_record(len(known), part))
                known.append(part)
                yield part

    def _is_there(self, number: int, size: int) -> bool:
        try:
            return folder.shard_of(self._folder, number).stat().st_size == size
        except FileNotFoundError:
            return False

    # Results

    def _sent(self, piece: Piece) -> Any:
        return piece

    def _take(self, ended: Sequence[tuple[Piece, Done]]) -> Iterable[float]:
        for piece, done in ended:
            if isinstance(done.outcome, NonosatError):
                raise done.outcome
            self._note(piece, done.outcome, done.host)
        return ()

    def _note(self, piece: Piece, found: Sharded, host: str) -> None:
        """A part is done."""
        self._wait_for(found, host)
        self.tally.add(found.tally)
        done = {"kind": "done", "part": found.number, "session": self._heads.session}
        outcomes = dict(found.tally.outcomes)
        self._pending.append(done | {"size": found.size, "outcomes": outcomes})
        for message in sorted(found.remarks):
            if (piece.part.file, message) not in self._told:
                self._told.add((piece.part.file, message))
                formats.Remark(message).warn(piece.part.file)

    def _wait_for(self, found: Sharded, host: str) -> None:
        """Make sure that the shard is here, and not in a folder of the same name elsewhere.

        Raises:
            BackendError: It is.
        """
        end = monotonic() + SEEN_S
        while not self._is_there(found.number, found.size):
            if monotonic() > end:
                raise BackendError(
                    f"{host or 'a worker'} has written part {found.number} of the results, which "
                    f"is not in {path_text(str(self._folder))} here; expected a folder that all "
                    "machines share"
                )
            sleep(WRITE_EVERY_S)

    def _tell(self) -> None:
        if monotonic() >= self._next_write:
            self._write()
            self._show()

    def _write(self) -> None:
        if any(record["kind"] != "header" for record in self._pending):
            if self._output.size == self._written:  # else Ctrl-C came just after they were written
                self._output.append(self._pending)
            self._pending, self._written = [], self._output.size
        self._next_write = monotonic() + WRITE_EVERY_S
