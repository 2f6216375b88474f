"""Readers of users' files: formats, answers of solvers, records, certificates.

It imports nonosat only inside functions, because formats and families are imported on first use.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))  # for `helpers`

MODELLED = 400  # cells of a board whose model is built
MOST_SAID = 4000  # characters of a message
SOLVED = "s SATISFIABLE\nv 1 -2 3 -4 0\n"
PRINTED = "x = array1d(1..4, [1,0,1,0]);\n----------\n==========\n"
INSTANTIATION = (
    "s SATISFIABLE\nv <instantiation>\nv <list> x[0] x[1] </list>\nv <values> 1 0 </values>\n"
    "v </instantiation>\n"
)
STATES = [
    "##?x\n????\n?##.\n",
    "saved state: 1 of 12 cells known\n#???\n????\n????\n",
    "▀▀ ▀\n ▀▀ \n",
]
SUITE = """\
task = "check"
instances = [{path = "one.jsonl", first = 1}]
[limits]
wall_s = 30
memory_mib = 512
[configurations.auto]
[configurations.order]
backend = "cadical195"
encoding = {line = "order"}
presolve = "none"
"""
Reader = Callable[[bytes], object]


def readers(folder: Path) -> dict[str, tuple[list[bytes], Reader]]:
    """Return, by name, valid files and a reader. They write into `folder`."""
    from helpers.sample_files import SAMPLES

    found: dict[str, tuple[list[bytes], Reader]] = {}
    for name, sample in SAMPLES.items():
        found[name] = ([sample.text.encode()], of_format(name))
    everything = [sample.text.encode() for sample in SAMPLES.values()]
    found["any format"] = (everything, of_format(None))
    return found | dict(_others(folder))


def of_format(name: str | None) -> Reader:
    """Return a reader of the format, which uses the puzzles as callers would."""
    from nonosat import formats
    from nonosat.core.families import family_of

    def read(data: bytes) -> None:
        puzzles = formats.read(data, name="some.file", format=name)
        some = puzzles[:3]
        again = formats.read(formats.write(some, "jsonl"), format="jsonl")
        assert again == some, "what was read is not what comes back"
        for puzzle in some:
            repr(puzzle), str(puzzle)
            if puzzle.height * puzzle.width <= MODELLED:
                family_of(puzzle).build(puzzle)

    return read


def _others(folder: Path) -> Iterator[tuple[str, tuple[list[bytes], Reader]]]:
    """Yield readers of files other than puzzles."""
    import nonosat
    from nonosat.batch import results as batches
    from nonosat.bench import results as benches
    from nonosat.bench.suite import load_suite
    from nonosat.explain.nonogram.given import read_state
    from nonosat.export.answer import read_answer
    from nonosat.formats import knight, queens

    puzzle = nonosat.nonogram([[2, 1], [], [2]], [[1], [1, 1], [1], [1]])
    (folder / "one.jsonl").write_text(nonosat.dumps(puzzle))

    def put(data: bytes, name: str) -> str:
        (folder / name).write_bytes(data)
        return str(folder / name)

    answers = [text.encode() for text in (SOLVED, PRINTED, INSTANTIATION)]
    yield "answers of solvers", (answers, lambda data: read_answer(data.decode("utf-8", "replace")))
    states = [text.encode() for text in STATES]
    yield "--given", (states, lambda data: read_state(data, puzzle))
    yield "marks of a knight", ([b"1,2\n2,3 4\n"], lambda data: knight.marks(data, 3, 4, False))
    yield "marks of queens", ([b"1 2\n3,4\n"], lambda data: queens.marks(data, 4, "Q"))
    yield "suites", ([SUITE.encode()], lambda data: load_suite(put(data, "one.toml")))
    lines = [_head(path, 3) for path in sorted(_RECORDS.glob("*.jsonl"))[:3]]
    yield "records", (lines, lambda data: benches.load([put(data, "records.jsonl")]))
    batch = [_batch(folder)]
    yield "batches", (batch, lambda data: list(batches.read(put(data, "batch.jsonl"))))
    for name, proved in _CERTIFIED.items():
        certificate = folder / name
        nonosat.prove(nonosat.loads(proved)).write(certificate)
        for file in sorted(certificate.iterdir()):
            whole = file.read_bytes()
            yield f"{file.name} of {name}", ([whole], _of_certificate(file, whole))


_RECORDS = Path(__file__).parents[1] / "results"
_CERTIFIED = {
    "a formula": '{"rows": [[2, 1], [], [2]], "columns": [[1], [1, 1], [1], [1]]}',
    "prices": '{"rows": [[1, 1], [4], [1, 1], [1], [1, 2]], '
    '"columns": [[1], [2, 1], [2, 1], [1, 1], [2, 1]]}',
}


def _head(path: Path, num_lines: int) -> bytes:
    with path.open("rb") as stream:
        return b"".join(stream.readline() for _ in range(num_lines))


def _batch(folder: Path) -> bytes:
    from click.testing import CliRunner

    from nonosat.cli import main

    out = folder / "made.jsonl"
    CliRunner().invoke(main, ["batch", str(folder / "one.jsonl"), "-o", str(out), "--quiet"])
    return out.read_bytes()


def _of_certificate(file: Path, whole: bytes) -> Reader:
    def read(data: bytes) -> object:
        from nonosat import verify

        file.write_bytes(data)
        try:
            return verify(file.parent, time_limit_s=5)
        finally:
            file.write_bytes(whole)

    return read


class Tried(NamedTuple):
    """Result of reading a file.

    Args:
        wrong: A wrong result; "" if the file was read or refused.
        is_read: True if it was read.
        seconds: CPU seconds.
    """

    wrong: str
    is_read: bool
    seconds: float


def tried(reader: Reader, data: bytes) -> Tried:
    """Read a file."""
    from nonosat.core.errors import NonosatError

    started = process_time()
    wrong, is_read = "", False
    try:
        reader(data)
        is_read = True
    except NonosatError as error:
        if len(str(error)) > MOST_SAID:
            wrong = f"a message of {len(str(error))} characters"
    except BaseException as error:
        wrong = f"{type(error).__name__}: {str(error)[:200]}"
    return Tried(wrong, is_read, process_time() - started)
