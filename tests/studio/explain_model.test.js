// State of explanations, and its picture on the board.

import assert from "node:assert/strict";
import { test } from "node:test";
import { scene } from "../../nonosat/studio/page/explain/index.js";
import * as model from "../../nonosat/studio/page/explain/model.js";
import { fromPuzzle } from "../../nonosat/studio/page/state/document.js";

const doc = fromPuzzle({ width: 2, height: 2, rows: [[2], [1]], columns: [[1], [2]] });
const found = {
  verdict: "unique",
  steps: [
    {
      technique: "ranges",
      lines: [{ row: 0 }],
      settled: [
        [0, 0, "#"],
        [0, 1, "#"],
      ],
      sentence: "A.",
    },
    {
      technique: "all there",
      lines: [{ row: 1 }],
      settled: [
        [1, 1, "#"],
        [1, 0, "."],
      ],
      sentence: "B.",
    },
  ],
};
const clash = {
  ...found,
  contradiction: { lines: [{ row: 0 }], steps: [], sentence: "They clash.", end: "Row 1 breaks." },
};
const asked = { type: "explain/requested" };
const answered = (answer) => ({ type: "explain/found", shape: doc.puzzle, found: answer });
const at = (number) => ({ type: "explain/at", at: number });
const after = (...actions) =>
  actions.reduce((slice, action) => model.reduce(slice, action, { doc }), model.initial());

test("steps are visited within their explanation, each from its last position", () => {
  const reason = {
    type: "explain/reason",
    shape: doc.puzzle,
    found: { steps: [], lines: [], cell: [0, 0] },
  };
  let slice = after(asked, answered(found), at(7));
  assert.equal(model.placeIn(slice), 2);
  slice = model.reduce(slice, reason, { doc });
  assert.equal(model.storyOf(slice).kind, "reason");
  assert.equal(model.placeIn(slice), 0);
  slice = model.reduce(slice, { type: "explain/story", kind: "whole" }, { doc });
  assert.equal(model.placeIn(slice), 2);
  assert.deepEqual(model.actionOfKey(slice, "Home"), at(0));
  assert.equal(model.actionOfKey(slice, "q"), null);
  assert.equal(model.actionOfKey(model.initial(), "Home"), null);
});

test("contradictory clues are shown first", () => {
  const slice = after(asked, answered(clash));
  assert.equal(model.storyOf(slice).kind, "clash");
  assert.equal(model.countOf(slice), 1);
});

test("answers about a puzzle that has changed are dropped", () => {
  const other = fromPuzzle({ ...doc.puzzle, title: "another" });
  const slice = after(asked);
  assert.equal(model.reduce(slice, answered(found), { doc: other }).status, "none");
  assert.equal(after(answered(found)).status, "none");
  assert.equal(
    after(asked, { type: "explain/failed", shape: doc.puzzle, message: "No." }).message,
    "No.",
  );
});

test("the board shows the steps so far, with clues crossed off and lines highlighted", () => {
  const slice = after(asked, answered(found), at(1));
  const shown = scene({ doc, explain: slice, cursor: { row: 0, column: 0 } });
  assert.deepEqual([...shown.cells], [1, 1, 255, 255]);
  assert.deepEqual(shown.lines, [{ row: 0, kind: "lit" }]);
  assert.equal(shown.rowClues[0][0].done, true);
  assert.equal(shown.columnClues[1][0].done, false);
  assert.deepEqual(
    [...scene({ doc, explain: after(asked, answered(found), at(2)), cursor: null }).crosses],
    [0, 0, 1, 0],
  );
});
