// Strokes: lines without gaps, rectangles, regions; against slow definitions.

import assert from "node:assert/strict";
import { test } from "node:test";
import { blank, fromPicture, rowsOfText } from "../../nonosat/studio/page/state/document.js";
import {
  boxOf,
  cellsOfBox,
  lineBetween,
  masked,
  painted,
  regionAt,
} from "../../nonosat/studio/page/state/drawing.js";
import { random, randomPicture } from "./helpers/random.mjs";

const cell = (row, column) => ({ row, column });

test("lines have both ends, no gaps, no detours, and stay near the straight one", () => {
  const next = random(11);
  for (let round = 0; round < 500; round += 1) {
    const [from, to] = [cell(next(40), next(40)), cell(next(40), next(40))];
    const line = lineBetween(from, to);
    assert.deepEqual(line[0], from);
    assert.deepEqual(line.at(-1), to);
    const far = Math.max(Math.abs(from.row - to.row), Math.abs(from.column - to.column));
    assert.equal(line.length, far + 1);
    line.forEach((at, index) => {
      const share = far ? index / far : 0;
      assert.ok(Math.abs(at.row - (from.row + share * (to.row - from.row))) <= 0.5 + 1e-9);
      assert.ok(
        Math.abs(at.column - (from.column + share * (to.column - from.column))) <= 0.5 + 1e-9,
      );
    });
  }
});

test("rectangles", () => {
  assert.deepEqual(boxOf(cell(3, 5), cell(1, 7)), { top: 1, left: 5, height: 3, width: 3 });
  const drawn = (isFilled, height, width) =>
    rowsOfText(
      painted(blank(height, width), cellsOfBox({ top: 0, left: 0, height, width }, isFilled), 1),
    ).join("/");
  assert.equal(drawn(true, 2, 3), "aaa/aaa");
  assert.equal(drawn(false, 4, 4), "aaaa/a..a/a..a/aaaa");
  assert.equal(drawn(false, 1, 4), "aaaa");
  assert.equal(drawn(false, 3, 1), "a/a/a");
});

/** Cells of a region by repeating until nothing changes. */
function slowRegion({ cells, height, width }, start) {
  const marked = new Set([start.row * width + start.column]);
  for (let size = 0; size !== marked.size;) {
    size = marked.size;
    for (let at = 0; at < cells.length; at += 1) {
      if (cells[at] !== cells[start.row * width + start.column]) continue;
      const near = [
        at - width,
        at + width,
        at % width ? at - 1 : -1,
        at % width < width - 1 ? at + 1 : -1,
      ];
      if (near.some((other) => marked.has(other))) marked.add(at);
    }
  }
  return [...marked].sort((a, b) => a - b);
}

test("regions", () => {
  const next = random(5);
  for (let round = 0; round < 100; round += 1) {
    const doc = randomPicture(next, blank, 1 + next(9), 1 + next(9), 1 + next(2));
    const start = cell(next(doc.height), next(doc.width));
    const found = regionAt(doc, start).map(({ row, column }) => row * doc.width + column);
    assert.deepEqual(
      found.sort((a, b) => a - b),
      slowRegion(doc, start),
    );
  }
  assert.equal(regionAt(blank(200, 200), cell(100, 100)).length, 40_000);
});

test("painting keeps the old document, and makes none if nothing changes", () => {
  const doc = fromPicture({
    picture: ["a.", ".."],
    colours: { a: "#000000" },
    background: "#ffffff",
  });
  const next = painted(doc, [cell(0, 1), cell(-1, 0), cell(5, 5), cell(0, 2)], 1);
  assert.deepEqual(rowsOfText(next), ["aa", ".."]);
  assert.deepEqual(rowsOfText(doc), ["a.", ".."]);
  assert.equal(painted(doc, [cell(0, 0)], 1), doc);
  assert.deepEqual([...masked(doc, [cell(1, 0)], 1).protected], [0, 0, 1, 0]);
  assert.equal(masked(masked(doc, [cell(1, 0)], 1), [cell(1, 0)], 0).protected, null);
});
