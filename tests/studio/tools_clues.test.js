// Clues of a nonogram while they are typed: messages, and the parts that an edit keeps.

import assert from "node:assert/strict";
import { test } from "node:test";
import { withColour, wrongOf } from "../../nonosat/studio/page/tools/clues.js";
import { isSameTable } from "../../nonosat/studio/page/tools/typed.js";

test("typed text belongs to one document", () => {
  const same = (before, key) => isSameTable(before, { key });
  assert.ok(same({ key: "a" }, "a") && same({ key: null }, null));
  assert.ok(same({ key: "gallery-3", freshKey: "b" }, "b"));
  assert.ok(!same(null, "a") && !same({ key: "a" }, "b") && !same({ key: "a" }, null));
  assert.ok(!same({ key: "a", freshKey: null }, null) && !same({ key: "a" }, undefined));
});

test("lines that contradict each other, and one that is wrong by itself", () => {
  const of = (shown, side = "row") => [...wrongOf({ verdict: { shown } }, side)];
  assert.deepEqual(of(null), []);
  assert.deepEqual(of({ error: { message: "no", line: { row: 2 } } }), [[2, "no"]]);
  const two = { lines: [{ row: 0 }, { column: 1 }], sentence: "They clash." };
  assert.deepEqual(of(two).length, 1);
  assert.match(of(two)[0][1], /contradicts the others/);
  assert.match(of(two, "column")[0][1], /contradicts the others/);
  const one = { lines: [{ row: 1 }], sentence: "Row 2 has 1 cell." };
  assert.deepEqual(of(one), [[1, "Row 2 has 1 cell."]]);
  assert.doesNotMatch(of({ lines: [{ row: 1 }] })[0][1], /others/);
});

test("one more colour changes neither clues nor given cells", () => {
  const puzzle = {
    rows: [[1], [null], [0]],
    columns: [[2]],
    given: [
      [0, 0, 1],
      [2, 0, 0],
    ],
    goal: "110",
    saved: ["1??"],
    title: "T",
  };
  const more = withColour(puzzle, ["#000000"]);
  assert.deepEqual(more, {
    ...puzzle,
    colors: { a: "#000000", b: "#1a1a1a" },
    rows: [[[1, "a"]], [[null, "a"]], [0]],
    columns: [[[2, "a"]]],
    given: [
      [0, 0, "a"],
      [2, 0, 0],
    ],
  });
  const third = withColour(more, Object.values(more.colors));
  assert.deepEqual(Object.keys(third.colors), ["a", "b", "c"]);
  assert.deepEqual([third.rows, third.given], [more.rows, more.given]);
});
