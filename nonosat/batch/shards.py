"""The driver of a batch whose workers read and write themselves: it hands out parts of files.

It reads the files once to cut them, and learns of each part how many results of which kind it has;
what it does for a puzzle is a tenth of a percent of what it takes to solve one. Invariant: a puzzle
of a file has one result in the folder (`folder.py`), whatever is killed in between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from time import monotonic, sleep
from typing import Any, NamedTuple
from uuid import uuid4

from nonosat import formats
from nonosat.batch import folder
from nonosat.batch.deciding import Asked, Read, Record, decide, end_data, status_of
from nonosat.batch.heads import Heads, options_sha256
from nonosat.batch.results import outcome_of
from nonosat.batch.tally import Tally
from nonosat.batch.workers import Deciding, has_grown
from nonosat.core.errors import (
    BackendError,
    FormatError,
    LimitReached,
    NonosatError,
    UnsupportedError,
    counted,
    path_text,
)
from nonosat.core.limits import Limits, Watch
from nonosat.processes import journal
from nonosat.processes.beacon import Beacon
from nonosat.processes.child import Child
from nonosat.processes.driver import Driver
from nonosat.processes.pools import Done, Pool
from nonosat.processes.tools import TALK_S, Call, Step, Work, give_call

# Worker processes that read parts of files themselves, and write the results of each to a shard.
#
# A part is one piece of work with a step for each puzzle. Its results are lines of a draft
# (`folder.py`), written before the next puzzle is begun: whoever comes after a process that has
# died or was killed goes on behind the last line. Limits hold for each puzzle, whatever a worker
# does. A puzzle at which two processes died has the status `crash`; each death is a line of the
# draft, too. Invariant: a shard has its name when it is whole, and then it is on the disk; nobody
# else writes to a draft meanwhile (its lock), on whatever machine.


STEP_S = 0.1  # between two signs that a new puzzle was begun
BUSY_S = 60.0  # for another process, which nobody wants any more, to leave a draft
_AGAIN_S = 0.1
_TOGETHER = 16  # puzzles that are read before they are decided: by turns costs 5x5 a fifth more
_GROWN = "grown"  # in the place of an outcome: this process has grown, another is to go on


class _GrownError(BackendError):
    """A process that has grown; no puzzle's fault."""


class Ended(NamedTuple):
    """How the process that did a part has ended.

    Args:
        key: By which this end is known; it is for one puzzle alone.
        status: What becomes of the puzzle: "timeout", "memout", or perhaps "crash".
        reason: In words.
        seconds: Since the puzzle was begun, or somewhat more.
    """

    key: str
    status: str
    reason: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Piece:
    """A part to be done.

    Args:
        number: Of the part.
        part: Where it is.
        format: Of its file.
        ended: What has become of the last process at it, if that was the fault of a puzzle.
        retry: Statuses and verdicts: a puzzle whose result has one is decided again. The results of
            the part are made anew then, the others as they were.
    """

    number: int
    part: formats.Part
    format: str
    ended: Ended | None = None
    retry: frozenset[str] = frozenset()


class Sharded(NamedTuple):
    """A part that is done.

    Args:
        number: Of the part.
        size: Bytes of its shard.
        tally: Of its results.
        remarks: What is odd about the part, for people.
    """

    number: int
    size: int
    tally: Tally
    remarks: frozenset[str]


@dataclass(frozen=True, slots=True)
class Sharding(Work[Piece, Child]):
    """Work whose pieces are parts; the outcome is `Sharded`, or an error that ends the batch.

    Args:
        asked: What is wanted of every puzzle.
        folder: Of the results, from the root.
        session: Number of the header.
        family: That all puzzles have to be of; None for any.
    """

    asked: Asked
    folder: str
    session: int
    family: str | None

    has_steps = True
    grace_s = 1.0

    def limits(self, piece: Piece) -> Limits:
        del piece
        return self.asked.limits(0.0)

    def rest(self, piece: Piece, error: NonosatError, seconds: float) -> Piece:
        if isinstance(error, _GrownError):
            return replace(piece, ended=None)
        status = status_of(error) if isinstance(error, LimitReached) else "crash"
        return replace(piece, ended=Ended(uuid4().hex, status, str(error), seconds))

    def advice(self) -> str:
        return Deciding(self.asked).advice()

    def start(self) -> Child:
        return Deciding(self.asked).start()

    def give(self, process: Child, pieces: Sequence[Piece]) -> None:
        (piece,) = pieces
        give_call(process, Call(part_here, (self, piece, process.beacon.fd)))

    def share(self, process: Child, num_cores: int) -> None:
        process.beacon.show(num_cores)

    def take(self, process: Child) -> tuple[Any, bool]:
        try:
            told = process.finish(Watch(Limits(TALK_S)))
        except NonosatError as error:
            if process.is_alive:
                return error, False
            raise
        if told == _GROWN:
            raise _GrownError("a worker process has grown")
        return (Step() if told is None else told), False

    def ended(self, error: NonosatError, seconds: float) -> NonosatError:
        del seconds
        return error


