"""`read_photo` and `read_page`, and what they return: puzzles, and numbers the solver decided."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from nonosat import formats
from nonosat.core import hooks
from nonosat.core.about import About
from nonosat.core.errors import (
    FormatError,
    NotAPuzzleError,
    UnsupportedError,
    counted,
    install_command,
    shown,
)
from nonosat.core.limits import Watch, reserve, watch_of
from nonosat.core.presenting import Data, Drawn, Scene, reading
from nonosat.core.result import Verdict
from nonosat.core.scope import within
from nonosat.core.wording import line_text
from nonosat.formats.image import opened, pillow
from nonosat.paper import _pdf
from nonosat.processes.isolation import in_child, is_expendable
from nonosat.puzzles.nonogram.data import Nonogram

if TYPE_CHECKING:
    from PIL.Image import Image

    from nonosat.paper._deciding import Decision
    from nonosat.paper._plain import Plain

READ, PLAIN, AMBIGUOUS, UNCERTAIN = "read", "plain", "ambiguous", "uncertain"  # statuses
KINDS = ("PNG", "GIF", "BMP", "JPEG", "WEBP", "PPM")
_LONGEST = 3200  # pixels of the longer side; larger photographs are scaled down
_SHRUNK = (1, 2, 4)  # factors by which a photograph without a board is reduced
_SHORTEST = 100  # pixels of the shorter side of a reduced photograph
_PIXEL_BYTES = 19  # of copies of the photograph while it is opened
_SEEN_BYTES = 40  # of a pixel of the scaled photograph while it is read
_COLOUR_BYTES = 80  # of such a pixel if it has colours
_SURE = 0.9  # probability of a number that is not doubtful
_SENTENCES = {
    READ: "exactly one solution, and no other reading is about as likely",
    PLAIN: "read as it looks; the solver has not checked it",
    AMBIGUOUS: "uncertain: exactly one solution, but another reading is about as likely",
}
_WHY = {
    Verdict.UNIQUE: "too many readings have to be compared",
    Verdict.MULTIPLE: "its clues have several solutions, and so has each likely reading",
    Verdict.UNSOLVABLE: "no likely reading has a solution; is the whole sheet in the picture?",
    Verdict.UNKNOWN: "its solutions could not be counted",
}


class ReadNumber(NamedTuple):
    """One printed number.

    Args:
        line: Line, rows first, counted from 0.
        place: Place in its clue, counted from 0.
        value: Value in the puzzle; None if it is taken for no number.
        looks: The value that it looks like.
        chance: Probability of `value` by its looks alone.
        corners: Corners of its box in the photograph: (x, y), clockwise from the left top.
        colour: Its colour: the puzzle's `colours[colour - 1]`.
    """

    line: int
    place: int
    value: int | None
    looks: int | None
    chance: float
    corners: tuple[tuple[float, float], ...] = ()
    colour: int = 1


@dataclass(frozen=True, slots=True, repr=False)
class PhotoReading(Drawn):
    """A puzzle read from a photograph.

        >>> puzzle = nonosat.nonogram([[1], [1]], [[1], [1]])
        >>> found = nonosat.PhotoReading(puzzle, "uncertain", reason="time limit of 1 s")
        >>> found
        <PhotoReading: 2 rows x 2 columns: uncertain: time limit of 1 s>
        >>> found.is_certain, found.changed, found.doubtful
        (False, (), ())
        >>> nonosat.PhotoReading.from_data(found.to_data()) == found
        True

    Args:
        puzzle: The puzzle.
        status: "read" if it has exactly one solution and no other reading is about as likely;
            "plain" if it was not checked; "ambiguous" if another reading with one solution is about
            as likely, or one with several is likelier; "uncertain" if none with one solution is
            likely.
        numbers: All printed numbers, in the order of the lines.
        other: The other reading if it is ambiguous.
        reason: Reason of the status "uncertain".
        num_others: Further boards with clues in the picture, which were not read.
        page: Page of a PDF, from 1; the places of numbers are pixels of its picture.
    """

    puzzle: Nonogram
    status: str
    numbers: tuple[ReadNumber, ...] = ()
    other: Nonogram | None = None
    reason: str = ""
    num_others: int = 0
    page: int = 1

    @property
    def is_certain(self) -> bool:
        """True if the puzzle has one solution and no other reading is about as likely."""
        return self.status == READ

    @property
    def changed(self) -> tuple[ReadNumber, ...]:
        """Numbers that look like another value than the solver chose."""
        return tuple(one for one in self.numbers if one.value != one.looks)

    @property
    def doubtful(self) -> tuple[ReadNumber, ...]:
        """Numbers to compare with the sheet: none if the reading is certain."""
        if self.is_certain:
            return ()
        return tuple(one for one in self.numbers if one.chance < _SURE or one.value != one.looks)

    @property
    def sentence(self) -> str:
        """The outcome in a sentence."""
        what = _SENTENCES.get(self.status) or f"uncertain: {self.reason}"
        return f"{self.puzzle.size}: {what}"

    def report(self) -> Iterator[str]:
        """Yield a line for each number that was changed or is doubtful, and for other boards."""
        if self.num_others:
            boards = counted(self.num_others, "further board")
            yield f"{boards} in the picture not read; --page (read_page) reads all of them"
        height = self.puzzle.height
        for one in self.changed:
            looks, value = _value(one.looks), _value(one.value)
            yield f"{_place(one, height)} looks like {looks}, read as {value}"
        for one in self.doubtful:
            if one.value == one.looks:
                chance = f"{100 * one.chance:.0f} %"
                yield f"{_place(one, height)} is doubtful: {_value(one.value)} ({chance})"
        if self.other is not None:
            mine, yours = ([*one.rows, *one.columns] for one in (self.puzzle, self.other))
            for line, (clue, other) in enumerate(zip(mine, yours, strict=True)):
                if clue != other:
                    texts = [" ".join(str(block.length) for block in one) for one in (clue, other)]
                    yield f"{line_text(line, height)}: {texts[0] or 0}, or {texts[1] or 0}"

    def _summary(self) -> str:
        return self.sentence

    def __str__(self) -> str:
        return "\n".join([self.sentence, *self.report()])

    def scene(self) -> Scene:
        """Return the empty sheet."""
        return Scene(self.puzzle, caption=self.in_a_line())

    def to_data(self) -> Data:
        """Return the reading as JSON data, as `nonosat read --json` prints it."""
        return {
            "puzzle": hooks.data_of(self.puzzle),
            "status": self.status,
            "sentence": self.sentence,
            "numbers": [
                {**one._asdict(), "corners": [list(corner) for corner in one.corners]}
                for one in self.numbers
            ],
            "changed": [[one.line, one.place] for one in self.changed],
            "doubtful": [[one.line, one.place] for one in self.doubtful],
            "other": None if self.other is None else hooks.data_of(self.other),
            "reason": self.reason,
            "num_others": self.num_others,
            "page": self.page,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return a reading from its JSON data.

        Raises:
            FormatError: The data are invalid.
        """
        with reading(cls):
            other = data["other"]
            numbers = tuple(
                ReadNumber(
                    one["line"],
                    one["place"],
                    one["value"],
                    one["looks"],
                    one["chance"],
                    tuple((x, y) for x, y in one["corners"]),
                    one.get("colour", 1),
                )
                for one in data["numbers"]
            )
            return cls(
                hooks.puzzle_of(data["puzzle"]),
                data["status"],
                numbers,
                None if other is None else hooks.puzzle_of(other),
                data["reason"],
                data["num_others"],
                data["page"],
            )
        raise AssertionError("an error in this block is raised again")


