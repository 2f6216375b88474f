"""Recognition of printed numbers from 0 to 99, with the probabilities of all alternatives.

The recogniser of RapidOCR (PP-OCR, text in one line) gives the probability of each character at
each of some places across an image; of these the probabilities of numbers are summed over all
alignments (connectionist temporal classification). onnxruntime evaluates the network, whose file
the package rapidocr contains: nothing is fetched. Both are imported here only.

Linear in the numbers: about 5 ms each on one core.
Source: Graves et al., Connectionist Temporal Classification (2006).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from nonosat.core.errors import UnsupportedError, install_command
from nonosat.core.limits import checkpoint

HEIGHT = 48  # pixels of an image, as the network was trained
INNER = 30  # pixels of the height of a number in it
WIDTHS = (64, 96)  # of images of one digit and of two
_BATCH = 8
_MODEL = "models/PP-OCRv6_rec_small.onnx"
_BLANK = 0
# Letters that look like a digit, which alone in its line cannot be told from it.
_ALIKE = {
    "0": "0OoQD",
    "1": "1lI|!i][",
    "2": "2Zz",
    "3": "3",
    "4": "4A",
    "5": "5Ss",
    "6": "6b",
    "7": "7?",
    "8": "8B",
    "9": "9gq",
}
_TEXT = 0.05  # a box beside a board is less often a text, or dirt, than the network believes
TEXTS = tuple(map(str, range(100)))  # numbers by their value


@cache
def _network() -> tuple[Any, list[list[int]]]:
    """Return the network, and for each digit its characters in the network's output."""
    try:
        import onnxruntime

        found = find_spec("rapidocr")
        if found is None or not found.submodule_search_locations:
            raise ImportError("there is no package rapidocr")
    except ImportError as error:
        what = f"numbers in photographs are read by rapidocr and onnxruntime ({error})"
        raise UnsupportedError(f"{what}; {install_command('paper')}") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    file = Path(next(iter(found.submodule_search_locations))) / _MODEL
    if not file.is_file():
        raise UnsupportedError(
            f"the package rapidocr has no {_MODEL}, expected a version of the range that "
            f"{install_command('paper')} installs"
        )
    session = onnxruntime.InferenceSession(str(file), options, ["CPUExecutionProvider"])
    characters = ["", *session.get_modelmeta().custom_metadata_map["character"].splitlines(), " "]
    alike = [
        [at for at, one in enumerate(characters) if one and one in _ALIKE[digit]]
        for digit in "0123456789"
    ]
    return session, alike


def chances(images: Sequence[Any]) -> Any:
    """Return for each image the weight of each number from 0 to 99, and last of no number.

    Args:
        images: Arrays shaped (HEIGHT, one of WIDTHS); 0 is paper and 1 is ink.
    """
    found = np.zeros((len(images), len(TEXTS) + 1))
    for width in WIDTHS:
        of_width = [at for at, image in enumerate(images) if image.shape[1] == width]
        for start in range(0, len(of_width), _BATCH):
            checkpoint()
            some = of_width[start : start + _BATCH]
            found[some, :-1] = _of_texts(_outputs(np.array([images[at] for at in some])))
    found[:, -1] = _TEXT * np.maximum(1 - found.sum(axis=1), 0)
    return found


def _outputs(images: Any) -> Any:
    """Return the probabilities of the blank and of ten digits, shaped (images, places, 11)."""
    session, alike = _network()
    light = (1 - 2 * images).astype(np.float32)  # -1 for ink, 1 for paper
    inputs = np.repeat(light[:, None], 3, axis=1)
    (outputs,) = session.run(None, {session.get_inputs()[0].name: inputs})
    columns = [outputs[:, :, [_BLANK]], *(outputs[:, :, some] for some in alike)]
    return np.stack([column.sum(axis=-1) for column in columns], axis=-1)


def _of_texts(outputs: Any) -> Any:
    """Return the probability of each text, summed over its alignments: (images, texts)."""
    found = np.zeros((len(outputs), len(TEXTS)))
    for length in (1, 2):
        texts = [at for at, text in enumerate(TEXTS) if len(text) == length]
        signs = np.zeros((len(texts), 2 * length + 1), int)  # blanks around the digits
        signs[:, 1::2] = [[int(digit) + 1 for digit in TEXTS[at]] for at in texts]
        seen = outputs[:, :, signs].astype(float)  # (images, places, texts, signs)
        # A blank between two digits may be left out, unless they are equal.
        skips = np.zeros(signs.shape, bool)
        skips[:, 2:] = (signs[:, 2:] != 0) & (signs[:, 2:] != signs[:, :-2])
        ways = np.zeros(seen[:, 0].shape)
        ways[..., :2] = seen[:, 0, :, :2]
        for place in range(1, seen.shape[1]):
            moved = ways.copy()
            moved[..., 1:] += ways[..., :-1]
            moved[..., 2:] += np.where(skips[:, 2:], ways[..., :-2], 0)
            ways = moved * seen[:, place]
        found[:, texts] = ways[..., -1] + ways[..., -2]
    return found
