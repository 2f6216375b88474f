// Effects of strokes with each tool; keys and their meanings.

import assert from "node:assert/strict";
import { test } from "node:test";
import { blank, fromPicture, rowsOfText } from "../../nonosat/studio/page/state/document.js";
import {
  beginStroke,
  clipped,
  continueStroke,
  endStroke,
} from "../../nonosat/studio/page/tools/stroke.js";
import {
  COMMANDS,
  commandOfKey,
  nameOfKey,
  TOOLS,
} from "../../nonosat/studio/page/tools/commands.js";
import { reduce } from "../../nonosat/studio/page/tools/index.js";

const cell = (row, column) => ({ row, column });
const stateOf = (doc, tool, more = {}) => ({
  doc,
  selection: null,
  tools: { tool, colour: 1 },
  ...more,
});

/** A stroke over cells; returns the new document and selection. */
function stroke(state, cells, how = {}) {
  let [now, doc, selection] = [beginStroke(state, cells[0], how), state.doc, state.selection];
  for (const at of cells) {
    const next = continueStroke(now, doc, at);
    [now, doc] = [next.stroke, next.doc];
    if (next.selection !== undefined) selection = next.selection;
  }
  return { doc: endStroke(now, doc), selection };
}

const rows = (found) => rowsOfText(found.doc).join("/");
const picture = (...lines) =>
  fromPicture({ picture: lines, colours: { a: "#000000", b: "#ff0000" }, background: "#ffffff" });

test("a fast pen leaves no gaps", () => {
  assert.equal(
    rows(stroke(stateOf(blank(3, 4), "pen"), [cell(0, 0), cell(2, 2)])),
    "a.../.a../..a.",
  );
  const { doc } = stroke(stateOf(blank(1, 9), "pen"), [cell(0, 1), cell(0, 7), cell(0, 4)]);
  assert.deepEqual(rowsOfText(doc), [".aaaaaaa."]);
});

test("a pen that only touches a cell of its colour erases it; a longer stroke draws", () => {
  const doc = picture("ab..");
  assert.equal(rows(stroke(stateOf(doc, "pen"), [cell(0, 0)])), ".b..");
  assert.equal(rows(stroke(stateOf(doc, "pen"), [cell(0, 0), cell(0, 2)])), "aaa.");
  assert.equal(rows(stroke(stateOf(doc, "pen"), [cell(0, 1)])), "aa..");
  assert.equal(
    rows(stroke(stateOf(doc, "pen"), [cell(0, 0), cell(0, 1)], { isErasing: true })),
    "....",
  );
  assert.equal(rows(stroke(stateOf(doc, "eraser"), [cell(0, 1), cell(0, 0)])), "....");
});

test("lines and rectangles follow the pointer until it is released", () => {
  const doc = blank(3, 4);
  assert.equal(
    rows(stroke(stateOf(doc, "line"), [cell(0, 0), cell(2, 2), cell(0, 3)])),
    "aaaa/..../....",
  );
  assert.equal(
    rows(stroke(stateOf(doc, "rectangle"), [cell(0, 0), cell(2, 3), cell(2, 2)])),
    "aaa./a.a./aaa.",
  );
  assert.equal(rows(stroke(stateOf(doc, "box"), [cell(2, 3), cell(1, 2)])), "..../..aa/..aa");
});

test("an area is filled where the stroke began", () => {
  const doc = picture("a.b", "aab");
  assert.equal(
    rows(stroke(stateOf(doc, "fill", { tools: { tool: "fill", colour: 2 } }), [cell(0, 0)])),
    "b.b/bbb",
  );
  assert.equal(rows(stroke(stateOf(doc, "fill"), [cell(0, 1)])), "aab/aab");
});

test("cells are protected, and released by a stroke that begins on one", () => {
  const doc = blank(1, 3);
  const { doc: kept } = stroke(stateOf(doc, "protect"), [cell(0, 0), cell(0, 2)]);
  assert.deepEqual([...kept.protected], [1, 1, 1]);
  const { doc: freed } = stroke(stateOf(kept, "protect"), [cell(0, 1)]);
  assert.deepEqual([...freed.protected], [1, 0, 1]);
});

test("a selection is moved; without a selection the whole picture moves round", () => {
  const doc = picture("ab..", "....");
  const chosen = stroke(stateOf(doc, "select"), [cell(0, 0), cell(0, 1)]);
  assert.deepEqual(chosen.selection, { top: 0, left: 0, height: 1, width: 2 });
  const moved = stroke(stateOf(doc, "move", { selection: chosen.selection }), [
    cell(0, 0),
    cell(1, 1),
    cell(1, 2),
  ]);
  assert.equal(rows(moved), "..../..ab");
  assert.deepEqual(moved.selection, { top: 1, left: 2, height: 1, width: 2 });
  // The select tool moves, too, when it begins inside.
  assert.equal(
    rows(stroke(stateOf(doc, "select", { selection: chosen.selection }), [cell(0, 1), cell(1, 1)])),
    "..../ab..",
  );
  assert.equal(rows(stroke(stateOf(doc, "move"), [cell(0, 0), cell(1, 3)])), "..../b..a");
  assert.equal(clipped({ top: -3, left: 0, height: 3, width: 2 }, doc), null);
  assert.deepEqual(clipped({ top: -1, left: 3, height: 2, width: 4 }, doc), {
    top: 0,
    left: 3,
    height: 1,
    width: 1,
  });
});

test("a command in the middle of a stroke ends it, or the old picture would return", () => {
  const doc = picture("ab");
  const stroke = beginStroke(stateOf(doc, "line"), cell(0, 0), {});
  for (const type of ["edit", "undo", "commit", "abandon", "mode"])
    assert.equal(reduce({ colour: 1, stroke }, { type, doc }, { doc }).stroke, null);
  assert.equal(reduce({ colour: 1, stroke }, { type: "cursor" }, { doc }).stroke, stroke);
});

test("no key has two meanings", () => {
  const names = [
    ...TOOLS.map(([, , key]) => key),
    ...Object.values(COMMANDS).flatMap(({ keys }) => keys),
  ];
  assert.equal(new Set(names).size, names.length);
});

test("keys", () => {
  const key = (name, more = {}) => ({
    key: name,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: false,
    ...more,
  });
  assert.deepEqual(commandOfKey(key("p")), { tool: "pen" });
  assert.deepEqual(commandOfKey(key("7")), { colour: 7 });
  assert.deepEqual(commandOfKey(key("z", { ctrlKey: true })), { command: "undo" });
  assert.deepEqual(commandOfKey(key("Z", { metaKey: true, shiftKey: true })), { command: "redo" });
  assert.deepEqual(commandOfKey(key("y", { ctrlKey: true })), { command: "redo" });
  assert.deepEqual(commandOfKey(key("?", { shiftKey: true })), { command: "help" });
  assert.deepEqual(commandOfKey(key("+", { shiftKey: true })), { command: "zoomIn" });
  assert.equal(commandOfKey(key("p", { altKey: true })), null);
  assert.equal(commandOfKey(key("r", { ctrlKey: true })), null);
  assert.equal(nameOfKey(key("Delete", { shiftKey: true })), "Shift+Delete");
});
