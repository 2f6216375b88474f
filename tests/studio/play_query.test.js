// Hints and checks that are requested while the user plays on; the scene of a drag.

import assert from "node:assert/strict";
import { test } from "node:test";
import { initial, onKey, reduce, scene } from "../../nonosat/studio/page/play/index.js";
import { fromPuzzle } from "../../nonosat/studio/page/state/document.js";

test("an answer that arrives after the next query is dropped", async () => {
  const doc = fromPuzzle({ width: 1, height: 1, rows: [[1]], columns: [[1]] });
  const play = { marks: Uint8Array.of(255), isSolved: false, pending: "" };
  const [answer, told] = [[], []];
  const app = {
    store: {
      get: () => ({ doc, play }),
      dispatch: (action) => action.found && told.push(action.found),
    },
    answers: { can: () => true, query: () => new Promise((resolve) => answer.push(resolve)) },
    announce() {},
  };
  const press = (key) => onKey({ key }, app);
  press("h");
  press("c"); // a mark has ended the first query meanwhile
  answer[0]("old");
  answer[1]("new");
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(told, ["new"]);
});

test("a hint that shows its cells stays at further calls", () => {
  const doc = fromPuzzle({ width: 1, height: 1, rows: [[1]], columns: [[1]] });
  const hint = { hasCells: true, lines: [], before: [], sentence: "Row 1.", todo: [] };
  const play = { marks: Uint8Array.of(255), isSolved: false, pending: "", hint };
  const sent = [];
  const app = {
    store: { get: () => ({ doc, play }), dispatch: (action) => sent.push(action) },
    answers: { can: () => true, query: async (name) => sent.push(name) },
    announce: (words) => sent.push(words),
  };
  assert.ok(onKey({ key: "h" }, app));
  assert.deepEqual(sent, []);
});

test("a drag counts cells, not edges", () => {
  const draggedOn = (doc) => {
    const actions = [
      { type: "play/begin", name: "x", kept: null },
      { type: "play/down", place: 0, to: 1 },
      { type: "play/over", place: 1 },
    ];
    const play = actions.reduce((slice, action) => reduce(slice, action, { doc }), initial());
    return scene({ doc, play, cursor: null }).dragged;
  };
  assert.equal(draggedOn(fromPuzzle({ width: 2, height: 1, rows: [[2]], columns: [[1], [1]] })), 2);
  assert.equal(draggedOn(fromPuzzle({ family: "slitherlink", rows: ["4."] })), 0);
});
