"""`nonosat batch --shards`: workers that read and write themselves give the results of a single
file.
"""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest

from helpers.commands import INVALID, MULTIPLE, UNIQUE, UNSOLVABLE, run
from nonosat import formats
from nonosat.batch import folder, results, shards
from nonosat.batch.deciding import BatchTask
from nonosat.core.errors import BackendError, FormatError, UnsupportedError
from nonosat.core.result import Options
from nonosat.processes import journal
from nonosat.processes.pools import FinishedPiece

UNNAMED = {"rows": [[1]], "columns": [[1]]}
ODD = {**UNNAMED, "id": "odd", "somebody": "else's"}
LINES = [
    *(
        UNIQUE,
        INVALID,
        UNNAMED,
        MULTIPLE,
        "",
        UNNAMED,
        "no puzzle",
        UNSOLVABLE,
        " \t",
        ODD,
        UNNAMED,
    ),
    *({**UNIQUE, "id": f"again {number}"} for number in range(40)),
    *(UNNAMED for _ in range(10)),
]
CHECK = BatchTask("check", Options(max_solutions=2))


def text_of(lines, end="\n"):
    return end.join(line if isinstance(line, str) else json.dumps(line) for line in lines)


@pytest.fixture
def source(tmp_path, monkeypatch):
    """A file in the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("p.jsonl").write_text(text_of(LINES))
    return "p.jsonl"


def batch(*words):
    return run("batch", *map(str, words))


def sharded(source, *words, jobs="1"):
    return batch(source, "-o", "out", "--shards", "--jobs", jobs, *words)


def results_of(path):
    return [record for record in results.read(str(path)) if record["kind"] == "result"]


def timeless(records):
    """Return the fields that depend neither on clocks nor on the session."""
    for record in records:
        record.pop("seconds")
        record.pop("session")
        for stage in record.get("stages", ()):
            stage.pop("seconds")
    return records


class Here:
    """Pool that does parts in this process, at once."""

    num_workers = 1

    def __init__(self, work):
        self.work, self.found = work, []

    def submit(self, number, pieces):
        (piece,) = pieces
        *_steps, outcome = shards.part_here(self.work, piece)
        self.found.append(FinishedPiece(number, 0, outcome))

    def no_more(self):
        pass

    def done(self, patience_s):
        found, self.found = self.found, []
        return found

    def cancel(self):
        self.found = []


def made_here(source, out="out", *, resume=False, asked=CHECK):
    with shards.opened(asked, [source], str(out), resume=resume) as batch:
        driver = shards.ShardDriver(batch, Here(batch.work))
        driver.run()
        return driver


# Parts of files


@pytest.mark.parametrize("size", [1, 40, 100, 333, 10_000])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_parts_have_the_puzzles_of_the_whole_file(tmp_path, size, end):
    path = tmp_path / "p.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + text_of(LINES, end).encode())
    whole_file = [item for _, item in formats.iter_sources([path])]
    parts = list(formats.parts_of(str(path), size))
    found = [item for part in parts for item in formats.PartReader(part, "jsonl", None)]
    assert list(map(repr, found)) == list(map(repr, whole_file))
    assert sum(part.num_items for part in parts) == len(found)
    assert [part.first for part in parts] == [
        1 + sum(part.num_items for part in parts[:number]) for number in range(len(parts))
    ]
    for at in range(len(parts)):
        assert list(formats.parts_of(str(path), size, parts[at])) == parts[at + 1 :]


def test_a_reader_continues_after_the_part_read(source):
    (part,) = formats.parts_of(source, 10_000)
    expected = list(formats.PartReader(part, "jsonl", None))
    ids = [(getattr(item, "about", None) and item.about.id) or "" for item in expected]
    for done in (0, 1, 7, len(expected)):
        reader = formats.PartReader(part, "jsonl", None)
        reader.skip(done, ids[:done])
        assert list(map(repr, reader)) == list(map(repr, expected[done:]))
        assert reader.num_read == part.num_items


def test_files_without_one_puzzle_per_line_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("list.json").write_text(json.dumps([UNIQUE]))
    Path("one.jsonl").write_text(json.dumps(UNIQUE, indent=1))
    Path("good.jsonl").write_text(text_of([UNIQUE]))
    Path("board.nin").write_text("1 1\n1\n1\n")
    for name in ("list.json", "one.jsonl", "board.nin", "good.jsonl#corner", "-"):
        done = sharded(name)
        assert (done.exit_code, Path("out").exists()) == (2, False)
        assert "not a file with a puzzle a line" in done.stderr
    assert "nowhere.jsonl" in sharded("nowhere.jsonl").stderr


def test_a_limit_while_reading_costs_one_puzzle(tmp_path, monkeypatch):
    """Also if the limit is reached just before a line."""
    path = tmp_path / "p.jsonl"
    path.write_text(text_of([UNNAMED] * 9))
    (part,) = formats.parts_of(str(path), 10_000)
    work = shards.Sharding(CHECK, str(tmp_path), 1, None)

    def ended(items, limits, name, begun_mib, end):
        yield from ((item, 0.0) for item in islice(items, 2))
        if len(cut) % 2:
            next(items, None)
        cut.append(1)
        yield formats._limited.LimitReached("time limit of 1 s while reading p.jsonl"), 0.0

    cut = []
    monkeypatch.setattr(formats, "limited", ended)
    *_steps, outcome = shards.part_here(work, shards.Piece(0, part, "jsonl"))
    assert outcome.tally.done == 9
    found = list(journal.read(folder.shard_of(tmp_path, 0)))
    assert [record["id"] for record in found] == ["1", "2", "", "4", "5", "", "7", "8", ""]
    assert [record["status"] for record in found] == ["ok", "ok", "timeout"] * 3


# Results


def test_a_folder_is_read_as_the_file_that_one_process_writes(source, caplog):
    status = batch(source, "-o", "one.jsonl", "--jobs", "1").exit_code
    done = sharded(source, jobs="2")
    assert done.exit_code == status == 2
    assert len(list(Path("out").glob("0*.jsonl"))) > 8
    assert sum("unknown key 'somebody'" in told for told in caplog.messages) == 2
    expected = timeless(results_of("out"))
    assert sorted(map(repr, timeless(results_of("one.jsonl")))) == sorted(map(repr, expected))
    ids = [item.about.id for _, item in formats.iter_sources([source]) if hasattr(item, "about")]
    assert [record["id"] for record in expected if record["id"]] == ids
    assert timeless(list(results.latest("out"))) == expected
    printed = batch("-o", "out", "--latest").stdout.splitlines()
    assert timeless(list(map(json.loads, printed))) == expected
    assert batch("-o", "merged.jsonl", "--merge", "out").exit_code == 0
    assert timeless(results_of("merged.jsonl")) == expected
    again = batch(source, "-o", "merged.jsonl", "--resume")
    assert f"{len(expected)} of them recorded already" in again.stdout
    before = sorted((path.name, path.read_bytes()) for path in Path("out").iterdir())
    assert f"{len(expected)} of them recorded already" in sharded(source, "--resume").stdout
    assert sorted((path.name, path.read_bytes()) for path in Path("out").iterdir()) == before
    assert batch("-o", "merged.jsonl", "--merge", "out").exit_code == 2  # it exists
    assert batch("-o", "new.jsonl", "--merge", "out", source).exit_code == 2


def test_several_files_and_a_folder_of_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    for name in ("b.jsonl", "a.jsonl"):
        Path("in", name).write_text(text_of([UNNAMED, {**UNIQUE, "id": name}]))
    assert sharded("in/b.jsonl", "in", "./in/a.jsonl").exit_code == 0
    found = [(record["file"], record["id"]) for record in results_of("out")]
    ids = [("1", "b.jsonl"), ("1", "a.jsonl")]
    assert found == [(f"in/{name}", puzzle) for number, name in ids for puzzle in (number, name)]


def test_repeated_ids_are_distinguished_within_a_part(tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_text(text_of([UNIQUE, UNIQUE, UNIQUE]))
    (part,) = formats.parts_of(str(path), 1000)
    work = shards.Sharding(CHECK, str(tmp_path), 1, None)
    ids = ["corner", "corner-2", "corner-3"]
    for kept in (3, 2, 1):
        list(shards.part_here(work, shards.Piece(0, part, "jsonl")))
        shard, draft = folder.shard_of(tmp_path, 0), folder.draft_of(tmp_path, 0)
        assert [record["id"] for record in journal.read(shard)] == ids
        draft.write_bytes(b"".join(shard.read_bytes().splitlines(keepends=True)[:kept]))
        shard.unlink()


@pytest.mark.slow
def test_options_that_do_not_match_the_folder_are_refused(source):
    assert sharded(source).exit_code == 2  # there are bad lines
    assert "has results; --resume continues" in sharded(source).stderr
    other = sharded(source, "--resume", "--seed", "3")
    assert (other.exit_code, "under other options" in other.stderr) == (2, True)
    assert "--resume and --force" in sharded(source, "--resume", "--force").stderr
    assert "out is a folder" in batch(source, "-o", "out").stderr
    assert "out is a folder" in batch("-o", "out", "--repair").stderr
    Path(source).write_text(text_of([*LINES, UNIQUE]))
    assert "when they had other sizes" in sharded(source, "--resume").stderr
    assert sharded(source, "--force").exit_code == 2
    assert len(results_of("out")) == len(LINES) - 1
    Path("out", "letter").write_text("mine")
    assert "holds letter" in sharded(source, "--force").stderr
    assert "is not a folder" in batch(source, "-o", source, "--shards", "--force").stderr
    Path("mine").mkdir()
    Path("mine", "1.jsonl").write_text("mine")
    for more in ((), ("--resume",), ("--force",)):
        assert "holds 1.jsonl" in batch(source, "-o", "mine", "--shards", *more).stderr
    assert Path("mine", "1.jsonl").read_text() == "mine"
    Path("empty").mkdir()
    assert "no results in it" in batch("-o", "empty", "--latest").stderr
    assert "no results in it" in batch("-o", "new.jsonl", "--merge", "empty").stderr


def test_shards_and_drafts_that_are_damaged_are_made_again(source):
    made_here(source)
    expected = timeless(results_of("out"))
    first, second, third, fourth = sorted(Path("out").glob("0*.jsonl"))[:4]
    first.write_bytes(first.read_bytes()[:-3])  # cut off
    with pytest.raises(FormatError, match="cut off or changed"):
        list(results.read("out"))
    with pytest.raises(FormatError, match="cut off or changed"):
        folder.merge("out", Path("merged.jsonl"))
    second.rename(second.with_suffix(".draft"))  # the driver was killed just before
    third.unlink()
    third.with_suffix(".draft").write_bytes(b"\0\xff{}\n[]\n{")
    fourth.with_suffix(".draft").write_bytes(fourth.read_bytes()[:20])  # left by another process
    made_here(source, resume=True)
    assert timeless(results_of("out")) == expected
    lines = Path("out", folder.JOURNAL).read_bytes().splitlines(keepends=True)
    Path("out", folder.JOURNAL).write_bytes(b"".join(lines[:5]))  # torn by a power cut
    shards_before = [path.read_bytes() for path in sorted(Path("out").glob("0*.jsonl"))]
    tally = made_here(source, resume=True).tally
    assert tally.done + tally.kept == len(expected)
    assert [path.read_bytes() for path in sorted(Path("out").glob("0*.jsonl"))] == shards_before
    assert timeless(results_of("out")) == expected


def test_bytes_that_have_changed_end_the_batch(source, monkeypatch):
    parts_of = formats.parts_of

    def changing(*args):
        yield from parts_of(*args)
        Path(source).write_text(Path(source).read_text().replace("again", "other"))

    with shards.opened(CHECK, [source], "out") as batch:
        pool = Here(batch.work)
        monkeypatch.setattr(formats, "parts_of", lambda *args: iter(list(changing(*args))))
        with pytest.raises(FormatError, match="are not those that the batch began with"):
            shards.ShardDriver(batch, pool).run()


def test_machines_that_share_no_folder_are_reported(source, monkeypatch):
    monkeypatch.setattr(shards, "VISIBLE_S", 0.0)
    monkeypatch.setattr(shards, "WRITE_EVERY_S", 0.01)
    (part, *_) = formats.parts_of(source, 10_000)
    with pytest.raises(FormatError, match="cannot be read where the work is done"):
        formats.PartReader(part._replace(path="/nowhere/p.jsonl"), "jsonl", None).check()

    class Elsewhere(Here):
        def done(self, patience_s):
            for found in self.found:
                folder.shard_of(Path("out"), found.outcome.number).unlink()
            return super().done(patience_s)

    with shards.opened(CHECK, [source], "out") as batch:
        driver = shards.ShardDriver(batch, Elsewhere(batch.work))
        with pytest.raises(BackendError, match="expected a folder that all machines share"):
            driver.run()


def test_a_draft_belongs_to_one_process(source, tmp_path, monkeypatch):
    monkeypatch.setattr(shards, "BUSY_S", 0.2)
    (part,) = formats.parts_of(source, 10_000)
    work = shards.Sharding(CHECK, str(tmp_path), 1, None)
    piece = shards.Piece(0, part, "jsonl")
    with journal.Journal(folder.draft_of(tmp_path, 0)):
        (outcome,) = shards.part_here(work, piece)
        assert isinstance(outcome, UnsupportedError)
        assert "being written by another process" in str(outcome)
    *_, outcome = shards.part_here(work, piece)
    assert outcome.tally.done == part.num_items
