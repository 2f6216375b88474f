"""Reading of large and hostile files: native twins, caps, limits."""

from __future__ import annotations

import gc
import gzip
import io
import json
import random
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import process_time
from typing import Any

import pytest

import nonosat
from nonosat import _core, formats
from nonosat.core.errors import FormatError, LimitReached
from nonosat.core.model import Block
from nonosat.formats import _sources, jsonl
from nonosat.formats._lines import clue, clues, numbered
from nonosat.formats._text import cells_of, signs_of
from nonosat.puzzles.nonogram.data import clue_of, clues_of

TINY = '{"rows":[[1]],"columns":[[1]]}'


# ---- native twins


def test_clues_of_pictures() -> None:
    rng = random.Random(1)
    for height, width, colours in ((1, 1, 1), (1, 9, 2), (7, 1, 255), (6, 11, 1), (12, 5, 3)):
        for _ in range(10):
            cells = bytes(rng.choices(range(colours + 1), k=height * width))
            grid = nonosat.Grid(height, width, cells)
            rows, columns = clues_of(grid)
            assert rows == tuple(clue_of(grid.row(at)) for at in range(height))
            assert columns == tuple(clue_of(grid.column(at)) for at in range(width))
            assert all(type(block) is Block for each in (*rows, *columns) for block in each)
    with pytest.raises(ValueError, match="a byte a cell"):
        _core.picture_clues(b"\0" * 5, 2, 3, Block)


def read_or_refuse(text: str, inks: dict[str, int], fast: bool) -> Any:
    try:
        (line,) = numbered(text)
        return clues(numbered(text), inks)[0] if fast else clue(line, inks)
    except FormatError as error:
        return str(error)


def test_clues_of_lines_equal_the_slow_computation() -> None:
    rng = random.Random(2)
    special = ["0", " 0 ", "00", "0 1", "1 0", "\t3\f4 ", "\u00a01", "1\u00b2", "٣", "1\x1c2"]
    special += ["999999999", "1000000000", "0000000001", "7" * 30, "1a", "1ab", "a", "-1", "1,2"]
    lines = special + [
        "".join(rng.choices("00112 9 ab,-\t", k=rng.randrange(1, 9))) for _ in range(3000)
    ]
    for inks in ({"": 1}, {"a": 1, "b": 2}, {"": 3, "b": 1}):
        for line in lines:
            assert read_or_refuse(line, inks, True) == read_or_refuse(line, inks, False), line


def test_there_is_one_separator_between_two_lengths() -> None:
    lines = numbered("1,2\n1 , 2\n1,,2\n,1\n1,\n,\n0,\n0\n\n1 2")
    seen = []

    def other(line: Any) -> tuple[Block, ...]:
        seen.append(line.line)
        return ()

    found = clues(lines, gaps=",", other=other)
    assert seen == [3, 4, 5, 6, 7]
    assert found[0] == found[1] == found[9] == (Block(1), Block(2))


def test_valid_clues() -> None:
    def are(*all_of_them: Any) -> bool:
        return _core.are_clues(all_of_them, Block, 9, 2)

    assert are()
    assert are((), (Block(9), Block(None, 2)))
    wrong = [(Block(10),), (Block(0),), (Block(1, 3),), (Block(1, 0),), (Block(True),), ((1, 1),)]
    wrong += [(Block(1, True),), [Block(1)], None, (Block(2**70),), (Block(None, None),), (1,)]
    assert not any(are((), one) for one in wrong)


def test_signs_and_cells() -> None:
    for text in ("", "#.#", "".join(map(chr, range(32, 300))) * 2, "█ █\U0001f600"):
        assert signs_of(text) == set(text)
    assert cells_of("a.b.", {"a": 1, ".": 0, "b": 2}) == bytes([1, 0, 2, 0])
    assert cells_of("█.é", {"█": 1, ".": 0, "é": 255}) == bytes([1, 0, 255])


