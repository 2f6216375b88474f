// Undo and redo, against a list of whole documents; bounded, and through JSON and back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { blank, fromPuzzle } from "../../nonosat/studio/page/state/document.js";
import { inverted, resized, rotated } from "../../nonosat/studio/page/state/geometry.js";
import {
  NO_HISTORY,
  packHistory,
  record,
  redo,
  STEPS,
  undo,
  unpackHistory,
} from "../../nonosat/studio/page/state/history.js";
import { withColour, withoutColour } from "../../nonosat/studio/page/state/palette.js";
import {
  bytesOfText,
  packBytes,
  textOfBytes,
  unpackBytes,
} from "../../nonosat/studio/page/state/pack.js";
import { painted } from "../../nonosat/studio/page/state/drawing.js";
import { random, randomPicture } from "./helpers/random.mjs";

const CHANGES = [
  (doc, next) =>
    painted(
      doc,
      [{ row: next(doc.height), column: next(doc.width) }],
      next(doc.palette.length + 1),
    ),
  (doc) => rotated(doc),
  (doc) => inverted(doc),
  (doc, next) => resized(doc, 1 + next(9), 1 + next(9), "middle"),
  (doc) => withColour(doc),
  (doc) => withoutColour(doc, 1),
  (doc, next) => ({ ...doc, title: `title ${next(9)}` }),
  (doc) => ({ ...doc, protected: doc.protected ? null : doc.cells.map((_, at) => at % 2) }),
];

/** Random changes, and every document on the way. */
function walk(count, next) {
  let [doc, history] = [blank(4, 5), NO_HISTORY];
  const all = [doc];
  while (all.length <= count) {
    const changed = CHANGES[next(CHANGES.length)](doc, next);
    history = record(history, doc, changed);
    doc = changed;
    all.push(doc);
  }
  return { doc, history, all };
}

test("a thousand steps are undone and redone, the oldest is dropped", () => {
  const { doc, history, all } = walk(STEPS + 7, random(1));
  let now = { doc, history };
  for (let at = all.length - 2; at >= 7; at -= 1) {
    now = undo(now.history, now.doc);
    assert.deepEqual(now.doc, all[at]);
  }
  assert.equal(undo(now.history, now.doc).doc, now.doc);
  for (let at = 8; at < all.length; at += 1) {
    now = redo(now.history, now.doc);
    assert.deepEqual(now.doc, all[at]);
  }
  assert.equal(redo(now.history, now.doc).doc, now.doc);
});

test("a new step after an undo ends what could be redone", () => {
  const { doc, history, all } = walk(5, random(2));
  const back = undo(history, doc);
  const other = { ...back.doc, title: "other" };
  const next = record(back.history, back.doc, other);
  assert.equal(next.future.length, 0);
  assert.deepEqual(undo(next, other).doc, all[4]);
});

test("history survives JSON; if there is little room the newest steps are kept", () => {
  const { doc, history, all } = walk(60, random(3));
  const read = unpackHistory(JSON.parse(JSON.stringify(packHistory(history))));
  let now = { doc, history: read };
  for (let at = all.length - 2; at >= 0; at -= 1) {
    now = undo(now.history, now.doc);
    assert.deepEqual(now.doc, all[at]);
  }
  const little = unpackHistory(packHistory(history, 400));
  assert.ok(little.past.length > 0 && little.past.length < 60);
  assert.deepEqual(undo(little, doc).doc, all.at(-2));
  assert.equal(packHistory(history, 0).past.length, 0);
});

test("clues that become a picture, and back, through JSON at every place", () => {
  const clues = fromPuzzle({ rows: [[1], [1]], columns: [[1], [1]] });
  const picture = { ...blank(2, 2), cells: Uint8Array.of(1, 0, 0, 1) };
  const reloaded = (history) => unpackHistory(JSON.parse(JSON.stringify(packHistory(history))));
  for (const [before, after] of [
    [clues, picture],
    [picture, clues],
  ]) {
    let now = { doc: after, history: reloaded(record(NO_HISTORY, before, after)) };
    for (let round = 0; round < 2; round += 1) {
      now = undo(reloaded(now.history), now.doc);
      assert.deepEqual(now.doc, before);
      now = redo(reloaded(now.history), now.doc);
      assert.deepEqual(now.doc, after);
    }
  }
});

test("a thousand inversions of the largest board are small", () => {
  let [doc, history] = [blank(200, 200), NO_HISTORY];
  for (let step = 0; step < 1000; step += 1) {
    const changed = inverted(doc);
    history = record(history, doc, changed);
    doc = changed;
  }
  assert.equal(history.past.length, 1000);
  assert.ok(JSON.stringify(packHistory(history)).length < 100_000);
});

test("bytes packed and unpacked", () => {
  const next = random(4);
  const samples = [
    [],
    [0],
    new Array(300).fill(7),
    new Array(40_000).fill(0),
    Array.from({ length: 1000 }, () => next(256)),
  ];
  for (const sample of samples) {
    const bytes = Uint8Array.from(sample);
    assert.deepEqual(unpackBytes(packBytes(bytes)), bytes);
    assert.deepEqual(bytesOfText(textOfBytes(bytes)), bytes);
    assert.equal(textOfBytes(bytes), Buffer.from(bytes).toString("base64url"));
    assert.ok(packBytes(bytes).length <= bytes.length + 2);
  }
});

test("packed picture of a random board is no longer than the board", () => {
  const doc = randomPicture(random(6), blank, 200, 200, 16);
  assert.deepEqual(unpackBytes(packBytes(doc.cells)), doc.cells);
  assert.ok(packBytes(doc.cells).length <= 40_001);
});
