"""A disagreement of solvers in words: who is wrong, who said what, the evidence, what to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nonosat import render
from nonosat.core import families
from nonosat.core.errors import counted
from nonosat.core.wording import cells_text, listed
from nonosat.formats import jsonl
from nonosat.puzzles.nonogram.data import Nonogram

if TYPE_CHECKING:
    from nonosat.testing.agreement import Disagreement

_MOST_DRAWN = 900  # cells of a puzzle or a solution that a report draws
_MOST_SHOWN = 2  # solutions
_MOST_DATA = 4000  # characters of a puzzle's JSON
_SHOWN_CELLS = 12
_MOST_NAME = 50


def report(found: Disagreement) -> str:
    """All of it, from the verdict to what to do; never longer than some hundred lines."""
    parts = [_headline(found), _drawing(found), _table(found), *_evidence(found), *_advice(found)]
    return "\n\n".join(filter(None, parts))


def _headline(found: Disagreement) -> str:
    puzzle = found.puzzle
    sentences = [f"{_short(name)} is wrong: {found.judged[name].why}" for name in found.wrong]
    sentences += [f"{_short(name)} failed: it {found.judged[name].why}" for name in found.failed]
    if found.undecided:
        sides = listed([*map(_short, found.undecided)])
        sentences.append(f"{sides} exclude each other, and nothing has settled who is wrong")
    return f"{'; '.join(sentences)} ({families.name_of(puzzle)}, {puzzle.size})"


def _short(name: str) -> str:
    """A command may be long."""
    return name if len(name) <= _MOST_NAME else f"{name[: _MOST_NAME - 3]}..."


def _is_small(found: Disagreement) -> bool:
    return found.puzzle.height * found.puzzle.width <= _MOST_DRAWN


def _drawing(found: Disagreement) -> str:
    return _indented(render.text(found.puzzle, None)) if _is_small(found) else ""


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


def _table(found: Disagreement) -> str:
    """Who said what, and how that stands."""
    says = {name: f"says {claim}" for name, claim in found.claims.items()}
    says |= {name: str(claim) for name, claim in found.claims.items() if claim.failure}
    says |= {name: str(claim) for name, claim in found.claims.items() if claim.unsupported}
    wide, wider = max(len(_short(name)) for name in says), max(map(len, says.values()))
    lines = []
    for name, said in says.items():
        judged, claim = found.judged[name], found.claims[name]
        standing = "" if claim.failure or claim.unsupported else judged.standing.value
        told = ": ".join(filter(None, (standing, judged.why)))
        lines.append(f"  {_short(name).ljust(wide)}  {said.ljust(wider)}  {told}".rstrip())
    return "\n".join(lines)


def _evidence(found: Disagreement) -> Iterator[str]:
    truth = found.truth
    shown = list(truth.solutions)[:_MOST_SHOWN]
    if shown:
        noun = "Solutions that fit" if len(shown) > 1 else "A solution that fits"
        yield f"{noun}, held against the puzzle by its verifier{_differing(found)}:"
        if _is_small(found):
            yield "\n\n".join(_indented("\n".join(one.lines())) for one in shown)
    if truth.how:
        yield f"{'No other solution' if shown else 'No solution'}: {truth.how}."
    if truth.is_absurd:
        yield (
            f"This contradicts itself: {counted(len(truth.solutions), 'solution')} verified, but "
            "the proof leaves fewer. Either the verifier or the checker of proofs is wrong."
        )
    if truth.troubles and (found.undecided or truth.is_absurd):
        yield "What did not settle it:\n" + "\n".join(f"  {one}" for one in truth.troubles)


def _differing(found: Disagreement) -> str:
    """Where the first two solutions differ, in words."""
    first, second, *_ = [*found.truth.solutions, None, None]
    if second is None or not isinstance(found.puzzle, Nonogram):
        return ""
    cells = first.differences(second)
    return f", differing in {counted(len(cells), 'cell')} {cells_text(cells, _SHOWN_CELLS)}"


def _advice(found: Disagreement) -> Iterator[str]:
    data = jsonl.write([found.puzzle]).decode().rstrip()
    if len(data) <= _MOST_DATA:
        yield f"The puzzle, as nonosat.loads and files of .jsonl have it:\n{data}"
    if found.is_ours:
        names = [*found.wrong, *found.failed, *found.undecided]
        blamed = [name for name in names if name in found.ours]
        who = f"{listed(blamed)} of " if blamed else ""
        yield f"This is a mistake of {who}nonosat itself. Please report it, with this text."
