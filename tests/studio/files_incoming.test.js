// Refusals before files are sent, names of files.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isImage,
  openText,
  rangeOfLine,
  refusalOf,
  wordsOfRefusal,
} from "../../nonosat/studio/page/files/open.js";
import { blank } from "../../nonosat/studio/page/state/document.js";
import { countShared, shareText } from "../../nonosat/studio/page/state/share.js";
import { createStore } from "../../nonosat/studio/page/state/store.js";
import { safeName } from "../../nonosat/studio/page/ui/save.js";

test("files that are too large or empty are refused with advice", () => {
  assert.equal(refusalOf({ name: "a.non", size: 1000 }), "");
  assert.match(
    refusalOf({ name: "big.xml", size: 20 * 2 ** 20 }),
    /big\.xml has 20 MiB.*at most \d+ MiB.*split/,
  );
  assert.match(refusalOf({ name: "a.non", size: 0 }), /empty/);
});

test("images are distinguished from puzzles", () => {
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

test("names that are valid on every system", () => {
  assert.equal(safeName("Cat.png"), "Cat.png");
  assert.equal(safeName("../a/b:c?.png"), "a-b-c-.png");
  assert.equal(safeName("..."), "puzzle");
  assert.equal(safeName("Ü ❤.pdf"), "Ü ❤.pdf");
});

test("the page words the place and the remedy of an error for itself", () => {
  const format = { kind: "set", argument: "format", values: ["bmp", "clues"] };
  const unknown = { message: "'ab': no clues", at: null, remedy: format };
  assert.match(
    wordsOfRefusal(unknown, ""),
    /^This text holds no puzzle: 'ab': no clues\. You can paste clues below/,
  );
  assert.match(wordsOfRefusal(unknown, "a.txt"), /^a\.txt cannot be opened: .* that format's suffix/);
  assert.equal(
    wordsOfRefusal({ message: "the element <a>, expected <puzzle>", at: [1, null] }, ""),
    "This text holds no puzzle: line 1: the element <a>, expected <puzzle>.",
  );
  assert.equal(
    wordsOfRefusal({ message: "broken; mend it", at: [3, 7] }, "a.xml"),
    "a.xml cannot be opened: line 3, column 7: broken; mend it.",
  );
  const image = { kind: "image", argument: "", values: [] };
  assert.match(wordsOfRefusal({ message: "a JPEG", remedy: image }, "a.txt"), /open it as a PNG/);
  const other = { kind: "set", argument: "backend", values: ["learn"] };
  const long = { message: "too long", remedy: other };
  assert.equal(wordsOfRefusal(long, "a"), "a cannot be opened: too long.");
});

test("the range of a line is found, and is kept within the text", () => {
  const text = "ab\n\ncde";
  assert.deepEqual(rangeOfLine(text, 1), [0, 2]);
  assert.deepEqual(rangeOfLine(text, 2), [3, 3]);
  assert.deepEqual(rangeOfLine(text, 3), [4, 7]);
  assert.deepEqual(rangeOfLine(text, 9), [4, 7]);
  assert.deepEqual(rangeOfLine("", 1), [0, 0]);
});

test("of several shared puzzles in a text the first is opened, with a message", async () => {
  const [one, two] = await Promise.all([shareText(blank(2, 2)), shareText(blank(3, 3))]);
  assert.equal(countShared(`${one} and again ${one}`), 1);
  assert.equal(countShared(`${one}\n${two}`), 2);
  const told = [];
  const app = { open: ({ height }) => told.push(height), toast: (text) => told.push(text) };
  await openText(`${one}\n${two}`, app);
  assert.equal(told[0], 2);
  assert.match(told[1], /holds 2 puzzles\. The first is open/);
});

test("messages about an opened puzzle end with the mode", async () => {
  const store = createStore({ mode: "gallery" }, (state, { mode }) => ({ ...state, mode }));
  const [told, closed] = [[], []];
  const app = {
    store,
    answers: {
      query: async () => ({
        puzzles: [{ puzzle: { rows: [[1]], columns: [[1]] }, goal: null, title: "" }],
        warnings: [],
      }),
    },
    open: (_, { mode }) => store.dispatch({ type: "open", mode }),
    toast(text) {
      told.push(text);
      return () => closed.push(text);
    },
  };
  await openText("rows\n1\ncolumns\n1\n", app);
  assert.deepEqual(told, ["A puzzle of 1 × 1 is open."]);
  store.dispatch({ type: "mode", mode: "draw" });
  assert.deepEqual(closed, []);
  store.dispatch({ type: "mode", mode: "play" });
  store.dispatch({ type: "mode", mode: "draw" });
  store.dispatch({ type: "mode", mode: "play" });
  assert.deepEqual(closed, told);
});
