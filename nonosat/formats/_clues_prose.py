"""The words around a list of clues, told from words in the place of a clue.

Words are left out only where they cannot be meant as a clue: behind a blank line or a rule, or
behind the bracket that ends a list of lists. All others stay, and whoever builds the list refuses
them. Time is linear in the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nonosat.formats._clues_lexer import Token
from nonosat.formats._clues_lists import Places, misplaced

SPACE = ("blank", "newline", "gap", "rule")
_WORDS = ("words", "equals")
_DIVIDING = ("gap", "rule")
_LIGHT = ("blank", "quote", "separator", "close")


def trimmed(tokens: Sequence[Token], head: str = "") -> list[Token]:
    """The tokens without what is around a list: blank lines, rules, and words.

    Args:
        tokens: A list.
        head: The kind of what stands in front of it: "head", "label", or nothing.
    """
    numbers = [at for at, token in enumerate(tokens) if token.kind in ("number", "void")]
    around = _before(tokens, numbers, head) | _behind(tokens, numbers, head)
    kept = [token for at, token in enumerate(tokens) if at not in around]
    start = next((at for at, token in enumerate(kept) if token.kind not in SPACE), len(kept))
    kept = kept[start:]
    while kept and kept[-1].kind in SPACE:
        kept.pop()
    return kept


def check_front(tokens: Sequence[Token], places: Places) -> None:
    """Refuse words beside the numbers of a list that has no heading.

    Raises:
        FormatError: No blank line divides them.
    """
    words: Token | None = None
    has_numbers = False
    for token in tokens:
        if token.kind in _DIVIDING:
            words, has_numbers = None, False
        elif token.kind in ("words", "mixed"):
            words = token
        elif token.kind in ("number", "void"):
            has_numbers = True
        if words and has_numbers:
            raise misplaced(words, places)


def _before(tokens: Sequence[Token], numbers: list[int], head: str) -> set[int]:
    """The places of words in front of a list that has no heading."""
    if head or not numbers:
        return set()
    front = tokens[: numbers[0]]
    divided = max((at for at, token in enumerate(front) if token.kind in _DIVIDING), default=0)
    is_makhorins = any(token.kind == "rule" and token.text == "&" for token in tokens)
    if is_makhorins or sum(token.kind == "open" for token in front) > 1:
        divided = len(front)
    depth = 0
    found = set()
    for at, token in enumerate(front):
        depth += (token.kind == "open") - (token.kind == "close")
        if depth <= 0 and at < divided and token.kind in _WORDS:
            found.add(at)
    return found


def _behind(tokens: Sequence[Token], numbers: list[int], head: str) -> set[int]:
    """The places of words behind a list; all words where a heading has no numbers."""
    last = numbers[-1] if numbers else -1
    between = tokens[numbers[0] : last] if numbers else []
    # Blank lines between the clues of a list make words behind another one doubtful.
    gaps = sum(token.kind in _DIVIDING for token in between) > (0 if head else 1)
    gaps = gaps or (head == "label" and not numbers)
    divided = head != "label" and not numbers
    deepest = depth = 0
    found = set()
    for at, token in enumerate(tokens):
        depth += (token.kind == "open") - (token.kind == "close")
        deepest = max(depth, deepest)
        if at <= last:
            continue
        divided = divided or (token.kind in _DIVIDING and not gaps)
        if depth <= 0 and token.kind in _WORDS and (divided or _ended(tokens, at, deepest)):
            found.add(at)
            divided = True
    return found


def _ended(tokens: Sequence[Token], at: int, deepest: int) -> bool:
    """Whether words behind a list in brackets are no clue: on a line of their own, or a key.

    Where the brackets hold numbers alone, they may be those of one clue: then a key is needed.
    """
    nearest = next((token for token in reversed(tokens[:at]) if token.kind not in _LIGHT), None)
    follows = [token.kind for token in tokens[at + 1 : at + 4] if token.kind not in _LIGHT]
    is_key = follows[:1] == ["equals"] or any(sign in tokens[at].text for sign in ":=")
    is_alone = nearest is not None and nearest.kind == "newline"
    return is_key if deepest == 1 else deepest > 1 and (is_key or is_alone)


class _Ends(NamedTuple):
    """What stands at the ends of a list that may be empty clues."""

    bars: tuple[bool, bool]  # whether the list begins and ends with a bar
    before: int  # blank lines in front of it
    behind: int  # and behind it, where nothing else follows; 0 for a list on one line


def has_loose_ends(lists: Sequence[Sequence[Token]]) -> bool:
    """Whether an end of one of two lists may be an empty clue: the lists do not look alike there.

    Blank lines below both headings, one blank line between the lists, and bars around both lists
    are looks.
    """
    every = [_ends(tokens) for tokens in lists]
    every = [ends for ends in every if ends]
    if len(every) != 2:
        return False
    one, other = (ends for ends in every if ends)
    return (
        one.bars != other.bars
        or one.before != other.before
        or one.behind > 1
        or other.behind - 1 > one.behind  # the last line of a text is blank where a break ends it
    )


def _ends(tokens: Sequence[Token]) -> _Ends | None:
    """The ends of a list; None where it has no clues."""
    held = [at for at, token in enumerate(tokens) if token.kind not in SPACE]
    if not any(tokens[at].kind in ("number", "void", "dash") for at in held):
        return None
    first, last = held[0], held[-1]
    bars = (tokens[first].text == "|", tokens[last].text == "|")
    before = _blank_lines(tokens[:first])
    has_lines = any(token.kind == "newline" for token in tokens[first:last])
    behind = _blank_lines(tokens[last:]) if has_lines else 0
    return _Ends(bars, before, 0 if tokens[last].kind == "words" else behind)


def _blank_lines(tokens: Sequence[Token]) -> int:
    return sum(token.kind == "gap" and not token.text for token in tokens)
