"""Some pages of a PDF side by side, as a small PNG for the README.

    nonosat render instances/pictures.jsonl instances/colour.jsonl --book --by-rating \\
        --title "Twenty-four pictures" --author "The nonosat collection" -o book.pdf
    python benchmarks/sheets/pages.py book.pdf 1 2 9 13 27 -o benchmarks/sheets/book.png

The first command ends with status 2: two of the puzzles are too large for A4. The other picture of
the README that is not of its first recipe is made by nonosat alone:

    nonosat why-multiple instances/mathematics.jsonl#moire-fine --svg benchmarks/sheets/switches.svg

Needs Pillow, and pdftoppm of Poppler. Between the pages nothing is drawn, so that the picture suits
light and dark grounds.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageOps

HEIGHT = 460  # pixels of a page
GAP = 14
COLOURS = 128
EDGE = "#b0b0b0"


def page(pdf: str, number: int) -> Image.Image:
    """Return a page, counted from 1, with a thin border."""
    program = shutil.which("pdftoppm")
    if program is None:
        sys.exit("pdftoppm is not there; install Poppler")
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "page"
        place = ["-f", str(number), "-l", str(number), "-singlefile"]
        # Twice as large, then reduced by Pillow, so that thin lines stay even.
        size = ["-scale-to-x", "-1", "-scale-to-y", str(2 * HEIGHT)]
        subprocess.run([program, "-png", *place, *size, pdf, str(target)], check=True)
        with Image.open(target.with_suffix(".png")) as drawn:
            small = drawn.convert("RGB").resize(
                (round(drawn.width * HEIGHT / drawn.height), HEIGHT), Image.Resampling.LANCZOS
            )
    return ImageOps.expand(small, 1, EDGE)


def beside(pages: list[Image.Image]) -> Image.Image:
    """Return pages in a row on a transparent background."""
    width = sum(one.width + GAP for one in pages) - GAP
    row = Image.new("RGBA", (width, max(one.height for one in pages)))
    x = 0
    for one in pages:
        row.paste(one, (x, 0))
        x += one.width + GAP
    return row.quantize(COLOURS, Image.Quantize.FASTOCTREE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pdf")
    parser.add_argument("pages", type=int, nargs="+", help="counted from 1")
    parser.add_argument("-o", "--output", required=True, metavar="OUT.png")
    asked = parser.parse_args()
    beside([page(asked.pdf, number) for number in asked.pages]).save(asked.output, optimize=True)


if __name__ == "__main__":
    main()
