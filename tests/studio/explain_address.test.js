// Addresses of steps.

import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, placeOf } from "../../nonosat/studio/page/explain/address.js";

test("every step of every story has an address that leads back to it", () => {
  for (const kind of ["whole", "clash", "reason"])
    for (const at of [1, 47]) assert.deepEqual(placeOf(addressOf(kind, at)), { kind, at });
  assert.equal(addressOf("whole", 12), "#step-12");
  assert.equal(addressOf("whole", 0), "");
});

test("other addresses name no step", () => {
  for (const hash of ["", "#", "#nonsense", "#step-", "#step-x", "#p=step-1", "#toString-1"])
    assert.equal(placeOf(hash), null, hash);
});
