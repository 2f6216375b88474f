"""The painter of SVG, which needs no other package: a string for each shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nonosat.core.limits import polled
from nonosat.render.shapes import FONT, MM, Circle, Group, Page, Path, Shape, Texts

MAX_PIXELS = 900  # longer side of a picture in a notebook; larger pictures are scaled down
_FONTS = "Helvetica,Arial,sans-serif"  # fonts with the widths that drawings assume


def document(page: Page, most: float | None = MAX_PIXELS) -> str:
    """Return an SVG document without XML declaration, to embed or save.

    Args:
        page: Content.
        most: Limit of the longer side in pixels; None for the true size, in millimetres.
    """
    if most is None:
        width, height = f"{_number(page.width / MM)}mm", f"{_number(page.height / MM)}mm"
    else:
        scale = min(1, most / max(page.width, page.height))
        width, height = str(round(page.width * scale)), str(round(page.height * scale))
    sides = f"{_number(page.width)} {_number(page.height)}"
    title = escaped(page.title)
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {sides}" font-family="{_FONTS}" font-size="{FONT}">'
            f"<title>{title}</title>"
            f'<rect width="{_number(page.width)}" height="{_number(page.height)}" '
            f'fill="{page.ground}"/>',
            *_elements(page.shapes),
            "</svg>",
        ]
    )


def _elements(shapes: Iterable[Shape]) -> Iterator[str]:
    for shape in polled(shapes):
        if isinstance(shape, Path):
            if shape.data:
                yield _path(shape)
        elif isinstance(shape, Circle):
            yield (
                f'<circle cx="{_number(shape.x)}" cy="{_number(shape.y)}" '
                f'r="{_number(shape.radius)}"{_colours(shape)}/>'
            )
        elif isinstance(shape, Texts):
            yield from _texts(shape)
        else:
            yield from _group(shape)


def _path(path: Path) -> str:
    more = _colours(path)
    if path.opacity != 1:
        more += f' fill-opacity="{_number(path.opacity)}"'
    if path.dash:
        more += f' stroke-dasharray="{_number(path.dash)}"'
    if path.is_crisp:
        more += ' shape-rendering="crispEdges"'
    if path.is_round:
        more += ' stroke-linecap="round" stroke-linejoin="round"'
    return f'<path{more} d="{path.data}"/>'


def _colours(shape: Path | Circle) -> str:
    fill = f' fill="{shape.fill}"' if shape.fill else ' fill="none"'
    if not shape.stroke:
        return fill
    return f'{fill} stroke="{shape.stroke}" stroke-width="{_number(shape.width)}"'


def _texts(texts: Texts) -> Iterator[str]:
    """Yield one element with the common style of all texts, and one for each text."""
    if not texts.places:
        return
    attributes = "" if texts.size == FONT else f' font-size="{_number(texts.size)}"'
    attributes += "" if texts.fill == "#000000" else f' fill="{texts.fill}"'
    attributes += "" if texts.anchor == "start" else f' text-anchor="{texts.anchor}"'
    attributes += ' font-weight="bold"' if texts.is_bold else ""
    attributes += ' font-family="monospace" xml:space="preserve"' if texts.is_even else ""
    if texts.halo:
        attributes += f' stroke="{texts.halo}" stroke-width="3" paint-order="stroke"'
    yield f"<g{attributes}>"
    for x, y, text in polled(texts.places):
        if type(x) is type(y) is int:  # nearly all of them
            yield f'<text x="{x}" y="{y}">{escaped(text)}</text>'
            continue
        yield f'<text x="{_number(x)}" y="{_number(y)}">{escaped(text)}</text>'
    yield "</g>"


def _group(group: Group) -> Iterator[str]:
    moves = f"translate({_number(group.x)} {_number(group.y)})" if group.x or group.y else ""
    if group.scale != 1:
        moves = f"{moves} scale({group.scale:.6g})".lstrip()
    yield f'<g transform="{moves}">' if moves else "<g>"
    yield from _elements(group.shapes)
    yield "</g>"


def _number(value: float) -> str:
    """Return a length in its shortest form, rounded to the hundredth of a pixel."""
    if type(value) is int or value == int(value):
        return str(int(value))
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return text.removeprefix("0") if text.startswith("0.") else text


def escaped(text: str) -> str:
    """Return text for XML: markup escaped; characters that XML 1.0 cannot hold replaced."""
    if text.isalnum() and text.isascii():  # nearly all texts are clues
        return text
    safe = "".join(char if _is_xml(ord(char)) else "\ufffd" for char in text)
    return safe.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _is_xml(code: int) -> bool:
    is_control = code < 0x20 and code not in (0x9, 0xA, 0xD)
    return not (is_control or 0xD800 <= code < 0xE000 or code in (0xFFFE, 0xFFFF))
