// Sheets: lines of the grid, numbers of the clues, cells of a solution.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fromPicture, fromPuzzle } from "../../nonosat/studio/page/state/document.js";
import { puzzleOf } from "../../nonosat/studio/page/play/puzzle.js";
import { sheetOf } from "../../nonosat/studio/page/print/sheet.js";

const texts = ({ shapes }) => shapes.filter(([tag]) => tag === "text").map(([, , text]) => text);
const fills = ({ shapes }, colour) =>
  shapes.filter(([tag, { fill }]) => tag === "path" && fill === colour).map(([, { d }]) => d);

test("a sheet has every clue and no cell; a solution has its cells", () => {
  const doc = fromPicture({ picture: ["aa.", "...", "a.a"], colours: { a: "#1a1a1a" } });
  const empty = sheetOf(puzzleOf(doc));
  assert.deepEqual(texts(empty), ["2", "0", "1", "1", "1", "1", "1", "1"]);
  assert.deepEqual(fills(empty, "#1a1a1a"), []);
  const [d] = fills(sheetOf(puzzleOf(doc), doc.cells), "#1a1a1a");
  assert.deepEqual(d.match(/h\d+/g), ["h2", "h1", "h1"]); // a run of two, two of one
});

test("clues in colours have their colour, unknown ones a sign, given cells their mark", () => {
  const doc = fromPuzzle({
    colors: { r: "#cc0000", b: "#0000cc" },
    rows: [[[1, "r"], [null, "b"]], []],
    columns: [[[1, "r"]], [[1, "b"]]],
    given: [
      [0, 0, "r"],
      [1, 1, 0],
    ],
  });
  const sheet = sheetOf(puzzleOf(doc));
  assert.deepEqual(texts(sheet), ["1", "?", "0", "1", "1"]);
  const boxes = sheet.shapes.filter(([tag]) => tag === "rect").map(([, { fill }]) => fill);
  assert.deepEqual(boxes, ["#cc0000", "#0000cc", "#cc0000", "#0000cc"]);
  assert.equal(fills(sheet, "#cc0000").length, 1);
  assert.equal(sheet.shapes.filter(([tag]) => tag === "circle").length, 1);
});

test("a Slitherlink has its numbers between dots", () => {
  const sheet = sheetOf(puzzleOf(fromPuzzle({ family: "slitherlink", rows: ["3.", ".1"] })));
  assert.deepEqual(texts(sheet), ["3", "1"]);
  assert.equal(sheet.shapes.filter(([tag]) => tag === "circle").length, 9);
});
