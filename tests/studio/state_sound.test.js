// Received data are a puzzle, or refused in a sentence.

import assert from "node:assert/strict";
import { test } from "node:test";
import { documentOf } from "../../nonosat/studio/page/state/share.js";
import { refusalOfPuzzle } from "../../nonosat/studio/page/state/sound.js";

const PLAIN = { rows: [[1], [null]], columns: [[1], [1]] };
const COLOURED = {
  rows: [[[1, "r"]], [[null, "b"]]],
  columns: [[[1, "r"]], [0]],
  colors: { r: "#FF0000", b: "#0000ff" },
};

test("puzzles are accepted unchanged", () => {
  for (const data of [
    PLAIN,
    { ...PLAIN, width: 2, height: 2, background: null, title: "T", given: [[0, 1, 0]] },
    { ...PLAIN, goal: "1001", given: null, family: "nonogram", saved: ["1???"], other: 7 },
    { ...PLAIN, goal: [1, 0, 0, 1], colors: { a: "#123456" } },
    { ...COLOURED, given: [[1, 1, "b"]] },
    { family: "slitherlink", rows: ["3.", " 2"] },
  ]) {
    assert.equal(documentOf(data).puzzle, data);
  }
});

test("other data are refused in a sentence", () => {
  const many = (count) => Array.from({ length: count }, () => []);
  const bad = [
    ...[null, 3, "text", [], [1]],
    {},
    { rows: [[1]] },
    { columns: [[1]] },
    { rows: "1", columns: [[1]] },
    { rows: { length: 1 }, columns: [[1]] },
    { rows: [], columns: [[1]] },
    { rows: many(201), columns: many(3) },
    { rows: many(3), columns: many(201) },
    ...["1 1", 1, null, [0, 1], [-1], [1.5], ["1"], [1e9], [true], [{}], [[1]], [[1, "a"]]].map(
      (clue) => ({ ...PLAIN, rows: [clue, [1]] }),
    ),
    ...[[1], [[1, "x"]], [[0, "r"]], [[1, "r", 2]], [["1", "r"]], [["r", 1]]].map((clue) => ({
      ...COLOURED,
      rows: [clue, []],
    })),
    ...[3, "2", 0].map((width) => ({ ...PLAIN, width })),
    { ...PLAIN, height: 1 },
    ...["red", "#fff", "#12345g", 5, "url(x)"].map((background) => ({ ...PLAIN, background })),
    ...[{}, [], "a", { a: "red" }, { a: null }, { "": "#000000" }].map((colors) => ({
      ...PLAIN,
      colors,
    })),
    ...["x", {}, [[0, 0]], [[2, 0, 1]], [[0, -1, 1]], [[0, 0, 2]], [["0", 0, 1]], [null]].map(
      (given) => ({ ...PLAIN, given }),
    ),
    ...["100", 5, [1]].map((goal) => ({ ...PLAIN, goal })),
    { ...PLAIN, title: 5 },
    { ...PLAIN, author: ["a"] },
    { ...PLAIN, family: {} },
    { width: 2, goal: "1001", height: 3 },
    { width: 2, goal: "1001", background: "red" },
    { width: 2, goal: "1001", given: "x" },
    { width: 1, goal: "0".repeat(5000) },
    { family: "slitherlink" },
    { family: "slitherlink", rows: [["3"]] },
    { family: "slitherlink", rows: [] },
    { family: "slitherlink", rows: [""] },
    { family: "slitherlink", rows: [".".repeat(201)] },
  ];
  for (const data of bad) {
    const name = JSON.stringify(data).slice(0, 80);
    assert.throws(() => documentOf(data), { name: "Error", message: /^[A-Z].*[.]$/ }, name);
  }
});

test("more colours than the studio can draw are refused, and families that it cannot show", () => {
  const coloured = (count) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, "#123456"]));
  const goal = { width: 2, goal: "1001" };
  assert.equal(refusalOfPuzzle({ ...PLAIN, colors: coloured(16) }), "");
  assert.equal(refusalOfPuzzle({ family: "slitherlink", rows: ["3"] }), "");
  assert.equal(documentOf({ ...goal, colors: coloured(16) }).palette.length, 16);
  const refusal = /has 17 colours, the studio has room for 16; the commands of nonosat take it\.$/;
  assert.match(refusalOfPuzzle({ ...PLAIN, colors: coloured(17) }), refusal);
  for (const data of [PLAIN, goal])
    assert.throws(() => documentOf({ ...data, colors: coloured(17) }), { message: refusal });
  const other = /^This is a puzzle of the family "queens"\..* command line of nonosat solves/;
  assert.match(refusalOfPuzzle({ family: "queens", n: 5 }), other);
  assert.throws(() => documentOf({ family: "queens", n: 5 }), { message: other });
});
