"""Compares what solvers say of a puzzle; where they disagree, says who is wrong and proves it.

Every solution that anybody shows is verified, and so refutes whoever shows a wrong one. Those that
fit are evidence, whoever found them: two different ones refute "unique", "unsolvable" and a count
of one. Where claims still exclude each other, `deciding` looks for the truth. Nobody is right by
majority, or because the solver is ours.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import reduce
from typing import Any

from nonosat import render
from nonosat.core import families
from nonosat.core.errors import UnsupportedError, counted, shown
from nonosat.core.plugins import Puzzle
from nonosat.core.wording import cells_text, listed
from nonosat.formats import jsonl
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.testing.claims import Claim, Numbers
from nonosat.testing.deciding import Truth, canonical, refutation
from nonosat.testing.solvers import Solver, solver_of

# A disagreement of solvers in words: who is wrong, who said what, the evidence, what to do.


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


AGAINST = ("auto", "cadical195", "cpsat")  # the native solver, SAT, CP-SAT
TIME_LIMIT_S = 10.0


class Standing(Enum):
    """What is certain of a claim."""

    RIGHT = "right"
    WRONG = "wrong"
    FAILED = "failed"  # no answer
    UNDECIDED = "undecided"  # others exclude it, and nobody could settle that
    UNCHALLENGED = "unchallenged"  # nothing that is known speaks against it; not proved either


@dataclass(frozen=True, slots=True)
class Judged:
    """What is certain of one solver's claim, and why, a sentence's end: "row 1 has ..."."""

    standing: Standing
    why: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Disagreement:
    """Claims that are wrong, failed, or exclude each other; its `str` is a report for people.

    Attributes:
        puzzle: What they are about.
        claims: By the solver's name.
        judged: The same names.
        truth: What is certain, with the solutions and the certificate that prove it.
        ours: The names of solvers that are this package's own.
    """

    puzzle: Puzzle
    claims: Mapping[str, Claim]
    judged: Mapping[str, Judged]
    truth: Truth
    ours: Collection[str] = ()

    def of(self, *standings: Standing) -> list[str]:
        """The names of the solvers whose claims stand so."""
        return [name for name, judged in self.judged.items() if judged.standing in standings]

    @property
    def wrong(self) -> list[str]:
        """Solvers that are proved to be wrong."""
        return self.of(Standing.WRONG)

    @property
    def failed(self) -> list[str]:
        """Solvers without an answer."""
        return self.of(Standing.FAILED)

    @property
    def undecided(self) -> list[str]:
        """Solvers of which one at least must be wrong, and nobody knows which."""
        return self.of(Standing.UNDECIDED)

    @property
    def is_ours(self) -> bool:
        """Whether this package is, or may be, to blame."""
        blamed = {*self.wrong, *self.failed, *self.undecided}
        return self.truth.is_absurd or not blamed.isdisjoint(self.ours)

    def __str__(self) -> str:
        return report(self)


def compare(
    puzzle: Puzzle,
    claims: Mapping[str, Claim],
    *,
    ours: Collection[str] = (),
    time_limit_s: float = TIME_LIMIT_S,
    memory_limit_mib: int | None = None,
) -> Disagreement | None:
    """Hold claims about a puzzle against each other and against the puzzle.

        >>> puzzle = nonosat.nonogram([[1], [1]], [[1], [1]])
        >>> found = compare(puzzle, {"mine": Claim(Verdict.UNIQUE), "other": Claim(count=2)})
        >>> found.wrong, found.of(Standing.RIGHT)
        (['mine'], ['other'])

    Args:
        puzzle: Of any family.
        claims: By the solver's name. One alone is judged by the solutions that it shows.
        ours: Which of the solvers are this package's own, so that the report says whom to tell.
        time_limit_s: Wall seconds for settling a disagreement.
        memory_limit_mib: Resident memory of this process while it does so.

    Returns:
        None where nobody failed, every solution fits and no claims exclude each other.

    Raises:
        NotAPuzzleError, UnsupportedError: It is no puzzle, or these are no claims.
    """
    families.family_of(puzzle)
    _check_claims(claims)
    truth = Truth(puzzle)
    found = {name: _at_sight(claim, truth) for name, claim in claims.items()}
    standing = {name: claims[name] for name, judged in found.items() if judged is None}
    numbers = [claim.numbers for claim in standing.values()]
    allowed = reduce(Numbers.meet, numbers, truth.numbers)
    if allowed.is_possible and len(standing) == len(claims):
        return None
    if not allowed.is_possible:
        truth.settle(
            lambda known: all(_is_settled(known, one) for one in numbers),
            time_limit_s,
            memory_limit_mib,
        )
    judged = {
        name: found[name] or _judged(claim, truth, allowed.is_possible)
        for name, claim in claims.items()
    }
    return Disagreement(puzzle, claims, judged, truth, ours)


def _check_claims(claims: object) -> None:
    if not isinstance(claims, Mapping):
        raise UnsupportedError(f"the claims are {shown(claims)}, expected a mapping by name")
    for name, claim in claims.items():
        if not isinstance(claim, Claim):
            raise UnsupportedError(
                f"the claim of {shown(name)} is {shown(claim)}, expected a Claim: "
                "Claim(Verdict.UNIQUE), Claim(count=2), Claim.of_solutions([...])"
            )


def _at_sight(claim: Claim, truth: Truth) -> Judged | None:
    """What a claim shows of itself; None where that is nothing against it.

    Its solutions become evidence.
    """
    if claim.failure:
        return Judged(Standing.FAILED, claim.failure)
    own = set()
    for number, solution in enumerate(claim.solutions, start=1):
        nth = "" if len(claim.solutions) == 1 else f" {number}"
        if mistake := refutation(truth.puzzle, solution):
            return Judged(Standing.WRONG, f"its solution{nth} does not fit: {mistake}")
        truth.add(solution)
        one = canonical(truth.puzzle, solution)
        if one in own:
            return Judged(Standing.WRONG, f"its solution{nth} is one that it has given before")
        own.add(one)
    return None


def _is_settled(known: Numbers, claimed: Numbers) -> bool:
    """Whether what is known decides a claim."""
    return known.within(claimed) or not known.meet(claimed).is_possible


def _judged(claim: Claim, truth: Truth, is_possible: bool) -> Judged:
    """What is certain of a claim that shows no mistake by itself."""
    if claim.unsupported or claim.numbers == Numbers():
        return Judged(Standing.UNCHALLENGED, claim.unsupported or claim.reason)
    if truth.is_absurd:
        return Judged(Standing.UNDECIDED, "what is known of the puzzle contradicts itself")
    known = truth.numbers
    if not known.meet(claim.numbers).is_possible:
        return Judged(Standing.WRONG, _against(claim.numbers, truth))
    if known.within(claim.numbers):
        return Judged(Standing.RIGHT)
    return Judged(Standing.UNCHALLENGED if is_possible else Standing.UNDECIDED)


def _against(claimed: Numbers, truth: Truth) -> str:
    """Why a claim is wrong, from what is certain."""
    num_shown = len(truth.solutions)
    if claimed.most < num_shown:
        shown = counted(num_shown, "different solution") if num_shown > 1 else "a solution"
        return f"{shown} of the puzzle {'are' if num_shown > 1 else 'is'} known and verified"
    return f"the puzzle has {truth.numbers}"


def assert_agrees(
    solver: Any,
    puzzle: Puzzle,
    *,
    against: str | Solver | Collection[str | Solver] = AGAINST,
    answers: str = "solution",
    time_limit_s: float = TIME_LIMIT_S,
    memory_limit_mib: int | None = None,
) -> None:
    """Hold a solver against ours, on one puzzle.

        >>> puzzle = nonosat.nonogram([[1], [1]], [[1], [1]])
        >>> assert_agrees(lambda puzzle: nonosat.is_unique(puzzle), puzzle, answers="unique")
        >>> assert_agrees(lambda puzzle: ["##", "##"], puzzle)
        Traceback (most recent call last):
        ...
        AssertionError: ... is wrong: its solution does not fit: row 1 has the run 2, ...

    Args:
        solver: A function from puzzle to answer, a command such as "my-solver {file}" or the list
            of its words, or a `Solver`; see `called` and `command` for what they may answer.
        puzzle: Of any family.
        against: Names of solvers of ours, as for `configured`, or other solvers; at least one.
        answers: What a function's answer means: "solution", "unique", "count" or "all".
        time_limit_s: Wall seconds for each solver, and for settling a disagreement.
        memory_limit_mib: Resident memory of a command, of an engine's process, of this process.

    Raises:
        AssertionError: The solver is wrong or failed, or ours are; says which, and proves it.
        NotAPuzzleError, UnsupportedError: It is no puzzle; there is no such solver, or command.
    """
    __tracebackhide__ = True  # pytest shows the test that has called this
    limits: Any = {"time_limit_s": time_limit_s, "memory_limit_mib": memory_limit_mib}
    asked = [solver_of(solver, answers=answers, **limits)]
    asked += [solver_of(one, is_ours=True, **limits) for one in _others(against)]
    claims = {one.name: one(puzzle) for one in asked}
    ours = [one.name for one in asked if one.is_ours]
    if disagreement := compare(puzzle, claims, ours=ours, **limits):
        raise AssertionError(str(disagreement))


def _others(against: object) -> Collection[Any]:
    """Whom a solver is held against: one alone, or several."""
    if isinstance(against, str | Solver):
        return (against,)
    if not isinstance(against, Collection) or not against:
        raise UnsupportedError(
            f"against is {shown(against)}, expected at least one solver: {', '.join(AGAINST)}, ..."
        )
    return against
