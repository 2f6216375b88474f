// Drawings in the browser's storage, with a storage that fills up.

import assert from "node:assert/strict";
import { test } from "node:test";
import { blank, fromPuzzle } from "../../nonosat/studio/page/state/document.js";
import { NO_HISTORY, record } from "../../nonosat/studio/page/state/history.js";
import { createShelf, thumbnailOf } from "../../nonosat/studio/page/state/shelf.js";
import { createStorage } from "./helpers/browser.mjs";
import { random, randomPicture } from "./helpers/random.mjs";

const picture = (seed) => ({
  ...randomPicture(random(seed), blank, 20, 30, 16),
  title: `Ünïcode ${seed}`,
  protected: new Uint8Array(600).fill(1),
});

test("kept documents are restored completely, with their history", () => {
  const shelf = createShelf(createStorage());
  const doc = picture(1);
  const history = record(NO_HISTORY, picture(2), doc);
  assert.equal(
    shelf.save("one", { doc, history, mode: "draw", slices: { play: { time: 3 } } }, 5),
    true,
  );
  const found = shelf.load("one");
  assert.deepEqual(found.doc, doc);
  assert.deepEqual(found.history, history);
  assert.deepEqual(found.slices, { play: { time: 3 } });
  assert.equal(shelf.load("none"), null);
});

test("the list of kept documents, the newest first; other keys are ignored", () => {
  const storage = createStorage();
  storage.setItem("foreign", "x");
  storage.setItem("nonosat/about/broken", "{");
  const shelf = createShelf(storage);
  const puzzle = fromPuzzle({ rows: [[1]], columns: [[1]], title: "Dot" });
  shelf.save("a", { doc: picture(1), history: NO_HISTORY, mode: "draw" }, 1);
  shelf.save("b", { doc: puzzle, history: NO_HISTORY, mode: "play" }, 2);
  assert.deepEqual(
    shelf.list().map(({ key, title }) => [key, title]),
    [
      ["b", "Dot"],
      ["a", "Ünïcode 1"],
    ],
  );
  assert.equal(shelf.list()[0].thumbnail, null);
  assert.deepEqual(shelf.list()[1].thumbnail.cells, picture(1).cells);
  shelf.remove("a");
  assert.equal(shelf.list().length, 1);
  storage.setItem("nonosat/doc/b", "no json");
  assert.equal(shelf.load("b"), null);
});

test("if there is little room the history is dropped, and the picture kept", () => {
  const doc = picture(1);
  let history = NO_HISTORY;
  for (let seed = 2; seed < 60; seed += 1)
    history = record(history, picture(seed), picture(seed + 1));
  const shelf = createShelf(createStorage(6000));
  assert.equal(shelf.save("a", { doc, history, mode: "draw" }, 1), true);
  assert.deepEqual(shelf.load("a").doc, doc);
  assert.equal(createShelf(createStorage(500)).save("a", { doc, history, mode: "draw" }, 1), false);
});

test("a storage that refuses for another reason is not full", () => {
  const storage = {
    ...createStorage(),
    setItem: () => {
      throw new TypeError("other");
    },
  };
  assert.throws(
    () => createShelf(storage).save("a", { doc: picture(1), history: NO_HISTORY }, 1),
    TypeError,
  );
});

test("thumbnails are small and keep the shape", () => {
  const small = thumbnailOf({ ...blank(200, 100), cells: new Uint8Array(20_000).fill(1) });
  assert.deepEqual([small.height, small.width], [64, 32]);
  assert.ok(small.cells.every((value) => value === 1));
  assert.deepEqual(thumbnailOf(picture(1)).cells, picture(1).cells);
});
