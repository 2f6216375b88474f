"""Names of colours in files: hexadecimal digits, a few English words, single characters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from nonosat.puzzles.nonogram.data import BLACK, Colour

_HEX = re.compile(r"#?([0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)

NAMED = {
    "black": "#000000",
    "white": "#ffffff",
    "red": "#ff0000",
    "green": "#008000",
    "blue": "#0000ff",
    "yellow": "#ffff00",
    "orange": "#ffa500",
    "purple": "#800080",
    "brown": "#a52a2a",
    "pink": "#ffc0cb",
    "gray": "#808080",
    "grey": "#808080",
    "cyan": "#00ffff",
    "magenta": "#ff00ff",
    "lime": "#00ff00",
    "navy": "#000080",
    "teal": "#008080",
    "olive": "#808000",
    "maroon": "#800000",
    "gold": "#ffd700",
    "violet": "#ee82ee",
    "tan": "#d2b48c",
}

# Default colour of a letter: that of its English name if there is one.
_ALPHABET = (
    "7fffd4 0000ff 00ffff 483d8b 50c878 228b22 008000 f0e68c 4b0082 00a86b 000000 00ff00 ff00ff "
    "a52a2a ffa500 800080 5f9ea0 ff0000 c0c0c0 008080 120a8f ee82ee dcdcdc 738678 ffff00 d2691e"
)
_LETTERS = {chr(97 + index): "#" + digits for index, digits in enumerate(_ALPHABET.split())}


def rgb(text: str) -> str | None:
    """Return `#rrggbb` for "f00", "FF0000", "#ff0000" or "red"; None for anything else."""
    if found := _HEX.fullmatch(text):
        digits = found[1].lower()
        return "#" + (digits if len(digits) == 6 else "".join(2 * digit for digit in digits))
    return NAMED.get(text.lower())


def ink(char: str) -> Colour:
    """Return the colour of a character that the file does not define; it depends on this alone."""
    if char == BLACK.key:
        return BLACK
    spread = ord(char) * 0x9E3779 & 0xFFFFFF
    return Colour(char, _LETTERS.get(char, f"#{spread:06x}"))


def characters(colours: Sequence[Colour], allowed: Iterable[str]) -> list[str]:
    """Return a different character for each colour: its key if that is allowed, else a free one.

    `allowed` has at least as many characters as there are colours.
    """
    pool = list(allowed)
    keys = {colour.key for colour in colours}
    free = iter([char for char in pool if char not in keys])
    known = set(pool)
    return [colour.key if colour.key in known else next(free) for colour in colours]
