"""Questions of the page, each a small function that uses the library's public names.

A question gets the puzzle, further data of the page (`requested`) and its limits, which the library
observes: at a `time_limit_s` it returns the partial result. A question returns JSON data or a
`SavedFile`. Questions run in the studio's child processes, each in one that has no other at the
time. The README in this folder lists all questions and answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import nonosat
from nonosat.core import plugins
from nonosat.studio import reading, wire
from nonosat.studio.alone import player_page
from nonosat.studio.files import SavedFile, named, zipped
from nonosat.studio.requested import cells_of, whole_of, word_of, yes_of

Requested = Mapping[str, Any]
Limits = Mapping[str, Any]  # time_limit_s, memory_limit_mib


class Handler(NamedTuple):
    """Properties of a question.

    Args:
        answer: Function that returns the answer for the puzzle, or for the bytes of the file, that
            the page has sent.
        takes_file: True if the page sends a file.
        has_progress: True if `answer` takes `on_progress`, a function that is called with JSON data
            of partial results.
    """

    answer: Callable[..., Any]
    takes_file: bool = False
    has_progress: bool = False


# Repair


def repair(
    puzzle: Any,
    requested: Requested,
    limits: Limits,
    on_progress: Callable[[Any], None] | None = None,
) -> Any:
    keep = cells_of(requested, "keep")
    most, grade = whole_of(requested, "most", 1), whole_of(requested, "grade")
    report = None if on_progress is None else lambda found: on_progress(found.to_data())
    wishes = {"keep": keep, "most": most, "grade": grade, "on_progress": report}
    return nonosat.repair(puzzle, **wishes, **limits).to_data()


# Explain


def explain(puzzle: Any, _: Requested, limits: Limits) -> Any:
    return nonosat.explain(puzzle, **limits).to_data()


def reason(puzzle: Any, requested: Requested, limits: Limits) -> Any:
    row, column = (
        whole_of(requested, "row", -1),
        whole_of(requested, "column", -1),
    )  # not shown on a board
    return nonosat.reason(puzzle, row, column, **limits).to_data()


def hint(puzzle: Any, requested: Requested, limits: Limits) -> Any:
    given = requested.get("given")
    if isinstance(puzzle, nonosat.Slitherlink) and given is not None:
        given = nonosat.Edges.from_data({"edges": given})
    elif given is not None:
        given = wire.grid_of(given)
    return nonosat.hint(puzzle, given, **limits).to_data()


def rate(puzzle: object, _: Requested, limits: Limits) -> Any:
    return nonosat.rate(puzzle, **limits).to_data()


def beliefs(puzzle: Any, _: Requested, limits: Limits) -> Any:
    return nonosat.estimate(puzzle, **limits).to_data()


def prices(puzzle: Any, _: Requested, limits: Limits) -> Any:
    try:
        proof = nonosat.prove(puzzle, by="prices", **limits)
    except (nonosat.LimitReached, nonosat.UnsupportedError) as error:
        return {"prices": None, "why": error.fact()}
    if proof.prices is None:
        return {"prices": None, "why": f"The puzzle is {proof.claim}: two pictures show that."}
    return wire.prices_of(proof.prices, proof.files["prices.json"], puzzle)


def solve(puzzle: Any, requested: Requested, limits: Limits) -> Any:
    return nonosat.solve(puzzle, max_solutions=whole_of(requested, "most", 1), **limits).to_data()


def switches(puzzle: Any, _: Requested, limits: Limits) -> Any:
    return nonosat.why_multiple(puzzle, **limits).to_data()


# Export


def certificate(puzzle: Any, _: Requested, limits: Limits) -> SavedFile:
    name = f"{named(puzzle)}-certificate"
    with TemporaryDirectory() as folder:
        nonosat.prove(puzzle, **limits).write(Path(folder, name))
        packed = zipped(Path(folder, name))
    return SavedFile(f"{name}.zip", packed, f"unzip {name}.zip && nonosat verify {name}")


def export(puzzle: Any, requested: Requested, _: Limits) -> SavedFile:
    name = word_of(requested, "format", "")
    format_ = plugins.names("formats").get(name)
    if format_ is None or not format_.suffixes:
        raise nonosat.UnsupportedError("no format of this name is written")
    with TemporaryDirectory() as folder:
        path = Path(folder, f"{named(puzzle)}{format_.suffixes[0]}")
        nonosat.save(puzzle, path, name)
        return SavedFile(path.name, path.read_bytes())


def sheet(puzzle: Any, requested: Requested, limits: Limits) -> SavedFile:
    kind, solution = word_of(requested, "kind", "svg"), yes_of(requested, "solution")
    clues, theme = word_of(requested, "clues", "once"), word_of(requested, "theme", "light")
    if kind not in ("svg", "png", "pdf"):
        raise nonosat.UnsupportedError("a sheet is svg, png or pdf")
    pages: Any = puzzle
    if solution:  # in a PDF after the empty sheet, else instead of it
        solved = nonosat.check(puzzle, **limits)
        pages = [puzzle, solved] if kind == "pdf" else solved
    with TemporaryDirectory() as folder:
        path = Path(folder, f"{named(puzzle)}{'-solution' if solution else ''}.{kind}")
        nonosat.draw(pages, path, clues=clues, theme=theme, **limits)
        return SavedFile(path.name, path.read_bytes())


def player(puzzle: Any, _: Requested, limits: Limits) -> SavedFile:
    return SavedFile(f"{named(puzzle)}.html", player_page(puzzle, **limits).encode())


# Import


def read(data: bytes, requested: Requested, limits: Limits) -> Any:
    name = reading.file_name(requested.get("name", ""))
    with TemporaryDirectory() as folder, chdir(folder), reading.warnings() as warnings:
        Path(name).write_bytes(data)  # messages use the name alone
        puzzles = reading.loaded(name, limits)
    return {"puzzles": [reading.read_data(puzzle) for puzzle in puzzles], "warnings": warnings}


def image(data: bytes, requested: Requested, limits: Limits) -> Any:
    wishes, name = (
        reading.image_wishes(requested),
        reading.file_name(requested.get("name", "image")),
    )
    with TemporaryDirectory() as folder, chdir(folder):  # messages use the name alone
        Path(name).write_bytes(data)
        puzzle = nonosat.from_image(name, **wishes, **limits)
    wire.check_room(puzzle)
    return wire.drawing_of(puzzle)


QUESTIONS = {
    function.__name__: Handler(function)
    for function in (
        *(explain, reason, hint, rate, beliefs, prices, solve, switches),
        *(certificate, export, sheet, player),
    )
} | {
    "repair": Handler(repair, has_progress=True),
    "read": Handler(read, takes_file=True),
    "image": Handler(image, takes_file=True),
}
