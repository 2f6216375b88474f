"""The frame of every SVG picture: size, margins, caption."""

from __future__ import annotations

from collections.abc import Iterable

MAX_PIXELS = 900  # a side of the shown picture; larger drawings are shown smaller
FONT = 12  # pixels; a digit is about 0.6 of it wide
DIGIT = 7


def document(
    sides: tuple[int, int], body: Iterable[str], caption: str, left: int = 2, top: int = 2
) -> str:
    """A whole SVG document without XML declaration, to be embedded or saved.

    Args:
        sides: Width and height of the body, in pixels.
        body: SVG elements, drawn from (0, 0).
        caption: Text below the picture, also its title.
        left: Margin in pixels.
        top: The same above.
    """
    text = escaped(caption)
    right, bottom = left + sides[0] + 2, top + sides[1] + 2
    scale = min(1, MAX_PIXELS / max(right, bottom))
    font = round(FONT / scale)  # the caption is as large as elsewhere, however small the board
    width = max(right, font + len(caption) * font * DIGIT // FONT)
    height = bottom + font * 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{round(width * scale)}" '
        f'height="{round(height * scale)}" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="{FONT}"><title>{text}</title>'
        f'<rect width="{width}" height="{height}" fill="#fff"/>'
        f'<g transform="translate({left} {top})">{"".join(body)}</g>'
        f'<text x="{font // 3}" y="{height - font // 2}" font-size="{font}">{text}</text></svg>'
    )


def escaped(text: str) -> str:
    """Text for XML: markup escaped; characters that XML 1.0 cannot hold replaced."""
    safe = "".join(char if _is_xml(ord(char)) else "\ufffd" for char in text)
    return safe.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _is_xml(code: int) -> bool:
    is_control = code < 0x20 and code not in (0x9, 0xA, 0xD)
    return not (is_control or 0xD800 <= code < 0xE000 or code in (0xFFFE, 0xFFFF))
