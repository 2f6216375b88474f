"""Invalid files of every format, by class, with the expected result of each.

A class makes invalid files from the small valid file in `files` for a format: from its bytes, from
one of its parts, or by a change specific to some formats. The expected result is a message that
names the mistake and its place, or, for a few classes, the puzzle of the valid file: a byte-order
mark or other line ends are harmless.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from helpers.sample_files import SAMPLES, Edited

_PREVIEW = 12  # characters of a wrong word that a message must quote


class InvalidFile(NamedTuple):
    """Invalid file, and the expected result of reading it.

    Args:
        sort: The class.
        format: The format as which it is read.
        data: The file.
        message: An expression that its message contains; None if the valid file's puzzle is read.
        lines: Lines to which the message may point; empty for any line or none.
    """

    sort: str
    format: str
    data: bytes
    message: str | None
    lines: frozenset[int] = frozenset()


Bytes = Callable[[bytes], bytes]


def _cut(data: bytes) -> bytes:
    """Return the first half, or a little less to avoid a valid file."""
    return data[: len(data) // 2 - 1]


def _mixed(data: bytes) -> bytes:
    """Return line ends of all kinds; CR followed by LF of an empty line would be one line end."""
    ends = (b"\n", b"\r\n", b"\r")
    lines = data.split(b"\n")
    return b"".join(
        line + (b"\r\n" if ends[at % 3] == b"\r" and not following else ends[at % 3])
        for at, (line, following) in enumerate(pairwise(lines))
    )


def _utf16(data: bytes) -> bytes:
    return b"\xff\xfe" + data.decode().encode("utf-16-le")


_NUL = "NUL|byte-order mark|not well-formed|no picture begins|the character|not? JSON"
_NONSENSE = (
    "not? JSON|well-formed|expected|lists or objects inside each other|no puzzle|not a puzzle|"
    "'rows' or 'columns'"
)

_HEADS = ("g", "clues", "gecode")  # formats that ignore text in front of the clues
_TAILS = ("non", "g", "sgriddler", "gecode")  # formats that ignore text after the clues
# By class: constructor, expected message, and formats that accept the file or read it differently.
_BYTES: dict[str, tuple[Bytes, str, tuple[str, ...]]] = {
    "empty": (lambda data: b"", "empty|expected|no puzzle|not a puzzle|not? JSON|no element", ()),
    "cut off": (_cut, "expected|not? JSON|well-formed|missing", ("picture",)),
    "NUL inside": (lambda data: data[: len(data) // 2] + b"\0" + data[len(data) // 2 :], _NUL, ()),
    "NUL behind": (lambda data: data + b"\0" * 64, _NUL, ()),
    "NUL only": (lambda data: bytes(100), _NUL, ()),
    "UTF-16 without a mark": (lambda data: data.decode().encode("utf-16-le"), _NUL, ("webpbn",)),
    "UTF-16 cut off": (lambda data: _utf16(data)[:-1], "UTF-16 by its .* damaged", ()),
    "EBCDIC": (lambda data: data.decode().encode("cp500"), _NONSENSE, ()),
    "two byte-order marks": (lambda data: b"\xef\xbb\xbf" * 2 + data, _NONSENSE, _HEADS),
    "garbage before": (lambda data: b"%!garbage\n" + data, _NONSENSE, (*_HEADS, "dzn")),
    "escapes before": (lambda data: b"\x1b[2J\x1b]0;x\x07" + data, _NONSENSE, ("g", "gecode")),
    "garbage behind": (
        lambda data: data + b"%!garbage\n",
        _NONSENSE,
        (*_TAILS, "dzn"),
    ),
    "bytes behind": (
        lambda data: data + b"\x01\xfe\xff" * 30,
        _NONSENSE,
        _TAILS,
    ),
    "gzip cut off": (lambda data: gzip.compress(data)[:-9], "too early.*cut off", ()),
    "gzip damaged": (
        lambda data: (pack := gzip.compress(data))[:15] + b"xxxx" + pack[19:],
        "damaged compressed data",
        (),
    ),
    "gzip with a wrong sum": (
        lambda data: gzip.compress(data)[:-8] + bytes(8),
        "damaged compressed data",
        (),
    ),
    "gzip's first bytes": (lambda data: b"\x1f\x8b", "cut off", ()),
    "gzip in gzip": (lambda data: gzip.compress(gzip.compress(data)), f"{_NUL}|compressed", ()),
    "an image": (
        lambda data: b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(64),
        "a PNG image, not a file of the format",
        (),
    ),
    "an archive": (lambda data: b"PK\3\4\x14\0\0\0" + data, "a ZIP archive", ()),
    "a document": (lambda data: b"PK\3\4\x14\0\0\0word/document.xml" + data, r"\(\.docx\)", ()),
    "a page": (
        lambda data: b"<!DOCTYPE html><html><body>Not Found</body></html>",
        f"{_NONSENSE}|the element <html>",
        ("picture",),
    ),
    "one long word": (lambda data: b"q" * 10**6, _NONSENSE, ("picture",)),
    "deep lists": (lambda data: b"[" * 10**5, f"{_NONSENSE}|too deep", ("picture",)),
    "deep objects": (lambda data: b'{"a":' * 10**4, f"{_NONSENSE}|too deep", ("picture",)),
    "deep elements": (
        lambda data: b"<puzzleset>" + b"<note>" * 10**4,
        f"{_NONSENSE}|well-formed",
        ("picture",),
    ),
    "entities": (
        lambda data: b'<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><puzzle>&b;</puzzle>',
        f"{_NONSENSE}|declarations of its own",
        ("picture",),
    ),
    "an external entity": (
        lambda data: b'<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]><puzzle>&a;</puzzle>',
        f"{_NONSENSE}|declarations of its own",
        ("picture",),
    ),
}
_HARMLESS: dict[str, tuple[Bytes, tuple[str, ...]]] = {
    "a byte-order mark": (lambda data: b"\xef\xbb\xbf" + data, ("pbm",)),
    "UTF-16": (_utf16, ()),
    "UTF-16, the other order": (
        lambda data: b"\xfe\xff" + data.decode().encode("utf-16-be"),
        (),
    ),
    "UTF-32": (lambda data: data.decode().encode("utf-32"), ()),
    "CRLF": (lambda data: data.replace(b"\n", b"\r\n"), ()),
    "CR alone": (lambda data: data.replace(b"\n", b"\r"), ()),
    "mixed line ends": (_mixed, ()),
    "no last line end": (lambda data: data.removesuffix(b"\n"), ()),
    "blank lines behind": (lambda data: data + b"\n\n", ()),
    "gzip": (gzip.compress, ()),
    "zlib": (zlib.compress, ()),
    "gzip in two parts": (lambda data: gzip.compress(data[:9]) + gzip.compress(data[9:]), ()),
}

# By class: the word that replaces a number, the message if it does not quote the word, and formats
# that accept the word.
_LISTS = ("clues", "rows-first", "columns-first")
_NUMBERS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "a negative number": ("-1", "negative", ("puzzlink", "sgriddler", "slitherlink")),
    "a fraction": ("1.5", "beyond", (*_LISTS, "pattern")),
    "a number too large for a float": ("1e400", "Infinity|beyond", ()),
    "NaN": ("NaN", "not? JSON", ()),
    "infinity": ("Infinity", "not? JSON", ()),
    "a hexadecimal number": ("0x2", "not? JSON|beyond", (*_LISTS, "puzzlink")),
    "a sign": ("+2", "not? JSON|'[+]'", ()),
    "wide digits": ("\uff12", "not? JSON", ()),
    "digits of another script": ("\u0662", "not? JSON", ()),
    "a raised digit": ("\u00b2", "not? JSON", ()),
    "2^31": ("2147483648", "digits|beyond", ("puzzlink",)),
    "2^64": ("18446744073709551616", "digits|beyond|cells, expected at most", ("puzzlink",)),
    "a million digits": ("9" * 10**6, "digits|beyond|'9'|cells, expected at most", ()),
    "a boolean": ("true", "not? JSON", ()),
    "a word in quotes": ('"2"', "not? JSON|number|'2'|next to a list", ("slitherlink",)),
    "a number turned around": ("2\u202e1", "not? JSON|number|2.u202e", ()),
    "a lone surrogate": ("\ud800", "not? JSON|\u00ed|[0-9] words", ()),
    "a terminal's escape": ("\x1b[31m2", "not? JSON|control|x1b", ()),
}
_SIZES: dict[str, str] = {
    "a size of 0": "0",
    "a size of nothing": "",
    "a size too large by one": "5",
    "a size of 10^9": "1000000000",
}
# For a single wrong word, the message may be about the whole line or header.
_HEADERS = {
    "knight": "the first line to be 'knight|the given number|a row of 5 squares",
    "non": "'0', expected a keyword",
    "slitherlink": "a row of 5 clues",
    "pbm": "no picture begins|at least 1|cells, expected|no blank after the height",
    "loopy": "clues beyond|the clue [5-9]|expected such as|the grid",
    "puzzlink": "expected such as|the character|beyond the",
    "pattern": "expected such as|the character",
    "webpbn": "well-formed",
    "pzprv3": "a line of 7 places",
    "queens": "queens, expected|rows?, expected|squares?, expected",
}
# Line of the beginning of a puzzle, which readers of JSON and XML report for errors inside. In .non
# a line that begins with a letter is a statement, and the next line the wrong one.
_BEGINS = {"jsonl": 2, "json": 2, "webpbn": 3, "knight": 2, "non": 9, "pbm": 1}

_TEXTS: dict[str, str] = {
    "a path for an id": "../../../../etc/passwd",
    "a whole path for an id": "/etc/passwd",
    "a long id": "i" * 10**5,
    "a blank id": "   ",
    "an id turned around": "a\u202eb\u2066c",
    "a command for an id": "$(touch hacked); `touch hacked` | touch hacked",
    "a device for an id": "NUL",
    "an option for an id": "--force",
}
_JSON_TEXTS: dict[str, str] = {
    "a line end in an id": r"a\nb\r\nc",
    "a NUL in an id": r"a\u0000b",
    "a lone surrogate in an id": r"a\ud800b",
    "a terminal's escape in an id": r"a\u001b[2Jb",
}

# By class and format: the replaced text, its replacement, and the expected message.
_EDITS: dict[str, dict[str, tuple[str, str, str]]] = {
    "an undefined colour": {
        "jsonl": ('[1,"b"]]', '[1,"z"]]', "undefined colour 'z'"),
        "non": ("1b\n0", "1z\n0", "'1z' has an undefined colour"),
        "webpbn": ('color="blue">1', 'color="teal">1', "undefined colour 'teal'"),
        "g": (" 1b", " 1z", "'1z' has an undefined colour"),
        "csv": ("blue", "bleu", "the field 'bleu'"),
    },
    "what no colour looks like": {
        "jsonl": ("#ff0000", "#ff00", "'r' is '#ff00'"),
        "non": ("#ff0000", "#ff00", "'r #ff00'"),
        "webpbn": ("ff0000", "ff00", "'red' is 'ff00'"),
        "g": ("#ff0000", "#ff00", "'#ff00'"),
        "csv": ("red", "#ff00", "'#ff00'"),
    },
    "a colour twice": {
        "jsonl": ('"b":"#0000ff"', '"r":"#0000ff"', "the key 'r' again"),
        "webpbn": ('name="blue"', 'name="red"', "named 'red', expected a name of its own"),
        "g": ("b:B", "r:B", "the colour character 'r'"),
    },
    "a key twice": {
        "jsonl": ('"width":4', '"rows":[],"width":4', "the key 'rows' again"),
        "json": ('"width": 4', '"rows": [], "width": 4', "the key 'rows' again"),
    },
    "a section twice": {
        "non": ("columns\n", "rows\n", "a second block of rows"),
        "webpbn": ('type="columns"', 'type="rows"', "a second group of clues for the rows"),
        "clues": ("Columns:", "Rows:", "second list|rows, but no columns|again"),
    },
    "a section missing": {
        "jsonl": ('"columns":[[[1', '"note":[[[1', "'columns' is missing"),
        "json": ('"columns"', '"note"', "'columns' is missing"),
        "non": ("columns\n", "", "7 clues under 'rows', expected 3"),
        "webpbn": ('type="columns"', 'type="diagonals"', "'diagonals', expected rows or columns"),
        "g": (": columns\n", "", "0 columns, expected at least 1"),
        "mk": ("#\n", "", "0 lines with '#'"),
        "clues": ("Columns:\n1\n1 1\n1\n1\n", "", "rows, but no columns"),
        "picture": ("rr.b\n....\n.bb.\n", "", "empty"),
        "pbm": ("1101\n0000\n0110\n", "", "0 cells|no blank"),
    },
    "a clue too many": {
        name: (old, old * 2, message)
        for name, old, message in [
            ("jsonl", "[],", "4 clues, but the height is 3"),
            ("json", "[1, 1], ", "5 clues, but the width is 4"),
            ("non", "2b\n", "4 clues under 'rows', expected 3"),
            ("nin", "1 1\n", "8 clues"),
            ("mk", "0\n", "4 row clues, expected 3"),
            ("cwd", "1 1\n", "8 clues"),
            ("slitherlink", "3 . . .\n", "5 rows of clues, expected 4"),
            ("knight", "1 . . .\n", "4 rows, expected 3"),
            ("queens", ".Q..\n", "5 rows, expected 4"),
            ("pattern", "1.1/", "8 clues"),
            ("pbm", "0000\n", "16 cells, expected 3 x 4"),
        ]
    },
    "a line of another length": {
        "slitherlink": ("2 2 .", "2 2", "3|length"),
        "knight": (". . . x", ". . .", "3 squares, expected 4"),
        "queens": (".Q..", ".Q.", "3 squares, expected 4"),
        "picture": ("....", "...", "a row of 3 cells, expected 4"),
        "csv": ("0,0,0,0", "0,0,0", "a row of 3 fields, expected 4"),
        "tsv": ("0\t0\t0\t0", "0\t0\t0", "a row of 3 fields, expected 4"),
        "loopy": ("d22", "d2", "15 cells, expected 4 rows x 4 columns"),
        "webpbn": ("||....|", "||...|", r"lengths \[3, 4\]"),
    },
    "mixed separators": {
        "csv": ("0,0,0,0", "0;0;0;0", "commas and semicolons between fields"),
        "tsv": ("0\t0\t0\t0", "0,0,0,0", "commas and tabs between fields"),
    },
    "a goal of another size": {
        "jsonl": ("110200000220", "11020000022", "the goal has 11 cells, expected 3 x 4"),
        "json": ("110100000110", "1101000001100", "the goal has 13 cells, expected 3 x 4"),
        "non": ("rr0b00000bb0", "rr0b", "the goal has 4 cells, expected 12"),
        "webpbn": ("||.bb.|", "|", "goal|image|rows"),
    },
    "a goal in no colour": {
        "jsonl": ("110200000220", "11020000022!", "characters that are no colours"),
        "json": ("110100000110", "110100000112", "colour 2"),
        "non": ("rr0b00000bb0", "rr0b00000bbz", "the goal has 'z'"),
        "webpbn": ("||.bb.|", "||.bz.|", "the sign 'z'"),
    },
    "another kind of puzzle": {
        "jsonl": ('"width":4', '"family":"sudoku","width":4', "the family 'sudoku'"),
        "json": ('"width": 4', '"family": ["queens"], "width": 4', "the family"),
        "webpbn": ('type="grid"', 'type="sudoku"', "'sudoku', expected grid or triddler"),
        "puzzlink": ("nonogram", "coral", "the kind 'coral'"),
        "loopy": ("t0", "t3", "the grid t3"),
        "pbm": ("P1", "P3", "grey or colour"),
    },
    "a deep value": {
        "jsonl": ('"width":4', '"width":' + "[" * 10**5, "too deep"),
        "json": ('"width": 4', '"width": ' + "[" * 10**5, "too deep"),
        "webpbn": ("<id>", "<id>" + "<b>" * 10**4, "inside each other"),
    },
    "given cells outside": {
        "jsonl": ('"width":4', '"given":[[3,0,"r"]],"width":4', "outside|given"),
        "json": ('"width": 4', '"given": [[0, -1, 1]], "width": 4', "outside|given"),
        "knight": ("1 . . .", "1 . . 13", "13"),
    },
    "an unknown encoding": {
        "webpbn": ('version="1.0"', 'version="1.0" encoding="klingon"', "encoding"),
    },
    "a name for another": {
        "jsonl": ('"columns":[[[1', '"colums":[[[1', "colum"),
        "json": ('"goal"', '"gaol"', "'gaol', expected 'goal'"),
        "g": (": rows", "; rows", "'; rows', expected a colour"),
        "queens": ("queens 4", "kings 4", "squares?, expected|rows?, expected"),
        "knight": ("knight 3", "night 3", "the first line to be 'knight"),
    },
}


def names() -> list[str]:
    """Return the names of all classes."""
    tables = (_BYTES, _HARMLESS, _NUMBERS, _SIZES, _TEXTS, _JSON_TEXTS, _EDITS)
    return [name for table in tables for name in table] + ["10^12 cells"]


def files(name: str) -> Iterator[InvalidFile]:
    """Yield the invalid files of a format, and harmless unusual ones.

    Args:
        name: Name of the format; one of `files.SAMPLES`.
    """
    valid = SAMPLES[name].text.encode()
    for sort, (make, message, taken) in _BYTES.items():
        if name not in taken:
            yield InvalidFile(sort, name, make(valid), message)
    for sort, (make, refused) in _HARMLESS.items():
        yield InvalidFile(sort, name, make(valid), "no picture begins" if name in refused else None)
    yield from _numbers(name)
    yield from _texts(name)
    for sort, edits in _EDITS.items():
        if name in edits:
            old, new, message = edits[name]
            yield InvalidFile(sort, name, SAMPLES[name].replace(old, new).text.encode(), message)


def _edited(sort: str, name: str, edited: Edited, message: str | None) -> InvalidFile:
    data = edited.text.encode("utf-8", "surrogatepass")
    return InvalidFile(
        sort, name, data, message, frozenset((edited.line, _BEGINS.get(name, edited.line)))
    )


def _numbers(name: str) -> Iterator[InvalidFile]:
    """Yield files with a wrong word instead of each number."""
    sample = SAMPLES[name]
    header = _HEADERS.get(name, "no such place")
    for sort, (word, message, taken) in _NUMBERS.items():
        quoted = re.escape(repr(word[:_PREVIEW])[1:-1])
        for part in sorted(sample.parts & {"block", "height", "width"}):
            is_blank = (name, word) == ("slitherlink", "-1")
            if not is_blank and (name not in taken or part != "block"):
                yield _edited(sort, name, sample.put(part, word), f"{quoted}|{message}|{header}")
    for sort, word in _SIZES.items():
        for part in sorted(sample.parts & {"height", "width"}):
            if (name, word) != ("puzzlink", "5"):  # trailing places may be missing
                message = f"expected|digits|not? JSON|but the {part} is"
                edited = sample.put(part, word)
                yield InvalidFile(sort, name, edited.text.encode(), message)
    if {"height", "width"} <= sample.parts and name not in ("jsonl", "json"):
        large = sample._replace(template=sample.template.replace("<<width|", "<<width|100000"))
        edited = large.put("height", "10000000")
        yield InvalidFile(
            "10^12 cells", name, edited.text.encode(), "at most|expected such as|cells"
        )


def _texts(name: str) -> Iterator[InvalidFile]:
    """Yield files with a strange id or title, which does not affect the puzzle."""
    is_json = name in ("jsonl", "json")
    for sort, word in (_TEXTS | (_JSON_TEXTS if is_json else {})).items():
        for part in sorted(SAMPLES[name].parts & {"id", "title"}):
            text = SAMPLES[name].put(part, word).text
            yield InvalidFile(sort, name, text.encode(), None)
