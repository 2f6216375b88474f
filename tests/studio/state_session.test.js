// What a tab keeps, as far as it needs no browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newKey } from "../../nonosat/studio/page/state/session.js";

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
