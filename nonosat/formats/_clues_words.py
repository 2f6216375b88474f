"""The words around clues in a free text: headings of rows and of columns.

A phrase is a heading if all of its words are known here and they name one side only. "Rows (from
top to bottom)" is one of rows: directions are removed first. Words such as `row` are stronger than
words such as `left`; a phrase of both sides, "top row" or "rows and columns", is not a heading.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

ROWS, COLUMNS = "rows", "columns"
SIDES = {ROWS: COLUMNS, COLUMNS: ROWS}
EMPTY = ("empty", "none", "nothing", "blank")  # a clue without blocks

_STRONG = {
    ROWS: "row rows zeile zeilen reihe reihen ligne lignes rangée rangées fila filas riga righe "
    "linha linhas rij rijen строка строки hàng",
    COLUMNS: "column columns col cols spalte spalten colonne colonnes columna columnas colonna "
    "coluna colunas kolom kolommen столбец столбцы cột",
}
_WEAK = {
    ROWS: "horizontal horizontals horizontally hor left side sides across",
    COLUMNS: "vertical verticals vertically ver vert top down above",
}
_SIDE_OF = {word: (side, True) for side, words in _STRONG.items() for word in words.split()} | {
    word: (side, False) for side, words in _WEAK.items() for word in words.split()
}
_FILLING = (
    "clue clues hint hints number numbers run runs block blocks lengths list lists definition "
    "definitions the a for of are is in on my each as follows below puzzle nonogram picross "
    "from read reading hand const let var self this then first second"
)
_FILLERS = frozenset(_FILLING.split())
_SIZES = {
    "width": "width",
    "w": "width",
    "height": "height",
    "h": "height",
    "nrows": "height",
    "ncols": "width",
    "size": "size",
    "sizes": "size",
    "grid": "size",
    "board": "size",
    "dimensions": "size",
    "dimension": "size",
}
# Patterns are compiled at their first use, for JSON needs this module and rarely the patterns.
_DIRECTION = (
    r"\b(?:the )?(?:top|left|up|bottom|right)(?: down)? to (?:the )?"
    r"(?:bottom|right|down|top|left)\b|\btop down\b"
)
_REVERSED = (
    r"(?:right|bottom)(?:[\W_]{1,5}up)?[\W_]{0,5}to[\W_]{0,5}(?:the[\W_]{0,5})?(?:left|top|up)"
    r"|bottom[\W_]{0,5}up"
)
_SEAM = (
    r"_+|(?<=[a-z])(?=[A-Z])|(?<=^row)(?=clues|hints|runs)|(?<=^col)(?=clues|hints|runs)"
    r"|(?<=^column)(?=clues|hints|runs)"
)


def parts(word: str) -> list[str]:
    """Return the words in an identifier, in lower case: "row" and "clues" for "rowClues"."""
    return [part.lower() for part in re.split(_SEAM, word) if part]


def side_of(words: Sequence[str]) -> str:
    """Return the side that a heading of these words names: `ROWS`, `COLUMNS`, or "" for none."""
    every = [part for word in words for part in parts(word)]
    named = re.sub(_DIRECTION, " ", " ".join(every)).split()
    if not all(word in _SIDE_OF or word in _FILLERS for word in named):
        return ""
    sides = {_SIDE_OF[word][0] for word in named if word in _SIDE_OF}
    return sides.pop() if len(sides) == 1 else ""


def is_strong(words: Sequence[str]) -> bool:
    """Return True if a heading has a strong word such as "row", not only "left" or "hor"."""
    return any(_SIDE_OF.get(part, ("", False))[1] for word in words for part in parts(word))


def reversed_direction(text: str) -> re.Match[str] | None:
    """Return the place of a remark that clues run from the right or from the bottom."""
    return re.search(_REVERSED, text, re.IGNORECASE)


def is_single(word: str) -> bool:
    """Return True if a number may follow the word as the label of one line: "row 3", "column 2"."""
    return _SIDE_OF.get(word.lower(), ("", False))[1] and word.lower()[-1:] != "s"


def label(word: str) -> tuple[str, int] | None:
    """Return side and number of a word such as "r1", "C12" or "row_3"."""
    found = re.fullmatch(r"(r|row|c|col|column)_?([0-9]{1,9})", word.lower())
    return (ROWS if found[1][0] == "r" else COLUMNS, int(found[2])) if found else None


def size_of(words: Sequence[str]) -> str:
    """Return the size that a phrase names: "width", "height", "size" (both), or "" for none."""
    every = [part for word in words for part in parts(word) if part not in _FILLERS]
    return _SIZES.get(every[0], "") if len(every) == 1 else ""
