// Numbers that are crossed off, compared with all placements of short lines, made one by one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { decidesMore, doneBlocks, runsOf } from "../../nonosat/studio/page/play/line.js";

const OPEN = 255;

/** All lines of a length over values 0..colours. */
function* lines(length, colours) {
  const total = (colours + 1) ** length;
  for (let number = 0; number < total; number++) {
    let rest = number;
    yield Array.from({ length }, () => {
      const value = rest % (colours + 1);
      rest = (rest - value) / (colours + 1);
      return value;
    });
  }
}

/** The maximal runs of a full line, by a split of its text. */
function runs(line) {
  const found = [];
  const text = line.map((value) => String.fromCharCode(48 + value)).join("");
  for (const match of text.matchAll(/([1-9])\1*/g)) {
    found.push({
      start: match.index,
      end: match.index + match[0].length,
      colour: Number(match[1]),
    });
  }
  return found;
}

/** The full lines that hold a clue, with their runs. */
function fillings(clue, length, colours) {
  return [...lines(length, colours)]
    .map((line) => ({ line, found: runs(line) }))
    .filter(
      ({ found }) =>
        found.length === clue.length &&
        found.every(
          ({ start, end, colour }, at) =>
            colour === clue[at].colour &&
            (clue[at].length === null || clue[at].length === end - start),
        ),
    );
}

/** By definition: the block that a run is in every filling that fits. */
function byEnumeration(clue, marks, all) {
  const done = clue.map(() => false);
  const fitting = all.filter(({ line }) =>
    marks.every((mark, at) => mark === OPEN || mark === line[at]),
  );
  if (!fitting.length) return done;
  for (const run of runs(marks.map((mark) => (mark === OPEN ? 0 : mark)))) {
    const blocks = new Set(
      fitting.map(({ found }) =>
        found.findIndex(({ start, end }) => start === run.start && end === run.end),
      ),
    );
    const [only] = blocks;
    if (blocks.size === 1 && only >= 0) done[only] = true;
  }
  return done;
}

function* markings(length, colours) {
  for (const line of lines(length, colours + 1)) {
    yield line.map((value) => (value === colours + 1 ? OPEN : value));
  }
}

function* clues(length, colours, lengths) {
  yield [];
  if (length <= 0) return;
  for (const size of lengths) {
    for (let colour = 1; colour <= colours; colour++) {
      for (const rest of clues(length - (size ?? 1), colours, lengths)) {
        yield [{ length: size, colour }, ...rest];
      }
    }
  }
}

test("numbers are crossed off exactly if all placements agree: one colour", () => {
  for (let length = 1; length <= 6; length++) {
    for (const clue of clues(length, 1, [1, 2, 3])) {
      const all = fillings(clue, length, 1);
      for (const marks of markings(length, 1)) {
        assert.deepEqual(
          doneBlocks(clue, marks),
          byEnumeration(clue, marks, all),
          JSON.stringify([clue, marks]),
        );
      }
    }
  }
});

test("numbers are crossed off exactly if all placements agree: two colours", () => {
  for (const clue of clues(4, 2, [1, 2, null])) {
    if (clue.length > 3) continue;
    const all = fillings(clue, 4, 2);
    for (const marks of markings(4, 2)) {
      assert.deepEqual(
        doneBlocks(clue, marks),
        byEnumeration(clue, marks, all),
        JSON.stringify([clue, marks]),
      );
    }
  }
});

/** By definition: all fillings that fit have the same value in some open cell. */
function agreeMore(marks, all) {
  const fitting = all.filter(({ line }) =>
    marks.every((mark, at) => mark === OPEN || mark === line[at]),
  );
  const isSame = (at) => fitting.every(({ line }) => line[at] === fitting[0].line[at]);
  return fitting.length > 0 && marks.some((mark, at) => mark === OPEN && isSame(at));
}

test("a line decides more exactly if all placements agree on an open cell", () => {
  for (const [length, colours, lengths] of [
    [6, 1, [1, 2, 3]],
    [4, 2, [1, 2, null]],
  ]) {
    for (const clue of clues(length, colours, lengths)) {
      const all = fillings(clue, length, colours);
      for (const marks of markings(length, colours)) {
        const found = decidesMore(clue, marks);
        assert.equal(found, agreeMore(marks, all), JSON.stringify([clue, marks]));
      }
    }
  }
});

test("a run between equal numbers is identified by the other blocks", () => {
  const clue = [1, 1].map((length) => ({ length, colour: 1 }));
  const cross = 0;
  assert.deepEqual(doneBlocks(clue, [OPEN, OPEN, cross, 1, cross, OPEN, OPEN]), [false, false]);
  assert.deepEqual(doneBlocks(clue, [cross, cross, cross, 1, cross, OPEN, OPEN]), [true, false]);
  assert.deepEqual(doneBlocks(clue, [cross, 1, 1, cross, OPEN, OPEN, OPEN]), [false, false]);
});

test("a complete block is done before its ends are crossed", () => {
  assert.deepEqual(doneBlocks([{ length: 2, colour: 1 }], [OPEN, 1, 1, OPEN]), [true]);
  assert.deepEqual(doneBlocks([{ length: 3, colour: 1 }], [OPEN, 1, 1, OPEN]), [false]);
  assert.deepEqual(doneBlocks([{ length: null, colour: 1 }], [OPEN, 1, 1, OPEN]), [false]);
});

test("runs are cells of one colour", () => {
  assert.deepEqual(runsOf([1, 1, 2, OPEN, 0]), [
    { start: 0, end: 2, colour: 1 },
    { start: 2, end: 3, colour: 2 },
  ]);
});

test("a line without a clue has nothing to cross off", () => {
  assert.deepEqual(doneBlocks(null, [1, 0]), []);
});
