"""Translation of a model to clauses: an encoding for each kind that the sink does not support.

The sink is a live engine, a CNF container, or a file being written.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from nonosat import _core
from nonosat.clauses import ENCODINGS, foreign
from nonosat.clauses.sinks import SinkBase
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import checkpoint
from nonosat.core.model import Clause, Constraint, Count, Line, Loop, Model, is_plain
from nonosat.core.plugins import Engine, Refiner, Sink
from nonosat.processes.isolation import RepeatedCall


@dataclass(slots=True)
class Size:
    """Size of a translation.

    Args:
        num_auxiliaries: Variables beyond the model's; they follow those without a gap.
        num_clauses: Clauses.
        num_lits: Literals in them.
        line_firsts: For each line that was encoded, in order, the number of auxiliary
            variables before it.
        refiners: Refiners of lazy encodings; an assignment is a solution only if none adds a
            clause.
        children: Processes of refiners of other packages, which the owner of the refiners closes.
    """

    num_auxiliaries: int = 0
    num_clauses: int = 0
    num_lits: int = 0
    line_firsts: list[int] = field(default_factory=list)
    refiners: list[Refiner] = field(default_factory=list)
    children: list[RepeatedCall] = field(default_factory=list)

    def include(self, other: Size) -> None:
        """Add the size of a further translation into the same sink, except its lines."""
        self.num_auxiliaries += other.num_auxiliaries
        self.num_clauses += other.num_clauses
        self.num_lits += other.num_lits
        self.refiners += other.refiners
        self.children += other.children

    def detail(self) -> dict[str, int]:
        """Return the numbers under their names in a stage."""
        return {
            "auxiliaries": self.num_auxiliaries,
            "clauses": self.num_clauses,
            "literals": self.num_lits,
        }


class CountingSink(SinkBase):
    """Sink that counts the clauses that it passes to another."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self.size = Size()

    def new_vars(self, count: int) -> int:
        self.size.num_auxiliaries += count
        return self._sink.new_vars(count)

    def add(self, clause: Sequence[int]) -> None:
        checkpoint()  # encodings get no watch
        self.size.num_clauses += 1
        self.size.num_lits += len(clause)
        self._sink.add(clause)

    def add_batch(self, clauses: array[int]) -> None:
        checkpoint()
        num_clauses = _core.num_clauses(clauses)
        self.size.num_clauses += num_clauses
        self.size.num_lits += len(clauses) - num_clauses
        self._sink.add_batch(clauses)


class NativeSink(Protocol):
    """Sink that supports some kinds of constraint directly."""

    def constrain(self, constraint: Constraint) -> None: ...


def translate(
    model: Model,
    sink: Sink,
    encodings: Mapping[str, str] = ENCODINGS,
    *,
    native: frozenset[type] = frozenset(),
    lazy: bool = False,
    pause: Callable[[], None] = lambda: None,
) -> Size:
    """Add a model to a sink.

    Args:
        model: Its variables 1 .. num_vars are those of the sink.
        sink: If there are native kinds, its `constrain` takes them. An engine also observes the
            lines that it gets as clauses, if their clues are plain.
        encodings: Encoding for each kind of constraint.
        native: Kinds of constraint that the sink supports directly.
        lazy: True if the caller applies the refiners to every model found.
        pause: Called before every constraint; an exception that it raises ends the work.

    Returns:
        Size of the encoded part.

    Raises:
        UnsupportedError: An encoding does not support the model, or is lazy but `lazy` is false.
        BackendError: An encoding of another package adds an invalid clause.
    """
    model.refuse_others("the translation to clauses", Clause, Count, Line, Loop)
    tally = CountingSink(sink)
    children: foreign.Children = {}
    is_observer = isinstance(sink, Engine) and type(sink).observe is not Engine.observe
    is_together = Line not in native and not is_observer and len(model.lines) > 0

    def give(constraints: Iterable[Constraint]) -> None:
        for constraint in constraints:
            pause()
            if is_observer and isinstance(constraint, Line) and is_plain(constraint.blocks):
                cast(Engine, sink).observe(constraint)
            if type(constraint) in native:
                cast(NativeSink, sink).constrain(constraint)
            elif isinstance(constraint, Clause):
                tally.add(constraint.lits)
            else:
                _encode(constraint, tally, encodings, lazy, model.num_vars, children)
                if isinstance(constraint, Loop) and isinstance(sink, Engine):
                    sink.follow(constraint)

    give(model.clauses)
    if Count in native or not _encode_counts(model.counts, tally, encodings, pause):
        give(model.counts)
    if not (is_together and _encode_together(model.lines, tally, encodings, pause)):
        give(model.lines)
    give(model.loops)
    if tally.size.refiners:
        tally.size.children += children.values()
    return tally.size


def _encode_counts(
    counts: Collection[Count],
    tally: CountingSink,
    encodings: Mapping[str, str],
    pause: Callable[[], None],
) -> bool:
    """Encode all counts in a few calls; return False, with nothing done, if that is impossible."""
    if not counts or not isinstance(counts, Sequence):
        return False  # made one by one, since there are very many
    batches = foreign.encode_counts(f"count-{encodings['count']}", counts)
    if batches is None:
        return False
    for batch in batches:
        pause()
        tally.add_batch(batch)
    return True


def _encode_together(
    lines: Sequence[Line],
    tally: CountingSink,
    encodings: Mapping[str, str],
    pause: Callable[[], None],
) -> bool:
    """Encode all lines in a few calls; return False, with nothing done, if that is impossible."""
    pieces = foreign.encode_lines(f"line-{encodings['line']}", lines, tally)
    if pieces is None:
        return False
    pause()
    firsts, before = tally.size.line_firsts, tally.size.num_auxiliaries
    for counts in pieces:
        pause()
        for count in counts:
            firsts.append(before)
            before += count
    return True


def _encode(
    constraint: Any,
    tally: CountingSink,
    encodings: Mapping[str, str],
    lazy: bool,
    num_vars: int,
    children: foreign.Children,
) -> None:
    kind = type(constraint).__name__.lower()
    if kind == "line":
        tally.size.line_firsts.append(tally.size.num_auxiliaries)
    name = f"{kind}-{encodings[kind]}"
    refiner = foreign.encode(name, constraint, tally, num_vars, children)
    if refiner is None:
        return
    if not lazy:
        raise UnsupportedError(
            f"encoding {kind}={encodings[kind]} is lazy: it adds clauses after each "
            "answer of an engine and gives no complete formula; leave it out: the default does"
        )
    tally.size.refiners.append(refiner)
