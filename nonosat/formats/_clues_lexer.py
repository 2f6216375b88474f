"""A free text as tokens: numbers, separators, brackets, headings, labels, sizes and other words.

Words are classified line by line, because their meaning depends on their neighbours: comments are
left out, phrases become headings, and a line of words that are no headings becomes one token.
The lexer does not assign numbers to clues. Time is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from nonosat.formats import _clues_words as words_
from nonosat.formats._text import each_line

# Equivalent characters, one for one, so that positions remain valid.
_SAME = str.maketrans(
    "\t\u00a0\u2013\u2014\u2212\uff0c\uff1b\uff1a\u201c\u201d\u2018", '  ---,;:""\''
)

_TOKEN = re.compile(
    r"(?P<size>[0-9]{1,9}(?:[xX×]| +(?:x|X|×|by) +)[0-9]{1,9}(?!\w))"
    r"|(?P<number>[0-9]+(?:[A-Za-z](?!\w))?(?![^\W\d_]))"
    r"|(?P<word>[^\W\d_][\w’']*\w|[^\W\d_])"
    r"|(?P<array>\[\|)"
    r"|(?P<blank> +)|(?P<open>[\[({])|(?P<close>[\])}])|(?P<quote>\"\"\"|'''|[\"'])"
    r"|(?P<equals>:=|[:=])|(?P<separator>[,;/|])|(?P<dot>\.)|(?P<dash>-)"
    r"|(?P<other>[0-9]*[^\W_]+|.)"
)
_LETTER = re.compile(r"[^\W\d_]")
_FENCE = re.compile(r"\s*(```|~~~)\s*\w*\s*")
_RULE = re.compile(r"\s*(?:(?:[-=_*~]\s*){3,}|[|#&])\s*")
_COMMENT = re.compile(r"(?:^|(?<=\s))(?://|#(?![0-9]))(?P<rest>.*)")
_EMPHASIS = re.compile(r"\*\*|__|`")
_LEAD = re.compile(r"\s*(?:[-*•]\s+)?(?=[^\W\d])")
_NAME = re.compile(r"(?<![\w.])(?P<name>[^\W\d]\w*)[\"']?[ \t]*(?::=|[:=])\s*(?=[\[({\"'0-9-])")
_COUNTS = re.compile(
    r"\W*([0-9]{1,9}) *(rows?|columns?|cols?)(?: *(?:,|x|by|and|&) *| +)([0-9]{1,9}) *"
    r"(rows?|columns?|cols?)\W*",
    re.IGNORECASE,
)


class Token(NamedTuple):
    """A piece of a text.

    `kind` is one of number, blank, open, close, quote, equals, separator, dot, dash, other, array,
    newline, gap (a blank line, or a fence as `text`), rule (a line that divides), head (`text` is
    "rows" or "columns"), label ("rows 3"), size ("5x4", "width 5"), void (a clue without blocks),
    words, and mixed (a line of words and numbers).
    """

    kind: str
    text: str
    place: int


Names = Mapping[str, str]  # the side of each name that is not a heading


def lex(text: str, names: Names = MappingProxyType({})) -> list[Token]:
    """Return the tokens of a text.

    Args:
        text: The text; `place` of a token is an index into it.
        names: Maps further names before lists, such as "x" in "x = [[2], [1]]", to "rows" or
            "columns".
    """
    found: list[Token] = []
    start = 0
    quoted = _all_quoted(text)
    for line in each_line(text):
        shown = line.translate(_SAME)
        found += _line(_unquoted(shown) if quoted else shown, start, found, names)
        start += len(line) + 1
    return found


def _all_quoted(text: str) -> bool:
    """Return True if every line begins with '>', as quotations in e-mails do."""
    return text.lstrip()[:1] == ">" and all(
        line.lstrip()[:1] in (">", "") for line in each_line(text)
    )


def _unquoted(line: str) -> str:
    return line.replace(">", " ", 1)


def list_names(text: str) -> list[str]:
    """Return the names before "=" or ":" and a list, in order."""
    return [found["name"] for found in _NAME.finditer(text)]


def _line(line: str, start: int, before: Sequence[Token], names: Names) -> list[Token]:
    """Return the tokens of one line, including its end."""
    if not line.strip() or _FENCE.fullmatch(line):
        return [Token("gap", line.strip(), start)]
    if _RULE.fullmatch(line):
        below = next((token.kind for token in reversed(before) if token.kind != "newline"), "")
        return [] if below == "head" else [Token("rule", line.strip()[:1], start)]
    if not _LETTER.search(line):
        return [*_raw(line, start), Token("newline", "", start + len(line))]
    line = _uncommented(line)
    if not line.strip():
        return []
    if counts := _COUNTS.fullmatch(line):
        found = _counted(counts, start)
    else:
        lead = _LEAD.match(line)
        skipped = lead.end() if lead else 0
        spaced = _EMPHASIS.sub(lambda found: " " * len(found[0]), " " * skipped + line[skipped:])
        phrased = _phrased(list(_raw(spaced, start)), line, start, names)
        found = _summed(list(phrased), line, start)
    return [*found, Token("newline", "", start + len(line))]


def _raw(line: str, start: int) -> Iterator[Token]:
    for found in _TOKEN.finditer(line):
        yield Token(found.lastgroup or "", found[0], start + found.start())


def _uncommented(line: str) -> str:
    """Return the line without its comment; a heading in a comment is kept."""
    found = _COMMENT.search(line)
    if found is None or not _LETTER.search(found["rest"]):
        return line
    words = re.findall(r"[^\W\d_]\w*", found["rest"])
    alone = not line[: found.start()].strip()
    if alone and found[0][:1] == "#" and words_.side_of(words):
        return " " * found.start("rest") + found["rest"].lstrip("#").rjust(len(found["rest"]))
    return line[: found.start()]


def _counted(found: re.Match[str], start: int) -> list[Token]:
    """Return two size tokens for a text such as "5 columns, 4 rows"."""
    sides = [found[2][0].lower(), found[4][0].lower()]
    if sides[0] == sides[1]:
        return [Token("mixed", found[0], start)]
    names = ["height" if side == "r" else "width" for side in sides]
    return [
        Token("size", f"{names[0]} {found[1]}", start),
        Token("size", f"{names[1]} {found[3]}", start),
    ]


def _summed(tokens: list[Token], line: str, start: int) -> list[Token]:
    """Return a line's tokens; a line of words without headings becomes one token."""
    kinds = {token.kind for token in tokens}
    if "words" not in kinds or kinds & {"head", "label"}:
        return tokens
    if kinds & {"number", "size", "void"}:
        return [Token("mixed", line.strip(), start + len(line) - len(line.lstrip()))]
    held = [token for token in tokens if token.text in tuple("[]{}")]
    words = Token("words", line.strip(), start + len(line) - len(line.lstrip()))
    return [words, *held]


