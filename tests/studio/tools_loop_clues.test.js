// Clues of a Slitherlink while they are typed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rowsOfText } from "../../nonosat/studio/page/tools/loop_clues.js";

test("rows are read with spaces, empty lines and both signs for no clue", () => {
  assert.deepEqual(rowsOfText(" 3 . 2\n\n-1-\n"), { rows: ["3.2", ".1."] });
  assert.deepEqual(rowsOfText("0"), { rows: ["0"] });
  assert.deepEqual(rowsOfText("..\n4."), { rows: ["..", "4."] }); // as a repair may have it
  assert.deepEqual(rowsOfText(".".repeat(200)), { rows: [".".repeat(200)] });
});

test("unreadable text is reported with its row", () => {
  assert.match(rowsOfText("").problem, /at least one row/);
  assert.match(rowsOfText("123\n1x3").problem, /^Row 2 has “x”/);
  assert.match(rowsOfText("5").problem, /^Row 1 has “5”, expected 0 to 4/);
  assert.match(rowsOfText("12\n123").problem, /^Row 2 has 3 cells, row 1 has 2/);
  assert.match(rowsOfText("1".repeat(201)).problem, /201 × 1, expected at most 200/);
});
