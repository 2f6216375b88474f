// Address of a new server: read from the printed text, on this machine only.

import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf } from "../../nonosat/studio/page/ui/connection.js";

const HERE = "http://127.0.0.1:8800";

test("a printed address, with text around it", () => {
  const printed = "nonosat studio: http://127.0.0.1:8800/?t=abc (Ctrl-C ends it)";
  assert.equal(addressOf(printed, HERE, "nonosat:1:x"), "http://127.0.0.1:8800/?t=abc");
});

test("another port gets the drawing", () => {
  const found = addressOf("http://127.0.0.1:9000/?t=abc", HERE, "nonosat:1:x");
  assert.equal(found, "http://127.0.0.1:9000/?t=abc#draw=nonosat:1:x");
  assert.equal(
    addressOf("http://localhost:9000/?t=abc#old", HERE, ""),
    "http://localhost:9000/?t=abc",
  );
});

test("other machines and other texts are refused", () => {
  const bad = [
    "",
    "hello",
    "https://example.com/?t=abc",
    "http://127.0.0.1.example.com/",
    "javascript:alert(1)",
    "http://",
  ];
  for (const text of bad) assert.equal(addressOf(text, HERE, "nonosat:1:x"), null, text);
});
