// Marks of verdicts and repairs on the board.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as mend from "../../nonosat/studio/page/mend/index.js";
import * as verdict from "../../nonosat/studio/page/verdict/index.js";

const judged = (...messages) =>
  messages.reduce(
    (slice, message) =>
      verdict.reduce(slice, { type: "verdict/received", message: { edit: 1, ...message } }),
    verdict.reduce(verdict.initial(), { type: "verdict/requested", edit: 1 }),
  );
const shown = (slice, mode = "draw") => verdict.overlay({ mode, verdict: slice });
const many = judged({ verdict: "multiple", differing: [[0, 1]] });

test("disputed cells are marked during drawing, and until the next verdict is due", () => {
  assert.deepEqual(shown(many).marks, [{ row: 0, column: 1, kind: "disputed" }]);
  assert.equal(shown(many, "play"), null);
  const next = verdict.reduce(many, { type: "verdict/requested", edit: 2 });
  assert.equal(shown(next).marks.length, 1);
  assert.equal(shown(verdict.reduce(next, { type: "verdict/slow", edit: 2 })), null);
});

test("for a loop its edges are marked", () => {
  const loop = judged({
    verdict: "multiple",
    differing: [
      [0, 0],
      [0, 0, 0, 1],
    ],
  });
  assert.deepEqual(shown(loop).marks, [{ edge: [0, 0, 0, 1], kind: "disputed" }]);
});

test("contradictory clues are highlighted as wrong", () => {
  const none = judged({ verdict: "unsolvable", lines: [{ row: 2 }, { column: 0 }] });
  assert.deepEqual(shown(none).lines, [
    { row: 2, kind: "wrong" },
    { column: 0, kind: "wrong" },
  ]);
});

test("another solution and heat are drawn over the picture until a repair is found", () => {
  const viewed = (view, data) =>
    verdict.reduce(many, { type: "verdict/view", edit: 1, view, data });
  const cells = Uint8Array.of(0, 1);
  const other = shown(viewed("other", { cells, differing: [[0, 0]] }));
  assert.equal(other.cells, cells);
  assert.deepEqual(other.marks, [{ row: 0, column: 0, kind: "disputed" }]);
  const some = shown(viewed("other", { cells, differing: null }));
  assert.deepEqual(some.marks, [{ row: 0, column: 1, kind: "disputed" }]);
  const heat = Float32Array.of(0, 1);
  const warm = viewed("beliefs", { heat });
  assert.equal(shown(warm).heat, heat);
  assert.equal(shown(verdict.reduce(warm, { type: "mend/found" })).heat, undefined);
});

test("the shown repair is marked, clues as well as cells, beside the others of one cell", () => {
  const found = {
    ...mend.initial(),
    status: "found",
    proposals: [
      { changes: [{ row: 1, column: 2, colour: 0 }], clues: [] },
      { changes: [], clues: [{ row: 0, column: 0, clue: "3" }] },
      {
        changes: [
          { row: 0, column: 1, colour: 1 },
          { row: 0, column: 2, colour: 1 },
        ],
        clues: [],
      },
    ],
  };
  const marks = (at) => mend.overlay({ mode: "draw", mend: { ...found, at } }).marks;
  assert.deepEqual(marks(0), [{ row: 1, column: 2, colour: 0, kind: "change" }]);
  assert.deepEqual(marks(1), [
    { row: 1, column: 2, kind: "mends" },
    { row: 0, column: 0, clue: "3", kind: "change" },
  ]);
  assert.equal(mend.overlay({ mode: "draw", mend: mend.initial() }), null);
});
