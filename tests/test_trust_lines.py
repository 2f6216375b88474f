"""Check of the line propagator, and its oracle against two others in Python."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from nonosat.core.model import Block
from nonosat.testing.oracles import Support, enumerated_support, line_support

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks/trust"))
import lines
import natively
from record import Asked


@pytest.fixture(scope="module")
def fuzzer():
    with natively.program("fuzz_lines") as path:
        yield path


def drawn(rng: random.Random):
    """Clue that mostly fits, and known cells."""
    length, num_colours = rng.randint(0, rng.choice([8, 14, 40, 130])), rng.randint(1, 3)
    truth, clue = [], []
    while len(truth) < length:
        colour = rng.randint(0, num_colours)
        run = min(rng.randint(1, 4), length - len(truth))
        if colour and truth and truth[-1] == colour:
            continue
        truth += [colour] * run
        if colour:
            clue.append(Block(None if rng.random() < 0.25 else run, colour))
    if rng.random() < 0.2 and clue:
        clue[rng.randrange(len(clue))] = Block(rng.randint(1, 3), rng.randint(1, num_colours))
    known = [
        frozenset(v for v in range(num_colours + 1) if v == cell or rng.random() < 0.7)
        for cell in truth
    ]
    return tuple(clue), known, num_colours


def asked_for(clue, known, num_colours):
    sets = [sum(1 << value for value in values) for values in known]
    blocks = [number for block in clue for number in (block.length or 0, block.colour)]
    return " ".join(map(str, [num_colours, len(clue), *blocks, len(known), *sets]))


def answered(line: str, num_cells: int, num_blocks: int) -> Support | None:
    is_any, *words = line.split()
    if is_any == "0":
        return None
    sets, places = words[:num_cells], words[num_cells:] if num_cells else [""] * 2 * num_blocks
    values = tuple(frozenset(v for v in range(8) if int(each) >> v & 1) for each in sets)
    found = [frozenset(i for i, digit in enumerate(each) if digit == "1") for each in places]
    return Support(values, tuple(found[:num_blocks]), tuple(found[num_blocks:]))


@pytest.mark.slow
def test_the_native_oracle_agrees_with_the_oracles_in_python(fuzzer):
    rng = random.Random(18)
    cases = [drawn(rng) for _ in range(700)]
    feed = "\n".join(asked_for(*case) for case in cases)
    written, complaint = natively.answers(fuzzer, "oracle", feed=feed)
    assert complaint is None
    assert len(written) == len(cases)
    num_none = num_enumerated = 0
    for (clue, known, _), line in zip(cases, written, strict=True):
        expected = line_support(clue, known)
        assert answered(line, len(known), len(clue)) == expected, (clue, known)
        num_none += expected is None
        if len(known) <= 12:
            num_enumerated += 1
            assert enumerated_support(clue, known) == expected
    assert num_none > 20
    assert num_enumerated > 130


@pytest.mark.slow
def test_the_short_form_finds_no_mistake(fuzzer):
    figures = lines.check(Asked(short=True, seed=0), fuzzer)
    assert figures["failures"] == []
    assert figures["checked"]["random pairs"] >= 8000
    assert figures["checked"]["of these over 63 cells"] > 2000
