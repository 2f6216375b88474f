"""Compares the claims of solvers on a puzzle, and proves which ones are wrong if they disagree.

Every solution in a claim is verified; a wrong one refutes its solver. Correct solutions are
evidence against all claims: two different ones refute "unique", "unsolvable" and a count of one. If
claims still exclude each other, `deciding` determines the truth. There is no majority vote, and no
preference for built-in solvers.
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
from nonosat.testing.claims import Claim, CountRange
from nonosat.testing.deciding import ProvenFacts, canonical, refutation
from nonosat.testing.solvers import Solver, solver_of

# Report of a disagreement: the wrong solvers, all claims, the evidence, advice.


_MOST_DRAWN = 900  # maximum number of cells of a board drawn in a report
_MOST_SHOWN = 2  # number of solutions
_MOST_DATA = 4000  # characters of a puzzle's JSON
_SHOWN_CELLS = 12
_MOST_NAME = 50


def report(found: Disagreement) -> str:
    """Return the complete report, at most about a hundred lines."""
    parts = [_headline(found), _drawing(found), _table(found), *_evidence(found), *_advice(found)]
    return "\n\n".join(filter(None, parts))


def _headline(found: Disagreement) -> str:
    puzzle = found.puzzle
    sentences = [f"{_short(name)} is wrong: {found.judged[name].why}" for name in found.wrong]
    sentences += [f"{_short(name)} failed: it {found.judged[name].why}" for name in found.failed]
    if found.undecided:
        sides = listed([*map(_short, found.undecided)])
        sentences.append(f"{sides} exclude each other, and it is undecided which of them is wrong")
    return f"{'; '.join(sentences)} ({families.name_of(puzzle)}, {puzzle.size})"


def _short(name: str) -> str:
    """Return a solver's name, shortened if it is long, as commands may be."""
    return name if len(name) <= _MOST_NAME else f"{name[: _MOST_NAME - 3]}..."


def _is_small(found: Disagreement) -> bool:
    return found.puzzle.height * found.puzzle.width <= _MOST_DRAWN


def _drawing(found: Disagreement) -> str:
    return _indented(render.text(found.puzzle, None)) if _is_small(found) else ""


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


def _table(found: Disagreement) -> str:
    """Return the claims of all solvers with their judgements."""
    texts = {name: f"says {claim}" for name, claim in found.claims.items()}
    texts |= {name: str(claim) for name, claim in found.claims.items() if claim.failure}
    texts |= {name: str(claim) for name, claim in found.claims.items() if claim.unsupported}
    wide, wider = max(len(_short(name)) for name in texts), max(map(len, texts.values()))
    lines = []
    for name, claimed in texts.items():
        judged, claim = found.judged[name], found.claims[name]
        judgement = "" if claim.failure or claim.unsupported else judged.standing.value
        text = ": ".join(filter(None, (judgement, judged.why)))
        lines.append(f"  {_short(name).ljust(wide)}  {claimed.ljust(wider)}  {text}".rstrip())
    return "\n".join(lines)


def _evidence(found: Disagreement) -> Iterator[str]:
    truth = found.truth
    shown = list(truth.solutions)[:_MOST_SHOWN]
    if shown:
        noun = "Solutions that fit" if len(shown) > 1 else "A solution that fits"
        yield f"{noun}, checked by the puzzle's verifier{_differing(found)}:"
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
        yield "Failed attempts to decide it:\n" + "\n".join(f"  {one}" for one in truth.troubles)


def _differing(found: Disagreement) -> str:
    """Return the differences between the first two solutions in words."""
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
        at_fault = [name for name in names if name in found.ours]
        who = f"{listed(at_fault)} of " if at_fault else ""
        yield f"This is a mistake of {who}nonosat itself. Please report it, with this text."


AGAINST = ("auto", "cadical195", "cpsat")  # the native solver, SAT, CP-SAT
TIME_LIMIT_S = 10.0


