"""Pseudo-Boolean proof of a clausal refutation over the flow model, in VeriPB's format.

The formula of a certificate is the order encoding of the clues, and its refutation a list of
lemmas. Here the formula is the flow model of the clues instead, and the proof derives the clauses
that the refutation uses, so that nothing but the flow model has to be believed.

A line's graph consists of layers of slack + 1 nodes each, and between two layers, for each place i,
an arc x(i) that starts a block (or ends one of unknown length) i cells after its first place. The
order variable y(i) means "at most i cells after it". It is defined by y(i) = y(i - 1) + x(i), with
y(-1) = 0, in two steps by redundance, because it is new:

    -y(i) + y(i - 1) + x(i) >= 0                    with y(i) = 0 as witness                (1)
    2 y(i) - y(i - 1) - x(i) >= 0                   with y(i) = 1 as witness                (2)

Conservation of flow, summed over all nodes up to a layer, states that one arc carries flow between
it and the next. The sum of "at most one" and (1) for 0 to i is

    y(i) + x(i + 1) + ... + x(slack) <= 1                                                   (3)

Each clause of the line then follows by unit propagation. Its negation fixes order variables and
cells. By (1) to (3) false y(i) excludes x(0) to x(i), true y(i) excludes x(i + 1) to x(slack), and
cells exclude arcs (see `flow_model`). Conservation of flow excludes the arcs that are not on a path
of the others, so if no filling is left, no arc leaves the first node. The definitions of a line are
deleted after its clauses.

The lemmas follow in the order of the LRAT proof, with its hints and deletions.

Invariant: cells have equal numbers in the formula and in the flow model; order variables follow the
variables of the flow model in the formula's order.

Size: O(k s) steps for the definitions of a line of k blocks and slack s, one for each clause that
the refutation uses, and as many as the LRAT proof has.
Source: Gocht, McCreesh, Nordstrom, "An auditable constraint programming solver" (CP 2022), for
encodings that a proof introduces by redundance.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from nonosat.certify.flow_model import FlowModel, LineFlow, flow_model
from nonosat.certify.proof_steps import VERSIONS, FlowProof, ProofSteps
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits, Watch
from nonosat.puzzles.nonogram.data import Nonogram

# A lemma takes up to twice the bytes of its line in the LRAT proof (benchmarks/native/PROOFS.md),
# and the buffer may be copied while it grows.
_BYTES_PER_BYTE = 4


def clause_proof(
    puzzle: Nonogram,
    solution: Grid | None,
    clauses: array[int],
    lrat: bytes,
    watch: Watch | None = None,
    version: str = VERSIONS[0],
) -> FlowProof:
    """Return the flow model of a puzzle and the proof by clauses that it has no (other) solution.

    Args:
        puzzle: Any nonogram.
        solution: Its only solution; None if there is none.
        clauses: The formula of its certificate, each clause ended by 0.
        lrat: Refutation of the formula without RAT lemmas.
        watch: Limits of the whole work.
        version: One of VERSIONS.

    Raises:
        LimitReached: A limit of the watch was reached.
        UnsupportedError: `solution` is not a solution.
    """
    watch = watch or Watch(Limits())
    model, opb = flow_model(puzzle, solution, watch.check)
    watch.reserve(_BYTES_PER_BYTE * len(lrat))
    steps = ProofSteps(model.num_ids, watch.check, version)
    lemmas = _Lemmas(lrat, clauses.count(0))
    orders = _OrderVariables(model, steps)
    numbers = orders.derive(_used(clauses, lemmas, watch.check))
    return FlowProof(opb, steps.text(_refute(steps, orders, numbers, lemmas)))


class _Lemma(NamedTuple):
    """A line of an LRAT proof.

    Args:
        number: Number of the lemma, or of the lemma before a deletion.
        lits: Its literals; None for a deletion.
        others: Hints, or the numbers of the deleted clauses.
    """

    number: int
    lits: Sequence[int] | None
    others: Sequence[int]


class _Lemmas:
    """The lines of an LRAT proof, in text.

    Args:
        lrat: The proof.
        num_clauses: Number of clauses of the formula.
    """

    def __init__(self, lrat: bytes, num_clauses: int) -> None:
        self._lines, self.num_clauses = lrat.splitlines(), num_clauses

    def __iter__(self) -> Iterator[_Lemma]:
        for line in self._lines:
            first, *words = line.split()
            if words[0] == b"d":
                yield _Lemma(int(first), None, [*map(int, words[1:-1])])
                continue
            numbers = [*map(int, words)]
            end = numbers.index(0)
            yield _Lemma(int(first), numbers[:end], numbers[end + 1 : -1])


def _used(clauses: array[int], lemmas: _Lemmas, pause: Callable[[], None]) -> dict[int, list[int]]:
    """Return the clauses of the formula that are hints of lemmas, by number."""
    needed: set[int] = set()
    for lemma in lemmas:
        pause()
        if lemma.lits is not None:
            needed.update(hint for hint in lemma.others if hint <= lemmas.num_clauses)
    found: dict[int, list[int]] = {}
    number, begin = 1, 0
    for _ in range(lemmas.num_clauses):
        end = clauses.index(0, begin)
        if number in needed:
            found[number] = clauses[begin:end].tolist()
        number, begin = number + 1, end + 1
    return found


class _OrderVariables:
    """The order variables of all lines, and derivation of clauses over them.

    Args:
        model: The flow model.
        steps: The proof to which steps are added.
    """

    def __init__(self, model: FlowModel, steps: ProofSteps) -> None:
        self._model, self._steps = model, steps
        self._num_cells = model.shape.size * model.shape.num_colours
        self._firsts = []  # by line: first order variable, as the formula numbers it
        var = self._num_cells + 1
        for line in model.lines:
            self._firsts.append(var)
            var += sum(len(arcs) - 1 for arcs in _crossings(line))

    def lit(self, lit: int) -> int:
        """Return a literal of the formula as a literal of the proof."""
        if abs(lit) <= self._num_cells:
            return lit
        more = self._model.num_vars - self._num_cells
        return lit + more if lit > 0 else lit - more

    def derive(self, clauses: dict[int, list[int]]) -> dict[int, int]:
        """Derive clauses of the formula, given by number; return the numbers of their steps."""
        by_line: dict[int, list[int]] = {}
        for number, clause in clauses.items():
            highest = max(map(abs, clause), default=0)
            # -1 for a clause of cells alone, which needs no order variables
            index = bisect_right(self._firsts, highest) - 1 if highest > self._num_cells else -1
            by_line.setdefault(index, []).append(number)
        numbers = {}
        for index, own in sorted(by_line.items()):
            definitions = self._defined(index) if index >= 0 else []
            for number in own:
                numbers[number] = self._steps.rup(map(self.lit, clauses[number]))
            self._steps.delete(definitions)
        return numbers

    def _defined(self, index: int) -> list[int]:
        """Define the order variables of a line; return the numbers of the definitions."""
        line, steps = self._model.lines[index], self._steps
        var = self.lit(self._firsts[index])
        crossings = [*_crossings(line)]
        row = len(crossings[0])
        definitions: list[int] = []
        flows = [0, 0]  # one arc at least, and at most, leaves the layers so far
        for layer, arcs in enumerate(crossings):
            nodes = range(layer * row, (layer + 1) * row)
            for side, before in enumerate(flows):
                terms = [(line.first_node + 2 * node + side, 1) for node in nodes]
                flows[side] = steps.sum([(before, 1), *terms] if before else terms)
            definitions += flows
            definitions += self._ordered(arcs, var, flows[1])
            var += row - 1
        return definitions

    def _ordered(self, arcs: Sequence[int], first: int, at_most: int) -> list[int]:
        """Define the order variables of one layer; return the numbers of the definitions.

        Args:
            arcs: Its arcs by place.
            first: The first order variable.
            at_most: Number of the constraint that at most one of the arcs carries flow.
        """
        steps, definitions = self._steps, []
        before: list[int] = []  # the preceding order variable, if there is one
        for var, arc in enumerate(arcs[:-1], start=first):
            above = steps.red([(1, lit) for lit in (-var, *before, arc)], 1, -var)
            negated = [-lit for lit in (*before, arc)]
            terms = [(len(negated), var), *((1, lit) for lit in negated)]
            definitions += [above, steps.red(terms, len(negated), var)]
            at_most = steps.sum([(at_most, 1), (above, 1)])
            definitions.append(at_most)
            before = [var]
        return definitions


def _crossings(line: LineFlow) -> Iterator[list[int]]:
    """Yield the arcs between each layer of a line's graph and the next, by place.

    Without slack there are no order variables, and nothing is yielded.
    """
    arcs = line.flow.arcs
    row = max((arc.head - arc.tail for arc in arcs), default=1)  # other arcs stay in their layer
    layers: dict[int, list[int]] = {}
    for var, arc in enumerate(arcs, start=line.first_arc):
        if arc.head - arc.tail == row > 1:
            layers.setdefault(arc.tail // row, []).append(var)
    yield from layers.values()


def _refute(
    steps: ProofSteps, orders: _OrderVariables, numbers: dict[int, int], lemmas: _Lemmas
) -> int:
    """Add the lemmas; return the number of the contradiction.

    Args:
        steps: The proof.
        orders: The order variables.
        numbers: Numbers of the steps that derived clauses of the formula, by clause.
        lemmas: The lemmas.
    """
    for lemma in lemmas:
        if lemma.lits is None:
            # A clause of the formula that no lemma uses was not derived.
            steps.delete(numbers.pop(clause) for clause in lemma.others if clause in numbers)
            continue
        hints = [numbers[hint] for hint in lemma.others]
        numbers[lemma.number] = last = steps.rup(map(orders.lit, lemma.lits), hints)
        if not lemma.lits:
            return last
    return steps.rup(())  # the formula contains the empty clause, which lines imply
