"""How many pieces of work make a batch of about half a second, by the mean of the last ones."""

from __future__ import annotations

BATCH_S = 0.5  # of work in a batch
MOST_IN_BATCH = 1000
WEIGHT = 0.02  # of one piece in the mean


class Pace:
    """Learns how long pieces take.

    Args:
        overhead_s: Of a piece, for all but what `learn` is told.

    Attributes:
        size: Pieces that the next batch should have.
    """

    def __init__(self, overhead_s: float) -> None:
        self.size = 1
        self._overhead_s = overhead_s
        self._mean_s: float | None = None

    def begin(self) -> None:
        """A batch has been made; batches grow by a factor of two at most."""
        if self._mean_s is not None:
            fitting = int(BATCH_S / (self._mean_s + self._overhead_s))
            self.size = max(1, min(fitting, 2 * self.size, MOST_IN_BATCH))

    def learn(self, seconds: float) -> None:
        """A piece has taken so long."""
        if self._mean_s is None:
            self._mean_s = seconds
        self._mean_s += WEIGHT * (seconds - self._mean_s)
