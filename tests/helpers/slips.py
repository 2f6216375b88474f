"""Formulas of documents 000 and 003 as printed, which tests show to be wrong, one by one.

Cells are coded as in document 000: 0 unknown, 1 white, 2 black; `coded` translates ours. This
module uses nothing of the package.
"""

from __future__ import annotations

from collections.abc import Sequence

Line = Sequence[int]
Clue = Sequence[int]
WHITE, BLACK = 1, 2


class UndefinedError(Exception):
    """No case of the formula applies."""


def coded(cells: bytes) -> list[int]:
    """The project's cells (0 empty, 1 filled, 255 unknown) in the document's codes."""
    return [{0: WHITE, 1: BLACK, 255: 0}[cell] for cell in cells]


def summary_t(line: Line, s: Clue, j: int, l: int) -> bool:  # noqa: E741
    """T by the formula that summarises document 000."""
    if j == 0 and l == 0:
        return True
    if j > 0 and l == 0:
        return not any(line[i] == BLACK for i in range(j))
    if j > 0 and l > 0 and j < s[l - 1] - 1:
        return False
    if j > 0 and l > 0 and j == s[l - 1] - 1:
        return l == 1 and not any(line[i] == WHITE for i in range(j))
    if j > 0 and l > 1 and line[j] == WHITE:
        return summary_t(line, s, j - 1, l)
    if j > 0 and l > 1 and line[j] == BLACK:
        return _is_block(line, j, s[l - 1]) and summary_t(line, s, j - s[l - 1] - 1, l - 1)
    raise UndefinedError


def _is_block(line: Line, j: int, length: int) -> bool:
    start = j - length
    return line[start] != BLACK and WHITE not in line[start + 1 : j]


def prose_t(line: Line, s: Clue, j: int, l: int) -> bool:  # noqa: E741
    """T as the text of document 000 describes it, case by case."""
    if l == 0:
        if j < 0:
            raise UndefinedError
        return j == 0 or not any(line[i] == BLACK for i in range(j))
    length = s[l - 1]
    if j < length - 1:
        return False
    if j == length - 1:
        return l == 1 and not any(line[i] == WHITE for i in range(j + 1))
    ways = []
    if line[j] != BLACK:
        ways.append(lambda: prose_t(line, s, j - 1, l))
    if line[j] != WHITE:
        ways.append(lambda: _is_block(line, j, length) and prose_t(line, s, j - length - 1, l - 1))
    return any(way() for way in ways)


def paint_prefix(line: list[int], s: Clue, j: int, l: int) -> bool:  # noqa: E741
    """`ToMau` of method 1 as printed; paints `line`, returns the result of the pseudo-code."""
    if l == 0:
        if any(line[i] == BLACK for i in range(j)):
            return False
        line[:j] = [cell or WHITE for cell in line[:j]]
    elif j < s[l - 1] - 1:
        return False
    elif j == s[l - 1] - 1:
        if any(line[i] == WHITE for i in range(j)):
            return False
        line[:j] = [cell or WHITE for cell in line[:j]]
    elif line[j] == WHITE:
        return paint_prefix(line, s, j - 1, l)
    elif line[j] == BLACK:
        # Its loops over i read cell j, which is black, so that they do nothing.
        return line[j - s[l - 1]] != BLACK and prose_t(line, s, j - s[l - 1] - 1, l - 1)
    else:
        return _branch(line, s, j, l)
    return True


def _branch(line: list[int], s: Clue, j: int, l: int) -> bool:  # noqa: E741
    one, two = [*line[:j], WHITE], [*line[:j], BLACK]
    b1, b2 = paint_prefix(one, s, j, l), paint_prefix(two, s, j, l)
    if not b1 and not b2:
        return False
    for i in range(j if b1 and b2 else j + 1):
        if line[i] == 0 and one[i] != 0 and (one[i] == two[i] or not (b1 and b2)):
            line[i] = one[i] if b1 else two[i]  # but the code reads L^1
    return True


def paint_by_trials(line: list[int], s: Clue, *, reset: bool) -> bool:
    """Method 2 with the document's memory (j, l), kept for the whole line or reset for each call.

    The recursion itself is the corrected one, so that only the memory is at fault.
    """
    memory: set[tuple[int, int]] = set()

    def t(cells: Line, j: int, l: int) -> bool:  # noqa: E741
        if (j, l) in memory:
            return False
        found = cases(cells, j, l)
        if not found:
            memory.add((j, l))
        return found

    def cases(cells: Line, j: int, l: int) -> bool:  # noqa: E741
        if l == 0:
            return BLACK not in cells[: j + 1]
        length = s[l - 1]
        if j < length - 1:
            return False
        if j == length - 1:
            return l == 1 and WHITE not in cells[: j + 1]
        if cells[j] != BLACK and t(cells, j - 1, l):
            return True
        return cells[j] != WHITE and _is_block(cells, j, length) and t(cells, j - length - 1, l - 1)

    def ask(cells: Line) -> bool:
        if reset:
            memory.clear()
        return t(cells, len(cells) - 1, len(s))

    for i, cell in enumerate(line):
        if cell:
            if not ask(line):
                return False
            continue
        b1 = ask([*line[:i], WHITE, *line[i + 1 :]])
        b2 = ask([*line[:i], BLACK, *line[i + 1 :]])
        if not b1 and not b2:
            return False
        if b1 != b2:
            line[i] = WHITE if b1 else BLACK
    return True


def num_fixed(num_cells: int, s: Clue) -> int:
    """ "max(0, sum s - n |s|)"."""
    n = num_cells - (sum(s) + len(s) - 1)
    return max(0, sum(s) - n * len(s))


def fixed_interval(num_cells: int, s: Clue, block: int) -> tuple[int, int]:
    """ "[delta + n, delta + s_l]" with delta = sum of s_i + i over 0 < i < l; blocks from 1."""
    n = num_cells - (sum(s) + len(s) - 1)
    delta = sum(s[i - 1] + i for i in range(1, block))
    return delta + n, delta + s[block - 1]


def shortcut(line: list[int], s: Clue) -> None:
    """The shortcuts for no blocks and for gamma = |L|, as printed: they read no cell."""
    if not s:
        line[:] = [WHITE] * len(line)
    elif sum(s) + len(s) - 1 == len(line):
        block = done = 0
        for i in range(len(line)):
            if done == s[block]:
                block, done, line[i] = block + 1, 0, WHITE
            else:
                done, line[i] = done + 1, BLACK


def score(line: Line, s: Clue) -> int:
    """min(unknown cells, |L| - gamma)."""
    return min(list(line).count(0), len(line) - (sum(s) + len(s) - 1))
