// Settings of an image: its size, the query, and settings kept for the next one.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  columnsFor,
  createWishes,
  imageQuery,
  sizeFor,
  USUAL,
} from "../../nonosat/studio/page/files/wishes.js";
import { createStorage } from "./helpers/browser.mjs";

test("pixel art keeps its size, photographs become 30 cells", () => {
  assert.deepEqual(sizeFor(16, 20), { columns: 16, rows: 20 });
  assert.deepEqual(sizeFor(4000, 3000), { columns: 30, rows: 23 });
});

test("a size kept from another image fits the board", () => {
  assert.deepEqual(sizeFor(540, 960, 200), { columns: 112, rows: 199 });
  assert.deepEqual(sizeFor(100, 1900, 200), { columns: 10, rows: 190 });
  assert.deepEqual(sizeFor(20, 800), { columns: 2, rows: 80 }); // as few as the slider shows
  assert.deepEqual(sizeFor(1, 20), { columns: 1, rows: 20 });
  for (let side = 2; side <= 20_000; side += 7) {
    for (const [width, height] of [
      [side, 200],
      [200, side],
    ]) {
      const { least, most } = columnsFor(width, height);
      for (const longest of [2, 30, 113, 200]) {
        const { columns } = sizeFor(width, height, longest);
        const rows = Math.floor((columns * height) / width + 0.5); // as the server counts them
        assert.ok(columns >= least && columns <= most && rows <= 200, `${width} x ${height}`);
      }
    }
  }
});

test("photographs get the kept settings, pixel art stays unchanged", () => {
  assert.deepEqual(sizeFor(4000, 3000, 100), { columns: 100, rows: 75 });
  assert.deepEqual(sizeFor(300, 400, 100), { columns: 75, rows: 100 });
  assert.deepEqual(sizeFor(4000, 3000, 12), { columns: 12, rows: 9 });
  assert.deepEqual(sizeFor(16, 20, 12), { columns: 16, rows: 20 });
});

test("the query for an image", () => {
  const wishes = { columns: 30, rows: 20, colours: 1, threshold: null, edges: 0.5, invert: false };
  assert.equal(imageQuery(wishes), "image?columns=30&colours=1&edges=0.5");
  assert.equal(
    imageQuery({ ...wishes, name: "a cat.png" }), // messages contain it
    "image?columns=30&colours=1&edges=0.5&name=a+cat.png",
  );
  assert.equal(
    imageQuery({ ...wishes, threshold: 0.4, invert: true }),
    "image?columns=30&colours=1&edges=0.5&threshold=0.4&invert=true",
  );
  assert.equal(
    imageQuery({ ...wishes, dither: "bayer" }),
    "image?columns=30&colours=1&edges=0.5&dither=bayer",
  );
  assert.equal(
    imageQuery({ ...wishes, colours: 4, threshold: 0.4, invert: true }),
    "image?columns=30&colours=4&edges=0.5",
  );
});

test("settings except the size are kept for the next image", () => {
  const place = createStorage();
  assert.deepEqual(createWishes(place).load(), USUAL);
  const settings = {
    longest: 45,
    colours: 4,
    threshold: 0.3,
    edges: 0.2,
    invert: true,
    dither: "bayer",
  };
  createWishes(place).save({ ...settings, columns: 45 });
  assert.deepEqual(createWishes(place).load(), settings);
});

test("invalid settings become the default", () => {
  const place = createStorage();
  const bad = {
    longest: 1000,
    colours: 2.5,
    threshold: "0.3",
    edges: -1,
    invert: 1,
    dither: "fancy",
  };
  for (const [key, value] of Object.entries(bad)) {
    createWishes(place).save({ ...USUAL, colours: 3, [key]: value });
    const found = createWishes(place).load();
    assert.deepEqual(found, { ...USUAL, colours: 3, [key]: USUAL[key] }, key);
  }
  for (const text of ["", "{", "null", "7", '"x"', "[]"]) {
    const other = { ...place, getItem: () => text };
    assert.deepEqual(createWishes(other).load(), USUAL, text);
  }
});

test("a full storage only loses the kept settings", () => {
  const full = createStorage(10);
  createWishes(full).save({ ...USUAL, colours: 3 });
  assert.deepEqual(createWishes(full).load(), USUAL);
});
