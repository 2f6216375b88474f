"""The words that plug-ins share: sinks, engines, puzzles, methods; see `nonosat.plugins`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Hashable, Iterable, Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from nonosat.errors import UnsupportedError
from nonosat.model import Clause, Constraint, Line, Loop

if TYPE_CHECKING:
    from nonosat._records import Family
    from nonosat.about import About
    from nonosat.limits import Watch


class Strength(Enum):
    """What unit propagation on an encoding achieves, whatever cells are known."""

    COMPLETE = "complete propagation"  # every cell value left has a support
    CONFLICTS = "conflicts only"  # every inconsistent partial line is refuted
    NONE = "none"


class Answer(Enum):
    """What an engine says of its clauses under the assumptions.

    >>> nonosat.solve_model(nonosat.Model(1)).answer is nonosat.Answer.SAT
    True
    """

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


class SizeFormula(NamedTuple):
    """How large an encoding is, as arithmetic in Python's notation; a test evaluates it.

    Of a line it holds for an open one in one colour whose blocks have known lengths, with n cells,
    k >= 1 blocks, s >= 1 slack, and f filled cells; of a count for n literals between the bounds
    2 <= l <= u <= n - 2 (those further out are single clauses or literals) or, where the encoding
    is made for counts of one, for l <= u = 1. Where there is no such formula the text says what
    decides the size, in words.
    """

    variables: str  # auxiliary ones
    clauses: str


# Sinks and engines


class Sink(Protocol):
    """Takes variables and clauses: a CNF container and a live engine are both sinks."""

    def new_var(self) -> int:
        """A variable that nobody has used."""

    def new_vars(self, count: int) -> int:
        """So many at once: the first of them, the others follow it."""

    def add(self, clause: Sequence[int]) -> None:
        """One clause; may hold the constants TRUE and FALSE."""

    def add_batch(self, clauses: Any) -> None:
        """Many clauses without constants: a buffer of 32-bit integers, each clause ended by 0."""


class Engine(ABC):
    """A live solver: a `Sink` that answers. `clauses.sinks` has bases for its four methods.

    Attributes:
        label: How messages call it.
    """

    label = "this engine"

    @abstractmethod
    def new_var(self) -> int: ...

    @abstractmethod
    def new_vars(self, count: int) -> int: ...

    @abstractmethod
    def add(self, clause: Sequence[int]) -> None: ...

    @abstractmethod
    def add_batch(self, clauses: Any) -> None: ...

    @abstractmethod
    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        """Decide; UNKNOWN when the watch ended it, or after `budget` units of its work.

        The unit is the engine's own (conflicts, mostly). Raises UnsupportedError for a budget that
        it cannot keep to, and for assumptions that it cannot take.
        """

    @abstractmethod
    def values(self) -> bytes:
        """After SAT: values()[v] is 1 where variable v is true, else 0 (index 0 unused)."""

    def constrain(self, constraint: Constraint) -> None:
        """Take a constraint as it is: a clause, or a kind that the backend lists as native."""
        if not isinstance(constraint, Clause):
            kind = type(constraint).__name__
            raise UnsupportedError(f"{self.label} takes no {kind}, only clauses; encode it first")
        self.add(constraint.lits)

    def observe(self, line: Line) -> None:  # noqa: B027  # optional
        """Propagate a line exactly, if the engine can; its clauses are, or will be, there too."""

    def follow(self, loop: Loop) -> None:  # noqa: B027  # optional
        """Watch that a loop is a single one, if the engine can; what encodes it is there, too."""

    def suggest(self, lits: Sequence[int]) -> bool:
        """Prefer these literals in decisions; returns whether the engine can.

        None at all: decide again as if nothing had been suggested, as far as the engine can.
        """
        del lits
        return False

    def failed(self) -> list[int]:
        """After UNSAT: assumptions that the clauses refute together; `Backend.explains` says if.

        Not always the fewest; none at all where the clauses are contradictory by themselves.
        """
        raise UnsupportedError(f"{self.label} does not say which assumptions failed")

    def proof(self) -> bytes:
        """After UNSAT without assumptions: a refutation of the clauses; asked for once.

        DRAT in text, each step of which follows by unit propagation (RUP). For engines whose
        backend `proves` and that were opened with the option {"proof": "yes"}.
        """
        raise UnsupportedError(f"{self.label} writes no proofs")

    def reason(self) -> str:
        """In words, why it does not know, though neither watch nor budget has ended it.

        After UNSAT without any solution a clause that says why, where it can; else "".
        """
        return ""

    def lead(self, most: int, *, is_prompt: bool) -> Exchange:
        """Become the first of a team, whose members tell each other what they learn.

        For engines whose backend `has_teams`.

        Args:
            most: How many members there may be in the end, this one included.
            is_prompt: Whether mail comes at once, or with `deliver`.
        """
        raise UnsupportedError(f"{self.label} works alone")

    def recruit(self, exchange: Any, number: int) -> Engine:
        """A twin of this engine, which is not at work, for another thread.

        It knows all that this one has been told, and decides in another order.

        Args:
            exchange: What `lead` has returned.
            number: Of the new member, from 1, in order.
        """
        raise UnsupportedError(f"{self.label} works alone")

    def statistics(self) -> dict[str, int]:
        """Counters of the engine: conflicts, decisions, propagations where it has them."""
        return {}

    def interrupt(self) -> None:  # noqa: B027  # optional
        """Make a running `solve` return UNKNOWN soon; callable from another thread."""

    def close(self) -> None:  # noqa: B027  # optional
        """Free the engine; it is not used afterwards."""


class Exchange(Protocol):
    """What the engines of a team share."""

    def tell(self, clause: Sequence[int], /) -> None:
        """A clause for all of them, also while they are at work."""

    def deliver(self) -> None:
        """Hand out mail that is not prompt, in the order of the engines; none is at work."""


class Refiner(Protocol):
    """Clauses that a model of the encoding violates; none when the model stands."""

    def __call__(self, values: bytes) -> Iterable[Sequence[int]]: ...


# Puzzles and solutions


class Solution(Hashable, Protocol):
    """What solves a puzzle: frozen data of its family."""

    def differences(self, other: Any) -> list[tuple[int, int]]:
        """Places in which two solutions of one puzzle differ, in order."""

    def lines(self) -> list[str]:
        """It as plain text; `str` gives the same."""


class Puzzle(Hashable, Protocol):
    """What there is to solve: frozen, validated data of its family."""

    @property
    def family(self) -> str | Family:
        """The family: the name of its module in `puzzles/`, or the record itself."""

    @property
    def about(self) -> About: ...

    @property
    def height(self) -> int: ...

    @property
    def width(self) -> int: ...

    @property
    def size(self) -> str:
        """How large it is, in words."""

    def about_with(self, **changes: str) -> Any:
        """The same puzzle with fields of `about` replaced."""


class Ending(NamedTuple):
    """How a method of a family's own ended, once it has no more to say.

    Args:
        exhausted: There are certainly no solutions beside those it gave.
        reason: Why there is none, or why it gives up.
        detail: Its counters.
    """

    exhausted: bool
    reason: str = ""
    detail: Mapping[str, Any] = MappingProxyType({})


class Method(Protocol):
    """A method of a family's own: one that needs no model. Its solutions are verified."""

    def __call__(self, puzzle: Any, watch: Watch, seed: int, /) -> Generator[Any, None, Ending]:
        """Solutions, none twice. Looks at the watch every few milliseconds."""