def test_lines_keep_their_numbers() -> None:
    lines = numbered("\na\n \nb\n\n", 5)
    assert [(line.line, line.text) for line in lines.full()] == [(6, "a"), (8, "b")]
    assert [line.line for line in lines.trimmed()] == [6, 7, 8]
    assert lines[-1].line == 9
    assert [line.line for line in lines.full()[1:]] == [8]
    assert len(numbered("")) == 0


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("title x\nwidth 1\nheight 1\nrows\n1\ncolumns\n1!\n", 7),
        ("rows\n1\ncolumns\n1\n====\nwidth 2\n\nheight 1\nrows\n1\ncolumns\n1\n1 0\n", 13),
        ("width 1\n5\nrows\n1\n", 2),
        ("\n5\nwidth 1\n", 2),
    ],
)
def test_errors_in_a_bundle_keep_their_lines(text: str, line: int) -> None:
    with pytest.raises(FormatError) as caught:
        formats.read(text.encode(), format="non")
    assert caught.value.line == line


# ---- time


LINEAR = {
    "a number among letters": (
        "non",
        "width 1\nheight 1\nrows\n" + "7" * 200_000 + "x\ncolumns\n1",
    ),
    "blanks in front of a quote": ("csv", "1," + " " * 3_000 + '"x"y\n1,0\n'),
    "separators in a line": ("nonpack", "a ==== " * 100_000),
    "columns": ("non", "width 200000\nheight 1\nrows\n1\ncolumns\n" + "1\n" * 200_000),
    "unusual fields": ("pattern", "30000x1:" + "0000000001/" * 30_000 + "1"),
    "elements inside each other": ("xml", "<puzzle>" + "<a>" * 1_000_000),
    "a picture": ("txt", ("#." * 500 + "\n") * 1_000),
}


@pytest.mark.real_time
@pytest.mark.parametrize(("suffix", "text"), LINEAR.values(), ids=list(LINEAR))
def test_time_is_linear(suffix: str, text: str) -> None:
    """Each takes a tenth of a second; once it took 2 s to hours."""
    started = process_time()
    with suppress(FormatError):
        formats.read(text.encode(), name=f"a.{suffix}")
    assert process_time() - started < 1.5


# ---- unpacked data


def test_bombs_stay_packed() -> None:
    for pack in (gzip.compress, zlib.compress):
        bomb = pack(bytes(20 * 2**20))
        assert len(bomb) < 50_000
        with pytest.raises(FormatError, match="unfolds to more than 16777216, expected fewer"):
            formats.inflate(bomb)
        assert len(formats.inflate(pack(bytes(16 * 2**20)))) == 16 * 2**20
    many = gzip.compress(bytes(100_000)) * 200  # each of them is small
    with pytest.raises(FormatError, match="unfolds to more"):
        formats.inflate(many)


def test_larger_files_may_unpack_to_a_hundred_times_their_size() -> None:
    noise = random.Random(1).randbytes(200_000)
    assert (
        len(formats.inflate(gzip.compress(noise) + gzip.compress(bytes(18 * 2**20)))) > 18 * 2**20
    )
    with pytest.raises(FormatError, match="unfolds to more"):
        formats.inflate(gzip.compress(noise) + gzip.compress(bytes(22 * 2**20)))


def test_packed_files_in_packed_files_and_one_after_the_other() -> None:
    with pytest.raises(FormatError, match="compressed data inside compressed data"):
        formats.read(gzip.compress(gzip.compress(TINY.encode())))
    assert formats.inflate(gzip.compress(b"1\n") * 30_000) == b"1\n" * 30_000
    with pytest.raises(FormatError, match="cut off"):
        formats.inflate(gzip.compress(b"1\n") * 2 + gzip.compress(b"1\n")[:-3])


# ---- JSON


