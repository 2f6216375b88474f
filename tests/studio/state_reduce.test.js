// The core's reducer: strokes, history, cursors.

import assert from "node:assert/strict";
import { test } from "node:test";
import { blank } from "../../nonosat/studio/page/state/document.js";
import { painted } from "../../nonosat/studio/page/state/drawing.js";
import { resized } from "../../nonosat/studio/page/state/geometry.js";
import { firstState, reduceCore } from "../../nonosat/studio/page/state/reduce.js";
import { createStore } from "../../nonosat/studio/page/state/store.js";

const opened = () =>
  reduceCore(firstState(), { type: "open", doc: blank(5, 5), key: "k", mode: "draw" });
const dot = (doc, row, column) => painted(doc, [{ row, column }], 1);
const run = (state, ...actions) => actions.reduce(reduceCore, state);

test("a stroke of many drafts is one step", () => {
  let state = opened();
  const before = state.doc;
  for (let column = 0; column < 5; column += 1)
    state = run(state, { type: "draft", doc: dot(state.doc, 0, column) });
  assert.equal(state.history.past.length, 0);
  state = run(state, { type: "commit" });
  assert.equal(state.history.past.length, 1);
  assert.equal(state.draft, null);
  assert.deepEqual(run(state, { type: "undo" }).doc, before);
  assert.deepEqual(run(state, { type: "undo" }, { type: "redo" }).doc, state.doc);
});

test("a stroke that is dropped, or changes nothing, is no step", () => {
  const state = opened();
  const dropped = run(state, { type: "draft", doc: dot(state.doc, 1, 1) }, { type: "abandon" });
  assert.equal(dropped.doc, state.doc);
  const back = run(
    state,
    { type: "draft", doc: dot(state.doc, 1, 1) },
    { type: "draft", doc: blank(5, 5) },
    { type: "commit" },
  );
  assert.equal(back.history.past.length, 0);
});

test("an action in the middle of a stroke ends it first", () => {
  const state = opened();
  const stroke = { type: "draft", doc: dot(state.doc, 1, 1) };
  assert.deepEqual(run(state, stroke, { type: "undo" }).doc, state.doc);
  const edited = run(state, stroke, { type: "edit", doc: dot(stroke.doc, 2, 2) });
  assert.equal(edited.history.past.length, 2);
  assert.equal(run(state, stroke, { type: "mode", mode: "play" }).history.past.length, 1);
});

test("cursor and selection stay on a board that shrinks", () => {
  let state = run(
    opened(),
    { type: "cursor", row: 4, column: 4 },
    { type: "select", selection: { top: 2, left: 2, height: 3, width: 3 } },
  );
  state = run(state, { type: "edit", doc: resized(state.doc, 3, 2) });
  assert.deepEqual(state.cursor, { row: 2, column: 1 });
  assert.equal(state.selection, null);
});

test("an action that changes nothing keeps the object, without notification", () => {
  const state = opened();
  for (const action of [
    { type: "unknown" },
    { type: "commit" },
    { type: "undo" },
    { type: "redo" },
    { type: "mode", mode: "draw" },
    { type: "cursor", row: 0, column: 0 },
    { type: "edit", doc: blank(5, 5) },
    { type: "toString" },
  ]) {
    assert.equal(reduceCore(state, action), state, action.type);
  }
  const store = createStore(state, reduceCore);
  let heard = 0;
  const forget = store.subscribe(() => (heard += 1));
  store.dispatch({ type: "undo" });
  assert.equal(heard, 0);
  store.dispatch({ type: "mode", mode: "play" });
  forget();
  store.dispatch({ type: "mode", mode: "draw" });
  assert.equal(heard, 1);
});

test("a changed puzzle of the gallery becomes a new drawing each time", () => {
  const open = (freshKey) => ({
    type: "open",
    doc: blank(2, 2),
    key: "gallery-nonogram-x",
    freshKey,
    mode: "draw",
  });
  const state = reduceCore(firstState(), open("fresh"));
  for (const type of ["edit", "draft"]) {
    const own = reduceCore(state, { type, doc: dot(state.doc, 0, 0) });
    assert.equal(own.key, "fresh");
    const again = reduceCore(own, open("second"));
    assert.equal(reduceCore(again, { type, doc: dot(again.doc, 0, 0) }).key, "second");
    assert.equal(reduceCore(own, { type, doc: dot(own.doc, 1, 1) }).key, own.key);
  }
  assert.equal(reduceCore(state, { type: "mode", mode: "play" }).key, state.key);
});
