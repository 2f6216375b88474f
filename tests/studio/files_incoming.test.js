// What is refused before it is sent, names of files.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isImage,
  openText,
  refusalOf,
  wordsOfRefusal,
} from "../../nonosat/studio/page/files/open.js";
import { blank } from "../../nonosat/studio/page/state/document.js";
import { countShared, shareText } from "../../nonosat/studio/page/state/share.js";
import { createStore } from "../../nonosat/studio/page/state/store.js";
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

test("names that every system takes", () => {
  assert.equal(safeName("Cat.png"), "Cat.png");
  assert.equal(safeName("../a/b:c?.png"), "a-b-c-.png");
  assert.equal(safeName("..."), "puzzle");
  assert.equal(safeName("Ü ❤.pdf"), "Ü ❤.pdf");
});

test("advice to use options of the commands is replaced by what the page can do", () => {
  const unknown = (what) => `${what}, and no other format; choose one with --from: bmp, clues, csv`;
  assert.match(
    wordsOfRefusal(unknown("text: 'ab': no clues"), ""),
    /^This text holds no puzzle: 'ab': no clues, and no other format\. You can paste clues below/,
  );
  assert.match(
    wordsOfRefusal(unknown(`text: ${"x".repeat(200)}`), ""),
    /^This text holds no puzzle\. You can paste clues/,
  );
  assert.equal(
    wordsOfRefusal("text:2:1: clues that do not fit; --from clues reads them", "").split(". ")[0],
    "This text holds no puzzle: clues that do not fit",
  );
  assert.equal(
    wordsOfRefusal("text:1: the element <a>, expected <puzzle>", ""),
    "This text holds no puzzle: the element <a>, expected <puzzle>.",
  );
  assert.equal(
    wordsOfRefusal("line 1 is broken; mend it", "a.xml"),
    "a.xml cannot be opened: line 1 is broken; mend it.",
  );
  const ways = "text: clues in 2 ways; choose one with --from: a, or write b (a is 1; b is 2)";
  assert.match(wordsOfRefusal(ways, ""), /^This text holds no puzzle: clues in 2 ways\. You can /);
  assert.match(wordsOfRefusal(unknown("no clues"), "a.txt"), /^a\.txt cannot .* suffix of that/);
});

test("of several shared puzzles in a text the first is opened, and that is said", async () => {
  const [one, two] = await Promise.all([shareText(blank(2, 2)), shareText(blank(3, 3))]);
  assert.equal(countShared(`${one} and again ${one}`), 1);
  assert.equal(countShared(`${one}\n${two}`), 2);
  const told = [];
  const app = { open: ({ height }) => told.push(height), toast: (text) => told.push(text) };
  await openText(`${one}\n${two}`, app);
  assert.equal(told[0], 2);
  assert.match(told[1], /holds 2 puzzles\. The first is open/);
});

test("what is told of a puzzle that was opened ends with the mode", async () => {
  const store = createStore({ mode: "gallery" }, (state, { mode }) => ({ ...state, mode }));
  const [told, closed] = [[], []];
  const app = {
    store,
    answers: {
      ask: async () => ({
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
