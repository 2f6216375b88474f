"""Driver of a batch whose workers read puzzles and write results themselves.

The driver reads the files once to divide them into parts, and receives for each part the number of
results by outcome; its work for a puzzle is a tenth of a percent of solving one. Invariant: a
puzzle of a file has one result in the folder (`folder.py`), even if processes are killed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from time import sleep
from typing import Any, NamedTuple
from uuid import uuid4

from nonosat import formats
from nonosat.batch import folder
from nonosat.batch.deciding import BatchTask, Record, TimedPuzzle, decide, end_data, status_of
from nonosat.batch.heads import Heads, options_sha256
from nonosat.batch.results import outcome_of
from nonosat.batch.tally import BatchTally
from nonosat.batch.workers import Deciding, has_grown
from nonosat.core import hooks
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
from nonosat.processes.pools import FinishedPiece, Pool
from nonosat.processes.tools import TALK_S, Call, StepStarted, Work, give_call

# Worker processes that read parts of files themselves, and write the results of each to a shard.
#
# A part is one piece of work with a step for each puzzle. Its results are lines of a draft
# (`folder.py`), written before the next puzzle is begun: after the death of a process, its
# successor continues after the last line. Limits hold for each puzzle. A puzzle at which two
# processes died has the status `crash`; each death is a line of the draft, too. Invariant: a shard
# is renamed when it is complete and on the disk; no other process writes to a draft meanwhile (its
# lock), on any machine.


STEP_S = 0.1  # between two reports that a new puzzle was begun
BUSY_S = 60.0  # time for a cancelled process to release a draft
_AGAIN_S = 0.1
_TOGETHER = 16  # puzzles read before they are decided: alternating costs a 5x5 a fifth more
_GROWN = "grown"  # in place of an outcome: this process has grown and must be replaced


class _GrownError(BackendError):
    """The memory of a worker process has grown too much; not the fault of a single puzzle."""


class ShardExit(NamedTuple):
    """End of a process that worked on a part.

    Args:
        key: Unique identifier of this end, so that it is recorded only once.
        status: Status for the puzzle that caused it: "timeout", "memout" or "crash".
        reason: Reason in words.
        seconds: Seconds since the puzzle was begun, or slightly more.
    """

    key: str
    status: str
    reason: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Piece:
    """A part to process.

    Args:
        number: Number of the part.
        part: Location of the part.
        format: Format of the part's file.
        ended: End of the last process that worked on the part, if a puzzle caused it.
        retry: Statuses and verdicts: a puzzle whose result has one is decided again. The results of
            the part are then rewritten, the others unchanged.
    """

    number: int
    part: formats.FilePart
    format: str
    ended: ShardExit | None = None
    retry: frozenset[str] = frozenset()


class Sharded(NamedTuple):
    """A finished part.

    Args:
        number: Number of the part.
        size: Bytes of its shard.
        tally: Counts of its results.
        remarks: Remarks on the part, for people.
    """

    number: int
    size: int
    tally: BatchTally
    remarks: frozenset[str]


@dataclass(frozen=True, slots=True)
class Sharding(Work[Piece, Child]):
    """Work for a pool: a piece is a part, its outcome `Sharded`, or an error that ends the batch.

    Args:
        task: Task for every puzzle.
        folder: Absolute path of the folder of results.
        session: Number of the header.
        family: Family of all puzzles; None for any.
    """

    task: BatchTask
    folder: str
    session: int
    family: str | None

    has_steps = True
    grace_s = 1.0

    def limits(self, piece: Piece) -> Limits:
        del piece
        return self.task.limits(0.0)

    def rest(self, piece: Piece, error: NonosatError, seconds: float) -> Piece:
        if isinstance(error, _GrownError):
            return replace(piece, ended=None)
        status = status_of(error) if isinstance(error, LimitReached) else "crash"
        return replace(piece, ended=ShardExit(uuid4().hex, status, str(error), seconds))

    def advice(self) -> str:
        return Deciding(self.task).advice()

    def start(self) -> Child:
        return Deciding(self.task).start()

    def give(self, process: Child, pieces: Sequence[Piece]) -> None:
        (piece,) = pieces
        give_call(process, Call(part_here, (self, piece, process.beacon.fd)))

    def share(self, process: Child, num_cores: int) -> None:
        process.beacon.show(num_cores)

    def take(self, process: Child) -> tuple[Any, bool]:
        try:
            text = process.finish(Watch(Limits(TALK_S)))
        except NonosatError as error:
            if process.is_alive:
                return error, False
            raise
        if text == _GROWN:
            raise _GrownError("a worker process has grown")
        return (StepStarted() if text is None else text), False

    def ended(self, error: NonosatError, seconds: float) -> NonosatError:
        del seconds
        return error


def part_here(
    work: Sharding, piece: Piece, cores_fd: int | None = None
) -> Iterator[Sharded | NonosatError | str | None]:
    """Process a part in a worker process.

    Args:
        work: The work.
        piece: The part.
        cores_fd: Descriptor from which the number of cores for a puzzle is read (`Beacon`); None
            for one core.

    Yields:
        None when puzzles have begun, and regularly from then on; finally the finished part, an
        error, or the text that requests another process because this one has grown.
    """
    shard = _Shard(work, piece, None if cores_fd is None else Beacon(cores_fd))
    try:
        yield from shard.made()
    except NonosatError as error:
        yield error
    except OSError as error:
        yield BackendError(f"part {piece.number} of the batch: {error}")


class _Shard:
    """The unfinished results of one part.

    Args:
        work: The work.
        piece: The part.
        cores: Number of cores that a puzzle may use now; None for one.
    """

    def __init__(self, work: Sharding, piece: Piece, cores: Beacon | None) -> None:
        self._task = work.task
        self._cores = cores
        self._piece = piece
        self._part = piece.part
        self._path = folder.shard_of(Path(work.folder), piece.number)
        self._draft = folder.draft_of(Path(work.folder), piece.number)
        self._heads = Heads(work.task, work.session, options_sha256(work.task))
        self._reader = formats.PartReader(piece.part, piece.format, work.family)
        self._kept: dict[int, Record] = {}  # earlier results to keep, by number in the part
        self._forget()

    def _forget(self) -> None:
        """Reset the counts of existing results."""
        self._retried: Record = {}  # mark of the repetition that the draft was begun for
        self._tally = BatchTally()
        self._ids: list[str] = []
        self._ends: set[str] = set()  # keys of recorded process ends
        self._deaths: Counter[int] = Counter()  # by the number of the puzzle in the part

    def made(self) -> Iterator[Sharded | str | None]:
        """Process the part; yields as `part_here` does, without errors."""
        with ExitStack() as opened:
            output, is_whole = self._claimed(opened)
            if is_whole:  # the driver was killed before it received the outcome
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
        """Lock and open the draft, and count the results that exist.

        Returns:
            The draft, and True if the shard is complete already. The results counted are those of
            the complete shard, or else of the draft.
        """
        end, is_damaged = hooks.clock() + BUSY_S, False
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
            except FormatError:  # a power cut has left lines that are no records
                opened.close()
                is_damaged = True
            except UnsupportedError:
                if hooks.clock() > end:
                    raise
                sleep(_AGAIN_S)

    def _mark(self) -> Record:
        """Return the first record of a draft for `retry`."""
        return {"kind": "retry", "session": self._heads.session, "of": sorted(self._piece.retry)}

    def _go_again(self, output: journal.Journal) -> None:
        """Begin or continue a draft for `retry`, and load the results to keep from the shard.

        Raises:
            FormatError: The draft was begun for other values of `retry`, or in another session.
        """
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
        """Count the existing results; raise FormatError if they belong to another batch."""
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
        """Count the results of the shard; return True if it is complete and not to be repeated."""
        try:
            self._count(self._path)
        except (FileNotFoundError, FormatError):
            return False
        is_due = self._piece.retry and self._retried != self._mark()
        return not is_due and len(self._ids) == self._part.num_items

    def _note_end(self, output: journal.Journal) -> None:
        """Record the end of the last process, and a result for the puzzle that caused it.

        A puzzle during which a process died is tried again before its status is "crash".
        """
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
        """Decide the remaining puzzles; return False if this process has grown before the end."""
        reader, part = self._reader, self._part
        limits = self._task.limits(0.0)
        kept_mib = formats.begun_mib(limits)
        next_step = hooks.clock() + STEP_S
        while reader.num_read < part.num_items:
            items = formats.limited(iter(reader), limits, part.file, kept_mib, end="")
            items = islice(items, part.num_items - reader.num_read)  # one may come at the end
            while some := list(islice(items, _TOGETHER)):
                for head, read in [self._begun(*each) for each in some]:
                    record = self._kept.get(self._tally.kept + self._tally.done)
                    if record is not None and record["sha256"] == head["sha256"]:
                        self._tally.keep(outcome_of(record))
                    else:
                        again = {} if read is None else decide(self._task, read, self._cores)
                        record = head | again
                        self._tally.count(record)
                    output.append([record], syncs=False)
                    if hooks.clock() >= next_step:
                        if has_grown():
                            return False
                        yield None
                        next_step = hooks.clock() + STEP_S
            # A limit may have come before the line to which it applies.
            reader.skip(self._tally.kept + self._tally.done)
        return True

    def _begun(self, item: Any, spent_s: float) -> tuple[Record, TimedPuzzle | None]:
        """Return the first fields of a record, and the puzzle to decide.

        The puzzle is None if it cannot be decided; the fields are then the whole record.
        """
        begun = hooks.clock()
        head = self._heads.of(self._part.file, item, spent_s)
        return head, None if "status" in head else TimedPuzzle(
            item, spent_s + hooks.clock() - begun
        )


WRITE_EVERY_S = 0.25
# Bytes of a part: small parts have overhead (6 ms each), large ones keep a single worker busy.
LEAST_BYTES, MOST_BYTES = 2**18, 2**24
NUM_PARTS = 10_000  # number of parts of large collections
PARTS_A_WORKER = 8  # least number of parts for each worker, for small collections
ANYTHING = formats.ReadRequest()  # of any format and family
VISIBLE_S = 60.0  # time until a file from another machine is visible here


def part_bytes(total: int, num_workers: int) -> int:
    """Return the size of a part in bytes.

    Args:
        total: Bytes of all files.
        num_workers: Number of workers that share the parts.
    """
    usual = min(max(total // NUM_PARTS, LEAST_BYTES), MOST_BYTES)
    return max(1, min(usual, total // (PARTS_A_WORKER * num_workers)))


@dataclass(frozen=True, slots=True)
class Batch:
    """A folder of results that is open for writing.

    Args:
        work: Work for the pool of the driver.
        output: The open journal of the folder; its note names the repairs made at the opening.
        files: Names of the files, each with its format.
        sources: Files and folders of the command line.
    """

    work: Sharding
    output: journal.Journal
    files: Sequence[tuple[str, str]]
    sources: Sequence[str]


@contextmanager
def opened(
    task: BatchTask,
    sources: Sequence[str],
    output: str,
    request: formats.ReadRequest = ANYTHING,
    *,
    resume: bool = False,
    replaces: bool = False,
) -> Iterator[Batch]:
    """Open a folder of results for writing, for the duration of a `with` block.

    Args:
        task: Task for every puzzle.
        sources: Files and folders with the puzzles.
        output: Name of the folder.
        request: Format of all files, and family of all puzzles.
        resume: True if it may contain results already.
        replaces: True to remove the results in it.

    Raises:
        NonosatError: A file is invalid, or the folder has unexpected contents.
        OSError: The folder cannot be made, or its journal be written.
    """
    files = formats.files_by_line(sources, request)
    where = folder.checked(output, may_exist=resume or replaces)
    with journal.Journal(where / folder.JOURNAL, replaces=replaces) as opening:
        if replaces:
            folder.emptied(where)
        headers = folder.Index(where).headers
        session = headers[-1]["session"] + 1 if headers else 1
        yield Batch(Sharding(task, str(where), session, request.family), opening, files, sources)


class ShardDriver(Driver[Piece]):
    """Sends parts of files to a pool and records the finished ones.

    Args:
        batch: The open folder; the session of its work is that of this driver.
        pool: Pool of workers for that work; the caller closes it.
        retry: Statuses and verdicts: a puzzle whose result has one is decided again.

    Attributes:
        tally: Progress so far.
        total: Number of puzzles, when it is known.

    Raises:
        UnsupportedError: The folder has results of other files or under other options.
        FormatError: It has other contents.
    """

    def __init__(self, batch: Batch, pool: Pool[Any], retry: Iterable[str] = ()) -> None:
        super().__init__(pool, None)
        self._most_tasks = 2 * pool.num_workers
        self.tally = BatchTally()
        self.total: int | None = None
        work = batch.work
        self._retry = frozenset(retry)
        self._folder = Path(work.folder)
        self._output = output = batch.output
        self._formats = dict(batch.files)
        self._heads = Heads(work.task, work.session, options_sha256(work.task))
        self._index = folder.Index(self._folder)
        sizes = {name: Path(name).stat().st_size for name in self._formats}
        first = self._index.headers[0] if self._index.headers else None
        if first is not None:
            self._check(first, sizes)
        usual = part_bytes(sum(sizes.values()), pool.num_workers)
        self._part_bytes: int = usual if first is None else first["part_bytes"]
        layout = {"files": sizes, "part_bytes": self._part_bytes}
        self._pending: list[Record] = [self._heads.header(batch.sources) | layout]
        self._written = output.size  # size of the output when `_pending` was last emptied
        self._reported: set[tuple[str, str]] = set()  # remarks on files
        self._next_write = 0.0
        self._show: Callable[[], None] = lambda: None

    def _check(self, first: Record, sizes: dict[str, int]) -> None:
        """Raise an error if the folder belongs to other files or options."""
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

    def run(self, report: Callable[[], None] = lambda: None) -> None:
        """Process every unfinished part; `report` is called several times a second."""
        self._show = report
        try:
            self._drive(self._pieces())
        finally:
            self._write()
            report()

    # Parts

    def _pieces(self) -> Iterator[Piece]:
        """Yield the parts to process, after counting the finished ones."""
        outcomes = self._retry | ({"unknown"} if self._retry & {"timeout", "memout"} else set())
        for number, part in enumerate(self._parts()):
            done = self._index.done.get(number)
            if done is None or not self._is_there(number, done["size"]):
                yield Piece(number, part, self._formats[part.file])
            elif outcomes & done["outcomes"].keys():
                yield Piece(number, part, self._formats[part.file], retry=self._retry)
            else:
                self.tally.add(BatchTally(part.num_items, outcomes=Counter(done["outcomes"])))
        self.total = sum(part.num_items for part in self._index.parts)

    def _parts(self) -> Iterator[formats.FilePart]:
        """Yield all parts: the recorded ones, then the rest of the files, divided now."""
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

    def _take(self, ended: Sequence[tuple[Piece, FinishedPiece]]) -> Iterable[float]:
        for piece, done in ended:
            if isinstance(done.outcome, NonosatError):
                raise done.outcome
            self._note(piece, done.outcome, done.host)
        return ()

    def _note(self, piece: Piece, found: Sharded, host: str) -> None:
        """Record a finished part."""
        self._wait_for(found, host)
        self.tally.add(found.tally)
        done = {"kind": "done", "part": found.number, "session": self._heads.session}
        outcomes = dict(found.tally.outcomes)
        self._pending.append(done | {"size": found.size, "outcomes": outcomes})
        for message in sorted(found.remarks):
            if (piece.part.file, message) not in self._reported:
                self._reported.add((piece.part.file, message))
                formats.Remark(message).warn(piece.part.file)

    def _wait_for(self, found: Sharded, host: str) -> None:
        """Wait until the shard that a worker has written appears in this machine's folder.

        Raises:
            BackendError: The shard does not appear; the machines do not share the folder.
        """
        end = hooks.clock() + VISIBLE_S
        while not self._is_there(found.number, found.size):
            if hooks.clock() > end:
                raise BackendError(
                    f"{host or 'a worker'} has written part {found.number} of the results, which "
                    f"is not in {path_text(str(self._folder))} here; expected a folder that all "
                    "machines share"
                )
            sleep(WRITE_EVERY_S)

    def _report(self) -> None:
        if hooks.clock() >= self._next_write:
            self._write()
            self._show()

    def _write(self) -> None:
        if any(record["kind"] != "header" for record in self._pending):
            if self._output.size == self._written:  # else Ctrl-C came after writing
                self._output.append(self._pending)
            self._pending, self._written = [], self._output.size
        self._next_write = hooks.clock() + WRITE_EVERY_S
