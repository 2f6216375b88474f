// The lattice of a Slitherlink: numbers of edges, walks of the cursor, loops.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as lattice from "../../nonosat/studio/page/board/lattice.js";

/** All edges as corners, in the order that the library documents. */
function listed(height, width) {
  const edges = [];
  for (let row = 0; row <= height; row++) {
    for (let column = 0; column < width; column++) edges.push([row, column, row, column + 1]);
  }
  for (let row = 0; row < height; row++) {
    for (let column = 0; column <= width; column++) edges.push([row, column, row + 1, column]);
  }
  return edges;
}

/** One loop by degrees and joined corners, without a walk. */
function isLoop(chosen) {
  const degree = new Map();
  const root = new Map();
  const find = (corner) => (root.get(corner) === corner ? corner : find(root.get(corner)));
  for (const [r1, c1, r2, c2] of chosen) {
    for (const corner of [`${r1},${c1}`, `${r2},${c2}`]) {
      degree.set(corner, (degree.get(corner) ?? 0) + 1);
      if (!root.has(corner)) root.set(corner, corner);
    }
    root.set(find(`${r1},${c1}`), find(`${r2},${c2}`));
  }
  const parts = new Set([...root.keys()].map(find));
  return parts.size === 1 && [...degree.values()].every((count) => count === 2);
}

test("edges have the library's numbers", () => {
  for (const [height, width] of [
    [1, 1],
    [2, 3],
    [3, 2],
  ]) {
    const edges = listed(height, width);
    assert.equal(lattice.edgeCount(height, width), edges.length);
    edges.forEach((corners, edge) => {
      assert.deepEqual(lattice.cornersOf(height, width, edge), corners);
      assert.equal(lattice.edgeAt(height, width, corners), edge);
      const [r1, c1, r2, c2] = corners;
      assert.equal(lattice.edgeAt(height, width, [r2, c2, r1, c1]), edge);
    });
  }
});

test("edges around cells and at corners are those that touch them", () => {
  const [height, width] = [2, 3];
  const edges = listed(height, width);
  for (let row = 0; row <= height; row++) {
    for (let column = 0; column <= width; column++) {
      const at = lattice.edgesAtCorner(height, width, row, column).filter((edge) => edge !== null);
      const touching = edges.flatMap(([r1, c1, r2, c2], edge) =>
        (r1 === row && c1 === column) || (r2 === row && c2 === column) ? [edge] : [],
      );
      assert.deepEqual([...at].sort(), touching.sort());
    }
  }
  const corners = lattice.edgesAround(height, width, 1, 2).map((edge) => edges[edge].join());
  assert.deepEqual(corners, ["1,2,1,3", "1,2,2,2", "2,2,2,3", "1,3,2,3"]);
});

test("a set of edges is one loop exactly if degrees and joins agree", () => {
  let loops = 0;
  const edges = listed(2, 2);
  for (let set = 0; set < 2 ** edges.length; set++) {
    const values = Uint8Array.from(edges, (_, edge) => (set >> edge) & 1);
    const expected = isLoop(edges.filter((_, edge) => values[edge]));
    assert.equal(lattice.isOneLoop(values, 2, 2), expected, set);
    loops += expected;
  }
  assert.equal(loops, 13);
});

test("clues are compared with the edges around them", () => {
  const edges = lattice.edgesAroundInside(["#.", "##"], 2, 2);
  assert.ok(lattice.isLoopSolved(["3.", ".3"], edges, 2, 2));
  assert.ok(!lattice.isLoopSolved(["2.", ".3"], edges, 2, 2));
  assert.ok(!lattice.isLoopSolved(["..", ".."], new Uint8Array(12), 2, 2));
});

test("the inside of a loop is the set of cells that it surrounds", () => {
  const rows = [".##.", "##..", ".###"];
  const inside = lattice.insideOf(lattice.edgesAroundInside(rows, 3, 4), 3, 4);
  assert.equal(Array.from(inside, (value) => ".#"[value]).join(""), rows.join(""));
});

test("rows of edges are read as the library writes them, and back", () => {
  const rows = ["x#", "#?x", "##", "xxx", "??"];
  const edges = lattice.edgesOf(rows, 2, 2);
  assert.deepEqual(lattice.rowsOfEdges(edges, 2, 2), rows);
  assert.equal(edges[lattice.edgeAt(2, 2, [0, 1, 0, 2])], 1);
  assert.equal(edges[lattice.edgeAt(2, 2, [0, 0, 1, 0])], 1);
  assert.equal(edges[lattice.edgeAt(2, 2, [0, 1, 1, 1])], 255);
});

test("the nearest edge is the one whose middle is closest, near the middles", () => {
  const edges = listed(3, 4);
  edges.forEach(([r1, c1, r2, c2], edge) => {
    for (const [dx, dy] of [
      [0, 0],
      [0.2, 0.1],
      [-0.1, -0.2],
    ]) {
      assert.equal(lattice.nearestEdge(3, 4, (c1 + c2) / 2 + dx, (r1 + r2) / 2 + dy), edge);
    }
  });
  assert.equal(lattice.nearestEdge(3, 4, -0.6, 1), null);
});

test("arrow keys reach every edge and lead back", () => {
  const back = {
    ArrowUp: "ArrowDown",
    ArrowDown: "ArrowUp",
    ArrowLeft: "ArrowRight",
    ArrowRight: "ArrowLeft",
  };
  for (const [height, width] of [
    [1, 1],
    [2, 3],
    [3, 3],
  ]) {
    const seen = new Set([0]);
    for (const edge of seen)
      for (const key of Object.keys(back)) seen.add(lattice.edgeBeside(height, width, edge, key));
    assert.equal(seen.size, lattice.edgeCount(height, width));
  }
  const inner = lattice.edgeAt(3, 3, [1, 1, 1, 2]);
  for (const key of Object.keys(back)) {
    const next = lattice.edgeBeside(3, 3, inner, key);
    assert.notEqual(next, inner);
    assert.equal(lattice.edgeBeside(3, 3, next, back[key]), inner);
  }
  assert.equal(lattice.edgeBeside(3, 3, inner, "x"), inner);
});

test("edges around a cell are counted", () => {
  const edges = lattice.edgesOf(["##", "#?x", "x?", "???", "??"], 2, 2);
  assert.deepEqual(lattice.countAround(edges, 2, 2, 0, 0), { on: 2, open: 1 });
});
