"""A placement of n queens by a formula, for every n except 2 and 3.

The rows get the even columns first, then the odd ones, so that queens in successive rows are a
knight's move apart and share no diagonal. If the two halves conflict (n = 2 or 3 modulo 6), a few
queens change places. O(n).

Source: Pauls, "Das Maximalproblem der Damen auf dem Schachbrette" (Deutsche Schachzeitung, 1874);
Bell, Stevens, "A survey of known results and research areas for n-queens" (Discrete Mathematics,
2009).
"""

from __future__ import annotations


def columns(n: int) -> list[int]:
    """Return the column of each row's queen; `n` is neither negative nor 2 nor 3."""
    even, odd = [*range(1, n, 2)], [*range(0, n, 2)]  # even and odd from 1, as in the formula
    if n % 6 == 2:
        odd = [2, 0, *odd[3:], 4]
    elif n % 6 == 3:
        even, odd = [*even[1:], 1], [*odd[2:], 0, 2]
    return even + odd
