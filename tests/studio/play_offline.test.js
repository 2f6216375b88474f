// Hints from an explanation in the file.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createStoryAnswers, hintOf } from "../../nonosat/studio/page/play/offline.js";
import { puzzleOf, rowsOf } from "../../nonosat/studio/page/play/puzzle.js";
import { fromPuzzle } from "../../nonosat/studio/page/state/document.js";

const doc = fromPuzzle({ width: 2, height: 2, rows: [[2], [1]], columns: [[1], [2]] });
const puzzle = puzzleOf(doc);
const found = {
  verdict: "unique",
  steps: [
    {
      technique: "ranges",
      lines: [{ row: 0 }],
      settled: [
        [0, 0, "#"],
        [0, 1, "#"],
      ],
      sentence: "One.",
    },
    { technique: "probing", lines: [], settled: [], sentence: "Silent." },
    { technique: "all there", lines: [{ row: 1 }], settled: [[1, 1, "#"]], sentence: "Two." },
    { technique: "all there", lines: [{ column: 0 }], settled: [[1, 0, "."]], sentence: "Three." },
  ],
};
const hint = (text) =>
  hintOf(
    puzzle,
    found,
    Uint8Array.from(text, (sign) => (sign === "?" ? 255 : Number(sign))),
  );

test("the hint is the first step that is not done, for any order of marks", () => {
  assert.equal(hint("????").sentence, "One.");
  assert.equal(hint("1???").sentence, "One.");
  assert.equal(hint("11??").sentence, "Two.");
  assert.deepEqual(
    hint("11??").before.map(({ sentence }) => sentence),
    ["Silent."],
  );
  assert.equal(hint("11?1").sentence, "Three.");
  assert.equal(hint("?101").sentence, "One.");
  assert.equal(hint("1101").step, null);
});

test("wrong marks are named in place of a step", () => {
  const { wrong, step, sentence } = hint("0?1?");
  assert.deepEqual(wrong, [
    [0, 0, "."],
    [1, 0, "#"],
  ]);
  assert.equal(step, null);
  assert.equal(sentence, "2 marks are wrong.");
});

test("asked as a server is, it answers the same; without steps it refuses", async () => {
  const answers = createStoryAnswers(puzzle, found);
  assert.equal(answers.can("hint"), true);
  assert.equal(answers.can("repair"), false);
  const given = rowsOf(Uint8Array.of(1, 1, 255, 255), puzzle);
  assert.equal((await answers.query("hint", { given })).sentence, "Two.");
  const none = createStoryAnswers(puzzle, null);
  assert.equal(none.can("hint"), false);
  await assert.rejects(none.query("hint", { given }), { kind: "UnsupportedError" });
});

test("for a Slitherlink the edges are compared", () => {
  const loop = puzzleOf(fromPuzzle({ family: "slitherlink", rows: ["4"] }));
  const story = {
    verdict: "unique",
    steps: [
      {
        technique: "all left",
        settled: [
          [0, 0, 0, 1, "#"],
          [0, 0, 1, 0, "#"],
          [1, 0, 1, 1, "#"],
          [0, 1, 1, 1, "#"],
        ],
        sentence: "All.",
      },
    ],
  };
  assert.equal(hintOf(loop, story, Uint8Array.of(1, 255, 1, 1)).sentence, "All.");
  assert.deepEqual(hintOf(loop, story, Uint8Array.of(0, 1, 1, 1)).wrong, [[0, 0, 0, 1, "x"]]);
});