def _place(one: ReadNumber, height: int) -> str:
    return f"number {one.place + 1} of {line_text(one.line, height)}"


def _value(value: int | None) -> str:
    return "no number" if value is None else str(value)


def read_photo(
    photo: str | Path | Image,
    *,
    repair: bool = True,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> PhotoReading:
    """Read a nonogram from a photograph or a scan of its printed sheet.

        >>> import tempfile
        >>> puzzle = nonosat.from_picture([".#.#.", "#####", "#####", ".###.", "..#.."])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = nonosat.draw(puzzle, f"{folder}/heart.png")
        ...     found = nonosat.read_photo(f"{folder}/heart.png")
        >>> found.status, found.puzzle.rows == puzzle.rows
        ('read', True)

    The sheet has one board, with printed clues above and at the left, and numbers up to 99, on
    fields of several colours or in coloured ink. It may be turned, tilted and unevenly lit.
    Numbers that look alike are decided by the solver: clues of rows and columns have equal sums,
    and the puzzle has exactly one solution. Colours that may be one or two make it uncertain.

    Args:
        photo: The file, a PNG, JPEG, GIF, BMP, WebP, PPM or PDF (its first page), or an image of
            Pillow.
        repair: False for the plain reading, which is not checked.
        time_limit_s: Wall seconds; None (or infinity) is without limit. If the numbers are read by
            then, the best reading so far is returned as uncertain.
        memory_limit_mib: Memory of the process that reads; None is without limit.

    Returns:
        The puzzle, with a status that is "read" only if it is certain.

    Raises:
        FormatError: The file is not an image, is damaged, or shows no board with clues.
        NotAPuzzleError: `photo` is neither a file nor an image.
        UnsupportedError: The packages of the extra `paper` are not installed.
        LimitReached: A limit was reached before the numbers were read.
    """
    watch = watch_of(time_limit_s, memory_limit_mib)
    one: PhotoReading = _of_file(photo, watch, partial(_one, repair=repair, watch=watch))
    return one


def read_page(
    photo: str | Path | Image,
    *,
    repair: bool = True,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> tuple[PhotoReading, ...]:
    """Read every nonogram of a page, such as the scan of a page of a book.

        >>> import tempfile
        >>> puzzles = [nonosat.load(f"bundled:{name}") for name in ("cat", "smile")]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = nonosat.draw_book(puzzles, f"{folder}/book.pdf", per_page=2)
        ...     found = nonosat.read_page(f"{folder}/book.pdf")
        >>> for reading in found:  # the cover shows the first puzzle, too
        ...     print(reading.page, reading.puzzle.size)
        1 20 rows x 20 columns
        3 20 rows x 20 columns
        3 8 rows x 8 columns

    Each board is found, turned and read by itself, and is certain or not, as by `read_photo`.

    Args:
        photo: The file, a PNG, JPEG, GIF, BMP, WebP, PPM or PDF (all its pages), or an image of
            Pillow.
        repair: False for the plain readings, which are not checked.
        time_limit_s: Wall seconds for all of them; None (or infinity) is without limit. If the
            numbers are read by then, puzzles that are not decided yet are returned as uncertain.
        memory_limit_mib: Memory of the process that reads; None is without limit.

    Returns:
        The puzzles from top to bottom and left to right, with the ids NAME-1, NAME-2, ... if the
        file is NAME and has several.

    Raises:
        FormatError: The file is not an image, is damaged, or shows no board with clues.
        NotAPuzzleError: `photo` is neither a file nor an image.
        UnsupportedError: The packages of the extra `paper` are not installed.
        LimitReached: A limit was reached before the numbers were read.
    """
    watch = watch_of(time_limit_s, memory_limit_mib)
    every: tuple[PhotoReading, ...]
    every = _of_file(photo, watch, partial(_every, repair=repair, watch=watch))
    return every


def _of_file(photo: Any, watch: Watch, read: Callable[..., Any]) -> Any:
    """Return the result of `read`, of a photograph, its file's content or None, and its name."""
    data = _content(photo)  # reading may block on a pipe
    watch.check()
    name = Path(photo).stem if isinstance(photo, str | Path) else ""
    try:
        return within(watch, partial(read, photo, data, name))
    except FormatError as error:
        if data is not None:
            error.path = error.path or str(photo)
        raise


def _content(photo: str | Path | Image) -> bytes | None:
    if isinstance(photo, str | Path):
        return formats.content(str(photo))
    with pillow() as pil:
        is_image = isinstance(photo, pil.Image)
    if not is_image:
        found = shown(photo)
        raise NotAPuzzleError(f"found {found}, expected the name of an image or an image of Pillow")
    return None


def _one(photo: Any, data: bytes | None, name: str, *, repair: bool, watch: Watch) -> PhotoReading:
    seen = _plains(photo, data, watch, every=False)
    found = _decided(seen[0], repair, watch, About(id=name))
    return replace(found, num_others=len(seen) - 1)


def _every(
    photo: Any, data: bytes | None, name: str, *, repair: bool, watch: Watch
) -> tuple[PhotoReading, ...]:
    seen = _plains(photo, data, watch, every=True)
    names = [f"{name or 'puzzle'}-{at}" for at, _ in enumerate(seen, 1)]
    if len(names) == 1:
        names = [name]
    return tuple(
        _decided(placed, repair, watch, About(id=one))
        for placed, one in zip(seen, names, strict=True)
    )


class _Placed(NamedTuple):
    """A plain reading, the factor of its places in the photograph, and the page of a PDF."""

    plain: Plain
    scale: float = 1.0
    page: int = 1


def _plains(photo: Any, data: bytes | None, watch: Watch, *, every: bool) -> list[_Placed]:
    """Return the plain readings; of a PDF those of all pages or of the first one."""
    _require()  # before modules that import the packages
    content = b"" if data is None else formats.inflate(data)
    if _pdf.is_pdf(content):
        return _of_pdf(content, watch, every=every)
    image = photo if data is None else opened(content, KINDS)[0]
    watch.doing("reading numbers")
    grey, rgb, scale = _brightness(image)
    reserve((_SEEN_BYTES if rgb is None else _COLOUR_BYTES) * grey.size)
    plains, shrunk = _called(partial(_seen, grey, rgb, every=every))
    return [_Placed(plain, scale * shrunk) for plain in plains]


def _of_pdf(data: bytes, watch: Watch, *, every: bool) -> list[_Placed]:
    watch.doing("reading numbers")
    count = _called(partial(_pdf.num_pages, data)) if every else 1
    found: list[_Placed] = []
    for at in range(count):
        watch.doing("reading pages", at)
        watch.check()
        plains, shrunk = _called(partial(_seen_in_pdf, data, at, every=every))
        found += [_Placed(plain, shrunk, at + 1) for plain in plains]
    if not found:
        raise FormatError(f"no board with clues is seen on {counted(count, 'page')}")
    return found


def _called(call: partial[Any]) -> Any:
    return call() if is_expendable() else in_child(call)


def _seen_in_pdf(data: bytes, at: int, *, every: bool) -> tuple[list[Plain], int]:
    """Return the plain readings of a page of a PDF, as `_seen`; of one of all pages maybe none."""
    grey, rgb = _pdf.picture(data, at, _LONGEST)
    try:
        return _seen(grey, rgb, every=every)
    except FormatError:
        if every:
            return [], 1
        raise


def _decided(placed: _Placed, repair: bool, watch: Watch, about: About) -> PhotoReading:
    from nonosat.paper import _choosing, _deciding

    plain = placed.plain
    if not repair:
        return _answer(placed, _choosing.likeliest(plain.numbers), PLAIN, about)
    found = _deciding.decided(plain, watch)
    if found.limit:
        return _answer(placed, found.values, UNCERTAIN, about, reason=found.limit)
    if plain.doubt:
        return _answer(placed, found.values, UNCERTAIN, about, reason=plain.doubt)
    if found.is_certain:
        return _answer(placed, found.values, READ, about)
    if found.other is not None:
        return _answer(placed, found.values, AMBIGUOUS, about, found)
    reason = _WHY.get(found.verdict, found.verdict.value)
    return _answer(placed, found.values, UNCERTAIN, about, reason=reason)


def _require() -> None:
    """Refuse a missing package before the work."""
    try:
        import cv2  # noqa: F401
        import numpy  # noqa: F401
    except ImportError as error:
        what = f"photographs are read by OpenCV, which cannot be imported ({error})"
        raise UnsupportedError(f"{what}; {install_command('paper')}") from error


def _brightness(image: Image) -> tuple[Any, Any, float]:
    """Return the brightness of an image on white paper, its colours, and the factor of its size.

    The colours are None for an image in shades of grey; the factor restores places in the image.
    """
    import numpy as np

    with pillow():
        from PIL import ImageOps
        from PIL.Image import Resampling, new

        if min(image.size) < 1:
            raise FormatError("an image without pixels, expected at least 1 x 1")
        reserve(_PIXEL_BYTES * image.width * image.height)
        if image.mode.startswith(("I", "F")):  # more than 8 bits: Pillow would cut them off
            values = np.asarray(image, float)
            span = max(float(np.ptp(values)), 1e-9)
            grey = (255 * (values - values.min()) / span).astype(np.uint8)
            image = new("L", image.size)
            image.frombytes(grey.tobytes())
        turned = ImageOps.exif_transpose(image)
        if "A" in turned.getbands() or "transparency" in turned.info:
            turned = turned.convert("RGBA")
            white = new("RGBA", turned.size, "white")
            white.alpha_composite(turned)
            turned = white
        scale = max(1.0, max(turned.size) / _LONGEST)
        seen, rgb = turned.convert("L"), turned.convert("RGB")
        if scale > 1:
            size = [max(1, round(side / scale)) for side in seen.size]
            seen = seen.resize((size[0], size[1]), Resampling.BOX)
            rgb = rgb.resize((size[0], size[1]), Resampling.BOX)
        colours = np.asarray(rgb)
        return np.asarray(seen), colours if np.ptp(colours, axis=2).any() else None, scale
    raise AssertionError("an error in this block is raised again")


def _seen(grey: Any, rgb: Any, *, every: bool) -> tuple[list[Plain], int]:
    """Return the plain readings, and the factor by which the picture was reduced for them.

    A picture without a board is also read as a negative, for the dark mode of programs, and
    reduced, because the lines of an enlarged sheet are as wide as the cells of others.
    """
    import cv2

    from nonosat.paper._plain import in_reading_order, plains

    refused: FormatError | None = None
    for shrunk in _SHRUNK:
        height, width = (side // shrunk for side in grey.shape)
        if shrunk > 1 and min(height, width) < _SHORTEST:
            break
        seen = cv2.resize(grey, (width, height), interpolation=cv2.INTER_AREA)
        colours = rgb
        if rgb is not None and shrunk > 1:
            colours = cv2.resize(rgb, (width, height), interpolation=cv2.INTER_AREA)
        for picture, paint in ((seen, colours), (255 - seen, None)):
            try:
                found = plains(picture, paint, every=every)
            except FormatError as error:
                refused = refused or error
            else:
                return (in_reading_order(found) if every else found), shrunk
    raise refused or AssertionError("the picture itself is always read")


def _answer(
    placed: _Placed,
    values: tuple[int | None, ...],
    status: str,
    about: About,
    decision: Decision | None = None,
    *,
    reason: str = "",
) -> PhotoReading:
    from nonosat.paper._deciding import puzzle_of

    plain, scale, page = placed
    numbers = tuple(
        ReadNumber(
            one.line,
            one.place,
            value,
            one.alternatives[0][0],
            round(dict(one.alternatives)[value], 6),
            tuple((round(scale * x, 1), round(scale * y, 1)) for x, y in one.corners),
            one.colour,
        )
        for one, value in zip(plain.numbers, values, strict=True)
    )
    other = None
    if decision is not None and decision.other is not None:
        other = puzzle_of(plain, decision.other, about)
    puzzle = puzzle_of(plain, values, about)
    return PhotoReading(puzzle, status, numbers, other, reason, page=page)


def counted_numbers(found: Sequence[PhotoReading]) -> str:
    """Return the number of numbers in words: "16 numbers, 1 changed"."""
    changed = sum(len(one.changed) for one in found)
    return counted(sum(len(one.numbers) for one in found), "number") + (
        f", {changed} changed" if changed else ""
    )
