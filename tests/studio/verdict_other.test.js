// The solution shown next to a drawing, or of clues, also if the search ended early.

import assert from "node:assert/strict";
import { test } from "node:test";
import { otherOf } from "../../nonosat/studio/page/verdict/other.js";

const puzzle = { family: "nonogram", height: 2, width: 2, palette: ["#000000"], keys: ["#"] };
Object.assign(puzzle, { signs: ".#" });
const loop = { ...puzzle, family: "slitherlink", signs: "x#" };
const picture = { kind: "picture", cells: Uint8Array.of(1, 0, 0, 1) };
const clues = { kind: "puzzle" };
const [OWN, OTHER] = [
  ["#.", ".#"],
  [".#", "#."],
];
const cut = (...solutions) => ({ verdict: "unknown", solutions, reason: "1 s are over" });
const LATE = "was found within the limits: 1 s are over.";

test("if nothing was found in time, the reason is shown", () => {
  const message = `No solution ${LATE}`;
  assert.throws(() => otherOf(cut(), puzzle, picture), { message });
  assert.throws(() => otherOf(cut(), puzzle, clues), { message });
  assert.throws(() => otherOf(cut(), loop, clues), { message });
  assert.throws(() => otherOf({ verdict: "unsolvable", solutions: [] }, puzzle, clues), {
    message: "These clues have no solution.",
  });
});

test("the drawing itself is no other solution", () => {
  assert.throws(() => otherOf(cut(OWN), puzzle, picture), { message: `No other solution ${LATE}` });
  assert.throws(() => otherOf({ verdict: "unique", solutions: [OWN] }, puzzle, picture), {
    message: "These clues have no other solution.",
  });
  const found = otherOf(cut(OTHER), puzzle, picture);
  assert.deepEqual([...found.cells], [0, 1, 1, 0]);
  assert.equal(found.differing.length, 4);
});

test("a solution is called the only one if that is proved, not if only one was found", () => {
  assert.equal(otherOf({ verdict: "unique", solutions: [OWN] }, puzzle, clues).isOnly, true);
  assert.equal(otherOf(cut(OWN), puzzle, clues, "multiple").isOnly, false);
  assert.equal(otherOf(cut(OWN), puzzle, clues, "unique").isOnly, true);
  const two = { verdict: "multiple", solutions: [OWN, OTHER] };
  assert.equal(otherOf(two, puzzle, clues, "multiple").isOnly, false);
  assert.equal(otherOf(cut(["#x", "xx"]), loop, clues, "multiple").isOnly, false);
});
