"""Native core: line propagation, boards, probing, search, beliefs."""

from collections.abc import Callable, Sequence
import enum
from typing import Any

import nonosat.core.model


def exit_when_closed(fd: int) -> None:
    """End this process as soon as the other end of the pipe `fd` is closed."""

def line_values(length: int, clue: Sequence[tuple[int | None, int]], may: Sequence[bytes], poll: Callable[[], bool] | None = None) -> list[list[int]] | None:
    """
    Cells that may have each value in some placement, or None where there is none;
    `poll` may raise.
    """

def line_domains(length: int, clue: Sequence[tuple[int | None, int]], may: Sequence[bytes], poll: Callable[[], bool] | None = None) -> list[tuple[list[int], list[int]]] | None:
    """
    (starts, last cells) of each block in some placement, or None where there is none;
    `poll` may raise.
    """

class Board:
    """A rectangular board under exact line propagation."""

    def __init__(self, num_colours: int, rows: Sequence[Sequence[tuple[int | None, int]]], columns: Sequence[Sequence[tuple[int | None, int]]], poll: Callable[[], bool] | None = None) -> None:
        """
        Very many lines take seconds; `poll` may raise to end that, and returns False.
        """

    def copy(self) -> Board:
        """A board of its own."""

    def assign(self, cell: int, value: int) -> None: ...

    def remove(self, cell: int, value: int) -> None: ...

    def assign_cells(self, values: bytes, poll: Callable[[], bool] | None = None) -> None:
        """
        One byte a cell, 255 leaves it as it is; `poll` may raise, some are assigned then.
        """

    def leave_out(self, line: int) -> None:
        """
        Before the first `propagate`: the clue of this line says nothing; rows come first.
        """

    def propagate(self, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bool | None:
        """True at a fixpoint, False at a contradiction, None when stopped."""

    @property
    def broken_line(self) -> int | None:
        """
        The line without a placement that ended the last `propagate` to return False,
        rows first; None where none has.
        """

    def cells(self) -> bytes:
        """One byte a cell: its value, or 255 while it is open."""

    def plane(self, value: int) -> bytes:
        """One byte a cell: whether it may have the value."""

    @property
    def is_complete(self) -> bool: ...

def forced_cells(num_colours: int, rows: Sequence[Sequence[tuple[int | None, int]]], columns: Sequence[Sequence[tuple[int | None, int]]]) -> bytes | None:
    """
    The only picture that the lines allow, one byte a cell, where propagating them
    leaves nothing open; None for other boards.
    """

class Progress(enum.Enum):
    FIXPOINT = 0

    CONTRADICTION = 1

    BUDGET = 2

class Prober:
    """Failed literal probing on a board."""

    def __init__(self, board: Board) -> None: ...

    def run(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> Progress | None:
        """A Progress, or None when stopped."""

    @property
    def num_probes(self) -> int: ...

    @property
    def lessons(self) -> list[int]:
        """The cells whose probes ruled something out, in order."""

    @property
    def best(self) -> tuple[int, int] | None:
        """
        The cell to branch on, and the value of it that rules out least; after a FIXPOINT or a
        BUDGET, and None where no cell is open.
        """

class Dives:
    """Every block as early as it can be."""

    def __init__(self, board: Board) -> None: ...

    def run(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bool | None:
        """Whether that found a solution; None when stopped."""

    def cells(self) -> bytes:
        """What was found, one byte a cell; empty before that."""

    @property
    def num_decisions(self) -> int: ...

class Outlook:
    """What each assumption about an open cell leads to."""

    @property
    def refuted(self) -> list[tuple[int, int]]:
        """(cell, value) pairs that cannot hold."""

    @property
    def either(self) -> tuple[int, list[tuple[int, int]]] | None:
        """
        The first cell all of whose values settle the same further cells, and these
        with their values; None without one, or where anything is refuted.
        """

    @property
    def open(self) -> list[tuple[int, int, int]]:
        """(cell, value, how many pairs that rules out) of the other assumptions."""

def look_ahead(board: Board, most: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> Outlook | None:
    """
    An Outlook from a board at its fixpoint, which is left as it is; it ends with the cell at
    which `most` assumptions are refuted. None when stopped.
    """

class Deduction:
    """Propagation and probing that write down their steps."""

    def __init__(self, board: Board) -> None: ...

    def propagate(self, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bool | None:
        """True at a fixpoint, False at a contradiction, None when stopped."""

    def probe(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> Progress | None:
        """A Progress, or None when stopped."""

    def take_steps(self) -> bytes:
        """
        Steps since the last call, each four 32-bit integers.

        A cell, a value that it does not have, a cell or -1, and the value of that cell under
        which this holds.
        """

def lemmas(board: Board, steps: bytes, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> tuple[bytes, bytes] | None:
    """
    Steps of a Deduction as clauses over the variables of the open board's encoding.

    (All, those among them that hold without an assumption) as 32-bit integers, each
    clause ended by 0; None when stopped.
    """

def order_clauses(cells: Sequence[Sequence[int]], clue: Sequence[tuple[int | None, int]], filled: Sequence[int], new_vars: Callable[[int], int], poll: Callable[[], bool] | None = None) -> bytes | None:
    """
    The order encoding of a line as 32-bit integers, None where there is no filling.
    """

def open_line_clauses(board: Board, lits: object, filled: bytes, lines: Sequence[int], new_vars: Callable[[int], int], poll: Callable[[], bool] | None = None) -> tuple[bytes, list[int]]:
    """
    The same of lines of a board, by their numbers, and how many variables each has;
    `lits` is a buffer of 32-bit integers, one a colour and cell; `filled` a byte a cell,
    or empty. A line without a filling gives an empty clause.
    """

class Implications:
    """What values of open cells rule out."""

    def __init__(self, board: Board, variables: object, max_tries: int, poll: Callable[[], bool] | None) -> None:
        """
        A copy of the board; `variables` is a buffer of 32-bit integers, one a colour and cell.
        """

    def next(self, poll: Callable[[], bool] | None) -> bytes:
        """
        Clauses of the next values as 32-bit integers, empty at the end; `poll` may raise.
        """

def num_clauses(clauses: object) -> int:
    """How many clauses a buffer of 32-bit integers holds, each ended by 0."""

def clause_lists(clauses: object, start: int, most: int) -> tuple[list[list[int]], int]:
    """
    (at most so many clauses from place `start` on, the place of the next).
    """

def dimacs_text(clauses: object, poll: Callable[[], bool] | None = None) -> bytes:
    """Clauses as lines of DIMACS CNF; `poll` may raise."""

def opb_text(clauses: object, poll: Callable[[], bool] | None = None) -> bytes:
    """Clauses as lines of OPB; `poll` may raise."""

def picture_clues(cells: bytes, height: int, width: int, block: type[nonosat.core.model.Block]) -> tuple[tuple[nonosat.core.model.Clue, ...], tuple[nonosat.core.model.Clue, ...]]:
    """
    Clues of the rows and of the columns of a picture, a byte a cell, row by row; blocks
    are `block(length, colour)`.
    """

def text_clues(lines: Sequence[str], inks: dict[str, int], gaps: str, block: type[nonosat.core.model.Block], other: Callable[[int], nonosat.core.model.Clue]) -> tuple[nonosat.core.model.Clue, ...]:
    """
    The clue of each line of text: lengths with blanks or one of `gaps` between them, each
    with at most one sign behind it, whose colour `inks` has. `other(index)` gives the clue of
    a line that is not written so, and may be wrong.
    """

def json_clues(text: bytes, start: int, block: type[nonosat.core.model.Block], keys: Sequence[str]) -> tuple[tuple[nonosat.core.model.Clue, ...], int] | None:
    """
    The clues of a list of clues that begins at `start`, as JSON has it, and the place
    behind it; `keys` name the colours. None where it holds anything else.
    """

def are_clues(clues: tuple[object, ...], block: type[nonosat.core.model.Block], most_length: int, most_colour: int) -> bool:
    """
    Whether all are tuples of blocks of type `block`, lengths from 1 or None.
    """

class Answer(enum.Enum):
    """How a learning search ended."""

    UNKNOWN = 0

    SAT = 1

    UNSAT = 2

class Exchange:
    """What learning searches in several threads share."""

    def __init__(self, members: int, variables: int, is_prompt: bool) -> None:
        """
        For so many members at most; what they send comes at once, or with `deliver`.
        """

    def tell(self, lits: Sequence[int]) -> None:
        """A clause for all members, also while they are at work."""

    def deliver(self) -> None:
        """Hand out what was held; no member is at work."""

class Learner:
    """A search that learns, over clauses and lines."""

    def __init__(self, seed: int = 0) -> None: ...

    def new_vars(self, count: int, poll: Callable[[], bool] | None = None) -> None:
        """
        Variables numbered on from those there are; `poll` may raise, some are made then.
        """

    def add_clauses(self, clauses: object, poll: Callable[[], bool] | None = None) -> None:
        """
        A buffer of 32-bit integers, each clause ended by 0.

        `poll` may raise, and so may whatever waits for the interpreter. Some of the clauses
        are held then; it does no harm to give all of them again.
        """

    def add_line(self, cells: Sequence[Sequence[int]], clue: Sequence[tuple[int | None, int]], filled: Sequence[int], poll: Callable[[], bool] | None = None) -> None:
        """
        Propagate a line exactly that the clauses hold already; `poll` may raise.
        """

    def follow_loop(self, edges: object, poll: Callable[[], bool] | None = None) -> None:
        """
        Watch that chosen edges, by two vertices and a variable each, become one loop: clauses
        say the rest. 32-bit integers; only the first loop is watched; `poll` may raise.
        """

    def set_phases(self, lits: Sequence[int]) -> None:
        """Literals to be tried first."""

    def packing_bytes(self) -> int:
        """Bytes that `solve` takes for a moment before it begins."""

    def solve(self, assumptions: Sequence[int] = [], conflicts: int | None = None, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> Answer | None:
        """
        UNKNOWN after so many conflicts; None when stopped. The next call goes on.
        """

    def look_ahead(self, cube: Sequence[int], candidates: Sequence[int], most: int, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> tuple[bool, list[int], int, int] | None:
        """
        Whether it is refuted that the cube's literals hold, else literals of candidates to
        branch on, best first and `most` at most, open variables, and literals tried.

        Candidates are variables. None when stopped.
        """

    def failed(self, poll: Callable[[], bool] | None = None) -> list[int]:
        """
        After UNSAT, before anything else is added or asked: assumptions that the clauses
        refute together, none where they need none; `poll` may raise.
        """

    def twin(self, seed: int) -> Learner:
        """
        Another search over the same clauses and lines, with what this one has learnt.
        """

    def join(self, exchange: Exchange, member: int) -> None:
        """Tell the others of an exchange what is learnt, and learn from them."""

    def keep_proof(self) -> None:
        """Write down what is derived from now on."""

    def take_proof(self) -> bytes:
        """
        What was written down so far, DRAT in text; after UNSAT without assumptions it refutes
        the clauses. It is not kept.
        """

    def values(self) -> bytes:
        """A byte a variable of the last model, the first stands for none."""

    @property
    def statistics(self) -> dict[str, int]:
        """What was done so far."""

def cycle_clauses(num_vertices: int, edges: object, faces: object, most_edges: int, poll: Callable[[], bool] | None = None) -> bytes | None:
    """
    The clauses of disjoint cycles, each ended by 0; None where the edges or faces are
    unusual, or more edges meet. Two vertices and a literal an edge, and two faces or
    none at all: 32-bit integers; `poll` may raise.
    """

class Cells:
    """Separators of the parts of a model in the plane."""

    def __init__(self, pairs: object, most_lits: int, poll: Callable[[], bool] | None = None) -> None:
        """
        Of each edge the variables of its two faces, FALSE for the outer one: 32-bit integers.
        About one part there are clauses of so many literals, or a single one; `poll` may
        raise.
        """

    def refine(self, values: bytes, poll: Callable[[], bool] | None = None) -> bytes:
        """
        Clauses that every single loop satisfies and these values do not, each ended by 0;
        `poll` may raise.
        """

class Outcome(enum.Enum):
    SOLUTION = 0

    EXHAUSTED = 1

    BUDGET = 2

class Search:
    """Depth-first search over a board."""

    def __init__(self, board: Board, prober: Prober | None = None) -> None:
        """
        A search of a copy of a prober's board does not repeat what the prober has tried.
        """

    def next(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> Outcome | None:
        """An Outcome, or None when stopped."""

    @property
    def num_nodes(self) -> int: ...

def line_marginals(length: int, clue: Sequence[tuple[int | None, int]], may: Sequence[bytes], logs: Sequence[Sequence[float]], poll: Callable[[], bool] | None = None) -> tuple[list[list[float]], list[tuple[int, list[float], int, list[float]]]] | None:
    """
    How likely each cell has each value; by block its first start, shares, first end.
    `poll` may raise.
    """

class Beliefs:
    """Belief propagation over the lines of a board."""

    def __init__(self, board: Board, *, damping: float, clamp: float, sigma: float, seed: int) -> None: ...

    def run(self, num_rounds: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bool | None:
        """False where a line has no filling, None when stopped."""

    def probabilities(self, value: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bytes | None:
        """One double a cell; None when stopped."""

    def blocks(self, line: int, poll: Callable[[], bool] | None = None) -> list[tuple[tuple[list[int], list[float]], tuple[list[int], list[float]]]] | None:
        """
        By block (starts, how likely it started by each), and its ends; None without filling.
        `poll` may raise.
        """

    def likely_bounds(self, line: int, poll: Callable[[], bool] | None = None) -> bytes | None:
        """
        A byte for each start of a block but the last: whether it is likelier than not to start
        there or before; then the same of its ends; block by block. None without filling.
        `poll` may raise.
        """

    @property
    def num_rounds(self) -> int: ...

    @property
    def change(self) -> float:
        """The largest one of a message in the last round."""

class Prices:
    """Bounds from the fillings of lines."""

    def __init__(self, board: Board, solution: bytes | None, poll: Callable[[], bool] | None = None) -> None:
        """`solution`: a byte a cell, or None. `poll` may raise."""

    class Outcome(enum.Enum):
        REACHED = 0

        STALLED = 1

        BUDGET = 2

    def lower(self, goal: int, budget: int, stubborn: bool = False, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> Prices.Outcome | None:
        """An Outcome, or None when stopped."""

    def find(self, budget: int, stubborn: bool = False, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> Prices.Outcome | None:
        """An Outcome, or None when stopped."""

    def know(self, solution: bytes, poll: Callable[[], bool] | None = None) -> None:
        """
        Go on with a solution, a byte a cell, from prices that led to it. `poll` may raise.
        """

    def shrink(self, goal: int, poll: Callable[[], bool] | None = None) -> None:
        """
        Halve the table's prices while its bound stays below the goal. `poll` may raise.
        """

    def ruled_out(self, goal: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> list[tuple[int, int]] | None:
        """
        (cell, value) with which the bound is below the goal; None when stopped.
        """

    def refute(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> Prices.Outcome | None:
        """As `find`, for a bound below 0 alone, and patiently."""

    def payments(self, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> list[tuple[int, int]] | None:
        """
        By line, rows first: (what it is paid at most by the table, and without its clue);
        None when stopped.
        """

    def cells(self) -> bytes:
        """The likeliest value of each cell, a byte each."""

    def prices(self, poll: Callable[[], bool] | None = None) -> list[tuple[int, int, int]]:
        """
        (cell, value, price) of the best table; other values are free. `poll` may raise.
        """

    @property
    def bound(self) -> int:
        """Of the best table, times its scale."""

    @property
    def scale(self) -> int: ...

    @property
    def num_sweeps(self) -> int: ...

def regions(board: Board, least: int, most: int, max_regions: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> list[Board] | None:
    """
    Boards of the regions of a board at its fixpoint, the largest first, of so many open
    cells at least and at most; None when stopped.
    """

def parse_dimacs(text: bytes, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> tuple[int, bytes] | None:
    """
    (Number of variables, clauses as 32-bit integers ended by 0) of a DIMACS text.

    None when stopped; a ValueError says what is wrong and where.
    """

def check_drat(num_vars: int, clauses: bytes, proof: bytes, write: bool = False, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> tuple[int, int, bytes, bytes] | None:
    """
    Backward check of a DRAT text; see the header for what is refused.

    (Lemmas read, lines needed, these as DRAT and as LRAT if `write`), or None when
    stopped; a ValueError says why the proof is refused.
    """

def check_lrat(num_vars: int, clauses: bytes, proof: bytes, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> int | None:
    """
    Strict check of an LRAT text: the number of its lines.

    None when stopped; a ValueError says why the proof is refused.
    """

def check_prices(num_colours: int, rows: Sequence[Sequence[tuple[int | None, int]]], columns: Sequence[Sequence[tuple[int | None, int]]], given: Sequence[tuple[int, int, int]], solution: bytes | None, tables: Sequence[tuple[int, Sequence[Sequence[Sequence[int]]]]], remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> tuple[bool, int, int] | None:
    """
    Whether price tables prove that a solution is the only one, or that there is none.

    `tables`: (scale, rows of prices by colour). (Whether they do, tables looked at,
    bound of the last), or None when stopped; a ValueError says what does not fit.
    `poll` may raise.
    """

class Decimation:
    """From beliefs towards one solution."""

    def __init__(self, board: Board, *, first: int, rounds: int, pace: float, widen: float, keep: float, pushes: int, damping: float, clamp: float, sigma: float, seed: int) -> None: ...

    class Outcome(enum.Enum):
        COMPLETE = 0

        CONTRADICTION = 1

        BUDGET = 2

    def run(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None, dead_ends: int = 4611686018427387904) -> Decimation.Outcome | None:
        """An Outcome, or None when stopped; BUDGET also after so many dead ends."""

    def cells(self) -> bytes:
        """One byte a cell: the value reached, or 255 while it is open."""

    def tell(self, beliefs: Beliefs) -> None:
        """Let them hold what is believed and known here."""

    @property
    def num_steps(self) -> int: ...

    @property
    def num_rounds(self) -> int: ...

    @property
    def num_refuted(self) -> int:
        """Values."""

    @property
    def num_released(self) -> int:
        """Times that both values of a cell were refuted."""

    @property
    def num_pushes(self) -> int: ...

class Counter:
    """The exact number of a board's solutions."""

    def __init__(self, board: Board, max_bytes: int) -> None:
        """Nobody else may change the board."""

    def run(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bool | None:
        """Whether the number is exact by now; None when stopped."""

    def note(self, cells: bytes) -> None:
        """Tell of a solution, one byte a cell, after a first run."""

    @property
    def total(self) -> bytes:
        """The number, or a lower bound: little-endian bytes, none for 0."""

    def components(self) -> list[int]:
        """
        By cell the number of its component, or -1 where it is decided; after a first run.
        """

    @property
    def is_exact(self) -> bool: ...

    @property
    def num_components(self) -> int: ...

    @property
    def num_frontiers(self) -> int: ...

    @property
    def num_nodes(self) -> int: ...

    @property
    def num_recalled(self) -> int: ...

class RulesCount:
    """How many values of chosen variables keep rules."""

    def __init__(self, num_vars: int, rules: Sequence[int], chosen: Sequence[int], max_bytes: int) -> None:
        """
        `rules`: lower, upper, literals, 0, one behind the other; no variable twice in one.
        Values that differ in other variables than chosen ones are counted once.
        """

    def run(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bool | None:
        """Whether the number is exact by now; None when stopped."""

    @property
    def total(self) -> bytes:
        """The number, or a lower bound: little-endian bytes, none for 0."""

    @property
    def is_exact(self) -> bool: ...

    @property
    def is_full(self) -> bool:
        """Whether its memory does not suffice, so that it does not go on."""

    @property
    def num_nodes(self) -> int: ...

    @property
    def num_recalled(self) -> int: ...

class LoopCount:
    """How many sets of edges form one loop and keep rules."""

    def __init__(self, num_vertices: int, ends: Sequence[int], is_spanning: bool, rules: Sequence[int], max_bytes: int, poll: Callable[[], bool] | None = None) -> None:
        """
        `ends`: of each edge two vertices. `rules`: lower, upper, literals, 0, one behind the
        other; literal 1 + edge says that the edge is chosen. `poll` may raise, and no more.
        """

    def run(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bool | None:
        """Whether the number is exact by now; None when stopped."""

    @property
    def total(self) -> bytes:
        """The number, or a lower bound: little-endian bytes, none for 0."""

    @property
    def is_exact(self) -> bool: ...

    @property
    def is_full(self) -> bool:
        """Whether its memory does not suffice, so that it does not go on."""

    @property
    def num_steps(self) -> int: ...

    @property
    def num_done(self) -> int:
        """Of the steps, an edge each."""

    @property
    def num_states(self) -> int:
        """At once, at most."""

    @property
    def width(self) -> int:
        """Vertices of the frontier, at most."""

def refuted_line(cells: bytes, rows: tuple[nonosat.core.model.Clue, ...], columns: tuple[nonosat.core.model.Clue, ...]) -> int | None:
    """
    The first line, rows first, whose clue a picture does not satisfy; None without one.
    """

def is_loop(edges: bytes, clues: bytes, width: int, blank: int) -> bool:
    """
    Whether edges of a lattice are one closed path with these clues, a byte each.
    """

def clues_json(clues: tuple[nonosat.core.model.Clue, ...]) -> str:
    """Clues as JSON, with commas between them: each a list of lists of two."""

def clue_sizes(clues: tuple[nonosat.core.model.Clue, ...], num_colours: int) -> tuple[list[int], list[int]]:
    """
    The cells that the tightest placement of each clue takes; the cells of each colour
    that all of them fill, by colour, -1 where a length is unknown.
    """

class QueensCount:
    """How many ways there are to place n queens."""

    def __init__(self, allowed: Sequence[int], part: int | None = None) -> None:
        """
        By row the columns where a queen may stand, as bits; at most 64 rows.
        `part`, from 0, is the only one to count.
        """

    def run(self, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bool:
        """Whether `total` is exact; when stopped it is a lower bound."""

    @property
    def total(self) -> int: ...

    @property
    def num_parts(self) -> int:
        """Counts that sum up to that of the board, each a share of its time."""

class QueensSearch:
    """Placements in lexicographic order."""

    def __init__(self, allowed: Sequence[int]) -> None:
        """By row the columns where a queen may stand, as bits; at most 64 rows."""

    def next(self, most: int, budget: int, poll: Callable[[], bool] | None = None) -> list[bytes]:
        """
        Placements, a byte a row; fewer than `most` at the end, or after `budget` steps.
        Those found are lost where `poll` raises.
        """

    def next_classes(self, budget: int, poll: Callable[[], bool] | None = None) -> tuple[int, int]:
        """
        Numbers of further placements within `budget` steps, and of those that are the first
        of their images under turns and reflections. Both are lost where `poll` raises.
        """

    @property
    def is_exhausted(self) -> bool: ...

    @property
    def num_nodes(self) -> int: ...

class Completed(enum.Enum):
    SOLUTION = 0

    EXHAUSTED = 1

    BUDGET = 2

class QueensCompletion:
    """One placement, on large boards as well."""

    def __init__(self, size: int, allowed: bytes, seed: int) -> None:
        """
        A byte a square, row by row, 0 where no queen may stand; at most 2000 rows.
        """

    def next(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> Completed | None:
        """
        Looks for a placement, or whether there is none, for so many queens put down; None
        when stopped.
        """

    @property
    def columns(self) -> list[int]:
        """Of the last placement."""

    @property
    def num_placed(self) -> int: ...

def knight_construct(rows: int, columns: int, closed: bool, start: int, seed: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bytes | None:
    """
    32-bit places of a tour from `start` (-1: any), none if it knows none; None when stopped.
    """

class Ties(enum.Enum):
    ORDER = 0

    OUTER = 1

    RANDOM = 2

class TourOutcome(enum.Enum):
    SOLUTION = 0

    EXHAUSTED = 1

    BUDGET = 2

KNIGHT_MOST_WHOLE: int = 1500

class KnightBoard:
    """A chessboard with holes."""

    def __init__(self, rows: int, columns: int, holes: Sequence[int]) -> None: ...

    def warnsdorff(self, start: int, closed: bool, ties: Ties, seed: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bytes | None:
        """
        32-bit places of one attempt, none after a blind alley; None when stopped.
        """

    def complete(self, fixed: Sequence[tuple[int, int]], closed: bool, seed: int, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> tuple[TourOutcome, bytes] | None:
        """
        A TourOutcome, after so many ns at most, and a tour's 32-bit places; None when stopped.
        """

    def rotated(self, lists: Sequence[Sequence[int]], *, start_fixed: bool, closed: bool, seed: int, most: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bytes | None:
        """
        32-bit places of a tour grown from a path, the first list, and rings, none after `most`
        rotations; None when stopped.
        """

class TourSearch:
    """Every tour of a board, by depth-first search."""

    def __init__(self, board: KnightBoard, starts: Sequence[int], fixed: Sequence[tuple[int, int]], *, closed: bool, halved: bool, guided: bool) -> None:
        """
        `fixed`: (place, step from 0). `halved`: closed tours in one direction only.
        """

    def next(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> TourOutcome | None:
        """
        A TourOutcome, after at most `budget` squares entered, or None when stopped.
        """

    def path(self) -> bytes:
        """32-bit places in the order of the squares entered so far."""

    @property
    def num_calls(self) -> int: ...

def further_decimation() -> dict[str, Any]:
    """
    Settings of the decimation before a turn of the learning search, if the board is not large.
    """

def restarted(settings: dict[str, Any], turn: int) -> dict[str, Any]:
    """Settings of a decimation for another turn of the learning search."""

def neighbours(board: Board, cells: bytes, most: int) -> list[bytes]:
    """
    Other solutions of a board close to one of them, at most `most`: 2x2 switches and
    images under symmetries of the clues.
    """

class Budgets:
    """What the attempts on a board may do."""

    def __init__(self) -> None: ...

    @property
    def probing(self) -> int: ...

    @probing.setter
    def probing(self, arg: int, /) -> None: ...

    @property
    def probing_beside(self) -> int: ...

    @probing_beside.setter
    def probing_beside(self, arg: int, /) -> None: ...

    @property
    def probed_cells(self) -> int: ...

    @probed_cells.setter
    def probed_cells(self, arg: int, /) -> None: ...

    @property
    def neighbours(self) -> int: ...

    @neighbours.setter
    def neighbours(self, arg: int, /) -> None: ...

    @property
    def search(self) -> int: ...

    @search.setter
    def search(self, arg: int, /) -> None: ...

    @property
    def dive(self) -> int: ...

    @dive.setter
    def dive(self, arg: int, /) -> None: ...

    @property
    def prices(self) -> int: ...

    @prices.setter
    def prices(self, arg: int, /) -> None: ...

    @property
    def prices_beside(self) -> int: ...

    @prices_beside.setter
    def prices_beside(self, arg: int, /) -> None: ...

    @property
    def patient_prices(self) -> int: ...

    @patient_prices.setter
    def patient_prices(self, arg: int, /) -> None: ...

    @property
    def promising_sweeps(self) -> int: ...

    @promising_sweeps.setter
    def promising_sweeps(self, arg: int, /) -> None: ...

    @property
    def telling_sweeps(self) -> int: ...

    @telling_sweeps.setter
    def telling_sweeps(self, arg: int, /) -> None: ...

    @property
    def large_open(self) -> int: ...

    @large_open.setter
    def large_open(self, arg: int, /) -> None: ...

    @property
    def largest_open(self) -> int: ...

    @largest_open.setter
    def largest_open(self, arg: int, /) -> None: ...

    @property
    def turn(self) -> int: ...

    @turn.setter
    def turn(self, arg: int, /) -> None: ...

    @property
    def led_turns(self) -> int: ...

    @led_turns.setter
    def led_turns(self, arg: int, /) -> None: ...

    @property
    def alone_from(self) -> int: ...

    @alone_from.setter
    def alone_from(self, arg: int, /) -> None: ...

    @property
    def close(self) -> int: ...

    @close.setter
    def close(self, arg: int, /) -> None: ...

    @property
    def near(self) -> int: ...

    @near.setter
    def near(self, arg: int, /) -> None: ...

    @property
    def near_picture(self) -> int: ...

    @near_picture.setter
    def near_picture(self, arg: int, /) -> None: ...

    @property
    def pause(self) -> int: ...

    @pause.setter
    def pause(self, arg: int, /) -> None: ...

BUDGETS: Budgets = ...

class Pricing:
    """A search by prices on a board."""

    def __init__(self, board: Board, known: bytes | None, work: int, is_patient: bool = False, with_marginals: bool = True, budgets: Budgets = ...) -> None:
        """
        The board is at its line fixpoint; values of no further solution are ruled out on it.
        `known`: a solution, one byte a cell, or None. `work`: budget of each search.
        `is_patient`: continue despite poor prospects. `with_marginals`: search the marginals
        for a solution first.
        """

    class Outcome(enum.Enum):
        OPEN = 0

        SOLUTION = 1

        REFUTED = 2

    def run(self, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> Pricing.Outcome | None:
        """
        Search for the next solution, or for a proof that there is none but the known one.
        None when stopped; the next call resumes.
        """

    @property
    def solution(self) -> bytes:
        """The last solution, one byte a cell."""

    @property
    def num_sweeps(self) -> int:
        """Number of sweeps over all lines."""

    @property
    def bound(self) -> int | None:
        """
        Number of cells in which another solution can differ from the known one; None
        before its search.
        """

class Turn:
    """A turn of the learning search."""

    @property
    def budget(self) -> int | None:
        """Number of conflicts; None is without limit."""

    @property
    def restart(self) -> int | None:
        """
        Number of the seed of the decimation whose phases it has; None if it has none.
        """

    @property
    def is_near(self) -> bool:
        """True if its phases are the first solution."""

    @property
    def pauses(self) -> bool:
        """True if prices may run after it."""

class Turns:
    """The turns of the learning search, planned one by one."""

    def __init__(self, budgets: Budgets, is_led: bool, pauses: bool) -> None: ...

    def next(self, is_solved: bool) -> Turn: ...

class Strategy:
    """The attempts that decide a board, one after another."""

    def __init__(self, board: Board, picture: bytes | None = None, edited: Sequence[int] | None = None, budgets: Budgets = ...) -> None:
        """
        Of a copy of a board. `picture`: a solution that is claimed, a byte a cell. `edited`:
        the cells in which it differs from the only solution of other clues.
        """

    class Verdict(enum.Enum):
        OPEN = 0

        UNIQUE = 1

        MULTIPLE = 2

        UNSOLVABLE = 3

    def step(self, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bool:
        """
        Work on a stage until it is over or has something to tell; False when stopped. The
        next call goes on.
        """

    @property
    def stage(self) -> str:
        """The stage that the next step works on."""

    @property
    def verdict(self) -> Strategy.Verdict: ...

    @property
    def is_exhausted(self) -> bool:
        """True if there are no further solutions."""

    def solution(self, number: int) -> bytes | None:
        """
        A solution, one byte a cell, by its number from 0; None beyond the last one.
        """

    @property
    def num_open(self) -> int:
        """Cells that more than one value is left for."""

    @property
    def num_conflicts(self) -> int | None:
        """Of the learning search; None while it is not open."""

    @staticmethod
    def of_presolved(board: Board, prober: Prober | None, num_solutions: int, decimations: list[dict[str, Any]] | None = None, is_led: bool = True, budgets: Budgets = ...) -> Strategy:
        """
        Attempts on a presolved board, which is a copy of the board of the prober. The native
        engine finds at most two solutions. `decimations`: settings that replace those of the
        table. `is_led`: turns of the engine have phases.
        """

    def counts(self, stage: str) -> dict[str, Any]:
        """Counters of the attempts of a stage so far."""

    def narrow(self, board: Board) -> None:
        """Rule out on a board what is ruled out here, and propagate it."""

    def decimations(self) -> list[dict[str, Any]]:
        """Settings of the next decimations."""

    def take_decimated(self, cells: bytes | None) -> None:
        """
        Take the values reached by the caller's decimations, 255 for an open cell; None if one
        has refuted the board.
        """

    def tell(self, beliefs: Beliefs) -> bool:
        """
        Copy the messages of the last decimation to beliefs; False if there is none.
        """

    def next_turn(self) -> Turn:
        """Next turn of the caller's engine, from the stage "solve" on."""

    def take(self, cells: bytes) -> None:
        """Take a solution that this engine has found."""

    def pause(self) -> None:
        """Run prices between two turns, if they are promising."""
