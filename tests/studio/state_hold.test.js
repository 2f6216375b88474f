// Names that one tab at a time locks.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createHold, newKey } from "../../nonosat/studio/page/state/hold.js";
import { createLocks } from "./helpers/browser.mjs";

test("keys of documents differ, and need no secure context", () => {
  const { randomUUID } = crypto;
  crypto.randomUUID = undefined;
  try {
    const keys = Array.from({ length: 100 }, newKey);
    assert.equal(new Set(keys).size, 100);
    for (const key of keys) assert.match(key, /^[0-9a-f]{12}$/);
  } finally {
    crypto.randomUUID = randomUUID;
  }
});

test("a tab that returns while it waits for another name still holds the first", async () => {
  const locks = createLocks();
  const [one, two, three] = [1, 2, 3].map(() => createHold(locks, "game/"));
  await one("star");
  await two("heart");
  const [star, heart] = [two("star"), two("heart")];
  assert.deepEqual([await star, await heart], [false, true]);
  assert.equal(await three("heart"), false);
  await one("moon"); // the star is free
  const [now, back] = [two("star"), two("heart")];
  assert.deepEqual([await now, await back], [true, true]);
  assert.equal(await three("star"), true);
  assert.equal(await one("heart"), false);
});

test("a tab that opens another puzzle releases the one before", async () => {
  const locks = createLocks();
  const [one, two] = [createHold(locks, "game/"), createHold(locks, "game/")];
  assert.equal(await one("heart"), true);
  assert.equal(await two("heart"), false);
  assert.equal(await one("star"), true);
  assert.equal(await two("heart"), true);
  assert.equal(await one("heart"), false);
});
