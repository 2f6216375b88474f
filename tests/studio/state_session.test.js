// State that a tab keeps, as far as it can be tested without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { blank } from "../../nonosat/studio/page/state/document.js";
import { undo } from "../../nonosat/studio/page/state/history.js";
import { firstState, reduceCore } from "../../nonosat/studio/page/state/reduce.js";
import { recordOf } from "../../nonosat/studio/page/state/session.js";

test("typed text is kept, as a step that can be undone", () => {
  const doc = blank(2, 2);
  const state = [
    { type: "open", doc, key: "k", mode: "draw" },
    { type: "draft", doc: { ...doc, title: "H" } },
    { type: "draft", doc: { ...doc, title: "Hare" } },
  ].reduce(reduceCore, firstState());
  const record = recordOf(state, { none: {}, play: { keep: () => ({ time: 3 }) } });
  assert.equal(record.doc.title, "Hare");
  assert.equal(record.history.past.length, 1);
  assert.deepEqual(undo(record.history, record.doc).doc, doc);
  assert.equal(record.slices.play, undefined); // there is no such slice
  const more = recordOf({ ...state, play: {} }, { play: { keep: () => ({ time: 3 }) } });
  assert.deepEqual(more.slices, { play: { time: 3 } });
  assert.equal(state.draft, doc); // typing goes on
});

test("a document is stored with its own mode, also while the gallery is shown", () => {
  const opened = { type: "open", doc: blank(2, 2), key: "k", mode: "play" };
  const gallery = { type: "mode", mode: "gallery" };
  const state = [opened, gallery].reduce(reduceCore, firstState());
  assert.equal(state.mode, "gallery");
  assert.equal(recordOf(state, {}).mode, "play");
  const reloaded = reduceCore(firstState(), { ...opened, mode: "gallery", docMode: "play" });
  assert.equal(recordOf(reloaded, {}).mode, "play");
});