def part_here(
    work: Sharding, piece: Piece, cores_fd: int | None = None
) -> Iterator[Sharded | NonosatError | str | None]:
    """Do a part in a worker process.

    Args:
        work: What is done.
        piece: The part.
        cores_fd: Where it is told how many cores a puzzle may use; None where that is one.

    Yields:
        None when puzzles have begun, and now and then from then on; then what came of it, an error,
        or that the process is of no use any more.
    """
    shard = _Shard(work, piece, None if cores_fd is None else Beacon(cores_fd))
    try:
        yield from shard.made()
    except NonosatError as error:
        yield error
    except OSError as error:
        yield BackendError(f"part {piece.number} of the batch: {error}")


class _Shard:
    """The results of one part in the making.

    Args:
        work: What is done.
        piece: The part.
        cores: How many cores a puzzle may use by now; None for one.
    """

    def __init__(self, work: Sharding, piece: Piece, cores: Beacon | None) -> None:
        self._asked = work.asked
        self._cores = cores
        self._piece = piece
        self._part = piece.part
        self._path = folder.shard_of(Path(work.folder), piece.number)
        self._draft = folder.draft_of(Path(work.folder), piece.number)
        self._heads = Heads(work.asked, work.session, options_sha256(work.asked))
        self._reader = formats.PartReader(piece.part, piece.format, work.family)
        self._kept: dict[int, Record] = {}  # earlier results that stay, by number in the part
        self._forget()

    def _forget(self) -> None:
        """Nothing is known of results that are there."""
        self._retried: Record = {}  # how they were begun to be made again
        self._tally = Tally()
        self._ids: list[str] = []
        self._ends: set[str] = set()  # that are known
        self._deaths: Counter[int] = Counter()  # by the number of the puzzle in the part

    def made(self) -> Iterator[Sharded | str | None]:
        """Do it; see `part_here`."""
        with ExitStack() as opened:
            output, is_whole = self._claimed(opened)
            if is_whole:  # the driver was killed before it heard of that
                self._draft.unlink()
            else:
                self._reader.check()
                self._reader.skip(len(self._ids), self._ids)
                self._note_end(output)
                yield None
                if not (yield from self._decided(output)):
                    yield _GROWN
                    return
                output.append([])
                self._draft.replace(self._path)
                journal.sync_folder(self._path)
        size = self._path.stat().st_size
        yield Sharded(self._piece.number, size, self._tally, frozenset(self._reader.remarks))

    def _claimed(self, opened: ExitStack) -> tuple[journal.Journal, bool]:
        """The draft, open for nobody but us, and whether there is a whole shard beside it.

        The results of the shard, or else of the draft, have been counted.
        """
        end, is_damaged = monotonic() + BUSY_S, False
        while True:
            try:
                output = journal.Journal(self._draft, replaces=is_damaged)
                opened.enter_context(output)
                is_whole = self._is_whole()
                if not is_whole:
                    self._count(self._draft)
                    if self._piece.retry:
                        self._go_again(output)
                return output, is_whole
            except FormatError:  # a power cut has left something else than lines of ours
                opened.close()
                is_damaged = True
            except UnsupportedError:
                if monotonic() > end:
                    raise
                sleep(_AGAIN_S)

    def _mark(self) -> Record:
        """The line in front of results that are made again."""
        return {"kind": "retry", "session": self._heads.session, "of": sorted(self._piece.retry)}

    def _go_again(self, output: journal.Journal) -> None:
        """Begin to make the results again, or go on with that; FormatError for another draft."""
        mark = self._mark()
        if self._retried != mark:
            if output.size:
                raise FormatError("a draft of another session", path=str(self._draft))
            output.append([mark])
            self._retried = mark
        with suppress(FileNotFoundError):
            found = (one for one in journal.read(self._path) if one.get("kind") == "result")
            for place, record in enumerate(found):
                if not self._piece.retry & {record["status"], outcome_of(record)}:
                    self._kept[place] = record

    def _count(self, path: Path) -> None:
        """Count the results that are there. Raises FormatError where it is not ours."""
        self._forget()
        for record in journal.read(path):
            if record.get("kind") == "death":
                self._ends.add(record["key"])
                self._deaths[record["place"]] += 1
            elif record.get("kind") == "retry":
                self._retried = record
            elif record.get("options_sha256") != self._heads.options:
                raise FormatError("a result under other options", path=str(path))
            elif record["session"] == self._heads.session:
                self._tally.count(record)
                self._ids.append(record["id"])
            else:
                self._tally.keep(outcome_of(record))
                self._ids.append(record["id"])

    def _is_whole(self) -> bool:
        """Whether the shard is there with all its results, which are counted."""
        try:
            self._count(self._path)
        except (FileNotFoundError, FormatError):
            return False
        is_due = self._piece.retry and self._retried != self._mark()
        return not is_due and len(self._ids) == self._part.num_items

    def _note_end(self, output: journal.Journal) -> None:
        """Write down what the last process has died of, and what it makes of the puzzle."""
        ended, place = self._piece.ended, self._reader.num_read
        if ended is None or ended.key in self._ends or place == self._part.num_items:
            return
        lines: list[Record] = [{"kind": "death", "place": place, "key": ended.key}]
        num_deaths, reason = self._deaths[place] + 1, ended.reason
        if ended.status == "crash":
            reason += f", {counted(num_deaths, 'time')}"
        if ended.status != "crash" or num_deaths >= Sharding.most_deaths:
            head = self._heads.of(self._part.file, next(iter(self._reader)), 0.0)
            lines.append(head | end_data(ended.status, reason, ended.seconds))
            self._tally.count(lines[-1])
        output.append(lines)

    def _decided(self, output: journal.Journal) -> Generator[None, None, bool]:
        """Decide what is left; tells at last whether all of it is done."""
        reader, part = self._reader, self._part
        limits = self._asked.limits(0.0)
        kept_mib = formats.begun_mib(limits)
        next_step = monotonic() + STEP_S
        while reader.num_read < part.num_items:
            items = formats.limited(iter(reader), limits, part.file, kept_mib, end="")
            items = islice(items, part.num_items - reader.num_read)  # one may come at the very end
            while some := list(islice(items, _TOGETHER)):
                for head, read in [self._begun(*each) for each in some]:
                    record = self._kept.get(self._tally.kept + self._tally.done)
                    if record is not None and record["sha256"] == head["sha256"]:
                        self._tally.keep(outcome_of(record))
                    else:
                        again = {} if read is None else decide(self._asked, read, self._cores)
                        record = head | again
                        self._tally.count(record)
                    output.append([record], syncs=False)
                    if monotonic() >= next_step:
                        if has_grown():
                            return False
                        yield None
                        next_step = monotonic() + STEP_S
            # A limit may have come in front of the line that it is told of.
            reader.skip(self._tally.kept + self._tally.done)
        return True

    def _begun(self, item: Any, spent_s: float) -> tuple[Record, Read | None]:
        """The beginning of a record, and what is to be decided; None where it is all."""
        begun = monotonic()
        head = self._heads.of(self._part.file, item, spent_s)
        return head, None if "status" in head else Read(item, spent_s + monotonic() - begun)


WRITE_EVERY_S = 0.25
# Bytes of a part: small ones cost (6 ms each), large ones are done by one worker, one by one.
LEAST_BYTES, MOST_BYTES = 2**18, 2**24
NUM_PARTS = 10_000  # of many puzzles
PARTS_A_WORKER = 8  # of few
SEEN_S = 60.0  # for a file that others have written to be seen here


def part_bytes(total: int, num_workers: int) -> int:
    """Return the size of a part in bytes.

    Args:
        total: Bytes of all files.
        num_workers: Number of workers that share the parts.
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
        """Return the repairs made when the file was opened; "" if it was whole."""
        return self._output.note

    def driver(self, pool: Pool[Any], retry: Iterable[str] = ()) -> ShardDriver:
        """Make the driver of the remaining work.

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
