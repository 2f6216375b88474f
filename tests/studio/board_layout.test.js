// Layout of a board: everything fits, places are found, zooming keeps its point.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  demandOf,
  farOf,
  firstCell,
  fittingCell,
  layoutOf,
  placeAt,
  roomyDemand,
  scrollAround,
  scrollTo,
} from "../../nonosat/studio/page/board/layout.js";
import { mapOf, scrollOnMap } from "../../nonosat/studio/page/board/map.js";
import { cursorAfter } from "../../nonosat/studio/page/board/keys.js";
import { describeCell, wordsOfClue } from "../../nonosat/studio/page/board/words.js";
import { cluesOf, blank } from "../../nonosat/studio/page/state/document.js";
import { random, randomPicture } from "./helpers/random.mjs";

const view = { width: 1600, height: 1200 };
const sceneOf = (doc) => ({ ...doc, ...cluesOf(doc), marks: [] });
const fitted = (scene, ratio = 2, at = view) => {
  const demand = demandOf(scene);
  const cell = fittingCell(scene, demand, at, ratio);
  return layoutOf(scene, demand, at, cell, { x: 0, y: 0 }, ratio);
};

test("a board of any size is fully visible", () => {
  const next = random(1);
  for (const [height, width] of [
    [1, 1],
    [5, 5],
    [1, 200],
    [200, 1],
    [30, 40],
    [80, 100],
  ]) {
    const layout = fitted(sceneOf(randomPicture(next, blank, height, width)));
    const { pane, cell, gutters } = layout;
    assert.ok(pane.left >= gutters.left && pane.top >= gutters.top);
    assert.ok(
      layout.left + width * cell <= view.width && layout.top + height * cell <= view.height,
      `${height} x ${width}`,
    );
    assert.deepEqual(layout.most, { x: 0, y: 0 });
    assert.deepEqual(layout.first, { row: 0, column: 0 });
    assert.deepEqual(layout.last, { row: height - 1, column: width - 1 });
  }
});

test("a long board begins with readable cells, and can be moved", () => {
  const small = { width: 900, height: 640 };
  const first = (height, width, at = small) => {
    const scene = sceneOf(randomPicture(random(4), blank, height, width));
    const demand = demandOf(scene);
    return [firstCell(scene, demand, at, 1), fittingCell(scene, demand, at, 1)];
  };
  for (const [height, width] of [
    [200, 1],
    [1, 200],
    [20, 150],
  ]) {
    const [cell, whole] = first(height, width);
    assert.ok(whole < 8 && cell === 12, `${height} x ${width}: ${cell}, ${whole}`);
  }
  for (const [height, width] of [
    [5, 5],
    [30, 30],
    [10, 60],
    [80, 100],
  ]) {
    const [cell, whole] = first(height, width);
    assert.equal(cell, whole, `${height} x ${width}`);
  }
  assert.equal(firstCell({ height: 200, width: 1 }, null, small, 2), 24); // edges of a loop, too
  assert.deepEqual(first(200, 200), [12, 3]); // of which a map shows the whole
});

test("a map has the visible part, and moves it", () => {
  const scene = sceneOf(randomPicture(random(4), blank, 200, 100));
  const demand = demandOf(scene);
  const at = (scroll) => layoutOf(scene, demand, view, 24, scroll, 2);
  const layout = at({ x: 600, y: 1500 });
  const map = mapOf(layout);
  assert.ok(map.height <= Math.min(layout.pane.left, layout.pane.top) / 2);
  assert.equal(map.width, map.height / 2);
  const { left, top, width, height } = map.window;
  assert.ok(Math.abs(left / map.width - 600 / 2400) < 1e-9);
  assert.ok(Math.abs(top / map.height - 1500 / 4800) < 1e-9);
  const again = scrollOnMap(layout, map, left + width / 2, top + height / 2);
  assert.ok(Math.abs(again.x - 600) < 1e-6 && Math.abs(again.y - 1500) < 1e-6);
  assert.equal(mapOf(fitted(scene)), null); // all of it is visible
});

test("a phone still has cells for 100 x 80, and clues take less than half", () => {
  const layout = fitted(sceneOf(randomPicture(random(2), blank, 80, 100)), 2, {
    width: 780,
    height: 900,
  });
  assert.ok(layout.cell >= 3);
  assert.ok(layout.gutters.left < 0.46 * 780 && layout.gutters.top < 0.46 * 900);
});

test("every cell is found where it is drawn, with its clues", () => {
  const layout = fitted(sceneOf(randomPicture(random(3), blank, 7, 9)));
  for (let row = 0; row < 7; row += 1) {
    for (let column = 0; column < 9; column += 1) {
      for (const [dx, dy] of [
        [0, 0],
        [layout.cell - 1, layout.cell - 1],
      ]) {
        const [x, y] = [
          layout.left + column * layout.cell + dx,
          layout.top + row * layout.cell + dy,
        ];
        assert.deepEqual(placeAt(layout, x, y), { row, column, inside: true });
      }
    }
  }
  const { left, top, cell } = layout;
  assert.deepEqual(placeAt(layout, left - 5, top + cell), { row: 1, column: -1, inside: false });
  assert.deepEqual(placeAt(layout, left + cell, top - 5), { row: -1, column: 1, inside: false });
  // A stroke that leaves the board goes on along its edge.
  assert.deepEqual(placeAt(layout, left - 50, top + 500 * cell), {
    row: 6,
    column: 0,
    inside: false,
  });
});

