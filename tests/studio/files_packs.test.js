// Packs of puzzles with hidden titles, and filters of the gallery.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createPacks,
  entryOfGallery,
  entryOfPack,
  passes,
  solutionFound,
} from "../../nonosat/studio/page/files/packs.js";
import { createProgress } from "../../nonosat/studio/page/play/progress.js";
import { nameOf, puzzleOf } from "../../nonosat/studio/page/play/puzzle.js";
import { createStorage } from "./helpers/browser.mjs";

const CORNER = { title: "Corner", width: 2, height: 2, rows: [[2], [1]], columns: [[2], [1]] };
const LINE = { width: 3, height: 1, rows: [[3]], columns: [[1], [1], [1]] };
const PACK = { name: "Shapes", puzzles: [CORNER, LINE] };

test("the newest pack comes first and replaces an equal one", () => {
  const packs = createPacks(createStorage());
  assert.deepEqual(packs.list(), []);
  assert.equal(packs.add({ name: "Other", puzzles: [LINE] }), "Other");
  assert.equal(packs.add(PACK), "Shapes");
  assert.equal(packs.add({ name: "Other", puzzles: [LINE] }), "Other");
  assert.equal(packs.add({ name: "Other", puzzles: [CORNER] }), "Other (2)");
  const names = () => packs.list().map(({ name }) => name);
  assert.deepEqual(names(), ["Other (2)", "Other", "Shapes"]);
  packs.remove("Other");
  packs.remove("Other (2)");
  assert.deepEqual(packs.list(), [PACK]);
  packs.rate("Shapes", [LINE], [1]); // it was replaced meanwhile
  assert.equal(entryOfPack(packs.list()[0], 0).difficulty, undefined);
  packs.rate("Shapes", PACK.puzzles, [2.1, null]);
  assert.equal(entryOfPack(packs.list()[0], 0).difficulty, 2.1);
});

test("without room or storage no pack is kept", () => {
  assert.equal(createPacks(createStorage(10)).add(PACK), "");
  assert.equal(createPacks(null).add(PACK), "");
  assert.deepEqual(createPacks(null).list(), []);
});

test("content of other programs is no pack", () => {
  for (const text of ["{}", "[1, {}, null]", '[{"name": 1, "puzzles": []}]', "[", '"a"']) {
    const storage = createStorage();
    storage.setItem("nonosat/packs", text);
    assert.deepEqual(createPacks(storage).list(), []);
  }
});

test("the title of a pack's puzzle is hidden, and revealed by its end", () => {
  const { title, hiddenTitle, doc, key } = entryOfPack(PACK, 0);
  assert.deepEqual([title, hiddenTitle, doc.title], ["Corner", "Puzzle 1", "Shapes, Puzzle 1"]);
  assert.equal(doc.secretTitle, "Corner");
  assert.notEqual(key, entryOfPack(PACK, 1).key);
  assert.equal(entryOfPack(PACK, 1).title, "Puzzle 2");
});

test("a puzzle is solved once a solution of it was kept", () => {
  const progress = createProgress(createStorage(), () => 0);
  const { doc } = entryOfPack(PACK, 0);
  const keep = (...marks) => progress.saveSolution(nameOf(puzzleOf(doc)), Uint8Array.from(marks));
  assert.equal(solutionFound(doc, progress), null);
  keep(1, 1, 255, 1);
  assert.equal(solutionFound(doc, progress), null);
  keep(1, 1, 1, 255);
  assert.deepEqual([...solutionFound(doc, progress)], [1, 1, 1, 255]);
});

test("filters pass sizes and grades", () => {
  const entry = entryOfGallery({ id: "c", family: "nonogram", puzzle: CORNER, difficulty: 2.9 });
  const free = entryOfGallery({ id: "l", family: "nonogram", puzzle: LINE, difficulty: null });
  assert.ok(passes(entry, { size: "", grade: "" }) && passes(free, { size: "10", grade: "" }));
  assert.ok(passes(entry, { size: "10", grade: "2" }));
  assert.ok(!passes(entry, { size: "20", grade: "" }));
  assert.ok(!passes(entry, { size: "", grade: "3" }));
  assert.ok(!passes(free, { size: "", grade: "2" }));
});
