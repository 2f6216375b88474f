"""Number of pieces of work in a batch: about half a second of work, and never a large share of all.

A batch that is large for the whole collection would keep one worker busy while the others have
nothing left (1000 tournament puzzles on 16 workers took 5.4 s, 0.8 s of work for each). Since the
number of pieces is not known before the last one has been read, the bound refers to what has been
handed out so far.
Source: C. Polychronopoulos, D. Kuck (1987), guided self-scheduling.
"""

from __future__ import annotations

BATCH_S = 0.5  # of work in a batch
MOST_IN_BATCH = 1000
WEIGHT = 0.02  # of one piece in the mean
SHARES = 8  # a batch has at most this fraction of what one worker has been given on average


class Pace:
    """Learns how long pieces take.

    Args:
        overhead_s: Seconds of a piece beside those that `learn` receives.
        num_workers: Workers that share the batches.

    Attributes:
        size: Pieces that the next batch should have.
    """

    def __init__(self, overhead_s: float, num_workers: int) -> None:
        self.size = 1
        self._overhead_s = overhead_s
        self._num_workers = num_workers
        self._num_handed_out = 0
        self._mean_s: float | None = None

    def begin(self, num_pieces: int) -> None:
        """Count a batch that has been handed out; batches grow by a factor of two at most."""
        self._num_handed_out += num_pieces
        if self._mean_s is not None:
            fitting = int(BATCH_S / (self._mean_s + self._overhead_s))
            share = self._num_handed_out // (SHARES * self._num_workers)
            self.size = max(1, min(fitting, share, 2 * self.size, MOST_IN_BATCH))

    def learn(self, seconds: float) -> None:
        """Count the seconds that a piece has taken into the mean."""
        if self._mean_s is None:
            self._mean_s = seconds
        self._mean_s += WEIGHT * (seconds - self._mean_s)
