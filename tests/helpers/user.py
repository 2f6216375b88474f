"""Typical code of a user of the library; `mypy --strict` accepts it, and it runs."""

from pathlib import Path

import nonosat
from nonosat import Grid, Verdict


def pictures(puzzle: nonosat.Nonogram) -> list[list[str]]:
    """Return all solutions as rows of text."""
    return [grid.lines() for grid in nonosat.solutions(puzzle, 10, time_limit_s=60)]


def questions(puzzle: nonosat.Nonogram) -> str:
    """Call each query once and use its answer."""
    result: nonosat.Result = nonosat.solve(puzzle, backend="auto")
    verdict: Verdict = nonosat.check(puzzle).verdict
    unique: bool = nonosat.is_unique(puzzle)
    number: int = nonosat.count(puzzle).count
    common: nonosat.BackboneResult = nonosat.backbone(puzzle)
    settled: Grid = common.settled
    row: tuple[int, ...] = settled[0]
    cell: int = settled[0, 1]
    explanation: nonosat.Explanation = nonosat.explain(puzzle)
    techniques = {step.technique for step in explanation.steps}
    difficulty: float | None = nonosat.rate(puzzle).difficulty
    hint: nonosat.Hint = nonosat.hint(puzzle, "??\n??", time_limit_s=60)
    reason: nonosat.Reason = nonosat.reason(puzzle, 0, 0)
    estimate: nonosat.Estimate = nonosat.estimate(puzzle, memory_limit_mib=100_000)
    told = (verdict.value, unique, number, row, cell, len(techniques), difficulty, result.seconds)
    return (
        f"{told} {hint.sentence} {reason.value} {estimate.num_open} {result.to_data()['verdict']}"
    )


def files(puzzle: nonosat.Nonogram, folder: Path) -> list[nonosat.Nonogram]:
    """Write and read the puzzle in several formats."""
    nonosat.save(puzzle, folder / "puzzle.json")
    nonosat.save([puzzle, puzzle], folder / "puzzles.jsonl", force=True)
    nonosat.encode(puzzle, folder / "puzzle.cnf", encoding={"line": "order"})
    certificate: nonosat.Certificate = nonosat.prove(puzzle)
    certificate.write(folder / "certificate")
    verified: nonosat.Verified = nonosat.verify(folder / "certificate")
    assert verified.claim == certificate.claim
    assert nonosat.decode(puzzle, "s UNKNOWN").verdict is Verdict.UNKNOWN
    again: nonosat.Nonogram = nonosat.load(folder / "puzzle.json")
    text: str = nonosat.dumps(puzzle)
    one: nonosat.Nonogram = nonosat.loads(text)
    return [again, one, nonosat.Nonogram.from_data(puzzle.to_data())]


def others() -> list[str]:
    """Use puzzles of other families."""
    loop: nonosat.Slitherlink = nonosat.slitherlink(["33", ".."], title="loop")
    made: nonosat.Slitherlink = nonosat.generate_slitherlink(4, 4, clues=0.5, seed=2)
    boards = (nonosat.Queens(6), nonosat.Knight(3, 4), loop, made)
    return [str(nonosat.solve(board).solution) for board in boards]


def model() -> nonosat.ModelResult:
    """Build and solve a model."""
    builder = nonosat.ModelBuilder()
    x, y, z = builder.new_vars(3)
    builder.add([x, y], nonosat.Clause((-x, -y)), nonosat.Count([x, y, z], 2, 2))
    row = builder.new_vars(4)
    builder.add(nonosat.Line(row, (nonosat.Block(2),)))
    each: list[nonosat.Values] = list(nonosat.enumerate_model(builder.build()))
    assert len(each) == 6
    with nonosat.Engine(builder.build()) as engine:
        answer: nonosat.Answer = engine.solve([x, nonosat.TRUE])
        assert answer is nonosat.Answer.SAT
        assert engine.values[z]
    return nonosat.solve_model(builder.build(), assumptions=[nonosat.FALSE * -1])


def main(folder: Path) -> None:
    """Run all of the above."""
    puzzle = nonosat.nonogram([[2], [1]], [[1], [2]], given={(0, 0): 1}, title="corner")
    same = nonosat.from_picture(["##", ".#"], title="corner")
    assert (same.rows, same.columns) == (puzzle.rows, puzzle.columns)
    try:
        print(questions(puzzle), files(puzzle, folder), pictures(puzzle), others(), model())
        assert nonosat.UNKNOWN not in nonosat.solve(puzzle).solution.cells
    except (nonosat.PuzzleError, nonosat.FormatError, nonosat.UnsupportedError) as error:
        print(error)
    except (nonosat.LimitReached, nonosat.BackendError, nonosat.NonosatError) as error:
        raise SystemExit(str(error)) from error