def _phrased(raw: list[Token], line: str, start: int, names: Names) -> Iterator[Token]:
    """Yield a line's tokens, with each phrase of words replaced by the tokens that it means."""
    at = 0
    held: Token | None = None  # an opening bracket that may belong to a phrase
    while at < len(raw):
        token = raw[at]
        if token.kind != "word":
            if held:
                yield held
            held = token if token.kind in ("open", "quote") else None
            if not held:
                yield token
            at += 1
            continue
        end, phrase = _gathered(raw, at)
        if held and end < len(raw) and raw[end].text == _closing(held.text):
            end, held = end + 1, None
        if held:
            yield held
            held = None
        text = line[token.place - start : phrase[-1].place - start + len(phrase[-1].text)]
        if (side := names.get(phrase[-1].text)) and (after_head := _after(raw, end)) > end:
            at, found = after_head, [Token("head", side, token.place)]
        else:
            words = [one.text for one in phrase]
            at, found = _meaning(raw, end, words, Token("words", text, token.place))
        yield from found
    if held:
        yield held


def _closing(opening: str) -> str:
    return {"(": ")", "[": "]", "{": "}"}.get(opening, opening)


def _gathered(raw: list[Token], at: int) -> tuple[int, list[Token]]:
    """Return (position after a phrase, its words).

    A label, or a word for "empty", is a phrase by itself.
    """
    phrase = [raw[at]]
    end = at + 1
    if _alone(raw[at].text):
        return end, phrase
    while True:
        ahead = end
        while ahead < len(raw) and (
            raw[ahead].kind == "blank" or raw[ahead].text in tuple(",()-.!?&\"'")
        ):
            ahead += 1
        if ahead == len(raw) or raw[ahead].kind != "word" or _alone(raw[ahead].text):
            break
        phrase.append(raw[ahead])
        end = ahead + 1
    opened = sum(token.text == "(" for token in raw[at:end])
    if opened and end < len(raw) and raw[end].text == ")":
        end += 1
    return end, phrase