LARGE_JSON = [
    '{"rows":[[1],[0],[]],"columns":[ [1] ,[\n]]}',
    '{"rows":[[2]],"columns":[[1],[1]],"goal":"11","id":"é","title":"a \\"rows\\":[[1]]"}',
    '{"colors":{"a":"#ff0000"},"rows":[[1]],"columns":[[1]]}',
    '{"colors":{"a":"#ff0000","b":"#00ff00"},"rows":[[1]],"columns":[[1]]}',
    '{"rows":[[null]],"columns":[[1]]}',
    '{"rows":[["1"]],"columns":[[1]]}',
    '{"rows":[[null,1],[2]],"columns":[[1],[1,null],[]],"colors":null}',
    '{"rows":["1","2, 1"," 0 ","","02"],"columns":[[1],[1],[1],"1"]}',
    '{"rows":["1 1"],"columns":["1",[],"1"]}',
    '{"rows":["2,,1"],"columns":["1,",",1","1\\t1"]}',
    '{"rows":["1;1","1a","0 0","1234567890"],"columns":["1"]}',
    '{"rows":[[[1,"b"],[null,"a"]],[0],[]],"columns":[[[1,"é"]],[[2,"a"]]],'
    '"colors":{"é":"#ff0000","a":"#00ff00","b":"#0000ff"}}',
    '{"colors":{"\\u00e9":"#ff0000","a":"#00ff00"},"rows":[[[1,"é"]]],"columns":[[[1,"é"]]]}',
    '{"colors":{"é":"#ff0000","a":"#00ff00"},"rows":[[[1,"\\u00e9"]]],"columns":[[[1,"é"]]]}',
    '{"colors":{"\\ud800":"#ff0000","a":"#00ff00"},"rows":[[[1,"a"]]],"columns":[[[1,"a"]]]}',
    '{"colors":{"a":"#ff0000","b":"#00ff00"},"rows":[[[1,"c"]]],"columns":[[[1,"a"]]]}',
    '{"colors":{"a":"#ff0000","b":"#00ff00"},"rows":[[[0,"a"]]],"columns":[[[1,"a"]]]}',
    '{"colors":{"a":"#ff0000","b":"#00ff00"},"rows":[[[1,"a"],0]],"columns":[[[1,"a"]]]}',
    '{"colors":{"a":"#ff0000","b":"#00ff00"},"rows":[[0,[1,"a"]]],"columns":[[[1,"a"]]]}',
    '{"colors":{"a":"#ff0000","b":"#00ff00"},"rows":[[null]],"columns":[[[1,"a"]]]}',
    '{"colors":{"a":"#ff0000","b":"#00ff00"},"rows":["1","0"],"columns":["0"]}',
    '{"colors":{"a":"#ff0000","b":"#00ff00"},"rows":["0"],"columns":["",[]]}',
    '{"colors":{"a":"#ff0000"},"rows":[[[1,"a"],1,null]],"columns":["1",[1],[[1,"a"]]]}',
    '{"rows":[[[1,"a"]]],"columns":[[1]]}',
    '{"rows":[[[1,"a",2]]],"columns":[[[1]]],"colors":{"a":"#ff0000"}}',
    '{"other":{"colors":{"b":"#ff0000","a":"#00ff00"}},"colors":{"a":"#ff0000","b":"#00ff00"},'
    '"rows":[[[1,"a"]]],"columns":[[[1,"a"]]]}',
    '{"rows":[[1]],"columns":[[1]],"other":{"colors":{"a":"#ff0000","b":"#00ff00"}}}',
    '{"rows":[[1]],"columns":[[1]],"colors":["a"]}',
    '{"rows":[[1]],"columns":[[1]],"colors":7}',
    '{"rows":[[nul]],"columns":[[nullx]]}',
    '{"rows":[[true]],"columns":[[false]]}',
    '{"rows":[[1]],"columns":[[1,0]]}',
    '{"rows":[[0,0]],"columns":[[01]]}',
    '{"rows":[[1]],"columns":[[1]],"rows":[[1]]}',
    '{"rows":[[1]],"columns":[[1]],"saved":{"rows":[[1]]}}',
    '{"rows":[[1]],"columns":[[1]],"other":{"columns":[[1]]}}',
    '{"rows":[[1]],"columns":[[1]]} x',
    '{"rows":[[1]],"columns":[[1]]',
    '{"rows":[[1]]\n,"columns":[[1],]}',
    '{"rows":[[9999999999]],"columns":[[1]]}',
    '{"rows":[[-1]],"columns":[[1.0]]}',
    '{"rows":[],"columns":[]}',
    '{"rows":[1],"columns":[[1]]}',
    '{"family":"queens","n":4,"rows":[[1]]}',
    '{"rows":"nonosat: clues 0","columns":[[1]]}',
    '{"cols":[[1]],"rows":[[1]]}',
    '{"columns":[[1]],"rows":[[2]],"width":3}',
]


