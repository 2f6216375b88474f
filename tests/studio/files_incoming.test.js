// What is refused before it is sent, sizes of images, names of files.

import assert from "node:assert/strict";
import { test } from "node:test";
import { imageQuery, sizeFor } from "../../nonosat/studio/page/files/image.js";
import { isImage, refusalOf } from "../../nonosat/studio/page/files/open.js";
import { safeName } from "../../nonosat/studio/page/ui/save.js";

test("files that are too large or empty are refused with what to do", () => {
  assert.equal(refusalOf({ name: "a.non", size: 1000 }), "");
  assert.match(
    refusalOf({ name: "big.xml", size: 20 * 2 ** 20 }),
    /big\.xml has 20 MiB.*at most \d+ MiB.*split/,
  );
  assert.match(refusalOf({ name: "a.non", size: 0 }), /empty/);
});

test("images are told from puzzles", () => {
  for (const type of ["image/png", "image/jpeg", "image/webp"]) assert.ok(isImage({ type }));
  for (const type of [
    "text/plain",
    "",
    "application/xml",
    "image/svg+xml",
    "image/x-portable-bitmap",
  ])
    assert.ok(!isImage({ type }));
});

test("pixel art keeps its size, photographs become 30 cells", () => {
  assert.deepEqual(sizeFor(16, 20), { columns: 16, rows: 20 });
  assert.deepEqual(sizeFor(4000, 3000), { columns: 30, rows: 23 });
  assert.deepEqual(sizeFor(10, 5000), { columns: 1, rows: 30 });
});

test("what is asked of an image", () => {
  const wishes = { columns: 30, rows: 20, colours: 1, threshold: null, edges: 0.5, invert: false };
  assert.equal(imageQuery(wishes), "image?columns=30&colours=1&edges=0.5");
  assert.equal(
    imageQuery({ ...wishes, threshold: 0.4, invert: true }),
    "image?columns=30&colours=1&edges=0.5&threshold=0.4&invert=true",
  );
  assert.equal(
    imageQuery({ ...wishes, colours: 4, threshold: 0.4, invert: true }),
    "image?columns=30&colours=4&edges=0.5",
  );
});

test("names that every system takes", () => {
  assert.equal(safeName("Cat.png"), "Cat.png");
  assert.equal(safeName("../a/b:c?.png"), "a-b-c-.png");
  assert.equal(safeName("..."), "puzzle");
  assert.equal(safeName("Ü ❤.pdf"), "Ü ❤.pdf");
});
