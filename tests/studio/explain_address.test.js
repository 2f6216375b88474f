// Addresses of steps.

import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, followAddress, placeOf } from "../../nonosat/studio/page/explain/address.js";

test("every step of every explanation has an address that leads back to it", () => {
  for (const kind of ["whole", "clash", "reason"])
    for (const at of [1, 47]) assert.deepEqual(placeOf(addressOf(kind, at)), { kind, at });
  assert.equal(addressOf("whole", 12), "#step-12");
  assert.equal(addressOf("whole", 0), "");
});

test("other addresses name no step", () => {
  for (const hash of ["", "#", "#nonsense", "#step-", "#step-x", "#p=step-1", "#toString-1"])
    assert.equal(placeOf(hash), null, hash);
});

test("a change of the address that is still to be reported is not overwritten", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const listeners = {};
  const page = { protocol: "file:", pathname: "/page.html", search: "", hash: "" };
  const globals = {
    location: page,
    history: { state: null, replaceState: (state, title, url) => (page.hash = /(#.*)?$/.exec(url)[0]) },
    addEventListener: (name, listener) => (listeners[name] = listener),
  };
  Object.assign(globalThis, globals);
  context.after(() => Object.keys(globals).forEach((name) => delete globalThis[name]));
  const steps = Array.from({ length: 47 }, () => ({}));
  let state = { mode: "explain", explain: { kind: "whole", at: {}, stories: { whole: { steps } } } };
  let changed = null;
  const goTo = (at) => {
    const before = state;
    state = { ...state, explain: { ...state.explain, at: { whole: at } } };
    changed(state, before);
  };
  followAddress({
    store: {
      get: () => state,
      dispatch: ({ type, at }) => type === "explain/at" && goTo(at),
      subscribe: (listener) => (changed = listener),
    },
  });

  goTo(12);
  context.mock.timers.tick(150);
  assert.equal(page.hash, "#step-12");
  goTo(13);
  page.hash = "#step-3";
  context.mock.timers.tick(150); // before the browser reports the new address
  assert.equal(page.hash, "#step-3");
  listeners.hashchange();
  assert.equal(state.explain.at.whole, 3);
  context.mock.timers.tick(300);
  assert.equal(page.hash, "#step-3");
  goTo(4);
  context.mock.timers.tick(150);
  assert.equal(page.hash, "#step-4");
});
