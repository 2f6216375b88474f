// Texts and touched places of a Slitherlink's board; its drawing is tested in the browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  clueState,
  describeLoop,
  edgeAt,
  edgeBeside,
} from "../../nonosat/studio/page/board/loop.js";

const scene = { height: 2, width: 2, clues: ["3.", ".2"], edges: ["#x", "#??", "??", "???", "??"] };
const layout = { left: 100, top: 50, cell: 20, height: 2, width: 2, ratio: 1 };

test("the edge next to a place of the canvas", () => {
  assert.deepEqual(edgeAt(110, 52, layout), [0, 0, 0, 1]);
  assert.deepEqual(edgeAt(138, 80, layout), [1, 2, 2, 2]);
  assert.equal(edgeAt(80, 50, layout), null);
});

test("keys move the cursor from the first edge on", () => {
  assert.deepEqual(edgeBeside(scene, null, "ArrowRight"), [0, 0, 0, 1]);
  assert.deepEqual(edgeBeside(scene, [0, 0, 0, 1], "ArrowRight"), [0, 1, 1, 1]);
});

test("an edge is described by its place, its state and its clues", () => {
  assert.equal(
    describeLoop(scene, { edge: [0, 0, 0, 1] }),
    "top of row 1, column 1: on the path, clue 3 below",
  );
  assert.equal(describeLoop(scene, { edge: [0, 1, 0, 2] }), "top of row 1, column 2: crossed");
  assert.equal(
    describeLoop(scene, { edge: [1, 2, 2, 2] }),
    "row 2, right of column 2: open, clue 2 left",
  );
  assert.equal(
    describeLoop(scene, { edge: [2, 1, 2, 2] }),
    "bottom of row 2, column 2: open, clue 2 above",
  );
  assert.equal(describeLoop(scene, null), "Slitherlink, 2 rows and 2 columns");
});

test("a clue is open, done or broken", () => {
  assert.equal(clueState("2", { on: 1, open: 2 }), "open");
  assert.equal(clueState("2", { on: 2, open: 1 }), "open");
  assert.equal(clueState("2", { on: 2, open: 0 }), "done");
  assert.equal(clueState("2", { on: 3, open: 0 }), "broken");
  assert.equal(clueState("2", { on: 0, open: 1 }), "broken");
  assert.equal(clueState("0", { on: 0, open: 0 }), "done");
});
