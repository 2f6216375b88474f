// Turning, mirroring, sizes, selections: golden pictures, and laws that hold for any picture.

import assert from "node:assert/strict";
import { test } from "node:test";
import { blank, fromPicture, rowsOfText } from "../../nonosat/studio/page/state/document.js";
import * as geometry from "../../nonosat/studio/page/state/geometry.js";
import { random, randomPicture } from "./helpers/random.mjs";

const picture = (...rows) =>
  fromPicture({ picture: rows, colours: { a: "#111111", b: "#cc0000" }, background: "#ffffff" });
const is = (doc, ...rows) => {
  assert.deepEqual(rowsOfText(doc), rows);
  assert.deepEqual([doc.height, doc.width], [rows.length, rows[0].length]);
};
const box = (top, left, height, width) => ({ top, left, height, width });

test("mirrored and turned", () => {
  const doc = picture("ab.", "..a");
  is(geometry.mirroredAcross(doc), ".ba", "a..");
  is(geometry.mirroredDown(doc), "..a", "ab.");
  is(geometry.rotated(doc), ".a", ".b", "a.");
  is(geometry.rotated(picture("a.b")), "a", ".", "b");
  is(doc, "ab.", "..a");
});

test("laws of any picture", () => {
  const next = random(3);
  for (const [height, width] of [
    [1, 1],
    [1, 7],
    [9, 1],
    [5, 8],
    [200, 200],
  ]) {
    const doc = randomPicture(next, blank, height, width, 16);
    const same = (other) => assert.deepEqual(other.cells, doc.cells);
    const { mirroredAcross, mirroredDown, rotated, shifted, inverted } = geometry;
    same(mirroredAcross(mirroredAcross(doc)));
    same(mirroredDown(mirroredDown(doc)));
    same(rotated(rotated(rotated(rotated(doc)))));
    assert.deepEqual(rotated(rotated(doc)).cells, mirroredAcross(mirroredDown(doc)).cells);
    same(shifted(shifted(doc, 3, -2), -3, 2));
    assert.ok(inverted(doc).cells.every((value, at) => value === (doc.cells[at] ? 0 : 1)));
  }
});

test("the mask of protected cells moves with the picture", () => {
  const doc = { ...picture("ab", ".."), protected: Uint8Array.from([1, 0, 0, 0]) };
  assert.deepEqual([...geometry.mirroredAcross(doc).protected], [0, 1, 0, 0]);
  assert.deepEqual([...geometry.rotated(doc).protected], [0, 1, 0, 0]);
  assert.equal(geometry.cropped(doc, box(1, 0, 1, 2)).protected, null);
  const moved = geometry.moved(doc, box(0, 0, 1, 2), 1, 0);
  is(moved, "..", "ab");
  assert.deepEqual([...moved.protected], [0, 0, 1, 0]);
  assert.equal(geometry.moved(doc, box(0, 0, 1, 2), 2, 0).protected, null);
});

test("nine anchors", () => {
  const doc = picture("ab", "ba");
  const to = (anchor) => rowsOfText(geometry.resized(doc, 4, 4, anchor)).join("/");
  assert.equal(to("top left"), "ab../ba../..../....");
  assert.equal(to("top"), ".ab./.ba./..../....");
  assert.equal(to("top right"), "..ab/..ba/..../....");
  assert.equal(to("left"), "..../ab../ba../....");
  assert.equal(to("middle"), "..../.ab./.ba./....");
  assert.equal(to("right"), "..../..ab/..ba/....");
  assert.equal(to("bottom left"), "..../..../ab../ba..");
  assert.equal(to("bottom"), "..../..../.ab./.ba.");
  assert.equal(to("bottom right"), "..../..../..ab/..ba");
  is(geometry.resized(doc, 1, 1, "bottom right"), "a");
  is(geometry.resized(doc, 1, 1, "top right"), "b");
  is(geometry.resized(doc, 1, 2), "ab");
});

test("cropped, bounds, cleared", () => {
  const doc = picture("....", ".ab.", ".b..", "....");
  assert.deepEqual(geometry.boundsOf(doc), box(1, 1, 2, 2));
  is(geometry.cropped(doc, geometry.boundsOf(doc)), "ab", "b.");
  assert.equal(geometry.boundsOf(blank(3, 4)), null);
  is(geometry.cleared(doc, box(1, 1, 1, 1)), "....", "..b.", ".b..", "....");
  assert.ok(geometry.cleared(doc).cells.every((value) => value === 0));
  is(geometry.inverted(doc, 2, box(0, 0, 2, 2)), "bb..", "b.b.", ".b..", "....");
});

test("copied, pasted, moved", () => {
  const doc = picture("ab..", "....", "....");
  const copy = geometry.copied(doc, box(0, 0, 2, 2));
  is(geometry.pasted(doc, copy, 1, 2), "ab..", "..ab", "....");
  is(geometry.pasted(doc, copy, 2, 3), "ab..", "....", "...a");
  is(geometry.pasted(doc, copy, 0, -1), "bb..", "....", "....");
  is(
    geometry.pasted(doc, geometry.copied(doc, box(0, 1, 1, 2)), 0, 0, true),
    "bb..",
    "....",
    "....",
  );
  is(geometry.moved(doc, box(0, 0, 1, 2), 1, 1), "....", ".ab.", "....");
  is(geometry.moved(doc, box(0, 0, 1, 2), 0, 3), "...a", "....", "....");
  is(geometry.shifted(doc, -1, 1), "....", "....", ".ab.");
  const poorer = { ...doc, palette: ["#111111"] };
  is(geometry.pasted({ ...poorer, cells: new Uint8Array(12) }, copy, 0, 0), "aa..", "....", "....");
});
