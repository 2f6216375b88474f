// Explanations: boards, marks, lines after so many steps.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as stories from "../../nonosat/studio/page/explain/steps.js";

const puzzle = {
  family: "nonogram",
  height: 2,
  width: 2,
  palette: ["#000000", "#cc0000"],
  keys: ["k", "r"],
  signs: ".kr",
  given: [[1, 1, 0]],
};
const found = {
  verdict: "unique",
  legend: { k: "k", r: "r" },
  steps: [
    {
      technique: "ranges",
      lines: [{ row: 0 }],
      settled: [
        [0, 0, "k"],
        [0, 1, "r"],
      ],
      sentence: "One.",
    },
    {
      technique: "overlap",
      lines: [{ column: 0 }, { row: 1 }],
      settled: [[1, 0, "."]],
      assumed: [0, 1, "k"],
      sentence: "Two.",
    },
  ],
};
const whole = stories.wholeStory(found);
const boards = [0, 1, 2].map((at) => [...stories.boardAfter(puzzle, whole, at)]);

test("the board after so many steps has the decided cells and the given ones", () => {
  assert.deepEqual(boards, [
    [255, 255, 255, 0],
    [1, 2, 255, 0],
    [1, 2, 0, 0],
  ]);
});

test("a step marks decided and tried cells, and highlights its lines", () => {
  assert.deepEqual(stories.marksAfter(puzzle, whole, 0), []);
  assert.deepEqual(stories.marksAfter(puzzle, whole, 2), [
    { row: 1, column: 0, kind: "settled" },
    { row: 0, column: 1, kind: "assumed" },
  ]);
  assert.deepEqual(stories.linesAfter(whole, 2), [
    { column: 0, kind: "lit" },
    { row: 1, kind: "lit" },
  ]);
  assert.deepEqual(stories.linesAfter(whole, 0), []);
});

test("consequences of an assumption are marked if a ruled out value leaves the other", () => {
  const chain = [
    {
      row: 0,
      rules_out: [
        [0, 0, "."],
        [0, 1, "#"],
      ],
    },
  ];
  const steps = [{ technique: "probing", lines: [], settled: [], assumed: [1, 1, "#"], chain }];
  const mono = { ...puzzle, palette: ["#000000"] };
  assert.deepEqual(stories.marksAfter(mono, stories.wholeStory({ steps }), 1), [
    { row: 0, column: 0, kind: "tried", colour: 1 },
    { row: 0, column: 1, kind: "tried", colour: 0 },
    { row: 1, column: 1, kind: "assumed" },
  ]);
  assert.deepEqual(stories.marksAfter(puzzle, stories.wholeStory({ steps }), 1), [
    { row: 1, column: 1, kind: "assumed" },
  ]);
});

test("a place is found in the step that decides it", () => {
  assert.equal(stories.stepThatSettles(puzzle, whole, [1, 0]), 2);
  assert.equal(stories.stepThatSettles(puzzle, whole, [1, 1]), 0);
});

test("edges of a Slitherlink are decided one by one", () => {
  const loop = { family: "slitherlink", height: 1, width: 1, keys: [], signs: "x#" };
  const steps = [
    {
      technique: "zero",
      settled: [[0, 0, 0, 1, "x"]],
      cells: [[0, 0]],
      corners: [[0, 1]],
      sentence: "",
    },
    { technique: "way on", settled: [[0, 0, 1, 0, "#"]], edges: [[0, 0, 0, 1]], sentence: "" },
    {
      technique: "look-ahead",
      settled: [],
      assumed: [1, 0, 1, 1, "#"],
      chain: [[0, 1, 1, 1, "x"]],
      sentence: "",
    },
  ];
  const story = stories.wholeStory({ steps });
  assert.deepEqual([...stories.boardAfter(loop, story, 2)], [0, 255, 1, 255]);
  assert.deepEqual(stories.marksAfter(loop, story, 1), [
    { row: 0, column: 0, kind: "lit" },
    { corner: [0, 1], kind: "lit" },
    { edge: [0, 0, 0, 1], kind: "settled" },
  ]);
  assert.deepEqual(stories.marksAfter(loop, story, 3), [
    { edge: [1, 0, 1, 1], kind: "tried", isOff: false },
    { edge: [0, 1, 1, 1], kind: "tried", isOff: true },
  ]);
  assert.equal(stories.stepThatSettles(loop, story, [1, 0, 0, 0]), 2);
});

test("contradictory clues have an explanation that ends with a broken line", () => {
  const clashing = {
    steps: [],
    contradiction: {
      lines: [
        { row: 1, clue: "3" },
        { column: 1, clue: "1 1" },
      ],
      steps: [{ technique: "ranges", lines: [{ row: 1 }], settled: [[1, 0, "k"]], sentence: "" }],
      sentence: "They clash.",
      end: "Column 2 (clue 1 1) has no placement.",
    },
  };
  const story = stories.clashStory(clashing);
  const framed = [
    { row: 1, kind: "clash" },
    { column: 1, kind: "clash" },
  ];
  assert.deepEqual(stories.linesAfter(story, 0), [
    { row: 1, kind: "wrong" },
    { column: 1, kind: "wrong" },
    ...framed,
  ]);
  assert.deepEqual(stories.linesAfter(story, 2), [{ column: 1, kind: "wrong" }, ...framed]);
  assert.deepEqual(stories.linesAfter(stories.wholeStory(clashing), 0), framed);
  assert.equal(story.steps[1].sentence, "Column 2 (clue 1 1) has no placement.");
  assert.equal(stories.clashStory({}), null);
});

test("a reason highlights its smallest set of lines and marks its cell", () => {
  const story = stories.reasonStory({
    steps: [],
    lines: [{ column: 3 }],
    cell: [1, 3],
    sentence: "",
    strength: "smallest",
  });
  assert.deepEqual(stories.linesAfter(story, 0), [{ column: 3, kind: "lit" }]);
  assert.deepEqual(stories.marksAfter(puzzle, story, 0), [{ row: 1, column: 3, kind: "hint" }]);
  assert.ok(story.isSmallest);
});

test("keys move through the steps and stop at both ends", () => {
  const walk = (key, at) => stories.stepByKey(key, at, 5);
  assert.deepEqual(
    ["ArrowRight", "ArrowLeft", "Home", "End", "PageUp"].map((key) => walk(key, 3)),
    [4, 2, 0, 5, 0],
  );
  assert.equal(walk("ArrowRight", 5), 5);
  assert.equal(walk("x", 3), null);
});

test("techniques are counted", () => {
  assert.deepEqual(stories.countsOf(found.steps), {
    steps: { ranges: 1, overlap: 1 },
    cells: { ranges: 2, overlap: 1 },
  });
  assert.equal(stories.endInWords(found), "2 steps lead to the only solution.");
  assert.match(
    stories.endInWords({ verdict: "unsolvable", steps: [], reason: "too many cells" }),
    /no solution: too many cells\.$/,
  );
});
