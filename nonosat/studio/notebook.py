"""The studio's board in a notebook's cell, through anywidget (the extra `notebook`).

A cell is a frame of its own (`srcdoc`, sandboxed) with a page of one file, as for the player, so
that the styles of notebook and page do not affect each other, and the page needs no network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import nonosat
from nonosat.core.errors import install_command
from nonosat.studio.bundling import own_page

if TYPE_CHECKING:
    from anywidget import AnyWidget

_STYLES = (
    *("verdict/verdict.css", "play/play.css", "explain/explain.css"),
    *("single/single.css", "notebook/notebook.css"),
)
_FRAME = """
export default {
  render({ model, el }) {
    const frame = document.createElement("iframe");
    frame.sandbox = "allow-scripts";
    frame.style.cssText = `width: 100%; height: ${model.get("height")}px; border: 0`;
    frame.title = model.get("label");
    frame.srcdoc = model.get("page");
    el.append(frame);
  },
};
"""


def widget(shown: object, *, height: int = 480, **limits: object) -> AnyWidget:
    """Return a board to play a puzzle, step through an explanation, or show a result.

        >>> from nonosat.studio.notebook import widget
        >>> widget(nonosat.explain(nonosat.nonogram([[2], [1]], [[1], [2]]))).label
        'explanation: 2 rows x 2 columns'

    Args:
        shown: A nonogram or a Slitherlink, its `Explanation`, or its `Result`.
        height: Height of the cell, in CSS pixels.
        **limits: Limits of the explanation that provides the hints, as for `nonosat.explain`.

    Raises:
        UnsupportedError: `shown` has another type or family, or anywidget is not installed.
    """
    try:
        import traitlets
        from anywidget import AnyWidget
    except ImportError:
        raise nonosat.UnsupportedError(
            "boards in notebooks need anywidget, which is not installed: "
            f"{install_command('notebook')}"
        ) from None

    class PageWidget(AnyWidget):  # type: ignore[misc]  # it has no types
        """A page in a frame."""

        _esm = _FRAME
        page = traitlets.Unicode().tag(sync=True)
        label = traitlets.Unicode().tag(sync=True)
        height = traitlets.Int().tag(sync=True)

    mode, puzzle, data = _data_of(shown, limits)
    label = f"{mode}: {puzzle.size}"
    return PageWidget(page=board_page(mode, puzzle, data), label=label, height=height)


def board_page(mode: str, puzzle: Any, data: dict[str, Any]) -> str:
    """Return the page of a cell.

    Args:
        mode: "game", "explanation" or "result".
        puzzle: A nonogram or a Slitherlink; its goal is left out.
        data: Data of the mode: see `page/notebook/notebook.js`.
    """
    clues = {key: value for key, value in puzzle.to_data().items() if key not in ("goal", "saved")}
    parts = {"game": "play", "explanation": "explain", "result": "result"}
    return own_page(
        "notebook/notebook.js",
        _STYLES,
        {"mode": parts[mode], "puzzle": clues, "explanation": None} | data,
        title=mode.capitalize(),
        without="This board is shown by its own script.",
    )


def _data_of(shown: object, limits: dict[str, Any]) -> tuple[str, Any, dict[str, Any]]:
    """Return the mode, the puzzle, and further data of the page."""
    puzzle = shown.puzzle if isinstance(shown, nonosat.Explanation | nonosat.Result) else shown
    if not isinstance(puzzle, nonosat.Nonogram | nonosat.Slitherlink):
        raise nonosat.UnsupportedError(
            "expected a nonogram or a Slitherlink, its explanation or its result, "
            f"found {type(puzzle).__name__}"
        )
    if isinstance(shown, nonosat.Result):
        found = shown.to_data()
        return "result", puzzle, {"found": _found(shown, found)}
    if isinstance(shown, nonosat.Explanation):
        return "explanation", puzzle, {"explanation": shown.to_data(with_puzzle=False)}
    explained = nonosat.explain(puzzle, **limits)
    return "game", puzzle, {"explanation": explained.to_data(with_puzzle=False)}


def _found(result: nonosat.Result, data: dict[str, Any]) -> dict[str, Any]:
    return {
        "sentence": str(result),
        "rows": next(iter(data["solutions"]), None),
        "differing": data["disputed"],
        "legend": data.get("legend", {}),
    }