@pytest.mark.parametrize("text", LARGE_JSON)
def test_large_json_is_read_as_small(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def said() -> list[object]:
        found = formats.iter_sources(["-"], "jsonl")
        return [item if not isinstance(item, FormatError) else str(item) for _, item in found]

    def fed() -> list[object]:
        stdin = io.TextIOWrapper(io.BytesIO(text.encode()))
        monkeypatch.setattr("sys.stdin", stdin)
        return said()

    usual = fed()
    monkeypatch.setattr(jsonl, "_LARGE", 0)
    assert fed() == usual


def test_lists_of_clues_are_read_natively() -> None:
    native = (LARGE_JSON[number] for number in (0, 1, 2, 4, 6, 7, 8, 11, 12, 21, 22))
    for text in native:
        value = jsonl._large(text.ljust(100_000), json.JSONDecoder())
        assert value is not None
        assert isinstance(value["rows"], tuple)
        assert isinstance(value["columns"], tuple)
        assert jsonl._large(text, json.JSONDecoder()) is None


def test_a_limit_ends_a_long_list_of_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader calls Python for each number, so that a limit, or Ctrl-C, may end it."""
    seen = 0

    def number(text: str) -> int:
        nonlocal seen
        seen += 1
        if seen == 1000:
            raise LimitReached
        return int(text)

    monkeypatch.setattr(jsonl._patient, "parse_int", number)
    monkeypatch.setattr(jsonl._patient, "scan_once", json.scanner.c_make_scanner(jsonl._patient))
    goal = ",".join(["1"] * 600_000)
    path = tmp_path / "goal.json"
    path.write_text(f'{{"rows":[[1]],"columns":[[1]],"goal":[{goal}]}}')
    ((_, item),) = formats.iter_sources([path])
    assert isinstance(item, LimitReached)
    assert seen == 1000


def test_garbage_is_collected_again_after_each_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def items() -> Iterator[int]:
        for number in range(3):
            seen.append(gc.isenabled())
            yield number
        raise LimitReached

    found = _sources._uncollected(items())
    assert gc.isenabled()
    for number in range(3):
        assert next(found) == number
        assert gc.isenabled()
    with pytest.raises(LimitReached):
        next(found)
    assert gc.isenabled()
    assert seen == [False] * 3
    with monkeypatch.context() as patch:
        patch.setattr(gc, "isenabled", lambda: False)
        patch.setattr(gc, "disable", lambda: pytest.fail("it was off"))
        patch.setattr(gc, "enable", lambda: pytest.fail("it was off"))
        assert list(_sources._uncollected(iter((1, 2)))) == [1, 2]


def test_two_readers_side_by_side_leave_the_collector_on() -> None:
    """The second begins while the first has switched it off, and continues after the first has
    ended.
    """
    second = iter(())

    def first() -> Iterator[int]:
        nonlocal second
        second = _sources._uncollected(iter((1, 2, 3)))
        assert next(second) == 1
        yield 0

    assert list(_sources._uncollected(first())) == [0]
    assert list(second) == [2, 3]
    assert gc.isenabled()


@pytest.mark.parametrize("text", ["\x1f", "\x1c", "\u3000", "\x85\n", "\xa0 \u2028", "\x1d\x1e"])
def test_blanks_found_only_in_texts(text: str) -> None:
    for name in ("", "a.txt", "a.non"):
        with pytest.raises(FormatError):
            formats.read(text.encode(), name=name)
