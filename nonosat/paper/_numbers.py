"""Recognition of printed numbers from 0 to 99, with the probabilities of all alternatives.

A small convolutional network, which `benchmarks/paper/classifier.py` trains with rendered fonts,
gives the probabilities of the tens, of the units, and that an image is a number at all. NumPy
evaluates it: `digits.npz` has 80 kB.

Linear in the numbers: about 0.1 ms each on one core.
Source: LeCun et al., Gradient-Based Learning Applied to Document Recognition (1998).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from nonosat.core.limits import checkpoint

HEIGHT, WIDTH = 24, 32  # pixels of an image
INNER = 18  # pixels of the height of a number in it
NO_NUMBER = 100
_BATCH = 64


class Network(NamedTuple):
    """Shape of the network.

    Args:
        convolved: Channels before and after, and the side of the kernel, of each convolution, which
            halves the sides of an image.
        flat: Values after the convolutions.
        inner: Values of the inner layer.
        heads: Tens, units, and whether it is a number.
    """

    convolved: tuple[tuple[int, int, int], ...]
    flat: int
    inner: int
    heads: tuple[int, int, int]


NETWORK = Network(((1, 16, 5), (16, 32, 3), (32, 32, 3)), 32 * 3 * 4, 64, (10, 10, 2))


@cache
def _weights() -> Mapping[str, Any]:
    with files("nonosat.paper").joinpath("digits.npz").open("rb") as file, np.load(file) as stored:
        return {name: stored[name].astype(np.float32) for name in stored.files}


def chances(images: Sequence[Any]) -> Any:
    """Return for each image the probability of each number from 0 to 99, and last of no number.

    Args:
        images: Arrays shaped (HEIGHT, WIDTH); 0 is paper and 1 is ink.
    """
    found = [np.zeros((0, NO_NUMBER + 1))]
    for start in range(0, len(images), _BATCH):
        checkpoint()
        tens, units, is_number = _outputs(np.array(images[start : start + _BATCH], np.float32))
        numbers = (tens[:, :, None] * units[:, None, :]).reshape(-1, NO_NUMBER)
        found.append(np.hstack([numbers * is_number[:, 1:], is_number[:, :1]]))
    return np.concatenate(found)


def _outputs(images: Any) -> list[Any]:
    """Return the probabilities of the heads of the network."""
    weights = _weights()
    values = images[:, None]
    for at in range(len(NETWORK.convolved)):
        kernel, bias = weights[f"layers.{at}.weight"], weights[f"layers.{at}.bias"]
        values = np.maximum(_convolved(values, kernel) + bias[:, None, None], 0)
    flat = values.reshape(len(values), -1)
    inner = np.maximum(flat @ weights["inner.weight"].T + weights["inner.bias"], 0)
    outer = (inner @ weights["outer.weight"].T + weights["outer.bias"]).astype(float)
    parts = np.split(outer, np.cumsum(NETWORK.heads)[:-1], axis=1)
    powers = [np.exp(part - part.max(axis=1, keepdims=True)) for part in parts]
    return [power / power.sum(axis=1, keepdims=True) for power in powers]


def _convolved(values: Any, kernel: Any) -> Any:
    """Return the convolution at every second place: (images, channels, height, width)."""
    side = kernel.shape[-1]
    edge = side // 2
    wide = np.pad(values, ((0, 0), (0, 0), (edge, edge), (edge, edge)))
    windows = np.lib.stride_tricks.sliding_window_view(wide, (side, side), axis=(2, 3))
    return np.einsum("nchwij,ocij->nohw", windows[:, :, ::2, ::2], kernel, optimize=True)
