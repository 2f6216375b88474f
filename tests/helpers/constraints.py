"""Readers of written XCSP3 and MiniZinc files, and the solutions of their constraints.

They share no code with the writers: automata are run transition by transition, the lines of
MiniZinc data are matched by regular expressions, circuits are walked, and solutions are found by
plain backtracking over the integers in the order of the file.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple
from xml.etree import ElementTree

Values = dict[str, int]
RELATIONS = {"eq": operator.eq, "le": operator.le, "ge": operator.ge}


class Constraint(NamedTuple):
    names: frozenset[str]
    holds: Callable[[Values], bool]


class Problem(NamedTuple):
    domains: dict[str, Sequence[int]]
    constraints: list[Constraint]


def solutions(problem: Problem) -> Iterator[Values]:
    """Assignments that satisfy all constraints."""
    names = list(problem.domains)
    places = {name: place for place, name in enumerate(names)}
    due: list[list[Constraint]] = [[] for _ in names]
    for one in problem.constraints:
        due[max(places[name] for name in one.names)].append(one)

    def extend(place: int, values: Values) -> Iterator[Values]:
        if place == len(names):
            yield dict(values)
            return
        for value in problem.domains[names[place]]:
            values[names[place]] = value
            if all(one.holds(values) for one in due[place]):
                yield from extend(place + 1, values)
        del values[names[place]]

    yield from extend(0, {})


def is_circuit(successors: Sequence[int]) -> bool:
    """True if the places form one cycle; places that follow themselves are not part of it."""
    on = {place for place, following in enumerate(successors) if place != following}
    if not on:
        return True
    at, seen = min(on), set()
    while at not in seen:
        seen.add(at)
        at = successors[at]
    return at == min(on) and seen == on


# XCSP3


def xcsp3(text: str) -> Problem:
    """Return the constraints of an instance."""
    root = ElementTree.fromstring(text)
    assert root.attrib == {"format": "XCSP3", "type": "CSP"}
    domains: dict[str, Sequence[int]] = {}
    arrays: dict[str, list[str]] = {}
    for one in root.find("variables"):
        sizes = [int(size) for size in re.findall(r"\[(\d+)\]", one.get("size"))]
        found = [
            one.get("id") + "".join(f"[{place}]" for place in places)
            for places in product(*map(range, sizes))
        ]
        domains |= dict.fromkeys(found, numbers(one.text))
        arrays[one.get("id")] = found
    reader = _Xcsp3(arrays)
    constraints = [reader.read(one) for one in root.find("constraints")]
    return Problem(domains, constraints)


def numbers(text: str) -> list[int]:
    """Values of `0 1`, or of `0..3`."""
    found: list[int] = []
    for word in text.split():
        first, _, last = word.partition("..")
        found += range(int(first), int(last or first) + 1)
    return found


class _Xcsp3:
    def __init__(self, arrays: dict[str, list[str]]) -> None:
        self.arrays = arrays

    def names(self, text: str) -> list[str]:
        """Names in a list, with `x[1][]` and the like expanded."""
        found = []
        for word in text.split():
            pattern = re.escape(word).replace(r"\[\]", r"\[\d+\]")
            array = self.arrays[word.partition("[")[0]]
            found += [name for name in array if re.fullmatch(pattern, name)]
        return found

    def read(self, element: ElementTree.Element) -> Constraint:
        parts = {part.tag: part.text.strip() for part in element}
        if element.tag == "intension":
            return self.intension(element.text.strip())
        names = self.names(parts["list"])
        holds = getattr(self, element.tag)(parts)
        return Constraint(frozenset(names), lambda values: holds([values[n] for n in names]))

    def regular(self, parts: dict[str, str]) -> Callable[[list[int]], bool]:
        found = re.findall(r"\((\w+),(\d+),(\w+)\)", parts["transitions"])
        table = {(state, int(value)): following for state, value, following in found}
        assert len(table) == len(found), "the automaton is not deterministic"

        def holds(cells: list[int]) -> bool:
            state: str | None = parts["start"]
            for cell in cells:
                state = table.get((state, cell))
            return state in parts["final"].split()

        return holds

    def extension(self, parts: dict[str, str]) -> Callable[[list[int]], bool]:
        text = parts.get("supports", parts.get("conflicts"))
        tuples = {tuple(map(int, one.split(","))) for one in re.findall(r"\(([\d,]+)\)", text)}
        tuples = tuples or {(value,) for value in numbers(text)}
        return lambda cells: (tuple(cells) in tuples) == ("supports" in parts)

    def instantiation(self, parts: dict[str, str]) -> Callable[[list[int]], bool]:
        return lambda cells: cells == numbers(parts["values"])

    def sum(self, parts: dict[str, str]) -> Callable[[list[int]], bool]:
        relation, bound = re.fullmatch(r"\((\w+),([-.\d]+)\)", parts["condition"]).groups()
        weights = [int(one) for one in parts.get("coeffs", "").split()]

        def holds(values: list[int]) -> bool:
            terms = zip(weights or [1] * len(values), values, strict=True)
            total = sum(weight * value for weight, value in terms)
            if relation == "in":
                return total in numbers(bound)
            return RELATIONS[relation](total, int(bound))

        return holds

    def circuit(self, parts: dict[str, str]) -> Callable[[list[int]], bool]:
        return is_circuit

    def intension(self, text: str) -> Constraint:
        used = re.findall(r"[a-z]\d?\[\d+\](?:\[\d+\])?", text)
        code = text
        for name in set(used):
            code = code.replace(name, f"values[{name!r}]")
        words = {"eq": operator.eq, "sub": operator.sub, "lt": operator.lt}
        return Constraint(frozenset(used), lambda values: eval(code, words, {"values": values}))


# MiniZinc


def dzn(text: str) -> dict[str, list[list[str]] | int]:
    """Values in a data file: whole numbers, and words in rows."""
    found: dict[str, list[list[str]] | int] = {}
    plain = re.sub(r"%.*", "", text)
    for name, value in re.findall(r"(\w+)\s*=\s*([^;]*);", plain):
        if value.startswith("["):
            rows = value.strip().removeprefix("[|").removesuffix("|]").strip().split("|")
            found[name] = [[word.strip() for word in row.split(",")] for row in rows if row.strip()]
        else:
            found[name] = int(value)
    return found


def pattern(entries: Sequence[str]) -> str:
    """Regular expression of a clue in the format of the MiniZinc challenge, with our extensions."""
    found, before = "0*", 0
    for entry in (int(entry) for entry in entries if entry != "-1"):
        colour = entry if entry >= 0 else -1 - entry
        if before and colour and before != colour:
            found += "0*"
        found += "0+" if entry == 0 else f"{colour}{'+' if entry < 0 else ''}"
        before = colour
    return found + "0*"


def data_solutions(text: str, num_colours: int) -> set[bytes]:
    """Pictures that satisfy the data of a nonogram, a byte a cell."""
    data = dzn(text)
    height, width = data["Y"], data["X"]
    assert set(data) - {"x"} == {"X", "Y", "maxlen", "rows", "cols"}
    assert (len(data["rows"]), len(data["cols"])) == (height, width)
    assert {len(row) for row in (*data["rows"], *data["cols"])} == {data["maxlen"]}
    rows, columns = (list(map(re.compile, map(pattern, data[n]))) for n in ("rows", "cols"))
    given = [word for row in data.get("x", ()) for word in row] or ["_"] * (height * width)
    assert len(given) == height * width
    signs = "".join(map(str, range(num_colours + 1)))
    lines = [
        [word for word in map("".join, product(signs, repeat=width)) if row.fullmatch(word)]
        for row in rows
    ]
    found = set()
    for words in product(*lines):
        picture = "".join(words)
        is_known = all(g in ("_", str(int(c) + 1)) for g, c in zip(given, picture, strict=True))
        if is_known and all(
            column.fullmatch(picture[place::width]) for place, column in enumerate(columns)
        ):
            found.add(bytes(map(int, picture)))
    return found


def minizinc(text: str) -> Problem:
    """Return the constraints of a model made of sums, circuits, and equations in Python's own
    syntax.
    """
    domains: dict[str, Sequence[int]] = {}
    arrays: dict[str, list[str]] = {}
    constraints = []
    for line in text.splitlines():
        if found := re.fullmatch(r"array\[(\d+)\.\.(\d+)\] of var (\d+)\.\.(\d+): (\w+);", line):
            first, last, low, high = map(int, found.groups()[:4])
            arrays[found[5]] = [f"{found[5]}[{place}]" for place in range(first, last + 1)]
            domains |= dict.fromkeys(arrays[found[5]], range(low, high + 1))
        elif found := re.fullmatch(r"constraint (?:sub)?circuit\((\w+)\);", line):
            constraints.append(_circuit(arrays[found[1]], "sub" not in line))
        elif line == "constraint false;":
            constraints.append(Constraint(frozenset(["x[1]"]), lambda values: False))
        elif line.startswith("constraint "):
            constraints.append(_equation(line.removeprefix("constraint ").removesuffix(";")))
        else:
            assert line[:1] in ("", "%") or line.split()[0] in ("include", "solve", "output"), line
    return Problem(domains, constraints)


def _circuit(names: list[str], is_whole: bool) -> Constraint:
    def holds(values: Values) -> bool:
        found = [values[name] for name in names]
        leaves = all(place != following for place, following in enumerate(found))
        return is_circuit(found) and (leaves or not is_whole)

    return Constraint(frozenset(names), holds)


def _equation(text: str) -> Constraint:
    names = set(re.findall(r"\w+\[\d+\]", text))
    code = re.sub(r"\w+\[\d+\]", lambda found: f"values[{found[0]!r}]", text)
    code = re.sub(r"(?<![<>=])=", "==", code.replace("/\\", "and"))
    return Constraint(frozenset(names), lambda values: eval(code, {}, {"values": values}))