def _alone(word: str) -> bool:
    return word in words_.EMPTY or words_.label(word) is not None


def _meaning(raw: list[Token], at: int, words: list[str], plain: Token) -> tuple[int, list[Token]]:
    """Return (position after a phrase, tokens that replace it)."""
    place = plain.place
    if words[0] in words_.EMPTY:
        return at, [Token("void", words[0], place)]
    if found := words_.label(words[0]):
        return _after(raw, at), [Token("label", f"{found[0]} {found[1]}", place)]
    if side := words_.side_of(words):
        if words_.is_single(words[-1]) and (end := _numbered(raw, at)):
            number = next(token.text for token in raw[at:end] if token.kind == "number")
            if len(number) < 10:
                return end, [Token("label", f"{side} {number}", place)]
        head = Token("head", side, place)
        if span := _span(raw, at):
            return len(raw), [head, span]  # unreadable; the error names it
        return _after(raw, _remark(raw, at)), [head]
    if what := words_.size_of(words):
        at = _skip(raw, _after(raw, at))
        if what == "size" and at < len(raw) and raw[at].kind == "size":
            return at, []
        if at < len(raw) and raw[at].kind == "number":
            return _sizes(raw, at, what, place)
    return at, [plain]


def _sizes(raw: list[Token], at: int, what: str, place: int) -> tuple[int, list[Token]]:
    """Return (position after it, size tokens) for "width 5", "size 5" or "size 5 4"."""
    number = raw[at].text
    if what != "size":
        return at + 1, [Token("size", f"{what} {number}", place)]
    ahead = at + 1
    while ahead < len(raw) and (raw[ahead].kind == "blank" or raw[ahead].text == ","):
        ahead += 1
    if ahead < len(raw) and raw[ahead].kind == "number":
        return ahead + 1, [Token("size", f"{number}x{raw[ahead].text}", place)]
    return at + 1, [Token("size", f"{number}x{number}", place)]


def _skip(raw: list[Token], at: int) -> int:
    return at + 1 if at < len(raw) and raw[at].kind == "blank" else at


def _after(raw: list[Token], at: int) -> int:
    """Return the position after the sign that ends a heading, if there is one."""
    ahead = _skip(raw, at)
    if ahead < len(raw) and raw[ahead].kind == "equals":
        return ahead + 1
    dashed = ahead > at and [token.kind for token in raw[ahead : ahead + 2]] == ["dash", "blank"]
    return ahead + 2 if dashed else at


def _remark(raw: list[Token], at: int) -> int:
    """Return the position after a number of lines in a heading, such as "(5)"; else `at`."""
    ahead = _skip(raw, at)
    if [token.text for token in raw[ahead : ahead + 3 : 2]] != ["(", ")"]:
        return at
    end = ahead + 3
    ends = _skip(raw, end)
    closes = ends == len(raw) or raw[ends].kind == "equals"
    return end if raw[ahead + 1].kind == "number" and closes else at


def _span(raw: list[Token], at: int) -> Token | None:
    """Return the token of a label for several lines, such as "rows 1-3:"; None if there is none."""
    some = [token for token in raw[at : at + 6] if token.kind != "blank"]
    if [token.kind for token in some[:4]] != ["number", "dash", "number", "equals"]:
        return None
    return Token("other", "".join(token.text for token in some[:4]), some[0].place)


def _numbered(raw: list[Token], at: int) -> int:
    """Return the position after " 3:" of "row 3:", or 0 if no number follows that labels a line."""
    ahead = _skip(raw, at)
    if ahead < len(raw) and raw[ahead].text == "#":
        ahead = _skip(raw, ahead + 1)
    if ahead == len(raw) or raw[ahead].kind != "number" or not raw[ahead].text.isdigit():
        return 0
    end = ahead + 1
    if (ends := _after(raw, end)) > end:
        return ends
    if _skip(raw, end) == len(raw):
        return end
    following = [token.kind for token in raw[end : end + 2]]
    if raw[end].text == ")" or following == ["dot", "blank"]:
        return end + 1
    return 0
