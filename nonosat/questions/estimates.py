"""Estimated probability of each cell value of a puzzle, after line propagation."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

from nonosat.board.beliefs import Beliefs, Settings, beliefs
from nonosat.board.presolve import Rectangle
from nonosat.core.plugins import Puzzle
from nonosat.core.presenting import Data, Scene
from nonosat.core.result import Options, Verdict
from nonosat.core.scope import run_limited
from nonosat.questions.reply import Reply
from nonosat.solving.problem import Problem

DIGITS = 12  # of a probability in JSON data
DEFAULTS = Settings()


@dataclass(frozen=True, slots=True, repr=False)
class Estimate(Reply):
    """Estimated probabilities of cell values (beliefs); the other fields are those of `Reply`.

        >>> found = nonosat.estimate(nonosat.nonogram([[1], [1]], [[1], [1]]))
        >>> found
        <Estimate: nonogram: 2 rows x 2 columns: 4 open cells>
        >>> nonosat.Estimate.from_data(found.to_data()).found.probability(0, 1)
        0.5

    Args:
        found: The beliefs; None if `verdict` is "unsolvable" or "unknown".
        num_open: Cells that propagation left open.
        verdict: Verdict that propagation found incidentally; None if it found none.
    """

    found: Beliefs | None
    num_open: int = 0
    verdict: str | None = None

    def description(self) -> str:
        """Return the number of open cells, or the verdict."""
        return self.verdict or f"{self.num_open} open cells"

    def scene(self) -> Scene:
        """Return a picture in which each cell has the mean of its colours, by probability."""
        return Scene(self.puzzle, self.found, (), self.in_a_line())

    def found_data(self) -> Data:
        """Return probabilities of the colours by row, to `DIGITS` digits, or the verdict."""
        if self.found is None:
            return {"verdict": self.verdict}
        signs, legend, width = self.puzzle.symbols[1:], self.puzzle.legend, self.puzzle.width
        return {
            **({"legend": legend} if legend else {}),
            "settings": asdict(self.found.settings),
            "open": self.num_open,
            "change": self.found.change,
            "probabilities": {
                sign: [
                    [round(p, DIGITS) for p in plane[at : at + width]]
                    for at in range(0, len(plane), width)
                ]
                for sign, plane in zip(signs, self.found.planes[1:], strict=True)
            },
        }

    @classmethod
    def found_in(cls, data: Mapping[str, Any], puzzle: Any) -> dict[str, Any]:
        """Return the fields of that data, which has no beliefs about blocks."""
        if "probabilities" not in data:
            return {"found": None, "verdict": Verdict(data["verdict"]).value}
        rows = [data["probabilities"][sign] for sign in puzzle.symbols[1:]]
        shape = Rectangle(puzzle.height, puzzle.width, len(rows))
        found = Beliefs(
            shape, Settings(**data["settings"]), _planes(shape, rows), data["change"], None
        )
        return {"found": found, "num_open": data["open"]}


def _planes(
    shape: Rectangle, rows: Sequence[Sequence[Sequence[float]]]
) -> tuple[memoryview[float], ...]:
    """Return the planes of `Beliefs`, one per value; the value 0 gets the remaining probability."""
    colours = [array("d", [p for row in plane for p in row]) for plane in rows]
    if any(len(plane) != shape.size for plane in colours):
        raise ValueError(f"probabilities of other cells than {shape.height} x {shape.width}")
    empty = array("d", (round(1 - sum(cell), DIGITS) for cell in zip(*colours, strict=True)))
    return tuple(map(memoryview, (empty, *colours)))


def estimate(
    puzzle: Puzzle,
    settings: Settings = DEFAULTS,
    *,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> Estimate:
    """Estimate the probability of each cell value, after line propagation.

        >>> found = nonosat.estimate(nonosat.nonogram([[1], [1]], [[1], [1]])).found
        >>> found.probability(0, 0)
        0.5

    Args:
        puzzle: Puzzle of a family whose models are rows and columns.
        settings: Parameters of the message exchange (`nonosat.board.beliefs.Settings`).
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the process; None is without limit.

    Returns:
        Beliefs, which prove nothing; or none if the puzzle is unsolvable or a limit was hit.

    Raises:
        NotAPuzzleError: `puzzle` is not a puzzle; the message names valid inputs.
        UnsupportedError: Limits out of range, or the puzzle's model has no rows and columns.
    """
    options = Options(
        presolve="propagate", time_limit_s=time_limit_s, memory_limit_mib=memory_limit_mib
    )
    problem, started = Problem(puzzle, options), perf_counter()
    found: Beliefs | None = None
    num_open, reason = 0, ""

    def work() -> None:
        nonlocal found, num_open, reason
        if reason := problem.obstacle():
            return
        for done in problem.presolve():
            reason = done.reason
        if not reason:
            found = beliefs(problem.task, settings, problem.watch)
            num_open = problem.task.num_open()

    limit = run_limited(problem.watch, work)
    verdict = Verdict.UNKNOWN if limit else Verdict.UNSOLVABLE if reason else None
    return Estimate(
        puzzle,
        None if limit else found,
        num_open,
        verdict and verdict.value,
        reason=limit or reason,
        seconds=perf_counter() - started,
        limits=problem.watch.limits,
    )