class ClaimJudgement(Enum):
    """Judgement of a solver's claim: right, wrong, failed, ..."""

    RIGHT = "right"
    WRONG = "wrong"
    FAILED = "failed"  # no answer
    UNDECIDED = "undecided"  # incompatible with another claim, and undecided
    UNCHALLENGED = "unchallenged"  # neither refuted nor proved


@dataclass(frozen=True, slots=True)
class Judged:
    """Judgement of one solver's claim with its reason, the end of a sentence: "row 1 has ..."."""

    standing: ClaimJudgement
    why: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Disagreement:
    """Claims that are wrong, failed, or exclude each other; its `str` is a readable report.

    Attributes:
        puzzle: The puzzle.
        claims: Claims by the solver's name.
        judged: Judgements by the solver's name.
        truth: The established facts, with the solutions and the certificate that prove them.
        ours: Names of the solvers of this package.
    """

    puzzle: Puzzle
    claims: Mapping[str, Claim]
    judged: Mapping[str, Judged]
    truth: ProvenFacts
    ours: Collection[str] = ()

    def of(self, *judgements: ClaimJudgement) -> list[str]:
        """Return the names of the solvers whose claims have one of the judgements."""
        return [name for name, judged in self.judged.items() if judged.standing in judgements]

    @property
    def wrong(self) -> list[str]:
        """Solvers that are proved to be wrong."""
        return self.of(ClaimJudgement.WRONG)

    @property
    def failed(self) -> list[str]:
        """Solvers without an answer."""
        return self.of(ClaimJudgement.FAILED)

    @property
    def undecided(self) -> list[str]:
        """Solvers of which at least one is wrong, without a proof which one."""
        return self.of(ClaimJudgement.UNDECIDED)

    @property
    def is_ours(self) -> bool:
        """True if this package is, or may be, at fault."""
        at_fault = {*self.wrong, *self.failed, *self.undecided}
        return self.truth.is_absurd or not at_fault.isdisjoint(self.ours)

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
    """Compare claims about a puzzle with each other and with the puzzle.

        >>> puzzle = nonosat.nonogram([[1], [1]], [[1], [1]])
        >>> found = compare(puzzle, {"mine": Claim(Verdict.UNIQUE), "other": Claim(count=2)})
        >>> found.wrong, found.of(ClaimJudgement.RIGHT)
        (['mine'], ['other'])

    Args:
        puzzle: A puzzle of any family.
        claims: Claims by the solver's name. A single claim is judged by the solutions in it.
        ours: Names of the solvers of this package; the report asks to report their mistakes.
        time_limit_s: Wall seconds for deciding a disagreement.
        memory_limit_mib: Resident memory of this process during that.

    Returns:
        None if no solver failed, every solution is correct and no claims exclude each other.

    Raises:
        NotAPuzzleError, UnsupportedError: An argument is not a puzzle, or not a mapping of claims.
    """
    families.family_of(puzzle)
    _check_claims(claims)
    truth = ProvenFacts(puzzle)
    found = {name: _at_sight(claim, truth) for name, claim in claims.items()}
    remaining = {name: claims[name] for name, judged in found.items() if judged is None}
    numbers = [claim.numbers for claim in remaining.values()]
    allowed = reduce(CountRange.meet, numbers, truth.numbers)
    if allowed.is_possible and len(remaining) == len(claims):
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


def _at_sight(claim: Claim, truth: ProvenFacts) -> Judged | None:
    """Judge a claim without regard to others; return None if that shows no mistake.

    Solutions in the claim are verified, and added to `truth`.
    """
    if claim.failure:
        return Judged(ClaimJudgement.FAILED, claim.failure)
    own = set()
    for number, solution in enumerate(claim.solutions, start=1):
        nth = "" if len(claim.solutions) == 1 else f" {number}"
        if mistake := refutation(truth.puzzle, solution):
            return Judged(ClaimJudgement.WRONG, f"its solution{nth} does not fit: {mistake}")
        truth.add(solution)
        one = canonical(truth.puzzle, solution)
        if one in own:
            return Judged(
                ClaimJudgement.WRONG, f"its solution{nth} is one that it has given before"
            )
        own.add(one)
    return None


