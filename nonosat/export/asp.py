"""A program for clingo: answer sets whose atoms `x(V)` are the true variables of a solution.

Clauses are integrity constraints, counts are aggregates. A line reads the states of its automaton
by a rule; the automaton is shared by all lines of the same clue. The single cycle of a loop is the
set of vertices that one of them reaches, a recursive rule that clauses can only unroll.

Invariant: atoms other than `x` are determined by them, so that answer sets are solutions, each
once. Auxiliary variables of degrees, if there are any, follow those of the model and are not shown.

Sources: Gebser, Kaminski, Kaufmann, Schaub, "Answer set solving in practice" (2012); Lifschitz,
"What is answer set programming?" (AAAI 2008), for loops by reachability.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO

from nonosat.board.automaton import automaton
from nonosat.clauses.cnf import split
from nonosat.clauses.loops import add_cycles
from nonosat.clauses.sinks import Buffer
from nonosat.core.model import FALSE, TRUE, Clause, Count, Entry, Line, Loop
from nonosat.export.formula import ExportedModel

_LINES = """
% A cell of a line has the value 0, empty, or that of its colour; next(A,S,C,T) are the steps of
% automaton A, which accepts a line of N cells in the states accept(A,S).
filled(L,I) :- v(L,I,C), C > 0.
v(L,I,0) :- line(L,A,N), I = 0..N-1, not filled(L,I).
state(L,0,0) :- line(L,A,N).
state(L,I+1,T) :- line(L,A,N), state(L,I,S), v(L,I,C), next(A,S,C,T).
done(L) :- line(L,A,N), state(L,N,S), accept(A,S).
:- line(L,A,N), not done(L).
"""
_LOOPS = """
% The first vertex of a loop K reaches all of its vertices.
near(K,U,V) :- edge(K,U,V).
near(K,V,U) :- edge(K,U,V).
on(K,U) :- near(K,U,V).
since(K,U+1) :- on(K,U).
since(K,U+1) :- since(K,U), loop(K,N), U < N.
reached(K,U) :- on(K,U), not since(K,U).
reached(K,V) :- reached(K,U), near(K,U,V).
:- on(K,U), not reached(K,U).
:- loop(K,N), not since(K,N).
"""


def write_lp(
    formula: ExportedModel, stream: BinaryIO, pause: Callable[[], None] = lambda: None
) -> None:
    """Write a formula as a program for clingo.

    Args:
        formula: What to state; its encodings are not used.
        stream: Only written to.
        pause: Called before every constraint; an exception that it raises ends the work.
    """
    for text in _Program(formula, pause).texts():
        stream.write(text.encode())


class _Program:
    """Writer of one program; arguments as for `write_lp`."""

    def __init__(self, formula: ExportedModel, pause: Callable[[], None]) -> None:
        self._formula, self._pause = formula, pause
        self._num_vars = formula.model.num_vars
        self._automata: dict[tuple[tuple[Entry, ...], int, int], int] = {}
        self._num_lines = self._num_loops = 0

    def texts(self) -> Iterator[str]:
        """Yield the program piece by piece."""
        yield from self._head()
        for _, model in self._formula.parts():
            for constraint in model.constraints():
                self._pause()
                match constraint:
                    case Clause(lits):
                        yield _clause(lits)
                    case Count():
                        yield from _count(constraint)
                    case Line():
                        yield from self._line(constraint)
                    case Loop():
                        yield from self._loop(constraint)
        yield from self._clauses((*self._formula.units(self._pause), self._formula.further))
        yield _LINES if self._num_lines else ""
        yield _LOOPS if self._num_loops else ""

    def _head(self) -> Iterator[str]:
        formula, last = self._formula, self._num_vars
        yield "% nonosat 1\n"
        if name := formula.puzzle.about.id:
            yield f"% puzzle {''.join(char if char.isprintable() else '?' for char in name)}\n"
        yield f"% presolve {formula.presolve}\n"
        if formula.unique:
            yield "% forbids 1\n"
        yield f"% x(V): variable V of the model is true\n#show.\n#show x(V) : x(V), V <= {last}.\n"
        if last:
            yield f"{{ x(1..{last}) }}.\n"

    def _clauses(self, batches: Iterable[array[int]]) -> Iterator[str]:
        for batch in batches:
            self._pause()
            yield from map(_clause, split(batch))

    def _line(self, line: Line) -> Iterator[str]:
        """Yield the facts and rules of a line, and those of its automaton if it is a new one."""
        key = (line.blocks, line.num_colours, len(line))
        if key not in self._automata:
            self._automata[key] = name = len(self._automata)
            transitions, finals = automaton(line)
            yield "".join(f"next({name},{s},{c},{t}). " for s, c, t in transitions) + "\n"
            yield "".join(f"accept({name},{state}). " for state in finals) + "\n"
        name = self._automata[key]
        index, self._num_lines = self._num_lines, self._num_lines + 1
        yield f"line({index},{name},{len(line)}).\n"
        for colour, plane in enumerate(line.cells, start=1):
            for place, lit in enumerate(plane):
                if lit != FALSE:
                    body = "" if lit == TRUE else f" :- {_atom(lit)}"
                    yield f"v({index},{place},{colour}){body}.\n"
        yield from (f":- not filled({index},{place}).\n" for place in sorted(line.filled))

    def _loop(self, loop: Loop) -> Iterator[str]:
        """Yield the facts and rules of a loop, and its degrees as clauses."""
        index, self._num_loops = self._num_loops, self._num_loops + 1
        yield f"loop({index},{loop.num_vertices}).\n"
        sink = Buffer(self._num_vars)
        add_cycles(loop, sink)
        if sink.num_vars > self._num_vars:
            yield f"{{ x({self._num_vars + 1}..{sink.num_vars}) }}.\n"
            self._num_vars = sink.num_vars
        yield from self._clauses((sink.buffer,))
        for u, v, lit in loop.edges:
            if lit != FALSE:
                body = "" if lit == TRUE else f" :- {_atom(lit)}"
                yield f"edge({index},{u},{v}){body}.\n"


def _atom(lit: int) -> str:
    return f"x({lit})" if lit > 0 else f"not x({-lit})"


def _clause(lits: Sequence[int]) -> str:
    """Return "not all of these literals are false"."""
    if TRUE in lits:
        return ""
    body = ", ".join(_atom(-lit) for lit in lits if lit != FALSE)
    return f":- {body or '#true'}.\n"


def _count(count: Count) -> Iterator[str]:
    lits = [lit for lit in count.lits if lit not in (TRUE, FALSE)]
    known = count.lits.count(TRUE)
    lower, upper = max(count.lower - known, 0), min(count.upper - known, len(lits))
    if lower > upper:
        yield _clause(())
    elif (lower, upper) != (0, len(lits)):
        yield f":- not {lower} {{ {'; '.join(map(_atom, lits))} }} {upper}.\n"
