// Keys that are shortcuts, by the place of the focus.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isShortcut } from "../../nonosat/studio/page/ui/keys.js";

/** The focused element: `places` are selectors that it, or one of its ancestors, matches. */
const focus = (...places) => ({
  closest: (selectors) => selectors.split(", ").some((each) => places.includes(each)) || null,
});
const field = { closest: (selectors) => (selectors.includes("input") ? { type: "text" } : null) };
const pressed = (key, target, more = {}) => isShortcut({ key, target, ...more });

test("letters, digits and signs are shortcuts only on the board and its tools", () => {
  for (const key of ["h", "P", "3", "?", "+", " "]) {
    assert.ok(pressed(key, focus("#board")), key);
    assert.ok(pressed(key, focus("#tools")), key);
    for (const target of [focus(), focus("#play"), field, {}, null])
      assert.ok(!pressed(key, target), key);
  }
});

test("other keys are shortcuts everywhere except in fields", () => {
  for (const [key, more] of [["ArrowRight"], ["Escape"], ["Delete"], ["z", { ctrlKey: true }]]) {
    assert.ok(pressed(key, focus(), more), key);
    assert.ok(!pressed(key, field, more), key);
    assert.ok(!pressed(key, focus("#board"), { ...more, defaultPrevented: true }), key);
  }
});
