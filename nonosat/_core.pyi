"""Native core: line propagation, boards, probing, search, beliefs."""

from collections.abc import Callable, Sequence
import enum
from typing import Any

import nonosat.core.model


def exit_when_closed(fd: int) -> None:
    """End this process as soon as the other end of the pipe `fd` is closed."""

def line_values(length: int, clue: Sequence[tuple[int | None, int]], may: Sequence[bytes], poll: Callable[[], bool] | None = None) -> list[list[int]] | None:
    """
    Return by value the cells that have it in some placement; None if there is no
    placement.
    `poll` may raise.
    """

def line_domains(length: int, clue: Sequence[tuple[int | None, int]], may: Sequence[bytes], poll: Callable[[], bool] | None = None) -> list[tuple[list[int], list[int]]] | None:
    """
    Return (starts, last cells) of each block in some placement; None if there is no
    placement.
    `poll` may raise.
    """

class Board:
    """A rectangular board under exact line propagation."""

    def __init__(self, num_colours: int, rows: Sequence[Sequence[tuple[int | None, int]]], columns: Sequence[Sequence[tuple[int | None, int]]], poll: Callable[[], bool] | None = None) -> None:
        """
        Create a board. For very many lines this takes seconds; `poll` may raise to end it.
        """

    def leave_out(self, line: int) -> None:
        """
        Ignore the clue of a line, rows first. Only before the first `propagate`.
        """

    def copy(self) -> Board:
        """Return an independent copy."""

    def assign(self, cell: int, value: int) -> None: ...

    def remove(self, cell: int, value: int) -> None: ...

    def assign_cells(self, values: bytes, poll: Callable[[], bool] | None = None) -> None:
        """
        Assign one byte per cell; 255 leaves a cell unchanged. If `poll` raises, some are
        assigned.
        """

    def propagate(self, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bool | None:
        """Propagate to a fixpoint; False at a contradiction, None when stopped."""

    @property
    def broken_line(self) -> int | None:
        """
        Line without a placement at which the last `propagate` failed, rows first; None if
        no line failed.
        """

    def cells(self) -> bytes:
        """Values of the cells, one byte each; 255 for an open cell."""

    def plane(self, value: int) -> bytes:
        """One byte per cell: 1 if it may have the value."""

    def may(self, cell: int, value: int) -> bool:
        """True if the cell may have the value."""

    def line_planes(self, line: int) -> list[bytes]:
        """
        For each value one byte a cell of a line, rows first: 1 if it may have the value.
        """

    @property
    def is_complete(self) -> bool: ...

def forced_cells(num_colours: int, rows: Sequence[Sequence[tuple[int | None, int]]], columns: Sequence[Sequence[tuple[int | None, int]]]) -> bytes | None:
    """
    Return the only solution, one byte per cell, if propagation of lines decides all
    cells; None otherwise.
    """

class LaneBoard:
    """
    A board whose lanes, its lines, are any sequences of cells, under exact line propagation.
    """

    def __init__(self, num_colours: int, num_cells: int, lanes: Sequence[Sequence[int]], clues: Sequence[Sequence[tuple[int | None, int]]], poll: Callable[[], bool] | None = None) -> None: ...

    def copy(self) -> LaneBoard:
        """Return an independent copy."""

    def assign(self, cell: int, value: int) -> None: ...

    def remove(self, cell: int, value: int) -> None: ...

    def assign_cells(self, values: bytes, poll: Callable[[], bool] | None = None) -> None:
        """
        Assign one byte per cell; 255 leaves a cell unchanged. If `poll` raises, some are
        assigned.
        """

    def propagate(self, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bool | None:
        """Propagate to a fixpoint; False at a contradiction, None when stopped."""

    @property
    def broken_line(self) -> int | None:
        """
        Line without a placement at which the last `propagate` failed, rows first; None if
        no line failed.
        """

    def cells(self) -> bytes:
        """Values of the cells, one byte each; 255 for an open cell."""

    def plane(self, value: int) -> bytes:
        """One byte per cell: 1 if it may have the value."""

    def may(self, cell: int, value: int) -> bool:
        """True if the cell may have the value."""

    def line_planes(self, line: int) -> list[bytes]:
        """
        For each value one byte a cell of a line, rows first: 1 if it may have the value.
        """

    @property
    def is_complete(self) -> bool: ...

class Progress(enum.Enum):
    FIXPOINT = 0

    CONTRADICTION = 1

    BUDGET = 2

class Prober:
    """Failed literal probing on a board."""

    def __init__(self, board: Board) -> None: ...

    def run(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> Progress | None:
        """Probe until a fixpoint, contradiction or limit; None when stopped."""

    @property
    def num_probes(self) -> int: ...

    @property
    def lessons(self) -> list[int]:
        """Cells whose probes removed values, in order."""

    @property
    def best(self) -> tuple[int, int] | None:
        """
        Cell to branch on and its value that removes fewest others, after FIXPOINT or
        BUDGET; None if no cell is open.
        """

class LaneProber:
    """Failed literal probing on a board."""

    def __init__(self, board: LaneBoard) -> None: ...

    def run(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> Progress | None:
        """Probe until a fixpoint, contradiction or limit; None when stopped."""

    @property
    def num_probes(self) -> int: ...

    @property
    def lessons(self) -> list[int]:
        """Cells whose probes removed values, in order."""

    @property
    def best(self) -> tuple[int, int] | None:
        """
        Cell to branch on and its value that removes fewest others, after FIXPOINT or
        BUDGET; None if no cell is open.
        """

class Outlook:
    """Consequences of each assumption about an open cell."""

    @property
    def refuted(self) -> list[tuple[int, int]]:
        """Refuted (cell, value) pairs."""

    @property
    def either(self) -> tuple[int, list[tuple[int, int]]] | None:
        """
        (cell, pairs) of the first cell whose values all imply the same (cell, value) pairs;
        None if there is none, or if any assumption is refuted.
        """

    @property
    def open(self) -> list[tuple[int, int, int]]:
        """
        (cell, value, number of pairs that it removes) for the other assumptions.
        """

def look_ahead(board: Board, most: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> Outlook | None:
    """
    Probe each assumption on a board at its fixpoint, which stays unchanged; end with
    the cell at which `most` assumptions are refuted. None when stopped.
    """

class Deduction:
    """Propagation and probing that record their steps."""

    def __init__(self, board: Board) -> None: ...

    def propagate(self, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bool | None:
        """Propagate to a fixpoint; False at a contradiction, None when stopped."""

    def probe(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> Progress | None:
        """Probe until a fixpoint, contradiction or limit; None when stopped."""

    def take_steps(self) -> bytes:
        """
        Return the steps since the last call, each as four 32-bit integers.

        A cell, a value that it cannot have, a cell or -1, and the value of that cell under
        which this holds.
        """

def lemmas(board: Board, steps: bytes, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> tuple[bytes, bytes] | None:
    """
    Convert steps of a Deduction to clauses over the variables of the open board's
    encoding.

    Returns (all clauses, those that hold without an assumption) as 32-bit integers,
    each clause terminated by 0; None when stopped.
    """

def order_clauses(cells: Sequence[Sequence[int]], clue: Sequence[tuple[int | None, int]], filled: Sequence[int], new_vars: Callable[[int], int], poll: Callable[[], bool] | None = None) -> bytes | None:
    """
    Return the order encoding of a line as 32-bit integers; None if it has no filling.
    """

def open_line_clauses(board: Board, lits: object, filled: bytes, lines: Sequence[int], new_vars: Callable[[int], int], poll: Callable[[], bool] | None = None) -> tuple[bytes, list[int]]:
    """
    Order encodings of lines of a board, and the number of variables of each line.

    `lines`: their indices; `lits`: a buffer of 32-bit integers, one per colour and
    cell; `filled`: one byte per cell, or empty. A line without a filling gives an empty
    clause.
    """

def open_lane_clauses(board: LaneBoard, lits: object, filled: bytes, lines: Sequence[int], new_vars: Callable[[int], int], poll: Callable[[], bool] | None = None) -> tuple[bytes, list[int]]:
    """Like `open_line_clauses`, for a board of lanes."""

class Implications:
    """Implications between values of open cells."""

    def __init__(self, board: Board, variables: object, max_tries: int, poll: Callable[[], bool] | None) -> None:
        """
        Work on a copy of the board. `variables`: a buffer of 32-bit integers, one per
        colour and cell.
        """

    def next(self, poll: Callable[[], bool] | None) -> bytes:
        """
        Return clauses for the next values as 32-bit integers, empty at the end. `poll` may
        raise.
        """

def num_clauses(clauses: object) -> int:
    """
    Return the number of clauses in a buffer of 32-bit integers, each terminated by 0.
    """

def clause_lists(clauses: object, start: int, most: int) -> tuple[list[list[int]], int]:
    """
    Return (at most `most` clauses from index `start` on, index of the next one).
    """

def dimacs_text(clauses: object, poll: Callable[[], bool] | None = None) -> bytes:
    """Return clauses as lines of DIMACS CNF. `poll` may raise."""

def opb_text(clauses: object, poll: Callable[[], bool] | None = None) -> bytes:
    """Return clauses as lines of OPB. `poll` may raise."""

class Words:
    """English names of a puzzle's lines, cells and values."""

    def __init__(self, height: int, width: int, inks: Sequence[str], is_short: bool, clues: Sequence[Sequence[tuple[int | None, int]]]) -> None:
        """
        Create the names. `inks`: of each value; `is_short`: clues are "2r 1b".
        """

    def place(self, place: int) -> str: ...

    def line(self, line: int) -> str: ...

    def clue(self, clue: Sequence[tuple[int | None, int]]) -> str: ...

    def scattered(self, settled: Sequence[tuple[int, int]], ruled_out: Sequence[tuple[int, int]]) -> str: ...

    def summary(self, settled: Sequence[tuple[int, int]], ruled_out: Sequence[tuple[int, int]]) -> str: ...

    def wrong(self, marks: Sequence[tuple[int, int]]) -> str: ...

class Explainer:
    """Steps of an explanation of a board."""

    def __init__(self, board: Board, words: Words, lines: Sequence[int], hardest: int, is_brief: bool) -> None:
        """
        Create it on a board, which its steps change. `lines`: those of which the clues may
        be used; empty for all.
        """

    def next(self, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> tuple[tuple[str, tuple[int, ...], tuple[tuple[int, int, int], ...], tuple[tuple[int, int, int], ...], str, tuple[int, int, int] | None, tuple[tuple[int, tuple[tuple[int, int, int], ...]], ...]] | None, tuple[int, str] | None] | None:
        """
        Return the next step, if there is one, and the line without a placement with the
        reason, if there is one; None when stopped.
        """

    def line_step(self, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> tuple[tuple[str, tuple[int, ...], tuple[tuple[int, int, int], ...], tuple[tuple[int, int, int], ...], str, tuple[int, int, int] | None, tuple[tuple[int, tuple[tuple[int, int, int], ...]], ...]] | None, tuple[int, str] | None] | None:
        """Return the same as `next`, by the clue of one line."""

    def refute(self, cell: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> tuple[tuple[str, tuple[int, ...], tuple[tuple[int, int, int], ...], tuple[tuple[int, int, int], ...], str, tuple[int, int, int] | None, tuple[tuple[int, tuple[tuple[int, int, int], ...]], ...]] | None, tuple[int, str] | None] | None:
        """
        Return the same as `next`, by an assumption about a cell that is followed line by
        line; only after `line_step` has found nothing.
        """

    def take(self, removals: Sequence[tuple[int, int]]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """
        Remove (place, value) pairs; return those places with one value left, with it, and
        the removals from the others.
        """

    @property
    def assumptions(self) -> list[tuple[int, int, int]]:
        """
        After `next` found nothing: (cell, value, number of pairs that it removes)
        for the assumptions about all open cells.
        """

def implied(board: Board, line: int) -> list[tuple[int, int]] | None:
    """
    Return all (cell, value) pairs that the clue of a line rules out; None if the line
    has no placement.
    """

def techniques() -> list[tuple[str, int, str]]:
    """
    Return (name, grade, summary) of each technique of explanations, easiest first.
    """

def line_rules() -> list[str]:
    """Return the names of the rules for one line, easiest first."""

def settled_by(technique: str, length: int, clue: Sequence[tuple[int | None, int]], may: Sequence[bytes], words: Words) -> tuple[list[tuple[int, int]], str] | None:
    """
    Return the cells of a line that a rule settles, with their values, and its
    description, which calls it the first row; None if it finds nothing. The line must
    have a placement.
    """

def needed_steps(steps: Sequence[tuple[Sequence[int], Sequence[int], bool]], cells: Sequence[int], height: int, width: int) -> list[int]:
    """
    Return the indices of the steps on which the values of cells depend.

    A step is the lines that it uses, the cells that it changes, and True if it may
    use any line.
    """

def picture_clues(cells: bytes, height: int, width: int, block: type[nonosat.core.model.Block]) -> tuple[tuple[nonosat.core.model.Clue, ...], tuple[nonosat.core.model.Clue, ...]]:
    """
    Return the clues of the rows and columns of a picture, one byte per cell, row by
    row; each block is `block(length, colour)`.
    """

def text_clues(lines: Sequence[str], inks: dict[str, int], gaps: str, block: type[nonosat.core.model.Block], other: Callable[[int], nonosat.core.model.Clue]) -> tuple[nonosat.core.model.Clue, ...]:
    """
    Return the clue of each line of text.

    A line has lengths, separated by blanks or characters of `gaps`, each followed by at
    most one sign, whose colour is in `inks`. `other(index)` returns the clue of any
    other line, and may raise.
    """

def json_clues(text: bytes, start: int, block: type[nonosat.core.model.Block], keys: Sequence[str]) -> tuple[tuple[nonosat.core.model.Clue, ...], int] | None:
    """
    Return the clues of a JSON list of clues that begins at `start`, and the position
    after it; None if it contains anything else. `keys` name the colours.
    """

def are_clues(clues: tuple[object, ...], block: type[nonosat.core.model.Block], most_length: int, most_colour: int) -> bool:
    """
    Return True if all are tuples of blocks of type `block`, with lengths from 1 or
    None.
    """

class Answer(enum.Enum):
    """Result of a learning search."""

    UNKNOWN = 0

    SAT = 1

    UNSAT = 2

class Exchange:
    """Exchange of learnt clauses between searches in several threads."""

    def __init__(self, members: int, variables: int, is_prompt: bool) -> None:
        """
        `members`: maximal number of searches. `is_prompt`: pass clauses on at once instead
        of by `deliver`.
        """

    def tell(self, lits: Sequence[int]) -> None:
        """Send a clause to all members, also while they are running."""

    def deliver(self) -> None:
        """Pass on the stored clauses. No member may be running."""

class Learner:
    """Conflict-driven clause learning over clauses and lines."""

    def __init__(self, seed: int = 0) -> None: ...

    def new_vars(self, count: int, poll: Callable[[], bool] | None = None) -> None:
        """
        Add variables with the next numbers. If `poll` raises, some have been added.
        """

    def add_clauses(self, clauses: object, poll: Callable[[], bool] | None = None) -> None:
        """
        Add clauses from a buffer of 32-bit integers, each terminated by 0.

        If `poll` or waiting for the GIL raises, some clauses have been added; adding all of
        them again is harmless.
        """

    def add_line(self, cells: Sequence[Sequence[int]], clue: Sequence[tuple[int | None, int]], filled: Sequence[int], poll: Callable[[], bool] | None = None) -> None:
        """
        Add complete propagation of a line that the clauses already encode. `poll` may
        raise.
        """

    def follow_loop(self, edges: object, poll: Callable[[], bool] | None = None) -> None:
        """
        Propagate that chosen edges, given by two vertices and a variable each, form one
        loop.

        Clauses must state everything else. 32-bit integers; only the first loop is
        followed. `poll` may raise.
        """

    def set_phases(self, lits: Sequence[int]) -> None:
        """Set the phases of the literals' variables; an empty list resets all."""

    def packing_bytes(self) -> int:
        """
        Return the number of bytes that `solve` needs temporarily at its start.
        """

    def solve(self, assumptions: Sequence[int] = [], conflicts: int | None = None, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> Answer | None:
        """
        Search; UNKNOWN after `conflicts` conflicts, None when stopped. The next call
        continues.
        """

    def look_ahead(self, cube: Sequence[int], candidates: Sequence[int], most: int, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> tuple[bool, list[int], int, int] | None:
        """
        Look ahead below a cube.

        Returns (True if the cube is refuted, at most `most` literals of candidates to
        branch on, best first, number of open variables, number of literals tried).
        Candidates are variables. None when stopped.
        """

    def failed(self, poll: Callable[[], bool] | None = None) -> list[int]:
        """
        Return the failed assumptions, which the clauses refute together; empty if the
        clauses are unsatisfiable alone.

        Only after UNSAT, before any other call. `poll` may raise.
        """

    def twin(self, seed: int) -> Learner:
        """
        Return another search over the same clauses and lines, with the clauses learnt so
        far.
        """

    def join(self, exchange: Exchange, member: int) -> None:
        """Exchange learnt clauses with the other members."""

    def keep_proof(self) -> None:
        """Record a proof from now on."""

    def take_proof(self) -> bytes:
        """
        Return and discard the recorded proof, as DRAT text.

        After UNSAT without assumptions it refutes the clauses.
        """

    def values(self) -> bytes:
        """Values of the last model, one byte per variable; byte 0 is unused."""

    @property
    def statistics(self) -> dict[str, int]:
        """Numbers of conflicts, decisions and further events so far."""

def cycle_clauses(num_vertices: int, edges: object, faces: object, most_edges: int, poll: Callable[[], bool] | None = None) -> bytes | None:
    """
    Return clauses for disjoint cycles, each terminated by 0.

    `edges`: two vertices and a literal per edge; `faces`: two faces per edge, or none:
    32-bit integers. None if edges or faces are unusual, or more than `most_edges` edges
    meet. `poll` may raise.
    """

class Cells:
    """Clauses that separate the parts of a model's loops in the plane."""

    def __init__(self, pairs: object, most_lits: int, poll: Callable[[], bool] | None = None) -> None:
        """
        `pairs`: variables of the two faces of each edge, FALSE for the outer face: 32-bit
        integers. Each part gets clauses of at most `most_lits` literals, or a single
        clause. `poll` may raise.
        """

    def refine(self, values: bytes, poll: Callable[[], bool] | None = None) -> bytes:
        """
        Return clauses that every single loop satisfies and these values violate, each
        terminated by 0. `poll` may raise.
        """

class Outcome(enum.Enum):
    SOLUTION = 0

    EXHAUSTED = 1

    BUDGET = 2

class Search:
    """Depth-first search over a board."""

    def __init__(self, board: Board, prober: Prober | None = None) -> None:
        """
        Search a board. If it is a copy of the prober's board, the prober's values are not
        tried again.
        """

    def next(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> Outcome | None:
        """Search for the next solution; None when stopped."""

    @property
    def num_nodes(self) -> int: ...

class LaneSearch:
    """Depth-first search over a board."""

    def __init__(self, board: LaneBoard, prober: LaneProber | None = None) -> None:
        """
        Search a board. If it is a copy of the prober's board, the prober's values are not
        tried again.
        """

    def next(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> Outcome | None:
        """Search for the next solution; None when stopped."""

    @property
    def num_nodes(self) -> int: ...

class Beliefs:
    """Belief propagation over the lines of a board."""

    def __init__(self, board: Board, *, damping: float, clamp: float, sigma: float, seed: int) -> None: ...

    def run(self, num_rounds: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bool | None:
        """
        Run rounds of belief propagation; False if a line has no filling, None when stopped.
        """

    def probabilities(self, value: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bytes | None:
        """Probabilities of a value, one double per cell; None when stopped."""

    def blocks(self, line: int, poll: Callable[[], bool] | None = None) -> list[tuple[tuple[list[int], list[float]], tuple[list[int], list[float]]]] | None:
        """
        By block ((starts, their probabilities), (ends, their probabilities)); None if the
        line has no filling. `poll` may raise.
        """

    def likely_bounds(self, line: int, poll: Callable[[], bool] | None = None) -> bytes | None:
        """
        Bytes, block by block: for each start but the last, 1 if the block starts there or
        earlier with a probability above 1/2; then the same for its ends. None if the line
        has no filling. `poll` may raise.
        """

    @property
    def num_rounds(self) -> int: ...

    @property
    def change(self) -> float:
        """Largest change of a message in the last round."""

class Prices:
    """Search for prices, whose bounds prove verdicts."""

    def __init__(self, board: Board, solution: bytes | None, poll: Callable[[], bool] | None = None) -> None:
        """`solution`: one byte per cell, or None. `poll` may raise."""

    class Outcome(enum.Enum):
        REACHED = 0

        STALLED = 1

        BUDGET = 2

    def lower(self, goal: int, budget: int, stubborn: bool = False, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> Prices.Outcome | None:
        """An Outcome, or None when stopped."""

    def find(self, budget: int, stubborn: bool = False, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> Prices.Outcome | None:
        """An Outcome, or None when stopped."""

    def set_solution(self, solution: bytes, poll: Callable[[], bool] | None = None) -> None:
        """
        Set a known solution, one byte per cell, and continue from the prices that led to
        it. `poll` may raise.
        """

    def shrink(self, goal: int, poll: Callable[[], bool] | None = None) -> None:
        """
        Halve the table's prices while its bound stays below the goal. `poll` may raise.
        """

    def ruled_out(self, goal: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> list[tuple[int, int]] | None:
        """
        (cell, value) pairs with which the bound is below the goal; None when stopped.
        """

    def refute(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> Prices.Outcome | None:
        """As `find`, for a bound below 0 only, and more patient."""

    def proof(self, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> tuple[list[tuple[int, int, int]], list[tuple[int, int]]] | None:
        """
        The table, as by `Prices.prices`, and by line, rows first: (maximum payment by the table,
        maximum without the clue); None when stopped.
        """

    def cells(self) -> bytes:
        """Most probable value of each cell, one byte each."""

    def prices(self, poll: Callable[[], bool] | None = None) -> list[tuple[int, int, int]]:
        """
        (cell, value, price) of the best table; other values have price 0. `poll` may raise.
        """

    @property
    def bound(self) -> int:
        """Bound of the best table, times its scale."""

    @property
    def scale(self) -> int: ...

    @property
    def num_sweeps(self) -> int: ...

def parse_dimacs(text: bytes, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> tuple[int, bytes] | None:
    """
    Parse a DIMACS text to (number of variables, clauses as 32-bit integers terminated
    by 0).

    None when stopped; a ValueError describes an error and its line.
    """

def check_drat(num_vars: int, clauses: bytes, proof: bytes, write: bool = False, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> tuple[int, int, bytes, bytes] | None:
    """
    Check a DRAT text backwards; RAT steps are refused.

    Returns (number of lemmas, number of needed lines, these as DRAT and as LRAT if
    `write`), or None when stopped; a ValueError says why the proof is refused.
    """

def check_lrat(num_vars: int, clauses: bytes, proof: bytes, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> int | None:
    """
    Check an LRAT text strictly and return the number of its lines.

    None when stopped; a ValueError says why the proof is refused.
    """

def check_prices(num_colours: int, rows: Sequence[Sequence[tuple[int | None, int]]], columns: Sequence[Sequence[tuple[int | None, int]]], given: Sequence[tuple[int, int, int]], solution: bytes | None, tables: Sequence[tuple[int, Sequence[Sequence[Sequence[int]]]]], remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> tuple[bool, int, int] | None:
    """
    Check if price tables prove that a solution is the only one, or that there is none.

    `tables`: (scale, rows of prices by colour). Returns (True if they do, number of
    tables checked, bound of the last), or None when stopped; a ValueError says what
    does not match. `poll` may raise.
    """

class Decimation:
    """Decimation: fix cells by their beliefs until a solution is reached."""

    def __init__(self, board: Board, *, first: int, rounds: int, pace: float, widen: float, keep: float, pushes: int, damping: float, clamp: float, sigma: float, seed: int) -> None: ...

    class Outcome(enum.Enum):
        COMPLETE = 0

        CONTRADICTION = 1

        BUDGET = 2

    def run(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None, dead_ends: int = 4611686018427387904) -> Decimation.Outcome | None:
        """Continue; BUDGET also after `dead_ends` dead ends. None when stopped."""

    def cells(self) -> bytes:
        """Current values of the cells, one byte each; 255 for an open cell."""

    def transfer_to(self, beliefs: Beliefs) -> None:
        """Copy the current messages and decided cells to `beliefs`."""

    @property
    def num_steps(self) -> int: ...

    @property
    def num_rounds(self) -> int: ...

    @property
    def num_refuted(self) -> int:
        """Number of refuted values."""

    @property
    def num_released(self) -> int:
        """How often both values of a cell were refuted."""

    @property
    def num_pushes(self) -> int: ...

class Counter:
    """The exact number of a board's solutions."""

    def __init__(self, board: Board, max_bytes: int) -> None:
        """Count the solutions of a board, which must not be changed elsewhere."""

    def run(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None, threads: int = 1) -> bool | None:
        """Continue counting; True if the number is exact, None when stopped."""

    def note(self, cells: bytes) -> None:
        """Register a known solution, one byte per cell, after the first run."""

    @property
    def total(self) -> bytes:
        """
        Number of solutions, or a lower bound, as little-endian bytes; empty for 0.
        """

    def components(self) -> list[int]:
        """
        By cell the index of its component, or -1 if it is decided; after the first run.
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

class LaneCounter:
    """The exact number of a board's solutions."""

    def __init__(self, board: LaneBoard, max_bytes: int) -> None:
        """Count the solutions of a board, which must not be changed elsewhere."""

    def run(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None, threads: int = 1) -> bool | None:
        """Continue counting; True if the number is exact, None when stopped."""

    def note(self, cells: bytes) -> None:
        """Register a known solution, one byte per cell, after the first run."""

    @property
    def total(self) -> bytes:
        """
        Number of solutions, or a lower bound, as little-endian bytes; empty for 0.
        """

    def components(self) -> list[int]:
        """
        By cell the index of its component, or -1 if it is decided; after the first run.
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
    """Number of assignments of chosen variables that satisfy rules."""

    def __init__(self, num_vars: int, rules: Sequence[int], chosen: Sequence[int], max_bytes: int) -> None:
        """
        `rules`: consecutive rules, each lower, upper, literals, 0, without repeated
        variables.
        Assignments that differ only in variables that are not chosen are counted once.
        """

    def run(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bool | None:
        """Continue counting; True if the number is exact, None when stopped."""

    @property
    def total(self) -> bytes:
        """
        Number of solutions, or a lower bound, as little-endian bytes; empty for 0.
        """

    @property
    def is_exact(self) -> bool: ...

    @property
    def is_full(self) -> bool:
        """True if counting has ended because its memory is full."""

    @property
    def num_nodes(self) -> int: ...

    @property
    def num_recalled(self) -> int: ...

class LoopCount:
    """Number of sets of edges that form one loop and satisfy rules."""

    def __init__(self, num_vertices: int, ends: Sequence[int], is_spanning: bool, rules: Sequence[int], max_bytes: int, poll: Callable[[], bool] | None = None) -> None:
        """
        `ends`: two vertices per edge. `rules`: consecutive rules, each lower, upper,
        literals, 0; literal 1 + edge is true if the edge is chosen. `poll` may raise.
        """

    def run(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bool | None:
        """Continue counting; True if the number is exact, None when stopped."""

    @property
    def total(self) -> bytes:
        """
        Number of solutions, or a lower bound, as little-endian bytes; empty for 0.
        """

    @property
    def is_exact(self) -> bool: ...

    @property
    def is_full(self) -> bool:
        """True if counting has ended because its memory is full."""

    @property
    def num_steps(self) -> int: ...

    @property
    def num_done(self) -> int:
        """Number of completed steps, one per edge."""

    @property
    def num_states(self) -> int:
        """Maximal number of states at the same time."""

    @property
    def width(self) -> int:
        """Maximal number of vertices of the frontier."""

def refuted_line(cells: bytes, rows: tuple[nonosat.core.model.Clue, ...], columns: tuple[nonosat.core.model.Clue, ...]) -> int | None:
    """
    Return the first line, rows first, whose clue a picture violates; None if there is
    none.
    """

def is_loop(edges: bytes, clues: bytes, width: int, blank: int) -> bool:
    """
    Return True if edges of a lattice form one closed path with these clues, one byte
    each.
    """

def clues_json(clues: tuple[nonosat.core.model.Clue, ...]) -> str:
    """
    Return clues as JSON, separated by commas: each is a list of [length, colour].
    """

def clue_sizes(clues: tuple[nonosat.core.model.Clue, ...], num_colours: int) -> tuple[list[int], list[int]]:
    """
    Return (by clue the minimal number of cells that it needs, by colour the number of
    cells that all clues fill, -1 if a length is unknown).
    """

class QueensCount:
    """Number of placements of n queens."""

    def __init__(self, allowed: Sequence[int], part: int | None = None) -> None:
        """
        `allowed`: the allowed columns by row, as bits; at most 64 rows. `part`, from 0: the
        only part to count.
        """

    def run(self, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bool:
        """
        Count; return True if `total` is exact. When stopped it is a lower bound.
        """

    @property
    def total(self) -> int: ...

    @property
    def num_parts(self) -> int:
        """Number of parts, whose counts add up to that of the board."""

class QueensSearch:
    """Enumeration of placements in lexicographic order."""

    def __init__(self, allowed: Sequence[int]) -> None:
        """`allowed`: the allowed columns by row, as bits; at most 64 rows."""

    def next(self, most: int, budget: int, poll: Callable[[], bool] | None = None) -> list[bytes]:
        """
        Return placements, one byte per row; fewer than `most` at the end, or after `budget`
        steps. If `poll` raises, those found are lost.
        """

    def next_classes(self, budget: int, poll: Callable[[], bool] | None = None) -> tuple[int, int]:
        """
        Count further placements within `budget` steps, and those that come first in their
        class under turns and reflections. If `poll` raises, both counts are lost.
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
    """Search for one placement, also on large boards."""

    def __init__(self, size: int, allowed: bytes, seed: int) -> None:
        """
        `allowed`: one byte per square, row by row, 0 if it is blocked; at most 2000 rows.
        """

    def next(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> Completed | None:
        """
        Search for a placement, placing at most `budget` queens; EXHAUSTED if there is none.
        None when stopped.
        """

    @property
    def columns(self) -> list[int]:
        """Columns of the last placement, by row."""

    @property
    def num_placed(self) -> int: ...

def knight_construct(rows: int, columns: int, closed: bool, start: int, seed: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bytes | None:
    """
    Construct a tour from `start` (-1: any) as 32-bit places.

    Empty if no construction applies, None when stopped.
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
        Return the 32-bit places of one attempt, empty after a dead end; None when stopped.
        """

    def complete(self, fixed: Sequence[tuple[int, int]], closed: bool, seed: int, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> tuple[TourOutcome, bytes] | None:
        """
        Search for at most `budget` ns; return a TourOutcome and the tour's 32-bit places.
        None when stopped.
        """

    def rotated(self, lists: Sequence[Sequence[int]], *, start_fixed: bool, closed: bool, seed: int, most: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bytes | None:
        """
        Join a path, the first list, and rings to a tour by rotations; return its 32-bit
        places, empty after `most` rotations. None when stopped.
        """

class TourSearch:
    """Enumeration of a board's tours by depth-first search."""

    def __init__(self, board: KnightBoard, starts: Sequence[int], fixed: Sequence[tuple[int, int]], *, closed: bool, halved: bool, guided: bool) -> None:
        """
        `fixed`: (place, step from 0). `halved`: closed tours in one direction only.
        """

    def next(self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> TourOutcome | None:
        """
        Search for the next tour, entering at most `budget` squares; None when stopped.
        """

    def path(self) -> bytes:
        """Return the 32-bit places of the current path, in order."""

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
    """Budgets of the attempts on a board."""

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
    def lane_search(self) -> int: ...

    @lane_search.setter
    def lane_search(self, arg: int, /) -> None: ...

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
    def cell_sweeps(self) -> int: ...

    @cell_sweeps.setter
    def cell_sweeps(self, arg: int, /) -> None: ...

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

    def refutation(self, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> tuple[list[tuple[int, int, int]], list[tuple[int, int]]] | None:
        """
        `Prices.proof` of the prices that have refuted the whole board; None if none have, or when
        stopped.
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
    """Sequence of attempts that decide a board."""

    def __init__(self, board: Board, picture: bytes | None = None, edited: Sequence[int] | None = None, budgets: Budgets = ...) -> None:
        """
        Work on a copy of a board. `picture`: a claimed solution, one byte per cell.
        `edited`: the cells in which it differs from the only solution of other clues.
        """

    class Verdict(enum.Enum):
        OPEN = 0

        UNIQUE = 1

        MULTIPLE = 2

        UNSOLVABLE = 3

    def step(self, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> bool:
        """
        Work on a stage until it ends or finds something; False when stopped. The next call
        continues.
        """

    @property
    def stage(self) -> str:
        """Stage of the next step."""

    @property
    def verdict(self) -> Strategy.Verdict: ...

    @property
    def is_exhausted(self) -> bool:
        """True if there are no further solutions."""

    def solution(self, number: int) -> bytes | None:
        """
        A solution, one byte per cell, by its number from 0; None beyond the last one.
        """

    @property
    def num_open(self) -> int:
        """Number of open cells."""

    @property
    def num_conflicts(self) -> int | None:
        """Number of conflicts of the learning search; None before it starts."""

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

    def refutation(self, remaining_s: float | None = None, poll: Callable[[], bool] | None = None) -> tuple[list[tuple[int, int, int]], list[tuple[int, int]]] | None:
        """
        `Prices.proof` of the prices that have refuted the whole board; None if none have, or when
        stopped.
        """

    def transfer_to(self, beliefs: Beliefs) -> bool:
        """
        Copy the messages of the last decimation to beliefs; False if there is none.
        """

    def next_turn(self) -> Turn:
        """Next turn of the caller's engine, from the stage "solve" on."""

    def take(self, cells: bytes) -> None:
        """Take a solution that this engine has found."""

    def pause(self) -> None:
        """Run prices between two turns, if they are promising."""