test("numbers and sums have room at the far side, and lead to their lines", () => {
  const scene = sceneOf(randomPicture(random(3), blank, 7, 9));
  assert.equal(farOf(scene), null);
  const numbered = { ...scene, isNumbered: true };
  const sums = { ...numbered, prices: { sums: [{ row: 0, amount: -12 }] } };
  assert.deepEqual(farOf(numbered), { digits: 1, sum: 0 });
  assert.deepEqual(farOf(sums), { digits: 1, sum: 3 });
  for (const shown of [numbered, sums]) {
    const size = { height: 7, width: 9, far: farOf(shown) };
    const cell = fittingCell(size, demandOf(scene), view, 2);
    const layout = layoutOf(size, demandOf(scene), view, cell, { x: 0, y: 0 }, 2);
    const { far, pane } = layout;
    const [right, below] = [pane.left + pane.width, pane.top + pane.height];
    assert.deepEqual([pane.width, pane.height], [9 * cell + 1, 7 * cell + 1]);
    assert.ok(right + far.right <= view.width && below + far.below <= view.height);
    const [x, y] = [layout.left + 4.5 * cell, layout.top + 2.5 * cell];
    assert.deepEqual(placeAt(layout, right + 3, y), { row: 2, column: -1, inside: false });
    assert.deepEqual(placeAt(layout, x, below + 3), { row: -1, column: 4, inside: false });
  }
});

test("zooming keeps the cell beneath the pointer", () => {
  const scene = sceneOf(randomPicture(random(4), blank, 80, 100));
  const demand = demandOf(scene);
  const before = layoutOf(scene, demand, view, 30, { x: 500, y: 400 }, 2);
  const [x, y] = [900, 700];
  const after = layoutOf(scene, demand, view, 40, scrollAround(before, 40, x, y), 2);
  const at = (layout) => [(x - layout.left) / layout.cell, (y - layout.top) / layout.cell];
  at(before).forEach((value, index) => assert.ok(Math.abs(value - at(after)[index]) < 0.75));
});

test("the cursor is scrolled into view", () => {
  const scene = sceneOf(blank(200, 200));
  const demand = demandOf(scene);
  let layout = layoutOf(scene, demand, view, 40, { x: 0, y: 0 }, 2);
  for (const [row, column] of [
    [199, 199],
    [0, 0],
    [100, 3],
    [3, 150],
  ]) {
    layout = layoutOf(scene, demand, view, 40, scrollTo(layout, row, column), 2);
    const found = placeAt(layout, layout.left + (column + 0.5) * 40, layout.top + (row + 0.5) * 40);
    assert.deepEqual(found, { row, column, inside: true });
  }
  assert.deepEqual(scrollTo(layout, 3, 150), layout.scroll);
});

test("a drawing has room for further clues, and always for the present ones", () => {
  const empty = sceneOf(blank(15, 15));
  assert.ok(roomyDemand(empty).across > demandOf(empty).across);
  const next = random(8);
  for (let round = 0; round < 50; round += 1) {
    const scene = sceneOf(randomPicture(next, blank, 1 + next(40), 1 + next(40), 1 + next(3)));
    const [roomy, needed] = [roomyDemand(scene), demandOf(scene)];
    assert.ok(roomy.across >= needed.across - 1e-9 && roomy.down >= needed.down - 1e-9);
  }
});

test("keys move the cursor and stop at the edge", () => {
  const size = { height: 5, width: 8 };
  const go = (key, how) => cursorAfter({ row: 2, column: 3 }, size, key, how);
  assert.deepEqual(go("ArrowUp"), { row: 1, column: 3 });
  assert.deepEqual(go("ArrowRight", { ctrl: true }), { row: 2, column: 7 });
  assert.deepEqual(go("Home"), { row: 2, column: 0 });
  assert.deepEqual(go("End", { ctrl: true }), { row: 4, column: 7 });
  assert.deepEqual(go("PageDown"), { row: 4, column: 3 });
  assert.equal(go("a"), null);
  assert.equal(go("toString"), null);
});

test("clues and cells in words", () => {
  const clue = [
    { length: 3, colour: 1 },
    { length: null, colour: 2, done: true },
  ];
  assert.equal(wordsOfClue(clue, ["#000000"]), "3, unknown length done");
  assert.equal(wordsOfClue(clue, ["#cc0000", "#0000cc"]), "3 red, unknown length blue done");
  assert.equal(wordsOfClue([], ["#000000"]), "empty");
  assert.equal(wordsOfClue(null, ["#000000"]), "unknown");
  const scene = {
    height: 1,
    width: 2,
    palette: ["#000000"],
    cells: Uint8Array.from([1, 255]),
    crosses: null,
    rowClues: [[{ length: 1, colour: 1 }]],
    columnClues: [[{ length: 1, colour: 1 }], []],
    marks: [{ row: 0, column: 1, kind: "disputed" }],
    lines: [],
  };
  assert.equal(describeCell(scene, 0, 0), "Row 1, column 1: filled. row clue 1; column clue 1.");
  assert.equal(
    describeCell(scene, 0, 1),
    "Row 1, column 2: open, differs between solutions. row clue 1; column clue empty.",
  );
  assert.match(describeCell({ ...scene, crosses: Uint8Array.from([0, 1]) }, 0, 1), /crossed out/);
  const hinted = (colour) => ({ ...scene, marks: [{ row: 0, column: 1, kind: "hint", colour }] });
  assert.match(describeCell(hinted(1), 0, 1), /hint: filled/);
  assert.match(describeCell(hinted(0), 0, 1), /hint: empty/);
});
