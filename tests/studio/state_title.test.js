// The title of a puzzle of clues belongs to the document: typing it makes no new puzzle.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  fileNameOf,
  fromPicture,
  fromPuzzle,
  textOfField,
  toSent,
  withPuzzle,
} from "../../nonosat/studio/page/state/document.js";
import { shapeOf } from "../../nonosat/studio/page/play/puzzle.js";
import { documentOfRead, sharedDocument, shareText } from "../../nonosat/studio/page/state/share.js";
import * as verdict from "../../nonosat/studio/page/verdict/index.js";

const doc = fromPuzzle({ rows: [[1]], columns: [[1]], title: "Old", author: "Ann" });
const typed = { ...doc, title: "New" };

test("a typed title is stored and exported with the puzzle", () => {
  assert.deepEqual(toSent(typed).puzzle, { ...doc.puzzle, title: "New" });
  const { title, author, ...bare } = doc.puzzle;
  assert.deepEqual(toSent({ ...doc, title: "", author: "" }).puzzle, bare);
});

test("other clues keep the title of the document", () => {
  const next = withPuzzle(typed, { ...doc.puzzle, rows: [[0]] });
  assert.deepEqual([next.title, next.author, next.puzzle.rows], ["New", "Ann", [[0]]]);
});

test("blanks at the ends of a title stay", async () => {
  assert.deepEqual(["  a b ", "", "   "].map(textOfField), ["  a b ", "", ""]);
  const blanks = { ...doc, title: textOfField("  New "), author: " Ann " };
  assert.equal(toSent(blanks).puzzle.title, "  New ");
  const again = await sharedDocument(await shareText(blanks));
  assert.deepEqual([again.title, again.author], ["  New ", " Ann "]);
});

test("a title is shared", async () => {
  assert.equal((await sharedDocument(await shareText(typed))).title, "New");
});

test("another title makes no new puzzle, neither for verdicts nor for explanations", () => {
  assert.equal(shapeOf(typed), shapeOf(doc));
  assert.ok(!verdict.isAnother({ mode: "draw", doc: typed }, { mode: "draw", doc }));
  const other = withPuzzle(typed, { ...doc.puzzle, rows: [[0]] });
  assert.ok(verdict.isAnother({ mode: "draw", doc: other }, { mode: "draw", doc }));
});

const ABOUT = { license: "CC0-1.0", source: "a book", description: "For you.\nReally." };

test("licence, source and description of a picture are sent, shared and read", async () => {
  const picture = { picture: ["a"], colours: { a: "#1a1a1a" }, background: "#ffffff" };
  const drawn = fromPicture({ ...picture, ...ABOUT }, "Dot", "Ann");
  assert.deepEqual(toSent(drawn), { ...picture, title: "Dot", author: "Ann", ...ABOUT });
  assert.deepEqual((await sharedDocument(await shareText(drawn))).about, ABOUT);
  const read = { rows: [[1]], columns: [[1]], ...ABOUT };
  assert.deepEqual(documentOfRead(read, fromPicture(picture)).about, ABOUT);
});

test("those of a puzzle of clues are the document's", () => {
  const puzzle = fromPuzzle({ rows: [[1]], columns: [[1]], ...ABOUT });
  const { source, ...rest } = ABOUT;
  assert.deepEqual(toSent({ ...puzzle, about: rest }).puzzle, { rows: [[1]], columns: [[1]], ...rest });
  const { about, ...older } = puzzle; // as stored before documents had the field
  assert.equal(toSent(older).puzzle.source, "a book");
});

test("files are named after the title, in one style", () => {
  assert.equal(fileNameOf({ title: "A Heart: no. 2" }, ".png"), "a-heart-no-2.png");
  assert.equal(fileNameOf({ title: "♥" }, ".non"), "puzzle.non");
});
