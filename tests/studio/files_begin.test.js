// Puzzle with which the server was started, and users who are faster than its answer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin } from "../../nonosat/studio/page/files/index.js";

const FIRST = { puzzle: { rows: [[1]], columns: [[1]] } };

/** The document that is opened if the state is `meanwhile` when the answer arrives. */
async function openedWith(meanwhile, answer) {
  let state = { mode: "gallery", key: null };
  const opened = [];
  await begin({
    store: { get: () => state },
    answers: {
      async query() {
        state = { ...state, ...meanwhile };
        return answer;
      },
    },
    open: (doc, { mode }) => opened.push([doc.kind, mode]),
  });
  return opened;
}

test("the puzzle given at the start opens if the gallery is still shown", async () => {
  assert.deepEqual(await openedWith({}, { first: FIRST }), [["puzzle", "draw"]]);
  assert.deepEqual(await openedWith({}, { first: FIRST, mode: "play" }), [["puzzle", "play"]]);
  const loop = { puzzle: { family: "slitherlink", rows: ["3"] } }; // which cannot be drawn
  assert.deepEqual(await openedWith({}, { first: loop }), [["puzzle", "play"]]);
  assert.deepEqual(await openedWith({}, {}), []);
});

test("it does not replace a document that was opened meanwhile", async () => {
  assert.deepEqual(await openedWith({ mode: "draw", key: "k" }, { first: FIRST }), []);
  assert.deepEqual(await openedWith({ key: "k" }, { first: FIRST }), []); // back in the gallery
});
