"""Dialects of clue texts, rewritten for the reader of clues: letters for numbers, program source.

`spelled` reads letters as on Rosetta Code: "C BA" is a clue 3 and a clue 2 1. A text declares
this by a line "A = 1". A word is a clue and each of its letters a block; `0` and `-` are empty
clues. A line of several words is a list of clues; if every line has one word, a line is a clue.
Headings such as "ROWS" stay. No line is added or removed.

`undeclared` reads lists of clues in the source of a program (Java, C, C++, C#, Rust, Prolog):

    int[][] rows = {{2}, {1}};          new int[][][]{{{2}, {1}}, {{1}, {2}}};
    int rows[2][1] = {{2}, {1}};        nonogram([[2], [1]], [[1], [2]]).
    row(1, [2]).                        column(1, [1]).

The reader of clue texts accepts lists in any brackets, and names before `=`. Names of types and of
facts, which it does not know, are replaced by blanks, one per character, so that positions in
messages remain valid. Both are linear in the text.
"""

from __future__ import annotations

import re
from functools import partial

from nonosat.formats._clues_words import side_of
from nonosat.formats._text import fail, position, shorten

_LETTERS = re.compile(r"(?m)^[ \t#/]*[Aa][ \t]*=[ \t]*1[ \t]*,?(?:[ \t]*[Bb][ \t]*=[ \t]*2.*)?$")
_WORDS = re.compile(
    r"(?m)^(?P<head>[ \t]*[^\W\d]\w*[ \t]*[:=])?[ \t]*"
    r"(?P<clues>(?:[A-Z]+|0|-)(?:[ \t]+(?:[A-Z]+|0|-))*)[ \t]*$"
)


def spelled(text: str) -> str:
    """Return the text with numbers for letters, if it declares that A is 1."""
    key = _LETTERS.search(text)
    if key is None:
        return text
    rest = text[: key.start()] + text[key.end() :]
    is_list = any(len(line["clues"].split()) > 1 for line in _WORDS.finditer(rest))
    return _WORDS.sub(partial(_numbers, is_list=is_list), rest)


def are_letters(text: str) -> bool:
    """Return True if lines contain only words in capital letters."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) > 1 and all(map(_WORDS.fullmatch, lines))


def _numbers(line: re.Match[str], *, is_list: bool) -> str:
    """Return a line in which the words of letters are replaced by lists of numbers."""
    words = line["clues"].split()
    if side_of(words):
        return line[0]
    lists = (
        "" if word in "0-" else ", ".join(str(ord(letter) - ord("A") + 1) for letter in word)
        for word in words
    )
    if not is_list:
        return f"{line['head'] or ''}{next(lists) or '0'}"
    return f"{line['head'] or ''}[{', '.join(f'[{each}]' for each in lists)}]"


# Source of programs


_TYPE = r"(?:u?int(?:[0-9]{1,2}(?:_t)?)?|short|long|byte|char|unsigned|size_t|integer|Integer|auto)"
_DIMENSIONS = r"(?:[ \t]{0,9}\[[ \t]{0,9}[0-9A-Z_]{0,30}[ \t]{0,9}\])"
_GENERIC = r"(?:std::)?(?:vector|array|List|ArrayList|Vec)<[\w\s:<>,\[\]]{1,99}>"
_TYPED = re.compile(
    rf"\bnew\s{{1,9}}{_TYPE}{_DIMENSIONS}{{1,3}}(?=\s*{{)"  # new int[][]
    rf"|\b(?:(?:public|private|static|final|const|constexpr)\s{{1,9}}){{0,4}}"
    rf"(?:{_TYPE}{_DIMENSIONS}{{1,3}}|{_GENERIC})(?=\s{{1,9}}\w)"  # int[][] before a name
    rf"|\b(?:(?:public|private|static|final|const|constexpr)\s{{1,9}}){{0,4}}"
    rf"{_TYPE}(?=\s{{1,9}}\w{{1,60}}{_DIMENSIONS}{{1,3}}\s{{0,9}}=)"  # int before NAME[][]
    rf"|(?<=\w){_DIMENSIONS}{{1,3}}(?=\s{{0,9}}=\s{{0,9}}[{{\[])"  # [2][1] after a name
    r"|\bvec!(?=\s{0,9}\[)"
)
_FACT = re.compile(r"(?m)^[ \t]{0,99}(?:\?-[ \t]{0,9})?([a-z]\w{0,60})\((?=[ \t\r\n]{0,99}\[)")
_REST = re.compile(r"\][ \t\r\n]{0,99}(?:,[ \t]{0,9}[A-Z_]\w{0,60}[ \t]{0,9})?(\))[ \t]{0,9}\.")
_LINE_FACT = re.compile(  # a fact for each line of the board: "row(1, [2, 1])."
    r"\b(?P<side>rows?|col(?:umn)?s?)\((?P<at>[ \t]{0,9}[0-9]{1,9}[ \t]{0,9}),"
    r"(?P<clue>[ \t]{0,9}\[[0-9,\s]{0,9999}\][ \t]{0,9})\)[ \t]{0,9}\."
)
_OTHER_LINE = re.compile(
    r"(?m)^[ \t]{0,99}(?:row|col|column)\([0-9]{1,9},[^()\n]{0,99}\)[ \t]{0,9}\."
)
_REMARK = re.compile(r"(?m)^[ \t]{0,99}%[^\n]*")
_HEADINGS = frozenset(("rows", "row", "columns", "column", "cols", "col"))


def undeclared(text: str) -> str:
    """Return a program's source with names of types and of Prolog facts replaced by blanks.

    Raises:
        FormatError: A fact has a clue that is not a list of lengths.
    """
    if "{" in text or "vec!" in text:
        text = _TYPED.sub(lambda found: _blanks(found[0]), text)
    if _LINE_FACT.search(text) is not None:
        text = _REMARK.sub(lambda found: _blanks(found[0]), text)
        text = _LINE_FACT.sub(_labelled, text)
    if (other := _OTHER_LINE.search(text)) is not None:
        what = f"the Prolog fact {shorten(other[0].strip())}, expected the lengths of the line's"
        fail(f"{what} blocks in a list, such as 'row(1, [2, 1]).'", position(text, other.end())[0])
    if _FACT.search(text) is not None and _REST.search(text) is not None:
        text = _REMARK.sub(lambda found: _blanks(found[0]), text)
        text = _FACT.sub(_unnamed, text)
        text = _REST.sub(_without_variable, text)
    return text


def _blanks(text: str) -> str:
    """Return a text with every character except line breaks replaced by a blank."""
    return re.sub(r"[^\n]", " ", text)


def _labelled(found: re.Match[str]) -> str:
    """Return a Prolog fact as a labelled clue: "row 1 :[2, 1]" for "row(1, [2, 1])."."""
    begun = f"{found['side']} {found['at']}:{found['clue']}"
    return begun + _blanks(found[0][len(begun) :])


def _unnamed(found: re.Match[str]) -> str:
    """Return the beginning of a Prolog fact, its name replaced by blanks unless it is a heading."""
    return found[0] if found[1].lower() in _HEADINGS else _blanks(found[0][:-1]) + "("


def _without_variable(found: re.Match[str]) -> str:
    """Return the end of a Prolog fact, the variable of its solution replaced by blanks."""
    begin, end = (place - found.start() for place in found.span(1))
    return f"]{_blanks(found[0][1:begin])}){found[0][end:]}"