def _is_settled(known: CountRange, claimed: CountRange) -> bool:
    """Return True if the known range of the number of solutions confirms or excludes a claim."""
    return known.within(claimed) or not known.meet(claimed).is_possible


def _judged(claim: Claim, truth: ProvenFacts, is_possible: bool) -> Judged:
    """Return the judgement of a claim by proven facts; alone it shows no mistake."""
    if claim.unsupported or claim.numbers == CountRange():
        return Judged(ClaimJudgement.UNCHALLENGED, claim.unsupported or claim.reason)
    if truth.is_absurd:
        return Judged(ClaimJudgement.UNDECIDED, "facts about the puzzle contradict each other")
    known = truth.numbers
    if not known.meet(claim.numbers).is_possible:
        return Judged(ClaimJudgement.WRONG, _against(claim.numbers, truth))
    if known.within(claim.numbers):
        return Judged(ClaimJudgement.RIGHT)
    return Judged(ClaimJudgement.UNCHALLENGED if is_possible else ClaimJudgement.UNDECIDED)


def _against(claimed: CountRange, truth: ProvenFacts) -> str:
    """Return the reason why a claim is wrong, from established facts."""
    num_shown = len(truth.solutions)
    if claimed.most < num_shown:
        shown = counted(num_shown, "different solution") if num_shown > 1 else "a solution"
        return f"{shown} of the puzzle {'are' if num_shown > 1 else 'is'} known and verified"
    return f"the puzzle has {truth.numbers}"


def assert_agrees(
    solver: object,
    puzzle: Puzzle,
    *,
    against: str | Solver | Collection[str | Solver] = AGAINST,
    answers: str = "solution",
    time_limit_s: float = TIME_LIMIT_S,
    memory_limit_mib: int | None = None,
) -> None:
    """Compare a solver with reference solvers on one puzzle.

        >>> puzzle = nonosat.nonogram([[1], [1]], [[1], [1]])
        >>> assert_agrees(lambda puzzle: nonosat.is_unique(puzzle), puzzle, answers="unique")
        >>> assert_agrees(lambda puzzle: ["##", "##"], puzzle)
        Traceback (most recent call last):
        ...
        AssertionError: ... is wrong: its solution does not fit: row 1 has the run 2, ...

    Args:
        solver: A function from puzzle to answer, a command such as "my-solver {file}" or the list
            of its words, or a `Solver`; see `called` and `command` for permitted answers.
        puzzle: A puzzle of any family.
        against: Names of built-in solvers, as for `configured`, or other solvers; at least one.
        answers: Meaning of a function's answer: "solution", "unique", "count" or "all".
        time_limit_s: Wall seconds for each solver, and for deciding a disagreement.
        memory_limit_mib: Resident memory of a command, of an engine's process, of this process.

    Raises:
        AssertionError: A solver is wrong or failed; the message names it with the proof.
        NotAPuzzleError, UnsupportedError: `puzzle` is not a puzzle; a solver or command is unknown.
    """
    __tracebackhide__ = True  # pytest shows the calling test
    limits: Any = {"time_limit_s": time_limit_s, "memory_limit_mib": memory_limit_mib}
    requested = [solver_of(solver, answers=answers, **limits)]
    requested += [solver_of(one, is_ours=True, **limits) for one in _others(against)]
    claims = {one.name: one(puzzle) for one in requested}
    ours = [one.name for one in requested if one.is_ours]
    if disagreement := compare(puzzle, claims, ours=ours, **limits):
        raise AssertionError(str(disagreement))


def _others(against: object) -> Collection[Any]:
    """Return the reference solvers, of a single one or a collection."""
    if isinstance(against, str | Solver):
        return (against,)
    if not isinstance(against, Collection) or not against:
        raise UnsupportedError(
            f"against is {shown(against)}, expected at least one solver: {', '.join(AGAINST)}, ..."
        )
    return against
